#include "app/panels/lesson/lesson_column.h"

#include "app/panels/lesson/lesson_look.h"
#include "app/panels/lesson/lesson_words.h"
#include "app/panels/lesson/markdown_text.h"
#include "app/panels/terms.h"
#include "app/state/lesson_choice.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep::app {
namespace {

using lessons::Outcome, lessons::StepOnShow;
using viz::RoleKind;

void send(PanelContext& context, LessonAction action) { context.send(std::move(action)); }
bool button(PanelContext& context, const char* id, const Words& text, const Words& explained) {
    return textButton(context, id, text.in(context.state.language), lessonHelp(context, explained));
}

struct OutcomeLook {
    Outcome outcome;
    RoleKind role;
    const Words* words;
};
constexpr std::array kOutcomes{OutcomeLook{Outcome::FirstTry, RoleKind::Load, &words::kLessonStepFirst},
                               OutcomeLook{Outcome::LaterTry, RoleKind::Load, &words::kLessonStepLater},
                               OutcomeLook{Outcome::AfterHint, RoleKind::Store, &words::kLessonStepHelped},
                               OutcomeLook{Outcome::Shown, RoleKind::TextThird, &words::kLessonStepShown},
                               OutcomeLook{Outcome::Seen, RoleKind::TextThird, &words::kLessonStepSeen}};

// A mark a step: filled if it was right at the first try, otherwise as far as it was.
void drawMark(PanelContext& context, ImVec2 at, f32 size, const OutcomeLook* look, bool isHere) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 high{at.x + size, at.y + size};
    const RoleKind role = look ? look->role : RoleKind::Edge;
    list.AddRect(at, high, ink(context, role), 2, 1.5f);
    if (look && look->outcome == Outcome::FirstTry) list.AddRectFilled(at, high, ink(context, role), 2);
    if (look && look->outcome != Outcome::FirstTry)  // half of it
        list.AddRectFilled({at.x, (at.y + high.y) / 2}, high, ink(context, role), 2);
    if (isHere)
        list.AddRectFilled({at.x - 1, high.y + 3}, {high.x + 1, high.y + 5}, ink(context, RoleKind::Cursor));
}

void drawMarks(PanelContext& context, const LessonEntry& entry) {
    constexpr f32 kMark = 10, kMost = 20;
    const LessonState& state = context.state.lessons;
    const Language language = context.state.language;
    const std::size_t count = entry.lesson->steps.size();
    const f32 wide =
        std::floor(std::min(kMost, (ImGui::GetWindowWidth() - 2 * viz::space::kInset) / f32(count)));
    for (std::size_t i = 0; i < count; ++i) {
        const lessons::LessonStep& step = entry.lesson->steps[i];
        const std::optional<Outcome> outcome = state.progress.of(entry.key, step.id);
        const auto row = std::ranges::find(kOutcomes, outcome.value_or(Outcome::Seen), &OutcomeLook::outcome);
        const OutcomeLook* look = outcome ? &*row : nullptr;
        const std::string id = "step" + std::to_string(i + 1);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        if (ImGui::InvisibleButton(id.c_str(), {wide, kMark + 8}, ImGuiButtonFlags_EnableNav))
            send(context, GoToStep{i});
        helped(context, {say(language, look ? *look->words : words::kLessonStepNew, i + 1,
                             step.text(language).plainTitle()),
                         kLessonPage});
        drawMark(context, {at.x + 1, at.y + 2}, std::min(kMark, wide - 3), look, i == state.number);
        ImGui::SameLine(0, 0);
    }
}

// What the run said, behind a bar in the color of the verdict.
void drawReply(PanelContext& context, std::string_view text, RoleKind bar, std::optional<Icon> icon) {
    constexpr f32 kLeft = 12;
    const ImVec2 at = ImGui::GetCursorPos(), low = ImGui::GetCursorScreenPos();
    const f32 width = ImGui::GetContentRegionAvail().x - kLeft, iconWide = icon ? 20 : 0;
    ImGui::SetCursorPos({at.x + kLeft + iconWide, at.y});
    const f32 height = drawMarkdown(context, text, width - iconWide);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(low, {low.x + 3, low.y + height}, ink(context, bar), 1);
    if (icon) drawIcon(list, *icon, {low.x + kLeft + 6, low.y + 10}, ink(context, bar));
}

