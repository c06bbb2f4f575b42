// Everything the window does at a key or by name: the one table that keys, the palette and the page of keys
// are made from.
#pragma once

#include "app/state/action.h"
#include "base/text/words.h"

#include <array>
#include <span>
#include <string_view>

namespace lockstep::app {

struct Command {
    enum class When : u8 { Always, Exploring, Presenting };

    std::string_view id;  // stable: "step.on"
    const Words* name;
    std::string_view keys;        // as shown: "Shift →"; empty: by name only
    std::array<int, 3> chords{};  // ImGuiKeyChord each, 0: none
    Action (*action)(const State&);
    When when = When::Always;
};

std::span<const Command> commands();
// Whether something is asked whose answer takes all keys.
bool isAsked(const State& state);
// False for what belongs to presenting while nothing is presented, and the other way round.
bool isOffered(const Command& command, const State& state);

}  // namespace lockstep::app
