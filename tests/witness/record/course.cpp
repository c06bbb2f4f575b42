#include "witness/record/course.h"

#include "run/machine/read_machine_code.h"
#include "viz/view_options.h"
#include "witness/readers/reader.h"
#include "witness/record/follow.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::witness {
namespace {

void say(const Picture& picture) {
    fmt::print("== {} {} warp {} step {}\n", picture.view,
               picture.language == Language::English ? "en" : "zh", picture.cursor.warp.value,
               picture.cursor.step + 1);
    for (const Said& said : picture.texts)
        fmt::print("{:6.0f} {:6.0f} -{:6.0f} {} | {}{}{}\n", said.top, said.left, 2 * said.at.x - said.left,
                   said.isSentence  ? "S"
                   : said.isCaption ? "C"
                   : said.isHover   ? "H"
                                    : " ",
                   said.text, said.hover.empty() ? "" : "   <- ", said.hover);
}

bool looksAt(const Look& look, const Trial& trial, std::string_view view) {
    const auto& views =
        trial.profile.empty() || look.viewsOfOldCards.empty() ? look.views : look.viewsOfOldCards;
    if (!views.empty() && std::ranges::find(views, view) == views.end()) return false;
    // What a lesson brings has no texts of its own: of its wrong kernels only the orders are looked at.
    if (trial.family->ofLesson && !viz::findView(view)->followsOrders) return false;
    return std::ranges::none_of(look.notYet, [&](const auto& pair) {
        return pair.first == view && trial.name().starts_with(pair.second);
    });
}

// What a trial is compared with, and what is known of that.
struct ComparedRun {
    Trial trial;
    Expected<run::Run> made;
    std::unique_ptr<Witness> witness;
    const run::Run* run() const { return witness ? &*made : nullptr; }

    ComparedRun(const World& world, const Trial& first, const std::vector<Allowed>& allowed)
        : trial(comparedOf(world, first)), made(ran(world, trial)) {
        if (made && !made->recording.trace.blocks.empty())
            witness = std::make_unique<Witness>(world, trial, *made, nullptr, allowed);
    }
};

// Which view of both runs, and how their cursors are tied: in turn.
viz::CompareOptions comparedOf(const Trial& trial, u32 picture) {
    std::vector<std::string_view> names;
    for (const viz::ViewRow& view : viz::views())
        if (view.inCompare) names.push_back(view.name);
    const u32 views = u32(names.size());
    return {.view = names[(trial.index + picture) % views],
            .tie = picture / views % 2 ? viz::Tie::Step : viz::Tie::Phase};
}

// One for all trials: sizes of a variant have the same PTX mostly.
cuda::Disassembler& disassembler() {
    static cuda::Disassembler one;
    return one;
}

constexpr std::array<viz::Size, 3> kOrderSizes{
    {{1280, 800}, {760, 620}, {480, 400}}};  // results beside both orders, below them, in no room
constexpr viz::Size kSmallStage{420, 300};   // where arrays have hardly any room
constexpr u32 kSkippedRounds = 4;            // of a trial, to compare at

}  // namespace

void Sum::add(const Sum& other) {
    pictures += other.pictures, texts += other.texts;
    for (const auto& [view, count] : other.counts)
        counts[view].read += count.read, counts[view].let += count.let;
    failures.insert(failures.end(), other.failures.begin(), other.failures.end());
}
u64 Sum::read() const {
    u64 all = 0;
    for (const auto& [view, count] : counts)
        all += count.read;
    return all;
}
u64 Sum::let() const {
    u64 all = 0;
    for (const auto& [view, count] : counts)
        all += count.let;
    return all;
}

namespace {

// Views that ask the model only on demand are looked at with what it says, where that takes little time.
viz::Modeled askedOfModel(const viz::ViewRow& view, const run::Run& run) {
    constexpr u64 kLittle = 100'000;  // warp instructions
    if (view.modeled != viz::Modeled::None && !view.asksModel) return view.modeled;
    if (run.statistics.warpInstructions > kLittle) return viz::Modeled::None;
    return view.name == "chart" ? viz::Modeled::Time : view.modeled;
}

// The view of orders: it is the same at every cursor.
void lookAtOrders(Witness& witness, Model model, const viz::ViewRow& view, const viz::Cursor& cursor,
                  const viz::Fonts& fonts, const Look& look, Sum& sum) {
    const viz::OrdersOnShow orders = ordersOf(*model.run);
    model.orders = &orders;
    for (const viz::Size& size : kOrderSizes)
        for (const Language language : {Language::English, Language::Chinese}) {
            const Picture picture =
                pictureOf(view, model, cursor, language, fonts, nullptr, look.hovers, {}, size);
            ++sum.pictures, sum.texts += picture.texts.size();
            if (look.texts) say(picture);
            witness.look(picture);
        }
}

}  // namespace

