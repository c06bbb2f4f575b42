// A playlist in the window's state: how a presenter's remote goes through it, what is added, and what undo
// takes back.
#include "app/state/update.h"
#include "base/check.h"
#include "playlists/read_playlist.h"
#include "run/resources.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::app {
namespace {

const run::Resources kResources{LOCKSTEP_SOURCE_DIR};

const catalog::Catalog& catalogue() {
    static const Expected<catalog::Catalog> read = catalog::Catalog::read(kResources.kernels());
    CHECK(read.has_value(), "the catalog must be readable");
    return *read;
}

// What works on a state in the background, here at once; its files are a string each.
class Background {
public:
    explicit Background(State& state) : state_(state) {}

    std::map<std::string, std::string> files;
    bool mayWrite = true;
    std::optional<std::vector<WritePlaylist>> later;  // there: files are written by writeLater() alone

    void does(const Action& action) {
        for (const Effect& effect : update(state_, action)) {
            if (const auto* run = std::get_if<StartRun>(&effect); run && !run->compared) last_ = run->ticket;
            if (const auto* task = std::get_if<PlaylistTask>(&effect)) work(*task);
        }
    }
    void playlist(PlaylistAction action) { does(Action(std::move(action))); }
    // The first of those that wait.
    void writeLater() {
        const WritePlaylist first = later->front();
        later->erase(later->begin());
        write(first);
    }
    // The window's run is there: that of the picture on show.
    void arrive() {
        const PlaylistState& on = state_.playlists;
        if (on.entry) run_ = on.entry->pictures[on.picture].run;  // else of the lecture that was left
        does(RunArrived{.ticket = last_, .run = run_});
    }

private:
    OpenedPlaylist opened(const std::string& file) {
        const lessons::LessonFile one[] = {{Language::English, file, files[file]}};
        playlists::ReadPlaylist read = playlists::parsePlaylist("x", one, questions_);
        return {.file = file,
                .isOwn = true,
                .text = std::make_shared<const std::string>(files[file]),
                .list = std::make_shared<const playlists::Playlist>(std::move(read.playlist)),
                .mistakes = std::move(read.mistakes)};
    }
    void work(const PlaylistTask& task) {
        if (const auto* wanted = std::get_if<ReadPlaylistFile>(&task))
            return playlist(PlaylistOpened{opened(wanted->file), wanted->entry});
        if (const auto* wanted = std::get_if<PrepareEntry>(&task)) {
            auto entry = playlists::showEntry(wanted->playlist, wanted->number, runs_, questions_);
            if (!entry) return playlist(EntryFailed{wanted->ticket, entry.error()});
            return playlist(EntryReady{wanted->ticket, std::move(*entry)});
        }
        const auto& wanted = std::get<WritePlaylist>(task);
        if (later)
            later->push_back(wanted);
        else
            write(wanted);
    }
    // As the window's desk does: a file that has something else by now is left alone.
    void write(const WritePlaylist& wanted) {
        if (!mayWrite || (files.contains(wanted.file) && files[wanted.file] != *wanted.before))
            return playlist(PlaylistNotWritten{wanted.file, wanted.before});
        files[wanted.file] = *wanted.after;
        playlist(PlaylistOpened{opened(wanted.file), {}, true});
    }

    State& state_;
    u64 last_ = 0;
    std::shared_ptr<const run::Run> run_;
    playlists::Questions questions_{kResources.assets() / "lessons"};
    lessons::LessonRuns runs_{kResources, catalogue()};
};

constexpr const char* kText = R"(# Lecture

+++
id = "ask"
minutes = 4
question = "banks#stride"
hides = ["view", "sentence"]
+++

## A question

+++
id = "broken"
minutes = 1
kernel = "banks/stride"
warp = 99
+++

## Cannot be shown

Text.

+++
id = "steps"
minutes = 5
kernel = "banks/stride"
view = "lanes"
at = "= words["
does = "load"
events = 1

[also.odd]
set = { stride = 7 }
+++

## Three pictures

Text.
)";

class PlaylistStateTest : public testing::Test {
protected:
    void open() {
        background_.files["x.playlist.md"] = kText;
        background_.playlist(OpenPlaylist{"x.playlist.md"});
        background_.arrive();
    }
    // Page Down, and the run that it may start.
    void on(bool back = false) {
        const Choice before = state_.choice;
        background_.playlist(PlaylistOn{back});
        if (state_.playlists.entry && (state_.choice != before || state_.job.running)) background_.arrive();
    }
    const PlaylistState& shown() const { return state_.playlists; }

    State state_ = initialState(catalogue(), firstChoice(catalogue()));
    Background background_{state_};
};

