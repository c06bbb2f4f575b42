// Of the reduction stage: what the rounds are called, the columns of the warps, and the key.
#include "viz/stage/reduction_drawing.h"

#include <algorithm>
#include <array>
#include <set>

#include "viz/marks/cursor_box.h"
#include "viz/marks/glyphs.h"
#include "viz/messages.h"

namespace lockstep::viz {

using namespace message;

namespace {

constexpr Words kRoundOf{"round {0} of {1}", "第 {0} 轮，共 {1} 轮"};
constexpr Words kRoundOfInBrief{"{0}/{1}", "{0}/{1}"};
constexpr Words kKeyToAdd{"to be added", "将要相加"};
constexpr Words kKeyOwn{"its own value", "原有的值"};
constexpr Words kKeyOperand{"what the cursor's lane adds", "光标通道的加数"};
constexpr Words kKeyKept{"kept, or idle", "保留的值，或空闲"};
constexpr Words kStride{" · stride {0}", " · 间距 {0}"};

}  // namespace

void ReductionStage::label(u32 row, const std::string& name, const std::string& note, bool current) {
    const f32 y = top_ + f32(row) * pitch_ + tall_ / 2, x = left_ - labels_;
    canvas_.textWithin({x, y}, labels_ - 10, name, {.size = type::kCode, .bold = current, .role = role(current ? RoleKind::Text : RoleKind::TextSecond)});
    if (pitch_ >= kNoted) canvas_.textWithin({x, y + 14}, labels_ - 10, note, {.size = type::kAxis, .role = role(RoleKind::TextThird)});
}

std::string ReductionStage::strideText(u32 round) const {
    std::set<u64> strides;
    for (const Addition& a : facts_.rounds[round])
        for (const Addend& from : a.from) strides.insert(from.place > a.to ? from.place - a.to : a.to - from.place);
    return strides.size() == 1 ? say(in_.language, kStride, *strides.begin()) : std::string();
}

std::array<std::string, 3> ReductionStage::roundNames(u32 round) const {
    const std::string stride = strideText(round), name = say(in_.language, kTreeRound, round + 1) + stride;
    if (!facts_.isScan) return {name, name, name};
    const std::size_t all = facts_.rounds.size();
    return {say(in_.language, kRoundOf, round + 1, all) + stride, name, say(in_.language, kRoundOfInBrief, round + 1, all) + stride};
}

std::vector<std::string> ReductionStage::namesOfRounds() const {
    const TextStyle style{.size = type::kCode, .bold = true};
    std::vector<std::array<std::string, 3>> names;
    for (u32 round = 0; round < facts_.rounds.size(); ++round) names.push_back(roundNames(round));
    std::size_t form = 0;
    const auto fits = [&](const auto& name) { return canvas_.width(name[form], style) <= labels_ - 10; };
    while (form < 2 && !std::ranges::all_of(names, fits)) ++form;
    std::vector<std::string> chosen;
    for (auto& name : names) chosen.push_back(std::move(name[form]));
    return chosen;
}

void ReductionStage::drawHeads(const Rect& body) {
    if (firstRow_ == 0) label(0, say(in_.language, kTreeStart, facts_.array.name), "", !started());
    if (columns_ && firstRow_ == 0) columns_->drawHead(canvas_, columnsLeft_, top_ - 9, top_ + std::max(tall_ / 2, 8.0f));
    const std::vector<std::string> names = namesOfRounds();
    for (u32 r = firstRow_ ? firstRow_ - 1 : 0; r + 1 < endRow_; ++r) {
        const bool isCurrent = started() && current() == r;
        if (isCurrent) canvas_.rect({body.x, top_ + f32(r + 1) * pitch_ - 4, body.width, std::max(tall_ + 8, pitch_ >= kNoted ? tall_ / 2 + 28 : 0)}, {.fill = role(RoleKind::Panel)});
        const Work work = workOf(r);
        label(r + 1, names[r], say(in_.language, kTreeWorking, work.adding, here_.block->threads), isCurrent);
        if (columns_) drawColumns(r, isCurrent, isAhead(r));
        else if (work.divided && pitch_ >= tall_ / 2 + 36) canvas_.textWithin({left_ - labels_, top_ + f32(r + 1) * pitch_ + tall_ / 2 + 26}, labels_ - 10, say(in_.language, kTreeSplit, work.divided), {.size = type::kAxis, .role = role(RoleKind::TextThird)});
    }
}

void ReductionStage::drawColumns(u32 round, bool isCurrent, bool ahead) {
    const Rect row{columnsLeft_, top_ + f32(round + 1) * pitch_, columns_->width(), tall_};
    columns_->drawRound(canvas_, columnsLeft_, row, round, warpsIn(round), ahead);
    const std::optional<Rect> lane = columns_->laneAt(columnsLeft_, row, in_.cursor.warp, in_.cursor.lane);
    if (isCurrent && lane) cursorBox(canvas_, *lane, 3);
}

void ReductionStage::drawKeys(Point at) {
    const Role mine = warpRole(in_.cursor.warp);
    std::vector<KeyRow> rows = {{[mine](Canvas& c, Point p) { c.rect({p.x - 8, p.y - 6, 16, 12}, {.fill = mine, .radius = 2}); }, say(in_.language, kKeyAdds)},
                           {[](Canvas& c, Point p) { c.rect({p.x - 7.5f, p.y - 5.5f, 15, 11}, {.stroke = {role(RoleKind::Line)}, .radius = 2}); }, say(in_.language, kKeyIdle)}};
    const auto curve = [](Stroke stroke) { return [stroke](Canvas& c, Point p) { c.curve({Point{p.x + 8, p.y - 7}, {p.x + 8, p.y + 3}, {p.x - 4, p.y + 4}, {p.x - 8, p.y + 7}}, stroke); }; };
    if (columns_) rows.push_back({[](Canvas& c, Point p) { fork(c, p, role(RoleKind::Text)); }, say(in_.language, kKeyDivides)});
    if (drew_.kept) rows[1].text = say(in_.language, kKeyKept);
    if (drew_.operand) rows.push_back({[](Canvas& c, Point p) { c.rect({p.x - 7, p.y - 5, 14, 10}, {.stroke = {role(RoleKind::Text), 1.5f}, .radius = 2}); }, say(in_.language, kKeyOperand)});
    if (drew_.added) rows.push_back({curve({mine, 2}), say(in_.language, kKeyAdded)});
    if (drew_.toAdd) rows.push_back({curve({mine, 1, Dash::Dotted}), say(in_.language, kKeyToAdd)});
    if (drew_.next) rows.push_back({[mine, dash = nextDash()](Canvas& c, Point p) { c.rect({p.x - 7.5f, p.y - 5.5f, 15, 11}, {.stroke = {mine, 1, dash}, .radius = 2}); }, say(in_.language, kKeyAddsNext)});
    if (drew_.own) rows.push_back({[](Canvas& c, Point p) { c.line({p.x, p.y - 8}, {p.x, p.y + 8}, {role(RoleKind::Edge, 0.7f)}); }, say(in_.language, kKeyOwn)});
    if (facts_.places > kWarpSize) rows.push_back({[](Canvas& c, Point p) { c.line({p.x, p.y - 8}, {p.x, p.y + 8}, {role(RoleKind::Edge), 1, Dash::Sparse}); }, say(in_.language, kKeyWarpEdge)});
    rows.push_back({[](Canvas& c, Point p) { cursorBox(c, {p.x - 7, p.y - 5, 14, 10}, 3); }, say(in_.language, kKeyCursor)});
    keyRow(canvas_, at, in_.size.width - 2 * space::kInset, rows);
}

}  // namespace lockstep::viz
