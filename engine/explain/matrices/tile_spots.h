// Where the elements of a matrix stand in a shared tile, found from what was stored there: which row or
// column of the matrix each place is of, and how far along the sums (k). Tiles may be flat arrays, padded,
// transposed, swizzled, or several that are filled in turn.
#pragma once

#include "base/integers.h"

#include <optional>
#include <span>
#include <vector>

namespace lockstep::explain {

// One element that came from memory into a tile.
struct KeptElement {
    u32 round = 0;  // which filling of the tile
    u64 place = 0;  // element of the array
    s64 line = 0;   // row of M or column of N
    s64 k = 0;      // column of M or row of N
};

struct TileSpots {
    struct Spot {
        u32 line = 0,
            k = 0;  // from the tile's first; k of the second of two tiles counts on behind the first's
        bool operator==(const Spot&) const = default;
    };
    std::vector<std::optional<Spot>> spots;  // by place
    std::vector<s64> firstLine{}, firstK{};  // of the matrix, by round
    u32 lines = 0, depth = 0, copies = 1;    // depth: of one copy
    bool isTransposed = false;               // its rows run along the columns of M, or along the rows of N

    std::optional<Spot> at(u64 place) const {
        return place < spots.size() ? spots[place] : std::optional<Spot>();
    }
    u32 wide() const { return depth * copies; }  // along k
};

// rows: whether the lines are rows (of M). filled: places of each round that anything was stored to, zeros
// that the kernel made included. None: no rule, and no table either, says what the places stand for.
std::optional<TileSpots> tileSpots(std::span<const KeptElement> kept,
                                   std::span<const std::vector<u64>> filled, u64 places, bool rows);

}  // namespace lockstep::explain
