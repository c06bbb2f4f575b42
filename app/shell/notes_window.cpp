#include "app/shell/notes_window.h"

#include "app/panels/playlist/playlist_words.h"
#include "app/shell/drawing/with_context.h"

#include <GLFW/glfw3.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include <utility>

namespace lockstep::shell {

namespace {

constexpr viz::Size kSize{1000, 720};
constexpr f32 kLetters = 1.25f;  // read from a lectern, not from a chair

}  // namespace

// Its contexts, in place of the first window's.
class NotesWindow::Current {
public:
    explicit Current(const NotesWindow& notes) : notes_(notes), context_(notes.context_) {
        notes_.window_.makeCurrent();
    }
    ~Current() { notes_.first_.makeCurrent(); }
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;

private:
    const NotesWindow& notes_;
    WithContext context_;
};

Expected<std::unique_ptr<NotesWindow>> NotesWindow::open(const viz::Fonts& fonts, const Window& first,
                                                         Language language) {
    Expected<Window> window =
        Window::openBesides(first, say(language, app::words::kNotesTitle).c_str(), kSize);
    if (!window) return Unexpected{window.error()};
    return std::unique_ptr<NotesWindow>(new NotesWindow(fonts, first, std::move(*window)));
}

NotesWindow::NotesWindow(const viz::Fonts& fonts, const Window& first, Window window)
    : first_(first), window_(std::move(window)) {
    const WithContext none(nullptr);
    window_.makeCurrent();
    gui_ = std::make_unique<Gui>(fonts, Gui::Shows::Notes);
    context_ = ImGui::GetCurrentContext();
    backends_ = std::make_unique<Backends>(window_);
    glfwSetWindowUserPointer(window_.handle(), this);
    glfwSetCursorPosCallback(window_.handle(), [](GLFWwindow* handle, f64 x, f64 y) {
        const f64 scale = static_cast<NotesWindow*>(glfwGetWindowUserPointer(handle))->scale();
        ImGui_ImplGlfw_CursorPosCallback(handle, x / scale, y / scale);
    });
    first_.makeCurrent();
}

NotesWindow::~NotesWindow() {
    const Current current(*this);
    backends_.reset();
    gui_.reset();
}

f32 NotesWindow::scale() const { return window_.pixelScale() * kLetters; }

bool NotesWindow::draw(const app::State& state, f64 lectureSeconds, std::vector<app::Action>& actions) {
    const Current current(*this);
    Backends::newFrame(scale());
    gui_->clock().seconds = lectureSeconds;
    gui_->frame(state, actions);
    const viz::Theme* theme = viz::findTheme(state.theme);
    window_.clear((theme ? *theme : viz::defaultTheme()).ground);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    window_.present();
    return gui_->clock().isReset;
}

viz::Image NotesWindow::picture() const {
    const Current current(*this);
    return window_.picture();
}

}  // namespace lockstep::shell
