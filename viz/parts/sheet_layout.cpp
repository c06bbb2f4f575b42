#include "viz/parts/sheet_layout.h"

#include <algorithm>
#include <numeric>

namespace lockstep::viz {

f32 SheetLayout::weightOf(const Sheet& sheet) {
    return std::clamp(f32(std::min<u64>(sheet.shownColumns(), 128)), 8.0f, 64.0f);
}

f32 SheetLayout::weightOf(const std::vector<Sheet>& sheets) {
    return std::accumulate(sheets.begin(), sheets.end(), 0.0f,
                           [](f32 sum, const Sheet& sheet) { return sum + weightOf(sheet); });
}

SheetLayout::Fit SheetLayout::fitOf(const std::vector<Sheet>& sheets, const Rect& area) const {
    const f32 weights = weightOf(sheets), room = area.width - kGap * f32(sheets.size() - 1);
    Fit fit;
    f32 rows = 0;
    for (const Sheet& sheet : sheets) {
        fit.beside =
            std::min({fit.beside, (room * weightOf(sheet) / weights - gutter_) / f32(sheet.shownColumns()),
                      (area.height - title_) / f32(sheet.shownRows())});
        fit.above = std::min(fit.above, (area.width - gutter_) / f32(sheet.shownColumns()));
        rows += f32(sheet.shownRows());
    }
    fit.above = std::min(
        fit.above, (area.height - f32(sheets.size()) * title_ - f32(sheets.size() - 1) * kApart) / rows);
    return fit;
}

// 32 elements of a vector to a row, as a warp reads them, or more where that makes for clearly larger cells.
std::vector<Sheet> SheetLayout::folded(const std::vector<const Sheet*>& sheets, const Rect& area) const {
    constexpr f32 kClearly = 1.3f;
    std::vector<Sheet> chosen;
    f32 best = 0;
    for (u64 columns = kWarpSize; columns <= 8 * kWarpSize; columns *= 2) {
        std::vector<Sheet> tried;
        for (const Sheet* sheet : sheets)
            tried.push_back(*sheet);
        for (Sheet& sheet : tried)
            if (sheet.isVector) sheet.columns = std::min(sheet.elements, columns), sheet.showAll();
        const f32 cell = fitOf(tried, area).best();
        if (chosen.empty() || cell > kClearly * best) best = cell, chosen = std::move(tried);
    }
    return chosen;
}

std::vector<Sheet> SheetLayout::fitted(const std::vector<const Sheet*>& wanted, const Rect& area) const {
    std::vector<Sheet> sheets = folded(wanted, area);
    if (fitOf(sheets, area).best() >= kNumbered) return sheets;
    constexpr u64 kMargin = 1;
    for (Sheet& sheet : sheets)
        if (sheet.part && sheet.buffer) {
            const explain::CellRange around = partAround(sheet);
            sheet.window = {around.firstRow - std::min(around.firstRow, kMargin),
                            std::min(around.endRow + kMargin, sheet.rows()),
                            around.firstColumn - std::min(around.firstColumn, kMargin),
                            std::min(around.endColumn + kMargin, sheet.columns)};
        }
    return sheets;
}

// The same place in all matrices of one shape.
explain::CellRange SheetLayout::partAround(const Sheet& sheet) const {
    explain::CellRange whole = sheet.part->around(sheet.columns);
    for (const auto& [number, part] : parts_.buffers) {
        const explain::CellRange range = part.around(sheet.columns);
        whole = {std::min(whole.firstRow, range.firstRow), std::max(whole.endRow, range.endRow),
                 std::min(whole.firstColumn, range.firstColumn), std::max(whole.endColumn, range.endColumn)};
    }
    return whole;
}

bool SheetLayout::isClearer(const std::vector<const Sheet*>& all, const Rect& whole,
                            const std::vector<std::pair<std::vector<const Sheet*>, Rect>>& rows) const {
    constexpr f32 kClearly = 1.15f;
    f32 least = kLargestCell;
    for (const auto& [sheets, area] : rows)
        least = std::min(least, fitOf(fitted(sheets, area), area).best());
    return fitOf(fitted(all, whole), whole).best() > kClearly * least;
}

void SheetLayout::showMoreRows(std::vector<Sheet>& sheets, u64 most) {
    for (Sheet& sheet : sheets) {
        if (!sheet.part || !sheet.buffer || sheet.shownRows() >= most) continue;
        const u64 rows = std::min(most, sheet.rows()), more = rows - sheet.shownRows();
        sheet.window.firstRow =
            std::min(sheet.window.firstRow - std::min(sheet.window.firstRow, more / 2), sheet.rows() - rows);
        sheet.window.endRow = sheet.window.firstRow + rows;
    }
}

}  // namespace lockstep::viz
