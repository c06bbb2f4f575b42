// Reads a kernel's work: work = { bytes = "4 * n" }.
#pragma once

#include "catalog/catalog.h"
#include "catalog/toml_reader.h"

namespace lockstep::catalog {

// Error: neither is given, or not an expression of the family's parameters.
WorkTemplate readWork(const toml::table& table, const Family& family, Complaints& complaints);

}  // namespace lockstep::catalog
