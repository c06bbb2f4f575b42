#include "app/panels/program/program_page.h"

#include "app/panels/fixed_part.h"
#include "app/panels/program/program_words.h"
#include "app/panels/widgets.h"
#include "app/panels/words.h"
#include "app/state/program_update.h"
#include "base/text/counted.h"
#include "base/text/punctuation.h"
#include "operations/report.h"
#include "operations/sentences.h"
#include "viz/painters/imgui/imgui_painter.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

namespace lockstep::app {
namespace {

using operations::ProgramFinding;
using operations::ProgramReport;
using viz::RoleKind;

constexpr std::string_view kPage = "guide/window.md";
constexpr TextLook kSecond{.role = RoleKind::TextSecond}, kBold{.face = viz::Face::TextBold},
    kCode{.size = viz::type::kCode, .face = viz::Face::Mono},
    kNumber{.size = viz::type::kCode, .face = viz::Face::Mono, .role = RoleKind::TextThird};
constexpr f32 kStatus = 30, kPaneTitle = 26, kCodeLine = 18, kTopOfPicture = 6,
              kRowsTogether = 6,  // of the head
    kHead = 2 * kBarHeight - kRowsTogether;

std::string nameOf(const std::string& path) { return std::filesystem::path(path).filename().string(); }

std::string secondsText(f64 seconds) { return fmt::format("{}", u64(seconds)); }

// With the name of its file alone.
std::string faultText(const ProgramState& program, Language language) {
    std::string text = describe(*program.fault, language);
    std::error_code ignored;
    const std::string name = nameOf(program.ran);
    for (const std::string& path : {std::filesystem::absolute(program.ran, ignored).string(), program.ran})
        for (std::size_t at = path.empty() ? std::string::npos : text.find(path); at != std::string::npos;
             at = text.find(path, at + name.size()))
            text.replace(at, path.size(), name);
    return text;
}

// The first error of the compiler in that file: "main.cu:12:3: error: expected ';'".
struct CompilerError {
    u32 line = 0;
    std::string text;  // from the line number on
};
std::optional<CompilerError> firstError(const std::string& text, const std::string& file) {
    const std::string name = nameOf(file) + ":";
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
        const std::size_t from = at + name.size(), end = std::min(text.find('\n', from), text.size());
        const std::string line = text.substr(from, end - from);
        u32 number = 0;
        const auto [last, fault] = std::from_chars(line.data(), line.data() + line.size(), number);
        if (fault == std::errc{} && number > 0 && last != line.data() + line.size() && *last == ':' &&
            line.find("error:") != std::string::npos)
            return CompilerError{number, line};
    }
    return std::nullopt;
}

// How it fares, in a sentence; and whether that is bad.
struct Status {
    std::string text;
    RoleKind role = RoleKind::Text;
};
Status statusOf(const State& state) {
    const ProgramState& program = state.program;
    const Language language = state.language;
    if (state.fault) return {describe(*state.fault, language), RoleKind::Finding};
    if (state.job.running && program.opening) return {say(language, words::kProgramOpening, program.opening)};
    if (program.isUnderWay) {
        const std::string seconds = secondsText(program.seconds);
        if (program.isCanceling) return {say(language, words::kProgramCanceling)};
        if (!program.isStarted) return {say(language, words::kProgramCompiling, seconds)};
        if (!program.launches) return {say(language, words::kProgramRunning, seconds)};
        return {say(language, words::kProgramLaunch, grouped(program.launches), seconds)};
    }
    // The first line: what the compiler says besides stands with the output.
    if (program.fault) {
        const std::string text = faultText(program, language);
        std::string first = text.substr(0, text.find('\n'));
        if (!first.empty() && first[0] >= 'a' && first[0] <= 'z') first[0] = char(first[0] - 'a' + 'A');
        if (const auto error = firstError(text, program.ran)) first += " " + error->text;
        return {std::move(first), RoleKind::Finding};
    }
    if (!program.canRun()) return {say(language, words::kProgramNone), RoleKind::TextSecond};
    if (!program.report || program.ran != program.file)
        return {say(language, words::kProgramNotRun, nameOf(program.file)), RoleKind::TextSecond};
    const ProgramReport& report = *program.report;
    const u64 problems = report.problems();
    const bool isBad = problems || report.status || report.end != operations::End::Exited;
    std::string text = operations::endingOf(report).in(language);
    text += sentenceGap(language);
    const u64 remarks = report.findings.size() - problems;
    text += problems  ? remarks ? say(language, words::kProgramFoundBoth, problems, remarks)
                                : say(language, words::kProgramFound, problems)
             : remarks ? say(language, words::kProgramFoundRemarks, remarks)
                      : say(language, words::kProgramFoundNothing);
    return {std::move(text), isBad ? RoleKind::Finding : RoleKind::Text};
}

constexpr f32 kAroundStatus = 6;

// Beside it is the button that fetches the compiler, where there is none.
f32 statusWidth(const PanelContext& context, f32 window) {
    return window - 2 * viz::space::kInset - widthOfFetchButton(context);
}

// Below a fault's sentence: what the compiler says.
std::string restOf(const ProgramState& program, Language language) {
    if (!program.fault) return {};
    const std::string text = faultText(program, language);
    const std::size_t end = text.find('\n');
    return end == std::string::npos ? std::string() : text.substr(end + 1) + "\n";
}

void title(PanelContext& context, const Words& words) {
    ImGui::SetCursorPos({viz::space::kInset, 5});
    label(context, words.in(context.state.language), kBold);
}

template <class Draw> void pane(PanelContext& context, const char* id, const Words& words, Draw&& draw) {
    title(context, words);
    ImGui::SetCursorPos({0, kPaneTitle});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(viz::space::kInset, 2));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(viz::space::kGap, 0));
    ImGui::BeginChild(id, {0, 0}, ImGuiChildFlags_AlwaysUseWindowPadding,
                      ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoBackground);
    draw();
    ImGui::EndChild();
    ImGui::PopStyleVar(2);
}

