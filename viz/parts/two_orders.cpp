#include "viz/parts/two_orders.h"

#include "base/text/counted.h"
#include "explain/order/order_text.h"
#include "explain/sentences/words.h"
#include "viz/cursor/lookup.h"
#include "viz/marks/fitting_text.h"

#include <algorithm>

namespace lockstep::viz {
namespace {

constexpr Words kEarlier = english("{0} earlier {0:turn|turns}"),
                kOthers = english("{0} {0:turn|turns} of other warps");
constexpr Words kLine = english("line {0}"), kLines = english("lines {0} to {1}");
constexpr Words kWarp = english("warp {0}"), kBlock = english("block {0}");
constexpr Words kWarps = english("of a column", "warp"), kBlocks = english("of a column", "block");
constexpr Words kMoreWarps = english("{0} more {0:warp|warps} not shown");
constexpr Words kTurnHover =
    english("Warp {0} of block {1}: {2} {2:access|accesses} to shared or global memory in a row.");

constexpr f32 kRow = 22, kWordsLine = 17, kLeastColumn = 28, kWidestColumn = 90, kTimeLine = 10, kGap = 8;
constexpr u32 kMostTitle = 5;  // lines
constexpr f32 kTitleLine = type::kBody * type::kLineHeight, kHeadLine = type::kAxis * type::kLineHeight;
const TextStyle kTitleStyle{.bold = true};
const TextStyle kRacingWords{.size = type::kCode, .bold = true};
constexpr std::size_t kMostColumns = 8, kMostTurns = 64;

auto placeOf(const WarpColumn& c) { return std::tuple(c.block.z, c.block.y, c.block.x, c.warp.value); }

std::vector<WarpColumn> columnsOf(const TwoOrders& orders, std::size_t& racingOnes) {
    std::vector<WarpColumn> racing, others;
    const auto add = [](std::vector<WarpColumn>& to, const WarpColumn& column) {
        if (std::ranges::find(to, column) == to.end()) to.push_back(column);
    };
    for (const explain::OrderTurns* turns : {&orders.recorded, &orders.changed})
        for (const explain::Turn& turn : turns->turns)
            add(turn.racing ? racing : others, {turn.block, turn.warp});
    std::ranges::sort(racing, {}, placeOf);
    std::ranges::sort(others, {}, placeOf);
    racingOnes = racing.size();
    for (const WarpColumn& column : others)
        add(racing, column);
    return racing;
}

class OrderDrawing {
public:
    OrderDrawing(Canvas& canvas, const ViewInput& in, const Rect& area, const TwoOrders& orders,
                 bool isChanged)
        : canvas_(canvas),
          in_(in),
          orders_(orders),
          turns_(isChanged ? orders.changed : orders.recorded),
          log_(isChanged ? *orders.bad->changed : *orders.bad->recorded),
          area_{area.x + kTimeLine, area.y, area.width - kTimeLine, area.height} {
        f32 words = 0;
        for (const explain::Turn& turn : turns_.turns)
            if (turn.racing) words = std::max(words, canvas_.width(wordsOf(turn), kRacingWords));
        const f32 beside = area_.width - words - kGap - 4, most = 0.6f * area_.width;
        wordsBelow_ = beside < f32(orders.racing) * kLeastColumn;
        const f32 room = wordsBelow_ ? most : std::min(beside, most);
        const std::size_t shown = std::clamp<std::size_t>(std::size_t(room / kLeastColumn), 1, kMostColumns);
        columns_.assign(orders.columns.begin(),
                        orders.columns.begin() + std::ptrdiff_t(std::min(shown, orders.columns.size())));
        std::ranges::sort(columns_, {}, placeOf);
        column_ = std::min(kWidestColumn, room / f32(std::max<std::size_t>(1, columns_.size())));
        notes_ = area_.x + column_ * f32(columns_.size()) + kGap;
    }

    f32 leastHeight(std::string_view title) const {
        f32 height = headHeight(title);
        for (const explain::Turn& turn : turns_.turns)
            if (turn.racing) height += heightOf({&turn, 0});
        return height;
    }

