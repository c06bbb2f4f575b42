// Opens a user's file as it is being edited.
#pragma once

#include "run/run.h"

#include <string>

namespace lockstep::run {

// As open(request), with this text in place of what the file has.
Expected<Experiment> openText(const FileRequest& request, const std::string& text);

}  // namespace lockstep::run
