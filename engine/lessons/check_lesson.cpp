#include "lessons/check_lesson.h"

#include "lessons/answer_step.h"
#include "lessons/prose.h"
#include "lessons/question_kinds.h"

#include <algorithm>
#include <set>

namespace lockstep::lessons {
namespace {

constexpr u64 kSeeds = 4;  // that a step is tried with
constexpr std::size_t kLeastSteps = 5, kMostSteps = 12;

class Checker {
public:
    Checker(const Lesson& lesson, LessonRuns& runs, const std::function<bool(std::string_view)>& isView,
            const std::function<bool()>& isStopped)
        : lesson_(lesson), runs_(runs), isView_(isView), isStopped_(isStopped), file_(lesson.mainFile()) {}

    std::vector<Fault> check() {
        if (lesson_.steps.size() < kLeastSteps || lesson_.steps.size() > kMostSteps)
            add(1, Message(english("a lesson has {0} to {1} {1:step|steps}, this one {2}"), kLeastSteps,
                           kMostSteps, lesson_.steps.size()));
        for (const LessonStep& step : lesson_.steps)
            check(step);
        return std::move(mistakes_);
    }

private:
    void add(u32 line, Message message) { addIn(file_, line, std::move(message)); }
    // A mistake in a line of another file, as of the kernel's source, keeps its place.
    void addAt(u32 line, const Fault& fault) {
        if (fault.place.file.empty())
            add(fault.place.line > 0 ? fault.place.line : line, fault.message);
        else if (fault.place.line > 0)
            addIn(fault.place.file, fault.place.line, fault.message);
        else
            add(line, Message(english("{0}: {1}"), fault.place.file, fault.message));
    }
    void addIn(const std::string& file, u32 line, Message message) {
        const bool isSaid = std::ranges::any_of(mistakes_, [&](const Fault& fault) {
            return fault.place.file == file && fault.place.line == line && fault.message == message;
        });
        if (isSaid) return;
        mistakes_.push_back(Fault{.kind = FaultKind::Syntax,
                                  .message = std::move(message),
                                  .place = {file, line, 0},
                                  .pc = {},
                                  .block = {},
                                  .thread = {}});
    }
    std::string fileOf(Language language) const { return lesson_.fileOf(language); }

    void check(const LessonStep& step) {
        if (step.hasMistake) return;
        const std::size_t before = mistakes_.size();
        if (!isView_(step.place.view))
            add(step.place.lineOf("view"), Message(english("there is no view '{0}'"), step.place.view));
        for (const auto& [name, place] : step.others) {
            if (!isView_(place.view))
                add(place.lineOf("view"), Message(english("there is no view '{0}'"), place.view));
            for (const Quantity& quantity : quantities())
                if (quantity.name.starts_with(name + "_"))
                    add(place.fileLine,
                        Message(english("a place cannot be called '{0}': there is a quantity '{1}'"), name,
                                quantity.name));
        }
        checkKeys(step);
        checkSections(step);
        if (mistakes_.size() > before) return;
        const u64 seeds = step.varied.empty() ? 1 : kSeeds;
        for (u64 seed = 0; seed < seeds && mistakes_.size() == before && !(isStopped_ && isStopped_());
             ++seed)
            checkAsked(step, seed);
    }

    void checkKeys(const LessonStep& step) {
        const Question& question = step.question;
        const QuestionKind* kind = findQuestionKind(question.kind);
        if (!kind) {
            if (!question.wrong.empty() || !question.beliefs.empty())
                add(question.lineOf("wrong"),
                    english("a step that asks nothing has no wrong answers and no beliefs"));
            return;
        }
        const std::pair<std::string_view, bool> keys[] = {{"answer", !question.answer.empty()},
                                                          {"choices", question.options.size() > 1},
                                                          {"order", question.options.size() > 1},
                                                          {"change", !question.changes.empty()},
                                                          {"to", !question.to.empty()}};
        for (const auto& [key, isGiven] : keys)
            if (!isGiven && std::ranges::find(kind->needs, key) != kind->needs.end())
                add(question.lineOf("ask"),
                    Message(english("a question of the kind '{0}' needs '{1}'"), kind->name, key));
        const auto checkPlace = [&](std::string_view key, const std::string& place) {
            if (!place.empty() && !step.others.contains(place))
                add(question.lineOf(key), Message(english("'also' has no place '{0}'"), place));
        };
        checkPlace("to", question.to);
        if (question.then != question.to) checkPlace("then", question.then);
    }

