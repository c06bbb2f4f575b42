// References that only move elements, of any type: a copy and a transpose.
#pragma once

#include "catalog/references/references.h"

namespace lockstep::catalog {

Reference copyReference();
Reference transposeReference();

}  // namespace lockstep::catalog
