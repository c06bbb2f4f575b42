#include "viz/issue/issue_cards.h"

#include "base/text/counted.h"
#include "base/text/punctuation.h"
#include "explain/source/source_line.h"
#include "viz/issue/issue_help.h"
#include "viz/marks/fitting_text.h"
#include "viz/messages.h"

#include <fmt/format.h>

namespace lockstep::viz {
namespace {

using time::IssueRecord;
using time::WaitRecord;
using time::WarpRecord;

constexpr Words kAtCursor = english("At the cursor: {0}"), kCycleAndCode = english("cycle {0}: {1}"),
                kKindAndLanes = english("{0}, in {1} {1:lane|lanes}");
constexpr Words kBefore = english("Just before: waited {0} {0:cycle|cycles}"),
                kNotBefore = english("Just before: no wait"),
                kIssuedBefore = english("it issued in the cycle before, too"),
                kLastWait = english("Its last wait before that: {0}"),
                kLongWait = english("Its last wait of {0} cycles or more before that: {1}");
constexpr Words kIdle = english("In {0} of {1} {1:cycle|cycles} on show no warp issues"),
                kLongest = english("longest: cycles {0} to {1} ({2} {2:cycle|cycles})"),
                kLongestCut = english("longest: cycles {0} to {1} ({2} {2:cycle|cycles}, {3} on show)"),
                kOneCycle = english("longest: cycle {0} alone"),
                kReasonOf = english("{0}, for {1} of {2} {2:warp|warps}."),
                kIdleInBrief = english("No issue in {0} of {1} {1:cycle|cycles}"),
                kNeverIdle = english("some warp issues in every cycle"),
                kWithoutWarps = english("In {0} more {0:cycle|cycles} the sub-core has no warp.");
constexpr Words kThen = english("Then: {0}"), kNextLong = english("Its next wait of {0} cycles or more: {1}");
constexpr Words kHelp = english("What would help the launch most");
constexpr Words kSeveral =
    english("The step's {0} machine instructions issue in cycles {1} to {2}: this is the last of them.");
constexpr Words kNearest =
    english("Step {0} has no instruction of its own (merged, reordered or removed): this is the nearest.");
constexpr Words kNoIssue = english(
    "No machine instruction stands for this step alone: the compiler merged, reordered or removed it. Marked "
    "is "
    "the nearest one of this warp.");

constexpr f32 kHeadLine = 16, kMainLine = 18, kSubLine = 15, kPad = 6, kGap = 8, kLeastCard = 250;
constexpr u64 kLong = 10, kVeryLong = 100;  // cycles of a wait
constexpr u32 kMostCodeLines = 2;
const TextStyle kCode{.size = type::kAxis, .mono = true};
const TextStyle kSub{.size = type::kAxis, .role = role(RoleKind::TextSecond)};

// The longest wait right before the marked issue.
const WaitRecord* waitBefore(const IssueDrawing& d, const IssuePlace& place) {
    if (place.marked == time::kNotRecorded) return nullptr;
    return longestWait(d.sm().warps[place.smWarp], place.waitsFrom, place.cycle);
}

}  // namespace

std::string sentenceAt(const IssueDrawing& d, const IssuePlace& place) {
    const Language l = d.in.language;
    std::string text = place.isCertain() ? std::string() : say(l, kNoIssue);
    if (place.marked == time::kNotRecorded) return text;
    const IssueSentences sentences = d.sentences();
    const auto add = [&](const std::string& sentence) {
        if (!text.empty()) text += sentenceGap(l);
        text += sentence;
    };
    if (const WaitRecord* wait = waitBefore(d, place)) add(sentences.wait(place.smWarp, *wait));
    add(sentences.issue(place.smWarp, d.sm().warps[place.smWarp].issues[place.marked]));
    return text;
}

IssueCards::IssueCards(const IssueDrawing& d, const IssuePlace& place, const Idle& shown, const Idle& all,
                       std::span<const Waited> exposed)
    : d_(d), place_(place), all_(all), cards_{now(), before(), idle(shown), help(exposed)} {}

IssueCards::Card IssueCards::now() const {
    const Language l = d_.in.language;
    const WarpRecord& warp = d_.sm().warps[place_.smWarp];
    Card card{.head = say(l, kAtCursor, say(l, message::kWarpLower, warp.warpOfBlock)),
              .main = {},
              .lines = {},
              .code = {}};
    if (place_.marked == time::kNotRecorded) return card;
    const IssueRecord& issue = warp.issues[place_.marked];
    const run::TimedInstruction& instruction = d_.issues->code[issue.instruction];
    card.isCode = true;
    card.main = say(l, kCycleAndCode, grouped(issue.cycle), instruction.text);
    if (instruction.pc != kNoPc && instruction.pc.value < d_.in.run.module->instructions.size())
        card.code = d_.sentences().placeWithCode(issue.instruction);
    card.lines.push_back(say(l, kKindAndLanes, whatIs(instruction), LaneMask{issue.lanes}.count()));
    if (place_.issues.size() > 1)
        card.lines.push_back(say(l, kSeveral, place_.issues.size(),
                                 grouped(warp.issues[place_.issues.front()].cycle), grouped(issue.cycle)));
    if (issue.request != time::kNotRecorded)
        card.lines.push_back(d_.sentences().request(d_.sm().requests[issue.request]));
    // What comes afterwards belongs to later instructions, but is what a reader asks here.
    const bool isLast = place_.marked + 1 >= warp.issues.size();
    const u64 next = isLast ? warp.end : warp.issues[place_.marked + 1].cycle;
    const WaitRecord* const then = longestWait(warp, issue.cycle + 1, next);
    const bool isThen = then && then->end - then->begin >= kLong;
    if (isThen) card.lines.push_back(say(l, kThen, d_.sentences().wait(place_.smWarp, *then)));
    u64 told = isThen ? then->end - then->begin : 0;
    for (const u64 least : {kLong, kVeryLong}) {
        if (told >= least) continue;
        const WaitRecord* const wait = nextWait(warp, next, least);
        if (!wait) break;
        card.lines.push_back(say(l, kNextLong, least, d_.sentences().wait(place_.smWarp, *wait)));
        told = wait->end - wait->begin;
    }
    if (!place_.isCertain()) card.lines.push_back(say(l, kNearest, d_.in.cursor.step + 1));
    return card;
}

IssueCards::Card IssueCards::before() const {
    const Language l = d_.in.language;
    const WarpRecord& warp = d_.sm().warps[place_.smWarp];
    const IssueSentences sentences = d_.sentences();
    Card card;
    const std::vector<Waited> waited = waitedFor(warp, place_.waitsFrom, place_.cycle);
    u64 cycles = 0;
    for (const Waited& each : waited) {
        cycles += each.cycles;
        card.main += (card.main.empty() ? "" : " · ") +
                     fmt::format("{} {}", say(l, reasonName(each.reason)), grouped(each.cycles));
    }
    if (const WaitRecord* wait = waitBefore(d_, place_)) {
        card.head = say(l, kBefore, cycles);
        card.lines.push_back(sentences.wait(place_.smWarp, *wait));
        if (const WaitRecord* last = cycles < kLong ? lastWait(warp, place_.waitsFrom, kLong) : nullptr)
            card.lines.push_back(say(l, kLongWait, kLong, sentences.wait(place_.smWarp, *last)));
        return card;
    }
    card.head = say(l, kNotBefore);
    card.main = say(l, kIssuedBefore);
    if (const WaitRecord* last = lastWait(warp, place_.cycle, kLong))
        card.lines.push_back(say(l, kLongWait, kLong, sentences.wait(place_.smWarp, *last)));
    else if (const WaitRecord* any = lastWait(warp, place_.cycle))
        card.lines.push_back(say(l, kLastWait, sentences.wait(place_.smWarp, *any)));
    return card;
}

IssueCards::Card IssueCards::idle(const Idle& shown) const {
    const Language l = d_.in.language;
    Card card{.head = say(l, kIdle, shown.cycles, d_.scale.end() - d_.scale.first()),
              .main = say(l, kNeverIdle),
              .lines = {},
              .code = {}};
    card.headInBrief = say(l, kIdleInBrief, shown.cycles, d_.scale.end() - d_.scale.first());
    if (!shown.longest) {
        if (shown.withoutWarps) card.lines.push_back(say(l, kWithoutWarps, shown.withoutWarps));
        return card;
    }
    const CycleSpan &part = *shown.longest, longest = wholeOf(all_, part);
    card.main = longest.cycles() > part.cycles()
                    ? say(l, kLongestCut, grouped(longest.begin), grouped(longest.end - 1), longest.cycles(),
                          grouped(part.cycles()))
                : longest.cycles() > 1
                    ? say(l, kLongest, grouped(longest.begin), grouped(longest.end - 1), longest.cycles())
                    : say(l, kOneCycle, grouped(longest.begin));
    card.mainInBrief = say(l, kLongest, grouped(longest.begin), grouped(longest.end - 1), longest.cycles());
    if (shown.wait) {
        card.lines.push_back(say(l, kReasonOf, reasonInWords(shown.reason, l), shown.waiting, shown.warps));
        card.lines.push_back(d_.sentences().wait(shown.smWarp, *shown.wait));
    }
    if (shown.withoutWarps) card.lines.push_back(say(l, kWithoutWarps, shown.withoutWarps));
    return card;
}

IssueCards::Card IssueCards::help(std::span<const Waited> exposed) const {
    IssueHelp help = helpOf(d_, exposed, all_);
    return {.head = say(d_.in.language, kHelp),
            .main = std::move(help.main),
            .lines = std::move(help.lines),
            .code = {}};
}

u32 IssueCards::codeLines(const Card& card, f32 room) const {
    return u32(d_.canvas.wrap(card.code, room, kCode).size());
}

u32 IssueCards::linesOf(const Card& card, f32 width) const {
    u32 lines = card.code.empty() ? 0 : u32(std::min(codeLines(card, width - 2 * kPad - 4), kMostCodeLines));
    for (const std::string& line : card.lines)
        lines += u32(d_.canvas.wrap(line, width - 2 * kPad - 4, kSub).size());
    return lines;
}

f32 IssueCards::arrange(f32 width, f32 room) {
    shown_ = 0;
    constexpr u32 kMostLines = 13, kLeastLines = 2;
    for (const u32 count : {4u, 2u}) {
        u32 columns = std::clamp(u32((width + kGap) / (kLeastCard + kGap)), 1u, count);
        while (count % columns)
            --columns;
        u32 needed = kLeastLines;
        for (u32 i = 0; i < count; ++i)
            needed = std::max(needed, linesOf(cards_[i], (width + kGap) / f32(columns) - kGap));
        for (u32 lines = std::min(needed, kMostLines); lines >= kLeastLines; --lines) {
            const u32 rows = count / columns;
            const f32 height = f32(rows) * (kHeadLine + kMainLine + kSubLine * f32(lines) + 2 * kPad + kGap);
            if (height > room) continue;
            shown_ = count, columns_ = columns, lines_ = lines;
            return height;
        }
    }
    return 0;
}

void IssueCards::draw(const Rect& area) const {
    if (!shown_) return;
    const u32 rows = shown_ / columns_;
    const f32 wide = (area.width - kGap * f32(columns_ - 1)) / f32(columns_),
              tall = area.height / f32(rows) - kGap;
    for (u32 i = 0; i < shown_; ++i) {
        const u32 column = i % columns_, row = i / columns_;
        drawCard(cards_[i],
                 {area.x + f32(column) * (wide + kGap), area.y + f32(row) * (tall + kGap), wide, tall});
    }
}

void IssueCards::drawCard(const Card& card, const Rect& place) const {
    Canvas& canvas = d_.canvas;
    canvas.rect(place, {.fill = role(RoleKind::Panel), .radius = radius::kPanel});
    const f32 x = place.x + kPad + 2, room = place.width - 2 * kPad - 4;
    f32 y = place.y + kPad + kHeadLine / 2;
    const auto line = [&](const std::string& whole, const std::string& brief, const TextStyle& style) {
        TextStyle shrunk = shrunkToFit(canvas, room, style, whole);
        const bool isWhole = brief.empty() || canvas.width(whole, shrunk) <= room;
        const std::string& text = isWhole ? whole : brief;
        canvas.textWithin({x, y}, room, text, isWhole ? shrunk : shrunkToFit(canvas, room, style, text));
    };
    line(card.head, card.headInBrief, {.size = type::kCode, .role = role(RoleKind::TextSecond)});
    y += kHeadLine / 2 + kMainLine / 2;
    line(card.main, card.mainInBrief,
         {.size = card.isCode ? type::kCode : type::kBody, .bold = true, .mono = card.isCode});
    y += kMainLine / 2 + kSubLine / 2;
    u32 left = lines_;
    if (!card.code.empty()) {
        const u32 most = std::min(kMostCodeLines, left);
        if (codeLines(card, room) <= most) {
            const u32 drawn = canvas.paragraph({x, y}, room, card.code, kCode, kSubLine / type::kAxis, most);
            y += kSubLine * f32(drawn), left -= std::min(left, drawn);
        } else {
            canvas.textWithin({x, y}, room, card.code, kCode);
            y += kSubLine, --left;
        }
    }
    std::string hover = card.head + "\n" + card.main + (card.code.empty() ? "" : "\n" + card.code);
    for (const std::string& line : card.lines) {
        hover += "\n" + line;
        // Whole or not at all: the mouse is told the rest.
        if (canvas.wrap(line, room, kSub).size() > left) continue;
        const u32 drawn = canvas.paragraph({x, y}, room, line, kSub, kSubLine / type::kAxis, left);
        y += kSubLine * f32(drawn), left -= std::min(left, drawn);
    }
    canvas.hit(place, {.hover = std::move(hover)});
}

}  // namespace lockstep::viz
