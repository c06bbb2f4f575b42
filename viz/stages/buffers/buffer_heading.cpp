// What stands above a sheet and beside it: its name, which part of it is shown, and the numbers of its rows
// and columns.
#include "base/text/counted.h"
#include "viz/messages.h"
#include "viz/parts/cut_array.h"
#include "viz/phrases.h"
#include "viz/stages/buffers/buffer_drawing.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::viz {

using namespace message;

std::string BufferStage::countText(const Sheet& sheet) const {
    const u64 each = sheet.components();
    return each > 1 ? say(in_.language, kElementsOfBytes, grouped(sheet.sourceElements()), each * sheet.bytes)
                    : say(in_.language, kElements, grouped(sheet.elements));
}

// "[20–33][0–31]"; of three dimensions "[1][4–9][0–63]", or "[0][12]–[1][3], [0–63]" of several planes.
std::string BufferStage::indicesOf(const Sheet& sheet, const explain::CellRange& shown) {
    const u64 plane = sheet.rowsOfPlane(), last = shown.endRow - 1,
              columns = shown.endColumn - shown.firstColumn;
    if (plane >= sheet.rows()) return cutOf(sheet, shown).indices();
    const std::string across = fmt::format("[{}]", spanText(shown.firstColumn, columns));
    const u64 firstPlane = shown.firstRow / plane, lastPlane = last / plane;
    if (firstPlane == lastPlane)
        return fmt::format("[{}][{}]{}", firstPlane,
                           spanText(shown.firstRow % plane, shown.endRow - shown.firstRow), across);
    return fmt::format("[{}][{}]–[{}][{}], {}", firstPlane, shown.firstRow % plane, lastPlane, last % plane,
                       across);
}

CutArray BufferStage::cutOf(const Sheet& sheet, const explain::CellRange& shown) {
    return {.rows = {shown.firstRow, shown.endRow - shown.firstRow},
            .columns = {shown.firstColumn, shown.endColumn - shown.firstColumn},
            .allRows = sheet.rows(),
            .allColumns = sheet.columns};
}

std::vector<std::string> BufferStage::partNames(const Sheet& sheet, const std::string& size,
                                                const explain::CellRange& shown) const {
    const CutArray cut = cutOf(sheet, shown);
    if (!cut.isCut()) return {};
    if (sheet.isMatrix) return cut.names(in_.language, indicesOf(sheet, shown), size);
    if (cut.columns.count < sheet.columns && cut.rows.count > 1)
        return namesOfSome(in_.language, cut.rows.count * cut.columns.count / sheet.components(),
                           sheet.sourceElements());
    const u64 each = sheet.components(), first = shown.firstRow * sheet.columns + shown.firstColumn,
              end = cut.rows.count > 1 ? shown.endRow * sheet.columns
                                       : shown.firstRow * sheet.columns + shown.endColumn,
              last = std::max<u64>(1, std::min(end, sheet.elements)) - 1;
    return namesOfPart(in_.language, {first / each, last / each + 1 - first / each}, sheet.sourceElements(),
                       size);
}

// Behind the array's name: which part of it is shown, in smaller letters rather than not at all; else how
// large it is.
f32 BufferStage::drawShape(Point at, f32 room, TextStyle style, const std::vector<std::string>& parts,
                           const std::vector<std::string>& shapes) {
    f32 drawn = 0;
    const auto draw = [&](const std::vector<std::string>& texts) {
        for (const std::string& text : texts)
            if (const f32 wide = canvas_.width(text, style); wide <= room) {
                canvas_.text(at, text, style);
                drawn = wide;
                return true;
            }
        return false;
    };
    const f32 size = style.size;
    if (draw(parts)) return drawn;
    style.size = type::kAxis;
    if (draw(parts)) return drawn;
    style.size = size;
    if (parts.empty()) {
        draw(shapes);
        return drawn;
    }
    std::vector<std::string> some;  // the size alone would call a part the whole
    some.reserve(shapes.size());
    for (const std::string& shape : shapes)
        some.push_back(say(in_.language, kPartOfSize, shape));
    if (draw(some)) return drawn;
    style.size = type::kAxis;
    draw(some);
    return drawn;
}

void BufferStage::drawHeading(const SheetOnShow& on, const Rect& area, f32 room) {
    const Sheet& sheet = on.sheet;
    const std::string shape = sheet.isMatrix ? sheet.shapeText() : countText(sheet), size = sheet.sizeText();
    // Smaller where the name and how large the array is have no room side by side.
    TextStyle name{.size = type::kTitle, .bold = true},
        note{.size = type::kCode, .role = role(RoleKind::TextSecond)};
    for (const auto& [letters, small] :
         {std::pair{type::kTitle, type::kCode}, {type::kBody, type::kAxis}, {type::kAxis, type::kAxis}}) {
        name.size = letters, note.size = small;
        if (canvas_.width(sheet.name, name) + kBehindName + canvas_.width(size, note) <= room) break;
    }
    const Point at{area.x, area.y + 10};
    const f32 wide = canvas_.textWithin(at, room, sheet.name, name);
    const std::vector<std::string> parts = partNames(sheet, shape, on.seen);
    const f32 left = area.x + wide + kBehindName,
              more = drawShape({left, at.y}, room - wide - kBehindName, note, parts, {shape, size});
    right_ = std::max({right_, area.x + wide, more > 0 ? left + more : 0});
    if (!parts.empty())
        canvas_.hit({area.x, area.y, more > 0 ? left + more - area.x : wide, 20},
                    {.hover = scrollText(in_.language, shape, parts.front(), sheet.name)});
}

void BufferStage::drawIndices(const SheetOnShow& on) {
    const Sheet& sheet = on.sheet;
    const auto apart = [&](f32 room) {
        u64 step = 1;
        while (f32(step) * on.cell < room)
            step *= 2;
        return step;
    };
    // As the source counts, where its elements are vectors that rows begin and end with.
    const u64 each = sheet.columns % sheet.components() == 0 ? sheet.components() : 1;
    TextStyle style = kIndexStyle;
    style.align = Align::Centre;
    const u64 everyColumn = apart(canvas_.width(std::to_string(on.seen.endColumn), style) + 5),
              everyRow = apart(12);
    for (u64 c = on.seen.firstColumn; c < on.seen.endColumn; ++c)
        if (const f32 x = on.boxOf(0, c).centre().x;
            c % everyColumn == 0 && c % each == 0 && x > on.view.x && x < on.view.right())
            canvas_.text({x, on.grid.y - 8}, std::to_string(c / each), style);
    style.align = Align::Right;
    for (u64 r = on.seen.firstRow; r < on.seen.endRow; ++r)
        if (const f32 y = on.boxOf(r, 0).centre().y;
            r % everyRow == 0 && y > on.view.y && y < on.view.bottom())
            canvas_.text({on.grid.x - 5, y},
                         std::to_string(sheet.isMatrix ? r % sheet.rowsOfPlane() : r * sheet.columns / each),
                         style);
}

}  // namespace lockstep::viz
