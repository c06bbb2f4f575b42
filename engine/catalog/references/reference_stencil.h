// A step of heat through a plate, `in` to `out`: each inner cell moves towards its four neighbors, in f32
// and in the kernels' order, so that a right kernel agrees bit for bit. The edge stays as it is.
#pragma once

#include "catalog/references/references.h"

namespace lockstep::catalog {

Reference stencilReference();

}  // namespace lockstep::catalog
