#include "app/shell/lesson_desk.h"

#include "app/shell/files/progress_file.h"
#include "base/files/whole_file.h"
#include "lessons/read_lesson.h"

#include <span>
#include <string>

namespace lockstep::shell {
namespace {

using app::Action, app::LessonAction;

constexpr std::string_view kOwn = "own/";  // before the keys of a user's lessons

constexpr Words kExported = english("Progress of the lessons written to {0}");
constexpr Words kImported = english("Progress of the lessons taken from {0}");

std::vector<Action> one(LessonAction action) { return {Action(std::move(action))}; }

std::vector<Action> writeTo(const app::WriteProgress& task, Language language) {
    const std::string text = task.progress.text();
    if (const Expected<void> written = writeWholeFile(task.file, std::as_bytes(std::span(text))); !written)
        return {app::CouldNot{written.error()}};
    return {app::Say{say(language, kExported, task.file)}};
}

std::vector<Action> readFrom(const app::ReadProgress& task, Language language) {
    const Expected<lessons::Progress> progress = progressIn(task.file);
    if (!progress) return {app::CouldNot{progress.error()}};
    return {LessonAction{app::ProgressRead{*progress}}, app::Say{say(language, kImported, task.file)}};
}

}  // namespace

LessonDesk::LessonDesk(const run::Resources& resources, const catalog::Catalog& catalog)
    : folder_(resources.assets() / "lessons"), runs_(resources, catalog) {}

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
    std::string key = (isOurs ? "" : std::string(kOwn)) + read->lesson.name;
    return app::LessonOpened{
        {std::move(key), std::make_shared<const lessons::Lesson>(std::move(read->lesson)), !isOurs},
        std::move(read->mistakes),
        {}};
}

Expected<std::shared_ptr<const lessons::StepOnShow>> LessonDesk::prepare(const app::PrepareStep& wanted) {
    const std::scoped_lock lock(mutex_);
    return lessons::showStep(wanted.lesson, wanted.number, runs_, wanted.seed, wanted.other.get());
}

std::vector<Action> LessonDesk::carryOut(const app::LessonTask& task, Language language) {
    if (const auto* folder = std::get_if<app::ReadLessonFolder>(&task)) {
        Expected<app::LessonOpened> opened = open(folder->folder);
        if (!opened) return {app::CouldNot{opened.error()}};
        opened->step = folder->step;
        return one(std::move(*opened));
    }
    if (const auto* wanted = std::get_if<app::PrepareStep>(&task)) {
        const auto step = prepare(*wanted);
        if (!step) return one(app::StepFailed{wanted->ticket, step.error()});
        return one(app::StepReady{wanted->ticket, *step});
    }
    if (const auto* wanted = std::get_if<app::JudgeAnswer>(&task)) {
        Expected<lessons::Reply> reply = lessons::reply(*wanted->step, wanted->answer);
        if (!reply) return one(app::AnswerJudged{wanted->ticket, nullptr, reply.error()});
        return one(
            app::AnswerJudged{wanted->ticket, std::make_shared<const lessons::Reply>(std::move(*reply)), {}});
    }
    if (const auto* wanted = std::get_if<app::WriteProgress>(&task)) return writeTo(*wanted, language);
    return readFrom(std::get<app::ReadProgress>(task), language);
}

}  // namespace lockstep::shell
