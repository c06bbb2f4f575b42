// The whole window as a picture: the frames that the screen would show, drawn by our own rasteriser.
#include <imgui.h>

#include "app/shell/draw_data_image.h"
#include "app/shell/gui.h"
#include "app/shell/shell.h"
#include "viz/painters/raster/image.h"

namespace lockstep::shell {

app::State firstState(const Request& request) {
    app::State state = app::initialState(*request.catalog, request.choice);
    state.machines = request.machines;
    state.theme = request.theme;
    state.language = request.language;
    state.profile = request.profile;
    state.devices = request.devices;
    state.wanted = request.cursor;
    state.playback.playing = request.play;
    if (!request.view.empty()) (void)app::update(state, app::BringUp{request.view});
    if (request.run) {
        (void)app::update(state, app::ShowRun{request.run});
        if (request.cursor) (void)app::update(state, app::MoveCursor{*request.cursor});
    }
    return state;
}

Expected<void> takeShot(const Request& request, const std::filesystem::path& file) {
    const Expected<viz::Fonts> fonts = viz::Fonts::load(request.fontFolder);
    if (!fonts) return Unexpected{fonts.error()};
    Gui gui(*fonts);
    ImGuiIO& io = ImGui::GetIO();
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
    io.DisplaySize = {request.size.width, request.size.height};
    io.DisplayFramebufferScale = {request.scale, request.scale};

    app::State state = firstState(request);
    std::vector<app::Action> actions;
    // Docks and sizes settle within a few frames.
    constexpr int kFrames = 6;
    for (int frame = 0; frame < kFrames; ++frame) {
        io.DeltaTime = 1.0f / 60;
        gui.frame(state, actions);
        for (const app::Action& action : actions) (void)app::update(state, action);
        actions.clear();
        serveTextures(*ImGui::GetDrawData());
    }
    const viz::Theme* theme = viz::findTheme(request.theme);
    const viz::Image image = drawDataImage(*ImGui::GetDrawData(), theme ? theme->ground : viz::defaultTheme().ground);
    return viz::writePng(image, file);
}

}  // namespace lockstep::shell
