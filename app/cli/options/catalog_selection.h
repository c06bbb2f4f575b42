// The part of the catalog that a command applies to: all of it, a family, or one variant.
#pragma once

#include "base/expected.h"
#include "base/text/words.h"
#include "catalog/catalog.h"

#include <string>

namespace lockstep::cli {

struct CatalogSelection {
    const catalog::Family* family = nullptr;
    const catalog::Variant* variant = nullptr;

    bool isAll() const { return !family; }
    bool has(const catalog::Family& other) const { return !family || family == &other; }
    bool has(const catalog::Variant& other) const { return !variant || variant == &other; }
    bool has(const catalog::Parameter& parameter) const;
};

// Parses the user's word; empty: all. `takes` says what the command accepts, after a sentence in {0}.
Expected<CatalogSelection> selectionOf(const catalog::Catalog& catalog, const std::string& word,
                                       const Words& takes);

}  // namespace lockstep::cli
