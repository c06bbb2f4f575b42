// Asks the cycle model what a view of it shows, as the window does once that view is looked at.
#pragma once

#include "app/cli/session.h"
#include "viz/issues_on_show.h"

namespace lockstep::cli {

// Fault: the program's own files are missing. That there is no time is part of the answer.
Expected<viz::IssuesOnShow> askModel(viz::Modeled what, const run::Run& run, const viz::Cursor& cursor,
                                     Session& session);

}  // namespace lockstep::cli
