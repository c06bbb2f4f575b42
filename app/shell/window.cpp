#include "app/shell/window.h"

#include <GLFW/glfw3.h>
#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

namespace lockstep::shell {
namespace {

u32 openWindows = 0;  // GLFW lives as long as there is one

std::string lastError() {
    const char* text = nullptr;
    glfwGetError(&text);
    return text ? text : "no reason given";
}

// With an OpenGL 3.3 context. Null: there is a reason.
GLFWwindow* create(const char* title, viz::Size size, bool visible) {
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_VISIBLE, visible ? GLFW_TRUE : GLFW_FALSE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    // No depth buffer is needed; without it software OpenGL can discard what an opaque tile covers.
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    return glfwCreateWindow(int(size.width), int(size.height), title, nullptr, nullptr);
}

Fault noOpenGl(const std::string& why) {
    return fail(FaultKind::System,
                Message(english("no window with OpenGL 3.3 can be opened ({0}); install a graphics "
                                "driver, or Mesa's software one (libgl1-mesa-dri)"),
                        why))
        .value();
}

// The monitor that shows the window's center.
GLFWmonitor* monitorAt(int x, int y) {
    int count = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    for (int i = 0; i < count; ++i) {
        int left = 0, top = 0;
        glfwGetMonitorPos(monitors[i], &left, &top);
        const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
        if (mode && x >= left && x < left + mode->width && y >= top && y < top + mode->height)
            return monitors[i];
    }
    return glfwGetPrimaryMonitor();
}

void limitSize(GLFWwindow* handle, f32 scale) {
    glfwSetWindowSizeLimits(handle, int(kLeastWindow.width * scale), int(kLeastWindow.height * scale),
                            GLFW_DONT_CARE, GLFW_DONT_CARE);
}

}  // namespace

Expected<Window> Window::open(const char* title, viz::Size size, bool visible) {
    if (!glfwInit())
        return fail(FaultKind::System,
                    Message(english("no window can be opened here ({0}); set DISPLAY to a running X server, "
                                    "or use `lockstep shot` and `lockstep show`, which need none"),
                            lastError()));
    GLFWwindow* handle = create(title, size, visible);
    if (!handle) {
        const std::string why = lastError();
        if (openWindows == 0) glfwTerminate();
        return Unexpected{noOpenGl(why)};
    }
    ++openWindows;
    Window window(handle);
    limitSize(handle, window.pixelScale());
    glfwMakeContextCurrent(handle);
    glfwSwapInterval(1);
    if (!gladLoadGL(glfwGetProcAddress))
        return fail(FaultKind::System,
                    english("the OpenGL driver offers no functions; install another one (libgl1-mesa-dri)"));
    return window;
}

namespace {

// In the middle of another monitor than the first window's; where there is none, at the right of it.
void placeBesides(GLFWwindow* handle, GLFWwindow* first) {
    int x = 0, y = 0, width = 0, height = 0, ownWidth = 0, ownHeight = 0;
    glfwGetWindowPos(first, &x, &y);
    glfwGetWindowSize(first, &width, &height);
    glfwGetWindowSize(handle, &ownWidth, &ownHeight);
    GLFWmonitor* taken = monitorAt(x + width / 2, y + height / 2);
    int count = 0, left = 0, top = 0, across = 0, down = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    GLFWmonitor** const other =
        std::find_if(monitors, monitors + count, [&](GLFWmonitor* monitor) { return monitor != taken; });
    if (GLFWmonitor* monitor = other != monitors + count ? *other : taken) {
        glfwGetMonitorWorkarea(monitor, &left, &top, &across, &down);
        if (monitor != taken)
            return glfwSetWindowPos(handle, left + std::max(0, (across - ownWidth) / 2),
                                    top + std::max(0, (down - ownHeight) / 2));
        const int right = std::max(left, left + across - ownWidth);
        return glfwSetWindowPos(handle, std::clamp(x + width, left, right), std::max(y, top));
    }
}

}  // namespace

Expected<Window> Window::openBesides(const Window& first, const char* title, viz::Size size) {
    glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_FALSE);
    GLFWwindow* handle = create(title, size, false);
    glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_TRUE);
    if (!handle) return Unexpected{noOpenGl(lastError())};
    ++openWindows;
    Window window(handle);
    limitSize(handle, window.pixelScale());
    placeBesides(handle, first.window_);
    glfwShowWindow(handle);
    glfwMakeContextCurrent(handle);
    glfwSwapInterval(0);  // the first window waits for its monitor, which is enough
    first.makeCurrent();
    return window;
}

