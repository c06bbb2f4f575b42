// How playlists change their part of the state. What they ask of the rest of the window, an experiment and a
// place in it, comes back as a wish that update() fulfills.
#pragma once

#include "app/state/playlist_action.h"

namespace lockstep::app {

struct PlaylistWish {
    enum class Of : u8 {
        Nothing,
        Picture,  // the entry's picture: experiment, view and cursor
        Add,      // what is on show is to become an entry
    };
    Of of = Of::Nothing;
    std::vector<PlaylistTask> tasks{};
};

// tickets: given out so far.
PlaylistWish updatePlaylist(PlaylistState& state, const PlaylistAction& action, u64& tickets);

// What gives the open playlist's file this text, which the state has from now on. Nothing where another text
// is still on its way there: this one follows it.
std::vector<PlaylistTask> writeText(PlaylistState& state, std::string text);
// A playlist of the user's own is begun where none is open: its file, in this folder, does not exist yet.
void beginPlaylist(PlaylistState& state, const std::string& folder, Language language);

}  // namespace lockstep::app