bool standsElsewhere(const State& state) {
    const StepOnShow& step = *state.lessons.step;
    if (state.job.running) return false;
    const bool isSettled = state.lessons.isSettled();
    return !isOfStep(state, step, isSettled) || state.cursor != placeOf(step, isSettled);
}

}  // namespace

f32 lessonWidth(f32 window) {
    constexpr f32 kShare = 0.27f, kLeast = 320, kMost = 520;
    return std::round(std::clamp(window * kShare, kLeast, kMost));
}

void LessonColumn::drawHead(PanelContext& context) const {
    const Language language = context.state.language;
    const LessonEntry* entry = context.state.lessons.current();
    const std::string title =
        entry ? entry->lesson->title(language) : std::string(words::kLessons.in(language));
    constexpr TextLook kTitle{.size = viz::type::kTitle, .face = viz::Face::TextBold};
    const Help all = lessonHelp(context, words::kLessonAllHelp);
    const PressedInHead pressed =
        columnHead(context, title, entry ? &all : nullptr, lessonHelp(context, words::kLessonCloseHelp),
                   entry ? kBoldLook : kTitle);
    if (pressed.back) send(context, ListLessons{});
    if (pressed.close) send(context, ShowLessons{false});
    if (!entry) return;
    const std::string number =
        say(language, words::kLessonStepOf, context.state.lessons.number + 1, entry->lesson->steps.size());
    const ImVec2 at = ImGui::GetWindowPos();
    const f32 right = ImGui::GetWindowWidth() - viz::space::kInset;
    ImGui::SetCursorPos({viz::space::kInset, 44});
    drawMarks(context, *entry);
    const f32 marks = ImGui::GetCursorPosX();
    const f32 wide = widthOf(context, number, kSecondLook);
    if (marks + viz::space::kGap + wide <= right)
        drawText(context, *ImGui::GetWindowDrawList(), {at.x + right - wide, at.y + 52}, number, kSecondLook);
}

void LessonColumn::drawQuestion(PanelContext& context) {
    const LessonState& state = context.state.lessons;
    const StepOnShow& step = *state.step;
    const Attempt& attempt = state.attempt;
    const Language language = context.state.language;
    const lessons::StepWords& words = step.in(language);
    ImGui::Dummy({1, viz::space::kGrid});
    label(context, words::kLessonAnswerTitle.in(language), kBoldLook);
    ImGui::BeginDisabled(state.isSettled());
    const bool entered = inputs_.draw(context);
    ImGui::EndDisabled();
    if (!state.isSettled()) {
        bool checks = button(context, "check", words::kLessonCheck, words::kLessonCheckHelp) || entered;
        if (!words.hint.empty()) {
            ImGui::SameLine();
            // It keeps its place: a second click must not meet what shows the answer.
            ImGui::BeginDisabled(attempt.hinted);
            if (button(context, "hint", words::kLessonHint, words::kLessonHintHelp))
                send(context, TakeHint{});
            ImGui::EndDisabled();
        }
        ImGui::SameLine();
        if (button(context, "show", words::kLessonShow, words::kLessonShowHelp)) send(context, ShowAnswer{});
        if (checks) send(context, CheckAnswer{});
    }
    drawReplies(context);
}

void LessonColumn::drawReplies(PanelContext& context) {
    const LessonState& state = context.state.lessons;
    const Attempt& attempt = state.attempt;
    const Language language = context.state.language;
    if (attempt.hinted) drawReply(context, state.step->in(language).hint, RoleKind::Edge, std::nullopt);
    if (attempt.fault) paragraph(context, describe(*attempt.fault, language), {.role = RoleKind::Finding});
    const f32 from = ImGui::GetCursorPosY();
    if (attempt.reply && !attempt.shown) {
        // What could not be judged is no mistake.
        const bool isJudged = attempt.reply->verdict != lessons::Verdict::Unreadable;
        drawReply(context, attempt.reply->words.at(language),
                  attempt.isRight() ? RoleKind::Load
                  : isJudged        ? RoleKind::Finding
                                    : RoleKind::Text,
                  attempt.isRight() ? std::optional(Icon::Check)
                  : isJudged        ? std::optional(Icon::Cross)
                                    : std::nullopt);
        replyHeight_ = ImGui::GetCursorPosY() - from - ImGui::GetStyle().ItemSpacing.y;
    } else if (attempt.wrong > 0 && !state.isSettled() && replyHeight_ > 0) {
        // The reply to the last answer leaves its room, so that nothing moves under the mouse.
        ImGui::Dummy({1, replyHeight_});
    }
    if (attempt.shown)
        drawReply(context, say(language, words::kLessonAnswer, state.step->answer), RoleKind::Load,
                  std::nullopt);
}

