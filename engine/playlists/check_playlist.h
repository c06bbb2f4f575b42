// What is wrong in a playlist, each with file:line: its places do not exist, its questions are none, its
// texts name figures that there are not or have them typed in, its minutes do not add up.
#pragma once

#include "playlists/entry_on_show.h"

#include <functional>

namespace lockstep::playlists {

// Runs every entry. isView: whether the program has a view of this name that shows one run.
std::vector<Fault> checkPlaylist(const ReadPlaylist& read, lessons::LessonRuns& runs, Questions& questions,
                                 const std::function<bool(std::string_view)>& isView);

}  // namespace lockstep::playlists
