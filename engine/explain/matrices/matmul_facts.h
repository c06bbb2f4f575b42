// What the focus block of a matrix multiply did, read from its recorded accesses: which thread fetched which
// element of M and N into which place of its shared tile, and what every thread has summed so far. Nothing is
// assumed of the kernel but the matrices' names; where its addresses follow the textbook's indices, threads
// whose test failed get the cell they asked for.
#pragma once

#include "explain/arrays/matrix.h"
#include "explain/arrays/shared_arrays.h"
#include "explain/cursor/lookup.h"
#include "explain/matrices/matmul_products.h"
#include "explain/shape.h"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lockstep::explain {

// One thread brings one element into a shared tile.
struct Transfer {
    Warp warp;
    Lane lane;
    u32 round = 0;                // how many elements this thread had stored into the tile before
    std::optional<u32> loadStep;  // none: nothing was read, the kernel made the value up
    u32 storeStep = 0;
    u32 loadOrder = 0, storeOrder = 0;  // of those steps within the block
    u64 place = 0;                      // element of the tile
    std::span<const std::byte> bytes;   // of the value, as read or else as stored
    std::string value;                  // as text, in the cursor's round and its neighbors
    std::optional<CellIndex> asked;     // by the thread's coordinates, where they explain the addresses
    std::optional<CellIndex> read;      // by the address; may lie outside of the matrix
    bool outside = false;               // read, and not an element of the matrix at all
    bool isAlias() const { return asked && read && !outside && !(*asked == *read); }
    bool isCopy() const { return loadStep == storeStep; }  // cp.async: through no register
};

struct Operand {
    Matrix matrix;
    std::optional<SharedArray> tile;
    std::vector<Transfer> transfers;  // of the cursor's round and its neighbors
    bool anyAlias = false;            // in any round of the block
};

enum class Activity : u8 { SetUp, Load, Keep, Multiply, Result };  // Keep: from the register into the tile
struct Doing {
    Activity activity = Activity::SetUp;
    bool onN = false;
};

// The last pair of factors that a thread has read up to the cursor, or the first of a pair alone, and the sum
// of all its products so far.
struct Accumulator {
    struct Factor {
        u64 place = 0;
        f64 value = 0;
    };  // place: element of the tile, or of the matrix where there is none
    std::optional<Factor> m, n;
    f64 sum = 0;
    u32 products = 0;
    std::optional<f64> stored;  // what it wrote to P, once it has
    std::optional<CellIndex> storedAt;
};

struct MatmulFacts {
    Operand m, n;
    Matrix p;
    Dim3 threads;           // of a block: the tile's extents
    bool textbook = false;  // Row = blockIdx.y * blockDim.y + threadIdx.y and so on explains every address
    bool swapped = false;   // the same with x and y exchanged
    u32 round = 0, rounds = 0;  // the cursor's, and of the block
    u32 order = 0;              // of the cursor's step
    Activity activity = Activity::SetUp;
    bool onN = false;     // Load and Keep: of N, not of M
    bool between = true;  // the cursor's step itself makes no such access: `activity` is that of the last one
    u32 accessStep = 0;   // the cursor's, or between two that of the last one; the cursor's before the first
    std::optional<Doing> next;                         // between two: that of the one to come
    std::shared_ptr<const MatmulProducts> products{};  // of the block's threads
    mutable std::map<std::pair<u32, u32>, Accumulator>
        sums;  // by warp and lane, those that have been asked for
    bool tiled() const { return m.tile && n.tile; }
    CellIndex elementOf(Dim3 block, Dim3 thread) const;  // of P, by the coordinates
};

// What of the facts holds for the whole block, wherever in it the cursor stands.
struct MatmulBlock {
    // Where a Transfer is in the recording: a block makes tens of thousands of them, of which few are looked
    // at.
    struct Moved {
        static constexpr u32 kMadeUp = 0xffffffffu;
        u32 loadStep = kMadeUp, storeStep = 0;
        u16 warp = 0;
        u8 lane = 0, loadLane = 0;  // of the store; of the load, which a shuffle may have handed on
        u8 loadPart : 4 = 0, storePart : 4 = 0;  // element of a vector access
    };
    MatmulFacts facts;                     // without transfers, round, order and activity
    std::vector<std::vector<Moved>> m, n;  // by round
};
// Whose rows, whose columns, and the product.
struct MatmulRoles {
    Matrix m, n, p;
};
// By their names, as the catalog's variants call them. None: there are no M, N and P.
std::optional<MatmulRoles> matmulRoles(const Recorded& run);
// As their use shows them (explain/shape.h).
MatmulRoles matmulRoles(const Recorded& run, const ProvedShape& proved);

// None where the cursor's block was not recorded or cannot be followed, and
// where a thread computes several elements.
std::optional<MatmulBlock> matmulBlock(const Recorded& run, const Cursor& cursor, const MatmulRoles& roles,
                                       const std::shared_ptr<const LazyFlow>& flow);
std::optional<MatmulBlock> matmulBlock(const Recorded& run, const Cursor& cursor);  // by name

// None where there is no such block, or nothing was recorded at the cursor.
std::optional<MatmulFacts> matmulFacts(const Recorded& run, const Cursor& cursor);
std::optional<MatmulFacts> matmulFacts(const Recorded& run, const Cursor& cursor, const MatmulBlock& block);

// Worked out once a thread and kept in the facts.
const Accumulator& accumulatorOf(const Recorded& run, const MatmulFacts& facts,
                                 const trace::FocusBlock& block, Warp warp, Lane lane);

}  // namespace lockstep::explain
