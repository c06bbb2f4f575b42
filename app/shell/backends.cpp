#include "app/shell/backends.h"

#include "app/shell/drawing/frame_pixels.h"

#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

namespace lockstep::shell {

Backends::Backends(const Window& window) {
    ImGui_ImplGlfw_InitForOpenGL(window.handle(), true);
    ImGui_ImplOpenGL3_Init("#version 330");
    ImGui_ImplOpenGL3_NewFrame();  // creates shaders and textures now, not in the first frame
}

Backends::~Backends() {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
}

void Backends::newFrame(f32 scale) {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGuiIO& io = ImGui::GetIO();
    const ImVec2 size = io.DisplaySize, given = io.DisplayFramebufferScale;
    const FrameSize across = frameSize(size.x * given.x, scale * given.x),
                    down = frameSize(size.y * given.y, scale * given.y);
    io.DisplaySize = {across.units, down.units};
    io.DisplayFramebufferScale = {across.scale, down.scale};
}

}  // namespace lockstep::shell
