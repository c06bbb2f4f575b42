// How a reduction combines two elements: one table for its references.
#pragma once

#include "catalog/references/references.h"

namespace lockstep::catalog {

struct ReductionOperation {
    std::string_view name;
    s64 (*whole)(s64, s64);           // modulo 2^64, which is right modulo 2^32 as well
    f64 (*real)(f64, f64) = nullptr;  // no function: integers only
};

// The parameter "op" of a reference, whose choices are the table's names.
ReferenceParameter operationParameter();
// For the experiment's "op"; null: none of this name.
const ReductionOperation* operationOf(const Experiment& experiment);

}  // namespace lockstep::catalog
