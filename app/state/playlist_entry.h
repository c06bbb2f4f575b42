// What is on show, as an entry of a playlist.
#pragma once

#include "app/state/state.h"

namespace lockstep::app {

// With the whole paths of a kernel's file and of a lesson's folder. Fault: it is nothing that a playlist can
// show.
Expected<playlists::NewEntry> entryOnShow(const State& state);
// These paths become those from the playlist's file.
void nameFrom(const std::string& playlistFile, playlists::NewEntry& entry);

}  // namespace lockstep::app