    void draw(std::string_view title) {
        if (headHeight(title) > area_.height) return;
        const f32 titleHeight =
            kTitleLine * f32(canvas_.paragraph({area_.x, area_.y + kTitleLine / 2}, area_.width, title,
                                               kTitleStyle, type::kLineHeight, kMostTitle));
        canvas_.hit({area_.x, area_.y, area_.width, titleHeight}, {.hover = std::string(title)});
        const f32 heads = drawHeads(area_.y + titleHeight + 4);
        drawTurns(heads + 4);
    }

private:
    f32 headHeight(std::string_view title) const {
        const std::size_t lines = canvas_.wrap(title, area_.width, kTitleStyle).size();
        return kTitleLine * f32(std::min<std::size_t>(kMostTitle, lines)) +
               (hasBlocks() ? 2 : 1) * kHeadLine + 8;
    }
    bool hasBlocks() const {
        return std::ranges::any_of(
            orders_.columns, [&](const WarpColumn& c) { return c.block != orders_.columns.front().block; });
    }
    // Block and warp, one under the other where blocks differ, in as few words as have room. Returns where
    // they end.
    f32 drawHeads(f32 y) {
        constexpr f32 kLine = kHeadLine;
        const TextStyle style{.size = type::kAxis, .bold = true, .align = Align::Centre};
        const LaunchId launch = turns_.turns.empty() ? LaunchId{} : turns_.turns.front().launch;
        const Dim3 grid = explain::launchOf(in_.run, launch).grid;
        const bool hasBlocks = this->hasBlocks();
        const f32 bottom = y + (hasBlocks ? 2 : 1) * kLine, room = column_ - 4;
        // All in the same words; where they have no room only as numbers, beside which stands what of.
        const auto fits = [&](auto&& nameOf) {
            return std::ranges::all_of(columns_, [&](const WarpColumn& column) {
                return canvas_.width(nameOf(column), style) <= room;
            });
        };
        const auto block = [&](const WarpColumn& column) {
            return say(in_.language, kBlock, coordinates(column.block, grid));
        };
        const auto warp = [&](const WarpColumn& column) {
            return say(in_.language, kWarp, column.warp.value);
        };
        const bool namesBlocks = fits(block), namesWarps = fits(warp);
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const f32 x = area_.x + (f32(i) + 0.5f) * column_;
            const WarpColumn& column = columns_[i];
            if (hasBlocks)
                canvas_.text({x, y + kLine / 2},
                             namesBlocks ? block(column) : shortCoordinates(column.block, grid), style);
            canvas_.text({x, bottom - kLine / 2},
                         namesWarps ? warp(column) : std::to_string(column.warp.value), style);
        }
        if (hasBlocks && !namesBlocks) drawIfItFits({notes_, y + kLine / 2}, say(in_.language, kBlocks));
        if (!namesWarps) drawIfItFits({notes_, bottom - kLine / 2}, say(in_.language, kWarps));
        if (const std::size_t missing = orders_.columns.size() - columns_.size(); missing > 0 && namesWarps)
            drawIfItFits({notes_, bottom - kLine / 2}, say(in_.language, kMoreWarps, grouped(missing)));
        return bottom;
    }
    void drawIfItFits(Point at, const std::string& text) {
        const TextStyle style{.size = type::kAxis, .role = role(RoleKind::TextThird)};
        if (at.x + canvas_.width(text, style) <= area_.right()) canvas_.text(at, text, style);
    }

    // What stands in a row: a turn, or so many turns in a row of warps that have no column.
    struct Row {
        const explain::Turn* turn = nullptr;
        std::size_t others = 0;
        bool isRacing() const { return turn && turn->racing; }
    };
    bool hasColumn(const explain::Turn& turn) const {
        return std::ranges::find(columns_, WarpColumn{turn.block, turn.warp}) != columns_.end();
    }
    f32 heightOf(const Row& row) const {
        if (!row.isRacing() || !wordsBelow_) return kRow;
        return kRow +
               kWordsLine * f32(canvas_.wrap(wordsOf(*row.turn), area_.width - 4, kRacingWords).size()) + 2;
    }
    // The racing ones are what it is about: of what has no room, the earliest others go.
    std::vector<Row> shownRows(f32 room, std::size_t& hidden) const {
        std::vector<Row> rows;
        for (const explain::Turn& turn : turns_.turns) {
            if (turn.racing || hasColumn(turn))
                rows.push_back({&turn, 0});
            else if (!rows.empty() && !rows.back().turn)
                ++rows.back().others;
            else
                rows.push_back({nullptr, 1});
        }
        f32 needed = 0;
        for (const Row& row : rows)
            needed += heightOf(row);
        hidden = turns_.before;
        while (needed + (hidden > 0 ? kRow : 0) > room) {
            const auto first = std::ranges::find_if(rows, [](const Row& row) { return !row.isRacing(); });
            if (first == rows.end()) break;
            hidden += first->turn ? 1 : first->others;
            rows.erase(first);
            needed -= kRow;
        }
        return rows;
    }

