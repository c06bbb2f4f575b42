#include "app/state/lesson_update.h"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

namespace lockstep::app {
namespace {

using lessons::Outcome;

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
    // The first step that has not been dealt with; else the first of all.
    std::size_t whereLeft(const LessonEntry& entry) const {
        const auto isNew = [&](const lessons::LessonStep& step) {
            return !state.progress.of(entry.key, step.id);
        };
        const auto found = std::ranges::find_if(entry.lesson->steps, isNew);
        return found == entry.lesson->steps.end() ? 0 : std::size_t(found - entry.lesson->steps.begin());
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
        state.fault.reset();
        state.attempt = {};
        state.isUnderWay = false;
        state.ticket = ++tickets;
        return {.of = LessonWish::Of::Restore};
    }
    LessonWish operator()(const OpenLesson& a) {
        if (const LessonEntry* entry = state.find(a.name); entry && !entry->isOwn) {
            state.mistakes.clear();
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
        state.file = a.file;
        return {};
    }
    LessonWish operator()(const ExportLessonProgress&) {
        if (state.file.empty()) return {};
        return {.tasks = {WriteProgress{state.progress, state.file}}};
    }
    LessonWish operator()(const ImportLessonProgress& a) {
        const std::string& file = a.file.empty() ? state.file : a.file;
        if (file.empty()) return {};
        return {.tasks = {ReadProgress{file}}};
    }

    LessonWish operator()(const LessonsListed& a) {
        std::vector<LessonEntry> own;
        std::ranges::copy_if(state.all, std::back_inserter(own), &LessonEntry::isOwn);
        state.all = a.all;
        state.all.insert(state.all.end(), own.begin(), own.end());
        return {};
    }
    LessonWish operator()(const LessonOpened& a) {
        const auto known = std::ranges::find(state.all, a.entry.key, &LessonEntry::key);
        if (known == state.all.end())
            state.all.push_back(a.entry);
        else
            *known = a.entry;
        state.mistakes = a.mistakes;
        return begin(a.entry, a.step);
    }
    LessonWish operator()(const StepReady& a) {
        if (a.ticket != state.ticket || !state.isUnderWay) return {};
        state.isUnderWay = false;
        state.step = a.step;
        state.attempt.answer = lessons::emptyAnswer(a.step->step().question);
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
        return {};
    }
};

// Views of the whole run, and those that show the last access before the cursor where it has none, which a
// student would take for the one that is asked about.
constexpr std::array<std::string_view, 8> kCovered{"memory", "findings", "times", "occupancy",
                                                   "chart",  "read",     "banks", "sectors"};

}  // namespace

const LessonEntry* LessonState::find(std::string_view wanted) const {
    const auto found = std::ranges::find(all, wanted, &LessonEntry::key);
    return found == all.end() ? nullptr : &*found;
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

bool isCoveredInLesson(std::string_view view) { return std::ranges::find(kCovered, view) != kCovered.end(); }

Cursor placeOf(const lessons::StepOnShow& step, bool isSettled) {
    Cursor cursor = step.asked.on().cursor;
    if (!isSettled && cursor.step > 0) --cursor.step;
    return cursor;
}

LessonWish updateLesson(LessonState& state, const LessonAction& action, u64& tickets) {
    return std::visit(LessonUpdater{state, tickets}, action);
}

}  // namespace lockstep::app