// What has just been said to an answer is seen as a whole or, if it is too long, from its beginning.
void LessonColumn::scrollToNews(const LessonState& state, f32 from) {
    const Attempt& attempt = state.attempt;
    const Said said{state.number + 1, attempt.reply.get(), attempt.hinted, attempt.shown};
    const bool isNews = said != said_ && (said.reply || said.hinted || said.shown);
    said_ = said;
    // The scroll bar takes room, so that lines may break anew in the frames that follow.
    constexpr u32 kFrames = 3;
    if (isNews) newsFrames_ = kFrames;
    if (newsFrames_ == 0) return;
    --newsFrames_;
    const f32 bottom = ImGui::GetCursorPosY(), room = ImGui::GetWindowHeight() - viz::space::kInset,
              top = ImGui::GetScrollY();
    if (bottom > top + room) ImGui::SetScrollY(std::min(from - viz::space::kGap, bottom - room));
}

void LessonColumn::drawEnd(PanelContext& context) const {
    const LessonState& state = context.state.lessons;
    const LessonEntry* entry = state.current();
    if (!entry || state.number + 1 < entry->lesson->steps.size()) return;
    const Language language = context.state.language;
    label(context, words::kLessonEnd.in(language), kBoldLook);
    paragraph(context, progressText(countsOf(*entry, state.progress), language), kSecondLook);
}

// Of a lesson from a folder: what is wrong in its files, which its teacher is to see.
void LessonColumn::drawMistakes(PanelContext& context) {
    const LessonState& state = context.state.lessons;
    const LessonEntry* entry = state.current();
    if (!entry || !entry->isOwn) return;
    const Language language = context.state.language;
    if (state.checkTicket != 0)
        paragraph(context, words::kLessonChecking.in(language), kSecondLook);
    else if (state.mistakes.empty() && state.number == 0)
        paragraph(context, words::kLessonFaultless.in(language), kSecondLook);
    if (state.mistakes.empty()) return;
    label(context, say(language, words::kLessonMistakes, state.mistakes.size()),
          {.face = viz::Face::TextBold, .role = RoleKind::Finding});
    if (listsMistakes_)
        for (Fault fault : state.mistakes) {
            // Names of files in the lesson's folder are short enough for the column.
            const std::string folder = (entry->lesson->folder / "").string();
            if (fault.place.file.starts_with(folder)) fault.place.file.erase(0, folder.size());
            paragraph(context, describe(fault, language), kSecondLook);
        }
    if (button(context, "mistakes", listsMistakes_ ? words::kLessonHideMistakes : words::kLessonListMistakes,
               words::kLessonMistakesHelp))
        listsMistakes_ = !listsMistakes_;
}

