// Puts transfers, products and results into rows and words.
#include "viz/stage/matmul_table.h"

#include <algorithm>

#include "model/sentence.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/glyphs.h"
#include "viz/messages.h"
#include "viz/numbers.h"
#include "viz/phrases.h"

namespace lockstep::viz {
namespace {

using namespace message;

constexpr Words kMoreLanes{"lanes {1}–{2}; {0} more", "通道 {1}–{2}；另有 {0} 个"};

constexpr Words kPictureOfLoad{" The picture is still that of the load of {0}, line {1}.", "图中仍是第 {1} 行对 {0} 的读取。"};
constexpr Words kPictureOfStore{" The picture is still that of {0} being put into {1}, line {2}.", "图中仍是第 {2} 行把 {0} 放进 {1}。"};
constexpr Words kNextIs{"next: {0}", "接下来：{0}"};
constexpr Words kColumnWillAsk{"will ask", "将读取"};

constexpr f32 kRow = 28, kTitle = 46;

const Operand& current(const MatmulFacts& facts) { return facts.onN ? facts.n : facts.m; }

std::string cellName(const Matrix& m, CellIndex c) { return fmt::format("{}[{}][{}]", m.name, c.row, c.column); }

std::string placeName(const SharedArray& tile, u64 place) {
    const u64 columns = std::max<u64>(1, tile.columns());
    return fmt::format("{}[{}][{}]", tile.name, place / columns, place % columns);
}

// The cursor's round's transfer of a lane of its warp.
const Transfer* transferOf(const MatmulFacts& facts, const Operand& operand, Warp warp, Lane lane) {
    const auto found = std::ranges::find_if(operand.transfers, [&](const Transfer& t) { return t.round == facts.round && t.warp == warp && t.lane == lane; });
    return found == operand.transfers.end() ? nullptr : &*found;
}

std::string threadText(const ViewInput& in, Warp warp, Lane lane) {
    const Launch& launch = launchOf(in.run, in.cursor.launch);
    return coordinates(threadOf(launch, warp, lane), launch.block);
}

// "(1,0) and (1,1)", "(0,1), (1,0), ..." of a few transfers, by the name that `name` gives.
template <class Name>
std::string enumerated(Language language, const std::vector<const Transfer*>& transfers, Name&& name) {
    constexpr std::size_t kMost = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(transfers.size(), kMost); ++i) {
        if (i) text += i + 1 == transfers.size() ? std::string(kAnd.in(language)) : std::string(kComma.in(language));
        text += name(*transfers[i]);
    }
    return transfers.size() > kMost ? text + std::string(kAndOthers.in(language)) : text;
}

// The sentence has a blank where a number ends; 等 is no number.
std::string withoutBlankBehindOthers(std::string sentence) {
    const std::string others = std::string(kAndOthers.zh) + " ";
    if (const std::size_t at = sentence.find(others); at != std::string::npos) sentence.erase(at + others.size() - 1, 1);
    return sentence;
}

std::string loadSentence(const ViewInput& in, const MatmulFacts& facts) {
    const Language l = in.language;
    const Operand& operand = current(facts);
    std::vector<const Transfer*> mine, ghosts, aliases, outside;
    for (const Transfer& t : operand.transfers) {
        if (t.round != facts.round || t.warp != in.cursor.warp) continue;
        mine.push_back(&t);
        if (!t.loadStep && t.asked && !operand.matrix.contains(*t.asked)) ghosts.push_back(&t);
        if (t.isAlias()) aliases.push_back(&t);
        if (t.outside) outside.push_back(&t);
    }
    const auto thread = [&](const Transfer& t) { return threadText(in, t.warp, t.lane); };
    const auto asked = [&](const Transfer& t) { return cellName(operand.matrix, *t.asked); };
    const auto prefer = [&](std::vector<const Transfer*>& list) -> const Transfer& {
        const auto ours = std::ranges::find_if(list, [&](const Transfer* t) { return t->lane == in.cursor.lane; });
        return ours == list.end() ? *list.front() : **ours;
    };
    if (!outside.empty() && (aliases.empty() || prefer(outside).lane == in.cursor.lane)) {
        const Transfer& t = prefer(outside);
        return say(l, kSentenceOutside, thread(t), t.asked ? asked(t) : t.read ? cellName(operand.matrix, *t.read) : operand.matrix.name, operand.matrix.name, t.value);
    }
    if (!aliases.empty()) {
        const Transfer& t = prefer(aliases);
        return say(l, kSentenceAlias, thread(t), asked(t), cellName(operand.matrix, *t.read));
    }
    if (ghosts.size() == 1) return say(l, kSentenceGhost, thread(*ghosts[0]), asked(*ghosts[0]), ghosts[0]->value, operand.tile->name);
    if (!ghosts.empty()) return withoutBlankBehindOthers(say(l, kSentenceGhosts, enumerated(l, ghosts, thread), enumerated(l, ghosts, asked), ghosts[0]->value, operand.tile->name));
    if (facts.activity == Activity::Keep) return say(l, kSentenceKeep, in.cursor.warp.value, mine.size(), operand.matrix.name, operand.tile->name);
    return say(l, kSentenceLoad, in.cursor.warp.value, mine.size(), operand.matrix.name);
}

std::string multiplySentence(const ViewInput& in, const MatmulFacts& facts, const Here& here) {
    const Accumulator a = accumulatorOf(in.run, facts, *here.block, in.cursor.warp, in.cursor.lane);
    if (!a.m || !a.n) return {};
    const auto name = [&](const Operand& operand, u64 place) {
        return facts.tiled() ? placeName(*operand.tile, place) : cellName(operand.matrix, {s64(place / operand.matrix.columns), s64(place % operand.matrix.columns)});
    };
    return say(in.language, kSentenceMultiply, threadText(in, in.cursor.warp, in.cursor.lane), name(facts.m, a.m->place), numberText(a.m->value, true), name(facts.n, a.n->place), numberText(a.n->value, true), numberText(a.sum, true), a.products);
}

// Whether the move that the stage shows is over, and the cursor's instruction does something else.
bool movesBefore(const MatmulFacts& facts) { return facts.between && (facts.activity == Activity::Load || facts.activity == Activity::Keep); }

struct Row {
    std::string thread, first, last;
    std::optional<bool> mark;
    bool astray = false;  // what it reads is not what it asks for
};

Row rowOf(const ViewInput& in, const MatmulFacts& facts, const Here& here, Lane lane) {
    Row row{.thread = threadText(in, in.cursor.warp, lane), .first = {}, .last = {}, .mark = {}};
    if (facts.activity == Activity::Load || facts.activity == Activity::Keep || facts.activity == Activity::SetUp) {
        const Operand& operand = current(facts);
        const Transfer* t = transferOf(facts, operand, in.cursor.warp, lane);
        if (!t) return row;
        if (t->asked) row.first = cellName(operand.matrix, *t->asked);
        else if (t->read) row.first = cellName(operand.matrix, *t->read);
        if (facts.activity == Activity::SetUp) return row;  // nothing has been read yet
        row.mark = t->loadStep.has_value();
        row.astray = t->loadStep && (t->outside || t->isAlias());
        row.last = t->value;
        return row;
    }
    const Accumulator a = accumulatorOf(in.run, facts, *here.block, in.cursor.warp, lane);
    if (facts.activity == Activity::Result) {
        row.first = a.storedAt ? cellName(facts.p, *a.storedAt) : cellName(facts.p, facts.elementOf(in.cursor.block, threadOf(launchOf(in.run, in.cursor.launch), in.cursor.warp, lane)));
        row.mark = a.stored.has_value();
        row.last = numberText(a.stored.value_or(a.sum), true, 7);
        return row;
    }
    if (a.m && a.n) row.first = numberText(a.m->value, true, 5) + " × " + numberText(a.n->value, true, 5);
    row.last = numberText(a.sum, true, 7);
    return row;
}

}  // namespace

