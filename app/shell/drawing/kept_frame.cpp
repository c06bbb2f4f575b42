#include "app/shell/drawing/kept_frame.h"

#include "app/shell/drawing/solid_rects.h"

#include <glad/gl.h>
#include <imgui_impl_opengl3.h>

#include <utility>

namespace lockstep::shell {
namespace {

// A rectangle of fewer pixels is not worth its own command.
constexpr s64 kLeastToClear = 256;

// Under everything; the boxes' commands scissor it like the rest.
void addGround(ImDrawData& data, viz::Color ground) {
    if (data.CmdLists.empty()) return;
    ImVector<ImDrawCmd>& commands = data.CmdLists[0]->CmdBuffer;
    commands.insert(commands.begin(),
                    solidRect(wholeFrame(data), IM_COL32(ground.r, ground.g, ground.b, 255)));
}

}  // namespace

KeptFrame::~KeptFrame() {
    if (framebuffer_) glDeleteFramebuffers(1, &framebuffer_);
    if (texture_) glDeleteTextures(1, &texture_);
}

// In the layout of the window's own pixels, so that showing it is a plain copy.
void KeptFrame::resize(int width, int height) {
    if (width == width_ && height == height_) return;
    width_ = width, height_ = height;
    if (!texture_) glGenTextures(1, &texture_);
    if (!framebuffer_) glGenFramebuffers(1, &framebuffer_);
    glBindTexture(GL_TEXTURE_2D, texture_);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, width, height, 0, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
}

void KeptFrame::draw(ImDrawData& data, viz::Color ground) {
    const PixelBox frame = wholeFrame(data);
    if (frame.isEmpty()) return;
    resize(frame.right, frame.bottom);
    addGround(data, ground);
    takeSolidRects(data, kLeastToClear);
    tiles_.cutDown(data, tiles_.take(data));

    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glViewport(0, 0, width_, height_);
    ImGui_ImplOpenGL3_RenderDrawData(&data);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

}  // namespace lockstep::shell
