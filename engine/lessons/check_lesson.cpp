#include "lessons/check_lesson.h"

#include "base/files/text_file.h"
#include "base/nearest.h"
#include "base/text/has_word.h"
#include "lessons/answer_step.h"
#include "lessons/kinds.h"
#include "lessons/prose.h"
#include "lessons/prose_blocks.h"
#include "lessons/question_kinds.h"
#include "ptx/demangled_parameters.h"
#include "run/own/argument_types.h"

#include <algorithm>
#include <filesystem>
#include <ranges>
#include <regex>
#include <set>

namespace lockstep::lessons {
namespace {

constexpr u64 kMostSource = 1 << 20;  // bytes
constexpr u64 kSeeds = 4;             // that a step is tried with
constexpr std::size_t kLeastSteps = 5, kMostSteps = 12;

void forEachSection(const StepText& text, const auto& use) {
    use(text.title, "title");
    use(text.body, "body");
    use(text.hint, "hint");
    use(text.reveal, "reveal");
    use(text.notes, "notes");
    for (const auto& [name, said] : text.wrong)
        use(said, "wrong " + name);
    for (const auto& [name, said] : text.choices)
        use(said, "choice " + name);
}

u32 lineOfSection(const StepText& text, const std::string& section) {
    const auto found = text.sectionLines.find(section);
    return found == text.sectionLines.end() ? text.fileLine : found->second;
}

class Checker {
public:
    Checker(const Lesson& lesson, LessonRuns& runs, std::span<const std::string> views,
            const std::function<bool()>& isStopped)
        : lesson_(lesson), runs_(runs), views_(views), isStopped_(isStopped), file_(lesson.mainFile()) {}

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
    std::string nameOf(Language language) const {
        return std::filesystem::path(fileOf(language)).filename().string();
    }

    void check(const LessonStep& step) {
        if (step.hasMistake) return checkNumbers(step);
        checkView(step.place);
        for (const auto& [name, place] : step.others) {
            checkView(place);
            for (const Quantity& quantity : quantities())
                if (quantity.name.starts_with(name + "_"))
                    add(place.fileLine,
                        Message(english("a place cannot be called '{0}': there is a quantity '{1}'"), name,
                                quantity.name));
        }
        checkSections(step);
        for (const Fault& fault : unusedMacros(step))
            add(fault.place.line, fault.message);
        for (const TextMistake& mistake : mistakesOfTexts(step, nameOf(kLessonLanguages[0])))
            addIn(fileOf(mistake.language), mistake.line, mistake.message);
        const std::size_t before = mistakes_.size();
        checkKeys(step);
        if (mistakes_.size() > before) return;  // it cannot be asked
        checkVaried(step);
        const u64 seeds = step.varied.empty() ? 1 : kSeeds;
        for (u64 seed = 0; seed < seeds && mistakes_.size() == before && !(isStopped_ && isStopped_());
             ++seed)
            checkAsked(step, seed);
    }

    bool isView(const std::string& name) const { return std::ranges::find(views_, name) != views_.end(); }
    void checkView(const Place& place) {
        if (!isView(place.view))
            add(place.lineOf("view"),
                Message(english("there is no view '{0}'{1}"), place.view, didYouMean(place.view, views_)));
    }

