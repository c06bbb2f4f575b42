// The start page of lessons: what to do next, where one stands in each, a lesson of one's own, the progress
// as a file.
#include "app/panels/lesson/lesson_column.h"
#include "app/panels/lesson/lesson_look.h"
#include "app/panels/lesson/lesson_words.h"
#include "app/panels/words.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

namespace lockstep::app {

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

namespace {

using viz::RoleKind;

void drawBar(PanelContext& context, ImVec2 at, f32 width, const LessonCounts& counts) {
    constexpr f32 kHeight = 4;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, {at.x + width, at.y + kHeight}, ink(context, RoleKind::Line), 2);
    if (counts.done > 0)
        list.AddRectFilled(at, {at.x + width * f32(counts.done) / f32(counts.steps), at.y + kHeight},
                           ink(context, RoleKind::Load), 2);
}

// The damaged lines of the progress, as far as there is room.
void drawLeftOut(PanelContext& context) {
    constexpr std::size_t kMost = 5;
    const Language language = context.state.language;
    const std::vector<Fault>& all = context.state.lessons.leftOut;
    if (all.empty()) return;
    paragraph(context, say(language, words::kLessonLeftOut, all.size()), {.role = RoleKind::Finding});
    for (std::size_t i = 0; i < std::min(kMost, all.size()); ++i)
        paragraph(context, describe(all[i], language), kSecondLook);
    if (all.size() > kMost)
        paragraph(context, say(language, words::kLessonLeftOutMore, all.size() - kMost), kSecondLook);
}

// "Step 3: When lanes meet in a bank".
std::string stepText(const NextStep& next, Language language) {
    return say(language, words::kLessonNextStep, next.entry->lesson->indexOf(*next.step) + 1,
               next.step->text(language).plainTitle());
}

void drawEntry(PanelContext& context, const LessonEntry& entry) {
    const Language language = context.state.language;
    const lessons::Progress& progress = context.state.lessons.progress;
    const LessonCounts counts = countsOf(entry, progress);
    const NextStep next = nextStepOf(entry, progress);
    const lessons::Progress::Visit* visit = progress.lastVisit(entry.key);
    std::vector<ListText> texts{{entry.lesson->title(language), kBoldLook},
                                {progressText(counts, language) + " · " +
                                     say(language, words::kLessonMinutes, entry.lesson->minutes()),
                                 kSecondLook}};
    if (next.step && counts.done > 0) texts.push_back({stepText(next, language), kSecondLook});
    if (entry.isOwn) texts.push_back({entry.lesson->folder.string(), kSecondLook});
    if (visit) texts.push_back({say(language, words::kLessonVisited, visit->time), kSecondLook});
    const std::string id = "lesson " + entry.key;
    const ListRow row = listRow(context, id.c_str(), texts, 10, lessonHelp(context, words::kLessonRowHelp));
    if (row.isPressed) context.send(LessonAction{OpenLesson{entry.key, {}}});
    drawBar(context, {row.text.x, row.text.bottom() + 4}, row.text.width, counts);
}

// What to do next, in a row of its own on top.
void drawNext(PanelContext& context) {
    const LessonState& state = context.state.lessons;
    const Language language = context.state.language;
    if (state.all.empty()) return;
    const NextStep next = nextStepOf(state);
    if (!next.step) return paragraph(context, words::kLessonsDone.in(language), kBoldLook);
    const bool begins = state.progress.lastVisit(next.entry->key) == nullptr;
    const std::array texts{
        ListText{std::string((begins ? words::kLessonBegin : words::kLessonGoOn).in(language)), kSecondLook},
        ListText{next.entry->lesson->title(language),
                 {.size = viz::type::kTitle, .face = viz::Face::TextBold}},
        ListText{stepText(next, language), {}}};
    const ListRow row = listRow(context, "next", texts, 0, lessonHelp(context, words::kLessonGoOnHelp));
    if (row.isPressed) context.send(LessonAction{OpenLesson{next.entry->key, next.step->id}});
    ImGui::GetWindowDrawList()->AddRectFilled({row.box.x, row.box.y},
                                              {row.box.x + viz::space::kBar, row.box.bottom()},
                                              ink(context, RoleKind::Cursor));
}

void drawPaths(PanelContext& context) {
    const Language language = context.state.language;
    const LessonState& state = context.state.lessons;
    std::string folder = state.folder, file = state.file;
    const bool entered = pathField(context, "##folder", folder, words::kLessonFolder,
                                   lessonHelp(context, words::kLessonFolderHelp));
    const bool opened = textButton(context, "open", words::kLessonOpen.in(language),
                                   lessonHelp(context, words::kLessonFolderHelp));
    ImGui::Dummy({1, viz::space::kGap});
    label(context, words::kLessonProgress.in(language), kBoldLook);
    drawLeftOut(context);
    (void)pathField(context, "##file", file, words::kLessonProgressFile,
                    lessonHelp(context, words::kLessonProgressHelp));
    const bool asks = !file.empty() && file == state.asksToReplace;
    const Words& now = asks ? words::kExportReplace : words::kLessonExport;
    const bool exports =
        textButton(context, "export", now.in(language), lessonHelp(context, words::kLessonExportHelp));
    ImGui::SameLine();
    const bool imports = textButton(context, "import", words::kLessonImport.in(language),
                                    lessonHelp(context, words::kLessonImportHelp));
    const bool areSeen = ImGui::IsItemVisible();
    // Below the button, which stays where the mouse is.
    if (asks) paragraph(context, words::kLessonExportExists.in(language), {.role = RoleKind::Finding});
    // What is said, and the bar with a fault, take room at the bottom: the buttons stay in sight.
    bool& said = *ImGui::GetStateStorage()->GetBoolRef(ImGui::GetID("something is said"));
    bool& wereSeen = *ImGui::GetStateStorage()->GetBoolRef(ImGui::GetID("buttons were seen"));
    const bool says = asks || context.state.fault;
    if (says && !said && wereSeen) ImGui::SetScrollHereY(1);
    said = says, wereSeen = areSeen;
    if (folder != state.folder || file != state.file)
        context.send(LessonAction{TypeLessonPath{folder, file, state.exerciseFolder}});
    if ((entered || opened) && !folder.empty()) context.send(LessonAction{OpenLesson{folder, {}}});
    if (exports) context.send(LessonAction{ExportLessonProgress{}});
    if (imports) context.send(LessonAction{ImportLessonProgress{}});
}

}  // namespace

