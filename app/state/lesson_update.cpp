#include "app/state/lesson_update.h"

#include "exercises/exercise.h"
#include "exercises/judge.h"
#include "viz/view.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <type_traits>
#include <utility>

namespace lockstep::app {
namespace {

using lessons::Outcome;

// In the progress.
constexpr std::string_view kChecked = "check";
constexpr std::string_view kExercise = "exercise/";
std::string keyOfExercise(std::string_view key) { return std::string(kExercise) + std::string(key); }

// The path behind `kind` in a key; empty: it has none.
std::string_view pathIn(std::string_view key, std::string_view kind) {
    if (!key.starts_with(kind)) return {};
    key.remove_prefix(kind.size());
    return key.starts_with('/') ? key : std::string_view();
}

// The name of the folder of a user's lesson, also of an earlier key; empty: it is none.
std::string nameIn(std::string_view key) {
    if (!key.starts_with(kOwnLesson)) return {};
    return std::filesystem::path(key.substr(kOwnLesson.size())).filename().string();
}

bool isThere(std::string_view path) {
    std::error_code ignored;
    return std::filesystem::is_directory(path, ignored);
}

// Whether the lesson has all steps that something is known of under this key.
bool hasItsSteps(const LessonEntry& entry, std::string_view key, const lessons::Progress& progress) {
    const std::vector<std::string> steps = progress.stepsOf(key);
    const auto* visit = progress.lastVisit(key);
    return (!visit || entry.lesson->find(visit->step)) &&
           std::ranges::all_of(steps, [&](const std::string& step) { return entry.lesson->find(step); });
}

// A lesson that nothing is known of has what is known of the folder of its name, if that one is not there: it
// was moved, or this is another computer. So has the first lesson of this name what earlier files say.
void takeOver(const LessonEntry& entry, lessons::Progress& progress) {
    const std::vector<std::string> keys = progress.lessons();
    if (std::ranges::find(keys, entry.key) != keys.end()) return;
    for (const std::string& key : keys)
        if (nameIn(key) == entry.lesson->name && isThere(pathIn(key, kOwnLesson))) return;
    for (const std::string& key : keys)
        if (nameIn(key) == entry.lesson->name && hasItsSteps(entry, key, progress))
            progress.copy(key, entry.key);
}

// Another lesson has all that is known of the one that was there.
bool isTakenOver(const LostFolder& lost, const LessonState& state) {
    const std::string key = std::string(kOwnLesson) + lost.path;
    return std::ranges::any_of(state.all, [&](const LessonEntry& entry) {
        return entry.isOwn && entry.key != key && entry.lesson->name == nameIn(key) &&
               std::ranges::all_of(state.progress.stepsOf(key), [&](const std::string& step) {
                   return state.progress.of(entry.key, step).has_value();
               });
    });
}

struct LessonUpdater {
    LessonState& state;
    u64& tickets;

    LessonWish prepare(std::size_t number, u64 seed, std::shared_ptr<const lessons::StepOnShow> other = {}) {
        const LessonEntry* entry = state.current();
        if (!entry || number >= entry->lesson->steps.size()) return {};
        state.number = number;
        state.fault.reset();
        state.attempt = {};
        state.ticket = ++tickets;
        state.isUnderWay = true;
        if (!other) state.step.reset();
        return {.tasks = {PrepareStep{state.ticket, entry->lesson, number, seed, std::move(other)}}};
    }
    // The next step that has not been dealt with; else the first of all.
    std::size_t whereLeft(const LessonEntry& entry) const {
        const NextStep next = nextStepOf(entry, state.progress);
        return next.step ? entry.lesson->indexOf(*next.step) : 0;
    }
    LessonWish begin(const LessonEntry& entry, const std::string& id) {
        const lessons::LessonStep* step = entry.lesson->find(id);
        const std::size_t number = step ? entry.lesson->indexOf(*step) : whereLeft(entry);
        state.open = true;
        state.key = entry.key;
        state.step.reset();
        return prepare(number, 0);
    }
    void note(Outcome outcome) { state.progress.add(state.key, state.step->step().id, outcome); }
    LessonWish settle(Outcome outcome) {
        note(outcome);
        return {.of = LessonWish::Of::Moment};
    }

