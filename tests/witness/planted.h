// Errors put between the record and the witness: a view that is shown a run with one thing wrong, and a text
// that is changed once it is made.
#pragma once

#include "pictures.h"

#include <functional>
#include <span>

namespace lockstep::witness {

struct Planted {
    const char* name;
    std::function<void(run::Run&, viz::Cursor&)> tamper;  // with what the view is given
    std::function<bool(Said&)> change;                    // of a text; false: nothing to change in it
};
std::span<const Planted> planted();

}  // namespace lockstep::witness
