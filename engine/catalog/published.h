// Reads the figures published for a variant: published = { milliseconds = 8.054, ... }.
#pragma once

#include "catalog/catalog.h"
#include "catalog/toml_reader.h"

namespace lockstep::catalog {

// Error: a figure is missing or invalid, or the family does not say on what they were measured.
Published readPublished(const toml::table& table, const Family& family, Complaints& complaints);

}  // namespace lockstep::catalog