    LessonWish operator()(const ShowLessons& a) {
        if (a.open == state.open) return {};
        state.open = a.open;
        if (a.open) return state.step ? LessonWish{.of = LessonWish::Of::Place} : LessonWish{};
        return {.of = LessonWish::Of::Restore};
    }
    LessonWish operator()(const ListLessons&) {
        state.key.clear();
        state.step.reset();
        state.mistakes.clear();
        state.checkTicket = 0;
        state.fault.reset();
        state.attempt = {};
        state.isUnderWay = false;
        state.ticket = ++tickets;
        return {.of = LessonWish::Of::Restore};
    }
    LessonWish operator()(const OpenLesson& a) {
        if (const LessonEntry* entry = state.find(a.name); entry && !entry->isOwn) {
            state.mistakes.clear();
            state.checkTicket = 0;
            return begin(*entry, a.step);
        }
        const LessonEntry* own = state.find(a.name);
        return {.tasks = {ReadLessonFolder{own ? own->lesson->folder.string() : a.name, a.step}}};
    }
    LessonWish operator()(const GoToStep& a) { return prepare(a.number, 0); }
    LessonWish operator()(const MakeAnswer& a) {
        if (!state.step || state.isSettled()) return {};
        if (a.text != state.attempt.answer && state.attempt.reply) state.attempt.reply.reset();
        state.attempt.answer = a.text;
        return {};
    }
    LessonWish operator()(const CheckAnswer&) {
        if (!state.step || !state.step->asks() || state.isSettled() || state.attempt.isJudged) return {};
        state.attempt.isJudged = true;
        state.ticket = ++tickets;
        return {.tasks = {JudgeAnswer{state.ticket, state.step,
                                      lessons::finished(state.step->input(), state.attempt.answer)}}};
    }
    LessonWish operator()(const TakeHint&) {
        if (state.step && !state.isSettled()) state.attempt.hinted = true;
        return {};
    }
    LessonWish operator()(const TryAgain&) {
        if (!state.step) return {};
        return prepare(state.number, state.step->seed + 1, state.step);
    }
    LessonWish operator()(const ShowAnswer&) {
        if (!state.step || state.isSettled()) return {};
        state.attempt.shown = true;
        return settle(Outcome::Shown);
    }
    LessonWish operator()(const BackToPlace&) {
        return state.step ? LessonWish{.of = LessonWish::Of::Place} : LessonWish{};
    }
    LessonWish operator()(const TypeLessonPath& a) {
        state.folder = a.folder;
        state.exerciseFolder = a.exerciseFolder;
        if (state.file != a.file) state.asksToReplace.clear();
        state.file = a.file;
        return {};
    }
    LessonWish operator()(const ExportLessonProgress&) {
        if (state.file.empty()) return {};
        const bool mayReplace = state.file == state.exported || state.file == state.asksToReplace;
        return {.tasks = {WriteProgress{state.progress, state.file, mayReplace}}};
    }
    LessonWish operator()(const ProgressExported& a) {
        state.exported = a.file;
        state.asksToReplace.clear();
        return {};
    }
    LessonWish operator()(const AskToReplaceProgress& a) {
        if (a.file == state.file) state.asksToReplace = a.file;
        return {};
    }
    LessonWish operator()(const ImportLessonProgress& a) {
        const std::string& file = a.file.empty() ? state.file : a.file;
        if (file.empty()) return {};
        return {.tasks = {ReadProgress{file}}};
    }

    LessonWish operator()(const OpenExercise& a) {
        const bool closes = state.exercise.key == a.key;
        state.exercise = {.key = closes ? std::string() : a.key, .file = state.exercise.file};
        return {};
    }
    LessonWish operator()(const TypeExerciseFile& a) {
        state.exercise.file = a.file;
        return {};
    }
    std::shared_ptr<const exercises::Exercise> openExercise() const {
        const auto found = std::ranges::find_if(
            state.exercises, [&](const auto& one) { return one.key == state.exercise.key; });
        return found == state.exercises.end() ? nullptr : found->exercise;
    }
    LessonWish operator()(const BeginExercise&) {
        const auto exercise = openExercise();
        if (!exercise || state.exercise.file.empty()) return {};
        return {.tasks = {WriteStart{exercise, state.exercise.file}}};
    }
    LessonWish operator()(const CheckExercise&) {
        const auto exercise = openExercise();
        if (!exercise || state.exercise.file.empty() || state.exercise.ticket != 0) return {};
        state.exercise.ticket = ++tickets;
        return {.tasks = {JudgeExercise{state.exercise.ticket, exercise, state.exercise.file}}};
    }
    LessonWish operator()(const ExerciseChecked& a) {
        ExerciseAttempt& exercise = state.exercise;
        if (a.ticket != exercise.ticket) return {};
        exercise.ticket = 0;
        if (!a.verdict || a.verdict->compiles())
            exercise.earlier.reset();
        else if (exercise.verdict && exercise.verdict->compiles())
            exercise.earlier = exercise.verdict;
        exercise.verdict = a.verdict;
        exercise.fault = a.fault;
        if (a.verdict)
            state.progress.add(keyOfExercise(exercise.key), kChecked,
                               a.verdict->passed() ? Outcome::FirstTry : Outcome::Seen);
        return {};
    }