TEST_F(PlaylistStateTest, AnEntrySetsExperimentViewAndPlaceAndHidesWhatItSays) {
    open();
    EXPECT_TRUE(shown().isOn());
    ASSERT_TRUE(shown().entry);
    EXPECT_EQ(state_.choice.variant, "stride");
    EXPECT_EQ(state_.broughtUp, "banks");
    EXPECT_EQ(state_.presenting.lens, "banks");
    EXPECT_EQ(state_.cursor, shown().entry->cursorBefore());
    for (const char* view : {"banks", "memory", "findings", "chart"})
        EXPECT_TRUE(shown().hidesView(view)) << view;
    EXPECT_FALSE(shown().hidesView("stage"));
    EXPECT_FALSE(shown().hidesView("source"));
    EXPECT_TRUE(shown().hides(playlists::Part::Sentence));
    background_.playlist(RevealEntry{});
    EXPECT_FALSE(shown().hidesView("banks"));
    EXPECT_EQ(state_.cursor, shown().entry->pictures[0].cursor);
}

// Marks of the timeline and counts beside the source are those of the run.
TEST_F(PlaylistStateTest, UntilItIsRevealedNothingOfTheRunIsOnShowFromThePlaceOn) {
    const auto showsWhole = [&] { return !state_.run->report.lines.empty(); };
    open();
    ASSERT_TRUE(state_.run);
    EXPECT_EQ(state_.run, shown().entry->before);
    EXPECT_FALSE(showsWhole());
    background_.does(RunAgain{});
    background_.arrive();
    EXPECT_FALSE(showsWhole()) << "a run that arrives meanwhile";
    background_.playlist(RevealEntry{});
    EXPECT_TRUE(showsWhole());
}

TEST_F(PlaylistStateTest, ARunThatIsWithheldIsGivenBackWhenTheLectureIsLeft) {
    const auto showsWhole = [&] { return !state_.run->report.lines.empty(); };
    open();
    background_.playlist(ShowPlaylists{false});
    EXPECT_TRUE(showsWhole());
    background_.playlist(ShowPlaylists{});
    EXPECT_FALSE(showsWhole());
    background_.playlist(ListPlaylists{});
    EXPECT_TRUE(showsWhole());
}

TEST_F(PlaylistStateTest, AnEntryThatAsksHidesViewAndSentenceUnlessItSaysOtherwise) {
    const std::string hides = "hides = [\"view\", \"sentence\"]\n";
    const auto hidden = [&](const std::string& what) {
        std::string text = kText;
        text.replace(text.find(hides), hides.size(), what);
        background_.files["y.playlist.md"] = text;
        background_.playlist(OpenPlaylist{"y.playlist.md"});
        return std::pair(shown().hides(playlists::Part::View), shown().hides(playlists::Part::Sentence));
    };
    EXPECT_EQ(hidden(""), std::pair(true, true));
    EXPECT_EQ(hidden("hides = []\n"), std::pair(false, false));
    EXPECT_EQ(hidden("hides = [\"sentence\"]\n"), std::pair(false, true));
}

TEST_F(PlaylistStateTest, ARemoteRevealsThenGoesThroughPicturesThenOnAndBackTheSameWay) {
    open();
    on();
    EXPECT_TRUE(shown().revealed);
    EXPECT_EQ(shown().number, 0u);
    on();  // what cannot be shown says why, and the rest works
    EXPECT_EQ(shown().number, 1u);
    ASSERT_TRUE(shown().fault);
    EXPECT_EQ(shown().fault->place.line, 16u) << "of its kernel";
    on();
    ASSERT_TRUE(shown().entry);
    EXPECT_EQ(shown().number, 2u);
    const viz::Cursor first = state_.cursor;
    on();
    EXPECT_EQ(shown().picture, 1u);
    EXPECT_GT(state_.cursor.step, first.step);
    on();
    EXPECT_EQ(shown().picture, 2u);
    EXPECT_EQ(state_.choice.values.at("stride"), 7);
    on();  // the end
    EXPECT_EQ(shown().picture, 2u);
    EXPECT_EQ(shown().number, 2u);
    on(true), on(true);
    EXPECT_EQ(state_.cursor, first);
    on(true), on(true);
    EXPECT_EQ(shown().number, 0u);
    EXPECT_TRUE(shown().revealed);  // it was seen before
    on(true);
    EXPECT_EQ(shown().number, 0u);
}

