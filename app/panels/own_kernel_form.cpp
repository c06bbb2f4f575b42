#include "app/panels/own_kernel_form.h"

#include <algorithm>

#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/panels/widgets.h"
#include "app/panels/words.h"

namespace lockstep::app {
namespace {

using viz::RoleKind;
using viz::say;

constexpr f32 kWide = 520, kTitleWide = 150;
constexpr TextLook kSecond{.role = RoleKind::TextSecond};

std::string fileName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::vector<std::string> wordsOf(const std::string& text) {
    std::vector<std::string> found;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        if (end > begin) found.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return found;
}

}  // namespace

void OwnKernelForm::begin(const OwnKernelDialog& dialog) {
    kernel_ = asked_ = dialog.kernel;
    defines_.clear();
    for (const std::string& define : kernel_.defines) defines_ += (defines_.empty() ? "" : " ") + define;
}

Choice OwnKernelForm::choice() const {
    OwnKernel kernel = kernel_;
    kernel.defines = wordsOf(defines_);
    return {.family = {}, .variant = {}, .values = {}, .own = std::move(kernel)};
}

// One that a fault names is framed, and its title stands out.
void OwnKernelForm::field(PanelContext& context, const char* id, LaunchField of, std::string_view title, const viz::Words& help, std::string& value) {
    const std::optional<Fault>& fault = context.state.dialog->fault;
    const bool isBad = fault && fieldOf(*fault) == of;
    controlLabel(context, title, isBad ? TextLook{.face = viz::Face::TextBold, .role = RoleKind::Finding} : kSecond);
    ImGui::SameLine(kTitleWide);
    ImGui::SetNextItemWidth(-1);
    ImGui::PushFont(context.fonts.font(viz::Face::Mono), context.fonts.size(viz::Face::Mono, viz::type::kBody));
    ImGui::InputText(id, &value);
    ImGui::PopFont();
    if (isBad) ImGui::GetWindowDrawList()->AddRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), ink(context, RoleKind::Finding), viz::radius::kControl, viz::line::kCursor);
    helped(context, {help.in(context.state.language), "window.md"});
}

void OwnKernelForm::drawFields(PanelContext& context) {
    const Language language = context.state.language;
    const OwnKernelDialog& dialog = *context.state.dialog;
    controlLabel(context, words::kOwnKernel.in(language), kSecond);
    ImGui::SameLine(kTitleWide);
    std::vector<std::string> signatures;
    int now = -1;
    for (const FoundKernel& found : dialog.found) {
        if (found.entry == kernel_.entry) now = int(signatures.size());
        signatures.push_back(found.signature);
    }
    if (!signatures.empty()) {
        if (const int chosen = dropDown(context, "##entry", signatures, now, {words::kOwnEntryHelp.in(language), "window.md"}); chosen >= 0) {
            kernel_.entry = dialog.found[std::size_t(chosen)].entry;
            kernel_.arguments = dialog.found[std::size_t(chosen)].arguments;
        }
    } else {
        ImGui::SetNextItemWidth(-1);
        ImGui::InputTextWithHint("##instance", "name<16>", &kernel_.entry);
        helped(context, {words::kOwnTemplate.in(language), "window.md"});
        paragraph(context, words::kOwnTemplate.in(language), {.size = viz::type::kAxis, .role = RoleKind::TextThird});
        if (textButton(context, "look", words::kOwnLook.in(language), {words::kOwnLookHelp.in(language), "window.md"})) context.send(LookAgain{*choice().own});
    }
    using Kind = LaunchField::Kind;
    field(context, "##grid", {Kind::Grid}, words::kOwnGrid.in(language), words::kOwnGridHelp, kernel_.grid);
    field(context, "##block", {Kind::Block}, words::kOwnBlock.in(language), words::kOwnBlockHelp, kernel_.block);
    field(context, "##shared", {Kind::Shared}, words::kOwnShared.in(language), words::kOwnSharedHelp, kernel_.shared);
    // As the source calls it.
    const auto found = std::ranges::find(dialog.found, kernel_.entry, &FoundKernel::entry);
    const auto titleOf = [&](std::size_t i) { return found != dialog.found.end() && i < found->names.size() ? found->names[i] : say(language, words::kOwnArgument, i); };
    for (std::size_t i = 0; i < kernel_.arguments.size(); ++i)
        field(context, ("##argument " + std::to_string(i)).c_str(), {Kind::Argument, u32(i)}, titleOf(i), words::kOwnArgumentHelp, kernel_.arguments[i]);
    field(context, "##defines", {Kind::Defines}, words::kOwnDefines.in(language), words::kOwnDefinesHelp, defines_);
    if (dialog.fault) paragraph(context, describe(*dialog.fault, language), {.role = RoleKind::Finding});
}

void OwnKernelForm::draw(PanelContext& context) {
    if (!context.state.dialog) {
        wasOpen_ = false;
        return;
    }
    if (!wasOpen_ || !(asked_ == context.state.dialog->kernel)) begin(*context.state.dialog);
    const bool opening = !wasOpen_;
    wasOpen_ = true;
    const Language language = context.state.language;
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    ImGui::SetNextWindowPos(viewport.GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowSizeConstraints({kWide, 0}, {kWide, viewport.WorkSize.y - 40});
    if (opening) ImGui::SetNextWindowFocus();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(24, 20));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, viz::radius::kPanel);
    if (ImGui::Begin("##own kernel", nullptr, ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove |
                                                  ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings)) {
        label(context, say(language, words::kOwnTitle, fileName(kernel_.file)), {.size = viz::type::kTitle, .face = viz::Face::TextBold});
        drawFields(context);
        ImGui::Dummy({1, 4});
        const bool entered = ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows) && (ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false));
        if (textButton(context, "run", words::kRun.in(language), {words::kOwnRunHelp.in(language), "window.md"}, 120) || entered) context.send(SetChoice{choice()});
        ImGui::SameLine();
        if (textButton(context, "cancel", words::kCancel.in(language), {words::kOwnCancelHelp.in(language), "window.md"}, 120) || ImGui::IsKeyPressed(ImGuiKey_Escape, false)) context.send(CloseDialog{});
    }
    ImGui::End();
    ImGui::PopStyleVar(3);
}

}  // namespace lockstep::app
