// The column of a playlist beside the views: its head, the list of playlists or the entry on show with all
// others below it, and the row to go on.
#pragma once

#include "app/panels/panel.h"

namespace lockstep::app {

// Each fills the current ImGui window.
void drawPlaylistHead(PanelContext& context);
void drawPlaylistBody(PanelContext& context);
void drawPlaylistFoot(PanelContext& context);

}  // namespace lockstep::app
