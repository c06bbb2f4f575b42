// The window's texts around playlists; what a playlist says stands in its own file.
#pragma once

#include "base/text/words.h"

namespace lockstep::app::words {

inline constexpr Words kPlaylists = english("Playlists");
inline constexpr Words kKeyPlaylists = english("Playlists for a lecture");
inline constexpr Words kKeyPlaylistAdd = english("Add this place to the playlist");
inline constexpr Words kKeyPlaylistNext = english("Playlist: reveal, next picture, next entry");
inline constexpr Words kKeyPlaylistBack = english("Playlist: picture or entry before");
inline constexpr Words kKeyPlaylistReveal = english("Playlist: reveal what is hidden");
inline constexpr Words kEntryPlaylist = english("Playlist: {0}");
inline constexpr Words kPlaylistsIntro = english(
    "A lecture in order: experiments, places, views and questions, with parts that are hidden until "
    "you reveal them.");
inline constexpr Words kPlaylistRow = english("{0} {0:entry|entries}, {1} {1:minute|minutes}");
inline constexpr Words kPlaylistRowHelp = english("Opens the playlist at its first entry");
inline constexpr Words kPlaylistOwn = english("A playlist of your own");
inline constexpr Words kPlaylistPath = english("path of a NAME.playlist.md");
inline constexpr Words kPlaylistPathHelp =
    english("Opens a playlist of your own; its file can be dropped here, too");
inline constexpr Words kPlaylistOpen = english("Open");
inline constexpr Words kPlaylistAdd = english("Add this");
inline constexpr Words kPlaylistAddHelp = english(
    "Adds the experiment, the place and the view on show to your playlist, at its end, and saves the "
    "file; without an open playlist of your own a new one begins (Ctrl D)");
inline constexpr Words kPlaylistAllHelp = english("All playlists");
inline constexpr Words kPlaylistCloseHelp = english("Closes the playlist (F3)");
inline constexpr Words kPlaylistEntryOf = english("Entry {0} of {1}, {2} of {3} minutes");
inline constexpr Words kPlaylistEmpty =
    english("No entry yet. Bring a view to the front, and add the place on show with Ctrl D.");
inline constexpr Words kPlaylistPreparing = english("Running the entry's experiment");
inline constexpr Words kPlaylistCannot = english("This entry cannot be shown.");
inline constexpr Words kPlaylistMistakes = english("{0} {0:mistake|mistakes} in the playlist");
inline constexpr Words kPlaylistReveal = english("Reveal");
inline constexpr Words kPlaylistRevealHelp =
    english("Shows what the entry hides, and the answer (Page Down)");
inline constexpr Words kPlaylistPlace = english("Back to the place");
inline constexpr Words kPlaylistPlaceHelp = english("Shows the entry's experiment and place again");
inline constexpr Words kPlaylistAgain = english("Read again");
inline constexpr Words kPlaylistAgainHelp = english("Reads the file again, after it was edited: {0}");
inline constexpr Words kPlaylistQuestion = english("of an entry of a playlist", "Question");
inline constexpr Words kPlaylistText = english("Edit the text");
inline constexpr Words kPlaylistTextHelp = english(
    "Opens {0} in your own editor ($VISUAL, $EDITOR): titles, minutes, notes and what is hidden are its "
    "text. "
    "Read again takes over what you saved.");
inline constexpr Words kPlaylistEntryRow =
    english("of an entry of a playlist, its view first", "{0} · {1} {1:minute|minutes}");
inline constexpr Words kPlaylistSaved = english("Saved in {0}");
inline constexpr Words kPlaylistSaving = english("Saving {0}");
inline constexpr Words kPlaylistGoHelp = english("{0}. {1}: {2} {2:minute|minutes}");
inline constexpr Words kPlaylistUnfold = english("All entries"), kPlaylistFold = english("Hide the entries"),
                       kPlaylistUnfoldHelp = english(
                           "Lists the entries, to go to one of them; an audience reads the titles, too");
inline constexpr Words kPlaylistBack = english("of a playlist", "Back");
inline constexpr Words kPlaylistBackHelp = english("Picture or entry before (Page Up)");
inline constexpr Words kPlaylistNext = english("of a playlist", "Next");
inline constexpr Words kPlaylistNextHelp =
    english("Reveals what is hidden, then the next picture, then the next entry (Page Down)");
inline constexpr Words kPlaylistPicture = english("Picture {0} of {1}");
inline constexpr Words kPlaylistAnswer = english("a right answer", "Answer: {0}");
inline constexpr Words kPlaylistCovered = english("Hidden until it is revealed");

// The window of notes.
inline constexpr Words kKeyPlaylistNotes = english("Notes of the lecture in a second window");
inline constexpr Words kNotesTitle = english("Lockstep: notes");
inline constexpr Words kNotesEntry = english("Entry {0} of {1}");
inline constexpr Words kNotesPlan = english("planned from minute {0} to {1}, {2} in all");
inline constexpr Words kNotesLate = english("{0} {0:minute|minutes} late"),
                       kNotesEarly = english("{0} {0:minute|minutes} early");
inline constexpr Words kNotesNone = english("No notes for this entry.");
inline constexpr Words kNotesQuestion = english("Question"), kNotesAnswer = english("Right answer"),
                       kNotesUsual = english("Usual answers"), kNotesText = english("What students read");
inline constexpr Words kNotesUsualAnswer = english("a wrong answer and why it is wrong", "**{0}**: {1}");
inline constexpr Words kNotesNext = english("of the notes of a lecture", "Next"),
                       kNotesThen = english("Later"), kNotesEnd = english("This is the end of the playlist.");
inline constexpr Words kNotesReveals = english("Reveal the answer"),
                       kNotesRevealsPicture = english("Reveal the picture and the answer"),
                       kNotesRevealsFirst = english("Reveal the picture, not the answer yet");
inline constexpr Words kNotesWithAnswer = english("a picture", "{0}, and the answer");
inline constexpr Words kNotesLater = english("a later entry", "{0}. {1} ({2} min)");
inline constexpr Words kNotesClock = english("Restart the clock"),
                       kNotesClockHelp = english("The lecture begins now: the time starts at 0:00");

}  // namespace lockstep::app::words
