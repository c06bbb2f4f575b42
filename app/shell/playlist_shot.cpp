// An entry of a playlist for a picture of the window, which nothing works on in the background.
#include "app/shell/playlist_desk.h"
#include "app/shell/shell.h"
#include "app/state/lesson_choice.h"
#include "app/state/playlist_update.h"
#include "run/recordings/times_facts.h"

namespace lockstep::shell {
namespace {

Expected<void> carryOutAll(PlaylistDesk& desk, app::PlaylistState& state, app::PlaylistAction first) {
    u64 tickets = 0;
    std::vector<app::PlaylistAction> waiting{std::move(first)};
    while (!waiting.empty()) {
        const app::PlaylistAction action = std::move(waiting.back());
        waiting.pop_back();
        if (const auto* failed = std::get_if<app::EntryFailed>(&action)) return Unexpected{failed->fault};
        for (const app::PlaylistTask& task : app::updatePlaylist(state, action, tickets).tasks)
            for (const app::Action& done : desk.carryOut(task)) {
                if (const auto* next = done.as<app::PlaylistAction>()) waiting.push_back(*next);
                if (const auto* failed = done.as<app::CouldNot>()) return Unexpected{failed->fault};
            }
    }
    return {};
}

}  // namespace

Expected<void> preparePlaylist(Request& request, bool revealed) {
    PlaylistDesk desk(request.resources, *request.catalog);
    app::PlaylistState state;
    u64 tickets = 0;
    (void)app::updatePlaylist(state, app::PlaylistsListed{desk.list()}, tickets);
    (void)app::updatePlaylist(state, app::ShowPlaylists{}, tickets);
    if (request.playlist != "list") {
        if (Expected<void> done = carryOutAll(
                desk, state, app::OpenPlaylist{desk.fileNamed(request.playlist), request.playlistEntry});
            !done)
            return done;
        if (state.entry) {
            if (!request.playlistEntry.empty() && state.entry->step->step().id != request.playlistEntry)
                return fail(FaultKind::NotFound,
                            Message(english("the playlist has no entry '{0}'"), request.playlistEntry));
            if (revealed) (void)app::updatePlaylist(state, app::RevealEntry{}, tickets);
            const playlists::Picture& picture = state.entry->pictures[state.picture];
            request.choice = picture.own ? app::choiceOf(*picture.own)
                                         : app::Choice{picture.family, picture.variant, picture.values};
            request.profile = picture.profile;
            request.view = picture.view;
            request.cursor = picture.cursor;
            if (picture.beside) {
                request.compared = {picture.beside->family, picture.beside->variant, picture.beside->values};
                request.comparedRun = picture.beside->run;
            }
            run::Run run = *picture.run;
            if (request.machines)
                if (const auto& machines = request.machines->get()) run::attachRecorded(run, **machines);
            request.run = std::make_shared<const run::Run>(std::move(run));
            if (state.withholdsRun()) {
                request.run = state.entry->before;
                request.cursor = state.entry->cursorBefore();
            }
        }
    }
    request.playlistShown = std::move(state);
    return {};
}

}  // namespace lockstep::shell