bool isOfFile(const operations::CodePlace& place, const std::string& file) {
    return place.line &&
           std::filesystem::path(place.file).filename() == std::filesystem::path(file).filename();
}

std::string findingText(const ProgramFinding& finding, Language language) {
    std::string text = finding.message.in(language);
    if (finding.count > 1)
        text += " (" + say(language, words::kProgramFindingTimes, grouped(finding.count)) + ")";
    return text;
}

// What was found, a click goes to its line.
void drawFindings(PanelContext& context) {
    const ProgramState& program = context.state.program;
    const Language language = context.state.language;
    if (!program.report)
        return paragraph(
            context, (program.fault ? words::kProgramNothingRun : words::kProgramFindingsToCome).in(language),
            kSecond);
    const std::vector<ProgramFinding>& findings = program.report->findings;
    if (findings.empty()) return paragraph(context, words::kProgramNoFindings.in(language), kSecond);
    constexpr f32 kIcon = 24, kBetween = 8;
    for (std::size_t i = 0; i < findings.size(); ++i) {
        const ProgramFinding& finding = findings[i];
        const ImVec2 from = ImGui::GetCursorPos(), at = ImGui::GetCursorScreenPos();
        const f32 width = ImGui::GetContentRegionAvail().x;
        drawIcon(*ImGui::GetWindowDrawList(), Icon::Warning, {at.x + 8, at.y + 9},
                 ink(context, finding.isRemark ? RoleKind::TextThird : RoleKind::Finding));
        ImGui::SetCursorPos({from.x + kIcon, from.y});
        std::string where;
        if (finding.place.line)
            where = operations::placeText(finding.place, program.report->operations).in(language);
        if (!finding.kernel.empty()) where += (where.empty() ? "" : ", ") + finding.kernel;
        if (!where.empty()) label(context, where, kBold), ImGui::SetCursorPosX(from.x + kIcon);
        paragraph(context, findingText(finding, language), kSecond, width - kIcon);
        const ImVec2 end = ImGui::GetCursorPos();
        if (finding.place.line) {
            ImGui::SetCursorPos(from);
            if (ImGui::InvisibleButton(fmt::format("finding {}", i + 1).c_str(), {width, end.y - from.y}))
                context.send(ProgramAction{LookAtProgramLine{finding.place.line}});
            if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
            helped(context, {words::kProgramFindingHelp.in(language), kPage});
        }
        ImGui::SetCursorPos({end.x, end.y + kBetween});
    }
    ImGui::Dummy({0, 0});
}

}  // namespace

