#include "app/cli/options/catalog_selection.h"

#include "app/cli/options/run_options.h"

#include <algorithm>

namespace lockstep::cli {

bool CatalogSelection::has(const catalog::Parameter& parameter) const {
    return parameter.computed.empty() &&
           (!variant || std::ranges::find(variant->parameters, parameter.name) != variant->parameters.end());
}

Expected<CatalogSelection> selectionOf(const catalog::Catalog& catalog, const std::string& word,
                                       const Words& takes) {
    if (word.empty()) return CatalogSelection{};
    if (const catalog::Family* family = catalog.find(word)) return CatalogSelection{family};
    const auto found = lookUp(catalog, word);
    if (found) return CatalogSelection{found->first, found->second};
    Fault fault = found.error();
    if (fault.place.file.empty() && word.find('/') == std::string::npos)
        fault.message = Message(takes, fault.message);
    return Unexpected{fault};
}

}  // namespace lockstep::cli
