// --timeline and --follow of lockstep exec.
#pragma once

#include "app/cli/options/view_options.h"
#include "app/cli/session.h"
#include "operations/operations.h"

#include <optional>
#include <string>

namespace lockstep::cli {

// Whether a picture of a program can be written there, and looks like that.
Expected<void> checkPicture(const std::string& out, const ViewOptions& look);
// followed: a buffer.
Expected<void> drawProgram(const operations::Operations& all, const std::string& program,
                           std::optional<u32> followed, const std::string& out, const ViewOptions& look,
                           Session& session);

// What became of a buffer, on standard error: its allocation, each operation that names it, and what wrote it
// last.
void printFollowed(const operations::Operations& all, u32 buffer, Language language);

}  // namespace lockstep::cli
