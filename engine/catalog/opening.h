// Reads where a variant is first shown from its table in family.toml.
#pragma once

#include "catalog/catalog.h"
#include "catalog/toml_reader.h"

namespace lockstep::catalog {

// { at = "tile[threadIdx.x]", does = "load", time = 2, warp = 1, lane = 3 }; only `at` has to be there.
Opening readOpening(const toml::table& table, Complaints& complaints);

}  // namespace lockstep::catalog