bool pathField(PanelContext& context, const char* id, std::string& path, const Words& hint,
               const Help& help) {
    const Language language = context.state.language;
    ImGui::SetNextItemWidth(-1);
    ImGui::PushFont(context.fonts.font(viz::Face::Text),
                    context.fonts.size(viz::Face::Text, viz::type::kBody));
    const bool entered =
        ImGui::InputTextWithHint(id, hint.in(language).data(), &path, ImGuiInputTextFlags_EnterReturnsTrue);
    ImGui::PopFont();
    helped(context, help);
    return entered;
}

void drawLost(PanelContext& context, const LostFolder& lost) {
    const Language language = context.state.language;
    const std::array texts{
        ListText{std::filesystem::path(lost.path).filename().string(),
                 {.face = viz::Face::TextBold, .role = RoleKind::TextSecond}},
        ListText{say(language, words::kLessonLost, describe(lost.why, language)), kSecondLook}};
    const std::string id = "lost " + lost.path;
    if (!listRow(context, id.c_str(), texts, 0, lessonHelp(context, words::kLessonLostHelp)).isPressed)
        return;
    if (lost.isExercise)
        context.send(LessonAction{OpenExerciseFolder{lost.path}});
    else
        context.send(LessonAction{OpenLesson{lost.path, {}}});
}

void drawLessonList(PanelContext& context) {
    paragraph(context, words::kLessonsIntro.in(context.state.language), kSecondLook);
    drawNext(context);
    ImGui::Dummy({1, viz::space::kGrid});
    for (const LessonEntry& entry : context.state.lessons.all)
        if (!entry.isOwn) drawEntry(context, entry);
    ImGui::Dummy({1, viz::space::kGap});
    label(context, words::kLessonOwn.in(context.state.language), kBoldLook);
    for (const LessonEntry& entry : context.state.lessons.all)
        if (entry.isOwn) drawEntry(context, entry);
    for (const LostFolder& lost : context.state.lessons.lost)
        if (!lost.isExercise) drawLost(context, lost);
    drawPaths(context);
}

}  // namespace lockstep::app
