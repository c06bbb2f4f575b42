// The list of lessons: where one stands in each, a lesson of one's own, the progress as a file.
#include "app/panels/lesson/lesson_column.h"
#include "app/panels/lesson/lesson_look.h"
#include "app/panels/lesson/lesson_words.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <cmath>

namespace lockstep::app {
namespace {

using viz::RoleKind;

// "5 of 10 steps: 3 at the first try, 2 shown".
std::string progressText(const LessonCounts& counts, Language language) {
    if (counts.done == 0) return say(language, words::kLessonSteps, counts.steps);
    std::string text = say(language, words::kLessonDone, counts.done, counts.steps);
    const std::pair<const Words*, std::size_t> parts[] = {{&words::kLessonFirst, counts.first},
                                                          {&words::kLessonLater, counts.later},
                                                          {&words::kLessonHelped, counts.helped},
                                                          {&words::kLessonShownCount, counts.shown}};
    for (const auto& [words, count] : parts)
        if (count > 0) text += " · " + say(language, *words, count);
    return text;
}

void drawBar(PanelContext& context, ImVec2 at, f32 width, const LessonCounts& counts) {
    constexpr f32 kHeight = 4;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, {at.x + width, at.y + kHeight}, ink(context, RoleKind::Line), 2);
    if (counts.done > 0)
        list.AddRectFilled(at, {at.x + width * f32(counts.done) / f32(counts.steps), at.y + kHeight},
                           ink(context, RoleKind::Load), 2);
}

void drawEntry(PanelContext& context, const LessonEntry& entry) {
    constexpr f32 kPadding = 8, kBar = 10;
    const Language language = context.state.language;
    const LessonCounts counts = countsOf(entry, context.state.lessons.progress);
    const std::string& title = entry.lesson->title(language);
    const std::string text = progressText(counts, language);
    const f32 width = ImGui::GetContentRegionAvail().x, room = width - 2 * kPadding;
    const f32 height = heightOf(context, title, kBoldLook, room) +
                       heightOf(context, text, kSecondLook, room) + kBar + 2 * kPadding;
    const ImVec2 at = ImGui::GetCursorScreenPos(), from = ImGui::GetCursorPos();
    const std::string id = "lesson " + entry.key;
    if (ImGui::InvisibleButton(id.c_str(), {width, height}, ImGuiButtonFlags_EnableNav))
        context.send(LessonAction{OpenLesson{entry.key, {}}});
    helped(context, lessonHelp(context, words::kLessonRowHelp));
    const ImVec2 next = ImGui::GetCursorPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, {at.x + width, at.y + height}, ink(context, RoleKind::Raised),
                       viz::radius::kControl);
    if (ImGui::IsItemHovered())
        list.AddRect(at, {at.x + width, at.y + height}, ink(context, RoleKind::Edge), viz::radius::kControl);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    ImGui::SetCursorPos({from.x + kPadding, from.y + kPadding});
    ImGui::BeginGroup();
    paragraph(context, title, kBoldLook, room);
    paragraph(context, text, kSecondLook, room);
    ImGui::EndGroup();
    ImGui::PopStyleVar();
    drawBar(context, {at.x + kPadding, at.y + height - kPadding - 4}, room, counts);
    ImGui::SetCursorPos(next);
}

// A path, and what may be done with it.
bool pathField(PanelContext& context, const char* id, std::string& path, const Words& hint,
               const Words& help) {
    const Language language = context.state.language;
    ImGui::SetNextItemWidth(-1);
    ImGui::PushFont(context.fonts.font(viz::Face::Text),
                    context.fonts.size(viz::Face::Text, viz::type::kBody));
    const bool entered =
        ImGui::InputTextWithHint(id, hint.in(language).data(), &path, ImGuiInputTextFlags_EnterReturnsTrue);
    ImGui::PopFont();
    helped(context, lessonHelp(context, help));
    return entered;
}

void drawPaths(PanelContext& context) {
    const Language language = context.state.language;
    const LessonState& state = context.state.lessons;
    std::string folder = state.folder, file = state.file;
    label(context, words::kLessonOwn.in(language), kBoldLook);
    const bool entered =
        pathField(context, "##folder", folder, words::kLessonFolder, words::kLessonFolderHelp);
    const bool opened = textButton(context, "open", words::kLessonOpen.in(language),
                                   lessonHelp(context, words::kLessonFolderHelp));
    ImGui::Dummy({1, viz::space::kGap});
    label(context, words::kLessonProgress.in(language), kBoldLook);
    (void)pathField(context, "##file", file, words::kLessonProgressFile, words::kLessonProgressHelp);
    const bool exports = textButton(context, "export", words::kLessonExport.in(language),
                                    lessonHelp(context, words::kLessonExportHelp));
    ImGui::SameLine();
    const bool imports = textButton(context, "import", words::kLessonImport.in(language),
                                    lessonHelp(context, words::kLessonImportHelp));
    if (folder != state.folder || file != state.file)
        context.send(LessonAction{TypeLessonPath{folder, file}});
    if ((entered || opened) && !folder.empty()) context.send(LessonAction{OpenLesson{folder, {}}});
    if (exports) context.send(LessonAction{ExportLessonProgress{}});
    if (imports) context.send(LessonAction{ImportLessonProgress{}});
}

}  // namespace

void drawLessonList(PanelContext& context) {
    paragraph(context, words::kLessonsIntro.in(context.state.language), kSecondLook);
    for (const LessonEntry& entry : context.state.lessons.all)
        drawEntry(context, entry);
    ImGui::Dummy({1, viz::space::kGap});
    drawPaths(context);
}

}  // namespace lockstep::app
