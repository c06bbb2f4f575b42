#include "viz/issue/issue_table.h"

#include "base/text/counted.h"
#include "explain/source/source_line.h"
#include "viz/messages.h"
#include "viz/parts/first_around.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace lockstep::viz {
namespace {

using time::IssueRecord;
using time::WarpRecord;

constexpr Words kTitle = english("What {0} issues around the cursor"),
                kCycle = english("a column: when an instruction is issued", "cycle"),
                kWaited = english("a column: before an instruction is issued", "waited before, in cycles"),
                kOthers = english("cycles of other waits", "others {0}"),
                kInstruction = english("a column", "instruction"), kLanes = english("a column", "lanes"),
                kSource = english("a column", "source");

struct Columns {
    f32 cycle = 0, waited = 0, instruction = 0, lanes = 0, source = 0, end = 0;
};

Columns columnsOf(const Rect& area) {
    Columns columns;
    columns.cycle = area.x + 62;  // its right end
    columns.waited = area.x + 78;
    columns.instruction = columns.waited + std::min(230.0f, area.width * 0.22f);
    const f32 rest = area.right() - columns.instruction;
    columns.lanes = columns.instruction + rest * 0.44f;
    columns.source = columns.lanes + 44;
    columns.end = area.right();
    return columns;
}

// As many reasons as have room, those of most cycles; the cycles of the others in one sum.
std::string waitedText(const IssueDrawing& d, const WarpRecord& warp, u64 begin, u64 end, f32 room,
                       const TextStyle& style) {
    std::vector<Waited> all = waitedFor(warp, begin, end);
    std::ranges::stable_sort(all, std::ranges::greater{}, &Waited::cycles);
    const auto text = [&](std::size_t named) {
        std::string line;
        const auto add = [&](const std::string& part) { line += (line.empty() ? "" : " · ") + part; };
        for (std::size_t i = 0; i < named; ++i)
            add(fmt::format("{} {}", say(d.in.language, reasonName(all[i].reason)), grouped(all[i].cycles)));
        u64 others = 0;
        for (std::size_t i = named; i < all.size(); ++i)
            others += all[i].cycles;
        if (others) add(named ? say(d.in.language, kOthers, grouped(others)) : grouped(others));
        return line;
    };
    for (std::size_t named = all.size(); named > 0; --named)
        if (std::string line = text(named); d.canvas.width(line, style) <= room) return line;
    return text(0);
}

std::string sourceText(const IssueDrawing& d, Pc pc) {
    const ptx::Module& module = *d.in.run.module;
    if (pc == kNoPc || pc.value >= module.instructions.size()) return {};
    const explain::SourceLine line = explain::lineOf(module, pc);
    if (!line.line) return {};
    return fmt::format("{}  {}", line.line, explain::textOfLine(module, line));
}

void drawRow(const IssueDrawing& d, const IssuePlace& place, u32 index, const Columns& columns,
             const Rect& row) {
    const WarpRecord& warp = d.sm().warps[place.smWarp];
    const IssueRecord& issue = warp.issues[index];
    const run::TimedInstruction& instruction = d.issues->code[issue.instruction];
    const bool isMarked = index == place.marked;
    Canvas& canvas = d.canvas;
    if (isMarked)
        canvas.rect(
            row,
            {.fill = role(RoleKind::Raised), .stroke = {role(RoleKind::Cursor), line::kHair}, .radius = 2});
    const f32 y = row.centre().y;
    const TextStyle words{.size = type::kAxis, .role = role(RoleKind::TextSecond)},
        code{.size = type::kAxis, .bold = isMarked, .mono = true};
    TextStyle number = code;
    number.align = Align::Right;
    canvas.text({columns.cycle, y}, grouped(issue.cycle), number);
    const u64 from = index > 0 ? warp.issues[index - 1].cycle + 1 : warp.begin;
    const f32 forWaits = columns.instruction - columns.waited - 8;
    canvas.textWithin({columns.waited, y}, forWaits, waitedText(d, warp, from, issue.cycle, forWaits, words),
                      words);
    canvas.textWithin({columns.instruction, y}, columns.lanes - columns.instruction - 8, instruction.text,
                      code);
    canvas.text({columns.lanes, y}, std::to_string(LaneMask{issue.lanes}.count()), code);
    canvas.textWithin({columns.source, y}, columns.end - columns.source - 4, sourceText(d, instruction.pc),
                      code);
    const std::optional<Cursor> go = d.stepOf(place.smWarp, index);
    canvas.hit(row, {.hover = {},
                     .hoverLater =
                         [issues = d.issues, &run = d.in.run, language = d.in.language, smWarp = place.smWarp,
                          issue, go] {
                             return withStep(IssueSentences(run, *issues, language).issue(smWarp, issue) +
                                                 "\n" + issues->code[issue.instruction].text,
                                             language, go);
                         },
                     .go = go});
}

}  // namespace

void drawIssueTable(const IssueDrawing& d, const IssuePlace& place, const Rect& area) {
    constexpr u32 kLeastRows = 3;
    const u32 room = u32(std::max(0.0f, area.height / kIssueTableLine));
    const u32 count = u32(d.sm().warps[place.smWarp].issues.size());
    if (room < kLeastRows + 2 || place.marked == time::kNotRecorded) return;
    const Language l = d.in.language;
    const std::string who = say(l, message::kWarpLower, d.sm().warps[place.smWarp].warpOfBlock);
    f32 y = area.y + kIssueTableLine / 2;
    d.canvas.textWithin({area.x, y}, area.width, Message(kTitle, who).in(l),
                        {.size = type::kCode, .bold = true});
    y += kIssueTableLine;
    const Columns columns = columnsOf(area);
    const TextStyle head{.size = type::kAxis, .role = role(RoleKind::TextThird)};
    TextStyle right = head;
    right.align = Align::Right;
    d.canvas.text({columns.cycle, y}, say(l, kCycle), right);
    d.canvas.textWithin({columns.waited, y}, columns.instruction - columns.waited - 8, say(l, kWaited), head);
    d.canvas.textWithin({columns.instruction, y}, columns.lanes - columns.instruction - 8,
                        say(l, kInstruction), head);
    d.canvas.textWithin({columns.lanes, y}, columns.source - columns.lanes - 4, say(l, kLanes), head);
    d.canvas.textWithin({columns.source, y}, columns.end - columns.source, say(l, kSource), head);
    y += kIssueTableLine / 2;
    const u32 rows = std::min(room - 2, count), first = firstAround(place.marked, rows, count);
    for (u32 r = 0; r < rows; ++r)
        drawRow(d, place, first + r, columns,
                {area.x, y + f32(r) * kIssueTableLine, area.width, kIssueTableLine});
}

}  // namespace lockstep::viz
