// Every command of the window: the one table behind keys, the palette and the page of keys.
#pragma once

#include "app/state/action.h"
#include "base/text/words.h"

#include <array>
#include <span>
#include <string_view>

namespace lockstep::app {

struct Command {
    enum class When : u8 { Always, Exploring, Presenting, Lecturing };  // the last: a playlist is open

    std::string_view id;  // stable: "step.on"
    const Words* name;
    std::string_view keys;        // as shown: "Shift →"; empty: no key
    std::array<int, 3> chords{};  // ImGuiKeyChord each, 0: none
    Action (*action)(const State&);
    When when = When::Always;
};

std::span<const Command> commands();
// Whether a dialog is open that takes all keys.
bool isAsked(const State& state);
// False for presentation commands outside a presentation, and vice versa; for those of a lecture where none
// is.
bool isOffered(const Command& command, const State& state);
// Whether the key is another command's now: in a lecture a presenter's remote goes through the playlist.
bool isTaken(int chord, const Command& command, const State& state);

}  // namespace lockstep::app
