#include "viz/stages/transpose/transpose_loupe.h"

#include "base/device_addresses.h"
#include "explain/numbers.h"
#include "viz/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace lockstep::viz {
namespace {

using explain::kNever, explain::Moved;

constexpr u32 kCharacters = 6;

}  // namespace

std::vector<Loupe> TransposeLoupe::loupes() const {
    const auto isDone = [&](u32 when) { return when < order || (when == order && in.motion >= 1); };
    const auto cellOf = [&](const std::string& name, std::optional<f64> value) {
        if (!value) return LoupeCell{.value = {}, .fill = role(RoleKind::Inactive), .hover = {}};
        const std::string text = explain::numberText(*value, true, kCharacters);
        return LoupeCell{.value = text, .hover = say(in.language, message::kCellIs, name, text)};
    };
    const auto nameOf = [](const explain::Matrix& m, u64 row, u64 column) {
        return fmt::format("{}[{}][{}]", m.name, row, column);
    };
    const auto ofMatrix = [this](const explain::Matrix& m, u64 at) {
        const u64 bytes = info(in.run.recording.initial[m.buffer].type).bytes;
        return ValueCell{.at = deviceAddressOf(m.buffer) + at * bytes};
    };
    const auto matrixLoupe = [&](const explain::Matrix& m, u64 at, auto&& valueAt) {
        const explain::CellIndex cell = m.cellOf(at);
        return Loupe{.title = nameOf(m, u64(cell.row), u64(cell.column)),
                     .rows = m.rows,
                     .columns = m.columns,
                     .row = u64(cell.row),
                     .column = u64(cell.column),
                     .cellOf = [=](u64 row, u64 column) {
                         const u64 here = row * m.columns + column;
                         LoupeCell shown = cellOf(nameOf(m, row, column), valueAt(here));
                         shown.standsFor = ofMatrix(m, here);
                         return shown;
                     }};
    };
    std::vector<Loupe> all;
    const Buffer* buffer = &in.run.recording.initial[facts.in.buffer];
    all.push_back(matrixLoupe(facts.in, element.from, [buffer](u64 at) {
        return at < buffer->count() ? std::optional(buffer->valueAt(at)) : std::nullopt;
    }));
    if (facts.tile && element.kept != kNever && facts.tile->shape.size() == 2) {
        std::map<u64, const Moved*> held;  // by place: the newest
        for (const Moved& m : facts.moved)
            if (const Moved*& newest = held[m.place];
                m.kept != kNever && isDone(m.kept) && (!newest || newest->kept < m.kept))
                newest = &m;
        const explain::SharedArray& tile = *facts.tile;
        const u64 columns = std::max<u64>(1, tile.columns());
        all.push_back({.title = tile.nameOf(element.place),
                       .rows = tile.elements() / columns,
                       .columns = columns,
                       .row = element.place / columns,
                       .column = element.place % columns,
                       .cellOf = [=, this](u64 row, u64 column) {
                           const auto found = held.find(row * columns + column);
                           LoupeCell shown = cellOf(facts.tile->nameOf(row * columns + column),
                                                    found != held.end() && found->second
                                                        ? std::optional(found->second->value)
                                                        : std::nullopt);
                           shown.standsFor = ValueCell{
                               .of = ValueCell::Of::Shared,
                               .at = facts.tile->base + (row * columns + column) * facts.tile->elementBytes};
                           return shown;
                       }});
    }
    if (element.stored != kNever) {
        std::map<u64, f64> stored;
        for (const Moved& m : facts.moved)
            if (m.stored != kNever && isDone(m.stored)) stored[m.to] = m.value;
        all.push_back(matrixLoupe(facts.out, element.to, [stored](u64 at) {
            const auto found = stored.find(at);
            return found == stored.end() ? std::nullopt : std::optional(found->second);
        }));
    }
    return all;
}

void TransposeLoupe::draw(Canvas& canvas, const Rect& area) const {
    constexpr f32 kApart = 26;
    const std::vector<Loupe> all = loupes();
    // As many columns each as leave room for all.
    const auto widthOf = [&](u32 columns) {
        f32 wide = kApart * f32(all.size() - 1);
        for (const Loupe& loupe : all)
            wide += loupe.widthOf(canvas, columns);
        return wide;
    };
    u32 columns = Loupe::kMostColumns;
    while (columns > Loupe::kLeast && widthOf(columns) > area.width)
        --columns;
    f32 x = area.x;
    for (const Loupe& loupe : all) {
        const Rect room{x, area.y, std::min(loupe.widthOf(canvas, columns), area.right() - x), area.height};
        if (const auto took = loupe.draw(canvas, room)) x += took->width + kApart;
    }
}

}  // namespace lockstep::viz
