// A playlist to be given out: one HTML file that needs nothing else, with the pictures of every entry to be
// stepped through, its question, and an answer that opens on demand. On paper all pictures are there, and the
// answers stand at the end.
#pragma once

#include "playlists/entry_on_show.h"

#include <functional>

namespace lockstep::playlists {

// Of an entry; with more a page is too large to be sent around.
inline constexpr std::size_t kMostPictures = 12;

// What the caller makes of a picture.
struct DrawnPicture {
    std::string svg;      // an <svg> element
    std::string command;  // that opens the same place in the program
};
using DrawPicture = std::function<Expected<DrawnPicture>(const Picture&)>;

struct Handout {
    std::string html;
    std::size_t pictures = 0, leftOut = 0;
};
// entries: of the playlist, in its order; at least one.
Expected<Handout> makeHandout(const std::vector<std::shared_ptr<const EntryOnShow>>& entries,
                              Language language, const DrawPicture& draw);

}  // namespace lockstep::playlists
