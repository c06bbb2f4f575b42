// The pictures of a playlist's entries, as the window would show them.
#pragma once

#include "app/cli/session.h"
#include "playlists/handout.h"
#include "viz/scene/fonts.h"

namespace lockstep::cli {

class PlaylistPictures {
public:
    // language: of the pictures.
    static Expected<PlaylistPictures> open(Session& session, Language language);

    // As SVG, in the light theme.
    Expected<playlists::DrawnPicture> draw(const playlists::Picture& picture);

private:
    PlaylistPictures(Session& session, Language language, viz::Fonts fonts,
                     std::shared_ptr<const std::vector<run::RecordedMachine>> machines)
        : session_(&session), language_(language), fonts_(std::move(fonts)), machines_(std::move(machines)) {}

    Session* session_;
    Language language_;
    viz::Fonts fonts_;
    std::shared_ptr<const std::vector<run::RecordedMachine>> machines_;
    // The run before, with what was measured of it: the events of an entry are of one run.
    std::shared_ptr<const run::Run> of_, shown_;
};

}  // namespace lockstep::cli
