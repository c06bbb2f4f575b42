// Values in the order in which they come from one another.
#pragma once

#include "explain/block_flow.h"

#include <optional>
#include <vector>

namespace lockstep::explain {

// Calls make(origin, inputs) for `root` and all that it comes from, each after its sources, until
// known(root). known(origin): the id of what was made, if it was. addSources(origin, sources): appends them.
// False once isFull(). Depth first, without recursion: a sum of thousands of terms is as deep as it is long.
template <class Id, class Known, class AddSources, class Make, class IsFull>
bool makeAfterSources(const Origin& root, Known&& known, AddSources&& addSources, Make&& make,
                      IsFull&& isFull) {
    std::vector<Origin> open{root}, sources;
    std::vector<Id> inputs;
    while (!open.empty()) {
        if (isFull()) return false;
        const Origin origin = open.back();
        if (known(origin)) {
            open.pop_back();
            continue;
        }
        const std::size_t before = open.size();
        sources.clear(), inputs.clear();
        addSources(origin, sources);
        for (const Origin& source : sources)
            if (const std::optional<Id> input = known(source))
                inputs.push_back(*input);
            else
                open.push_back(source);
        if (open.size() > before) continue;
        open.pop_back();
        make(origin, inputs);
    }
    return true;
}

}  // namespace lockstep::explain
