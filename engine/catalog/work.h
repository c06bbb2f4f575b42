// Reads what a kernel gets done: work = { bytes = "4 * n" }.
#pragma once

#include "catalog/catalog.h"
#include "catalog/toml_reader.h"

namespace lockstep::catalog {

// A complaint where it says neither, or something that is no expression of the family's parameters.
WorkTemplate readWork(const toml::table& table, const Family& family, Complaints& complaints);

}  // namespace lockstep::catalog
