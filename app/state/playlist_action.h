// What the user can do with playlists, what arrives from the background, and what is asked of it.
#pragma once

#include "app/state/playlist_state.h"

#include <variant>

namespace lockstep::app {

// By the user.
struct ShowPlaylists {
    bool open = true;
};  // the column; a playlist that is open stays so
struct ShowNotes {
    bool open = true;
};                        // in a window of their own
struct ListPlaylists {};  // from a playlist back to the list
struct OpenPlaylist {
    std::string file;
    std::string entry = {};  // its id; empty: the first
};
struct ReadPlaylistAgain {};  // its file has been edited
struct GoToEntry {
    std::size_t number = 0;
};
// As a presenter's remote sends it: reveals what is hidden, then goes through the entry's pictures, then to
// the next entry; back: to the picture or entry before, which is then shown revealed.
struct PlaylistOn {
    bool back = false;
};
struct RevealEntry {};
struct BackToEntry {};    // after a look elsewhere
struct AddToPlaylist {};  // the experiment, place and view on show, at the end
struct TypePlaylistPath {
    std::string path;
};

// From the background.
struct PlaylistsListed {
    std::vector<PlaylistName> all;
};
struct PlaylistOpened {
    OpenedPlaylist playlist;
    std::string entry = {};  // to begin with
    bool isWritten = false;  // by the window: the entry on show stays
};
struct PlaylistNotWritten {
    std::string file;
    std::shared_ptr<const std::string> before;  // that it still has
};
struct EntryReady {
    u64 ticket = 0;
    std::shared_ptr<const playlists::EntryOnShow> entry;
};
struct EntryFailed {
    u64 ticket = 0;
    Fault fault;
};

using PlaylistAction =
    std::variant<ShowPlaylists, ShowNotes, ListPlaylists, OpenPlaylist, ReadPlaylistAgain, GoToEntry,
                 PlaylistOn, RevealEntry, BackToEntry, AddToPlaylist, TypePlaylistPath, PlaylistsListed,
                 PlaylistOpened, PlaylistNotWritten, EntryReady, EntryFailed>;

// For the background; each is answered by one of the actions above.
struct ReadPlaylistFile {
    std::string file, entry;
};
struct PrepareEntry {
    u64 ticket = 0;
    std::shared_ptr<const playlists::Playlist> playlist;
    std::size_t number = 0;
};
// What the file had, as far as is known, and what it is to have. A file that has something else by now is
// left alone; one that is not there is made.
struct WritePlaylist {
    std::string file;
    std::shared_ptr<const std::string> before, after;
};
using PlaylistTask = std::variant<ReadPlaylistFile, PrepareEntry, WritePlaylist>;

}  // namespace lockstep::app
