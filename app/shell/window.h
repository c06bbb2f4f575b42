// An operating system window with an OpenGL 3.3 context, as a value that cleans up after itself.
#pragma once

#include "base/expected.h"
#include "viz/painters/raster/image.h"
#include "viz/scene/color.h"
#include "viz/scene/scene.h"

#include <array>
#include <functional>
#include <memory>

struct GLFWwindow;

namespace lockstep::shell {

// Below, its parts do not fit side by side.
inline constexpr viz::Size kLeastWindow{640, 480};

class Window {
public:
    static Expected<Window> open(const char* title, viz::Size size, bool visible = true);
    // A second one, on another monitor than that one's if there is another, else beside it; the keyboard
    // stays where it is. It shares no OpenGL objects. The first one's context is current again.
    static Expected<Window> openBesides(const Window& first, const char* title, viz::Size size);
    Window(Window&& other) noexcept;
    Window& operator=(Window&&) = delete;
    ~Window();

    GLFWwindow* handle() const { return window_; }
    bool shouldClose() const;
    std::string renderer() const;  // as OpenGL names it
    bool drawsInSoftware() const;  // on the CPU: Mesa's llvmpipe and softpipe, and the like
    f32 contentScale() const;
    // The window's own units a logical pixel: where it is measured in pixels (X11, Windows) it was opened
    // larger on a display of a larger scale; else 1.
    f32 pixelScale() const;
    viz::Size size() const;  // logical pixels, as it was opened with

    // Events until something happens (at most `seconds`), or at once with 0.
    void waitForEvents(f64 seconds) const;
    static void wake();  // from any thread: ends waitForEvents

    void makeCurrent() const;  // its OpenGL context
    void clear(viz::Color ground) const;
    void present() const;
    void resize(viz::Size size) const;
    // Full screen on its monitor, without a frame; and back.
    void fillScreen(bool fill);
    viz::Image picture() const;  // of what is drawn and not yet presented

private:
    explicit Window(GLFWwindow* window) : window_(window) {}
    GLFWwindow* window_ = nullptr;
    std::array<int, 4> before_{};  // place and size that it goes back to
};

}  // namespace lockstep::shell
