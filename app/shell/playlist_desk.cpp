#include "app/shell/playlist_desk.h"

#include "base/files/text_file.h"
#include "base/files/whole_file.h"

#include <span>
#include <string>

namespace lockstep::shell {
namespace {

using app::Action, app::PlaylistAction;

constexpr Words kHelp = english("give a playlist");

Action action(PlaylistAction done) { return Action(std::move(done)); }

}  // namespace

PlaylistDesk::PlaylistDesk(const run::Resources& resources, const catalog::Catalog& catalog)
    : folder_(resources.assets() / "playlists"),
      questions_(resources.assets() / "lessons"),
      runs_(resources, catalog) {}

std::string PlaylistDesk::fileNamed(const std::string& name) const {
    return playlists::nameOfPlaylist(name).empty()
               ? playlists::fileOfPlaylist(folder_, name, Language::English).string()
               : name;
}

std::vector<app::PlaylistName> PlaylistDesk::list() {
    std::vector<app::PlaylistName> all;
    for (const std::string& name : playlists::playlistsIn(folder_)) {
        const std::string file = playlists::fileOfPlaylist(folder_, name, Language::English).string();
        if (const Expected<app::OpenedPlaylist> opened = open(file))
            all.push_back({.file = opened->file,
                           .titles = opened->list->text.titles,
                           .entries = opened->list->entries.size(),
                           .minutes = opened->list->minutes()});
    }
    return all;
}

Expected<app::OpenedPlaylist> PlaylistDesk::open(const std::string& file) {
    const std::scoped_lock lock(mutex_);
    return read(file);
}

Expected<app::OpenedPlaylist> PlaylistDesk::read(const std::string& file) {
    std::error_code error;
    const std::filesystem::path path = std::filesystem::absolute(file, error).lexically_normal();
    Expected<playlists::ReadPlaylist> read = playlists::readPlaylist(path, questions_);
    if (!read) return Unexpected{read.error()};
    const std::string main = read->playlist.text.mainFile();
    Expected<std::string> text = readTextFile(main, kHelp);
    if (!text) return Unexpected{text.error()};
    return app::OpenedPlaylist{
        .file = main,
        .isOwn = path.parent_path() != std::filesystem::absolute(folder_, error).lexically_normal(),
        .text = std::make_shared<const std::string>(std::move(*text)),
        .list = std::make_shared<const playlists::Playlist>(std::move(read->playlist)),
        .mistakes = std::move(read->mistakes)};
}

Expected<std::shared_ptr<const playlists::EntryOnShow>> PlaylistDesk::prepare(
    const app::PrepareEntry& wanted) {
    const std::scoped_lock lock(mutex_);
    return playlists::showEntry(wanted.playlist, wanted.number, runs_, questions_);
}

std::vector<Action> PlaylistDesk::write(const app::WritePlaylist& task) {
    const std::scoped_lock lock(mutex_);
    const auto failed = [&](Fault fault) {
        std::vector<Action> done{action(app::PlaylistNotWritten{task.file, task.before})};
        done.emplace_back(app::CouldNot{std::move(fault)});
        return done;
    };
    std::error_code error;
    if (std::filesystem::exists(task.file, error)) {
        const Expected<std::string> now = readTextFile(task.file, kHelp);
        if (!now) return failed(now.error());
        if (*now != *task.before)
            return failed(fail(FaultKind::Usage,
                               english("the file was changed by another program; read it again first"),
                               {.file = task.file})
                              .value());
    }
    if (const Expected<void> written = writeWholeFile(task.file, std::as_bytes(std::span(*task.after)));
        !written)
        return failed(written.error());
    Expected<app::OpenedPlaylist> opened = read(task.file);
    if (!opened) return failed(opened.error());
    const std::size_t entries = opened->list->entries.size();
    std::vector<Action> done{action(app::PlaylistOpened{std::move(*opened), {}, true})};
    done.emplace_back(app::Say{Message(english("Saved {0}: {1} {1:entry|entries}"), task.file, entries)});
    return done;
}

std::vector<Action> PlaylistDesk::carryOut(const app::PlaylistTask& task) {
    if (const auto* wanted = std::get_if<app::ReadPlaylistFile>(&task)) {
        Expected<app::OpenedPlaylist> opened = open(fileNamed(wanted->file));
        if (!opened) return {app::CouldNot{opened.error()}};
        return {action(app::PlaylistOpened{std::move(*opened), wanted->entry})};
    }
    if (const auto* wanted = std::get_if<app::PrepareEntry>(&task)) {
        auto entry = prepare(*wanted);
        if (!entry) return {action(app::EntryFailed{wanted->ticket, entry.error()})};
        return {action(app::EntryReady{wanted->ticket, std::move(*entry)})};
    }
    return write(std::get<app::WritePlaylist>(task));
}

}  // namespace lockstep::shell
