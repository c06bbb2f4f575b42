// The whole window as pictures, drawn by our own rasteriser: no display, and whatever window is on screen
// does not notice.
#pragma once

#include "app/panels/panel.h"
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
    Offscreen(const viz::Fonts& fonts, viz::Size size, f32 scale);
    ~Offscreen();

    // As the window would show the state once it has come to rest.
    viz::Image picture(const app::State& state);
    // The same as one scene: text stays text.
    viz::Scene scene(const app::State& state);
    // The texts around the views, each where it stands.
    std::vector<app::DrawnText> texts(const app::State& state);

private:
    class Inside;
    const viz::Fonts& fonts_;
    std::unique_ptr<Inside> inside_;
};

}  // namespace lockstep::shell
