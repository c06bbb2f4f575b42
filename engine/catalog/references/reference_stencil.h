// One heat-diffusion step on a plate, `in` to `out`: each inner cell moves toward its four neighbors, in f32
// and in the kernels' order, so that a correct kernel matches bit for bit. The edge is unchanged.
#pragma once

#include "catalog/references/references.h"

namespace lockstep::catalog {

Reference stencilReference();

}  // namespace lockstep::catalog
