#include "app/shell/lesson_desk.h"

#include "app/shell/files/progress_file.h"
#include "app/shell/files/replace_file.h"
#include "base/files/text_file.h"
#include "base/files/whole_file.h"
#include "exercises/exercise.h"
#include "exercises/judge.h"
#include "lessons/check_lesson.h"
#include "lessons/read_lesson.h"
#include "viz/view.h"
#include "viz/view_names.h"

#include <fmt/chrono.h>

#include <ctime>
#include <random>
#include <span>
#include <string>

namespace lockstep::shell {
namespace {

using app::Action, app::LessonAction;

constexpr Words kBegun = english("The kernel to begin with was written to {0}");
constexpr Words kExported = english("Progress of the lessons written to {0}");
constexpr Words kImported = english("Progress of the lessons taken from {0}");

std::vector<Action> one(LessonAction action) { return {Action(std::move(action))}; }

// Never over a file that has something else in it.
std::vector<Action> writeTo(const app::WriteProgress& task) {
    const std::string text = task.progress.text();
    std::error_code ignored;
    const bool isThere = std::filesystem::exists(task.file, ignored);
    if (isThere && !progressIn(task.file))
        return {app::CouldNot{fail(FaultKind::Usage,
                                   english("is there already and has no progress of lessons in it, so it is "
                                           "not replaced; name a new file"),
                                   {.file = task.file})
                                  .value()}};
    if (isThere && !task.mayReplace) return one(app::AskToReplaceProgress{task.file});
    // What is there is replaced in one go, so that it cannot be lost.
    if (!isThere || !replaceFile(std::filesystem::canonical(task.file, ignored), text))
        if (const Expected<void> written = writeWholeFile(task.file, std::as_bytes(std::span(text)));
            !written)
            return {app::CouldNot{written.error()}};
    return {LessonAction{app::ProgressExported{task.file}}, app::Say{Message(kExported, task.file)}};
}

std::vector<Action> readFrom(const app::ReadProgress& task) {
    Expected<lessons::ParsedProgress> read = progressIn(task.file);
    if (!read) return {app::CouldNot{read.error()}};
    return {LessonAction{app::ProgressRead{std::move(read->progress), std::move(read->leftOut)}},
            app::Say{Message(kImported, task.file)}};
}

// Tells two folders of the same name apart.
std::string wholePathOf(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::path whole = std::filesystem::canonical(folder, error);
    if (error) whole = std::filesystem::absolute(folder, error).lexically_normal();
    return whole.string();
}

Fault notThere(const std::string& folder) {
    return fail(FaultKind::NotFound,
                english("this folder is not there; if it was moved, open it where it is now"),
                {.file = folder})
        .value();
}

std::string timeNow() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    return localtime_r(&now, &local) ? fmt::format("{:%Y-%m-%d %H:%M}", local) : std::string();
}

// Never over a file that is there.
std::vector<Action> writeStart(const app::WriteStart& task) {
    const Expected<std::string> text = readTextFile(
        task.exercise->startFile(), english("exercise.toml names it as the kernel to begin with"));
    if (!text) return {app::CouldNot{text.error()}};
    std::error_code ignored;
    if (std::filesystem::exists(task.file, ignored))
        return {app::CouldNot{fail(FaultKind::Usage,
                                   english("is there already; name a new file, or delete this one"),
                                   {.file = task.file})
                                  .value()}};
    if (const Expected<void> written = writeWholeFile(task.file, std::as_bytes(std::span(*text))); !written)
        return {app::CouldNot{written.error()}};
    return {app::Say{Message(kBegun, task.file)}};
}

std::vector<Action> judgeExercise(const app::JudgeExercise& task, const std::stop_token& stop) {
    Progress progress;
    const std::stop_callback cancels(stop, [&] { progress.cancelled = true; });
    Expected<exercises::Verdict> verdict =
        exercises::judge(*task.exercise, task.file, {.seed = std::random_device{}(), .progress = &progress});
    if (!verdict) return one(app::ExerciseChecked{task.ticket, nullptr, verdict.error()});
    return one(app::ExerciseChecked{
        task.ticket, std::make_shared<const exercises::Verdict>(std::move(*verdict)), {}});
}

}  // namespace

LessonDesk::LessonDesk(const run::Resources& resources, const catalog::Catalog& catalog)
    : resources_(resources),
      catalog_(&catalog),
      folder_(resources.assets() / "lessons"),
      runs_(resources, catalog) {}

std::vector<app::ExerciseEntry> LessonDesk::exercises() const {
    std::vector<app::ExerciseEntry> all;
    for (exercises::Exercise& exercise : exercises::readShelf(resources_.assets() / "exercises").exercises) {
        std::string key = exercise.name;
        all.push_back(
            {std::move(key), std::make_shared<const exercises::Exercise>(std::move(exercise)), false});
    }
    return all;
}

Expected<app::ExerciseOpened> LessonDesk::openExercise(const std::string& what) const {
    const std::filesystem::path ours = resources_.assets() / "exercises" / what;
    const bool isOurs = what.find('/') == std::string::npos && exercises::isExercise(ours);
    const std::filesystem::path folder = isOurs ? ours : std::filesystem::path(wholePathOf(what));
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder, ignored)) {
        if (what.find('/') != std::string::npos) return Unexpected{notThere(what)};
        return fail(
            FaultKind::NotFound,
            Message(english("there is no exercise '{0}' (lockstep check --list has the program's; one "
                            "of your own is a folder with an exercise.toml)"),
                    what));
    }
    if (!exercises::isExercise(folder))
        return fail(FaultKind::NotFound, english("is no exercise: it has no exercise.toml"), {.file = what});
    Expected<exercises::Exercise> exercise = exercises::readExercise(folder);
    if (!exercise) return Unexpected{exercise.error()};
    return app::ExerciseOpened{{isOurs ? what : folder.string(),
                                std::make_shared<const exercises::Exercise>(std::move(*exercise)), !isOurs},
                               timeNow()};
}