    // Every section that is used is there in each language, and the other way round.
    void checkSections(const LessonStep& step) {
        for (const auto& [language, text] : step.texts) {
            const std::string file = fileOf(language);
            for (const WrongAnswer& wrong : step.question.wrong)
                if (!wrong.says.empty() && !text.findWrong(wrong.says))
                    addIn(file, text.fileLine,
                          Message(english("there is no section ::: wrong {0}"), wrong.says));
            for (const auto& [name, said] : text.wrong)
                if (std::ranges::find(step.question.wrong, name, &WrongAnswer::says) ==
                    step.question.wrong.end())
                    addIn(file, lineOfSection(text, "wrong " + name),
                          Message(english("no wrong answer of the header says '{0}'"), name));
            if (step.question.kind == "choice") checkChoices(step, text, file);
            if (text.body.empty()) addIn(file, text.fileLine, english("the step has no text"));
            if (!step.question.kind.empty() && text.reveal.empty())
                addIn(file, text.fileLine, english("a question needs a section ::: reveal"));
            if (!step.question.kind.empty() && text.hint.empty())
                addIn(file, text.fileLine, english("a question needs a section ::: hint"));
        }
    }
    void checkChoices(const LessonStep& step, const StepText& text, const std::string& file) {
        for (const Option& option : step.question.options)
            if (!text.findChoice(option.name))
                addIn(file, text.fileLine,
                      Message(english("there is no section ::: choice {0}"), option.name));
        for (const auto& [name, said] : text.choices)
            if (std::ranges::find(step.question.options, name, &Option::name) == step.question.options.end())
                addIn(file, lineOfSection(text, "choice " + name),
                      Message(english("the header has no choice '{0}'"), name));
    }
    static u32 lineOfSection(const StepText& text, const std::string& section) {
        const auto found = text.sectionLines.find(section);
        return found == text.sectionLines.end() ? text.fileLine : found->second;
    }

    void checkAsked(const LessonStep& step, u64 seed) {
        const Expected<AskedStep> asked = AskedStep::ask(step, runs_, seed);
        if (!asked) return addAt(step.place.fileLine, asked.error());
        for (const auto& [language, text] : step.texts)
            checkTexts(*asked, text, language);
        if (step.question.kind.empty()) return;
        const Expected<std::string> truth = rightAnswer(*asked);
        const u32 line = lineOfAnswer(*asked);
        if (!truth) return add(line, truth.error().message);
        const Expected<Answered> judged = answerStep(*asked, *truth);
        if (!judged) return add(line, judged.error().message);
        if (judged->judged.verdict != Verdict::Right)
            add(line, Message(english("the answer '{0}' is not judged right"), *truth));
        for (const WrongAnswer& wrong : step.question.wrong)
            checkWrong(*asked, wrong, judged->judged);
    }

    // Of the key that the answer follows from; of options the first that is no expression.
    static u32 lineOfAnswer(const AskedStep& asked) {
        const Question& question = asked.question();
        for (const std::string key : {"choices", "order"})
            for (const Option& option : question.options)
                if (question.keyLines.lines.contains(key) && !asked.number(option.expression))
                    return question.lineOf(key + "." + option.name);
        for (const std::string_view key : findQuestionKind(question.kind)->needs)
            if (question.keyLines.lines.contains(key)) return question.lineOf(key);
        return question.lineOf("ask");
    }

    void checkWrong(const AskedStep& asked, const WrongAnswer& wrong, const Judged& truth) {
        if (!wrong.condition.empty()) {
            Extra extra;
            if (truth.answer) extra["answer"] = *truth.answer;
            if (truth.count) extra["count"] = *truth.count;
            const Expected<s64> holds = asked.number(wrong.condition, extra);
            if (!holds) return add(wrong.fileLine, holds.error().message);
            if (*holds != 0)
                add(wrong.fileLine, english("this condition of a wrong answer holds for the right one"));
            return;
        }
        const QuestionKind& kind = *findQuestionKind(asked.question().kind);
        const Expected<std::string> text = kind.answerOf ? kind.answerOf(asked, wrong.is) : wrong.is;
        if (!text) return add(wrong.fileLine, text.error().message);
        const Expected<Judged> judged = kind.judge(asked, *text);
        if (!judged) return add(wrong.fileLine, judged.error().message);
        if (judged->verdict == Verdict::Right)
            add(wrong.fileLine, Message(english("this wrong answer is right: {0}"), *text));
        if (judged->verdict == Verdict::Unreadable)
            add(wrong.fileLine,
                Message(english("'{0}' is no answer to this kind of question: {1}"), *text, judged->reason));
    }

    void checkTexts(const AskedStep& asked, const StepText& text, Language language) {
        const std::string file = fileOf(language);
        const auto checkText = [&](const std::string& said, const std::string& section) {
            const u32 line = lineOfSection(text, section);
            const Expected<std::string> filled = asked.filled(said, language);
            if (!filled) addIn(file, line + filled.error().place.line, filled.error().message);
            for (const TypedFigure& typed : typedFigures(said))
                addIn(file, line + typed.line,
                      Message(english("the figure {0} is typed in: write a quantity between {1} and {2}"),
                              typed.text, '{', '}'));
        };
        checkText(text.title, "title");
        checkText(text.body, "body");
        checkText(text.hint, "hint");
        checkText(text.reveal, "reveal");
        for (const auto& [name, said] : text.wrong)
            checkText(said, "wrong " + name);
        for (const auto& [name, said] : text.choices)
            checkText(said, "choice " + name);
    }

    const Lesson& lesson_;
    LessonRuns& runs_;
    const std::function<bool(std::string_view)>& isView_;
    const std::function<bool()>& isStopped_;
    std::string file_;
    std::vector<Fault> mistakes_;
};

}  // namespace

std::vector<Fault> checkLesson(const ReadLesson& read, LessonRuns& runs,
                               const std::function<bool(std::string_view)>& isView,
                               const std::function<bool()>& isStopped) {
    std::vector<Fault> mistakes = read.mistakes;
    std::ranges::move(Checker(read.lesson, runs, isView, isStopped).check(), std::back_inserter(mistakes));
    std::ranges::stable_sort(mistakes, {},
                             [](const Fault& f) { return std::pair(f.place.file, f.place.line); });
    return mistakes;
}

}  // namespace lockstep::lessons
