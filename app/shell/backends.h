// ImGui's backends for a window, in the current ImGui context.
#pragma once

#include "app/shell/window.h"

namespace lockstep::shell {

class Backends {
public:
    explicit Backends(const Window& window);
    ~Backends();
    Backends(const Backends&) = delete;
    Backends& operator=(const Backends&) = delete;
    // `scale`: pixels of the window a logical pixel.
    static void newFrame(f32 scale);
};

}  // namespace lockstep::shell
