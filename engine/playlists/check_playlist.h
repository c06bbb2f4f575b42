// What is wrong in a playlist, each with file:line: its places do not exist, its questions are none, its
// texts name figures that there are not or have them typed in, its minutes do not add up.
#pragma once

#include "playlists/entry_on_show.h"

#include <span>
#include <string>

namespace lockstep::playlists {

// Runs every entry. views: the names of those that show one run.
std::vector<Fault> checkPlaylist(const ReadPlaylist& read, lessons::LessonRuns& runs, Questions& questions,
                                 std::span<const std::string> views);

}  // namespace lockstep::playlists