void witnessTrial(const World& world, const Trial& trial, const std::vector<Allowed>& allowed,
                  const viz::Fonts& fonts, const Look& look, Sum& sum) {
    Expected<run::Run> run = ran(world, trial);
    if (!run) {
        sum.failures.push_back(
            {trial.name(), "-", describe(run.error()), "", "does not run", Language::English, {}});
        return;
    }
    if (run->recording.trace.blocks.empty()) return;
    std::optional<ComparedRun> beside;
    if (looksAt(look, trial, "compare")) beside.emplace(world, trial, allowed);
    Witness witness(world, trial, *run, beside ? beside->witness.get() : nullptr, allowed);
    Model model{&*run, beside ? beside->run() : nullptr, &world.machines, &run->profile};
    const std::vector<Play> plays = playsOf(trial, *run);
    const std::vector<viz::Cursor> everywhere = cursorsOf(*run, look.steps);
    std::vector<viz::Cursor> compared = everywhere;
    if (beside && beside->run())
        for (const viz::Cursor& cursor : skippedBy(*beside->run(), *run, kSkippedRounds))
            compared.push_back(cursor);
    for (const viz::ViewRow& view : viz::views()) {
        if (!looksAt(look, trial, view.name)) continue;
        if (view.followsOrders && !everywhere.empty()) {
            lookAtOrders(witness, model, view, everywhere.front(), fonts, look, sum);
            continue;
        }
        const std::vector<viz::Cursor>& cursors = view.name == "compare" ? compared : everywhere;
        viz::ViewCache kept;
        const viz::Cursor* before = nullptr;
        viz::IssuesOnShow issues;
        const bool isPlayground = view.name == "playground";
        for (std::size_t i = 0; i < (isPlayground ? plays.size() : cursors.size()); ++i) {
            const viz::Cursor& cursor = cursors[isPlayground ? 0 : i];
            model.play = isPlayground ? &plays[i] : nullptr;
            model.compared = comparedOf(trial, u32(i));
            if (i >= everywhere.size()) model.compared.tie = viz::Tie::Phase;
            if (before && (before->block != cursor.block || before->launch != cursor.launch)) kept = {};
            const viz::Modeled asked = askedOfModel(view, *run);
            const bool isModeled = asked != viz::Modeled::None;
            if (isModeled && !issues.has(asked, cursor)) issues = issuesAt(world, *run, cursor, asked);
            model.issues = isModeled ? &issues : nullptr;
            const viz::SweepsOnShow sweeps =
                view.name == "chart" ? modeledPoint(world, *run, issues) : viz::SweepsOnShow{};
            model.sweeps = sweeps.sweeps.empty() ? nullptr : &sweeps;
            before = &cursor;
            for (const Language language : {Language::English, Language::Chinese}) {
                const u32 hovers = isPlayground || i % look.hoversEvery == 0 ? look.hovers : 0;
                const bool hasTabs = hovers && view.name == "source";
                if (view.name == "issue" && hovers) {
                    model.isHiding = true;
                    const Picture picture = pictureOf(view, model, cursor, language, fonts, nullptr, hovers);
                    model.isHiding = false;
                    ++sum.pictures, sum.texts += picture.texts.size();
                    if (look.texts) say(picture);
                    witness.look(picture);
                }
                for (const viz::SourceTab tab : {viz::SourceTab::Cuda, viz::SourceTab::Ptx}) {
                    if (tab != viz::SourceTab::Cuda && !hasTabs) continue;
                    const Picture picture =
                        pictureOf(view, model, cursor, language, fonts, &kept, hovers, tab);
                    ++sum.pictures, sum.texts += picture.texts.size();
                    if (look.texts) say(picture);
                    witness.look(picture);
                    if (view.name == "stage" && hovers)
                        witness.look(partsOf(
                            pictureOf(view, model, cursor, language, fonts, nullptr, 0, {}, kSmallStage)));
                }
            }
        }
    }
    // Last: what the machine code says takes the place of figures that were read so far.
    if (looksAt(look, trial, "source") && trial.profile.empty()) {
        run::readMachineCode(disassembler(), *run);
        const viz::ViewRow& source = *viz::findView("source");
        for (std::size_t i = 0; i < everywhere.size(); i += look.hoversEvery)
            for (const Language language : {Language::English, Language::Chinese}) {
                const Picture picture = pictureOf(source, model, everywhere[i], language, fonts, nullptr,
                                                  look.hovers, viz::SourceTab::Machine);
                ++sum.pictures, sum.texts += picture.texts.size();
                if (look.texts) say(picture);
                witness.look(picture);
            }
    }
    for (const Witness* one : {&witness, beside ? beside->witness.get() : nullptr}) {
        if (!one) continue;
        for (const auto& [view, count] : one->counts)
            sum.counts[view].read += count.read, sum.counts[view].let += count.let;
        sum.failures.insert(sum.failures.end(), one->failures.begin(), one->failures.end());
    }
}

void report(const Sum& all, std::size_t trials, u32 forms, f64 seconds) {
    std::map<std::string, std::vector<const Failure*>> byForm;
    std::map<std::string, u64> untraced;
    for (const Failure& failure : all.failures) {
        ++untraced[failure.view];
        byForm[failure.view + (failure.language == Language::English ? " en: " : " zh: ") +
               formOf(failure.text) + "  ! " + formOf(failure.why)]
            .push_back(&failure);
    }
    std::vector<std::pair<std::size_t, const Failure*>> sorted;
    for (const auto& [form, failures] : byForm)
        sorted.emplace_back(failures.size(), failures.front());
    std::ranges::sort(sorted, [](const auto& a, const auto& b) { return a.first > b.first; });
    for (u32 i = 0; i < sorted.size() && i < forms; ++i) {
        const Failure& f = *sorted[i].second;
        fmt::print("{:6d} {} {} | {} | warp {} step {} lane {} | {} | {}: {}\n", sorted[i].first, f.view,
                   f.language == Language::English ? "en" : "zh", f.trial, f.cursor.warp.value,
                   f.cursor.step + 1, f.cursor.lane.value, f.text, f.token, f.why);
    }
    for (const auto& [view, count] : all.counts)
        fmt::print("{:12} {:9} read {:9} let pass {:7} not traced\n", view, count.read, count.let,
                   untraced[view]);
    fmt::print(
        "{} trials, {} pictures, {} texts, {} numbers and names read, {} let pass by the table; {} not "
        "traced, of {} forms; {:.1f} s\n",
        trials, all.pictures, all.texts, all.read(), all.let(), all.failures.size(), sorted.size(), seconds);
}

}  // namespace lockstep::witness
