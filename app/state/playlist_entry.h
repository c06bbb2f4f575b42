// What is on show, as an entry of a playlist.
#pragma once

#include "app/state/state.h"

namespace lockstep::app {

// Fault: it is nothing that a playlist can show.
Expected<playlists::NewEntry> entryOnShow(const State& state);

}  // namespace lockstep::app
