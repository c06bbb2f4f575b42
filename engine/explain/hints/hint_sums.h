// Figures of a rule, added up by line of the source: what a loop unrolled into many instructions costs is one
// hint.
#pragma once

#include "explain/hints/hint_rules.h"

#include <map>
#include <tuple>

namespace lockstep::explain {

// Sum has a u64 `excess`.
template <class Sum> class SumsByLine {
public:
    // group: tells apart what stands in one line, loads and stores for example.
    Sum& at(const ptx::Module& module, LaunchId launch, Pc pc, u32 group) {
        const HintPlace place = placeOf(module, launch, pc);
        const auto key = std::tuple(place.line.file, place.line.line ? place.line.line : pc.value,
                                    place.line.line == 0, group);
        const auto [found, isNew] = sums_.try_emplace(key);
        if (isNew) found->second.place = place;
        return found->second.sum;
    }
    // each: of a place and its sum.
    template <class Each> void forEach(Each&& each) const {
        for (const auto& [key, entry] : sums_)
            each(entry.place, entry.sum);
    }

private:
    struct Entry {
        HintPlace place;
        Sum sum{};
    };
    std::map<std::tuple<u32, u32, bool, u32>, Entry> sums_;
};

// A hint of the line, with everything but the sentences.
inline Hint hintAt(const HintPlace& place, HintUnit unit, u64 excess, u64 total) {
    return {.rule = {},
            .launch = place.launch,
            .pc = place.pc,
            .line = place.line,
            .unit = unit,
            .excess = excess,
            .total = total,
            .what = {},
            .cure = {}};
}

}  // namespace lockstep::explain
