// Adds an entry to a playlist's text, as "add this" of the window does. The rest of the text stays as it is.
#pragma once

#include "playlists/playlist.h"

namespace lockstep::playlists {

struct NewEntry {
    lessons::Place place;  // its step by number, its lane named
    u32 minutes = 3;
    std::string with{};  // what it is compared with, at the same sizes
    std::string question{};
    std::string title;
};

// The text of a new file, without entries.
std::string newPlaylistText(std::string_view title);
// With the entry at the end. Its id is one that the text does not have yet, after the kernel's name.
std::string withEntry(std::string_view text, const NewEntry& entry);

}  // namespace lockstep::playlists