    LessonWish operator()(const LessonsListed& a) {
        std::erase_if(state.exercises, [](const ExerciseEntry& entry) { return !entry.isOwn; });
        state.exercises.insert(state.exercises.begin(), a.exercises.begin(), a.exercises.end());
        std::erase_if(state.all, [](const LessonEntry& entry) { return !entry.isOwn; });
        state.all.insert(state.all.begin(), a.all.begin(), a.all.end());
        return findOwn();
    }
    // What the progress knows of and the lists do not have yet.
    LessonWish findOwn() const {
        FindOwn wanted;
        for (const std::string& key : state.progress.lessons()) {
            if (const auto path = pathIn(key, kOwnLesson); !path.empty() && !state.find(key))
                wanted.lessons.emplace_back(path);
            const std::string_view path = pathIn(key, kExercise);
            if (!path.empty() &&
                std::ranges::find(state.exercises, path, &ExerciseEntry::key) == state.exercises.end())
                wanted.exercises.emplace_back(path);
        }
        if (wanted.lessons.empty() && wanted.exercises.empty()) return {};
        return {.tasks = {std::move(wanted)}};
    }
    LessonWish operator()(const OwnFound& a) {
        for (const LessonEntry& entry : a.lessons)
            if (!state.find(entry.key)) state.all.push_back(entry);
        for (const ExerciseEntry& entry : a.exercises)
            if (std::ranges::find(state.exercises, entry.key, &ExerciseEntry::key) == state.exercises.end())
                state.exercises.push_back(entry);
        state.lost = a.lost;
        std::erase_if(state.lost, [&](const LostFolder& lost) { return isTakenOver(lost, state); });
        return {};
    }
    LessonWish operator()(const OpenExerciseFolder& a) {
        if (a.folder.empty()) return {};
        return {.tasks = {ReadExerciseFolder{a.folder}}};
    }
    LessonWish operator()(const ExerciseOpened& a) {
        LessonWish wish;
        if (!state.key.empty()) wish = (*this)(ListLessons{});
        state.open = true;
        const auto known = std::ranges::find(state.exercises, a.entry.key, &ExerciseEntry::key);
        if (known == state.exercises.end())
            state.exercises.push_back(a.entry);
        else
            *known = a.entry;
        if (state.exercise.key != a.entry.key)
            state.exercise = {.key = a.entry.key, .file = state.exercise.file};
        isFound(a.entry.key);
        if (a.entry.isOwn && !a.time.empty())
            state.progress.visitNow(keyOfExercise(a.entry.key), kChecked, a.time);
        return wish;
    }
    void isFound(std::string_view path) {
        std::erase_if(state.lost, [&](const LostFolder& lost) {
            return lost.path == path || (!lost.isExercise && isTakenOver(lost, state));
        });
    }
    LessonWish operator()(const LessonOpened& a) {
        const auto known = std::ranges::find(state.all, a.entry.key, &LessonEntry::key);
        if (known == state.all.end())
            state.all.push_back(a.entry);
        else
            *known = a.entry;
        if (a.entry.isOwn) {
            takeOver(a.entry, state.progress);
            isFound(pathIn(a.entry.key, kOwnLesson));
        }
        state.mistakes = a.mistakes;
        LessonWish wish = begin(a.entry, a.step);
        state.checkTicket = a.entry.isOwn ? ++tickets : 0;
        if (a.entry.isOwn)
            wish.tasks.push_back(CheckLesson{state.checkTicket, a.entry.lesson->folder.string()});
        return wish;
    }
    LessonWish operator()(const LessonChecked& a) {
        if (a.ticket != state.checkTicket) return {};
        state.checkTicket = 0;
        state.mistakes = a.mistakes;
        return {};
    }
    LessonWish operator()(const StepReady& a) {
        if (a.ticket != state.ticket || !state.isUnderWay) return {};
        state.isUnderWay = false;
        state.step = a.step;
        state.attempt.answer = lessons::emptyAnswer(a.step->step().question);
        if (!a.time.empty()) state.progress.visitNow(state.key, a.step->step().id, a.time);
        if (!a.step->asks()) note(Outcome::Seen);
        return {.of = state.open ? LessonWish::Of::Place : LessonWish::Of::Nothing};
    }
    LessonWish operator()(const StepFailed& a) {
        if (a.ticket != state.ticket || !state.isUnderWay) return {};
        state.isUnderWay = false;
        state.step.reset();
        state.fault = a.fault;
        return {};
    }
    LessonWish operator()(const AnswerJudged& a) {
        Attempt& attempt = state.attempt;
        if (a.ticket != state.ticket || !attempt.isJudged) return {};
        attempt.isJudged = false;
        attempt.reply = a.reply;
        attempt.fault = a.fault;
        if (!a.reply) return {};
        if (a.reply->verdict == lessons::Verdict::Wrong) ++attempt.wrong;
        if (!attempt.isRight()) return {};
        return settle(attempt.hinted      ? Outcome::AfterHint
                      : attempt.wrong > 0 ? Outcome::LaterTry
                                          : Outcome::FirstTry);
    }
    LessonWish operator()(const ProgressRead& a) {
        state.progress.add(a.progress);
        state.leftOut = a.leftOut;
        return findOwn();
    }
};

// Views of the whole run, or of what its record does not have: times, rules, other runs.
constexpr std::array<std::string_view, 7> kSummingUp{"memory",  "findings", "times", "occupancy",
                                                     "compare", "read",     "chart"};

}  // namespace

const LessonEntry* LessonState::find(std::string_view wanted) const {
    const auto found = std::ranges::find(all, wanted, &LessonEntry::key);
    return found == all.end() ? nullptr : &*found;
}

const LessonEntry* LessonState::behind() const {
    const LessonEntry* const entry = current();
    return entry && entry != &all.back() && !entry->isOwn && !entry[1].isOwn ? entry + 1 : nullptr;
}

// Of one's own lesson a header may have a mistake that leaves nothing to show.
static bool canBeShown(const lessons::LessonStep& step) {
    return !step.hasMistake || !step.place.kernel.empty();
}

NextStep nextStepOf(const LessonEntry& entry, const lessons::Progress& progress) {
    const auto& steps = entry.lesson->steps;
    const auto isNext = [&](const lessons::LessonStep& step) {
        return canBeShown(step) && !progress.of(entry.key, step.id);
    };
    // From the step on where it was left; then those that were left out before.
    const auto* visit = progress.lastVisit(entry.key);
    const auto left = visit ? std::ranges::find(steps, visit->step, &lessons::LessonStep::id) : steps.end();
    auto found = std::find_if(left, steps.end(), isNext);
    if (found == steps.end()) found = std::ranges::find_if(steps, isNext);
    return found == steps.end() ? NextStep{} : NextStep{&entry, &*found};
}

NextStep nextStepOf(const LessonState& state) {
    NextStep next;
    std::string_view latest;
    for (const LessonEntry& entry : state.all) {
        const NextStep ofEntry = nextStepOf(entry, state.progress);
        if (!ofEntry.step) continue;
        const auto* visit = state.progress.lastVisit(entry.key);
        const std::string_view time = visit ? std::string_view(visit->time) : std::string_view();
        if (!next.step || time > latest) next = ofEntry, latest = time;
    }
    return next;
}

ExerciseState stateOf(const ExerciseEntry& entry, const lessons::Progress& progress) {
    const std::optional<Outcome> outcome = progress.of(keyOfExercise(entry.key), kChecked);
    if (!outcome) return ExerciseState::New;
    return *outcome == Outcome::Seen ? ExerciseState::Tried : ExerciseState::Passed;
}

LessonCounts countsOf(const LessonEntry& entry, const lessons::Progress& progress) {
    LessonCounts counts{.steps = entry.lesson->steps.size()};
    for (const lessons::LessonStep& step : entry.lesson->steps) {
        const std::optional<Outcome> outcome = progress.of(entry.key, step.id);
        if (!outcome) continue;
        ++counts.done;
        counts.first += *outcome == Outcome::FirstTry;
        counts.later += *outcome == Outcome::LaterTry;
        counts.helped += *outcome == Outcome::AfterHint;
        counts.shown += *outcome == Outcome::Shown;
    }
    return counts;
}

bool isCoveredInLesson(std::string_view view) {
    const viz::ViewRow* row = viz::findView(view);
    if (!row) return false;
    return row->accessesOf || row->modeled != viz::Modeled::None || row->followsOrders ||
           std::ranges::find(kSummingUp, view) != kSummingUp.end();
}

Cursor placeOf(const lessons::StepOnShow& step, bool isSettled) {
    Cursor cursor = step.picture(isSettled).cursor;
    if (isSettled) return cursor;
    if (step.asks() && step.hidden.step < cursor.step) cursor.lane = Lane{0};  // else the lowest active one
    if (step.asks()) cursor.step = step.hidden.step;
    if (cursor.step > 0) --cursor.step;
    // Views mark the elements of the cursor's lane: those of the lane that is asked about are not told.
    if (step.input() == lessons::AnswerInput::Cell)
        for (const Lane other : step.asked.on().active())
            if (other != step.asked.on().cursor.lane) {
                cursor.lane = other;
                break;
            }
    return cursor;
}

LessonWish updateLesson(LessonState& state, const LessonAction& action, u64& tickets) {
    return std::visit(LessonUpdater{state, tickets}, action);
}

}  // namespace lockstep::app
