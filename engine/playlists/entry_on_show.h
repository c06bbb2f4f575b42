// An entry of a playlist, ready to be shown in all languages: its runs made, its figures filled in, its
// pictures found. Made once, in the background; then only read.
#pragma once

#include "lessons/step_on_show.h"
#include "playlists/read_playlist.h"

namespace lockstep::playlists {

// A second run, to compare with.
struct Beside {
    std::shared_ptr<const run::Run> run;
    std::string family, variant;
    catalog::Values values;
};

// One picture of an entry: of its place, of an event behind that, of another of its places (`also`), or of
// what the entry's question changes.
struct Picture {
    std::shared_ptr<const run::Run> run;
    Cursor cursor;
    std::string family, variant;  // where the experiment is the catalog's
    std::string view, profile;
    catalog::Values values;
    std::optional<lessons::OwnExperiment> own{};  // where it is a file
    std::string kernel{};                         // as the playlist names it
    bool isEvent = false;                         // of the run of the picture before
    bool isOfAnswer = false;                      // not to be seen before the answer
    std::map<Language, std::string> names{};  // of several: what it has other than the first: "stride = 4"

    // The text, and behind it the picture's name where it has one.
    std::string named(const std::string& text, Language language) const;
    std::optional<Beside> beside{};  // none: it is compared with nothing
};

// A usual wrong answer to the entry's question, and why it is wrong.
struct UsualAnswer {
    std::string answer;
    std::map<Language, std::string> why;
};

struct EntryOnShow {
    std::shared_ptr<const Playlist> playlist;
    std::size_t number = 0;                               // of the entry, from 0
    std::shared_ptr<const lessons::StepOnShow> step;      // its texts and its place
    std::shared_ptr<const lessons::StepOnShow> question;  // of the lesson; null: it asks nothing
    std::vector<UsualAnswer> usual{};                     // to the question
    std::vector<Picture> pictures;                        // at least that of its place
    // With which the answer is told: of a question that compares, the picture of what has changed.
    std::size_t answerPicture = 0;
    // The first picture's run up to its place: all that may be seen of it until it is revealed. Null: the
    // entry does not hide its view.
    std::shared_ptr<const run::Run> before{};
    Cursor hidden{};  // the first step of the place's warp that it lacks

    const Entry& entry() const { return playlist->entries[number]; }
    // Something is there to be revealed.
    bool hides() const;
    // Where the first picture's cursor stands meanwhile: just before what is hidden.
    Cursor cursorBefore() const;
};

// Fault: with its place in the playlist's file.
Expected<std::shared_ptr<const EntryOnShow>> showEntry(std::shared_ptr<const Playlist> playlist,
                                                       std::size_t number, lessons::LessonRuns& runs,
                                                       Questions& questions);

}  // namespace lockstep::playlists
