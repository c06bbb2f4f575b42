// A step of a lesson for a picture of the window, which nothing works on in the background.
#include "app/shell/lesson_desk.h"
#include "app/shell/shell.h"
#include "app/state/lesson_choice.h"
#include "app/state/lesson_update.h"
#include "run/recordings/times_facts.h"

namespace lockstep::shell {
namespace {

// Every task at once, until none is left.
Expected<void> carryOutAll(LessonDesk& desk, app::LessonState& state, app::LessonAction first) {
    u64 tickets = 0;
    std::vector<app::LessonAction> waiting{std::move(first)};
    while (!waiting.empty()) {
        const app::LessonAction action = std::move(waiting.back());
        waiting.pop_back();
        if (const auto* failed = std::get_if<app::StepFailed>(&action)) return Unexpected{failed->fault};
        for (const app::LessonTask& task : app::updateLesson(state, action, tickets).tasks)
            for (const app::Action& done : desk.carryOut(task)) {
                if (const auto* next = done.as<app::LessonAction>()) waiting.push_back(*next);
                if (const auto* could = done.as<app::CouldNot>()) return Unexpected{could->fault};
            }
    }
    return {};
}

std::shared_ptr<const run::Run> wholeRunOf(const lessons::Picture& picture, const Request& request) {
    run::Run run = *picture.run;
    if (request.machines)
        if (const auto& machines = request.machines->get()) run::attachRecorded(run, **machines);
    return std::make_shared<const run::Run>(std::move(run));
}

}  // namespace

Expected<void> prepareLesson(Request& request, const std::optional<std::string>& answer) {
    LessonDesk desk(request.resources, *request.catalog);
    app::LessonState state;
    u64 tickets = 0;
    (void)app::updateLesson(state, app::LessonsListed{desk.list(), desk.exercises()}, tickets);
    (void)app::updateLesson(state, app::ShowLessons{}, tickets);
    if (!request.exercise.empty()) {
        if (Expected<void> done = carryOutAll(desk, state, app::OpenExerciseFolder{request.exercise}); !done)
            return done;
    } else if (request.lesson != "list") {
        if (Expected<void> done =
                carryOutAll(desk, state, app::OpenLesson{request.lesson, request.lessonStep});
            !done)
            return done;
        if (!request.lessonStep.empty() && state.step->step().id != request.lessonStep)
            return fail(FaultKind::NotFound,
                        Message(english("the lesson has no step '{0}'"), request.lessonStep));
        if (answer) {
            (void)app::updateLesson(state, app::MakeAnswer{*answer}, tickets);
            if (Expected<void> done = carryOutAll(desk, state, app::CheckAnswer{}); !done) return done;
        }
        const lessons::StepOnShow& step = *state.step;
        const lessons::Picture& picture = step.picture(state.isSettled());
        request.choice = app::choiceOfStep(step, state.isSettled());
        request.profile = picture.profile;
        request.view = picture.view;
        request.cursor = app::placeOf(step, state.isSettled());
        request.run = state.isSettled() ? wholeRunOf(picture, request) : step.before;
    }
    request.lessonShown = std::move(state);
    return {};
}

}  // namespace lockstep::shell