    // Each of its values, with the first of the others. Where these cannot be run, it is not one of them.
    void checkVaried(const LessonStep& step) {
        LessonStep one = step;
        for (Varied& varied : one.varied)
            varied.values.resize(1);
        if (step.varied.empty() || !AskedStep::ask(one, runs_, 0)) return;
        for (std::size_t i = 0; i < step.varied.size(); ++i) {
            for (const std::string& value : step.varied[i].values | std::views::drop(1)) {
                if (isStopped_ && isStopped_()) return;
                one.varied[i].values = {value};
                if (const auto asked = AskedStep::ask(one, runs_, 0); !asked) {
                    add(step.place.lineOf("vary"), Message(english("{0} = {1}: {2}"), step.varied[i].name,
                                                           value, inHeader(step, asked.error()).message));
                    return;
                }
            }
            one.varied[i].values = {step.varied[i].values.front()};
        }
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

    void checkAsked(const LessonStep& step, u64 seed) {
        const Expected<AskedStep> asked = AskedStep::ask(step, runs_, seed);
        if (!asked) {
            addFault(step, asked.error());
            return checkFurther(step, seed, asked.error());
        }
        for (const auto& [language, text] : step.texts)
            checkTexts(*asked, text, language);
        if (seed == 0) checkArguments(*asked);
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

    // Of a file's launch, where they are of other types than the kernel's parameters: it would run, and
    // compute with the bytes.
    void checkArguments(const AskedStep& asked) {
        const Place& place = asked.place();
        const Expected<OwnExperiment> own =
            place.own ? runs_.ownOf(place) : Expected<OwnExperiment>(Unexpected{Fault{}});
        if (!own) return;
        const std::vector<std::string> types =
            run::parametersOf(ptx::demangledParameters(asked.on().run->recording.launches.front().entry));
        if (types.size() != own->launch.arguments.size()) return;
        for (std::size_t i = 0; i < types.size(); ++i) {
            const std::string& given = own->launch.arguments[i];
            const std::string element = given.substr(0, given.find_first_of("[:"));
            const auto wanted =
                run::elementOf(run::isPointer(types[i]) ? run::pointeeOf(types[i]) : types[i]);
            if (!wanted || !findElementType(element)) continue;
            const bool isSame =
                (element[0] == 'f') == (wanted->name[0] == 'f') &&
                (wanted->count > 1 || run::bytesOfElement(element) == run::bytesOfElement(wanted->name));
            if (!isSame)
                add(place.lineOf("launch.arguments"),
                    Message(english("argument {0}, '{1}', is for a parameter of the type {2}: say {3}"),
                            i + 1, given, types[i], wanted->name));
        }
    }

    void addFault(const LessonStep& step, const Fault& of) {
        Fault fault = inHeader(step, of);
        if (fault.place.line == step.place.fileLine) fault.place.line = 0;  // a key's is nearer
        addAt(lineBehind(step, fault), fault);
    }

    // Of a header with another mistake: numbers of the place that are too large.
    void checkNumbers(const LessonStep& step) {
        if (!isView(step.place.view) || !step.place.settings.empty()) return;
        const Expected<AskedStep> asked = AskedStep::ask(step, runs_, 0);
        if (asked) return;
        for (const char* key : {"block", "warp"}) {
            const auto line = step.place.keyLines.lines.find(key);
            if (line != step.place.keyLines.lines.end() && line->second == asked.error().place.line)
                addFault(step, asked.error());
        }
    }

    // The keys of a place have each their own mistake: those behind the first are found without it.
    void checkFurther(LessonStep step, u64 seed, Fault fault) {
        constexpr std::string_view kKeys[] = {"block", "warp", "lane", "at", "step", "profile", "launch"};
        for (std::size_t tries = 0; tries < std::size(kKeys); ++tries) {
            const auto key = std::ranges::find_if(kKeys, [&](std::string_view name) {
                const auto line = step.place.keyLines.lines.find(name);
                return line != step.place.keyLines.lines.end() && line->second == fault.place.line;
            });
            if (key == std::end(kKeys)) return;
            forget(step.place, *key);
            const Expected<AskedStep> asked = AskedStep::ask(step, runs_, seed);
            if (asked) return;
            fault = asked.error();
            addFault(step, fault);
        }
    }
    static void forget(Place& place, std::string_view key) {
        const Place plain;
        if (key == "block") place.block = plain.block;
        if (key == "warp") place.warp = plain.warp;
        if (key == "lane") place.lane = plain.lane;
        if (key == "step") place.step = plain.step;
        if (key == "profile") place.profile = plain.profile;
        if (key == "launch") place.launch = plain.launch;
        if (key == "at") {
            place.at.clear();
            place.does = plain.does;
            place.time = plain.time;
        }
        place.keyLines.lines.erase(std::string(key));
    }

    // Of the key that the run fails by: what varies, if it would not fail otherwise; how a file is launched.
    u32 lineBehind(const LessonStep& step, const Fault& fault) {
        if (!step.varied.empty()) {
            LessonStep steady = step;
            steady.varied.clear();
            if (AskedStep::ask(steady, runs_, 0)) return step.place.lineOf("vary");
        }
        const std::optional<std::string_view> key = step.place.own ? launchKeyOf(fault) : std::nullopt;
        return key ? step.place.lineOf(*key) : step.place.fileLine;
    }
    static std::optional<std::string_view> launchKeyOf(const Fault& fault) {
        constexpr std::pair<std::string_view, std::string_view> kKeys[] = {
            {"--arg", "launch.arguments"}, {"--grid", "launch.grid"}, {"--block", "launch.block"}};
        const std::string text = fault.message.english();
        for (const auto& [option, key] : kKeys)
            if (text.find(option) != std::string::npos) return key;
        return std::nullopt;
    }
    // The command line's options are keys here.
    static Fault inHeader(const LessonStep& step, Fault fault) {
        if (step.place.own && launchKeyOf(fault))
            fault.message =
                joined(std::move(fault.message),
                       Message(english("(In a lesson {0}, {1} and {2} are 'arguments', 'grid' and "
                                       "'block' of 'launch'.)"),
                               "--arg", "--grid", "--block"));
        return fault;
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
            for (const Fault& fault : asked.mistakesIn(said, language))
                addIn(file, line + fault.place.line, fault.message);
            for (const NotShown& part : notShownIn(said))
                addIn(file, line + part.line, part.message);
            for (const TypedFigure& typed : typedFigures(said))
                addIn(file, line + typed.line,
                      Message(english("the figure {0} is typed in: write a quantity between {1} and {2}"),
                              typed.text, '{', '}'));
        };
        forEachSection(text, checkText);
    }

    const Lesson& lesson_;
    LessonRuns& runs_;
    std::span<const std::string> views_;
    const std::function<bool()>& isStopped_;
    std::string file_;
    std::vector<Fault> mistakes_;
};

// Names behind #define, #ifndef and the like, in their order.
std::vector<std::string> macrosOf(const std::string& source) {
    static const std::regex macro(
        "(?:^|\\n)[ \t]*#[ \t]*(?:define|ifndef|ifdef|undef)[ \t]+([A-Za-z_][A-Za-z0-9_]*)");
    std::vector<std::string> names;
    for (std::sregex_iterator at(source.begin(), source.end(), macro), end; at != end; ++at)
        if (std::string name = (*at)[1]; std::ranges::find(names, name) == names.end())
            names.push_back(std::move(name));
    return names;
}

}  // namespace

std::vector<Fault> unusedMacros(const LessonStep& step) {
    std::vector<Fault> unused;
    const auto addOf = [&](const Place& place) {
        if (!place.own) return;
        const Expected<std::string> text =
            readTextFile(place.own->file, english("give the path of a .cu or .ptx file"), kMostSource);
        for (const auto& [name, value] : place.settings)
            if (text && std::ranges::find(place.inherited, name) == place.inherited.end() &&
                !hasWord(*text, name))
                unused.push_back(
                    fail(FaultKind::Usage,
                         Message(english("{0} uses no macro '{1}'{2}"), place.own->file.filename().string(),
                                 name, didYouMean(name, macrosOf(*text))),
                         {{}, place.lineOf("set." + name), 0})
                        .value());
    };
    addOf(step.place);
    for (const auto& [name, place] : step.others)
        addOf(place);
    return unused;
}

// The languages state the same figures in each section; what they say of them only a reader can judge.
std::vector<TextMistake> mistakesOfTexts(const LessonStep& step, const std::string& firstFile) {
    std::vector<TextMistake> mistakes;
    for (const auto& [language, text] : step.texts)
        if (!bracedIn(text.title).empty())
            mistakes.push_back(
                {language, text.fileLine,
                 english("a title has no figures: it stands in lists, too, where nothing is run")});
    const auto first = step.texts.find(kLessonLanguages[0]), other = step.texts.find(kLessonLanguages[1]);
    if (other == step.texts.end()) return mistakes;
    const auto add = [&](u32 line, Message message) {
        mistakes.push_back({other->first, line, std::move(message)});
    };
    forEachSection(other->second, [&](const std::string& said, const std::string& section) {
        const u32 start = lineOfSection(other->second, section);
        if (const auto forgotten = untranslatedIn(said))
            add(start + forgotten->line,
                Message(english("\"{0}\" is not translated"), std::string(forgotten->text)));
        if (first == step.texts.end()) return;
        std::set<std::string> figures, others;
        forEachSection(first->second, [&](const std::string& text, const std::string& name) {
            if (name != section) return;
            for (const Braced& figure : bracedIn(text))
                figures.insert(figure.expression);
        });
        for (const Braced& figure : bracedIn(said)) {
            others.insert(figure.expression);
            if (!figures.contains(figure.expression))
                add(start + figure.line, Message(english("{0}{1}{2} is not in this section of {3}"), '{',
                                                 figure.expression, '}', firstFile));
        }
        for (const std::string& figure : figures)
            if (!others.contains(figure))
                add(start, Message(english("{0}{1}{2} of {3} is missing in this section"), '{', figure, '}',
                                   firstFile));
    });
    return mistakes;
}

std::vector<Fault> checkLesson(const ReadLesson& read, LessonRuns& runs, std::span<const std::string> views,
                               const std::function<bool()>& isStopped) {
    std::vector<Fault> mistakes = read.mistakes;
    std::ranges::move(Checker(read.lesson, runs, views, isStopped).check(), std::back_inserter(mistakes));
    std::ranges::stable_sort(mistakes, {},
                             [](const Fault& f) { return std::pair(f.place.file, f.place.line); });
    return mistakes;
}

}  // namespace lockstep::lessons
