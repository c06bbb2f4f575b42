// Reads from family.toml the step at which a variant opens.
#pragma once

#include "catalog/catalog.h"
#include "catalog/toml_reader.h"

namespace lockstep::catalog {

// { at = "tile[threadIdx.x]", does = "load", time = 2, warp = 1, lane = 3 }; only `at` is required.
Opening readOpening(const toml::table& table, Complaints& complaints);

}  // namespace lockstep::catalog
