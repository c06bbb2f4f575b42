// What playlists need done in the background: reads and writes their files, runs the experiments of their
// entries. One thing at a time, on any thread.
#pragma once

#include "app/state/action.h"
#include "run/resources.h"

#include <filesystem>
#include <mutex>
#include <vector>

namespace lockstep::shell {

class PlaylistDesk {
public:
    PlaylistDesk(const run::Resources& resources, const catalog::Catalog& catalog);

    // The file of a name: of the program's own, else the name is a file.
    std::string fileNamed(const std::string& name) const;
    // The program's own.
    std::vector<app::PlaylistName> list();
    // The task's result.
    std::vector<app::Action> carryOut(const app::PlaylistTask& task);

    Expected<app::OpenedPlaylist> open(const std::string& file);
    Expected<std::shared_ptr<const playlists::EntryOnShow>> prepare(const app::PrepareEntry& wanted);

private:
    std::vector<app::Action> write(const app::WritePlaylist& task);
    Expected<app::OpenedPlaylist> read(const std::string& file);

    std::filesystem::path folder_;  // of the program's playlists
    std::mutex mutex_;              // of what follows
    playlists::Questions questions_;
    lessons::LessonRuns runs_;
};

}  // namespace lockstep::shell