std::vector<ProgramPage::Place> ProgramPage::places() const {
    std::vector<Place> all;
    for (const viz::ProgramTarget& target : targets_)
        all.push_back(
            {{origin_.x + target.rect.x, origin_.y + target.rect.y, target.rect.width, target.rect.height},
             target.operation,
             target.buffer});
    return all;
}

void ProgramPage::drawHead(PanelContext& context) {
    const State& state = context.state;
    const ProgramState& program = state.program;
    const Language language = state.language;
    ImGui::SetCursorPos({viz::space::kInset, (kBarHeight - kControlHeight) / 2});
    if (!program.file.empty()) {
        controlLabel(context, nameOf(program.file), {.size = viz::type::kTitle, .face = viz::Face::TextBold});
        if (ImGui::IsItemHovered()) tooltip(context, program.file);
        ImGui::SameLine(0, 2 * viz::space::kGap);
    }
    if (state.job.running && program.opening) {
        if (textButton(context, "cancel opening", words::kCancel.in(language),
                       {words::kProgramCancelOpening.in(language), kPage}))
            context.send(CancelRun{});
    } else if (program.isUnderWay) {
        if (textButton(context, "cancel program", words::kCancel.in(language),
                       {words::kProgramCancelHelp.in(language), kPage}))
            context.send(ProgramAction{CancelProgram{}});
    } else {
        ImGui::BeginDisabled(!program.canRun());
        if (textButton(context, "run program", words::kRunProgram.in(language),
                       {words::kRunProgramHelp.in(language), kPage}))
            context.send(ProgramAction{RunProgram{}});
        ImGui::EndDisabled();
    }
    drawLaunchList(context);
    const std::string_view back = words::kProgramBack.in(language),
                           save = words::kProgramTimelineSave.in(language);
    f32 right = ImGui::GetWindowWidth() - viz::space::kInset - widthOf(context, back) - 24;
    if (program.report) {
        right -= widthOf(context, save) + 24 + viz::space::kGap;
        ImGui::SameLine(right);
        if (textButton(context, "save timeline", save, {words::kProgramTimelineHelp.in(language), kPage}))
            context.send(ProgramAction{SaveTimeline{}});
        ImGui::SameLine(0, viz::space::kGap);
    } else {
        ImGui::SameLine(right);
    }
    if (textButton(context, "back", back, {words::kProgramBackHelp.in(language), kPage}))
        context.send(ProgramAction{ShowProgram{false}});
    drawFields(context);
}

