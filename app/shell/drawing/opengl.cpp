#include "app/shell/drawing/opengl.h"

#include "app/shell/window.h"

namespace lockstep::shell {

Expected<std::string> openGlRenderer() {
    const Expected<Window> window = Window::open("", {64, 64}, false);
    if (!window) return Unexpected{window.error()};
    return window->renderer();
}

}  // namespace lockstep::shell
