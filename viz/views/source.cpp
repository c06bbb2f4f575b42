// The .cu (or the PTX, or the machine code, in tabs of their own) with each line's share of sectors,
// wavefronts and instructions, the current line, and the values of the lanes at the cursor.
#include "base/text/counted.h"
#include "base/text/percent.h"
#include "base/text/punctuation.h"
#include "explain/access/access_values.h"
#include "explain/access/atomic_lanes.h"
#include "explain/cursor/navigation.h"
#include "explain/numbers.h"
#include "explain/sentences/sentence.h"
#include "viz/access/machine_text.h"
#include "viz/access/register_box.h"
#include "viz/cursor/lookup.h"
#include "viz/facts/findings_on_show.h"
#include "viz/marks/code_rows.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/frame.h"
#include "viz/messages.h"
#include "viz/parts/first_around.h"
#include "viz/parts/step_at.h"
#include "viz/phrases.h"
#include "viz/scene/wheel.h"
#include "viz/view_options.h"
#include "viz/views/source_page.h"
#include "viz/views/views.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>

namespace lockstep::viz {
namespace {

using namespace message;

constexpr Words kMostOf = english("most {0}: line {1}, {2}");
constexpr Words kMostOfSeveral = english("most {0}: lines {1}, {2} and {3} more, {4} each");
constexpr Words kMostOfMany = english("most {0}: {1} {1:line|lines} alike, {2} each");
constexpr Words kMostOfBoth = english("most {0}: lines {1} and {2}, {3} each");
constexpr f32 kCostliestLine = 18,
              kLeastForCostliest = 300;  // of a line of them, and of a picture that has room for it

constexpr Words kPtxDoes = english("a PTX instruction and what it does", "{0}: {1}");

constexpr f32 kWidestBox = 560, kHighestBox = 460;
// Of a line of CUDA, which has many registers: at the pointer, a box of some six lines within the view.
constexpr f32 kHighestOfLine = 168, kAroundBox = 40, kNarrowestBox = 240;

constexpr f32 kNumberRight = 30, kBars = 36;

// The three columns of shares: bars, and where there is room for them beside the code, their figures.
struct Shares {
    f32 bar = 15, pitch = 19;
    bool figures = false;
    f32 number = kNumberRight, left = kBars;  // where the line numbers end and the bars begin
    u32 columns = 3;
    f32 code() const { return left + f32(columns) * pitch + 3; }
};
Shares sharesFor(f32 width, SourceTab tab) {
    Shares shares;
    if (width >= 760) shares = {.bar = 28, .pitch = 74, .figures = true};
    // How often which of the machine's instructions ran, nobody counted; what stands for line numbers are
    // offsets of four digits.
    if (tab == SourceTab::Machine) shares.columns = 2, shares.number += 10, shares.left += 10;
    return shares;
}

std::string percentText(u64 part, u64 whole) {
    // Where bars stand beside it, little is little.
    return 200 * part < whole ? "<1%" : percentOf(part, whole) + "%";
}

std::string trimmed(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t");
    return first == std::string_view::npos ? std::string() : std::string(line.substr(first));
}

std::string machineHover(const ViewInput& in, const run::MachineLine& line) {
    if (!line.instruction)
        return say(in.language, kMachineFunction, line.text.substr(0, line.text.size() - 1));
    const std::string offset = fmt::format("0x{:04x}", line.instruction->offsetBytes);
    const bool isOfPtx = line.instruction->pc.value < in.run.module->instructions.size();
    const std::string from = isOfPtx ? say(in.language, kMachineHover, offset, line.instruction->pc.value,
                                           explain::lineOf(*in.run.module, line.instruction->pc).line)
                                     : say(in.language, kMachineOfNone, offset);
    const std::string does = machineText(*line.instruction, in.language);
    return does.empty() ? from : does + "\n" + from;
}

// "add.u32: d = a + b"
std::string ptxText(const ptx::Instruction& instruction, Language language) {
    const Message does = explain::opcodeSummary(instruction);
    return does.empty() ? std::string() : Message(kPtxDoes, instruction.form, does).in(language) + "\n";
}

// What stands where there is no machine code.
std::string noMachineCode(const ViewInput& in) {
    if (!in.run.machine || !in.run.machine->why) return say(in.language, kMachineToCome);
    const Fault& why = *in.run.machine->why;
    std::string sentence = why.message.in(in.language) + fullStop(in.language);
    if (sentence[0] >= 'a' && sentence[0] <= 'z') sentence[0] = char(sentence[0] - 'a' + 'A');
    return sentence;
}

void drawTabs(Canvas& canvas, const ViewInput& in, std::string_view file, SourceTab tab) {
    canvas.rect({0, 0, in.size.width, space::kHead}, {.fill = role(RoleKind::Panel)});
    canvas.line({0, space::kHead - 0.5f}, {in.size.width, space::kHead - 0.5f}, {role(RoleKind::Line)});
    f32 x = 8;
    const auto draw = [&](SourceTab one, std::string_view name) {
        const bool on = one == tab;
        const TextStyle style{
            .bold = on, .align = Align::Centre, .role = role(on ? RoleKind::Text : RoleKind::TextSecond)};
        const std::string text = canvas.cut(
            name, std::max(20.0f, in.size.width - x - (one == SourceTab::Cuda ? 190.0f : 20.0f)), style);
        const f32 wide = canvas.width(text, style) + 20;
        if (on) canvas.rect({x, 5, wide, 26}, {.fill = role(RoleKind::Raised), .radius = radius::kControl});
        canvas.text({x + wide / 2, 18}, text, style);
        canvas.hit({x, 5, wide, 26}, {.hover = std::string(name), .options = SourceOptions{one}});
        x += wide + 4;
    };
    if (!file.empty()) draw(SourceTab::Cuda, file);
    draw(SourceTab::Ptx, "PTX");
    draw(SourceTab::Machine, kMachineTabName.in(in.language));
}

// What the letters above the bars stand for, in as many lines as it takes. Returns the height of the lines
// after the first.
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
f32 drawCostliest(Canvas& canvas, const ViewInput& in, const SourcePage& page, const Rect& area,
                  const std::function<std::optional<Cursor>(u32)>& stepOf) {
    if (in.size.height < kLeastForCostliest) return 0;
    const std::pair<const Words*, u64 LineCost::*> kinds[] = {
        {countsSectors(in.profile) ? &kShareOfSectors : &kShareOfTransactions, &LineCost::sectors},
        {&kShareOfWavefronts, &LineCost::wavefronts},
        {&kShareOfInstructions, &LineCost::executions}};
    const TextStyle style{.size = type::kAxis, .role = role(RoleKind::TextSecond)};
    Point at{area.x, area.y + 2};
    for (const auto& [words, cost] : kinds) {
        u64 total = 0;
        for (const LineCost& line : page.costs)
            total += line.*cost;
        const auto most = std::ranges::max_element(page.costs, {}, cost);
        if (total == 0 || most == page.costs.end()) continue;
        const u32 line = u32(most - page.costs.begin()) + 1;
        const auto second = std::find_if(most + 1, page.costs.end(),
                                         [&](const LineCost& other) { return other.*cost == (*most).*cost; });
        const std::string share = percentText((*most).*cost, total);
        const auto alike = std::ranges::count(page.costs, (*most).*cost, cost);
        constexpr s64 kMany = 20;  // to name two of them tells nothing
        const std::string text =
            alike > kMany ? say(in.language, kMostOfMany, words->in(in.language), grouped(u64(alike)), share)
            : alike == 1  ? say(in.language, kMostOf, words->in(in.language), line, share)
            : alike == 2  ? say(in.language, kMostOfBoth, words->in(in.language), line,
                                second - page.costs.begin() + 1, share)
                          : say(in.language, kMostOfSeveral, words->in(in.language), line,
                                second - page.costs.begin() + 1, alike - 2, share);
        if (at.x > area.x && at.x + canvas.width(text, style) > area.right())
            at = {area.x, at.y + area.height};
        const f32 wide = canvas.textWithin(at, area.width, text, style);
        canvas.hit({at.x, at.y - area.height / 2, wide, area.height}, {.hover = text, .go = stepOf(line)});
        at.x += wide + 20;
    }
    return at.x == area.x ? 0 : at.y - area.y + area.height - 2;
}

// A row of the values below the code: what it is called, and what stands there for a lane.
struct ValueRow {
    std::string name;
    std::function<std::string(Lane)> of;
};

// What the access moves, a line for each element of a wide one; of an atomic its operands, what it found and
// what it left.
std::vector<ValueRow> valueRows(const ViewInput& in, const CursorContext& here) {
    constexpr u32 kMostLines = 4;
    std::vector<ValueRow> rows{{say(in.language, kRowAddress), [&in, &here](Lane lane) {
                                    return addressText(in, *here.warp, *here.access, lane);
                                }}};
    if (trace::isAtomic(here.access->kind)) {
        const auto atomic = std::make_shared<explain::AtomicLanes>(in.run, in.cursor, here);
        for (u32 number = 0; number < atomic->facts().operands(); ++number)
            rows.push_back({say(in.language, !atomic->facts().isCas() ? kRowOperand
                                             : number == 0            ? kRowCompare
                                                                      : kRowSwap),
                            [atomic, number](Lane lane) { return atomic->operand(number, lane); }});
        if (!atomic->facts().returnsOld()) return rows;
        rows.push_back({say(in.language, kRowOld), [atomic](Lane lane) { return atomic->oldValue(lane); }});
        rows.push_back({say(in.language, kRowNew), [atomic](Lane lane) { return atomic->newValue(lane); }});
        return rows;
    }
    const Lane any = here.access->active.empty() ? Lane{0} : here.access->active.lowest();
    const explain::MovedElements elements =
        explain::movedElements(in.run, in.cursor.launch, *here.warp, *here.access, any);
    const u32 lines = std::clamp(elements.count, 1u, kMostLines), each = (elements.count + lines - 1) / lines;
    for (u32 line = 0; line < lines; ++line) {
        const std::string name =
            line == 0
                ? say(in.language, here.access->kind == trace::AccessKind::Store ? kRowWritten : kRowRead)
            : line == 1 ? explain::typeText(elements)
                        : std::string();
        rows.push_back(
            {name, [&in, &here, line, each](Lane lane) {
                 const std::vector<std::string> texts = explain::elementTexts(
                     explain::movedElements(in.run, in.cursor.launch, *here.warp, *here.access, lane),
                     here.warp->value(*here.access, lane));
                 std::string text;
                 for (u32 i = line * each; i < std::min<std::size_t>((line + 1) * each, texts.size()); ++i)
                     text += (text.empty() ? "" : ", ") + texts[i];
                 return text;
             }});
    }
    return rows;
}

std::string shownOr(const std::string& text, const char* unknown) { return text.empty() ? unknown : text; }

// How the table of values is set: with room, or close where the code needs it.
struct ValuesLook {
    f32 title, top, line, inset;
    f32 height(std::size_t rows) const { return rows ? top + line * f32(rows) + 2 : 0; }
};
constexpr ValuesLook kValuesWithRoom{.title = 18, .top = 42, .line = 22, .inset = 7},
    kValuesClose{.title = 13, .top = 31, .line = 17, .inset = 2.5f};

// What the code shares the height below the heads with.
struct Division {
    const ValuesLook* values = &kValuesWithRoom;  // none: no table
    bool hasCostliest = true;
};
// The current line is seen whole, and what stands before and behind it: the table is set close for that, and
// where that is not enough, what lies above the code goes, then the table.
Division divide(f32 height, f32 costliest, std::size_t values, u32 rowsOfCurrent) {
    constexpr Division kForms[] = {{&kValuesWithRoom, true}, {&kValuesClose, true}, {&kValuesClose, false}};
    for (const u32 around : {2u, 0u})
        for (const Division& form : kForms)
            if (height - (form.hasCostliest ? costliest : 0) - form.values->height(values) >=
                f32(rowsOfCurrent + around) * type::kCodeLine)
                return form;
    return {.values = nullptr, .hasCostliest = false};
}

void drawValues(Canvas& canvas, const ViewInput& in, const CursorContext& here,
                const std::vector<ValueRow>& rows, const ValuesLook& look, const Rect& area) {
    canvas.rect(area, {.fill = role(RoleKind::Panel)});
    canvas.line({area.x, area.y + 0.5f}, {area.right(), area.y + 0.5f}, {role(RoleKind::Line)});
    const u32 exist = explain::lanesOf(*here.block, in.cursor.warp);
    constexpr f32 kPitch = 84, kWidestPitch = 150;
    f32 pitch = kPitch;  // wider where the names of vectors need it
    for (const Lane lane : here.access->active)
        pitch = std::max(
            pitch, std::min(kWidestPitch, canvas.width(rows.front().of(lane),
                                                       {.size = type::kCode, .bold = true, .mono = true}) +
                                              10));
    const TextStyle label{.size = type::kCode, .role = role(RoleKind::TextSecond)};
    f32 left = 92;
    for (const ValueRow& row : rows)
        left = std::max(left, std::min(space::kInset + canvas.width(row.name, label) + 8, area.width * 0.4f));
    const u32 shown = std::clamp(u32((area.width - left - 4) / pitch), 1u, exist);
    const u32 first = firstAround(in.cursor.lane.value, shown, exist);
    const auto lineAt = [&](std::size_t row) { return area.y + look.top + look.line * f32(row); };
    canvas.textWithin({space::kInset, area.y + look.title}, left - space::kInset - 4,
                      kValuesAtCursor.in(in.language), {.size = type::kCode, .bold = true});
    for (std::size_t row = 0; row < rows.size(); ++row)
        canvas.textWithin({space::kInset, lineAt(row)}, left - space::kInset - 4, rows[row].name, label);
    for (u32 i = 0; i < shown; ++i) {
        const Lane lane{first + i};
        const f32 x = area.x + left + (f32(i) + 0.5f) * pitch;
        const bool ours = lane == in.cursor.lane, on = here.step->active.has(lane);
        const TextStyle name{.size = type::kCode, .align = Align::Centre, .role = role(RoleKind::TextSecond)};
        const TextStyle value{.size = type::kCode,
                              .bold = ours,
                              .mono = true,
                              .align = Align::Centre,
                              .role = role(!on    ? RoleKind::TextThird
                                           : ours ? RoleKind::Text
                                                  : RoleKind::TextSecond)};
        canvas.textWithin({x, area.y + look.title}, pitch - 8, say(in.language, kLane, lane.value), name);
        for (std::size_t row = 0; row < rows.size(); ++row)
            canvas.textWithin({x, lineAt(row)}, pitch - 8, on ? shownOr(rows[row].of(lane), "?") : "–",
                              value);
        const Rect box{x - pitch / 2 + 4, area.y + look.inset, pitch - 8, area.height - 2 * look.inset - 2};
        if (ours) cursorBox(canvas, box);
        Cursor go = in.cursor;
        go.lane = lane;
        ViewInput later = in;
        later.cache = nullptr;  // it may be gone when the mouse comes
        canvas.hit(box, {.hover = {},
                         .hoverLater = [later, here, lane] { return laneSentence(later, here, lane); },
                         .go = go});
    }
}

// What the code begins with in the cursor's picture, in pixels: its first column, or that of a current line
// which begins far behind it.
f32 startAcross(const Canvas& canvas, const SourcePage& page, f32 room) {
    constexpr f32 kBefore = 40;
    if (!page.current) return 0;
    const f32 indent = codeExtent(canvas, page.lines[page.current - 1]).indent;
    return indent > room * 0.6f ? std::max(0.0f, indent - kBefore) : 0;
}

// The rows of all lines, one below the other: one of each, or more where its code is wider than the room.
// Where the cursor is changes nothing about them.
struct Rows {
    struct Row {
        u32 line = 0;
        CodeRow code;
    };  // the line from 0
    std::vector<Row> all;
    std::vector<u32> firstOf;  // by line; behind the last one, how many rows there are
    u32 count() const { return u32(all.size()); }
};
Rows rowsOf(const Canvas& canvas, const SourcePage& page, CodeLanguage language, f32 room) {
    const std::vector<bool> inComment = insideComments(page.lines, language);
    Rows rows;
    for (u32 line = 0; line < page.lines.size(); ++line) {
        rows.firstOf.push_back(rows.count());
        for (CodeRow& code : codeRows(canvas, page.lines[line], language, inComment[line], room))
            rows.all.push_back({line, std::move(code)});
    }
    rows.firstOf.push_back(rows.count());
    return rows;
}

// What it begins with once scrolled: as far as there are rows in sight that go on.
f32 scrolledAcross(const Canvas& canvas, const ViewInput& in, const SourcePage& page,
                   std::span<const Rows::Row> inSight, f32 room) {
    constexpr f32 kBehind = 16;
    f32 widest = 0;
    for (const Rows::Row& row : inSight)
        widest = std::max(widest, codeExtent(canvas, row.code.text).width + kBehind);
    const f32 start = startAcross(canvas, page, room);
    return std::clamp(start - in.state.pan.x, 0.0f, std::max(start, widest - room));
}

// Below the line, or above it where there is more room.
void drawBox(Canvas& canvas, Scene box, const Rect& area, const Rect& line) {
    if (box.size.height <= 0) return;
    const f32 below = line.bottom() + 2, y = below + box.size.height <= area.bottom()
                                                 ? below
                                                 : std::max(area.y, line.y - 2 - box.size.height);
    const Rect place{area.x, y, box.size.width, std::min(box.size.height, area.bottom() - y)};
    canvas.rect(
        place, {.fill = role(RoleKind::Panel), .stroke = {role(RoleKind::Edge)}, .radius = radius::kControl});
    canvas.include(std::move(box), place);
}

}  // namespace

namespace {

// Of a run that is known up to a step only, whose counts would be taken for those of the whole.
constexpr Words kNotCountedYet = english("not counted yet");

const Words& sharesInWords(bool sectors, bool ofSample) {
    if (ofSample) return sectors ? kSharesOfSample : kSharesOfSampleTransactions;
    return sectors ? kSharesInWords : kSharesInWordsTransactions;
}

// The lines have what was written; the machine's counters are less where the compiler merges accesses.
std::string wavefrontsText(const ViewInput& in, u64 written) {
    constexpr Words kAsWritten = english("{0} (as written)");
    const auto differs = [](const model::SiteReport& site) {
        return site.space == trace::Space::Shared && site.machineWavefronts() != site.wavefronts;
    };
    return std::ranges::any_of(in.run.report.sites, differs) ? say(in.language, kAsWritten, grouped(written))
                                                             : grouped(written);
}

}  // namespace

namespace {

Scene withoutHead(const ViewInput& in) {
    const CursorContext here = lookUp(in.run, in.cursor);
    const ptx::Module& module = *in.run.module;
    const explain::SourceLine current =
        here.step ? explain::lineOf(module, here.step->pc) : explain::SourceLine{};
    // The file of the current line, else the first whose text is known.
    u32 file = current.file;
    if (file >= module.sources.size() || module.sources[file].empty()) {
        file = 0;
        for (u32 f = u32(module.sources.size()); f-- > 0;)
            if (!module.sources[f].empty()) file = f;
    }
    const bool hasCuda = file < module.sources.size() && !module.sources[file].empty();
    const SourceTab asked = optionsAs<SourceOptions>(in.state.options).tab,
                    tab = asked == SourceTab::Cuda && !hasCuda ? SourceTab::Ptx : asked;
    const SourcePage page = tab == SourceTab::Machine ? machinePage(in, here, current)
                            : tab == SourceTab::Cuda  ? cudaPage(in, file, current)
                                                      : ptxPage(in, here);
    if (page.lines.empty() && tab != SourceTab::Machine)
        return emptyScene(in, kSourceTitle, say(in.language, kNoSource));

    Canvas canvas(in.size, in.metrics);
    drawTabs(canvas, in, hasCuda ? explain::fileName(module.files[file]) : std::string_view(), tab);
    if (page.lines.empty()) {
        const std::string why = noMachineCode(in);
        const f32 width = std::min(460.0f, in.size.width - 2 * space::kInset);
        sentenceAndButton(
            canvas, {in.size.width / 2, in.size.height * 0.4f}, width, why,
            in.run.machine && in.run.machine->why ? toolkitButton(in, *in.run.machine->why) : std::nullopt);
        Scene scene = std::move(canvas).take(why);
        scene.isSentenceAlone = true;
        return scene;
    }
    LineCost total;
    for (const LineCost& cost : page.costs)
        total.executions += cost.executions, total.sectors += cost.sectors,
            total.wavefronts += cost.wavefronts;
    const Shares shares = sharesFor(in.size.width, tab);
    const f32 headY = space::kHead + 16;
    const bool sectors = countsSectors(in.profile);
    const Words* const names[] = {sectors ? &kShareOfSectors : &kShareOfTransactions, &kShareOfWavefronts,
                                  &kShareOfInstructions};
    const TextStyle nameStyle{.size = type::kAxis, .role = role(RoleKind::TextSecond)};
    const auto hasRoom = [&](const Words* name) {
        return canvas.width(name->in(in.language), nameStyle) <= shares.pitch - 6;
    };
    const bool isNamed = shares.figures && std::ranges::all_of(names, names + shares.columns, hasRoom);
    for (u32 i = 0; i < shares.columns; ++i) {
        const f32 x = shares.left + f32(i) * shares.pitch;
        if (isNamed)
            canvas.text({x, headY}, say(in.language, *names[i]), nameStyle);
        else
            canvas.text({x + shares.bar / 2, headY}, std::string(1, (sectors ? "SWI" : "TWI")[i]),
                        {.size = type::kAxis,
                         .bold = true,
                         .align = Align::Centre,
                         .role = role(RoleKind::TextSecond)});
    }
    const TextStyle noteStyle{.size = type::kAxis, .role = role(RoleKind::TextThird)};
    const f32 noteRoom = in.size.width - shares.code() - 8;
    f32 headHeight = 32;
    const auto note = [&](const Words& words, const std::string& wavefronts) {
        return say(in.language, words, grouped(total.sectors), wavefronts, grouped(total.executions));
    };
    if (tab == SourceTab::Machine) {
        const sass::MachineCode& code = *in.run.machine->code;
        const sass::Function* kernel = code.find(in.run.recording.launches[in.cursor.launch.value].entry);
        headHeight +=
            16 * f32(canvas.paragraph({shares.code(), headY}, noteRoom,
                                      say(in.language, kMachineHead, code.compiler, code.computeCapability,
                                          kernel->instructions.size(), kernel->registers.value_or(0)),
                                      noteStyle, 16.0f / noteStyle.size, 2) -
                     1);
    } else if (!in.run.recording.complete && total.executions == 0) {
        canvas.textWithin({shares.code(), headY}, noteRoom, say(in.language, kNotCountedYet), noteStyle);
    } else if (isNamed) {
        canvas.textWithin(
            {shares.code(), headY}, noteRoom,
            note(sharesInWords(sectors, in.run.recording.sample.has_value()), grouped(total.wavefronts)),
            noteStyle);
    } else {
        headHeight += drawLetterKey(
            canvas, {shares.code(), headY}, noteRoom,
            note(sectors ? kShares : kSharesTransactions, wavefrontsText(in, total.wavefronts)), noteStyle);
    }
    const CodeLanguage language = tab == SourceTab::Cuda  ? CodeLanguage::Cuda
                                  : tab == SourceTab::Ptx ? CodeLanguage::Ptx
                                                          : CodeLanguage::Machine;
    const f32 room = in.size.width - shares.code();
    const Rows all = rowsOf(canvas, page, language, room);
    const u32 rowsOfCurrent = page.current ? all.firstOf[page.current] - all.firstOf[page.current - 1] : 0;
    std::vector<ValueRow> values =
        here.access && in.size.height > 260 ? valueRows(in, here) : std::vector<ValueRow>();
    const auto costliest = [&](Canvas& on) {
        if (tab == SourceTab::Machine) return 0.0f;
        return drawCostliest(
            on, in, page,
            {space::kInset, space::kHead + headHeight, in.size.width - 2 * space::kInset, kCostliestLine},
            [&](u32 line) {
                return stepAt(in.cursor, here, [&](Pc pc) {
                    return tab == SourceTab::Cuda
                               ? explain::lineOf(module, pc) == explain::SourceLine{file, line}
                               : pc.value < module.instructions.size() && module.at(pc).line == line;
                });
            });
    };
    Canvas measured(in.size, in.metrics);
    const Division division =
        divide(in.size.height - space::kHead - headHeight, costliest(measured), values.size(), rowsOfCurrent);
    if (division.hasCostliest) headHeight += costliest(canvas);
    if (!division.values) values.clear();
    canvas.line({0, space::kHead + headHeight - 1.5f}, {in.size.width, space::kHead + headHeight - 1.5f},
                {role(RoleKind::Line)});

    const f32 valuesHeight = division.values ? division.values->height(values.size()) : 0;
    const Rect area{0, space::kHead + headHeight, in.size.width,
                    in.size.height - space::kHead - headHeight - valuesHeight};
    const u32 rows = std::max(1u, u32(area.height / type::kCodeLine)), count = all.count();
    const u32 middleLine = page.current ? page.current : page.centre;
    // In the middle, further up where not all of its rows would be seen.
    const s64 centred = middleLine == 0
                            ? 0
                            : s64(all.firstOf[middleLine - 1]) -
                                  std::min(rows / 2, rows - std::min(rows, std::max(1u, rowsOfCurrent)));
    const s64 wanted = (count <= rows ? 0 : centred) - s64(in.state.pan.y / type::kCodeLine);
    const u32 first = u32(std::clamp<s64>(wanted, 0, std::max<s64>(0, s64(count) - rows)));
    const std::span inSight = std::span(all.all).subspan(first, std::min(rows, count - first));
    const f32 across = scrolledAcross(canvas, in, page, inSight, room);
    keepScrolled(in, f32((count <= rows ? 0 : centred) - s64(first)) * type::kCodeLine,
                 startAcross(canvas, page, room) - across);
    // What the registers hold is worked out where somebody asks for it.
    std::shared_ptr<RegisterCache> cache =
        in.cache && in.cache->registers ? in.cache->registers : std::make_shared<RegisterCache>();
    if (in.cache) in.cache->registers = cache;
    const Size mostBox = in.registers
                             ? Size{in.size.width - shares.code() - space::kInset, kHighestBox}
                             : Size{std::clamp(in.size.width - kAroundBox, kNarrowestBox, kWidestBox),
                                    tab == SourceTab::Cuda ? kHighestOfLine : kHighestBox};
    const auto boxOf = [&](u32 number) -> std::function<Scene()> {
        const std::optional<Pc> machine = page.firstPc[number - 1];
        return [=, &run = in.run, &metrics = in.metrics, cursor = in.cursor, language = in.language] {
            return registerBox(run, cursor, language, metrics,
                               instructionsAt(run, {tab, file, number, machine}), mostBox, *cache);
        };
    };
    const std::vector<FoundOnLine> found =
        tab == SourceTab::Machine ? std::vector<FoundOnLine>{}
                                  : findingsOfLines(in, tab == SourceTab::Cuda ? file : kPtxLines);
    constexpr f32 kMarkRoom = 14;  // of what was found on a line, before its number
    std::optional<Rect> currentRows;
    canvas.clip(area);
    for (u32 i = inSight.front().line; i <= inSight.back().line; ++i) {
        const u32 number = i + 1, begin = std::max(all.firstOf[i], first),
                  end = std::min(all.firstOf[i + 1], first + rows);
        const f32 y = area.y + f32(begin - first) * type::kCodeLine, middle = y + type::kCodeLine / 2;
        const Rect line{
            0, y, in.size.width,
            f32(end - begin) * type::kCodeLine};  // its rows in sight; numbers and marks stand on the first
        const bool isWhole = begin == all.firstOf[i] && end == all.firstOf[i + 1];
        const bool isCurrent = number == page.current;
        const std::string label = page.machine.empty() ? std::to_string(number)
                                  : page.machine[i].instruction
                                      ? fmt::format("{:04x}", page.machine[i].instruction->offsetBytes)
                                      : std::string();
        if (!page.lit.empty() && page.lit[i] && !isCurrent)
            canvas.rect(line, {.fill = role(RoleKind::Raised)});
        if (isCurrent) canvas.rect(line, {.fill = role(RoleKind::Raised)});
        if (tab == SourceTab::Cuda && in.onlyHere &&
            std::ranges::find(*in.onlyHere, explain::SourceLine{file, number}) != in.onlyHere->end()) {
            if (!isCurrent) canvas.rect(line, {.fill = role(RoleKind::Panel)});
            canvas.rect({0, y + 1, 4, line.height - 2}, {.fill = role(RoleKind::Text)});
        }
        const auto mark = std::ranges::find(found, number, &FoundOnLine::line);
        if (isCurrent) {
            const bool isAlone = mark == found.end();
            cursorChip(canvas, {shares.number + 4, middle}, label,
                       {.size = type::kCode, .bold = true, .mono = true, .align = Align::Right},
                       isAlone ? 28 : 0, type::kCodeLine - 2, isAlone ? 6 : 2.5f);
        } else {
            canvas.text({shares.number, middle}, label,
                        {.size = type::kCode,
                         .mono = true,
                         .align = Align::Right,
                         .role = role(RoleKind::TextThird)});
        }
        const LineCost& cost = page.costs[i];
        const std::pair<u64, u64> parts[] = {{cost.sectors, total.sectors},
                                             {cost.wavefronts, total.wavefronts},
                                             {cost.executions, total.executions}};
        for (u32 column = 0; column < shares.columns; ++column) {
            const auto [part, whole] = parts[column];
            if (part == 0) continue;
            const f32 x = shares.left + f32(column) * shares.pitch;
            canvas.rect({x, middle - 5, shares.bar, 10}, {.fill = role(RoleKind::Inactive)});
            canvas.rect({x, middle - 5, std::max(1.0f, shares.bar * f32(part) / f32(whole)), 10},
                        {.fill = role(column == 2 ? RoleKind::TextThird : RoleKind::TextSecond)});
            if (shares.figures)
                canvas.text({x + shares.bar + 6, middle}, percentText(part, whole),
                            {.size = type::kAxis,
                             .mono = true,
                             .role = role(isCurrent ? RoleKind::Text : RoleKind::TextSecond)});
        }
        bool isCut = !isWhole;
        for (u32 row = begin; row < end; ++row)
            if (const CodeCut cut = codeCut(canvas, all.all[row].code.text, across, room);
                cut.before || cut.behind)
                isCut = true;
        std::string hover;
        if (tab == SourceTab::Machine)
            hover = machineHover(in, page.machine[i]);
        else if (cost.executions == 0)
            hover = say(in.language, total.executions > 0 ? kLineIdle : kLineNumber, number);
        else if (tab == SourceTab::Ptx && page.firstPc[i])
            hover = ptxText(module.at(*page.firstPc[i]), in.language) +
                    say(in.language, kPtxHover, page.firstPc[i]->value, grouped(cost.executions),
                        grouped(cost.lanes));
        else
            hover = say(in.language, sectors ? kLineHover : kLineHoverTransactions, number,
                        grouped(cost.executions), grouped(cost.sectors), grouped(cost.wavefronts),
                        grouped(cost.divergent));
        if (isCut) hover.insert(0, trimmed(page.lines[i]) + "\n");
        const auto onLine = [&](Pc pc) {
            return tab == SourceTab::Machine ? pc == page.firstPc[i]
                   : tab == SourceTab::Cuda
                       ? explain::lineOf(module, pc) == explain::SourceLine{file, number}
                       : pc.value < module.instructions.size() && module.at(pc).line == number;
        };
        std::optional<Cursor> go = page.firstPc[i] ? stepAt(in.cursor, here, onLine) : std::nullopt;
        // The compiler moves instructions about; one that this warp does not come to leads to its source line
        // all the same.
        if (!go && tab == SourceTab::Machine && page.firstPc[i])
            if (const explain::SourceLine line = explain::lineOf(module, *page.firstPc[i]); line.line)
                go = stepAt(in.cursor, here, [&](Pc pc) { return explain::lineOf(module, pc) == line; });
        canvas.hit(line,
                   {.hover = hover, .box = here.step && page.firstPc[i] ? boxOf(number) : nullptr, .go = go});
        if (mark != found.end()) {
            constexpr f32 kMark = 10;
            drawFound(canvas, {kMarkRoom / 2, middle}, kMark, mark->isRemark);
            canvas.hit({0, y, kMarkRoom, type::kCodeLine}, {.hover = mark->hover, .go = mark->go});
        }
        if (isCurrent) currentRows = line;
    }
    canvas.clip({shares.code(), area.y, room, area.height});
    f32 rowY = area.y;
    for (const auto& [line, code] : inSight) {
        const bool raised = line + 1 == page.current || (!page.lit.empty() && page.lit[line]);
        const bool marked =
            tab == SourceTab::Cuda && in.onlyHere &&
            std::ranges::find(*in.onlyHere, explain::SourceLine{file, line + 1}) != in.onlyHere->end();
        codeInRow(canvas, {shares.code(), rowY, room, type::kCodeLine}, across, code.text, language,
                  code.insideComment,
                  role(raised   ? RoleKind::Raised
                       : marked ? RoleKind::Panel
                                : RoleKind::Ground));
        rowY += type::kCodeLine;
    }
    canvas.unclip();
    if (!values.empty())
        drawValues(canvas, in, here, values, *division.values,
                   {0, in.size.height - valuesHeight, in.size.width, valuesHeight});
    if (in.registers && currentRows)
        drawBox(canvas, boxOf(page.current)(),
                {shares.code(), area.y, in.size.width - shares.code(), in.size.height - area.y},
                *currentRows);
    std::string sentence;
    if (here.access)
        sentence = laneSentence(in, here, in.cursor.lane);
    else if (current.line)
        sentence = say(in.language, kLineSentence, current.line, explain::textOfLine(module, current));
    return std::move(canvas).take(sentence);
}

}  // namespace

// Its files are named by tabs, so that the head is one of its own, above them: in pictures that leave the
// program, and are tall enough.
Scene buildSource(const ViewInput& in) {
    constexpr f32 kLeastWithHead = 260;
    if (!in.titled || in.size.height < kLeastWithHead) return withoutHead(in);
    Canvas canvas(in.size, in.metrics);
    const Rect body =
        head(canvas, in, kSourceTitle.in(in.language), placeText(in, lookUp(in.run, in.cursor)));
    ViewInput below = in;
    below.titled = false;
    below.size = {body.width, body.height};
    std::string sentence = canvas.continueFrom(withoutHead(below), body);
    return std::move(canvas).take(std::move(sentence));
}

}  // namespace lockstep::viz
