// The compare view: its two pictures are read as those of their runs, then what stands above and below them.
#include "witness/readers/compare.h"
#include "witness/record/follow.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep::witness {
namespace {

// Of which views the pictures are read here, too.
constexpr std::array<std::string_view, 3> kPicturesRead{"banks", "sectors", "lanes"};

bool hasDigit(std::string_view text) { return text.find_first_of("0123456789") != std::string_view::npos; }

}  // namespace

CompareReader::CompareReader(Witness& a, Witness& b, const Picture& picture)
    : w_(a),
      picture_(picture),
      a_{.witness = a, .cursor = picture.cursor, .picture = {}},
      b_{.witness = b, .cursor = *picture.comparedCursor, .picture = {}} {
    for (Side* side : {&a_, &b_}) {
        side->picture.view = picture.compared.view, side->picture.partOf = picture.view;
        side->picture.language = picture.language, side->picture.cursor = side->cursor;
        side->picture.size = picture.size;
    }
}

void CompareReader::fail(const Said& said, std::string_view token, std::string why) {
    w_.failures.push_back({w_.nameOfTrial() + " beside " + b_.witness.nameOfTrial(), picture_.view, said.text,
                           std::string(token), std::move(why), picture_.language, picture_.cursor});
}

void CompareReader::look() {
    cursors();
    if (!areas()) return;
    frames();
    sentences();
    table();
    const bool isRead = std::ranges::find(kPicturesRead, a_.picture.view) != kPicturesRead.end();
    for (const Said& said : picture_.texts) {
        if (read_.contains(&said)) continue;
        if (leftOut(said)) {
            w_.of(picture_.view).read += tokensOf(said.text).size();
            continue;
        }
        const bool isOfScene = said.isSentence || said.isCaption;
        Side* side = isOfScene ? nullptr : a_.isIn(said) ? &a_ : b_.isIn(said) ? &b_ : nullptr;
        if (side && !side->isHead(said)) {
            if (isRead) side->picture.texts.push_back(said);
            continue;
        }
        if (!hasDigit(said.text)) continue;
        w_.of(picture_.view).read += tokensOf(said.text).size();
        const bool known =
            caption(said) || (side && headOf(*side, said)) || figureSentence(said) || note(said);
        if (!known) fail(said, said.text, "no form that is known");
    }
    if (!isRead) return;
    for (Side* side : {&a_, &b_})
        Reader(side->witness, side->picture).look();
}

// The badges say which half is whose; heads are as high as their lines.
bool CompareReader::areas() {
    const Said *a = nullptr, *b = nullptr;
    for (const Said& said : picture_.texts) {
        if (said.isHover || said.isSentence || said.isCaption || said.face != viz::Face::TextBold) continue;
        if (!a && said.text == "A") a = &said;
        const bool isBeside = a && std::fabs(said.top - a->top) < 1 && said.left > a->left + 100,
                   isBelow = a && std::fabs(said.at.x - a->at.x) < 2 && said.top > a->top + 50;
        if (a && !b && said.text == "B" && said.size == a->size && (isBeside || isBelow)) b = &said;
    }
    if (!a || !b)
        return picture_.texts.empty() ? false
                                      : (fail(picture_.texts.front(), "A", "it has no two halves"), false);
    constexpr f32 kBadgeLeft = 28, kBadgeTop = 16, kHead = 32, kLine = 22, kTall = 240;
    const bool stacked = b->top > a->top + 50;
    a_.left = a->at.x - kBadgeLeft, b_.left = b->at.x - kBadgeLeft;
    a_.right = stacked ? picture_.size.width : b_.left, b_.right = picture_.size.width;
    a_.top = a->at.y - kBadgeTop, b_.top = b->at.y - kBadgeTop;
    // Below both, the first sentence begins with its letter, or with both.
    constexpr f32 kSentenceLine = 1.32f, kFootMargin = 6;
    foot_ = picture_.size.height;
    for (const Said& said : picture_.texts)
        if (!said.isHover && !said.isSentence && !said.isCaption && &said != a && said.left < 40 &&
            said.face == viz::Face::TextBold && (said.text == "A" || said.text == "A B"))
            foot_ = said.at.y - said.size * kSentenceLine / 2 - kFootMargin;
    a_.bottom = stacked ? b_.top : foot_, b_.bottom = foot_;
    bool tellsLines = false;
    for (const Said& said : picture_.texts)
        tellsLines |=
            !said.isHover &&
            (said.text == (english() ? "only here: " : "仅此一侧：") ||
             said.text == (english() ? "no line of code that the other lacks" : "没有另一侧缺少的代码行"));
    const std::string& view = a_.picture.view;
    const bool namesLine = view == "banks" || view == "sectors" || view == "lanes";
    for (Side* side : {&a_, &b_}) {
        const bool twoLines = !stacked && side->bottom - side->top > kTall;
        side->pictureTop =
            side->top + kHead + (twoLines ? (namesLine ? 0 : kLine) + (tellsLines ? kLine : 0) : 0);
    }
    return true;
}

