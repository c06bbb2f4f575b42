#include "viz/scene/reading_blocks.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

namespace lockstep::viz {
namespace {

using Row = std::vector<PlacedText>;

// In a table, texts of different sizes have baselines a little apart.
constexpr f32 kSameBaseline = 0.5f, kSameRow = 4, kAligned = 2;

// From the top, each from the left.
std::vector<Row> rowsOf(std::vector<PlacedText> texts, f32 apart) {
    std::ranges::stable_sort(texts, {}, &PlacedText::y);
    std::vector<Row> rows;
    for (PlacedText& text : texts) {
        if (rows.empty() || text.y - rows.back().front().y > apart) rows.emplace_back();
        rows.back().push_back(std::move(text));
    }
    for (Row& row : rows)
        std::ranges::stable_sort(row, {}, &PlacedText::left);
    return rows;
}

// Parts of one text that are drawn one after another, in different faces or colors.
Row joined(const Row& row) {
    constexpr f32 kSpace = 7;
    Row out;
    for (const PlacedText& text : row)
        if (!out.empty() && text.left - out.back().right < kSpace)
            out.back().text += (text.left - out.back().right > 1 ? " " : "") + text.text,
                out.back().right = text.right, out.back().isMono = out.back().isMono && text.isMono;
        else
            out.push_back(text);
    return out;
}

// Of rows below each other: where columns begin and end, so that no text lies in two of them.
struct Column {
    f32 left = 0, right = 0;
};

bool isLineOfCode(const Row& row) { return row.size() == 1 && row.front().isMono; }

// Figures are in that face too.
bool areCode(std::span<const Row> rows) {
    constexpr std::size_t kLongerThanFigures = 16;
    return rows.size() > 1 && std::ranges::all_of(rows, isLineOfCode) &&
           std::ranges::any_of(rows,
                               [](const Row& row) { return row.front().text.size() >= kLongerThanFigures; });
}

// Keeps the columns in order, and apart from each other.
void widen(std::vector<Column>& columns, const PlacedText& by) {
    Column column{by.left, by.right};
    auto first = std::ranges::find_if(columns, [&](const Column& c) { return c.right > column.left; });
    auto last = first;
    for (; last != columns.end() && last->left < column.right; ++last)
        column = {std::min(column.left, last->left), std::max(column.right, last->right)};
    columns.insert(columns.erase(first, last), column);
}

std::vector<Column> columnsOf(std::span<const Row> rows) {
    std::vector<Column> columns;
    for (const Row& row : rows)
        for (const PlacedText& text : row)
            widen(columns, text);
    return columns;
}

// Rows begin to end of a page have panels beside each other, which part at x.
struct Panels {
    std::size_t begin = 0, end = 0;
    f32 x = 0;
};

bool isDense(std::size_t texts) { return texts >= 3; }

// The texts of a row before and after x are no further from each other than the row's texts are anyway.
bool goesOnAcross(const Row& row, std::size_t ofLeft) {
    constexpr f32 kFurther = 1.3f;
    if (row.size() < 4) return false;
    std::vector<f32> gaps;
    for (std::size_t i = 0; i + 1 < row.size(); ++i)
        gaps.push_back(row[i + 1].left - row[i].right);
    const f32 across = gaps[ofLeft - 1];
    const auto middle = gaps.begin() + std::ptrdiff_t(gaps.size() / 2);
    std::ranges::nth_element(gaps, middle);
    return across < kFurther * *middle;
}

// How many baselines of one have one of the other beside them. Both in order.
std::size_t alignedOf(std::span<const f32> a, std::span<const f32> b) {
    std::size_t aligned = 0;
    for (std::size_t i = 0, k = 0; i < a.size() && k < b.size();)
        if (std::fabs(a[i] - b[k]) <= kAligned)
            ++aligned, ++i, ++k;
        else
            ++(a[i] < b[k] ? i : k);
    return aligned;
}

// Between two columns. Rows of panels stand on baselines of their own; or the panels are grids, which are
// further apart than their columns.
bool partsPanels(std::span<const Row> rows, std::span<const Column> columns, std::size_t before) {
    constexpr f32 kFurther = 1.8f;
    constexpr std::size_t kFewest = 2, kFewestOfGrids = 2;
    if (areCode(rows)) return false;  // indented
    const f32 x = columns[before].right;
    std::vector<f32> left, right;  // baselines
    std::size_t ofGrids = 0;
    for (const Row& row : rows) {
        const auto begins =
            std::ranges::partition_point(row, [&](const PlacedText& t) { return t.left < x; });
        const auto ofLeft = std::size_t(begins - row.begin()), ofRight = row.size() - ofLeft;
        if (ofLeft > 0) left.push_back(row.front().y);
        if (ofRight > 0) right.push_back(row.front().y);
        if (ofLeft > 0 && ofRight > 0 && goesOnAcross(row, ofLeft)) return false;
        ofGrids += isDense(ofLeft) && isDense(ofRight);
    }
    // In tall ones some baselines meet by chance.
    const std::size_t fewer = std::min(left.size(), right.size()), aligned = alignedOf(left, right);
    if (aligned == 0 ? fewer >= kFewest : fewer >= 6 && 3 * aligned <= fewer) return true;
    if (ofGrids < kFewestOfGrids) return false;
    f32 widest = 0;
    for (std::size_t i = 0; i + 1 < columns.size(); ++i)
        if (i != before) widest = std::max(widest, columns[i + 1].left - columns[i].right);
    return columns[before + 1].left - x > kFurther * widest;
}

// Those of the most rows.
std::optional<Panels> panelsOf(std::span<const Row> rows) {
    constexpr f32 kGutter = 16;
    std::optional<Panels> found;
    for (std::size_t begin = 0; begin < rows.size(); ++begin) {
        std::vector<Column> columns;
        for (std::size_t end = begin + 1; end <= rows.size(); ++end) {
            for (const PlacedText& text : rows[end - 1])
                widen(columns, text);
            bool hasGutter = false;
            for (std::size_t i = 0; i + 1 < columns.size(); ++i) {
                if (columns[i + 1].left - columns[i].right < kGutter) continue;
                hasGutter = true;
                if (found && end - begin <= found->end - found->begin) continue;
                if (partsPanels(rows.subspan(begin, end - begin), columns, i))
                    found = Panels{begin, end, columns[i].right};
            }
            if (!hasGutter && columns.size() < 2 && end > begin + 1) break;
        }
    }
    return found;
}

bool fitsInto(const std::vector<Column>& columns, const Row& row) {
    std::size_t used = columns.size();
    for (const PlacedText& text : row) {
        const auto at = std::ranges::find_if(columns, [&](const Column& column) {
            return text.left >= column.left - 0.5f && text.left < column.right;
        });
        const auto index = std::size_t(at - columns.begin());
        if (at == columns.end() || index == used) return false;
        used = index;
    }
    return true;
}

// A lone text that is further below the table than its rows are apart.
bool isBelowTable(std::span<const Row> rows, std::size_t begin, std::size_t end) {
    if (rows[end].size() > 1 || end < begin + 2) return false;
    const auto gapAbove = [&](std::size_t row) { return rows[row].front().y - rows[row - 1].front().y; };
    return gapAbove(end) > 1.25f * gapAbove(end - 1);
}

ReadingBlock blockOf(std::span<const Row> rows) {
    const std::vector<Column> columns = columnsOf(rows);
    ReadingBlock block;
    for (const Row& row : rows) {
        std::vector<std::string> cells(rows.size() > 1 ? columns.size() : 0);
        for (const PlacedText& text : row) {
            if (rows.size() == 1) {
                cells.push_back(text.text);
                continue;
            }
            const auto at =
                std::ranges::find_if(columns, [&](const Column& column) { return text.left < column.right; });
            cells[std::size_t(at - columns.begin())] = text.text;
        }
        block.rows.push_back(std::move(cells));
    }
    return block;
}

ReadingBlock codeOf(std::span<const Row> rows) {
    const auto leftOf = [](const Row& row) { return row.front().left; };
    const f32 left = leftOf(std::ranges::min(rows, {}, leftOf));
    ReadingBlock block{.rows = {}, .isCode = true};
    for (const Row& row : rows) {
        const PlacedText& line = row.front();
        const f32 letter = (line.right - line.left) / f32(line.text.size());
        block.rows.push_back(
            {std::string(std::size_t(std::lround((line.left - left) / letter)), ' ') + line.text});
    }
    return block;
}

// A table as long as each row's texts have columns of their own, and there are at least two of them.
void readRows(std::span<const Row> lines, std::vector<ReadingBlock>& into) {
    std::vector<PlacedText> texts;
    for (const Row& line : lines)
        std::ranges::copy(line, std::back_inserter(texts));
    const std::vector<Row> rows = rowsOf(std::move(texts), kSameRow);
    for (std::size_t begin = 0; begin < rows.size();) {
        std::size_t end = begin + 1;
        while (isLineOfCode(rows[begin]) && end < rows.size() && isLineOfCode(rows[end]))
            ++end;
        if (const auto lines = std::span(rows).subspan(begin, end - begin); areCode(lines)) {
            into.push_back(codeOf(lines));
            begin = end;
            continue;
        }
        end = begin + 1;
        bool isTable = rows[begin].size() > 1;
        while (isTable && end < rows.size() && !isBelowTable(rows, begin, end)) {
            const std::span<const Row> all = std::span(rows).subspan(begin, end + 1 - begin);
            const std::vector<Column> columns = columnsOf(all);
            isTable = columns.size() > 1 &&
                      std::ranges::all_of(all, [&](const Row& row) { return fitsInto(columns, row); });
            if (isTable) ++end;
        }
        into.push_back(blockOf(std::span(rows).subspan(begin, end - begin)));
        begin = end;
    }
}

std::vector<Row> sideOf(std::span<const Row> rows, f32 x, bool isLeft) {
    std::vector<Row> side;
    for (const Row& row : rows) {
        Row part;
        std::ranges::copy_if(row, std::back_inserter(part),
                             [&](const PlacedText& text) { return (text.left < x) == isLeft; });
        if (!part.empty()) side.push_back(std::move(part));
    }
    return side;
}

// Above the texts of a row.
f32 topOf(const Row& row) { return row.front().y - 16; }

// Those that a line is drawn between, and no text goes across it.
std::optional<Panels> panelsOf(std::span<const Row> rows, const Divider& divider) {
    const auto isAbove = [](f32 y) { return [y](const Row& row) { return row.front().y < y; }; };
    const auto begin = std::ranges::partition_point(rows, isAbove(divider.top)),
               end = std::ranges::partition_point(rows, isAbove(divider.bottom));
    bool hasLeft = false, hasRight = false;
    for (auto row = begin; row != end; ++row)
        for (const PlacedText& text : *row) {
            if (text.left < divider.x && text.right > divider.x) return std::nullopt;
            (text.left < divider.x ? hasLeft : hasRight) = true;
        }
    if (!hasLeft || !hasRight) return std::nullopt;
    return Panels{std::size_t(begin - rows.begin()), std::size_t(end - rows.begin()), divider.x};
}

std::optional<Panels> panelsOf(std::span<const Row> rows, std::span<const Divider> dividers) {
    for (const Divider& divider : dividers)
        if (const std::optional<Panels> panels = panelsOf(rows, divider)) return panels;
    return panelsOf(rows);
}

void read(std::span<const Row> rows, const Rect& area, std::span<const Divider> dividers,
          ReadingOrder& into) {
    const std::optional<Panels> panels = panelsOf(rows, dividers);
    if (!panels) {
        readRows(rows, into.blocks);
        return into.areas.push_back(area);
    }
    const f32 top = panels->begin > 0 ? topOf(rows[panels->begin]) : area.y,
              bottom = panels->end < rows.size() ? topOf(rows[panels->end]) : area.bottom();
    const auto part = [&](std::span<const Row> of, const Rect& where) {
        if (!of.empty()) read(of, where, dividers, into);
    };
    part(rows.first(panels->begin), {area.x, area.y, area.width, top - area.y});
    const std::span<const Row> beside = rows.subspan(panels->begin, panels->end - panels->begin);
    part(sideOf(beside, panels->x, true), {area.x, top, panels->x - area.x, bottom - top});
    part(sideOf(beside, panels->x, false), {panels->x, top, area.right() - panels->x, bottom - top});
    part(rows.subspan(panels->end), {area.x, bottom, area.width, area.bottom() - bottom});
}

}  // namespace

ReadingOrder readingOrder(std::vector<PlacedText> texts, Size size, std::span<const Divider> dividers) {
    std::vector<Row> rows = rowsOf(std::move(texts), kSameBaseline);
    for (Row& row : rows)
        row = joined(row);
    ReadingOrder order;
    read(rows, {0, 0, size.width, size.height}, dividers, order);
    return order;
}

}  // namespace lockstep::viz
