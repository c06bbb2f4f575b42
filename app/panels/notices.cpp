// Says for a while what has just been done.
#include "app/panels/fixed_part.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/panels/words.h"
#include "app/state/update.h"

#include <imgui.h>
#include <imgui_internal.h>  // above all that is not a dialog

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::app {

namespace {

constexpr Words kLooking = english("Compiling {0} to find its kernels: {1} s");
constexpr Words kStopLookingHelp = english("Ends it; nothing is opened");
constexpr ImVec2 kPadding{viz::space::kInset, 10};
constexpr f32 kMargin = 12, kErrandRow = 60, kBelowTabs = 48;

// What goes on in the background, with a button that ends it; row: of several, from the top down, at
// the left, where no card lies.
void drawErrand(PanelContext& context, const viz::Rect& area, const char* id, f32 row, std::string_view text,
                std::string_view help, const char* page, const Action& stop) {
    const ImVec2 origin = ImGui::GetMainViewport()->WorkPos;
    ImGui::SetNextWindowPos({origin.x + area.x + kMargin, origin.y + area.y + kBelowTabs + row * kErrandRow},
                            ImGuiCond_Always);
    floatingPart(id, kPadding, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoFocusOnAppearing, [&] {
        ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
        controlLabel(context, text);
        ImGui::SameLine();
        if (textButton(context, "cancel", words::kCancel.in(context.state.language), {help, page}))
            context.send(stop);
    });
}

}  // namespace

void drawErrands(PanelContext& context, const viz::Rect& area) {
    constexpr f64 kShownAfter = 0.5;  // seconds: most files take less
    const Language language = context.state.language;
    f32 row = 0;
    if (const std::optional<Looking>& looking = context.state.looking;
        looking && looking->seconds >= kShownAfter)
        drawErrand(context, area, "##looking", row++,
                   say(language, kLooking, std::filesystem::path(looking->file).filename().string(),
                       u64(looking->seconds)),
                   kStopLookingHelp.in(language), "guide/own-programs.md", StopLooking{});
    if (const std::optional<CompilerFetch>& fetching = context.state.fetching; fetching) {
        const Words& what =
            fetching->what == Fetched::Toolkit ? words::kFetchingToolkit : words::kFetchingCompiler;
        std::string text = say(language, what, u64(fetching->seconds));
        if (!fetching->package.empty())
            text = say(language, words::kFetchingPackage, text, fetching->package);
        drawErrand(context, area, "##fetching", row, text, words::kStopFetchingHelp.in(language),
                   "guide/window.md", StopFetching{});
    }
}

void drawNotices(PanelContext& context, const viz::Rect& area) {
    constexpr f32 kWidest = 460;
    if (context.state.notices.empty() || context.state.showSaid) return;
    const ImVec2 origin = ImGui::GetMainViewport()->WorkPos;
    const bool isBelowErrand = context.state.fetching || context.state.looking;
    ImGui::SetNextWindowPos(
        {origin.x + area.x + kMargin, origin.y + area.y + kBelowTabs + (isBelowErrand ? kErrandRow : 0)},
        ImGuiCond_Always);
    floatingPart(
        "##notices", kPadding,
        ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoFocusOnAppearing, [&] {
            ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
            for (const Notice& notice : context.state.notices) {
                const std::string text = notice.text.in(context.state.language);
                paragraph(context, text, {},
                          std::min({kWidest, area.width - 60, widthOf(context, text) + 2}));
            }
        });
}

namespace {

constexpr Words kSaidTitle = english("Messages");
constexpr Words kSaidNone = english(
    "No messages yet. What the window says for a moment, such as where a file was "
    "written, is listed here.");
constexpr Words kSaidCopy = english("Copy all"),
                kSaidCopyHelp = english("Copies these messages as text, the latest first");

}  // namespace

void drawSaid(PanelContext& context) {
    if (!context.state.showSaid) return;
    constexpr f32 kWide = 560;
    const Language language = context.state.language;
    centeredPage(context, "##said", kWide, [&](f32 room) {
        label(context, kSaidTitle.in(language), {.size = viz::type::kTitle, .face = viz::Face::TextBold});
        const std::vector<Message>& said = context.state.said;
        if (said.empty()) paragraph(context, kSaidNone.in(language), {}, room);
        std::string all;
        for (auto one = said.rbegin(); one != said.rend(); ++one) {
            const std::string text = one->in(language);
            all += text + "\n";
            paragraph(context, text, {}, room);
        }
        ImGui::Dummy({1, viz::space::kGrid});
        ImGui::BeginDisabled(said.empty());
        if (textButton(context, "copy", kSaidCopy.in(language),
                       {kSaidCopyHelp.in(language), "guide/window.md"}))
            ImGui::SetClipboardText(all.c_str());
        ImGui::EndDisabled();
        ImGui::SameLine();
        if (textButton(context, "close", words::kClose.in(language),
                       {words::kCloseHelp.in(language), "guide/window.md"}))
            context.send(ShowSaid{false});
    });
}

void copyCommandLine(PanelContext& context, std::string_view view) {
    const std::string line = commandLine(context.state, view);
    if (line.empty()) return;
    ImGui::SetClipboardText(line.c_str());
    context.send(Say{Message(words::kCopiedLine, line)});
}

}  // namespace lockstep::app