// Where the other cursor stands, by the witness's own rule.
void CompareReader::cursors() {
    const trace::FocusBlock *a = a_.run().recording.trace.find(a_.cursor.launch, a_.cursor.block),
                            *b = b_.run().recording.trace.find(b_.cursor.launch, b_.cursor.block);
    const auto said = [&](std::string why) {
        Said none;
        none.text = fmt::format("B: warp {}, step {}", b_.cursor.warp.value, b_.cursor.step + 1);
        fail(none, "B", std::move(why));
    };
    if (!a || !b) return said("a block that was not recorded");
    const bool isRecorded = b_.run().recording.trace.find(a_.cursor.launch, a_.cursor.block);
    if (isRecorded && (!(b_.cursor.block == a_.cursor.block) || b_.cursor.launch != a_.cursor.launch))
        said("another block");
    if (isRecorded && a_.cursor.warp.value < b->warps.size() && b_.cursor.warp != a_.cursor.warp)
        said("another warp");
    const u32 step = followed(a->warps[a_.cursor.warp.value], a_.cursor.step, b->warps[b_.cursor.warp.value],
                              picture_.compared.tie);
    if (step != b_.cursor.step)
        said(fmt::format("step {} of A goes with step {}", a_.cursor.step + 1, step + 1));
}

// "barrier interval 2, ph = 1, step 5 of 9"
bool CompareReader::caption(const Said& said) {
    const auto slots = is(said,
                          "{common:text}A: barrier interval {intervalA}{roundA:text}, step {stepA} of "
                          "{stepsA} · B: barrier interval {intervalB}{roundB:text}, step {stepB} of {stepsB}",
                          "{common:text}A：屏障区间 {intervalA}{roundA:text}，第 {stepA}/{stepsA} 步 · "
                          "B：屏障区间 {intervalB}{roundB:text}，第 {stepB}/{stepsB} 步");
    if (!slots) return false;
    const std::string shared = common();
    expect(said, isPartOfHead(slots->text("common"), shared), "common", "they have in common: " + shared);
    for (const auto& [side, letter] : {std::pair{&a_, "A"}, {&b_, "B"}}) {
        const std::string l = letter;
        const trace::WarpTrace& warp = side->run()
                                           .recording.trace.find(side->cursor.launch, side->cursor.block)
                                           ->warps[side->cursor.warp.value];
        const u32 interval =
            u32(std::ranges::count_if(warp.barrierSteps, [&](u32 step) { return step < side->cursor.step; }));
        expect(said, (*slots)["interval" + l] == interval, l,
               fmt::format("it is barrier interval {}", interval));
        expect(
            said,
            (*slots)["step" + l] == side->cursor.step + 1 && (*slots)["steps" + l] == f64(warp.steps.size()),
            l, fmt::format("it is step {} of {}", side->cursor.step + 1, warp.steps.size()));
        const std::string& round = slots->text("round" + l);
        if (round.empty()) continue;
        const auto parts = match(round, english() ? ", {name:text} = {value}" : "，{name:text} = {value}");
        const Launch& launch = side->run().recording.launches[side->cursor.launch.value];
        const auto value =
            parts ? roundOf(side->facts(), warp, interval, parts->text("name"), launch) : std::nullopt;
        expect(said, value && f64(*value) == (*parts)["value"], round,
               value ? fmt::format("it is {}", *value) : "no such loop around its barrier");
    }
    return true;
}

namespace {

std::string shownOf(const run::Run& run, const std::string& name) {
    const auto value = run.catalog->values.find(name);
    if (value == run.catalog->values.end()) return {};
    const catalog::Parameter* parameter = run.catalog->family->findParameter(name);
    return parameter->isChoice() ? parameter->choices[std::size_t(value->second)]
                                 : std::to_string(value->second);
}
bool isSame(const run::Run& a, const run::Run& b, const std::string& name) {
    const auto inA = a.catalog->values.find(name), inB = b.catalog->values.find(name);
    return inA != a.catalog->values.end() && inB != b.catalog->values.end() && inA->second == inB->second;
}
void join(std::string& text, const std::string& more) {
    if (!more.empty()) text += (text.empty() ? "" : " · ") + more;
}

}  // namespace

// Sizes that both have, behind the variant where there is only one.
// The family, and what both have in common: parts that do not fit are left out, each as a whole.
bool CompareReader::isPartOfHead(std::string_view said, const std::string& shared) const {
    constexpr std::string_view kBetween = " · ";
    std::string all = a_.run().catalog->family->title.in(picture_.language);
    join(all, shared);
    std::size_t from = 0;
    while (!said.empty()) {
        const std::string_view part = said.substr(0, said.find(kBetween));
        if (!said.substr(part.size()).starts_with(kBetween)) return false;
        said.remove_prefix(part.size() + kBetween.size());
        const std::string whole = std::string(kBetween) + all + std::string(kBetween);
        const std::size_t at =
            whole.find(std::string(kBetween) + std::string(part) + std::string(kBetween), from);
        if (at == std::string::npos) return false;
        from = at + kBetween.size();
    }
    return true;
}