// What it is compiled with, and what it finds in argv.
void ProgramPage::drawFields(PanelContext& context) const {
    const ProgramState& program = context.state.program;
    const Language language = context.state.language;
    ImGui::SetCursorPos({viz::space::kInset, kBarHeight + (kBarHeight - kControlHeight) / 2 - kRowsTogether});
    const f32 each = (ImGui::GetWindowWidth() - 2 * viz::space::kInset) / 2;
    ImGui::BeginDisabled(!program.canRun());
    // Whether Enter was pressed in it.
    const auto field = [&](const char* id, const Words& name, const Words& none, const Words& help,
                           const std::string& before, std::string& now, f32 wide) {
        controlLabel(context, name.in(language), kSecond);
        ImGui::SameLine();
        ImGui::SetNextItemWidth(wide - widthOf(context, name.in(language)) - 2 * viz::space::kGap);
        ImGui::PushFont(context.fonts.font(viz::Face::Mono),
                        context.fonts.size(viz::Face::Mono, viz::type::kBody));
        now = before;
        const bool isEntered = ImGui::InputTextWithHint(id, none.in(language).data(), &now,
                                                        ImGuiInputTextFlags_EnterReturnsTrue);
        ImGui::PopFont();
        helped(context, {help.in(language), kPage});
        return isEntered;
    };
    std::string text;
    const std::string& compile = program.compileOf(program.file);
    bool isEntered = field("##compile", words::kProgramCompile, words::kProgramNoCompile,
                           words::kProgramCompileHelp, compile, text, each);
    if (text != compile) context.send(ProgramAction{TypeCompileOptions{text}});
    ImGui::SameLine(0, 2 * viz::space::kGap);
    const std::string& arguments = program.argumentsOf(program.file);
    isEntered |= field("##arguments", words::kProgramArguments, words::kProgramNoArguments,
                       words::kProgramArgumentsHelp, arguments, text, each);
    if (text != arguments) context.send(ProgramAction{TypeProgramArguments{text}});
    ImGui::EndDisabled();
    if (isEntered && !program.isUnderWay) context.send(ProgramAction{RunProgram{}});
}

void ProgramPage::drawLaunchList(PanelContext& context) const {
    const State& state = context.state;
    const Language language = state.language;
    if (state.program.isUnderWay) return;
    const std::vector<ProgramLaunch> launches = launchesOf(state.program);
    if (launches.empty()) return;
    ImGui::SameLine(0, 2 * viz::space::kGap);
    controlLabel(context, words::kProgramLaunches.in(language), kSecond);
    ImGui::SameLine();
    constexpr std::size_t kMostListed = 500;
    constexpr f32 kList = 250;
    std::vector<std::string> texts;
    int on = -1;
    for (std::size_t i = 0; i < std::min(kMostListed, launches.size()); ++i) {
        texts.push_back(say(language, words::kProgramLaunchNumber, launches[i].number, launches[i].title));
        if (state.choice.launch == launches[i]) on = int(i);
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const int chosen =
        dropDown(context, "##launches", texts, on, {words::kProgramLaunchesHelp.in(language), kPage}, kList);
    if (on < 0)
        drawText(context, *ImGui::GetWindowDrawList(),
                 {at.x + ImGui::GetStyle().FramePadding.x, at.y + ImGui::GetFrameHeight() / 2},
                 words::kProgramNoLaunch.in(language), kSecond);
    if (chosen >= 0) context.send(ProgramAction{OpenLaunch{launches[std::size_t(chosen)].number}});
}

void ProgramPage::drawStatus(PanelContext& context) const {
    const Status status = statusOf(context.state);
    const f32 wide = ImGui::GetWindowWidth();
    ImGui::SetCursorPos({viz::space::kInset, kAroundStatus});
    paragraph(context, status.text, {.role = status.role}, statusWidth(context, wide));
    if (const f32 ofFetch = status.role == RoleKind::Finding ? widthOfFetchButton(context) : 0; ofFetch > 0) {
        ImGui::SetCursorPos({wide - viz::space::kInset + viz::space::kGap - ofFetch, 1});
        drawFetchButton(context);
    }
}

void ProgramPage::click(PanelContext& context, const viz::ProgramTarget& target) {
    const ProgramReport& report = *context.state.program.report;
    if (target.buffer) return context.send(ProgramAction{FollowBuffer{*target.buffer}});
    const operations::Operation& operation = report.operations.list[*target.operation];
    if (operation.place.line) context.send(ProgramAction{LookAtProgramLine{operation.place.line}});
    if (operation.kind != operations::Kind::Launch) return;
    if (target.times == 1) return context.send(ProgramAction{OpenLaunch{operation.launch}});
    repeated_ = target;
    ImGui::OpenPopup("##rounds");
}

// A launch that a loop makes again and again stands in the timeline once: which one is to be opened?
void ProgramPage::drawRounds(PanelContext& context) {
    constexpr f32 kTall = 280, kWide = 260;
    ImGui::SetNextWindowSizeConstraints({kWide, 0}, {kWide, kTall});
    if (!ImGui::BeginPopup("##rounds")) return;
    const Language language = context.state.language;
    const std::vector<operations::Operation>& list = context.state.program.report->operations.list;
    if (*repeated_.operation + (repeated_.times - 1) * repeated_.length >= list.size()) {  // of a run before
        ImGui::CloseCurrentPopup();
        return ImGui::EndPopup();
    }
    label(context, say(language, words::kProgramRounds, grouped(repeated_.times)), kBold);
    ImGuiListClipper clipper;
    clipper.Begin(int(repeated_.times));
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            const operations::Operation& one = list[*repeated_.operation + u64(i) * repeated_.length];
            const std::string text =
                say(language, words::kProgramRound, grouped(one.launch), grouped(u64(i) + 1));
            if (ImGui::Selectable(text.c_str())) {
                context.send(ProgramAction{OpenLaunch{one.launch}});
                ImGui::CloseCurrentPopup();
            }
            if (one.findings)
                drawIcon(*ImGui::GetWindowDrawList(), Icon::Warning,
                         {ImGui::GetItemRectMax().x - 12,
                          (ImGui::GetItemRectMin().y + ImGui::GetItemRectMax().y) / 2},
                         ink(context, RoleKind::Finding));
        }
    ImGui::EndPopup();
}

