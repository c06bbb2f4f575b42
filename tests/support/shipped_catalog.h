// For tests: the catalog as it is shipped, read once.
#pragma once

#include "catalog/catalog.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace lockstep {

inline const catalog::Catalog& shipped() {
    static const Expected<catalog::Catalog> catalog =
        catalog::Catalog::read(std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "kernels");
    if (!catalog) {
        ADD_FAILURE() << describe(catalog.error());
        std::abort();
    }
    return *catalog;
}

}  // namespace lockstep
