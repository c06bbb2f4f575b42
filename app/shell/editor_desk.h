// Reads and writes the editor's files, in the background.
#pragma once

#include "app/state/action.h"

#include <vector>

namespace lockstep::shell {

std::vector<app::Action> carryOut(const app::EditorTask& task);

}  // namespace lockstep::shell
