// The catalog as a page of documentation: every variant run on the emulator at its defaults, with its cost.
#pragma once

#include "base/expected.h"
#include "base/progress.h"
#include "catalog/catalog.h"
#include "run/resources.h"

#include <atomic>
#include <string>

namespace lockstep::cli {

// Progress and cancellation of the table.
struct TableWork {
    Progress progress;         // of the variant that runs
    std::atomic<u32> rows{0};  // done
};

// The text of docs/guide/kernels.md. The same on every machine.
Expected<std::string> kernelTable(const catalog::Catalog& catalog, const run::Resources& resources,
                                  TableWork* work = nullptr);

}  // namespace lockstep::cli
