// The products that the threads of a matrix multiply add up: which load of M and which load of N each of
// their multiplications takes, followed back from its two factors.
#pragma once

#include "explain/lazy_flow.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace lockstep::explain {

class MatmulProducts {
public:
    // One element that a thread has loaded.
    struct Factor {
        u32 step = 0;
        u32 part = 0;  // of a vector
    };
    struct Product {
        Factor m, n;
        // Of the later load: from then on both factors are there.
        u32 ready() const { return std::max(m.step, n.step); }
    };
    enum class Side : u8 { Neither, M, N };
    // Whose elements lie at an address: of the tiles, or of the matrices where there are none.
    using SideOf = std::function<Side(trace::Space space, u64 address)>;

    // bytes: of an element. The run stays the caller's, and its cursor's block is meant.
    MatmulProducts(const Recorded& run, const trace::FocusBlock& block, std::shared_ptr<const LazyFlow> flow,
                   SideOf sideOf);

    // By when both factors are loaded. Found once a thread.
    const std::vector<Product>& of(Warp warp, Lane lane) const;

private:
    std::vector<Product> find(Warp warp, Lane lane) const;

    Recorded run_;
    const trace::FocusBlock& block_;
    std::shared_ptr<const LazyFlow> flow_;
    SideOf sideOf_;
    mutable std::map<std::pair<u32, u32>, std::vector<Product>> found_;  // by warp and lane
};

}  // namespace lockstep::explain