std::string matmulCaption(const ViewInput& in, const MatmulFacts& facts) {
    const Language l = in.language;
    std::string text = say(l, kBlock, coordinates(in.cursor.block, launchOf(in.run, in.cursor.launch).grid));
    if (facts.tiled() && facts.rounds > 0) text += "  ·  " + say(l, kTileOf, facts.round + 1, facts.rounds);
    const auto named = [&](const Doing& d) {
        const std::string& name = (d.onN ? facts.n : facts.m).matrix.name;
        switch (d.activity) {
            case Activity::SetUp: return say(l, kDoingSetUp);
            case Activity::Load: return say(l, kDoingLoad, name);
            case Activity::Keep: return say(l, kDoingKeep, name);
            case Activity::Multiply: return say(l, kDoingMultiply);
            case Activity::Result: break;
        }
        return say(l, kDoingResult, facts.p.name);
    };
    if (movesBefore(facts)) return facts.next ? text + "  ·  " + say(l, kNextIs, named(*facts.next)) : text;
    return text + "  ·  " + named({facts.activity, facts.onN});
}

std::string transferSentence(const ViewInput& in, const Operand& operand, const Transfer& t) {
    const Language l = in.language;
    const std::string thread = threadText(in, t.warp, t.lane);
    if (!t.loadStep) return say(l, kTransferGhost, thread, t.asked ? cellName(operand.matrix, *t.asked) : operand.matrix.name, t.value);
    if (t.outside) return say(l, kSentenceOutside, thread, t.asked ? cellName(operand.matrix, *t.asked) : cellName(operand.matrix, *t.read), operand.matrix.name, t.value);
    if (t.isAlias()) return say(l, kSentenceAlias, thread, cellName(operand.matrix, *t.asked), cellName(operand.matrix, *t.read));
    return say(l, kTransferRead, thread, cellName(operand.matrix, *t.read), t.value, placeName(*operand.tile, t.place));
}

