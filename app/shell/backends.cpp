#include "app/shell/backends.h"

#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include <cmath>

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
    io.DisplaySize = {std::round(io.DisplaySize.x / scale), std::round(io.DisplaySize.y / scale)};
    io.DisplayFramebufferScale = {io.DisplayFramebufferScale.x * scale, io.DisplayFramebufferScale.y * scale};
}

}  // namespace lockstep::shell
