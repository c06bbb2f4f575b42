// lockstep lesson: lists, checks and shows lessons, asks their questions and judges the answers.
#include "app/cli/commands/commands.h"
#include "app/cli/commands/template_folder.h"
#include "app/cli/pages/lesson_page.h"
#include "app/cli/pages/mistake_list.h"
#include "app/cli/terminal/output.h"
#include "base/nearest.h"
#include "lessons/check_lesson.h"
#include "lessons/lesson_notes.h"
#include "viz/view.h"
#include "viz/view_names.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>

namespace lockstep::cli {
namespace {

struct Arguments {
    std::vector<std::string> words;
    std::string step, answer, json;
    std::optional<u32> seed;
    bool hasAnswer = false, window = false;
};

Expected<std::filesystem::path> folderOfLessons(Session& session) {
    const Expected<const run::Resources*> resources = session.resources();
    if (!resources) return Unexpected{resources.error()};
    return (*resources)->assets() / "lessons";
}

Expected<lessons::LessonRuns> runsOf(Session& session) {
    const Expected<const run::Resources*> resources = session.resources();
    if (!resources) return Unexpected{resources.error()};
    const Expected<const catalog::Catalog*> catalog = session.catalog();
    if (!catalog) return Unexpected{catalog.error()};
    return lessons::LessonRuns(**resources, **catalog);
}

Expected<int> list(const Arguments& arguments, Session& session) {
    const Expected<std::filesystem::path> folder = folderOfLessons(session);
    if (!folder) return Unexpected{folder.error()};
    const std::vector<lessons::Lesson> all = lessons::lessonsIn(*folder);
    if (arguments.json.empty()) {
        for (const lessons::Lesson& lesson : all)
            printOut("{:<14} {}  {}\n", lesson.name, lesson.title(session.language()),
                     say(session.language(), english("({0} {0:step|steps}, about {1} {1:minute|minutes})"),
                         lesson.steps.size(), lesson.minutes()));
        return kDone;
    }
    Json rows = Json::array();
    for (const lessons::Lesson& lesson : all)
        rows.push_back(lessonJson(lesson));
    if (const Expected<void> written = writeJson({{"lessons", rows}}, arguments.json); !written)
        return Unexpected{written.error()};
    return kDone;
}

// Of our own by its name, of others by their folder.
Expected<std::filesystem::path> folderOf(const std::string& word, Session& session) {
    Expected<std::filesystem::path> ours = folderOfLessons(session);
    if (!ours) return ours;
    std::error_code error;
    if (std::filesystem::path own = lessons::folderOfLesson(*ours, word); !own.empty()) return own;
    if (std::filesystem::is_directory(word, error)) return std::filesystem::path(word);
    std::vector<std::string> names;
    for (const lessons::Lesson& lesson : lessons::lessonsIn(*ours))
        names.push_back(lesson.name);
    return fail(
        FaultKind::NotFound,
        Message(
            english("there is no lesson '{0}'{1} (lockstep lesson list has all of them; a lesson of your own "
                    "is given by its folder)"),
            word, didYouMean(word, names)));
}

Expected<int> check(const Arguments& arguments, Session& session) {
    std::vector<std::filesystem::path> folders;
    for (std::size_t i = 1; i < arguments.words.size(); ++i) {
        const Expected<std::filesystem::path> folder = folderOf(arguments.words[i], session);
        if (!folder) return Unexpected{folder.error()};
        folders.push_back(*folder);
    }
    if (folders.empty()) {
        const Expected<std::filesystem::path> ours = folderOfLessons(session);
        if (!ours) return Unexpected{ours.error()};
        for (const lessons::Lesson& lesson : lessons::lessonsIn(*ours))
            folders.push_back(lesson.folder);
    }
    Expected<lessons::LessonRuns> runs = runsOf(session);
    if (!runs) return Unexpected{runs.error()};
    std::size_t steps = 0;
    MistakeList mistakes(arguments.json, session.language());
    for (const std::filesystem::path& folder : folders) {
        const Expected<lessons::ReadLesson> read = lessons::readLesson(folder);
        if (!read) return Unexpected{read.error()};
        steps += read->lesson.steps.size();
        for (const Fault& fault : lessons::checkLesson(*read, *runs, viz::namesOfViews()))
            mistakes.add(fault);
    }
    return mistakes.finish(say(
        session.language(), english("{0} {0:lesson|lessons}, {1} {1:step|steps}, {2} {2:mistake|mistakes}"),
        folders.size(), steps, mistakes.count()));
}

// A page for each lesson, below a folder.
Expected<int> writeNotes(const Arguments& arguments, Session& session) {
    if (arguments.words.size() != 2)
        return fail(FaultKind::Usage, Message(english("give the folder that the pages go to: {0}"),
                                              "lockstep lesson notes FOLDER"));
    const Expected<std::filesystem::path> ours = folderOfLessons(session);
    if (!ours) return Unexpected{ours.error()};
    Expected<lessons::LessonRuns> runs = runsOf(session);
    if (!runs) return Unexpected{runs.error()};
    const std::filesystem::path folder = arguments.words[1];
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    for (const lessons::Lesson& lesson : lessons::lessonsIn(*ours)) {
        const Expected<std::string> notes = lessons::lessonNotes(lesson, *runs, session.language());
        if (!notes) return Unexpected{notes.error()};
        const std::filesystem::path file = folder / (lesson.name + ".md");
        if (const Expected<void> written = writeFile(file.string(), *notes); !written)
            return Unexpected{written.error()};
    }
    return kDone;
}

// A lesson to change: of the program's template, into a folder that is not there yet.
Expected<int> writeNew(const Arguments& arguments, Session& session) {
    if (arguments.words.size() != 2)
        return fail(FaultKind::Usage, Message(english("give the folder that the lesson goes to: {0}"),
                                              "lockstep lesson new FOLDER"));
    const std::filesystem::path folder = arguments.words[1];
    if (const Expected<void> written = writeTemplate(session, "lesson-template", folder); !written)
        return Unexpected{written.error()};
    printLine(session.language(), english("The lesson is in {0}; {1} opens it."), folder.string(),
              "lockstep lesson " + folder.string() + " --window");
    return kDone;
}

Expected<const lessons::LessonStep*> stepOf(const lessons::Lesson& lesson, const std::string& id) {
    if (lesson.steps.empty()) return fail(FaultKind::NotFound, english("the lesson has no step"));
    if (id.empty()) return &lesson.steps.front();
    if (const lessons::LessonStep* step = lesson.find(id)) return step;
    std::vector<std::string> ids;
    for (const lessons::LessonStep& step : lesson.steps)
        ids.push_back(step.id);
    return fail(FaultKind::NotFound, Message(english("the lesson has no step '{0}'{1}; it has {2}"), id,
                                             didYouMean(id, ids), fmt::format("{}", fmt::join(ids, ", "))));
}

Expected<int> study(const Arguments& arguments, Session& session) {
    const Expected<std::filesystem::path> folder = folderOf(arguments.words[0], session);
    if (!folder) return Unexpected{folder.error()};
    const Expected<lessons::ReadLesson> read = lessons::readLesson(*folder);
    if (!read) return Unexpected{read.error()};
    // The window says the mistakes, and shows what could be read.
    if (arguments.window)
        return openLessonWindow(folderOfLessons(session) && folder->parent_path() == *folderOfLessons(session)
                                    ? folder->filename().string()
                                    : folder->string(),
                                arguments.step, session);
    if (read->lesson.steps.empty() && !read->mistakes.empty()) return Unexpected{read->mistakes.front()};
    for (const Fault& mistake : read->mistakes)
        session.tell(describe(mistake, session.language()));
    Expected<lessons::LessonRuns> runs = runsOf(session);
    if (!runs) return Unexpected{runs.error()};
    const Expected<const lessons::LessonStep*> step = stepOf(read->lesson, arguments.step);
    if (!step) return Unexpected{step.error()};
    if (!arguments.hasAnswer && arguments.json.empty() && canAsk()) {
        const u64 seed =
            arguments.seed.value_or(u32(std::chrono::steady_clock::now().time_since_epoch().count()));
        return askInTerminal(read->lesson, read->lesson.indexOf(**step), *runs, seed, session.language());
    }
    const Expected<lessons::AskedStep> asked =
        lessons::AskedStep::ask(**step, *runs, arguments.seed.value_or(0));
    if (!asked) return Unexpected{inLesson(asked.error(), read->lesson, **step)};
    const std::optional<std::string> answer =
        arguments.hasAnswer ? std::optional(arguments.answer) : std::nullopt;
    if (arguments.json.empty()) return printStep(read->lesson, *asked, answer, session.language());
    const Expected<StepAsJson> json = stepJson(read->lesson, *asked, answer);
    if (!json) return Unexpected{inLesson(json.error(), read->lesson, **step)};
    if (const Expected<void> written = writeJson(json->json, arguments.json); !written)
        return Unexpected{written.error()};
    return json->status;
}

}  // namespace

Action addLesson(const Command& command, Session& session) {
    const auto arguments = std::make_shared<Arguments>();
    command
        .add("what", arguments->words,
             english(
                 "list, check [FOLDER ...], notes FOLDER (a page for each lesson, to give it in class), new "
                 "FOLDER (a lesson of your own to change), or a lesson: its name, or the folder of one of "
                 "your own"))
        .type("NAME|list|check|notes|new")
        .required();
    command.add("--step", arguments->step, english("step of the lesson (default its first)")).type("ID");
    command.add("--answer", arguments->answer, english("judge this answer to the step's question"))
        .type("TEXT")
        .whenGiven([arguments] { arguments->hasAnswer = true; });
    command
        .add("--seed", arguments->seed,
             english("other figures of the same question (default 0: the lesson's own)"))
        .takesWhole();
    command.add("--window", arguments->window, english("open the lesson in the window"));
    command.addJson(arguments->json,
                    english("write the step, or what is listed or found, as JSON to this file"));
    return [arguments, &session]() -> Expected<int> {
        if (arguments->words[0] == "list") return list(*arguments, session);
        if (arguments->words[0] == "check") return check(*arguments, session);
        if (arguments->words[0] == "notes") return writeNotes(*arguments, session);
        if (arguments->words[0] == "new") return writeNew(*arguments, session);
        if (arguments->words.size() > 1)
            return fail(FaultKind::Usage,
                        Message(english("'{0}' is one word too many; a step is chosen with --step"),
                                arguments->words[1]));
        return study(*arguments, session);
    };
}

}  // namespace lockstep::cli
