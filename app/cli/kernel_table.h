// The catalog as a page of documentation: every variant run on the emulator at its defaults, and what it
// cost.
#pragma once

#include "base/expected.h"
#include "catalog/catalog.h"
#include "run/resources.h"

#include <string>

namespace lockstep::cli {

// The text of docs/kernels.md. The same on every machine.
Expected<std::string> kernelTable(const catalog::Catalog& catalog, const run::Resources& resources);

}  // namespace lockstep::cli
