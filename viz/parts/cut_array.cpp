#include "viz/parts/cut_array.h"

#include "base/text/counted.h"
#include "base/text/punctuation.h"
#include "base/text/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace lockstep::viz {
namespace {

constexpr Words kRowsShown = english("{0} of {1} {2:row|rows}");
constexpr Words kColumnsShown = english("{0} of {1} {2:column|columns}");
constexpr Words kElementsShown = english("{0} of {1} {2:element|elements}");
constexpr Words kRowsInBrief = english("{0}/{1} {2:row|rows}");
constexpr Words kColumnsInBrief = english("{0}/{1} {2:column|columns}");
constexpr Words kElementsInBrief = english("{0}/{1} {2:element|elements}");
constexpr Words kShownAt = english("{0}: {1}");
constexpr Words kIndicesOfSize = english("{0} of {1}");
constexpr Words kScrollHover =
    english("{0}, {1}. Drag the cells, or turn the wheel with Shift held, to see the rest of {2}.");

std::string countOf(Language language, const Words& words, u64 shown, u64 all) {
    return say(language, words, grouped(shown), grouped(all), all);
}

struct Counts {
    std::string whole, inBrief;
};
std::vector<std::string> namesOf(Language language, const Counts& counts, const std::string& indices,
                                 const std::string& size) {
    return {say(language, kShownAt, counts.whole, indices), counts.whole, counts.inBrief,
            say(language, kIndicesOfSize, indices, size)};
}

}  // namespace

std::string spanText(u64 first, u64 count) {
    return count <= 1 ? grouped(first) : fmt::format("{}–{}", grouped(first), grouped(first + count - 1));
}

std::string CutArray::indices() const {
    return fmt::format("[{}][{}]", spanText(rows.first, rows.count), spanText(columns.first, columns.count));
}

std::vector<std::string> CutArray::names(Language language, const std::string& indices,
                                         const std::string& size) const {
    const auto countIn = [&](const Words& ofRows, const Words& ofColumns) {
        std::string count;
        if (rows.count < allRows) count = countOf(language, ofRows, rows.count, allRows);
        if (columns.count < allColumns)
            count += (count.empty() ? std::string() : listComma(language)) +
                     countOf(language, ofColumns, columns.count, allColumns);
        return count;
    };
    if (!isCut()) return {};
    return namesOf(language, {countIn(kRowsShown, kColumnsShown), countIn(kRowsInBrief, kColumnsInBrief)},
                   indices, size);
}

Beyond CutArray::beyond(f32 cell) const {
    return {.left = f32(columns.first) * cell,
            .top = f32(rows.first) * cell,
            .right = f32(allColumns - columns.first - columns.count) * cell,
            .bottom = f32(allRows - rows.first - rows.count) * cell};
}

void CutArray::drawThumbs(Canvas& canvas, const Rect& cells) const {
    constexpr f32 kWide = 3, kApart = 3;
    const auto along = [](f32 length, Lines shown, u64 all) {
        constexpr f32 kLeast = 8;
        const f32 tall = std::min(length, std::max(f32(kLeast), length * f32(f64(shown.count) / f64(all)))),
                  from = (length - tall) * f32(f64(shown.first) / f64(std::max<u64>(1, all - shown.count)));
        return std::pair{from, tall};
    };
    const RectStyle style{.fill = role(RoleKind::Edge), .radius = kWide / 2};
    if (rows.count < allRows) {
        const auto [from, tall] = along(cells.height, rows, allRows);
        canvas.rect({cells.right() + kApart, cells.y + from, kWide, tall}, style);
    }
    if (columns.count < allColumns) {
        const auto [from, wide] = along(cells.width, columns, allColumns);
        canvas.rect({cells.x + from, cells.bottom() + kApart, wide, kWide}, style);
    }
}

std::string scrollText(Language language, const std::string& size, const std::string& part,
                       const std::string& array) {
    return say(language, kScrollHover, size, part, array);
}

std::vector<std::string> namesOfSome(Language language, u64 shown, u64 all) {
    return {countOf(language, kElementsShown, shown, all), countOf(language, kElementsInBrief, shown, all)};
}

std::vector<std::string> namesOfPart(Language language, Lines elements, u64 all, const std::string& size) {
    if (elements.count >= all) return {};
    return namesOf(language,
                   {countOf(language, kElementsShown, elements.count, all),
                    countOf(language, kElementsInBrief, elements.count, all)},
                   fmt::format("[{}]", spanText(elements.first, elements.count)), size);
}

}  // namespace lockstep::viz