std::string CompareReader::common() const {
    const run::Run &a = a_.run(), &b = b_.run();
    std::string text;
    if (a.catalog->variant == b.catalog->variant) text = a.catalog->variant->title.in(picture_.language);
    for (const std::string& name : a.catalog->variant->parameters)
        if (isSame(a, b, name)) join(text, name + " " + shownOf(a, name));
    return text;
}

std::string CompareReader::nameOf(const Side& side, const Side& other) const {
    const run::Run& run = side.run();
    std::string own;
    for (const std::string& name : run.catalog->variant->parameters)
        if (!shownOf(run, name).empty() && !isSame(run, other.run(), name))
            join(own, name + " " + shownOf(run, name));
    if (run.catalog->variant == other.run().catalog->variant && !own.empty()) return own;
    std::string text = run.catalog->variant->title.in(picture_.language);
    join(text, own);
    return text;
}

// Names, the figure that tells most, the time, the line of code, and lines that the other lacks.
bool CompareReader::headOf(const Side& side, const Said& said) {
    const Side& other = &side == &a_ ? b_ : a_;
    const bool en = english(), isFirst = &side == &a_;
    if (said.isHover) return figureSentence(said);
    std::string name = nameOf(side, other);
    if (said.text == name) return true;
    if (constexpr std::string_view kDots = "…";
        said.text.ends_with(kDots) && name.starts_with(said.text.substr(0, said.text.size() - kDots.size())))
        return true;
    if (const auto slots = is(said, "measured, {device:text}: {ms} {unit:text}",
                              "实测（{device:text}）：{ms} {unit:text}")) {
        const auto times = timeOfBoth();
        const auto device = recordedTimes(w_.world_, side.run());
        expect(said, times && isFirst && isBrief(*slots, slots->text("unit"), *times->a.begin()), "ms",
               times ? fmt::format("it is {} ms", *times->a.begin()) : "no time of both");
        expect(said, device && device->recording->device.ends_with(slots->text("device")), "device",
               "of another device");
        return true;
    }
    if (const auto slots = is(said, "{ms} {unit:text}s{change:text}", "{ms} {unit:text}s{change:text}");
        slots && unitOf(slots->text("unit") + "s")) {
        const auto times = timeOfBoth();
        if (!times) return fail(said, "ms", "no time of both"), true;
        expect(said, !isFirst && isBrief(*slots, slots->text("unit") + "s", *times->b.begin()), "ms",
               fmt::format("it is {} ms", *times->b.begin()));
        std::string change = slots->text("change");
        if (!change.empty()) change.erase(0, en ? 2 : std::string_view("，").size());
        const std::string why = wrongChange(!change.empty() ? change : times->areUnlike ? "–" : "=", *times);
        return expect(said, why.empty(), "change", why), true;
    }
    if (both(said.text)) return true;  // "sectors read that L2 had"
    // The figure, at the left of which it is said what it is of.
    for (const Said& what : picture_.texts)
        if (!what.isHover && std::fabs(what.at.y - said.at.y) < 4 && 2 * what.at.x - what.left < said.left &&
            side.isHead(what) && match(said.text, "{n}"))
            if (const auto figure = both(what.text))
                return expect(said, isValue(said.text, isFirst ? figure->a : figure->b, *figure), said.text,
                              "the figure is another one"),
                       true;
    const trace::FocusBlock* block = side.run().recording.trace.find(side.cursor.launch, side.cursor.block);
    const Pc pc = block->warps[side.cursor.warp.value].steps[side.cursor.step].pc;
    if (said.face == viz::Face::Mono) {  // where the cursor stands
        std::string code = squeezed(said.text);
        if (code.ends_with("…")) code.resize(code.size() - std::string_view("…").size());
        for (const u32 line : side.facts().linesNear(pc))
            if (contains(squeezed(side.facts().sourceLine(line)), code)) return true;
        return fail(said, said.text, "the cursor stands at another line"), true;
    }
    const auto onlyHere = [&](const Said& words) {
        return std::fabs(words.at.y - said.at.y) < 2 && words.text == (en ? "only here: " : "仅此一侧：");
    };
    if (!std::ranges::any_of(picture_.texts, onlyHere)) return false;
    if (const auto slots = is(said, " and {n} more line*", " 以及另外 {n} 行")) {
        const u64 lines = onlyIn(side);
        return expect(said, (*slots)["n"] == f64(lines) - 1, "n",
                      fmt::format("{} lines are only here", lines)),
               true;
    }
    if (const auto slots = match(said.text, "{line} {code:text}")) {
        std::string code = slots->text("code");
        if (code.ends_with("…")) code.resize(code.size() - std::string_view("…").size());
        const u32 line = u32((*slots)["line"]);
        expect(said, contains(squeezed(side.facts().sourceLine(line)), squeezed(code)), "line",
               "the line is another one");
        return expect(said, mayBeOnlyIn(side, other, line), "line", "the other has this line, too"), true;
    }
    return false;
}

}  // namespace lockstep::witness
