// The key `memory` of a run's JSON: the memory tables (docs/internals/caches.md).
#pragma once

#include "app/cli/json/json.h"
#include "model/memory_tables.h"

namespace lockstep::cli {

Json memoryJson(const model::MemoryTables& tables);

}  // namespace lockstep::cli
