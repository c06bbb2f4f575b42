// The counter's pattern of each shape, by its number (ShapeTable): looked up once per shape.
#pragma once

#include "simt/memory/lane_addresses.h"
#include "trace/pattern_counter.h"

#include <optional>
#include <vector>

namespace lockstep::simt {

class ShapePatterns {
public:
    // Of another counter.
    void clear() { known_.clear(); }
    // Of an access, whose distances `shape` has; site: any number of the instruction and its space.
    // example(): the access. nullptr: the counter has too many of them.
    template <class Example>
    trace::PatternCounter::Shape* of(trace::PatternCounter& counter, std::size_t site,
                                     const AddressShape& shape, Example example) {
        if (site >= known_.size()) known_.resize(site + 1);
        auto& known = known_[site];
        if (shape.id >= known.size()) known.resize(shape.id + 1);
        if (!known[shape.id]) known[shape.id] = counter.shapeOf(example());
        return *known[shape.id];
    }

private:
    std::vector<std::vector<std::optional<trace::PatternCounter::Shape*>>> known_;  // by site, shape
};

}  // namespace lockstep::simt