TEST_F(PlaylistStateTest, AnAnswerAboutAChangeWaitsForItsPicture) {
    const std::string header = "id = \"change\"\nminutes = 4\nquestion = \"banks#odd\"\n",
                      also = "\n[also.odd]\nset = { stride = 7 }\n+++\n\n## A change\n";
    const auto begin = [&](const std::string& hides) {
        background_.files["z.playlist.md"] = "# Lecture\n\n+++\n" + header + hides + also;
        background_.playlist(OpenPlaylist{"z.playlist.md"});
        background_.arrive();
        on();
    };
    begin("hides = [\"view\", \"sentence\"]\n");
    EXPECT_TRUE(shown().revealed);
    EXPECT_EQ(shown().picture, 0u) << "what there was before the change";
    EXPECT_FALSE(shown().tellsAnswer());
    on();
    EXPECT_EQ(state_.choice.values.at("stride"), 7);
    EXPECT_TRUE(shown().tellsAnswer());
    begin("hides = []\n");
    EXPECT_TRUE(shown().tellsAnswer()) << "nothing but the answer was to be revealed";
    EXPECT_EQ(shown().picture, 1u);
}

TEST_F(PlaylistStateTest, AddThisSavesAtOnceAndUndoTakesItBack) {
    open();
    on();
    background_.does(BringUp{"lanes"});
    background_.does(MoveCursor{[&] {
        viz::Cursor to = state_.cursor;
        to.step = 3;
        return to;
    }()});
    background_.playlist(AddToPlaylist{});
    ASSERT_EQ(shown().count(), 4u);
    EXPECT_FALSE(shown().isSaving());
    EXPECT_EQ(shown().number, 0u);  // what is on show stays
    const lessons::Place& place = shown().text()->steps[3].place;
    EXPECT_EQ(place.kernel, "banks/stride");
    EXPECT_EQ(place.view, "lanes");
    EXPECT_EQ(place.step, 4u);
    EXPECT_TRUE(background_.files["x.playlist.md"].starts_with(
        std::string(kText).substr(0, std::string(kText).size() - 1)));
    background_.does(Undo{});
    EXPECT_EQ(background_.files["x.playlist.md"], kText);
    EXPECT_EQ(shown().count(), 3u);
    background_.does(Redo{});
    EXPECT_EQ(shown().count(), 4u);
}

TEST_F(PlaylistStateTest, WhatIsAddedWhileTheFileIsBeingWrittenFollowsIt) {
    open();
    on();
    background_.later.emplace();
    for (int i = 0; i < 3; ++i)
        background_.playlist(AddToPlaylist{});
    ASSERT_EQ(background_.later->size(), 1u) << "one at a time";
    EXPECT_TRUE(shown().isSaving());
    background_.writeLater();
    EXPECT_EQ(shown().count(), 4u);
    EXPECT_TRUE(shown().isSaving());
    ASSERT_EQ(background_.later->size(), 1u) << "the latest text has all of them";
    background_.writeLater();
    EXPECT_TRUE(background_.later->empty());
    EXPECT_FALSE(shown().isSaving());
    EXPECT_FALSE(state_.fault);
    EXPECT_EQ(shown().count(), 6u);
    EXPECT_EQ(*shown().playlist->text, background_.files["x.playlist.md"]);
}

TEST_F(PlaylistStateTest, AddingTwiceAtOnceBeginsOnePlaylistWithBoth) {
    open();
    background_.playlist(ListPlaylists{});
    background_.arrive();
    state_.exportFolder = "/no-such-folder";
    background_.later.emplace();
    background_.playlist(AddToPlaylist{});
    background_.playlist(AddToPlaylist{});
    background_.playlist(OpenPlaylist{"x.playlist.md"});  // meanwhile
    background_.writeLater();
    background_.writeLater();
    EXPECT_TRUE(background_.later->empty());
    const std::string& file = background_.files.at("/no-such-folder/lecture.playlist.md");
    EXPECT_NE(file.find("id = \"banks-stride\""), std::string::npos) << file;
    EXPECT_NE(file.find("id = \"banks-stride-2\""), std::string::npos) << file;
    EXPECT_EQ(shown().playlist->file, "x.playlist.md");
}

// Views that are no lens, and the comparison with the kernel beside.
TEST_F(PlaylistStateTest, AnyViewOfARunCanBeAddedAndPresented) {
    background_.files["x.playlist.md"] = R"(# Lecture

+++
id = "both"
minutes = 4
kernel = "banks/stride"
with = "banks/broadcast"
view = "compare"
+++

## Two kernels

Text.

+++
id = "tables"
minutes = 4
kernel = "banks/stride"
view = "memory"
+++

## Tables

Text.
)";
    background_.playlist(OpenPlaylist{"x.playlist.md"});
    ASSERT_TRUE(shown().entry) << (shown().fault ? describe(*shown().fault) : "");
    background_.arrive();
    EXPECT_EQ(state_.presenting.lens, "compare");
    ASSERT_TRUE(state_.compared.choice);
    EXPECT_EQ(state_.compared.choice->variant, "broadcast");
    background_.does(Present{});
    background_.playlist(AddToPlaylist{});
    ASSERT_EQ(shown().count(), 3u) << (state_.fault ? describe(*state_.fault) : "");
    EXPECT_EQ(shown().playlist->list->entries[2].with, "banks/broadcast");
    on();
    EXPECT_EQ(state_.presenting.lens, "memory");
    EXPECT_FALSE(state_.compared.choice);
    for (const char* view : {"waits", "issue", "times", "chart", "read", "orders", "findings", "occupancy"})
        EXPECT_TRUE(mayBeInPlaylist(view)) << view;
    EXPECT_FALSE(mayBeInPlaylist("playground"));
}

