// Right results said in family.toml: for every element of an output buffer an expression of its place, of the
// parameters, and of elements of the initial contents.
#pragma once

#include "catalog/catalog.h"

namespace lockstep::catalog {

// What is wrong with the expression whatever the parameters are: names, types, elements that no buffer of
// this shape has.
Expected<void> checkResult(const ResultTemplate& result, const Family& family, const Variant& variant);
// The parameters in it; it has been checked.
std::vector<std::string> parametersIn(const ResultTemplate& result, const Family& family);

// The output buffer as it should be; not all of it if canceled. A Fault where an element is asked for that
// does not exist.
Expected<Buffer> computeResult(const ResultTemplate& result, const Experiment& experiment,
                               const std::atomic<bool>* cancelled);

}  // namespace lockstep::catalog
