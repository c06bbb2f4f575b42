// Opens the window, runs its loop and closes it.
#include "app/shell/loop.h"

namespace lockstep::shell {

Expected<void> openWindow(const Request& request) {
    Expected<Window> window = Window::open("Lockstep", request.size);
    if (!window) return Unexpected{window.error()};
    const Expected<viz::Fonts> fonts = viz::Fonts::load(request.fontFolder);
    if (!fonts) return Unexpected{fonts.error()};
    Loop(request, *fonts, *window).run();
    return {};
}

}  // namespace lockstep::shell
