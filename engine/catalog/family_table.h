// A family whose table is part of another file: an exercise has its data as a family has it.
#pragma once

#include "base/files/toml.h"
#include "catalog/catalog.h"

namespace lockstep::catalog {

// `file`: where the table stands, for messages; its folder is the family's.
Expected<Family> parseFamily(const toml::table& table, const std::string& file);

}  // namespace lockstep::catalog
