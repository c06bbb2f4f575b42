#include "app/panels/own_kernel_form.h"

#include "app/panels/program/program_words.h"
#include "app/panels/widgets.h"
#include "app/panels/words.h"
#include "catalog/references/reference_text.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

namespace lockstep::app {
namespace {

using viz::RoleKind;

constexpr f32 kWide = 520, kTitleWide = 164;
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
    for (const std::string& define : kernel_.defines)
        defines_ += (defines_.empty() ? "" : " ") + define;
    reference_.clear();
    for (const std::string& reference : kernel_.references)
        reference_ += (reference_.empty() ? "" : "; ") + reference;
    further_ = kernel_.further;
    further_.emplace_back();
    proposedFor_ = {};
    proposed_.clear();
}

Choice OwnKernelForm::choice() const {
    OwnKernel kernel = kernel_;
    kernel.defines = wordsOf(defines_);
    kernel.references = catalog::splitReferences(reference_);
    kernel.further = further_;
    std::erase(kernel.further, std::string());
    return {.family = {}, .variant = {}, .values = {}, .own = std::move(kernel)};
}

// A field named by a fault is framed, with its title highlighted.
void OwnKernelForm::field(PanelContext& context, const char* id, LaunchField of, std::string_view title,
                          const Words& help, std::string& value) {
    const std::optional<Fault>& fault = context.state.dialog->fault;
    const bool isBad = fault && fieldOf(*fault) == of;
    controlLabel(context, title,
                 isBad ? TextLook{.face = viz::Face::TextBold, .role = RoleKind::Finding} : kSecond);
    ImGui::SameLine(kTitleWide);
    ImGui::SetNextItemWidth(-1);
    ImGui::PushFont(context.fonts.font(viz::Face::Mono),
                    context.fonts.size(viz::Face::Mono, viz::type::kBody));
    ImGui::InputText(id, &value);
    ImGui::PopFont();
    if (isBad)
        ImGui::GetWindowDrawList()->AddRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                                            ink(context, RoleKind::Finding), viz::radius::kControl,
                                            viz::line::kCursor);
    helped(context, {help.in(context.state.language), "guide/window.md"});
}

// The proposals are written into the field, to be checked and edited before use.
void OwnKernelForm::drawReference(PanelContext& context) {
    const Language language = context.state.language;
    if (!(proposedFor_ == kernel_)) {
        proposedFor_ = kernel_;
        proposed_ = proposedReferences(*context.state.dialog, kernel_);
    }
    controlLabel(context, words::kOwnReference.in(language), kSecond);
    ImGui::SameLine(kTitleWide);
    std::vector<std::string> texts{std::string(words::kOwnNoReference.in(language))};
    texts.insert(texts.end(), proposed_.begin(), proposed_.end());
    const auto now = std::ranges::find(texts, reference_);
    const int on = reference_.empty() ? 0 : now == texts.end() ? -1 : int(now - texts.begin());
    if (const int chosen = dropDown(context, "##references", texts, on,
                                    {words::kOwnReferenceHelp.in(language), "guide/window.md"});
        chosen >= 0)
        reference_ = chosen == 0 ? std::string() : texts[std::size_t(chosen)];
    field(context, "##reference", {LaunchField::Kind::Reference}, words::kOwnReferenceText.in(language),
          words::kOwnReferenceHelp, reference_);
}

