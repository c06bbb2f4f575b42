// The sums that one thread of a matrix product keeps, as its instructions make them: which products each adds
// up, step by step, and which element of P it becomes. One sum a thread is the textbook's kernel; several, a
// patch of P, are register tiling.
#pragma once

#include "explain/arrays/matrix.h"
#include "explain/lazy_flow.h"
#include "explain/shape.h"

#include <functional>
#include <optional>
#include <vector>

namespace lockstep::explain {

struct ThreadSums {
    struct Factor {
        u32 step = 0, part = 0;  // the load, of a vector its element
        Lane lane;               // that loaded it: another's where a shuffle handed it on
        u64 address = 0;
        CellIndex cell;  // of M, or of N
        f64 value = 0;
    };
    struct Product {
        Factor m, n;
        u32 step = 0;         // in which it is added
        u32 sum = 0;          // to which
        bool isFused = true;  // multiplied and added in one, rounded once
        ptx::Type type = ptx::Type::F32;
    };
    struct Sum {
        CellIndex cell;                // of P: where it is stored, else by its first factors' row and column
        std::optional<u32> storeStep;  // none: it is stored nowhere
        std::optional<f64> stored;
        std::optional<f64> start = 0;  // none: the record does not tell
    };
    std::vector<Product> products;  // by step
    std::vector<Sum> sums;          // by row and column

    // Of one sum, after the thread's first `steps` steps.
    struct Now {
        u32 products = 0;
        std::optional<f64> sum;
        std::optional<f64> stored;
    };
    std::vector<Now> after(u32 steps) const;  // of all of them
};

// Which element of M or N a thread has loaded from there; none: another.
struct FactorOf {
    bool isN = false;
    CellIndex cell;
};
using FactorAt = std::function<std::optional<FactorOf>(trace::Space space, u64 address)>;

ThreadSums threadSums(const Recorded& run, const trace::FocusBlock& block, const BlockFlow& flow, Warp warp,
                      Lane lane, const Matrix& p, const FactorAt& factorAt);

}  // namespace lockstep::explain
