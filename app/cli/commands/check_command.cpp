// lockstep check: judges students' files by the rules of an exercise, shows its task, and writes the kernel
// to begin with.
#include "app/cli/commands/commands.h"
#include "app/cli/commands/template_folder.h"
#include "app/cli/json/check_json.h"
#include "app/cli/pages/check_page.h"
#include "app/cli/terminal/interrupt.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/progress_line.h"
#include "base/files/text_file.h"
#include "base/nearest.h"
#include "exercises/exercise.h"
#include "exercises/judge.h"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <random>
#include <thread>

namespace lockstep::cli {
namespace {

// --start was not given; without a file it is empty.
constexpr const char* kNoStart = "\n";
constexpr auto kLookAgain = std::chrono::milliseconds(200);  // --watch

struct Arguments {
    std::string exercise, json, junit, start = kNoStart;
    std::vector<std::string> files;
    std::optional<u32> seed;
    u32 threads = 0;
    f64 limitSeconds = 20;
    bool lists = false, listsRules = false, watches = false, isNew = false;
};

std::filesystem::path ownExercises(const run::Resources& resources) {
    return resources.assets() / "exercises";
}

// Of the program, or of a teacher's folder.
Expected<exercises::Shelf> shelfOf(const Arguments& arguments, Session& session) {
    if (!arguments.exercise.empty()) {
        std::error_code ignored;
        if (!std::filesystem::is_directory(arguments.exercise, ignored))
            return fail(FaultKind::NotFound, english("is no folder with exercises"),
                        {.file = arguments.exercise});
        return exercises::readShelf(arguments.exercise);
    }
    const Expected<const run::Resources*> resources = session.resources();
    if (!resources) return Unexpected{resources.error()};
    return exercises::readShelf(ownExercises(**resources));
}

// By its name, or by a folder of the user.
Expected<exercises::Exercise> exerciseOf(const std::string& word, Session& session) {
    std::error_code ignored;
    if (exercises::isExercise(word) || word.find('/') != std::string::npos)
        return exercises::readExercise(std::filesystem::path(word).lexically_normal().has_filename()
                                           ? std::filesystem::path(word)
                                           : std::filesystem::path(word).parent_path());
    const Expected<const run::Resources*> resources = session.resources();
    if (!resources) return Unexpected{resources.error()};
    const std::filesystem::path folder = ownExercises(**resources) / word;
    if (exercises::isExercise(folder)) return exercises::readExercise(folder);
    std::vector<std::string> names;
    for (const exercises::Exercise& one : exercises::readShelf(ownExercises(**resources)).exercises)
        names.push_back(one.name);
    return fail(FaultKind::NotFound,
                Message(english("there is no exercise '{0}'{1} (lockstep check --list shows them; one of "
                                "your own is a folder with an exercise.toml)"),
                        word, didYouMean(word, names)));
}

Expected<int> list(const Arguments& arguments, Session& session) {
    const Expected<exercises::Shelf> shelf = shelfOf(arguments, session);
    if (!shelf) return Unexpected{shelf.error()};
    if (!arguments.json.empty())
        if (const Expected<void> written = writeJson(exercisesJson(*shelf), arguments.json); !written)
            return Unexpected{written.error()};
    if (arguments.json != "-") printExercises(*shelf, session.language());
    std::vector<Fault> mistakes = shelf->mistakes;
    if (!arguments.exercise.empty())  // the program's own are tested
        for (const exercises::Exercise& exercise : shelf->exercises)
            if (const Expected<void> checked = exercises::checkExercise(exercise); !checked)
                mistakes.push_back(checked.error());
    for (const Fault& mistake : mistakes)
        session.tell(describe(mistake, session.language()));
    return mistakes.empty() ? kDone : kUsageError;
}

Expected<int> start(const exercises::Exercise& exercise, const Arguments& arguments) {
    const Expected<std::string> text =
        readTextFile(exercise.startFile(), english("exercise.toml names it as the kernel to begin with"));
    if (!text) return Unexpected{text.error()};
    std::error_code ignored;
    if (!arguments.start.empty() && std::filesystem::exists(arguments.start, ignored))
        return fail(FaultKind::Usage, english("is there already; name a new file, or delete this one"),
                    {.file = arguments.start});
    if (const Expected<void> written = writeText(*text, arguments.start.empty() ? "-" : arguments.start);
        !written)
        return Unexpected{written.error()};
    return kDone;
}

u64 seedOf(const Arguments& arguments) { return arguments.seed ? *arguments.seed : std::random_device{}(); }

// Judges the files one after another.
Expected<Grading> grade(const exercises::Exercise& exercise, const Arguments& arguments, Session& session,
                        Progress& progress) {
    Grading grading{.exercise = exercise, .seed = seedOf(arguments), .verdicts = {}};
    for (std::size_t i = 0; i < arguments.files.size(); ++i) {
        const std::string& file = arguments.files[i];
        const ProgressLine line(
            session.language(),
            say(session.language(), english("{0} of {1}: judging {2}"), i + 1, arguments.files.size(), file));
        Expected<exercises::Verdict> verdict = exercises::judge(exercise, file,
                                                                {.seed = grading.seed,
                                                                 .limitSeconds = arguments.limitSeconds,
                                                                 .threads = arguments.threads,
                                                                 .progress = &progress});
        if (!verdict) return Unexpected{verdict.error()};
        grading.verdicts.push_back(std::move(*verdict));
    }
    return grading;
}

Expected<void> write(const Grading& grading, const Arguments& arguments, Language language) {
    if (!arguments.json.empty())
        if (Expected<void> written = writeJson(checkJson(grading), arguments.json); !written) return written;
    if (!arguments.junit.empty())
        if (Expected<void> written = writeText(checkJunit(grading), arguments.junit); !written)
            return written;
    if (arguments.json != "-" && arguments.junit != "-") printGrading(grading, language);
    return {};
}

// Until Ctrl+C: judges the file again whenever it is saved.
Expected<int> watch(const exercises::Exercise& exercise, const Arguments& arguments, Session& session,
                    Progress& progress) {
    using Time = std::filesystem::file_time_type;
    std::optional<Time> judged;
    int status = kDone;
    while (!progress.cancelled) {
        std::error_code missing;  // some editors delete a file before they write it again
        const Time saved = std::filesystem::last_write_time(arguments.files.front(), missing);
        if (missing || saved == judged) {
            std::this_thread::sleep_for(kLookAgain);
            continue;
        }
        judged = saved;
        const Expected<Grading> grading = grade(exercise, arguments, session, progress);
        if (!grading && grading.error().kind == FaultKind::Cancelled) break;
        if (!grading) return Unexpected{grading.error()};
        if (const Expected<void> written = write(*grading, arguments, session.language()); !written)
            return Unexpected{written.error()};
        std::fflush(stdout);
        status = grading->passed() == 1 ? kDone : kKernelIsWrong;
    }
    return status;
}

// An exercise to change: of the program's template, into a folder that is not there yet.
Expected<int> writeNew(const Arguments& arguments, Session& session) {
    if (arguments.exercise.empty() || !arguments.files.empty())
        return fail(FaultKind::Usage, Message(english("give the folder that the exercise goes to: {0}"),
                                              "lockstep check --new FOLDER"));
    const std::filesystem::path folder = arguments.exercise;
    if (const Expected<void> written = writeTemplate(session, "exercise-template", folder); !written)
        return Unexpected{written.error()};
    printLine(session.language(), english("The exercise is in {0}; {1} judges its kernel to begin with."),
              folder.string(), "lockstep check " + folder.string() + " " + (folder / "start.cu").string());
    return kDone;
}

Expected<int> execute(const Arguments& arguments, Session& session) {
    if (arguments.listsRules) {
        printQuantities(session.language());
        return kDone;
    }
    if (arguments.lists) return list(arguments, session);
    if (arguments.isNew) return writeNew(arguments, session);
    if (arguments.exercise.empty())
        return fail(FaultKind::Usage, english("say which exercise (lockstep check --list shows them) and "
                                              "which files: lockstep check transpose my.cu"));
    const Expected<exercises::Exercise> exercise = exerciseOf(arguments.exercise, session);
    if (!exercise) return Unexpected{exercise.error()};
    if (arguments.start != kNoStart) return start(*exercise, arguments);
    if (arguments.files.empty()) {
        printTask(*exercise, session.language());
        return kDone;
    }
    if (arguments.json == "-" && arguments.junit == "-")
        return fail(FaultKind::Usage, english("--json and --junit cannot both write to standard output"));
    if (arguments.watches && arguments.files.size() > 1)
        return fail(FaultKind::Usage, english("--watch takes one file"));
    for (const std::string& file : {arguments.json, arguments.junit})
        if (!file.empty() && file != "-")
            if (const Expected<void> place = canBeWritten(file); !place) return Unexpected{place.error()};
    Progress progress;
    const InterruptCancels interrupt(progress, {SIGINT});
    if (arguments.watches) return watch(*exercise, arguments, session, progress);
    const Expected<Grading> grading = grade(*exercise, arguments, session, progress);
    if (!grading) return Unexpected{grading.error()};
    if (const Expected<void> written = write(*grading, arguments, session.language()); !written)
        return Unexpected{written.error()};
    return grading->passed() == grading->verdicts.size() ? kDone : kKernelIsWrong;
}

}  // namespace

Action addCheck(const Command& command, Session& session) {
    const auto arguments = std::make_shared<Arguments>();
    command
        .add("exercise", arguments->exercise,
             english("an exercise by name, or a folder with an exercise.toml"))
        .type("");
    command.add("files", arguments->files, english("files to judge: FILE.cu ...")).type("").repeatable();
    command.add("--list", arguments->lists, english("list the exercises, of the program or of a folder"));
    command.add("--rules", arguments->listsRules, english("list the quantities that rules can speak of"));
    command.add("--new", arguments->isNew,
                english("write an exercise to change, with its kernel to begin with, to this new folder"));
    command
        .add("--start", arguments->start,
             english("write the kernel to begin with to this file, or to standard output"))
        .type("[FILE]")
        .mayHaveNoValue();
    command.add("--watch", arguments->watches, english("judge the file again whenever it is saved"));
    command.addJson(arguments->json, english("write the verdicts as JSON to this file"));
    command
        .add("--junit", arguments->junit,
             english("write the verdicts as JUnit XML to this file (- for standard output)"))
        .type("FILE");
    command
        .add("--time-limit", arguments->limitSeconds, english("seconds for each file, after which it fails"))
        .takesSeconds()
        .showsDefault();
    command.add("--seed", arguments->seed, english("seed of the random data (default: a new one each time)"))
        .takesWhole();
    command.add("--threads", arguments->threads, english("threads of this machine to use (0: all)"))
        .takesWhole(0, 1024);
    return [arguments, &session] { return execute(*arguments, session); };
}

}  // namespace lockstep::cli