app::OwnFound LessonDesk::find(const app::FindOwn& wanted) const {
    app::OwnFound found;
    std::error_code ignored;
    for (const std::string& folder : wanted.lessons) {
        const bool isThere = std::filesystem::is_directory(folder, ignored);
        Expected<app::LessonOpened> opened =
            isThere ? open(folder) : Expected<app::LessonOpened>(Unexpected{notThere(folder)});
        if (opened)
            found.lessons.push_back(std::move(opened->entry));
        else
            found.lost.push_back({folder, false, opened.error()});
    }
    for (const std::string& folder : wanted.exercises) {
        Expected<app::ExerciseOpened> opened = openExercise(folder);
        if (opened)
            found.exercises.push_back(std::move(opened->entry));
        else
            found.lost.push_back({folder, true, opened.error()});
    }
    return found;
}

// With runs of its own: steps need not wait for it.
std::vector<Fault> LessonDesk::check(const std::string& folder, const std::stop_token& stop) const {
    const Expected<lessons::ReadLesson> read = lessons::readLesson(folder);
    if (!read) return {read.error()};
    lessons::LessonRuns runs(resources_, *catalog_);
    return lessons::checkLesson(*read, runs, viz::namesOfViews(), [&] { return stop.stop_requested(); });
}

std::vector<app::LessonEntry> LessonDesk::list() const {
    std::vector<app::LessonEntry> all;
    for (lessons::Lesson& lesson : lessons::lessonsIn(folder_)) {
        std::string key = lesson.name;
        all.push_back({std::move(key), std::make_shared<const lessons::Lesson>(std::move(lesson)), false});
    }
    return all;
}

Expected<app::LessonOpened> LessonDesk::open(const std::string& what) const {
    std::error_code error;
    const std::filesystem::path ours = lessons::folderOfLesson(folder_, what);
    const bool isOurs = !ours.empty();
    Expected<lessons::ReadLesson> read =
        lessons::readLesson(isOurs ? ours : std::filesystem::absolute(what, error).lexically_normal());
    if (!read) return Unexpected{read.error()};
    if (read->lesson.steps.empty() || read->lesson.titles.empty())
        return Unexpected{
            read->mistakes.empty()
                ? fail(FaultKind::NotFound, english("the lesson has no step"), {.file = what}).value()
                : read->mistakes.front()};
    std::string key =
        isOurs ? read->lesson.name : std::string(app::kOwnLesson) + wholePathOf(read->lesson.folder);
    return app::LessonOpened{
        {std::move(key), std::make_shared<const lessons::Lesson>(std::move(read->lesson)), !isOurs},
        std::move(read->mistakes),
        {}};
}

Expected<std::shared_ptr<const lessons::StepOnShow>> LessonDesk::prepare(const app::PrepareStep& wanted) {
    const std::scoped_lock lock(mutex_);
    return lessons::showStep(wanted.lesson, wanted.number, runs_, wanted.seed, wanted.other.get());
}

std::vector<Action> LessonDesk::carryOut(const app::LessonTask& task, const std::stop_token& stop) {
    if (const auto* folder = std::get_if<app::ReadLessonFolder>(&task)) {
        Expected<app::LessonOpened> opened = open(folder->folder);
        // The one is easily taken for the other.
        if (!opened && exercises::isExercise(folder->folder))
            return carryOut(app::ReadExerciseFolder{folder->folder}, stop);
        if (!opened) return {app::CouldNot{opened.error()}};
        opened->step = folder->step;
        return one(std::move(*opened));
    }
    if (const auto* folder = std::get_if<app::ReadExerciseFolder>(&task)) {
        Expected<app::ExerciseOpened> opened = openExercise(folder->folder);
        if (!opened) return {app::CouldNot{opened.error()}};
        return one(std::move(*opened));
    }
    if (const auto* wanted = std::get_if<app::FindOwn>(&task)) return one(find(*wanted));
    if (const auto* wanted = std::get_if<app::PrepareStep>(&task)) {
        const auto step = prepare(*wanted);
        if (!step) return one(app::StepFailed{wanted->ticket, step.error()});
        return one(app::StepReady{wanted->ticket, *step, timeNow()});
    }
    if (const auto* wanted = std::get_if<app::CheckLesson>(&task))
        return one(app::LessonChecked{wanted->ticket, check(wanted->folder, stop)});
    if (const auto* wanted = std::get_if<app::WriteStart>(&task)) return writeStart(*wanted);
    if (const auto* wanted = std::get_if<app::JudgeExercise>(&task)) return judgeExercise(*wanted, stop);
    if (const auto* wanted = std::get_if<app::JudgeAnswer>(&task)) {
        Expected<lessons::Reply> reply = lessons::reply(*wanted->step, wanted->answer);
        if (!reply) return one(app::AnswerJudged{wanted->ticket, nullptr, reply.error()});
        return one(
            app::AnswerJudged{wanted->ticket, std::make_shared<const lessons::Reply>(std::move(*reply)), {}});
    }
    if (const auto* wanted = std::get_if<app::WriteProgress>(&task)) return writeTo(*wanted);
    return readFrom(std::get<app::ReadProgress>(task));
}

}  // namespace lockstep::shell
