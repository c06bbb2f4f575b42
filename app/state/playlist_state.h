// The part of the window's state that playlists have: the list of them, the one that is open, the entry on
// show, how far it has been revealed.
#pragma once

#include "playlists/entry_on_show.h"
#include "playlists/write_playlist.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::app {

// One of the program's, or one that was opened or begun in this session.
struct PlaylistName {
    std::string file;  // its main one
    std::map<Language, std::string> titles;
    std::size_t entries = 0;
    u32 minutes = 0;
    bool isOwn = false;

    const std::string& title(Language language) const;
};

// As it was read or written last.
struct OpenedPlaylist {
    std::string file;  // with the headers
    bool isOwn = false;
    std::shared_ptr<const std::string> text;  // of that file
    std::shared_ptr<const playlists::Playlist> list;
    std::vector<Fault> mistakes;
};

// A text on its way into a file, and the one that is to follow it there, if any.
struct PlaylistWrite {
    std::shared_ptr<const std::string> text, next;
};

struct PlaylistState {
    bool open = false;                                    // the column is there
    bool hasNotes = false;                                // the lecturer's notes have a window of their own
    std::vector<PlaylistName> all;                        // to choose from
    std::optional<OpenedPlaylist> playlist;               // none: the column lists them
    std::map<std::string, PlaylistWrite> writes;          // by file; one at a time into each
    std::size_t number = 0;                               // of the entry that is on show, or is to be
    std::shared_ptr<const playlists::EntryOnShow> entry;  // null until its runs are made
    std::optional<Fault> fault;                           // why it cannot be shown
    u64 ticket = 0;                                       // of the entry that is worked out
    bool isUnderWay = false;                              // it is
    bool toItsEnd = false;    // once it is there, it is shown revealed, at its last picture
    std::size_t picture = 0;  // of the entry
    bool revealed = false;
    std::string path;  // as typed: of a playlist to open

    const lessons::Lesson* text() const { return playlist ? &playlist->list->text : nullptr; }
    std::size_t count() const { return playlist ? playlist->list->entries.size() : 0; }
    // An entry is being added, or a change undone.
    bool isSaving() const { return playlist && writes.contains(playlist->file); }
    // A lecture is under way: Page Down goes on in it.
    bool isOn() const { return open && playlist && count() > 0; }
    bool showsNotes() const { return hasNotes && isOn(); }
    bool hides(playlists::Part part) const {
        return isOn() && entry && !revealed && entry->entry().isHidden(part);
    }
    // While an entry's view is hidden, the window has its run up to the place alone (EntryOnShow::before).
    bool withholdsRun() const { return hides(playlists::Part::View) && entry->before; }
    // What was hidden is told: the answer comes with the picture that it is about.
    bool tellsAnswer() const { return entry && revealed && picture >= entry->answerPicture; }
    bool isViewOfEntry(std::string_view view) const { return entry && view == entry->pictures[picture].view; }
    // The entry's own view, and all that would say the same; the source has a part of its own.
    bool hidesView(std::string_view view) const;
};

// The whole run of what is on show while only its beginning may be seen.
struct WithheldRun {
    std::shared_ptr<const run::Run> shown, whole;
};

// Whether a playlist can show this view: one that needs a run.
bool mayBeInPlaylist(std::string_view view);

}  // namespace lockstep::app
