// The exercises of the start page: how far one has come in each; of the one that is open its task, the file
// that is judged, and the verdict.
#include "app/panels/lesson/lesson_column.h"
#include "app/panels/lesson/lesson_look.h"
#include "app/panels/lesson/lesson_words.h"
#include "base/text/punctuation.h"
#include "exercises/exercise.h"
#include "exercises/judge.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <array>

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

void drawRule(PanelContext& context, const exercises::RuleVerdict& rule) {
    const Language language = context.state.language;
    const bool holds = rule.state == exercises::State::Holds, fails = rule.state == exercises::State::Fails;
    const RoleKind role = holds ? RoleKind::Load : fails ? RoleKind::Finding : RoleKind::TextThird;
    const ImVec2 at = ImGui::GetCursorScreenPos(), from = ImGui::GetCursorPos();
    constexpr f32 kIcon = 20;
    if (rule.state != exercises::State::NotJudged)
        drawIcon(*ImGui::GetWindowDrawList(), holds ? Icon::Check : Icon::Cross, {at.x + 7, at.y + 9},
                 ink(context, role));
    ImGui::SetCursorPos({from.x + kIcon, from.y});
    std::string text = rule.rule;
    if (fails && rule.line > 0) text += comma(language) + say(language, words::kExerciseLine, rule.line);
    if (fails) text += colon(language) + rule.sentence.in(language);
    if (rule.state == exercises::State::NotJudged)
        text += colon(language) + std::string(words::kExerciseNotJudged.in(language));
    paragraph(context, text, {.role = fails ? RoleKind::Text : RoleKind::TextSecond});
}

void drawVerdict(PanelContext& context, const exercises::Verdict& verdict) {
    label(context, say(context.state.language, words::kExerciseVerdict, verdict.held(), verdict.rules.size()),
          {.face = viz::Face::TextBold, .role = verdict.passed() ? RoleKind::Load : RoleKind::Finding});
    for (const exercises::RuleVerdict& rule : verdict.rules)
        drawRule(context, rule);
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
    if (attempt.ticket != 0)
        paragraph(context, words::kExerciseUnderWay.in(language), kSecondLook);
    else if (attempt.fault)
        paragraph(context, describe(*attempt.fault, language), {.role = RoleKind::Finding});
    else if (attempt.verdict)
        drawVerdict(context, *attempt.verdict);
    ImGui::Dummy({1, viz::space::kGap});
}

}  // namespace

void drawExerciseList(PanelContext& context) {
    const LessonState& state = context.state.lessons;
    const Language language = context.state.language;
    std::size_t passed = 0;
    for (const auto& exercise : state.exercises)
        passed += stateOf(*exercise, state.progress) == ExerciseState::Passed;
    label(context, say(language, words::kExercises, passed, state.exercises.size()), kBoldLook);
    paragraph(context, words::kExercisesIntro.in(language), kSecondLook);
    for (const auto& exercise : state.exercises) {
        const ExerciseState now = stateOf(*exercise, state.progress);
        const std::array texts{
            ListText{std::string(exercise->title.in(language)), kBoldLook},
            ListText{std::string(wordsOf(now).in(language)),
                     {.role = now == ExerciseState::Passed ? RoleKind::Load : RoleKind::TextSecond}}};
        const std::string id = "exercise " + exercise->name;
        if (listRow(context, id.c_str(), texts, 0, exerciseHelp(context, words::kExerciseRowHelp)).isPressed)
            context.send(LessonAction{OpenExercise{exercise->name}});
        if (state.exercise.name == exercise->name) drawExercise(context, *exercise);
    }
    ImGui::Dummy({1, 1});
}

}  // namespace lockstep::app
