#include "app/panels/lesson/answer_in_view.h"

#include "viz/view_options.h"
#include "viz/views/source_page.h"

#include <algorithm>

namespace lockstep::app {
namespace {

using lessons::AnswerInput, lessons::StepOnShow;

const StepOnShow* asked(const State& state) {
    const LessonState& lessons = state.lessons;
    const bool isOpen = lessons.hidesAnswer() && lessons.step->asks() && !lessons.attempt.isJudged;
    return isOpen ? lessons.step.get() : nullptr;
}

// Whether the Source view shows the kernel as it is written.
bool showsCuda(const State& state, std::string_view view) {
    const auto found = state.views.find(view);
    return view == "source" &&
           (found == state.views.end() ||
            viz::optionsAs<viz::SourceOptions>(found->second.options).tab == viz::SourceTab::Cuda);
}

// The line of the kernel that the view speaks of there; before the answer it says nothing but its number.
std::optional<std::string> lineOf(const State& state, const StepOnShow& step, std::string_view view,
                                  const viz::Hit& hit) {
    if (!showsCuda(state, view)) return std::nullopt;
    const std::string said = hit.text();
    const auto line = std::ranges::find_if(step.code, [&](const lessons::CodeLine& one) {
        return said.ends_with(say(state.language, viz::kLineNumber, one.number));
    });
    return line == step.code.end() ? std::nullopt : std::optional(std::to_string(line->number));
}

// A lane of the step at the cursor.
std::optional<Lane> laneOf(const State& state, const StepOnShow& step, const viz::Hit& hit) {
    if (!hit.go || hit.compared || hit.scrub || !step.lanes.has(hit.go->lane)) return std::nullopt;
    viz::Cursor here = *hit.go;
    here.lane = state.cursor.lane;
    return here == state.cursor ? std::optional(hit.go->lane) : std::nullopt;
}

}  // namespace

std::optional<std::string> answerByClick(const State& state, std::string_view view, const viz::Hit& hit) {
    const StepOnShow* step = asked(state);
    if (!step) return std::nullopt;
    const std::string& now = state.lessons.attempt.answer;
    switch (step->input()) {
        case AnswerInput::Line: return lineOf(state, *step, view, hit);
        case AnswerInput::Cell: {
            std::string element = lessons::elementNamedIn(hit.text(), step->arrays);
            return element.empty() ? std::nullopt : std::optional(std::move(element));
        }
        case AnswerInput::Lanes: {
            const std::optional<Lane> lane = laneOf(state, *step, hit);
            if (!lane) return std::nullopt;
            const bool isChosen = lessons::lanesBeingChosen(now).has(*lane);
            return lessons::withLane(now, 0, *lane, !isChosen);
        }
        default: return std::nullopt;
    }
}

bool isInAnswer(const State& state, std::string_view view, const viz::Hit& hit) {
    const StepOnShow* step = asked(state);
    const std::string& now = state.lessons.attempt.answer;
    if (!step || now.empty()) return false;
    switch (step->input()) {
        case AnswerInput::Line: return lineOf(state, *step, view, hit) == now;
        case AnswerInput::Cell: return lessons::elementNamedIn(hit.text(), step->arrays) == now;
        case AnswerInput::Lanes: {
            const std::optional<Lane> lane = laneOf(state, *step, hit);
            return lane && lessons::lanesBeingChosen(now).has(*lane);
        }
        default: return false;
    }
}

}  // namespace lockstep::app
