// What the cells of a picture stand for: elements of the run's arrays, and what these hold at the cursor.
#pragma once

#include "explain/arrays/sheet_touches.h"
#include "viz/cursor/lookup.h"
#include "viz/view.h"

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::viz {

// An element whatever the run: of which array, and its row and column there; or the number of a thread.
struct CellIdentity {
    ValueCell::Of of = ValueCell::Of::Global;
    std::string_view array;
    u64 row = 0, column = 0;
    u32 version = 0;  // ValueCell::row
    auto operator<=>(const CellIdentity&) const = default;
};

// What a cell holds: bytes of memory, or the number that the picture shows instead. None of both: nothing is
// known to stand there.
struct HeldInCell {
    std::array<std::byte, 8> bytes{};
    u32 size = 0;
    ptx::Type type = ptx::Type::F32;
    std::optional<f64> number{};

    bool isEmpty() const { return size == 0 && !number; }
    std::string text() const;
    bool operator==(const HeldInCell& other) const;
};

// The arrays of a run, with what they hold at the cursor as far as its block's record tells.
class CellMemory {
public:
    explicit CellMemory(const ViewInput& in);
    std::optional<CellIdentity> identityOf(const ValueCell& cell) const;
    // None: this run has no such element.
    std::optional<HeldInCell> heldAt(const CellIdentity& which);

private:
    using Seen = std::map<u64, explain::SheetTouches::Seen>;
    HeldInCell heldIn(std::size_t number, u64 element);

    CursorContext here_;
    explain::BlockParts none_;
    std::optional<explain::SheetTouches> touches_;
    std::vector<explain::Sheet> sheets_;
    std::map<std::size_t, std::optional<Seen>> seen_;
};

}  // namespace lockstep::viz
