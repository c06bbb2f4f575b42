// The column of a playlist beside the views: its head, the list of playlists or the entry on show with all
// others below it, and the row to go on.
#pragma once

#include "app/panels/panel.h"

#include <string>

namespace lockstep::app {

// Each fills the current ImGui window.
void drawPlaylistHead(PanelContext& context);
void drawPlaylistBody(PanelContext& context);
void drawPlaylistFoot(PanelContext& context);
// In the place of a part that is not revealed yet.
void drawUnrevealed(PanelContext& context, f32 scale = 1);

// What the audience is asked: the last paragraph of the entry's question, else of its text, without marks of
// Markdown. Empty: no entry is on show.
std::string askedInBrief(const State& state);

}  // namespace lockstep::app