void LessonColumn::drawStep(PanelContext& context) {
    const LessonState& state = context.state.lessons;
    const StepOnShow& step = *state.step;
    const lessons::StepWords& words = step.in(context.state.language);
    const f32 width = ImGui::GetContentRegionAvail().x;
    constexpr TextLook kTitle{.size = viz::type::kTitle, .face = viz::Face::TextBold};
    paragraph(context, words.title, kTitle, width);
    if (state.number == 0)
        if (const auto found = step.lesson->introductions.find(context.state.language);
            found != step.lesson->introductions.end() && !found->second.empty())
            drawMarkdown(context, found->second, width, RoleKind::TextSecond);
    if (step.seed > 0 && !words.drawn.empty())
        paragraph(context, say(context.state.language, words::kLessonFresh, words.drawn), kSecondLook, width);
    drawMarkdown(context, words.body, width);
    const f32 questionAt = ImGui::GetCursorPosY();
    if (step.asks()) drawQuestion(context);
    if (state.isSettled() && !words.reveal.empty()) drawMarkdown(context, words.reveal, width);
    if (state.isSettled() && !words.after.empty())
        paragraph(context, say(context.state.language, words::kLessonNowShown, words.after), kSecondLook,
                  width);
    if (state.isSettled() && step.asks() && !step.step().varied.empty()) {
        if (button(context, "again", words::kLessonAgain, words::kLessonAgainHelp)) send(context, TryAgain{});
    }
    if (standsElsewhere(context.state) &&
        button(context, "place", words::kLessonPlace, words::kLessonPlaceHelp))
        send(context, BackToPlace{});
    if (state.isSettled()) drawEnd(context);
    scrollToNews(state, questionAt);
}

void LessonColumn::drawBody(PanelContext& context) {
    const LessonState& state = context.state.lessons;
    if (!state.current()) {
        drawLessonList(context);
        if (!exercisesBeside_) drawExerciseList(context);
        return;
    }
    const UnderlinesTerms underlined(context);
    if (shown_ != state.ticket && state.isUnderWay) ImGui::SetScrollY(0), shown_ = state.ticket;
    drawMistakes(context);
    // While other figures are drawn, the question with the old ones is not read.
    if (state.step && !state.isUnderWay) return drawStep(context);
    const Language language = context.state.language;
    if (!state.fault) return paragraph(context, words::kLessonPreparing.in(language), kSecondLook);
    paragraph(context, words::kLessonCannot.in(language),
              {.face = viz::Face::TextBold, .role = RoleKind::Finding});
    paragraph(context, describe(*state.fault, language), kSecondLook);
}

void LessonColumn::drawFoot(PanelContext& context) const {
    const LessonState& state = context.state.lessons;
    const LessonEntry* entry = state.current();
    if (!entry) return;
    const Language language = context.state.language;
    const std::size_t count = entry->lesson->steps.size();
    ImGui::SetCursorPos({viz::space::kInset, (kLessonFoot - kControlHeight) / 2});
    if (state.number > 0 && button(context, "back", words::kLessonBack, words::kLessonBackHelp))
        send(context, GoToStep{state.number - 1});
    const std::string_view next = words::kLessonNext.in(language);
    if (state.number + 1 < count) {
        ImGui::SetCursorPos({ImGui::GetWindowWidth() - viz::space::kInset - widthOf(context, next) - 24,
                             (kLessonFoot - kControlHeight) / 2});
        if (button(context, "next", words::kLessonNext, words::kLessonNextHelp))
            send(context, GoToStep{state.number + 1});
    } else if (const LessonEntry* behind = state.behind(); behind && state.isSettled()) {
        const std::string_view lesson = words::kLessonNextLesson.in(language);
        ImGui::SetCursorPos({ImGui::GetWindowWidth() - viz::space::kInset - widthOf(context, lesson) - 24,
                             (kLessonFoot - kControlHeight) / 2});
        const std::string explained =
            say(language, words::kLessonNextLessonHelp, behind->lesson->title(language));
        if (textButton(context, "next", lesson, {explained, kLessonPage}))
            send(context, OpenLesson{behind->key, {}});
    }
}

bool isCovered(const State& state, std::string_view view) {
    return state.lessons.hidesAnswer() && isCoveredInLesson(view);
}

bool hidesResult(const State& state) {
    return state.lessons.hidesAnswer() || state.playlists.hides(playlists::Part::View);
}

void drawCovered(PanelContext& context) {
    const std::string_view text = words::kLessonCovered.in(context.state.language);
    const f32 width = std::min(360.0f, ImGui::GetWindowWidth() - 2 * viz::space::kInset);
    const f32 height = heightOf(context, text, kSecondLook, width);
    ImGui::SetCursorPos({(ImGui::GetWindowWidth() - width) / 2,
                         std::max(viz::space::kInset, (ImGui::GetWindowHeight() - height) / 2)});
    paragraph(context, text, kSecondLook, width);
}

}  // namespace lockstep::app