void ProgramPage::drawTimeline(PanelContext& context) {
    const ProgramState& program = context.state.program;
    targets_.erase(targets_.begin(), program.report ? targets_.begin() : targets_.end());
    hoveredLine_ = 0;
    if (!program.report) {
        key_ = {};
        return;
    }
    ImGui::SetCursorPos({0, 0});
    ImGui::BeginChild("##programtimeline", {0, 0}, ImGuiChildFlags_None, ImGuiWindowFlags_NoBackground);
    const f32 bar = ImGui::GetStyle().ScrollbarSize;
    const Key key{program.report, ImGui::GetWindowWidth() - bar, context.state.language, program.followed};
    if (!(key == key_)) {
        key_ = key;
        targets_.clear();
        scene_ = viz::buildProgram({.operations = program.report->operations,
                                    .program = nameOf(program.ran),
                                    .size = {key.width, 0},
                                    .language = key.language,
                                    .metrics = context.metrics,
                                    .followed = key.followed,
                                    .titled = false,
                                    .targets = &targets_});
    }
    ImGui::SetCursorPosY(kTopOfPicture);
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    origin_ = {origin.x, origin.y};
    ImGui::InvisibleButton("picture", {key.width, scene_.size.height});
    const bool isHovered = ImGui::IsItemHovered(),
               isClicked = isHovered && ImGui::IsMouseReleased(ImGuiMouseButton_Left);
    viz::paint(scene_, context.theme, context.fonts, *ImGui::GetWindowDrawList(), origin_);
    if (isHovered) {
        const ImVec2 mouse = ImGui::GetIO().MousePos;
        const viz::Point at{mouse.x - origin.x, mouse.y - origin.y};
        if (const viz::Hit* hit = scene_.hitAt(at)) {
            const auto area =
                std::ranges::find(scene_.hits, hit, [](const viz::HitArea& one) { return &one.hit; });
            const viz::Rect rect = area->rect;
            tooltip(context, hit->text(), {origin.x + rect.x, origin.y + rect.y, rect.width, rect.height});
        }
        const auto target = std::ranges::find_if(
            targets_, [&](const viz::ProgramTarget& one) { return one.rect.contains(at); });
        if (target != targets_.end()) {
            ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
            if (target->operation)
                hoveredLine_ = program.report->operations.list[*target->operation].place.line;
            if (isClicked) click(context, *target);
        }
    }
    drawRounds(context);
    ImGui::EndChild();
}

