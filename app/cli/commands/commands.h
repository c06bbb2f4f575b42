// The commands of the program.
#pragma once

#include "app/cli/exit_status.h"
#include "app/cli/options/parser.h"
#include "app/cli/session.h"
#include "base/text/words.h"

#include <functional>
#include <string>
#include <vector>

namespace lockstep::cli {

// A command adds itself to the parser and stores the action to run if it is chosen.
using Action = std::function<Expected<int>()>;
struct CommandRow {
    const char* name;
    Words summary;
    const char* example;
    Action (*add)(const Command& command, Session& session);
};
// One row per command; help, completion and dispatch derive from it.
std::vector<CommandRow> commands();

Action addWindow(const Command& command, Session& session);
Action addList(const Command& command, Session& session);
Action addRun(const Command& command, Session& session);
Action addExec(const Command& command, Session& session);
Action addAccess(const Command& command, Session& session);
Action addShow(const Command& command, Session& session);
Action addShot(const Command& command, Session& session);
Action addCompare(const Command& command, Session& session);
Action addTime(const Command& command, Session& session);
Action addSweep(const Command& command, Session& session);
Action addLesson(const Command& command, Session& session);
Action addPlaylist(const Command& command, Session& session);
Action addRecord(const Command& command, Session& session);
Action addDoctor(const Command& command, Session& session);
Action addValidate(const Command& command, Session& session);
Action addCheck(const Command& command, Session& session);
Action addTexts(const Command& command, Session& session);
// `lockstep lesson NAME --window`. Fault: no window in this build, or no display.
Expected<int> openLessonWindow(const std::string& lesson, const std::string& step, Session& session);
// `lockstep playlist FILE`. Likewise.
Expected<int> openPlaylistWindow(const std::string& file, const std::string& entry, Session& session);
Action addCompletion(const Command& command, Session& session);

}  // namespace lockstep::cli