void OwnKernelForm::drawFields(PanelContext& context) {
    const Language language = context.state.language;
    const OwnKernelDialog& dialog = *context.state.dialog;
    controlLabel(context, words::kOwnKernel.in(language), kSecond);
    ImGui::SameLine(kTitleWide);
    // A kernel that the file launches is listed with each of its launches, any other with its parameters.
    std::vector<std::string> texts;
    std::vector<std::pair<const FoundKernel*, const run::ProposedLaunch*>> rows;
    int now = -1;
    const run::ProposedLaunch* proposed = nullptr;
    for (const FoundKernel& found : dialog.found) {
        for (const run::ProposedLaunch& launch : found.launches) {
            if (!proposed && shows(kernel_, found, launch)) proposed = &launch, now = int(rows.size());
            texts.push_back(say(language, words::kOwnLaunchAt, launch.line, launch.title));
            rows.emplace_back(&found, &launch);
        }
        if (found.launches.empty()) {
            texts.push_back(found.signature);
            rows.emplace_back(&found, nullptr);
        }
    }
    for (std::size_t i = 0; i < rows.size() && now < 0; ++i)
        if (rows[i].first->entry == kernel_.entry) now = int(i);
    const bool hasLaunches = std::ranges::any_of(rows, [](const auto& row) { return row.second != nullptr; });
    if (!rows.empty()) {
        if (const int chosen =
                dropDown(context, "##entry", texts, now,
                         {(hasLaunches ? words::kOwnEntryLaunchHelp : words::kOwnEntryHelp).in(language),
                          "guide/window.md"});
            chosen >= 0) {
            const auto& [found, launch] = rows[std::size_t(chosen)];
            kernel_.entry = found->entry;
            if (launch)
                propose(kernel_, *found, *launch);
            else
                kernel_.arguments = found->arguments;
            reference_.clear();  // it was about the other kernel
            further_.assign(1, {});
        }
    } else {
        ImGui::SetNextItemWidth(-1);
        ImGui::InputTextWithHint("##instance", "name<16>", &kernel_.entry);
        helped(context, {words::kOwnTemplate.in(language), "guide/window.md"});
        paragraph(context, words::kOwnTemplate.in(language),
                  {.size = viz::type::kAxis, .role = RoleKind::TextThird});
        if (textButton(context, "look", words::kOwnLook.in(language),
                       {words::kOwnLookHelp.in(language), "guide/window.md"}))
            context.send(LookAgain{*choice().own});
    }
    using Kind = LaunchField::Kind;
    field(context, "##grid", {Kind::Grid}, words::kOwnGrid.in(language), words::kOwnGridHelp, kernel_.grid);
    field(context, "##block", {Kind::Block}, words::kOwnBlock.in(language), words::kOwnBlockHelp,
          kernel_.block);
    field(context, "##shared", {Kind::Shared}, words::kOwnShared.in(language), words::kOwnSharedHelp,
          kernel_.shared);
    // As the source calls it.
    const auto found = std::ranges::find(dialog.found, kernel_.entry, &FoundKernel::entry);
    const auto titleOf = [&](std::size_t i) {
        return found != dialog.found.end() && i < found->names.size() ? found->names[i]
                                                                      : say(language, words::kOwnArgument, i);
    };
    for (std::size_t i = 0; i < kernel_.arguments.size(); ++i)
        field(context, ("##argument " + std::to_string(i)).c_str(), {Kind::Argument, u32(i)}, titleOf(i),
              words::kOwnArgumentHelp, kernel_.arguments[i]);
    for (std::size_t i = 0; i < further_.size(); ++i)
        field(context, ("##then " + std::to_string(i)).c_str(), {Kind::Further}, words::kOwnThen.in(language),
              words::kOwnThenHelp, further_[i]);
    if (!further_.back().empty()) further_.emplace_back();
    field(context, "##defines", {Kind::Defines}, words::kOwnDefines.in(language), words::kOwnDefinesHelp,
          defines_);
    drawReference(context);
    if (dialog.fault) paragraph(context, describe(*dialog.fault, language), {.role = RoleKind::Finding});
    drawNotes(context, proposed);
}

// Where the values come from, what is missing, and what was skipped in the file.
void OwnKernelForm::drawNotes(PanelContext& context, const run::ProposedLaunch* proposed) {
    constexpr std::size_t kMost = 6;
    constexpr TextLook kSmall{.size = viz::type::kAxis, .role = RoleKind::TextThird};
    const Language language = context.state.language;
    std::vector<std::string> sentences;
    if (proposed) {
        sentences.push_back(say(language, words::kOwnFromFile, proposed->line, fileName(proposed->file)));
        for (const Fault& unknown : proposed->unknown)
            sentences.push_back(describe(unknown, language));
    }
    for (const Fault& note : context.state.dialog->notes)
        sentences.push_back(describe(note, language));
    for (std::size_t i = 0; i < std::min(kMost, sentences.size()); ++i)
        paragraph(context, sentences[i], kSmall);
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
    if (ImGui::Begin("##own kernel", nullptr,
                     ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                         ImGuiWindowFlags_NoMove | ImGuiWindowFlags_AlwaysAutoResize |
                         ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings)) {
        label(context, say(language, words::kOwnTitle, fileName(kernel_.file)),
              {.size = viz::type::kTitle, .face = viz::Face::TextBold});
        drawFields(context);
        ImGui::Dummy({1, 4});
        const bool entered =
            ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows) &&
            (ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false));
        if (textButton(context, "run", words::kRun.in(language),
                       {words::kOwnRunHelp.in(language), "guide/window.md"}, 120) ||
            entered)
            context.send(SetChoice{choice()});
        ImGui::SameLine();
        if (textButton(context, "cancel", words::kCancel.in(language),
                       {words::kOwnCancelHelp.in(language), "guide/window.md"}, 120) ||
            (ImGui::IsKeyPressed(ImGuiKey_Escape, false) && !context.hasListOpen))
            context.send(CloseDialog{});
        if (context.state.program.files.contains(kernel_.file)) {
            ImGui::SameLine();
            if (textButton(context, "run program", words::kRunProgram.in(language),
                           {words::kRunProgramHelp.in(language), "guide/window.md"}, 160))
                context.send(ProgramAction{RunProgram{}});
        }
    }
    ImGui::End();
    ImGui::PopStyleVar(3);
}

}  // namespace lockstep::app
