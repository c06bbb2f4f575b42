#include "playlists/playlist.h"

#include <algorithm>

namespace lockstep::playlists {

bool Entry::isHidden(Part part) const { return std::ranges::find(hides, part) != hides.end(); }

u32 Playlist::minutes() const { return minutesBefore(entries.size()); }

u32 Playlist::minutesBefore(std::size_t entry) const {
    u32 minutes = 0;
    for (std::size_t i = 0; i < std::min(entry, entries.size()); ++i)
        minutes += entries[i].minutes;
    return minutes;
}

}  // namespace lockstep::playlists
