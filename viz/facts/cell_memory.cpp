#include "viz/facts/cell_memory.h"

#include "explain/numbers.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>

namespace lockstep::viz {
namespace {

using explain::Sheet;

ValueCell::Of ofOf(const Sheet& sheet) {
    return sheet.space == trace::Space::Shared ? ValueCell::Of::Shared : ValueCell::Of::Global;
}

}  // namespace

std::string HeldInCell::text() const {
    return isEmpty() ? std::string()
           : number  ? explain::numberText(*number, true)
                     : explain::valueText(std::span(bytes).first(size), type);
}

bool HeldInCell::operator==(const HeldInCell& other) const {
    if (isEmpty() || other.isEmpty()) return isEmpty() == other.isEmpty();
    if (number && other.number)
        return *number == *other.number || (std::isnan(*number) && std::isnan(*other.number));
    if (!number && !other.number && size == other.size && bytes == other.bytes) return true;
    // Of a number and of memory what can be told apart; of two unequal ones in memory: both are no
    // number.
    return text() == other.text() && (number || other.number || text() == "NaN");
}

CellMemory::CellMemory(const ViewInput& in) : here_(lookUp(in.run, in.cursor)) {
    if (here_.block) touches_.emplace(in.run, in.cursor, here_);
    sheets_ = explain::sheetsOf(in.run, in.cursor.launch, none_);
}

std::optional<CellIdentity> CellMemory::identityOf(const ValueCell& cell) const {
    if (cell.of == ValueCell::Of::Thread)
        return CellIdentity{.of = cell.of, .array = {}, .row = 0, .column = cell.at, .version = cell.row};
    for (const Sheet& sheet : sheets_) {
        if (ofOf(sheet) != cell.of || !sheet.contains(cell.at)) continue;
        const u64 element = (cell.at - sheet.base) / sheet.bytes;
        return CellIdentity{.of = cell.of,
                            .array = sheet.name,
                            .row = sheet.isMatrix ? element / sheet.columns : 0,
                            .column = sheet.isMatrix ? element % sheet.columns : element,
                            .version = cell.row};
    }
    return std::nullopt;
}

std::optional<HeldInCell> CellMemory::heldAt(const CellIdentity& which) {
    for (std::size_t i = 0; i < sheets_.size(); ++i) {
        const Sheet& sheet = sheets_[i];
        if (ofOf(sheet) != which.of || sheet.name != which.array) continue;
        if (sheet.isMatrix && (which.column >= sheet.columns || which.row >= sheet.rows()))
            return std::nullopt;
        const u64 element = sheet.isMatrix ? which.row * sheet.columns + which.column : which.column;
        if (!sheet.isMatrix && which.row > 0) return std::nullopt;
        return element < sheet.elements ? std::optional(heldIn(i, element)) : std::nullopt;
    }
    return std::nullopt;
}

HeldInCell CellMemory::heldIn(std::size_t number, u64 element) {
    const Sheet& sheet = sheets_[number];
    std::optional<Seen>& seen = seen_[number];
    if (!seen) seen = touches_ ? touches_->before(sheet) : Seen{};
    if (const auto found = seen->find(element); found != seen->end())
        return {.bytes = found->second.bytes, .size = found->second.size, .type = found->second.type};
    HeldInCell held{.type = sheet.type};
    if (sheet.buffer && element < sheet.buffer->count()) {
        held.size = std::min<u32>(sheet.bytes, u32(held.bytes.size()));
        std::memcpy(held.bytes.data(), &sheet.buffer->bytes[element * sheet.bytes], held.size);
    }
    return held;
}

}  // namespace lockstep::viz
