// The results of a run, one line each.
#pragma once

#include "base/text/language.h"
#include "run/run.h"
#include "viz/cursor/cursor.h"

#include <string>
#include <vector>

namespace lockstep::app {

struct Verdict {
    // How it is shown: as good, as wrong, as a problem, as a remark, or as what is only to be known.
    enum class Sign : u8 { Good, Wrong, Problem, Remark, Note } sign;
    std::string text;
    std::string hover = {};
    std::string view = {};  // where all of it stands; empty: nowhere
};

// `cursor`: of the shown block, which may be complete although the run was stopped.
std::vector<Verdict> verdictsOf(const run::Run& run, const viz::Cursor& cursor, Language language);

}  // namespace lockstep::app