    void drawTurns(f32 y) {
        std::size_t hidden = 0;
        const std::vector<Row> rows = shownRows(area_.bottom() - y, hidden);
        f32 needed = 0;
        for (const Row& row : rows)
            needed += heightOf(row);
        if (hidden > 0 && y + kRow + needed <= area_.bottom()) {
            drawIfItFits({area_.x, y + kRow / 2}, say(in_.language, kEarlier, grouped(hidden)));
            y += kRow;
        }
        const f32 from = y;
        for (const Row& row : rows) {
            const f32 height = heightOf(row);
            if (y + height > area_.bottom() + 1) break;
            if (row.turn)
                drawTurn(*row.turn, {area_.x, y, area_.width, height});
            else
                drawIfItFits({notes_, y + kRow / 2}, say(in_.language, kOthers, grouped(row.others)));
            y += height;
        }
        if (y > from)
            canvas_.line({area_.x - kTimeLine / 2, from}, {area_.x - kTimeLine / 2, y},
                         {role(RoleKind::Edge)}, 6);
    }

    // The lines of code that it executes: one, or from the first to the last.
    std::string linesText(const explain::Turn& turn) const {
        const auto [first, last] = std::ranges::minmax(turn.lines);
        if (first == 0) return {};
        return first == last ? say(in_.language, kLine, first) : say(in_.language, kLines, first, last);
    }
    std::string wordsOf(const explain::Turn& turn) const {
        return turn.racing ? explain::textOf(*turn.racing, log_, in_.run).in(in_.language) : linesText(turn);
    }

    void drawTurn(const explain::Turn& turn, const Rect& row) {
        if (turn.racing) canvas_.rect(row, {.fill = role(RoleKind::Finding, 0.14f), .radius = radius::kCell});
        const auto at = std::ranges::find(columns_, WarpColumn{turn.block, turn.warp});
        const std::size_t number = std::size_t(at - columns_.begin());
        if (number < columns_.size()) drawBox(turn, {area_.x + f32(number) * column_, row.y, column_, kRow});
        const std::string words = wordsOf(turn);
        if (!turn.racing)
            drawIfItFits({notes_, row.y + kRow / 2}, words);
        else if (wordsBelow_)
            canvas_.paragraph({row.x + 4, row.y + kRow + kWordsLine / 2}, row.width - 4, words, kRacingWords);
        else
            canvas_.text({notes_, row.y + kRow / 2}, words, kRacingWords);
        const Dim3 grid = explain::launchOf(in_.run, turn.launch).grid;
        const std::string lines = linesText(turn);
        canvas_.hit(row, {.hover = say(in_.language, kTurnHover, turn.warp.value,
                                       coordinates(turn.block, grid), turn.accesses) +
                                   (lines.empty() ? "" : "\n" + lines) + (turn.racing ? "\n" + words : ""),
                          .go = turn.racing ? explain::stepOf(*turn.racing, log_, in_.run) : std::nullopt});
    }
    void drawBox(const explain::Turn& turn, const Rect& cell) {
        const Rect box = cell.inset(2);
        const Role fill = warpRole(turn.warp);
        canvas_.rect(box, {.fill = fill,
                           .stroke = {turn.racing ? role(RoleKind::Finding) : Role{}, 2},
                           .radius = radius::kCell});
        const std::string line = turn.lines.size() == 1 ? std::to_string(turn.lines[0]) : std::string();
        const TextStyle style{
            .size = type::kAxis, .bold = true, .mono = true, .align = Align::Centre, .role = inkOn(fill)};
        if (!line.empty() && turn.lines[0] && canvas_.width(line, style) < box.width)
            canvas_.text(box.centre(), line, style);
    }

    Canvas& canvas_;
    const ViewInput& in_;
    const TwoOrders& orders_;
    const explain::OrderTurns& turns_;
    const simt::AccessLog& log_;
    const Rect area_;
    std::vector<WarpColumn> columns_;
    bool wordsBelow_ = false;  // they have no room beside the columns
    f32 column_ = 0, notes_ = 0;
};

}  // namespace

TwoOrders twoOrdersOf(const run::Run& run, const run::OrderSearch& search) {
    TwoOrders orders;
    if (!search.bad || !search.bad->parting) return orders;
    orders.bad = &*search.bad;
    const run::BadOrder& bad = *search.bad;
    const explain::RacingAccesses racing = explain::racingAccesses(*bad.parting, *bad.recorded, *bad.changed);
    orders.recorded = explain::turnsOf(*bad.recorded, racing.recorded, *run.module, kMostTurns);
    orders.changed = explain::turnsOf(*bad.changed, racing.changed, *run.module, kMostTurns);
    orders.columns = columnsOf(orders, orders.racing);
    return orders;
}

void drawOrder(Canvas& canvas, const ViewInput& in, const Rect& area, const TwoOrders& orders, bool isChanged,
               std::string_view title) {
    OrderDrawing(canvas, in, area, orders, isChanged).draw(title);
}

f32 leastHeightOfOrder(Canvas& canvas, const ViewInput& in, f32 width, const TwoOrders& orders,
                       bool isChanged, std::string_view title) {
    return OrderDrawing(canvas, in, {0, 0, width, 0}, orders, isChanged).leastHeight(title);
}

}  // namespace lockstep::viz