namespace {

// Where the cursor's instruction moves nothing: of which move before it the picture is.
std::string pictureIsOf(const ViewInput& in, const MatmulFacts& facts, const Here& here) {
    const Operand& operand = current(facts);
    const bool isLoad = facts.activity == Activity::Load;
    for (const Transfer& t : operand.transfers) {
        if (t.round != facts.round || t.warp != in.cursor.warp || !t.loadStep) continue;
        const u32 line = lineOf(*in.run.module, here.warp->steps[isLoad ? *t.loadStep : t.storeStep].pc).line;
        if (line == 0) break;
        return isLoad ? say(in.language, kPictureOfLoad, operand.matrix.name, line) : say(in.language, kPictureOfStore, operand.matrix.name, operand.tile->name, line);
    }
    return {};
}

}  // namespace

std::string matmulSentence(const ViewInput& in, const MatmulFacts& facts, const Here& here) {
    std::string text;
    if (movesBefore(facts)) {
        const std::string own = model::sentenceAt(*in.run.module, in.run.recording, *here.block, in.cursor.warp, in.cursor.step, in.profile, arrayShapes(in.run, in.cursor.launch)).in(in.language);
        return own + pictureIsOf(in, facts, here);
    }
    if (facts.activity == Activity::Load || facts.activity == Activity::Keep) text = loadSentence(in, facts);
    else if (facts.activity == Activity::Multiply) text = multiplySentence(in, facts, here);
    if (text.empty()) text = model::sentenceAt(*in.run.module, in.run.recording, *here.block, in.cursor.warp, in.cursor.step, in.profile, arrayShapes(in.run, in.cursor.launch)).in(in.language);
    return text;
}

f32 matmulTableHeight(const ViewInput& in, const MatmulFacts&, const Here& here, const Rect& side) {
    const u32 exist = lanesOf(*here.block, in.cursor.warp);
    const f32 whole = kTitle + f32(exist) * kRow, key = 22 + 20 * 11;
    return std::min(whole, std::max(side.height - key - 16, side.height * 0.45f));
}

