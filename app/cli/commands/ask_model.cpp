#include "app/cli/commands/ask_model.h"

#include "app/cli/terminal/progress_line.h"
#include "run/machine/read_issues.h"

namespace lockstep::cli {

Expected<viz::IssuesOnShow> askModel(viz::Modeled what, const run::Run& run, const viz::Cursor& cursor,
                                     Session& session) {
    viz::IssuesOnShow shown(cursor);
    if (what == viz::Modeled::None) return shown;
    const ProgressLine line(session.language(),
                            say(session.language(), english("executing the machine code")));
    const Expected<const run::Resources*> resources = session.resources();
    if (!resources) return Unexpected{resources.error()};
    if (what == viz::Modeled::Waits)
        shown.set(run::readWaits(**resources, session.disassembler(), run));
    else if (what == viz::Modeled::Time)
        shown.set(run::readTime(**resources, session.disassembler(), run));
    else
        shown.set(run::readIssues(**resources, session.disassembler(), run, cursor.launch, cursor.block));
    return shown;
}

}  // namespace lockstep::cli
