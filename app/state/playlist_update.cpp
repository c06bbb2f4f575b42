#include "app/state/playlist_update.h"

#include "app/state/lesson_state.h"
#include "viz/view.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace lockstep::app {
namespace {

struct PlaylistUpdater {
    PlaylistState& state;
    u64& tickets;

    PlaylistWish prepare(std::size_t number, bool toItsEnd = false) {
        if (number >= state.count()) return {};
        state.number = number;
        state.fault.reset();
        state.toItsEnd = toItsEnd;
        state.ticket = ++tickets;
        state.isUnderWay = true;
        return {.tasks = {PrepareEntry{state.ticket, state.playlist->list, number}}};
    }
    // The answer alone is seen at once; behind a picture that was hidden it waits for its own.
    PlaylistWish reveal() {
        state.revealed = true;
        if (state.entry->entry().hides.empty()) state.picture = state.entry->answerPicture;
        return picture();
    }
    static PlaylistWish picture() { return {.of = PlaylistWish::Of::Picture}; }
    void close() {
        state.playlist.reset();
        state.entry.reset();
        state.fault.reset();
        state.isUnderWay = false;
        state.ticket = ++tickets;
    }

    PlaylistWish operator()(const ShowPlaylists& a) { return state.open = a.open, PlaylistWish{}; }
    PlaylistWish operator()(const ShowNotes& a) { return state.hasNotes = a.open, PlaylistWish{}; }
    PlaylistWish operator()(const ListPlaylists&) { return close(), PlaylistWish{}; }
    PlaylistWish operator()(const OpenPlaylist& a) {
        state.open = true;
        return {.tasks = {ReadPlaylistFile{a.file, a.entry}}};
    }
    PlaylistWish operator()(const ReadPlaylistAgain&) {
        if (!state.playlist) return {};
        const std::string id = state.number < state.count() ? state.text()->steps[state.number].id : "";
        return {.tasks = {ReadPlaylistFile{state.playlist->file, id}}};
    }
    PlaylistWish operator()(const GoToEntry& a) { return prepare(a.number); }
    PlaylistWish operator()(const PlaylistOn& a) {
        if (!state.isOn() || state.isUnderWay) return {};
        if (!state.entry)  // the first, or one that cannot be shown
            return prepare(!state.fault ? state.number
                           : a.back     ? state.number - 1
                                        : state.number + 1,
                           a.back && state.fault);
        if (a.back) {
            if (state.picture > 0) return --state.picture, picture();
            return state.number > 0 ? prepare(state.number - 1, true) : PlaylistWish{};
        }
        if (!state.revealed && state.entry->hides()) return reveal();
        if (state.picture + 1 < state.entry->pictures.size()) return ++state.picture, picture();
        return prepare(state.number + 1);
    }
    PlaylistWish operator()(const RevealEntry&) {
        if (!state.entry || state.revealed) return {};
        return reveal();
    }
    PlaylistWish operator()(const BackToEntry&) { return state.entry ? picture() : PlaylistWish{}; }
    PlaylistWish operator()(const AddToPlaylist&) { return {.of = PlaylistWish::Of::Add}; }
    PlaylistWish operator()(const TypePlaylistPath& a) { return state.path = a.path, PlaylistWish{}; }

