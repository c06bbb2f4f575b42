// An experiment in words.
#pragma once

#include "app/state/state.h"

#include <string>

namespace lockstep::app {

// "matmul/tiled"; "scale.cu scale".
std::string nameOf(const Choice& choice);
// "width=3, tile=2"; "--grid 4 --block 64".
std::string settingsOf(const catalog::Catalog& catalog, const Choice& choice);
// Of the run on show, what tells it from the experiment that is chosen: its settings, and its name where that
// is another.
std::string shownText(const State& state);

}  // namespace lockstep::app
