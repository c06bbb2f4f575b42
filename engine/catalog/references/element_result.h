// Expected results from family.toml: for every element of an output buffer an expression of its index, the
// parameters, and elements of the initial contents.
#pragma once

#include "catalog/catalog.h"

namespace lockstep::catalog {

// Errors in the expression for any parameters: names, types, elements that no buffer of this shape has.
Expected<void> checkResult(const ResultTemplate& result, const Family& family, const Variant& variant);
// The parameters in it; it has been checked.
std::vector<std::string> parametersIn(const ResultTemplate& result, const Family& family);

// The expected output buffer; incomplete if canceled. Fault: an element out of bounds.
Expected<Buffer> computeResult(const ResultTemplate& result, const Experiment& experiment,
                               const std::atomic<bool>* cancelled);

}  // namespace lockstep::catalog