    PlaylistWish operator()(const PlaylistsListed& a) {
        std::vector<PlaylistName> own;
        std::ranges::copy_if(state.all, std::back_inserter(own), &PlaylistName::isOwn);
        state.all = a.all;
        state.all.insert(state.all.end(), own.begin(), own.end());
        return {};
    }
    void list(const OpenedPlaylist& opened) {
        PlaylistName name{.file = opened.file,
                          .titles = opened.list->text.titles,
                          .entries = opened.list->entries.size(),
                          .minutes = opened.list->minutes(),
                          .isOwn = opened.isOwn};
        const auto known = std::ranges::find(state.all, opened.file, &PlaylistName::file);
        if (known == state.all.end())
            state.all.push_back(std::move(name));
        else
            *known = std::move(name);
    }
    // The text has arrived in its file; what was added meanwhile follows it.
    PlaylistWish written(const OpenedPlaylist& now) {
        PlaylistWish wish;
        const auto write = state.writes.find(now.file);
        const std::shared_ptr<const std::string> next =
            write == state.writes.end() ? nullptr : write->second.next;
        if (next) {
            wish.tasks = {WritePlaylist{now.file, write->second.text, next}};
            write->second = {next, nullptr};
        } else {
            state.writes.erase(now.file);
        }
        if (!state.playlist || state.playlist->file != now.file) return wish;
        state.playlist = now;
        if (next) state.playlist->text = next;
        // What was added is on show already.
        if (state.entry && state.number >= state.count())
            for (PlaylistTask& task : prepare(state.count() - 1).tasks)
                wish.tasks.push_back(std::move(task));
        return wish;
    }
    PlaylistWish operator()(const PlaylistOpened& a) {
        list(a.playlist);
        if (a.isWritten) return written(a.playlist);
        close();
        state.playlist = a.playlist;
        const lessons::LessonStep* step = state.text()->find(a.entry);
        state.number = 0;
        return prepare(step ? state.text()->indexOf(*step) : 0);
    }
    PlaylistWish operator()(const PlaylistNotWritten& a) {
        state.writes.erase(a.file);
        if (state.playlist && state.playlist->file == a.file) state.playlist->text = a.before;
        return {};
    }
    PlaylistWish operator()(const EntryReady& a) {
        if (a.ticket != state.ticket || !state.isUnderWay) return {};
        state.isUnderWay = false;
        state.entry = a.entry;
        state.revealed = state.toItsEnd;
        state.picture = state.toItsEnd ? a.entry->pictures.size() - 1 : 0;
        return state.open ? picture() : PlaylistWish{};
    }
    PlaylistWish operator()(const EntryFailed& a) {
        if (a.ticket != state.ticket || !state.isUnderWay) return {};
        state.isUnderWay = false;
        state.entry.reset();
        state.fault = a.fault;
        return {};
    }
};

}  // namespace

const std::string& PlaylistName::title(Language language) const {
    if (titles.empty()) return file;
    const auto found = titles.find(language);
    return found == titles.end() ? titles.begin()->second : found->second;
}

bool PlaylistState::hidesView(std::string_view view) const {
    if (hides(playlists::Part::Source) && view == "source") return true;
    return hides(playlists::Part::View) && (isViewOfEntry(view) || isCoveredInLesson(view));
}

bool mayBeInPlaylist(std::string_view view) {
    const viz::ViewRow* row = viz::findView(view);
    return row && row->needsRun;
}

std::vector<PlaylistTask> writeText(PlaylistState& state, std::string text) {
    auto after = std::make_shared<const std::string>(std::move(text));
    auto before = std::exchange(state.playlist->text, after);
    const auto [write, isFirst] = state.writes.try_emplace(state.playlist->file, PlaylistWrite{after, {}});
    if (!isFirst) return write->second.next = std::move(after), std::vector<PlaylistTask>();
    return {WritePlaylist{state.playlist->file, std::move(before), std::move(after)}};
}

void beginPlaylist(PlaylistState& state, const std::string& folder, Language language) {
    std::filesystem::path file;
    std::error_code ignored;
    for (u32 number = 1; number == 1 || std::filesystem::exists(file, ignored); ++number) {
        const std::string name = number == 1 ? "lecture" : "lecture-" + std::to_string(number);
        file = playlists::fileOfPlaylist(folder, name, language);
    }
    const std::string text = playlists::newPlaylistText(say(language, english("Lecture")));
    const lessons::LessonFile files[] = {{language, file.string(), text}};
    playlists::Questions none("");
    state.entry.reset();
    state.fault.reset();
    state.number = 0;
    state.playlist =
        OpenedPlaylist{.file = file.string(),
                       .isOwn = true,
                       .text = std::make_shared<const std::string>(text),
                       .list = std::make_shared<const playlists::Playlist>(
                           playlists::parsePlaylist(playlists::nameOfPlaylist(file), files, none).playlist),
                       .mistakes = {}};
}

PlaylistWish updatePlaylist(PlaylistState& state, const PlaylistAction& action, u64& tickets) {
    return std::visit(PlaylistUpdater{state, tickets}, action);
}

}  // namespace lockstep::app
