#include "app/shell/drawing/offscreen.h"

#include "app/shell/drawing/draw_data_image.h"
#include "app/shell/drawing/with_context.h"
#include "app/state/update.h"

#include <imgui.h>

namespace lockstep::shell {

class Offscreen::Inside {
public:
    Inside(const viz::Fonts& fonts, viz::Size size, f32 scale, Gui::Shows shows) {
        const WithContext none(nullptr);
        gui_ = std::make_unique<Gui>(fonts, shows);
        context_ = ImGui::GetCurrentContext();
        ImGuiIO& io = ImGui::GetIO();
        io.BackendFlags |=
            ImGuiBackendFlags_RendererHasTextures |
            ImGuiBackendFlags_RendererHasVtxOffset;  // large matrices have more corners than 16 bits count
        io.DisplaySize = {size.width, size.height};
        io.DisplayFramebufferScale = {scale, scale};
        io.DeltaTime = 1.0f / 60;
    }
    ~Inside() {
        const WithContext own(context_);
        gui_.reset();
    }

    viz::Image picture(app::State state) {
        const WithContext own(context_);
        settle(state);
        const viz::Theme* theme = viz::findTheme(app::themeShown(state));
        return drawDataImage(*ImGui::GetDrawData(), theme ? theme->ground : viz::defaultTheme().ground);
    }
    viz::Scene scene(app::State state, const viz::TextMetrics& metrics) {
        const WithContext own(context_);
        settle(state);
        return gui_->window().picture(state, metrics);
    }
    std::vector<app::DrawnText> texts(app::State state) {
        const WithContext own(context_);
        std::vector<app::DrawnText> drawn;
        gui_->listTexts(&drawn);
        settle(state);
        gui_->listTexts(nullptr);
        return drawn;
    }

private:
    void settle(app::State& state) {
        std::vector<app::Action> actions;
        for (int frame = 0; frame < framesToSettle_; ++frame) {
            gui_->frame(state, actions);
            for (const app::Action& action : actions)
                (void)app::update(state, action);
            actions.clear();
            serveTextures(*ImGui::GetDrawData());
        }
        framesToSettle_ = kOnceSettled;
    }

    // Docks and sizes settle within a few frames; a deferred scene is drawn in two.
    static constexpr int kFirst = 6, kOnceSettled = 2;
    std::unique_ptr<Gui> gui_;
    ImGuiContext* context_ = nullptr;
    int framesToSettle_ = kFirst;
};

Offscreen::Offscreen(const viz::Fonts& fonts, viz::Size size, f32 scale, Gui::Shows shows)
    : fonts_(fonts), inside_(std::make_unique<Inside>(fonts, size, scale, shows)) {}
Offscreen::~Offscreen() = default;

viz::Image Offscreen::picture(const app::State& state) { return inside_->picture(state); }
viz::Scene Offscreen::scene(const app::State& state) { return inside_->scene(state, fonts_); }
std::vector<app::DrawnText> Offscreen::texts(const app::State& state) { return inside_->texts(state); }

}  // namespace lockstep::shell
