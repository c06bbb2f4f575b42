// What the user can do with a whole program, what arrives from its process, and what is asked of it.
#pragma once

#include "app/state/program_state.h"

#include <variant>

namespace lockstep::app {

// By the user.
struct ShowProgram {
    bool open = true;
};
struct RunProgram {};  // the file of the page, as it was saved last
struct CancelProgram {};
struct TypeProgramArguments {
    std::string text;
};
struct TypeCompileOptions {
    std::string text;  // further files, and options of the compiler
};
struct OpenLaunch {
    u64 number = 0;
};  // as an experiment; the page can be come back to
struct CompareLaunch {
    u64 number = 0;
};                       // beside the one on show
struct SaveLaunch {};    // the one on show, as a recording
struct SaveTimeline {};  // as a picture
struct FollowBuffer {
    std::optional<u32> buffer{};  // none: no longer
};
struct LookAtProgramLine {
    u32 line = 0;
};

// From the background. Where another run has begun since, they change nothing.
struct ProgramFound {
    std::string file;
    bool opens = false;  // its kernels cannot be shown
};
struct ProgramRead {
    u64 ticket = 0;
    std::vector<std::string> source;
};
struct ProgramStarted {
    u64 ticket = 0;
};
struct ProgramLaunched {
    u64 ticket = 0;
    u64 launches = 0;
};
struct ProgramPrinted {
    u64 ticket = 0;
    std::string text;  // the beginning of `bytes`
    u64 bytes = 0;
};
struct ProgramEnded {
    u64 ticket = 0;
    std::shared_ptr<const operations::ProgramReport> report;  // null: `fault` says why
    std::optional<Fault> fault = {};
};

using ProgramAction =
    std::variant<ShowProgram, RunProgram, CancelProgram, TypeProgramArguments, TypeCompileOptions, OpenLaunch,
                 CompareLaunch, SaveLaunch, SaveTimeline, FollowBuffer, LookAtProgramLine, ProgramFound,
                 ProgramRead, ProgramStarted, ProgramLaunched, ProgramPrinted, ProgramEnded>;

// For the background. A launch is opened by a StartRun, as any experiment.
struct StartProgram {
    u64 ticket = 0;
    std::string file;
    std::vector<std::string> arguments;
    std::vector<std::string> compile = {};  // further files and options
};
struct StopProgram {
    u64 ticket = 0;
};
struct SaveRecording {
    std::string name;  // "reduce-launch2"
};                     // of the run on show
struct DrawTimeline {
    std::string name;  // "reduce-timeline"
};                     // of the program's page
using ProgramTask = std::variant<StartProgram, StopProgram, SaveRecording, DrawTimeline>;

}  // namespace lockstep::app
