// The exercises of the start page: how far one has come in each; of the one that is open its task, the file
// that is judged, and the verdict.
#include "app/panels/editor/editor_words.h"
#include "app/panels/lesson/exercise_words.h"
#include "app/panels/lesson/lesson_column.h"
#include "app/panels/lesson/lesson_look.h"
#include "app/panels/lesson/lesson_words.h"
#include "app/state/exercise_place.h"
#include "base/text/punctuation.h"
#include "exercises/exercise.h"
#include "exercises/judge.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <filesystem>
#include <vector>

namespace lockstep::app {
namespace {

using viz::RoleKind;

constexpr std::string_view kExercisePage = "guide/exercises.md";

const Words& wordsOf(ExerciseState state) {
    switch (state) {
        case ExerciseState::Tried: return words::kExerciseTried;
        case ExerciseState::Passed: return words::kExercisePassed;
        case ExerciseState::New: break;
    }
    return words::kExerciseNew;
}

Help exerciseHelp(const PanelContext& context, const Words& words) {
    return {words.in(context.state.language), kExercisePage};
}

// In words, with what is missing; a click leads to the line that is to blame.
void drawRule(PanelContext& context, const exercises::RuleVerdict& rule, std::size_t number, bool isEarlier) {
    const Language language = context.state.language;
    const bool holds = rule.state == exercises::State::Holds, fails = rule.state == exercises::State::Fails;
    const RoleKind role = isEarlier ? RoleKind::TextThird
                          : holds   ? RoleKind::Load
                          : fails   ? RoleKind::Finding
                                    : RoleKind::TextThird;
    const ImVec2 at = ImGui::GetCursorScreenPos(), from = ImGui::GetCursorPos();
    constexpr f32 kIcon = 20;
    if (rule.state != exercises::State::NotJudged)
        drawIcon(*ImGui::GetWindowDrawList(), holds ? Icon::Check : Icon::Cross, {at.x + 7, at.y + 9},
                 ink(context, role));
    std::string text = rule.words.in(language);
    if (rule.state == exercises::State::NotJudged)
        text += colon(language) + std::string(words::kExerciseNotJudged.in(language));
    const f32 width = ImGui::GetContentRegionAvail().x;
    ImGui::SetCursorPos({from.x + kIcon, from.y});
    paragraph(context, text, {.role = fails && !isEarlier ? RoleKind::Text : RoleKind::TextSecond});
    if (!fails) return;
    ImGui::SetCursorPosX(from.x + kIcon);
    paragraph(context, rule.sentence.in(language), kSecondLook);
    if (!rule.code.empty()) {
        ImGui::SetCursorPosX(from.x + kIcon);
        paragraph(context, std::to_string(rule.line) + "  " + rule.code,
                  {.size = viz::type::kCode, .face = viz::Face::Mono, .role = RoleKind::TextSecond});
    }
    const bool leads = rule.line > 0 && !rule.size.empty() && !isEarlier;
    if (!leads) return;
    const ImVec2 end = ImGui::GetCursorPos();
    ImGui::SetCursorPos(from);
    const std::string id = "rule " + std::to_string(number + 1);
    if (ImGui::InvisibleButton(id.c_str(), {width, end.y - from.y}))
        context.send(ShowLineOfExercise{rule.line, rule.size});
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    helped(context, exerciseHelp(context, words::kExerciseRuleHelp));
    ImGui::SetCursorPos(end);
    ImGui::Dummy({0, 0});
}

void drawVerdict(PanelContext& context, const exercises::Verdict& verdict, const Words& title,
                 bool isEarlier = false) {
    label(context, say(context.state.language, title, verdict.held(), verdict.rules.size()),
          {.face = viz::Face::TextBold,
           .role = isEarlier          ? RoleKind::TextSecond
                   : verdict.passed() ? RoleKind::Load
                                      : RoleKind::Finding});
    for (std::size_t i = 0; i < verdict.rules.size(); ++i)
        drawRule(context, verdict.rules[i], i, isEarlier);
}

void drawVerdicts(PanelContext& context, const ExerciseAttempt& attempt) {
    const exercises::Verdict& verdict = *attempt.verdict;
    const Language language = context.state.language;
    const bool isOld = isOutdated(verdict);
    if (isOld)
        paragraph(context, words::kExerciseChanged.in(language),
                  {.face = viz::Face::TextBold, .role = RoleKind::Finding});
    else if (!verdict.compiles())
        label(context, words::kExerciseNotCompiled.in(language),
              {.face = viz::Face::TextBold, .role = RoleKind::Finding});
    drawVerdict(context, verdict, isOld ? words::kExerciseEarlier : words::kExerciseVerdict, isOld);
    if (attempt.earlier) drawVerdict(context, *attempt.earlier, words::kExerciseEarlier, true);
}

// The one that is open.
void drawExercise(PanelContext& context, const exercises::Exercise& exercise) {
    const Language language = context.state.language;
    const ExerciseAttempt& attempt = context.state.lessons.exercise;
    paragraph(context, exercise.task.in(language), {});
    std::string file = attempt.file;
    ImGui::SetNextItemWidth(-1);
    ImGui::PushFont(context.fonts.font(viz::Face::Text),
                    context.fonts.size(viz::Face::Text, viz::type::kBody));
    const bool entered = ImGui::InputTextWithHint("##exercise", words::kExerciseFile.in(language).data(),
                                                  &file, ImGuiInputTextFlags_EnterReturnsTrue);
    ImGui::PopFont();
    helped(context, exerciseHelp(context, words::kExerciseFileHelp));
    if (file != attempt.file) context.send(LessonAction{TypeExerciseFile{file}});
    if (textButton(context, "begin", words::kExerciseBegin.in(language),
                   exerciseHelp(context, words::kExerciseBeginHelp)))
        context.send(LessonAction{BeginExercise{}});
    ImGui::SameLine();
    const bool checks = textButton(context, "judge", words::kLessonCheck.in(language),
                                   exerciseHelp(context, words::kExerciseCheckHelp));
    if (checks || entered) context.send(LessonAction{CheckExercise{}});
    const f32 ofEditing = widthOf(context, words::kEdit.in(language)) +
                          widthOf(context, words::kExerciseEdit.in(language)) + 2 * 24 + viz::space::kGap;
    ImGui::SameLine();
    if (ImGui::GetContentRegionAvail().x < ofEditing) ImGui::NewLine();
    std::error_code ignored;
    const bool isThere = !attempt.file.empty() && std::filesystem::is_regular_file(attempt.file, ignored);
    ImGui::BeginDisabled(!isThere);
    if (textButton(context, "edit here", words::kEdit.in(language),
                   {words::kEditHelp.in(language), "guide/editor.md"}))
        context.send(EditorAction{EditFile{attempt.file}});
    ImGui::SameLine();
    if (textButton(context, "edit", words::kExerciseEdit.in(language),
                   exerciseHelp(context, words::kExerciseEditHelp)))
        context.send(OpenPage{std::filesystem::absolute(attempt.file, ignored).string()});
    ImGui::EndDisabled();
    paragraph(context, isThere ? words::kExerciseHow.in(language) : words::kExerciseFirst.in(language),
              kSecondLook);
    if (attempt.ticket != 0)
        paragraph(context, words::kExerciseUnderWay.in(language), kSecondLook);
    else if (attempt.fault)
        paragraph(context, describe(*attempt.fault, language), {.role = RoleKind::Finding});
    else if (attempt.verdict)
        drawVerdicts(context, attempt);
    ImGui::Dummy({1, viz::space::kGap});
}

// One that is opened by its path comes into sight.
void scrollToNew(const ExerciseEntry& entry) {
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    const ImGuiID opened = ImGui::GetID("opened by its path"), is = ImGui::GetID(entry.key.c_str());
    if (storage.GetInt(opened) == int(is)) return;
    storage.SetInt(opened, int(is));
    ImGui::SetScrollHereY(0);
}

void drawEntry(PanelContext& context, const ExerciseEntry& entry) {
    const Language language = context.state.language;
    const ExerciseAttempt& attempt = context.state.lessons.exercise;
    const ExerciseState now = stateOf(entry, context.state.lessons.progress);
    std::vector<ListText> texts{
        {std::string(entry.exercise->title.in(language)), kBoldLook},
        {std::string(wordsOf(now).in(language)),
         {.role = now == ExerciseState::Passed ? RoleKind::Load : RoleKind::TextSecond}}};
    if (entry.isOwn) texts.push_back({entry.exercise->folder.string(), kSecondLook});
    if (entry.isOwn && attempt.key == entry.key) scrollToNew(entry);
    const std::string id = "exercise " + entry.key;
    if (listRow(context, id.c_str(), texts, 0, exerciseHelp(context, words::kExerciseRowHelp)).isPressed)
        context.send(LessonAction{OpenExercise{entry.key}});
    if (attempt.key == entry.key) drawExercise(context, *entry.exercise);
}

void drawFolderField(PanelContext& context) {
    const LessonState& state = context.state.lessons;
    std::string folder = state.exerciseFolder;
    const bool entered = pathField(context, "##exercisefolder", folder, words::kExerciseFolder,
                                   exerciseHelp(context, words::kExerciseFolderHelp));
    const bool opened = textButton(context, "openexercise", words::kLessonOpen.in(context.state.language),
                                   exerciseHelp(context, words::kExerciseFolderHelp));
    if (folder != state.exerciseFolder)
        context.send(LessonAction{TypeLessonPath{state.folder, state.file, folder}});
    if (entered || opened) context.send(LessonAction{OpenExerciseFolder{folder}});
}

}  // namespace

void drawExerciseList(PanelContext& context) {
    const LessonState& state = context.state.lessons;
    const Language language = context.state.language;
    std::size_t passed = 0, programs = 0;
    for (const ExerciseEntry& entry : state.exercises) {
        passed += !entry.isOwn && stateOf(entry, state.progress) == ExerciseState::Passed;
        programs += !entry.isOwn;
    }
    label(context, say(language, words::kExercises, passed, programs), kBoldLook);
    paragraph(context, words::kExercisesIntro.in(language), kSecondLook);
    for (const ExerciseEntry& entry : state.exercises)
        if (!entry.isOwn) drawEntry(context, entry);
    ImGui::Dummy({1, viz::space::kGrid});
    label(context, words::kExerciseOwn.in(language), kBoldLook);
    for (const ExerciseEntry& entry : state.exercises)
        if (entry.isOwn) drawEntry(context, entry);
    for (const LostFolder& lost : state.lost)
        if (lost.isExercise) drawLost(context, lost);
    drawFolderField(context);
    ImGui::Dummy({1, 1});
}

}  // namespace lockstep::app
