// The .cu (or the PTX, or the machine code, in tabs of their own) with each line's share of sectors, wavefronts and instructions, the
// current line, and the values of the lanes at the cursor.
#include "viz/views/views.h"

#include <algorithm>
#include <functional>

#include "model/lanes_that_came.h"
#include "viz/findings_on_show.h"
#include "viz/lookup.h"
#include "viz/marks/code.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/frame.h"
#include "viz/messages.h"
#include "viz/numbers.h"
#include "viz/navigation.h"
#include "viz/phrases.h"
#include "viz/register_box.h"
#include "viz/source_tabs.h"
#include "viz/views/machine_page.h"
#include "viz/wheel.h"

namespace lockstep::viz {
namespace {

using namespace message;

constexpr Words kMostOf{"most {0}: line {1}, {2}", "{0}最多：第 {1} 行，{2}"};
constexpr Words kMostOfBoth{"most {0}: lines {1} and {2}, {3} each", "{0}最多：第 {1}、{2} 行，各 {3}"};
constexpr f32 kCostliestLine = 18, kLeastForCostliest = 300;  // of a line of them, and of a picture that has room for it

constexpr f32 kWidestBox = 560, kHighestBox = 460;

constexpr f32 kNumberRight = 30, kBars = 36, kValues = 88;

// The three columns of shares: bars, and where there is room for them beside the code, their figures.
struct Shares {
    f32 bar = 15, pitch = 19;
    bool figures = false;
    f32 number = kNumberRight, left = kBars;  // where the line numbers end and the bars begin
    u32 columns = 3;
    f32 code() const { return left + f32(columns) * pitch + 3; }
};
Shares sharesFor(f32 width, s32 tab) {
    Shares shares;
    if (width >= 760) shares = {.bar = 28, .pitch = 74, .figures = true};
    // How often which of the machine's instructions ran, nobody counted; what stands for line numbers are offsets of four digits.
    if (tab == kMachineTab) shares.columns = 2, shares.number += 10, shares.left += 10;
    return shares;
}

std::string percentText(u64 part, u64 whole) {
    const u64 percent = (200 * part + whole) / (2 * whole);
    return percent ? std::to_string(percent) + "%" : "<1%";
}

std::vector<std::string_view> linesOf(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    return lines;
}

std::string trimmed(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t");
    return first == std::string_view::npos ? std::string() : std::string(line.substr(first));
}

// Cost of one shown line.
struct Cost { u64 executions = 0, lanes = 0, sectors = 0, wavefronts = 0, divergent = 0; };

struct Page {
    std::vector<std::string_view> lines;
    std::vector<Cost> costs;              // by line, from 0
    std::vector<std::optional<Pc>> firstPc;  // an instruction of the line
    u32 current = 0;                      // 1-based; 0: none
    u32 centre = 0;                       // where there is no current line: what is shown in its place
    std::vector<MachineLine> machine;     // of machine code: what `lines` are of
    std::vector<bool> lit;                // of machine code: lines that the current source line became
};

void note(Page& page, u32 line, Pc pc) {
    if (line >= 1 && line <= page.firstPc.size() && !page.firstPc[line - 1]) page.firstPc[line - 1] = pc;
}

Page cudaPage(const ViewInput& in, u32 file, const SourceLine& current) {
    const ptx::Module& module = *in.run.module;
    Page page;
    page.lines = linesOf(file < module.sources.size() ? std::string_view(module.sources[file]) : std::string_view());
    page.costs.resize(page.lines.size());
    page.firstPc.resize(page.lines.size());
    for (const model::LineReport& line : in.run.report.lines)
        if (line.line >= 1 && line.line <= page.lines.size() && file < module.files.size() && line.file == module.files[file])
            page.costs[line.line - 1] = {line.executions, line.lanesAtWork, line.sectors, line.wavefronts, line.divergent};
    for (u32 pc = 0; pc < module.instructions.size(); ++pc)
        if (const SourceLine at = lineOf(module, Pc{pc}); at.file == file) note(page, at.line, Pc{pc});
    page.current = current.file == file ? current.line : 0;
    return page;
}

Page ptxPage(const ViewInput& in, const Here& here) {
    const ptx::Module& module = *in.run.module;
    Page page;
    page.lines = linesOf(module.text());
    page.costs.resize(page.lines.size());
    page.firstPc.resize(page.lines.size());
    const auto costOf = [&](u32 line) -> Cost* { return line >= 1 && line <= page.costs.size() ? &page.costs[line - 1] : nullptr; };
    for (const trace::GridCounts& counts : in.run.recording.counts) {
        const std::vector<u64> came = model::lanesThatCame(module, counts.perPc);
        for (u32 pc = 0; pc < counts.perPc.size() && pc < module.instructions.size(); ++pc)
            if (Cost* cost = costOf(module.instructions[pc].line)) {
                cost->executions += counts.perPc[pc].executions;
                cost->lanes += model::lanesAtWork(module, counts.perPc, came, Pc{pc});
                cost->divergent += counts.perPc[pc].divergent;
            }
    }
    for (const model::SiteReport& site : in.run.report.sites)
        if (site.pc.value < module.instructions.size())
            if (Cost* cost = costOf(module.at(site.pc).line)) cost->sectors += site.sectors, cost->wavefronts += site.wavefronts;
    for (u32 pc = 0; pc < module.instructions.size(); ++pc) note(page, module.instructions[pc].line, Pc{pc});
    if (here.step) page.current = module.at(here.step->pc).line;
    return page;
}

// The instruction at the cursor, and those that the machine makes together with it.
std::vector<Pc> madeTogether(const ViewInput& in, const Here& here) {
    if (!here.step) return {};
    for (const model::SiteReport& site : in.run.report.sites)
        if (site.launch == in.cursor.launch && site.pc == here.step->pc && site.merged) return site.merged->members;
    return {here.step->pc};
}

Page machinePage(const ViewInput& in, const Here& here, const SourceLine& current) {
    const ptx::Module& module = *in.run.module;
    const std::vector<Pc> atCursor = madeTogether(in, here);
    Page page;
    page.machine = machineLines(in.run, in.cursor.launch);
    for (const MachineLine& line : page.machine) {
        const Pc pc = line.instruction ? line.instruction->pc : kNoPc;
        const bool known = pc.value < module.instructions.size();
        page.lines.push_back(line.text);
        page.costs.push_back({.sectors = line.sectors, .wavefronts = line.wavefronts});
        page.firstPc.push_back(known ? std::optional(pc) : std::nullopt);
        page.lit.push_back(known && current.line && lineOf(module, pc) == current);
        if (page.current == 0 && known && std::ranges::find(atCursor, pc) != atCursor.end()) page.current = u32(page.lines.size());
    }
    if (const auto first = std::ranges::find(page.lit, true); first != page.lit.end()) page.centre = u32(first - page.lit.begin()) + 1;
    return page;
}

std::string machineHover(const ViewInput& in, const MachineLine& line) {
    if (!line.instruction) return say(in.language, kMachineFunction, line.text.substr(0, line.text.size() - 1));
    const std::string offset = fmt::format("0x{:04x}", line.instruction->offsetBytes);
    if (line.instruction->pc.value >= in.run.module->instructions.size()) return say(in.language, kMachineOfNone, offset);
    return say(in.language, kMachineHover, offset, line.instruction->pc.value, lineOf(*in.run.module, line.instruction->pc).line);
}

// What stands where there is no machine code.
std::string noMachineCode(const ViewInput& in) {
    if (!in.run.machine || !in.run.machine->why) return say(in.language, kMachineToCome);
    const Fault& why = *in.run.machine->why;
    if (in.language == Language::Chinese && !why.chinese.empty()) return why.chinese;
    std::string sentence = why.message + ".";
    if (sentence[0] >= 'a' && sentence[0] <= 'z') sentence[0] = char(sentence[0] - 'a' + 'A');
    return sentence;
}

// The next step of the cursor's warp at this line, after the cursor or else from the start.
std::optional<Cursor> stepAt(const ViewInput& in, const Here& here, const std::function<bool(Pc)>& onLine) {
    if (!here.warp) return std::nullopt;
    const auto& steps = here.warp->steps;
    for (std::size_t i = 1; i <= steps.size(); ++i) {
        const std::size_t s = (in.cursor.step + i) % steps.size();
        if (!onLine(steps[s].pc)) continue;
        Cursor go = in.cursor;
        go.step = u32(s);
        return go;
    }
    return std::nullopt;
}

void drawTabs(Canvas& canvas, const ViewInput& in, std::string_view file, s32 tab) {
    canvas.rect({0, 0, in.size.width, space::kHead}, {.fill = role(RoleKind::Panel)});
    canvas.line({0, space::kHead - 0.5f}, {in.size.width, space::kHead - 0.5f}, {role(RoleKind::Line)});
    f32 x = 8;
    const auto draw = [&](s32 option, std::string_view name) {
        const bool on = option == tab;
        const TextStyle style{.bold = on, .align = Align::Centre, .role = role(on ? RoleKind::Text : RoleKind::TextSecond)};
        const std::string text = canvas.cut(name, std::max(20.0f, in.size.width - x - (option == kCudaTab ? 190.0f : 20.0f)), style);
        const f32 wide = canvas.width(text, style) + 20;
        if (on) canvas.rect({x, 5, wide, 26}, {.fill = role(RoleKind::Raised), .radius = radius::kControl});
        canvas.text({x + wide / 2, 18}, text, style);
        canvas.hit({x, 5, wide, 26}, {.hover = std::string(name), .option = option});
        x += wide + 4;
    };
    if (!file.empty()) draw(kCudaTab, file);
    draw(kPtxTab, "PTX");
    draw(kMachineTab, kMachineTabName.in(in.language));
}

// What the letters above the bars stand for, in as many lines as it takes. Returns the height of the lines after the first.
f32 drawLetterKey(Canvas& canvas, Point at, f32 room, std::string_view key, const TextStyle& style) {
    constexpr std::string_view kBetween = "   ";
    constexpr f32 kLine = 16, kGap = 10;
    f32 x = 0, y = 0;
    while (!key.empty()) {
        const std::size_t end = key.find(kBetween);
        const std::string_view part = key.substr(0, end);
        if (x > 0 && x + canvas.width(part, style) > room) x = 0, y += kLine;
        x += canvas.textWithin({at.x + x, at.y + y}, room - x, part, style) + kGap;
        key.remove_prefix(end == std::string_view::npos ? key.size() : end + kBetween.size());
    }
    return y;
}

// Which line costs most of each kind, wherever it is: a click goes there. Returns the height used.
f32 drawCostliest(Canvas& canvas, const ViewInput& in, const Page& page, const Rect& area, const std::function<std::optional<Cursor>(u32)>& stepOf) {
    if (in.size.height < kLeastForCostliest) return 0;
    const std::pair<const Words*, u64 Cost::*> kinds[] = {{&kShareOfSectors, &Cost::sectors}, {&kShareOfWavefronts, &Cost::wavefronts}, {&kShareOfInstructions, &Cost::executions}};
    const TextStyle style{.size = type::kAxis, .role = role(RoleKind::TextSecond)};
    Point at{area.x, area.y + 2};
    for (const auto& [words, cost] : kinds) {
        u64 total = 0;
        for (const Cost& line : page.costs) total += line.*cost;
        const auto most = std::ranges::max_element(page.costs, {}, cost);
        if (total == 0 || most == page.costs.end()) continue;
        const u32 line = u32(most - page.costs.begin()) + 1;
        const auto second = std::find_if(most + 1, page.costs.end(), [&](const Cost& other) { return other.*cost == (*most).*cost; });
        const std::string share = percentText((*most).*cost, total);
        const std::string text = second == page.costs.end() ? say(in.language, kMostOf, words->in(in.language), line, share)
                                                            : say(in.language, kMostOfBoth, words->in(in.language), line, second - page.costs.begin() + 1, share);
        if (at.x > area.x && at.x + canvas.width(text, style) > area.right()) at = {area.x, at.y + area.height};
        const f32 wide = canvas.textWithin(at, area.width, text, style);
        canvas.hit({at.x, at.y - area.height / 2, wide, area.height}, {.hover = text, .go = stepOf(line)});
        at.x += wide + 20;
    }
    return at.x == area.x ? 0 : at.y - area.y + area.height - 2;
}

void drawValues(Canvas& canvas, const ViewInput& in, const Here& here, const Rect& area) {
    canvas.rect(area, {.fill = role(RoleKind::Panel)});
    canvas.line({area.x, area.y + 0.5f}, {area.right(), area.y + 0.5f}, {role(RoleKind::Line)});
    const u32 exist = lanesOf(*here.block, in.cursor.warp);
    const trace::AccessKind kind = here.access->kind;
    const Words& valueRow = kind == trace::AccessKind::Store ? kRowWritten : kind == trace::AccessKind::Load || kind == trace::AccessKind::AsyncCopy ? kRowRead : kRowOld;
    const f32 pitch = 84, left = 92;
    const u32 shown = std::clamp(u32((area.width - left - 4) / pitch), 1u, exist);
    const u32 first = std::min(in.cursor.lane.value > shown / 2 ? in.cursor.lane.value - shown / 2 : 0, exist - shown);
    const TextStyle label{.size = type::kCode, .role = role(RoleKind::TextSecond)};
    canvas.textWithin({space::kInset, area.y + 18}, left - space::kInset - 4, kValuesAtCursor.in(in.language), {.size = type::kCode, .bold = true});
    canvas.textWithin({space::kInset, area.y + 42}, left - space::kInset - 4, kRowAddress.in(in.language), label);
    canvas.textWithin({space::kInset, area.y + 64}, left - space::kInset - 4, valueRow.in(in.language), label);
    for (u32 i = 0; i < shown; ++i) {
        const Lane lane{first + i};
        const f32 x = area.x + left + (f32(i) + 0.5f) * pitch;
        const bool ours = lane == in.cursor.lane, on = here.step->active.has(lane);
        const TextStyle name{.size = type::kCode, .align = Align::Centre, .role = role(RoleKind::TextSecond)};
        const TextStyle value{.size = type::kCode, .bold = ours, .mono = true, .align = Align::Centre, .role = role(!on ? RoleKind::TextThird : ours ? RoleKind::Text : RoleKind::TextSecond)};
        canvas.textWithin({x, area.y + 18}, pitch - 8, say(in.language, kLane, lane.value), name);
        canvas.textWithin({x, area.y + 42}, pitch - 8, on ? addressText(in, *here.warp, *here.access, lane) : "–", value);
        canvas.textWithin({x, area.y + 64}, pitch - 8, on ? valueText(here.warp->value(*here.access, lane), elementType(*in.run.module, here.step->pc)) : "–", value);
        const Rect box{x - pitch / 2 + 4, area.y + 7, pitch - 8, kValues - 16};
        if (ours) cursorBox(canvas, box);
        Cursor go = in.cursor;
        go.lane = lane;
        canvas.hit(box, {.hover = laneSentence(in, here, lane), .go = go});
    }
}

// What the code begins with in the cursor's picture, in pixels: its first column, or that of a current line which begins far behind it.
f32 startAcross(const Canvas& canvas, const Page& page, f32 room) {
    constexpr f32 kBefore = 40;
    if (!page.current) return 0;
    const f32 indent = codeExtent(canvas, page.lines[page.current - 1]).indent;
    return indent > room * 0.6f ? std::max(0.0f, indent - kBefore) : 0;
}

// What it begins with once scrolled: as far as there are lines in sight that go on.
f32 scrolledAcross(const Canvas& canvas, const ViewInput& in, const Page& page, std::pair<u32, u32> inSight, f32 room) {
    constexpr f32 kBehind = 16;
    f32 widest = 0;
    for (u32 i = inSight.first; i < inSight.second; ++i) widest = std::max(widest, codeExtent(canvas, page.lines[i]).width + kBehind);
    const f32 start = startAcross(canvas, page, room);
    return std::clamp(start - in.state.pan.x, 0.0f, std::max(start, widest - room));
}

// Below the line, or above it where there is more room.
void drawBox(Canvas& canvas, Scene box, const Rect& area, f32 lineY) {
    if (box.size.height <= 0) return;
    const f32 below = lineY + type::kCodeLine + 2, y = below + box.size.height <= area.bottom() ? below : std::max(area.y, lineY - 2 - box.size.height);
    const Rect place{area.x, y, box.size.width, std::min(box.size.height, area.bottom() - y)};
    canvas.rect(place, {.fill = role(RoleKind::Panel), .stroke = {role(RoleKind::Edge)}, .radius = radius::kControl});
    canvas.include(std::move(box), place);
}

}  // namespace

Scene buildSource(const ViewInput& in) {
    const Here here = lookUp(in.run, in.cursor);
    const ptx::Module& module = *in.run.module;
    const SourceLine current = here.step ? lineOf(module, here.step->pc) : SourceLine{};
    // The file of the current line, else the first whose text is known.
    u32 file = current.file;
    if (file >= module.sources.size() || module.sources[file].empty()) {
        file = 0;
        for (u32 f = u32(module.sources.size()); f-- > 0;)
            if (!module.sources[f].empty()) file = f;
    }
    const bool hasCuda = file < module.sources.size() && !module.sources[file].empty();
    const s32 tab = in.state.option == kMachineTab ? kMachineTab : in.state.option == kPtxTab || !hasCuda ? kPtxTab : kCudaTab;
    const Page page = tab == kMachineTab ? machinePage(in, here, current) : tab == kCudaTab ? cudaPage(in, file, current) : ptxPage(in, here);
    if (page.lines.empty() && tab != kMachineTab) return emptyScene(in, kSourceTitle, say(in.language, kNoSource));

    Canvas canvas(in.size, in.metrics);
    drawTabs(canvas, in, hasCuda ? fileName(module.files[file]) : std::string_view(), tab);
    if (page.lines.empty()) {
        const std::string why = noMachineCode(in);
        const f32 width = std::min(460.0f, in.size.width - 2 * space::kInset);
        canvas.paragraph({in.size.width / 2, in.size.height * 0.4f}, width, why, {.size = type::kTitle, .align = Align::Centre, .role = role(RoleKind::TextSecond)});
        return std::move(canvas).take(why);
    }
    Cost total;
    for (const Cost& cost : page.costs) total.executions += cost.executions, total.sectors += cost.sectors, total.wavefronts += cost.wavefronts;
    const Shares shares = sharesFor(in.size.width, tab);
    const f32 headY = space::kHead + 16;
    const Words* const names[] = {&kShareOfSectors, &kShareOfWavefronts, &kShareOfInstructions};
    for (u32 i = 0; i < shares.columns; ++i) {
        const f32 x = shares.left + f32(i) * shares.pitch;
        if (shares.figures) canvas.textWithin({x, headY}, shares.pitch - 6, names[i]->in(in.language), {.size = type::kAxis, .role = role(RoleKind::TextSecond)});
        else canvas.text({x + shares.bar / 2, headY}, std::string(1, "SWI"[i]), {.size = type::kAxis, .bold = true, .align = Align::Centre, .role = role(RoleKind::TextSecond)});
    }
    const TextStyle noteStyle{.size = type::kAxis, .role = role(RoleKind::TextThird)};
    const f32 noteRoom = in.size.width - shares.code() - 8;
    f32 headHeight = 32;
    const auto note = [&](const Words& words) { return say(in.language, words, grouped(total.sectors), grouped(total.wavefronts), grouped(total.executions)); };
    if (tab == kMachineTab) {
        const sass::MachineCode& code = *in.run.machine->code;
        const sass::Function* kernel = code.find(in.run.recording.launches[in.cursor.launch.value].entry);
        headHeight += 16 * f32(canvas.paragraph({shares.code(), headY}, noteRoom, say(in.language, kMachineHead, code.compiler, code.computeCapability, kernel->instructions.size(), kernel->registers.value_or(0)), noteStyle, 16.0f / noteStyle.size, 2) - 1);
    } else if (shares.figures) {
        canvas.textWithin({shares.code(), headY}, noteRoom, note(kSharesInWords), noteStyle);
    } else {
        headHeight += drawLetterKey(canvas, {shares.code(), headY}, noteRoom, note(kShares), noteStyle);
    }
    if (tab != kMachineTab) headHeight += drawCostliest(canvas, in, page, {space::kInset, space::kHead + headHeight, in.size.width - 2 * space::kInset, kCostliestLine}, [&](u32 line) {
        return stepAt(in, here, [&](Pc pc) { return tab == kCudaTab ? lineOf(module, pc) == SourceLine{file, line} : pc.value < module.instructions.size() && module.at(pc).line == line; });
    });
    canvas.line({0, space::kHead + headHeight - 1.5f}, {in.size.width, space::kHead + headHeight - 1.5f}, {role(RoleKind::Line)});

    const bool values = here.access && in.size.height > 260;
    const Rect area{0, space::kHead + headHeight, in.size.width, in.size.height - space::kHead - headHeight - (values ? kValues : 0)};
    const u32 rows = std::max(1u, u32(area.height / type::kCodeLine)), count = u32(page.lines.size());
    const u32 middleLine = page.current ? page.current : page.centre;
    const s64 centred = middleLine == 0 ? 0 : s64(middleLine) - 1 - rows / 2;
    const s64 wanted = (count <= rows ? 0 : centred) - s64(in.state.pan.y / type::kCodeLine);
    const u32 first = u32(std::clamp<s64>(wanted, 0, std::max<s64>(0, s64(count) - rows)));
    const f32 across = scrolledAcross(canvas, in, page, {first, std::min(count, first + rows)}, area.width - shares.code());
    keepScrolled(in, f32((count <= rows ? 0 : centred) - s64(first)) * type::kCodeLine, startAcross(canvas, page, area.width - shares.code()) - across);
    // What the registers hold is worked out where somebody asks for it.
    std::shared_ptr<RegisterCache> cache = in.kept && in.kept->registers ? in.kept->registers : std::make_shared<RegisterCache>();
    if (in.kept) in.kept->registers = cache;
    const Size mostBox{in.registers ? in.size.width - shares.code() - space::kInset : kWidestBox, kHighestBox};
    const auto boxOf = [&](u32 number) -> std::function<Scene()> {
        const std::optional<Pc> machine = page.firstPc[number - 1];
        return [=, &run = in.run, &metrics = in.metrics, cursor = in.cursor, language = in.language] {
            return registerBox(run, cursor, language, metrics, instructionsAt(run, {tab, file, number, machine}), mostBox, *cache);
        };
    };
    const std::vector<FoundOnLine> found = tab == kMachineTab ? std::vector<FoundOnLine>{} : findingsOfLines(in, tab == kCudaTab ? file : kPtxLines);
    constexpr f32 kMarkRoom = 14;  // of what was found on a line, before its number
    std::optional<f32> currentY;
    canvas.clip(area);
    for (u32 i = first; i < std::min(count, first + rows); ++i) {
        const u32 number = i + 1;
        const f32 y = area.y + f32(i - first) * type::kCodeLine, middle = y + type::kCodeLine / 2;
        const bool isCurrent = number == page.current;
        const std::string label = page.machine.empty() ? std::to_string(number) : page.machine[i].instruction ? fmt::format("{:04x}", page.machine[i].instruction->offsetBytes) : std::string();
        if (!page.lit.empty() && page.lit[i] && !isCurrent) canvas.rect({0, y, in.size.width, type::kCodeLine}, {.fill = role(RoleKind::Raised)});
        if (isCurrent) canvas.rect({0, y, in.size.width, type::kCodeLine}, {.fill = role(RoleKind::Raised)});
        if (tab == kCudaTab && in.onlyHere && std::ranges::find(*in.onlyHere, SourceLine{file, number}) != in.onlyHere->end()) {
            if (!isCurrent) canvas.rect({0, y, in.size.width, type::kCodeLine}, {.fill = role(RoleKind::Panel)});
            canvas.rect({0, y + 1, 4, type::kCodeLine - 2}, {.fill = role(RoleKind::Text)});
        }
        const auto mark = std::ranges::find(found, number, &FoundOnLine::line);
        if (isCurrent) {
            const bool isAlone = mark == found.end();
            cursorChip(canvas, {shares.number + 4, middle}, label, {.size = type::kCode, .bold = true, .mono = true, .align = Align::Right}, isAlone ? 28 : 0, type::kCodeLine - 2, isAlone ? 6 : 2.5f);
        } else {
            canvas.text({shares.number, middle}, label, {.size = type::kCode, .mono = true, .align = Align::Right, .role = role(RoleKind::TextThird)});
        }
        const Cost& cost = page.costs[i];
        const std::pair<u64, u64> parts[] = {{cost.sectors, total.sectors}, {cost.wavefronts, total.wavefronts}, {cost.executions, total.executions}};
        for (u32 column = 0; column < shares.columns; ++column) {
            const auto [part, whole] = parts[column];
            if (part == 0) continue;
            const f32 x = shares.left + f32(column) * shares.pitch;
            canvas.rect({x, middle - 5, shares.bar, 10}, {.fill = role(RoleKind::Inactive)});
            canvas.rect({x, middle - 5, std::max(1.0f, shares.bar * f32(part) / f32(whole)), 10}, {.fill = role(column == 2 ? RoleKind::TextThird : RoleKind::TextSecond)});
            if (shares.figures) canvas.text({x + shares.bar + 6, middle}, percentText(part, whole), {.size = type::kAxis, .mono = true, .role = role(isCurrent ? RoleKind::Text : RoleKind::TextSecond)});
        }
        const CodeCut cut = codeCut(canvas, page.lines[i], across, area.width - shares.code());
        std::string hover;
        if (tab == kMachineTab) hover = machineHover(in, page.machine[i]);
        else if (cost.executions == 0) hover = say(in.language, kLineIdle, number);
        else if (tab == kPtxTab && page.firstPc[i]) hover = say(in.language, kPtxHover, page.firstPc[i]->value, grouped(cost.executions), grouped(cost.lanes));
        else hover = say(in.language, kLineHover, number, grouped(cost.executions), grouped(cost.sectors), grouped(cost.wavefronts), grouped(cost.divergent));
        if (cut.before || cut.behind) hover = trimmed(page.lines[i]) + "\n" + hover;
        const auto onLine = [&](Pc pc) { return tab == kMachineTab ? pc == page.firstPc[i] : tab == kCudaTab ? lineOf(module, pc) == SourceLine{file, number} : pc.value < module.instructions.size() && module.at(pc).line == number; };
        std::optional<Cursor> go = page.firstPc[i] ? stepAt(in, here, onLine) : std::nullopt;
        // The compiler moves instructions about; one that this warp does not come to leads to its source line all the same.
        if (!go && tab == kMachineTab && page.firstPc[i])
            if (const SourceLine line = lineOf(module, *page.firstPc[i]); line.line) go = stepAt(in, here, [&](Pc pc) { return lineOf(module, pc) == line; });
        canvas.hit({0, y, in.size.width, type::kCodeLine}, {.hover = hover, .box = here.step && page.firstPc[i] ? boxOf(number) : nullptr, .go = go});
        if (mark != found.end()) {
            constexpr f32 kMark = 10;
            drawFound(canvas, {kMarkRoom / 2, middle}, kMark, mark->isRemark);
            canvas.hit({0, y, kMarkRoom, type::kCodeLine}, {.hover = mark->hover, .go = mark->go});
        }
        if (isCurrent) currentY = y;
    }
    canvas.clip({shares.code(), area.y, area.width - shares.code(), area.height});
    const CodeLanguage language = tab == kCudaTab ? CodeLanguage::Cuda : tab == kPtxTab ? CodeLanguage::Ptx : CodeLanguage::Machine;
    const std::vector<bool> inComment = insideComments(page.lines, language);
    for (u32 i = first; i < std::min(count, first + rows); ++i) {
        const bool raised = i + 1 == page.current || (!page.lit.empty() && page.lit[i]);
        const bool marked = tab == kCudaTab && in.onlyHere && std::ranges::find(*in.onlyHere, SourceLine{file, i + 1}) != in.onlyHere->end();
        codeInRow(canvas, {shares.code(), area.y + f32(i - first) * type::kCodeLine, area.width - shares.code(), type::kCodeLine}, across, page.lines[i],
                  language, inComment[i], role(raised ? RoleKind::Raised : marked ? RoleKind::Panel : RoleKind::Ground));
    }
    canvas.unclip();
    if (values) drawValues(canvas, in, here, {0, in.size.height - kValues, in.size.width, kValues});
    if (in.registers && currentY) drawBox(canvas, boxOf(page.current)(), {shares.code(), area.y, in.size.width - shares.code(), in.size.height - area.y}, *currentY);
    std::string sentence;
    if (here.access) sentence = laneSentence(in, here, in.cursor.lane);
    else if (current.line) sentence = say(in.language, kLineSentence, current.line, textOfLine(module, current));
    return std::move(canvas).take(sentence);
}

}  // namespace lockstep::viz