TEST_F(PlaylistStateTest, NotesHaveAWindowWhileALectureIsOn) {
    background_.playlist(ShowNotes{});
    EXPECT_FALSE(shown().showsNotes()) << "there is no playlist";
    open();
    EXPECT_TRUE(shown().showsNotes());
    background_.does(Present{});
    EXPECT_TRUE(shown().showsNotes());
    ASSERT_FALSE(shown().entry->usual.empty()) << "the question has wrong answers that are usual";
    for (const playlists::UsualAnswer& usual : shown().entry->usual)
        EXPECT_FALSE(usual.why.at(Language::Chinese).empty()) << usual.answer;
    background_.playlist(ShowNotes{false});
    EXPECT_FALSE(shown().showsNotes());
}

TEST_F(PlaylistStateTest, WithoutAPlaylistAddThisBeginsOne) {
    open();
    background_.playlist(ListPlaylists{});
    background_.arrive();
    state_.exportFolder = "/no-such-folder";
    background_.playlist(AddToPlaylist{});
    ASSERT_TRUE(shown().playlist);
    EXPECT_EQ(shown().playlist->file, "/no-such-folder/lecture.playlist.md");
    EXPECT_EQ(shown().count(), 1u);
    EXPECT_TRUE(shown().playlist->mistakes.empty());
    background_.playlist(GoToEntry{0});
    EXPECT_TRUE(shown().entry);
}

TEST_F(PlaylistStateTest, WhatIsNoPlaceOfThePlaylistIsRefusedWithASentence) {
    open();
    on();
    background_.does(BringUp{"playground"});
    background_.playlist(AddToPlaylist{});
    EXPECT_EQ(shown().count(), 3u);
    ASSERT_TRUE(state_.fault);
    EXPECT_NE(describe(*state_.fault).find("playground"), std::string::npos);
    // What could not be written is not there.
    background_.does(BringUp{"banks"});
    background_.mayWrite = false;
    background_.playlist(AddToPlaylist{});
    EXPECT_FALSE(shown().isSaving());
    EXPECT_EQ(*shown().playlist->text, kText);
}

TEST_F(PlaylistStateTest, TheListReplacesNothingUntilAPlaylistIsChosen) {
    const auto lesson = lessons::readLesson(kResources.assets() / "lessons" / "banks");
    ASSERT_TRUE(lesson);
    const auto list = std::make_shared<const lessons::Lesson>(lesson->lesson);
    lessons::LessonRuns runs(kResources, catalogue());
    background_.does(LessonAction{LessonsListed{{{"banks", list, false}}}});
    background_.does(LessonAction{OpenLesson{"banks"}});
    background_.does(LessonAction{StepReady{state_.lessons.ticket, *lessons::showStep(list, 0, runs, 0)}});
    const auto run = state_.run;
    const Choice choice = state_.choice;
    ASSERT_EQ(choice.variant, "stride");

    background_.playlist(ShowPlaylists{});
    EXPECT_TRUE(shown().open);
    EXPECT_TRUE(state_.lessons.step) << "the lesson waits under the list";
    EXPECT_TRUE(state_.lessons.hidesAnswer());
    EXPECT_EQ(state_.run, run);
    background_.does(LessonAction{ShowLessons{}});
    EXPECT_FALSE(shown().open);
    EXPECT_EQ(state_.run, run);
    EXPECT_EQ(state_.choice, choice);

    background_.playlist(ShowPlaylists{});
    open();
    EXPECT_FALSE(state_.lessons.open);
    EXPECT_TRUE(shown().isOn());
}

TEST_F(PlaylistStateTest, ItsColumnAndThatOfLessonsCloseEachOther) {
    open();
    background_.does(LessonAction{ShowLessons{}});
    EXPECT_FALSE(shown().open);
    EXPECT_FALSE(shown().hides(playlists::Part::View));
    background_.playlist(ShowPlaylists{});
    EXPECT_FALSE(state_.lessons.open);
    EXPECT_TRUE(shown().isOn());
}

}  // namespace
}  // namespace lockstep::app
