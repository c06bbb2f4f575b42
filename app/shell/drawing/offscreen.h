// The whole window, or the lecturer's notes, as pictures, drawn by our own rasterizer: no display needed, and
// no effect on a window on screen.
#pragma once

#include "app/panels/panel.h"
#include "app/shell/drawing/gui.h"
#include "app/state/state.h"
#include "viz/painters/raster/image.h"
#include "viz/scene/fonts.h"
#include "viz/scene/scene.h"

#include <memory>
#include <vector>

namespace lockstep::shell {

class Offscreen {
public:
    // `fonts` must outlive it. scale: pixels a logical pixel.
    Offscreen(const viz::Fonts& fonts, viz::Size size, f32 scale, Gui::Shows shows = Gui::Shows::Window);
    ~Offscreen();

    // The state as the window would show it once settled.
    viz::Image picture(const app::State& state);
    // The same as one scene, with real text.
    viz::Scene scene(const app::State& state);
    // The texts around the views, each with its position.
    std::vector<app::DrawnText> texts(const app::State& state);

private:
    class Inside;
    const viz::Fonts& fonts_;
    std::unique_ptr<Inside> inside_;
};

}  // namespace lockstep::shell