// The sentence of the buffer that is followed; else what a click does.
void ProgramPage::drawFollowed(PanelContext& context) const {
    const ProgramState& program = context.state.program;
    const Language language = context.state.language;
    if (!program.report) return;
    ImGui::SetCursorPos({viz::space::kInset, 5});
    std::string text = say(language, words::kProgramHint);
    if (program.followed) {
        const operations::Operations& all = program.report->operations;
        const operations::Buffer& buffer = all.buffers[*program.followed];
        text = say(language, words::kProgramFollowing, operations::describe(buffer, all),
                   operations::historyOf(buffer, all));
    }
    paragraph(context, text, program.followed ? kBold : kSecond,
              ImGui::GetWindowWidth() - 2 * viz::space::kInset);
}

void ProgramPage::drawSource(PanelContext& context) {
    const ProgramState& program = context.state.program;
    pane(context, "##sourcelines", words::kProgramSource, [&] {
        const std::vector<std::string>& lines = program.source;
        const bool isTurned = program.timesTurnedTo != timesTurnedTo_;
        timesTurnedTo_ = program.timesTurnedTo;
        if (isTurned && program.line)
            ImGui::SetScrollY(
                std::max(0.0f, kCodeLine * f32(program.line - 1) - ImGui::GetWindowHeight() / 2));
        std::optional<CompilerError> error;
        if (program.fault) error = firstError(faultText(program, context.state.language), program.ran);
        const f32 numbers =
            widthOf(context, std::to_string(std::max<std::size_t>(lines.size(), 10)), kNumber);
        constexpr f32 kSign = 18;
        ImDrawList& list = *ImGui::GetWindowDrawList();
        ImGuiListClipper clipper;
        clipper.Begin(int(lines.size()), kCodeLine);
        while (clipper.Step())
            for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
                const u32 number = u32(i) + 1;
                const ImVec2 at = ImGui::GetCursorScreenPos();
                const f32 middle = at.y + kCodeLine / 2;
                const f32 full = ImGui::GetWindowWidth() + ImGui::GetScrollMaxX();
                if (number == program.line || number == hoveredLine_)
                    list.AddRectFilled({at.x - viz::space::kInset, at.y}, {at.x + full, at.y + kCodeLine},
                                       ink(context, RoleKind::Raised));
                const std::string digits = std::to_string(number);
                drawText(context, list, {at.x + numbers - widthOf(context, digits, kNumber), middle}, digits,
                         kNumber);
                std::string found;
                bool isRemark = true;
                if (program.report)
                    for (const ProgramFinding& finding : program.report->findings)
                        if (finding.place.line == number && isOfFile(finding.place, program.ran)) {
                            found +=
                                (found.empty() ? "" : "\n") + findingText(finding, context.state.language);
                            isRemark = isRemark && finding.isRemark;
                        }
                if (error && error->line == number) found = error->text, isRemark = false;
                if (!found.empty())
                    drawIcon(list, Icon::Warning, {at.x + numbers + kSign / 2 + 2, middle},
                             ink(context, isRemark ? RoleKind::TextThird : RoleKind::Finding));
                std::string text;
                for (const char c : lines[std::size_t(i)])
                    text += c == '\t' ? std::string(4 - text.size() % 4, ' ') : std::string(1, c);
                drawText(context, list, {at.x + numbers + kSign + 4, middle}, text, kCode);
                const f32 wide = numbers + kSign + 4 + widthOf(context, text, kCode);
                ImGui::Dummy({wide, kCodeLine});
                if (!found.empty() && ImGui::IsItemHovered()) tooltip(context, found);
            }
    });
}

