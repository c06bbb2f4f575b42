// How whole programs change their part of the state. What they ask of the rest of the window comes back as a
// wish that update() fulfills.
#pragma once

#include "app/state/program_action.h"
#include "base/expected.h"

namespace lockstep::app {

struct ProgramWish {
    enum class Of : u8 {
        Nothing,
        Page,     // nothing else is to cover the program's page
        Left,     // what it covered is seen again
        Open,     // `launch` becomes the experiment
        Compare,  // `launch` is set beside it
        Save,     // what is on show becomes a file
    };
    Of of = Of::Nothing;
    std::optional<ProgramLaunch> launch{};
    std::vector<ProgramTask> tasks{};
};

// tickets: given out so far.
ProgramWish updateProgram(ProgramState& state, const ProgramAction& action, u64& tickets);

// Its launches that can be opened, of those that are listed.
std::vector<ProgramLaunch> launchesOf(const ProgramState& state);
std::optional<ProgramLaunch> launchOf(const ProgramState& state, u64 number);

// "-n 4 'two words'": parts with a space between them, in quotes one with spaces. Fault: a quote is missing.
Expected<std::vector<std::string>> splitArguments(const std::string& text);

// Whether a C++ source defines main(): what is in comments and strings does not count.
bool hasMain(const std::string& source);

}  // namespace lockstep::app