void drawMatmulTable(Canvas& canvas, const ViewInput& in, const MatmulFacts& facts, const Here& here, const Rect& area) {
    const Language l = in.language;
    const u32 exist = lanesOf(*here.block, in.cursor.warp), room = u32(std::max(0.0f, area.height - kTitle) / kRow), shown = room >= exist ? exist : room > 1 ? room - 1 : room;
    if (shown == 0) return;
    const u32 first = std::min(in.cursor.lane.value > shown / 2 ? in.cursor.lane.value - shown / 2 : 0, exist - shown);
    const f32 x = area.x, right = area.x + area.width - 4;
    const std::string existText = exist < kWarpSize ? say(l, kLanesExist, exist) : std::string();
    const TextStyle note{.size = type::kCode, .align = Align::Right, .role = role(RoleKind::TextThird)};
    const f32 titleWide = canvas.textWithin({x, area.y + 10}, area.width, say(l, kLanesOfWarp, in.cursor.warp.value), {.bold = true});
    if (canvas.width(existText, note) < area.width - titleWide - 12) canvas.text({right, area.y + 10}, existText, note);
    const bool loads = facts.activity == Activity::Load || facts.activity == Activity::Keep || facts.activity == Activity::SetUp;
    const Words& firstTitle = facts.activity == Activity::SetUp ? kColumnWillAsk : loads ? kColumnAsks : facts.activity == Activity::Result ? kColumnElement : kColumnFactors;
    const Words& lastTitle = loads ? kColumnGets : facts.activity == Activity::Result ? kColumnValue : kSum;
    const bool marks = facts.activity != Activity::Multiply;
    const TextStyle head{.size = type::kAxis, .role = role(RoleKind::TextThird)};
    const f32 c1 = x + 32, c2 = x + 80, c3 = right - 58;
    canvas.textWithin({x, area.y + 33}, 28, kColumnLane.in(l), head);
    canvas.textWithin({c1, area.y + 33}, c2 - c1 - 4, kColumnThread.in(l), head);
    canvas.textWithin({c2, area.y + 33}, c3 - c2 - 24, firstTitle.in(l), head);
    if (marks) canvas.textWithin({c3, area.y + 33}, 34, (facts.activity == Activity::Result ? kColumnWrites : kColumnReads).in(l), {.size = type::kAxis, .align = Align::Centre, .role = role(RoleKind::TextThird)});
    canvas.textWithin({right, area.y + 33}, 40, lastTitle.in(l), {.size = type::kAxis, .align = Align::Right, .role = role(RoleKind::TextThird)});
    for (u32 i = 0; i < shown; ++i) {
        const Lane lane{first + i};
        const f32 middle = area.y + kTitle + (f32(i) + 0.5f) * kRow;
        const Rect box{x - 4, middle - kRow / 2 + 1, area.width + 2, kRow - 2};
        const bool ours = lane == in.cursor.lane;
        if (ours) canvas.rect(box, {.fill = role(RoleKind::Raised), .radius = radius::kControl});
        const Role fill = warpRole(in.cursor.warp, lane, exist);
        canvas.rect({x, middle - 10, 22, 20}, {.fill = fill, .radius = radius::kControl});
        canvas.text({x + 11, middle}, std::to_string(lane.value), {.size = type::kCode, .bold = true, .mono = true, .align = Align::Centre, .role = inkOn(fill)});
        const Row row = rowOf(in, facts, here, lane);
        canvas.textWithin({c1, middle}, c2 - c1 - 4, row.thread, {.size = type::kCode, .mono = true});
        canvas.textWithin({c2, middle}, marks ? c3 - c2 - 8 : right - c2 - 54, row.first, {.size = row.first.size() > 9 ? type::kAxis : type::kCode, .mono = true});
        if (row.mark && marks) {
            if (row.astray) warning(canvas, {c3, middle}, 14);
            else if (*row.mark) tick(canvas, {c3, middle}, role(RoleKind::Text));
            else cross(canvas, {c3, middle}, role(RoleKind::Text), 0.9f);
        }
        canvas.textWithin({right, middle}, 52, row.last, {.size = row.last.size() > 6 ? type::kCode : type::kBody, .bold = true, .mono = true, .align = Align::Right});
        Cursor go = in.cursor;
        go.lane = lane;
        canvas.hit(box, {.hover = laneSentence(in, here, lane), .go = go});
        if (ours) cursorBox(canvas, box);
    }
    if (shown < exist && room > shown) canvas.textWithin({x, area.y + kTitle + (f32(shown) + 0.5f) * kRow}, area.width, say(l, kMoreLanes, exist - shown, first, first + shown - 1), {.size = type::kAxis, .role = role(RoleKind::TextThird)});
}

}  // namespace lockstep::viz