void ProgramPage::drawOutput(PanelContext& context) {
    const ProgramState& program = context.state.program;
    const Language language = context.state.language;
    pane(context, "##outputlines", words::kProgramOutput, [&] {
        const std::string compiler = restOf(program, language);
        if (program.printed.empty() && compiler.empty())
            return paragraph(
                context,
                (program.report || program.fault ? words::kProgramNoOutput : words::kProgramOutputToCome)
                    .in(language),
                kSecond);
        const u64 size = program.printedBytes + compiler.size();
        if (size != printedBytes_ || program.ticket != printedTicket_) {
            printedBytes_ = size, printedTicket_ = program.ticket;
            lines_.clear();
            const std::string all = compiler + program.printed;
            for (std::size_t begin = 0; begin < all.size();) {
                const std::size_t end = std::min(all.find('\n', begin), all.size());
                lines_.push_back(all.substr(begin, end - begin));
                begin = end + 1;
            }
        }
        if (program.printedBytes > ProgramState::kMostOutput)
            paragraph(
                context,
                say(language, words::kProgramOutputCut, ProgramState::kMostOutput, program.printedBytes),
                kSecond);
        ImDrawList& list = *ImGui::GetWindowDrawList();
        ImGuiListClipper clipper;
        clipper.Begin(int(lines_.size()), kCodeLine);
        while (clipper.Step())
            for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
                const std::string& text = lines_[std::size_t(i)];
                const ImVec2 at = ImGui::GetCursorScreenPos();
                drawText(context, list, {at.x, at.y + kCodeLine / 2}, text, kCode);
                ImGui::Dummy({std::max(1.0f, widthOf(context, text, kCode)), kCodeLine});
            }
    });
}

void ProgramPage::draw(PanelContext& context, viz::Rect place) {
    constexpr f32 kFollowed = 28, kLeastBottom = 180, kShareOfBottom = 0.42f, kFindingsShare = 0.28f,
                  kOutputShare = 0.3f;
    const f32 statusHeight =
        std::max(kStatus, 2 * kAroundStatus + heightOf(context, statusOf(context.state).text, {},
                                                       statusWidth(context, place.width)));
    const f32 top = place.y + kHead + statusHeight;
    const bool hasPicture = context.state.program.report != nullptr;
    const f32 room = place.bottom() - top;
    const f32 bottom = hasPicture ? std::max(kLeastBottom, std::round(room * kShareOfBottom)) : room;
    const f32 picture = room - bottom - (hasPicture ? kFollowed : 0);
    const f32 findings = std::round(place.width * kFindingsShare),
              output = std::round(place.width * kOutputShare), source = place.width - findings - output,
              panes = place.bottom() - bottom;
    linesBetween({place.width, place.bottom()}, [&] {
        hairline(context, {0, place.y}, {place.width, place.y});
        hairline(context, {0, place.y + kHead}, {place.width, place.y + kHead});
        hairline(context, {0, top}, {place.width, top});
        if (hasPicture) hairline(context, {0, panes - kFollowed}, {place.width, panes - kFollowed});
        hairline(context, {0, panes}, {place.width, panes});
        hairline(context, {source, panes}, {source, place.bottom()});
        hairline(context, {source + output, panes}, {source + output, place.bottom()});
    });
    fixedPart("##programhead", {place.x, place.y, place.width, kHead}, Content::Fills,
              [&] { drawHead(context); });
    fixedPart("##programstatus", {place.x, place.y + kHead, place.width, statusHeight}, Content::Fills,
              [&] { drawStatus(context); });
    if (hasPicture) {
        ImGui::PushStyleColor(ImGuiCol_WindowBg, ink(context, RoleKind::Ground));
        fixedPart("##programpicture", {place.x, top, place.width, picture}, Content::Fills,
                  [&] { drawTimeline(context); });
        ImGui::PopStyleColor();
        fixedPart("##programfollowed", {place.x, top + picture, place.width, kFollowed}, Content::Fills,
                  [&] { drawFollowed(context); });
    } else {
        key_ = {}, targets_.clear(), hoveredLine_ = 0;
    }
    fixedPart("##programsource", {place.x, panes, source, bottom}, Content::Fills,
              [&] { drawSource(context); });
    fixedPart("##programoutput", {place.x + source, panes, output, bottom}, Content::Fills,
              [&] { drawOutput(context); });
    fixedPart("##programfindings", {place.x + source + output, panes, findings, bottom}, Content::Fills, [&] {
        pane(context, "##findingrows", words::kProgramFindings, [&] { drawFindings(context); });
    });
}

}  // namespace lockstep::app
