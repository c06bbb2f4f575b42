// Figures that claims name: of a run at some size, under some rules, or of its recording.
#pragma once

#include "witness/claims.h"

namespace lockstep::witness {

// `bracket`: "offset=1", "tiled-bounds width=4096", "reduction/v1 cc10", "line=18 round=2"; what it does not
// say is the text's own variant and the defaults. Not a number: not known.
f64 claimFigure(const World& world, const Authored& of, std::string_view name, std::string_view bracket);

}  // namespace lockstep::witness
