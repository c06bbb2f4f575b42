#include "lessons/step_on_show.h"

#include "base/device_addresses.h"
#include "explain/access/warp_steps.h"
#include "explain/source/source_line.h"
#include "lessons/divergence_quantities.h"
#include "lessons/kinds.h"
#include "lessons/run_before.h"
#include "model/access/global_sectors.h"

#include <algorithm>

namespace lockstep::lessons {
namespace {

constexpr u64 kMostSeedsTried = 8;

Fault inFile(Fault fault, const Lesson& lesson, const LessonStep& step) {
    if (fault.place.file.empty())
        fault.place = {lesson.mainFile(), fault.place.line ? fault.place.line : step.place.fileLine, 0};
    return fault;
}

bool isSame(const Place& a, const Place& b) {
    return a.settings == b.settings && a.lane == b.lane && a.warp == b.warp && a.time == b.time;
}

std::string drawnText(const AskedStep& asked, Language language) {
    const Place& place = asked.place();
    std::vector<Message> all;
    for (const Varied& varied : asked.step().varied) {
        if (varied.name == "lane" && place.lane)
            all.push_back(Message(english("lane {0}"), *place.lane));
        else if (varied.name == "warp")
            all.push_back(Message(english("warp {0}"), place.warp));
        else if (const auto found = std::ranges::find(place.settings, varied.name,
                                                      &std::pair<std::string, std::string>::first);
                 found != place.settings.end())
            all.push_back(Message::plain(found->first + " = " + found->second));
    }
    return all.empty() ? std::string() : listed(all).in(language);
}

Expected<StepWords> wordsOf(const AskedStep& asked, Language language) {
    const StepText& text = asked.step().text(language);
    StepWords words{.title = text.plainTitle(),
                    .body = {},
                    .hint = {},
                    .reveal = {},
                    .notes = {},
                    .howToAnswer = {},
                    .drawn = drawnText(asked, language),
                    .after = placeName(asked, asked.question().then, {}).in(language)};
    const std::pair<std::string StepWords::*, const std::string*> parts[] = {
        {&StepWords::body, &text.body},
        {&StepWords::hint, &text.hint},
        {&StepWords::reveal, &text.reveal},
        {&StepWords::notes, &text.notes}};
    for (const auto& [to, from] : parts) {
        Expected<std::string> filled = asked.filled(*from, language);
        if (!filled) return Unexpected{filled.error()};
        words.*to = std::move(*filled);
    }
    for (const auto& [name, said] : text.choices) {
        Expected<std::string> filled = asked.filled(said, language);
        if (!filled) return Unexpected{filled.error()};
        words.meanings[name] = std::move(*filled);
    }
    for (const std::string& change : asked.question().changes)
        if (const AskedStep::Named named = asked.named(change); named.quantity)
            words.meanings[change] = say(language, named.quantity->meaning);
    if (const QuestionKind* kind = findQuestionKind(asked.question().kind))
        words.howToAnswer = say(language, kind->howToAnswer);
    return words;
}

LaneMask lanesToChooseFrom(const AskedStep& asked) {
    const PlaceOnShow& on = asked.on();
    if (inputOf(asked.question().kind) != AnswerInput::Groups)
        return LaneMask::firstLanes(explain::lanesOf(*on.here.block, on.cursor.warp));
    const std::optional<explain::Parting> parting =
        asked.question().kind == "paths" ? partingAt(on) : std::nullopt;
    if (!parting) return on.active();
    LaneMask lanes;
    for (const LaneMask path : parting->groups)
        lanes = lanes | path;
    return lanes;
}

// Of the array of global memory that the lanes access; 0: they access none.
s64 sectorsToChooseFrom(const PlaceOnShow& on) {
    if (!on.access || on.access->space != trace::Space::Global || on.access->active.empty()) return 0;
    const std::vector<Buffer>& buffers = on.run->recording.initial;
    const std::optional<u32> buffer = bufferOfAddress(on.access->addresses[on.access->active.lowest().value]);
    if (!buffer || *buffer >= buffers.size()) return 0;
    return s64((buffers[*buffer].bytes.size() + model::kSectorBytes - 1) / model::kSectorBytes);
}

// From the line of the kernel's first instruction to that of its last; comments before and behind are left
// out, those in between are dots.
std::vector<CodeLine> codeOf(const PlaceOnShow& on) {
    const ptx::Module& module = *on.run->module;
    std::optional<explain::SourceLine> first, last;
    for (u32 pc = 0; pc < module.instructions.size(); ++pc) {
        const explain::SourceLine line = explain::lineOf(module, Pc{pc});
        if (line.line == 0 || (first && line.file != first->file)) continue;
        if (!first || line.line < first->line) first = line;
        if (!last || line.line > last->line) last = line;
    }
    std::vector<CodeLine> code;
    for (u32 number = first ? first->line : 1; last && number <= last->line; ++number) {
        explain::SourceLine line = *first;
        line.line = number;
        code.push_back({number, withoutComments(explain::textOfLine(module, line))});
    }
    return code;
}

Expected<Picture> pictureOf(const Place& place, const PlaceOnShow& on, LessonRuns& runs) {
    Expected<catalog::Values> values = runs.valuesOf(place);
    if (!values) return Unexpected{values.error()};
    Picture picture{.family = {},
                    .variant = {},
                    .values = std::move(*values),
                    .view = place.view,
                    .profile = place.profile,
                    .run = on.run,
                    .cursor = on.cursor};
    if (place.own) {
        Expected<OwnExperiment> own = runs.ownOf(place);
        if (!own) return Unexpected{own.error()};
        picture.own = std::move(*own);
        return picture;
    }
    const auto found = runs.catalog().lookUp(place.kernel);
    if (!found) return Unexpected{found.error()};
    picture.family = found->first->name;
    picture.variant = found->second->name;
    return picture;
}

Expected<void> addPictures(StepOnShow& step, LessonRuns& runs) {
    Expected<Picture> asksAbout = pictureOf(step.asked.place(), step.asked.on(), runs);
    if (!asksAbout) return Unexpected{asksAbout.error()};
    step.asksAbout = std::move(*asksAbout);
    const std::string& then = step.asked.question().then;
    if (!step.asked.other(then)) return {};
    Expected<Picture> after = pictureOf(*step.asked.otherPlace(then), *step.asked.other(then), runs);
    if (!after) return Unexpected{after.error()};
    step.after = std::move(*after);
    return {};
}

// Expressions whose value is the answer, of quantities of the step's own place.
std::vector<std::string> decisiveIn(const Question& question) {
    std::vector<std::string> all = question.changes;
    if (!question.answer.empty()) all.push_back(question.answer);
    for (const Option& option : question.options)
        all.push_back(option.expression);
    return all;
}

// The place, which is asked about; or where the lanes part whose activity there is.
Cursor firstHidden(const AskedStep& asked) {
    const PlaceOnShow& on = asked.on();
    const auto isOfActivity = [](const AskedStep::Named& named) {
        return named.other.empty() && named.quantity->isOfActivity;
    };
    for (const std::string& expression : decisiveIn(asked.question()))
        if (std::ranges::any_of(asked.quantitiesIn(expression), isOfActivity))
            return whereLanesPart(*on.run, on.cursor);
    return on.cursor;
}

}  // namespace

const std::string& StepWords::meaningOf(const std::string& name) const {
    const auto found = meanings.find(name);
    return found == meanings.end() ? name : found->second;
}

Expected<std::shared_ptr<const StepOnShow>> showStep(std::shared_ptr<const Lesson> lesson, std::size_t number,
                                                     LessonRuns& runs, u64 seed, const StepOnShow* other) {
    if (number >= lesson->steps.size())
        return fail(FaultKind::NotFound, english("the lesson has no such step"));
    const LessonStep& step = lesson->steps[number];
    const auto out = std::make_shared<StepOnShow>();
    for (u64 tried = 0; tried < kMostSeedsTried; ++tried, ++seed) {
        Expected<AskedStep> asked = AskedStep::ask(step, runs, seed);
        if (!asked) return Unexpected{inFile(asked.error(), *lesson, step)};
        out->asked = std::move(*asked);
        out->seed = seed;
        if (!other || !isSame(out->asked.place(), other->asked.place())) break;
    }
    if (const Expected<void> named = addPictures(*out, runs); !named)
        return Unexpected{inFile(named.error(), *lesson, step)};
    for (const LanguageRow& language : languages()) {
        Expected<StepWords> words = wordsOf(out->asked, language.id);
        if (!words) return Unexpected{inFile(words.error(), *lesson, step)};
        out->words[language.id] = std::move(*words);
    }
    if (!step.question.kind.empty()) {
        Expected<std::string> answer = rightAnswer(out->asked);
        if (!answer) return Unexpected{inFile(answer.error(), *lesson, step)};
        out->answer = std::move(*answer);
        out->hidden = firstHidden(out->asked);
        out->before = runBefore(*out->asked.on().run, out->hidden);
    }
    out->lanes = lanesToChooseFrom(out->asked);
    out->sectors = sectorsToChooseFrom(out->asked.on());
    for (const Buffer& buffer : out->asked.on().run->recording.initial)
        out->arrays.push_back({buffer.name, std::max<std::size_t>(1, buffer.shape.size())});
    out->code = codeOf(out->asked.on());
    out->lesson = std::move(lesson);
    out->number = number;
    return std::shared_ptr<const StepOnShow>(out);
}

Expected<Reply> reply(const StepOnShow& step, std::string_view answer) {
    const Expected<Answered> answered = answerStep(step.asked, answer);
    if (!answered) return Unexpected{inFile(answered.error(), *step.lesson, step.step())};
    Reply reply{.verdict = answered->judged.verdict, .words = {}};
    for (const LanguageRow& language : languages()) {
        Expected<std::string> text = replyTo(step.asked, *answered, language.id);
        if (!text) return Unexpected{inFile(text.error(), *step.lesson, step.step())};
        reply.words[language.id] = std::move(*text);
    }
    return reply;
}

}  // namespace lockstep::lessons
