// Of the stage of patches: a magnifier for the element at the cursor, where the cells of tiles and matrices
// are too small for numbers.
#include "base/device_addresses.h"
#include "explain/numbers.h"
#include "viz/messages.h"
#include "viz/stages/matmul/patch_drawing.h"

#include <algorithm>

namespace lockstep::viz {

using namespace message;
using explain::Activity;

void PatchStage::drawLoupe() {
    if (in_.isPresented || layout_.main.cell >= kLeastValueCell) return;
    if (const std::optional<Loupe> loupe = loupeAtCursor()) loupe->draw(canvas_, roomForLoupe());
}

Rect PatchStage::roomForLoupe() const {
    constexpr f32 kApart = 14;
    const MatrixCross &map = layout_.map, &main = layout_.main;
    const Rect& registers = layout_.registers;
    const f32 right = std::min(main.m.x, leftOfNames_) - kApart;
    Rect beside{}, below{};
    if (map.cell > 0) {
        const f32 name = canvas_.width(facts_.block->p.name, {.size = type::kBody, .bold = true}),
                  left = map.pArea().right() + name + kApart,
                  bottom = registers.width > 0 && registers.y > map.n.y ? registers.y : map.pArea().bottom();
        beside = {left, map.n.y + 4, right - left, bottom - kApart - map.n.y};
    }
    if (registers.width > 0) {
        const f32 top =
            registers.y + kAboveRegisters + f32(extents_.rows.size() + 1) * kTallestRegister + kApart;
        below = {registers.x, top, std::min(registers.right(), right) - registers.x,
                 registers.bottom() - top};
    }
    const auto areaOf = [](const Rect& r) { return std::max(0.0f, r.width) * std::max(0.0f, r.height); };
    return areaOf(below) > areaOf(beside) ? below : beside;
}

std::optional<Loupe> PatchStage::loupeAtCursor() const {
    if (facts_.activity == Activity::Load) {
        for (const Transfer& t : facts_.transfers(facts_.onN))
            if (isNow(t) && isCursor(t.warp, t.lane) && t.read && !t.outside)
                return matrixLoupe(facts_.operand(facts_.onN).matrix, *t.read);
        return std::nullopt;
    }
    if (facts_.activity != Activity::Keep && facts_.activity != Activity::Multiply) return std::nullopt;
    const PatchOperand& operand = facts_.operand(facts_.onN);
    if (operand.tile) {
        const std::optional<u64> place = placeAtCursor(operand);
        return place ? std::optional(tileLoupe(operand, *place)) : std::nullopt;
    }
    if (facts_.block->isTiled() || !facts_.product) return std::nullopt;
    return matrixLoupe(operand.matrix, (facts_.onN ? facts_.product->n : facts_.product->m).cell);
}

std::optional<u64> PatchStage::placeAtCursor(const PatchOperand& operand) const {
    std::optional<u64> address;
    if (facts_.product) {
        address = (facts_.onN ? facts_.product->n : facts_.product->m).address;
    } else if (facts_.activity == Activity::Keep) {
        for (const Transfer& t : facts_.transfers(facts_.onN))
            if (isNow(t) && isCursor(t.warp, t.lane)) return t.place;
    } else if (here_.access && here_.access->active.has(in_.cursor.lane)) {
        address = here_.warp->address(*here_.access, in_.cursor.lane);
    }
    return address && operand.holds(*address) ? std::optional(operand.placeOf(*address)) : std::nullopt;
}

Loupe PatchStage::matrixLoupe(const Matrix& m, CellIndex cell) const {
    const Buffer& buffer = in_.run.recording.initial[m.buffer];
    return {.title = cellName(m, cell),
            .rows = m.rows,
            .columns = m.columns,
            .row = u64(std::max<s64>(0, cell.row)),
            .column = u64(std::max<s64>(0, cell.column)),
            .cellOf = [this, &m, &buffer](u64 row, u64 column) {
                const u64 element = row * m.columns + column;
                if (element >= buffer.count()) return LoupeCell{.fill = role(RoleKind::Inactive)};
                const std::string value =
                    explain::numberText(buffer.valueAt(element), explain::isFloatElement(buffer.type), 6);
                return LoupeCell{
                    .value = value,
                    .hover = say(in_.language, kCellIs, cellName(m, {s64(row), s64(column)}), value),
                    .standsFor = ValueCell{.at = addressOf(m, element)}};
            }};
}

Loupe PatchStage::tileLoupe(const PatchOperand& operand, u64 place) const {
    const explain::SharedArray& tile = *operand.tile;
    const u64 columns = std::max<u64>(1, tile.columns());
    return {.title = tile.nameOf(place),
            .rows = tile.elements() / columns,
            .columns = columns,
            .row = place / columns,
            .column = place % columns,
            .cellOf = [this, &operand, columns, kept = keptIn(operand.isN)](u64 row, u64 column) {
                const u64 at = row * columns + column;
                const ValueCell standsFor{.of = ValueCell::Of::Shared,
                                          .at = operand.tile->base + at * operand.tile->elementBytes};
                const auto found = kept.find(at);
                if (found == kept.end())
                    return LoupeCell{.fill = role(RoleKind::Inactive), .standsFor = standsFor};
                const Transfer& t = *found->second;
                const bool isStale = t.round < facts_.round(operand.isN);
                return LoupeCell{.value = t.value,
                                 .fill = isStale ? role(RoleKind::Inactive) : laneColor(t.warp, t.lane),
                                 .hover = say(in_.language, kCellIs, operand.tile->nameOf(at), t.value),
                                 .standsFor = standsFor};
            }};
}

}  // namespace lockstep::viz
