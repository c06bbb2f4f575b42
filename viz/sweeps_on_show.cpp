#include "viz/sweeps_on_show.h"

#include <algorithm>

namespace lockstep::viz {
namespace {

bool areAlike(const run::Sweep& a, const run::Sweep& b) {
    return a.family == b.family && a.parameter == b.parameter && a.fixed == b.fixed;
}

}  // namespace

const run::Sweep* SweepsOnShow::find(const run::Sweep& like) const {
    const auto found =
        std::ranges::find_if(sweeps, [&](const run::Sweep& sweep) { return areAlike(sweep, like); });
    return found == sweeps.end() ? nullptr : &*found;
}

void SweepsOnShow::add(const run::Sweep& points) {
    const auto found =
        std::ranges::find_if(sweeps, [&](const run::Sweep& sweep) { return areAlike(sweep, points); });
    if (found == sweeps.end())
        sweeps.push_back(points);
    else
        merge(*found, points);
}

}  // namespace lockstep::viz
