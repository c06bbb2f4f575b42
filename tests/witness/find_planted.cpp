// Looks for the errors that were planted.
#include "witness/planted.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lockstep::witness {
namespace {

bool isLooked(std::string_view view) {
    return view == "banks" || view == "sectors" || view == "lanes" || view == "source" || view == "timeline";
}

constexpr std::string_view kOldCardTrial = "banks/stride, default";  // under the rules of cc 1.0
constexpr std::array<std::string_view, 7> kTrials{"matmul/tiled-bounds, awkward width=13 tile=8",
                                                  "transpose/shared, awkward rows=37 columns=53",
                                                  "reduction/v0, small n=64",
                                                  "stencil/missing-barrier, default",
                                                  "banks/histogram, default",
                                                  "transpose/copy, default",
                                                  kOldCardTrial};

// All, in the order of their files.
std::vector<const Planted*> allPlanted() {
    std::vector<const Planted*> all;
    for (const std::span<const Planted> some : {planted(), plantedInOrders(), plantedInModel()})
        for (const Planted& error : some)
            all.push_back(&error);
    return all;
}

// What is known of a trial beside its run: other orders, and what the model says where it is asked.
class Asked {
public:
    Asked(const World& world, const run::Run& run) : world_(world), run_(run) {}

    const viz::OrdersOnShow* orders() {
        if (!orders_) orders_ = ordersOf(run_);
        return &*orders_;
    }
    // With time: its waits, where a view shows these.
    const viz::IssuesOnShow* model(const viz::Cursor& cursor) {
        if (!model_) model_ = issuesAt(world_, run_, cursor, viz::Modeled::Waits);
        return &*model_;
    }
    const viz::SweepsOnShow* point(const viz::IssuesOnShow& issues) {
        sweeps_ = modeledPoint(world_, run_, issues);
        return sweeps_.sweeps.empty() ? nullptr : &sweeps_;
    }

private:
    const World& world_;
    const run::Run& run_;
    std::optional<viz::OrdersOnShow> orders_;
    std::optional<viz::IssuesOnShow> model_;
    viz::SweepsOnShow sweeps_;
};

viz::OrdersOnShow tampered(const viz::OrdersOnShow& orders, const Planted& error) {
    viz::OrdersOnShow other = orders;
    if (!orders.search || !error.orders) return other;
    auto search = std::make_shared<run::OrderSearch>(*orders.search);
    error.orders(*search);
    other.search = std::move(search);
    return other;
}

viz::IssuesOnShow tampered(const viz::IssuesOnShow& issues, const Planted& error) {
    viz::IssuesOnShow other = issues;
    if (!issues.waits || !error.time) return other;
    auto waits = std::make_shared<run::WaitsOfRun>(*issues.waits);
    error.time(waits->time);
    other.waits = std::move(waits);
    return other;
}

}  // namespace

int findPlanted(const World& world, const std::vector<Trial>& trials, const std::vector<Allowed>& allowed,
                const viz::Fonts& fonts) {
    u32 caught = 0;
    std::map<std::string, u64> found;
    for (Trial trial : trials) {
        if (std::ranges::find(kTrials, trial.name()) == kTrials.end()) continue;
        if (trial.name() == kOldCardTrial) trial.profile = "cc10";
        const Expected<run::Run> run = ran(world, trial);
        if (!run) continue;
        const std::vector<viz::Cursor> cursors = cursorsOf(*run, 4);
        const std::vector<Play> plays = playsOf(trial, *run);
        const Trial otherTrial = comparedOf(world, trial);
        const Expected<run::Run> other = ran(world, otherTrial);
        if (!other) continue;
        Asked asked(world, *run);
        const auto failures = [&](const Planted* error) {
            run::Run shown = *run;
            viz::Cursor none = cursors.front();
            if (error && error->tamper) error->tamper(shown, none);
            Witness beside(world, otherTrial, *other, nullptr, allowed);
            Witness witness(world, trial, *run, &beside, allowed);
            u32 pictures = 0;
            std::map<std::pair<std::string, u64>, viz::ViewCache> keptOf;
            for (const viz::ViewRow& view : viz::views())
                for (const viz::Cursor& cursor : cursors) {
                    if (error && !error->view.empty() ? view.name != error->view : !isLooked(view.name))
                        continue;
                    viz::Cursor at = cursor;
                    if (error && error->tamper) {
                        run::Run unused;
                        unused.recording.trace = run->recording.trace;
                        if (std::string_view(error->name).find("step") != std::string_view::npos ||
                            std::string_view(error->name) == "another warp")
                            error->tamper(unused, at);
                    }
                    viz::ViewCache& kept = keptOf[std::pair{
                        std::string(view.name),
                        linearOf(at.block, shown.recording.launches[at.launch.value].grid) << 4 |
                            at.launch.value}];
                    const bool isPlayground = view.name == "playground";
                    const Play& play = plays[pictures % plays.size()];
                    Play drawn = play;
                    if (error && error->play) error->play(drawn);
                    constexpr std::array<std::string_view, 3> kViews{"banks", "sectors", "lanes"};
                    const viz::CompareOptions choice{.view = kViews[pictures % kViews.size()]};
                    Model model{
                        &shown, &*other, &world.machines, &shown.profile, isPlayground ? &drawn : nullptr,
                        choice};
                    viz::OrdersOnShow orders;
                    viz::IssuesOnShow issues;
                    if (view.followsOrders && error)
                        orders = tampered(*asked.orders(), *error), model.orders = &orders;
                    if (error && error->isModeled) {
                        issues = tampered(*asked.model(cursor), *error), model.issues = &issues;
                        if (view.name == "chart") model.sweeps = asked.point(issues);
                    }
                    Picture picture = pictureOf(view, model, at, Language::English, fonts, &kept, 12);
                    picture.cursor = cursor;
                    if (model.orders) picture.orders = asked.orders();
                    if (model.issues) picture.issues = asked.model(cursor);
                    if (isPlayground) picture.play = &play;
                    ++pictures;
                    if (error && error->change)
                        for (Said& said : picture.texts)
                            error->change(said);
                    if (error && error->redraw) error->redraw(picture);
                    witness.look(picture);
                }
            return witness.failures.size() + beside.failures.size();
        };
        const std::size_t before = failures(nullptr);
        std::map<std::pair<std::string_view, bool>, std::size_t> without;  // by view, with the model or not
        for (const Planted* error : allPlanted()) {
            const auto [known, isNew] = without.try_emplace({error->view, error->isModeled}, before);
            if (isNew && !error->view.empty()) {
                const Planted none{.name = error->name,
                                   .tamper = {},
                                   .change = {},
                                   .view = error->view,
                                   .isModeled = error->isModeled};
                known->second = failures(&none);
            }
            const std::size_t with = failures(error);
            found[error->name] += with > known->second ? with - known->second : 0;
        }
    }
    const std::vector<const Planted*> errors = allPlanted();
    for (const Planted* error : errors) {
        caught += found[error->name] > 0;
        fmt::print(
            "{:50} {}\n", error->name,
            found[error->name] > 0 ? fmt::format("found, {} places", found[error->name]) : "not found");
    }
    fmt::print("{} of {} planted errors found\n", caught, errors.size());
    return caught + 2 >= errors.size() ? 0 : 1;
}

}  // namespace lockstep::witness