Window::Window(Window&& other) noexcept
    : window_(std::exchange(other.window_, nullptr)), before_(other.before_) {}

Window::~Window() {
    if (!window_) return;
    glfwDestroyWindow(window_);
    if (--openWindows == 0) glfwTerminate();
}

bool Window::shouldClose() const { return glfwWindowShouldClose(window_); }

std::string Window::renderer() const { return reinterpret_cast<const char*>(glGetString(GL_RENDERER)); }

bool Window::drawsInSoftware() const {
    constexpr std::array<std::string_view, 4> kInSoftware{"llvmpipe", "softpipe", "Software Rasterizer",
                                                          "SwiftShader"};
    const std::string name = renderer();
    return std::ranges::any_of(
        kInSoftware, [&](std::string_view software) { return name.find(software) != std::string::npos; });
}

f32 Window::contentScale() const {
    f32 x = 1, y = 1;
    glfwGetWindowContentScale(window_, &x, &y);
    return x;
}

f32 Window::pixelScale() const {
    int width = 0, pixels = 0;
    glfwGetWindowSize(window_, &width, nullptr);
    glfwGetFramebufferSize(window_, &pixels, nullptr);
    return pixels == width ? std::max(1.0f, contentScale()) : 1;
}

viz::Size Window::size() const {
    int width = 0, height = 0;
    glfwGetWindowSize(window_, &width, &height);
    const f32 scale = pixelScale();
    return {std::round(f32(width) / scale), std::round(f32(height) / scale)};
}

void Window::waitForEvents(f64 seconds) const {
    if (seconds > 0)
        glfwWaitEventsTimeout(seconds);
    else
        glfwPollEvents();
}

void Window::wake() { glfwPostEmptyEvent(); }

void Window::makeCurrent() const { glfwMakeContextCurrent(window_); }

void Window::clear(viz::Color ground) const {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    glViewport(0, 0, width, height);
    glClearColor(f32(ground.r) / 255, f32(ground.g) / 255, f32(ground.b) / 255, 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

void Window::present() const { glfwSwapBuffers(window_); }

void Window::resize(viz::Size size) const { glfwSetWindowSize(window_, int(size.width), int(size.height)); }

void Window::fillScreen(bool fill) {
    if (fill == (glfwGetWindowMonitor(window_) != nullptr)) return;
    auto& [x, y, width, height] = before_;
    if (!fill) return glfwSetWindowMonitor(window_, nullptr, x, y, width, height, GLFW_DONT_CARE);
    glfwGetWindowPos(window_, &x, &y);
    glfwGetWindowSize(window_, &width, &height);
    GLFWmonitor* monitor = monitorAt(x + width / 2, y + height / 2);
    const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
    if (mode) glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

viz::Image Window::picture() const {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    viz::Image image{u32(width), u32(height), std::vector<u8>(std::size_t(width) * std::size_t(height) * 4)};
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
    // OpenGL's first row is the lowest.
    const std::size_t row = std::size_t(width) * 4;
    for (std::size_t top = 0, bottom = std::size_t(height); top + 1 < bottom; ++top)
        std::swap_ranges(image.rgba.begin() + std::ptrdiff_t(top * row),
                         image.rgba.begin() + std::ptrdiff_t((top + 1) * row),
                         image.rgba.begin() + std::ptrdiff_t(--bottom * row));
    return image;
}

}  // namespace lockstep::shell
