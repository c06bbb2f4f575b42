#include "exercises/judge.h"

#include "base/files/text_file.h"
#include "catalog/entry_text.h"
#include "cuda/compiler/nvrtc.h"
#include "explain/findings/finding_at.h"
#include "explain/order/order_text.h"
#include "explain/sentences/address_names.h"
#include "explain/source/parameter_names.h"
#include "explain/source/type_layout.h"
#include "model/source_line.h"
#include "ptx/own_location.h"
#include "run/orders/order_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace lockstep::exercises {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kCompiles = 0, kEnds = 1;
constexpr std::size_t kMostPrintedBytes = 64 << 10;

// Of a compiler's message, what it says first: the table has a line for each rule.
Message firstLineOf(const Message& message) {
    const auto first = [&](Language language) {
        const std::string text = message.in(language);
        return text.substr(0, text.find('\n'));
    };
    return Text{first(Language::English), first(Language::Chinese)};
}

class Judge {
public:
    Judge(const Exercise& exercise, const std::filesystem::path& file, const JudgeOptions& options)
        : exercise_(exercise), options_(options) {
        verdict_.file = file.string();
        for (const BuiltInRule& rule : builtInRules())
            verdict_.rules.push_back({.rule = std::string(rule.name),
                                      .words = rule.what,
                                      .quantity = std::string(rule.name),
                                      .sentence = {}});
        for (const Rule& rule : exercise.rules)
            verdict_.rules.push_back({.rule = rule.text,
                                      .words = inWords(rule),
                                      .quantity = std::string(rule.quantity->name),
                                      .sentence = {}});
        std::error_code ignored;
        verdict_.written = std::filesystem::last_write_time(file, ignored);
    }

    Expected<Verdict> judge() {
        const Expected<std::optional<run::CompiledFile>> compiled = compile();
        if (!compiled) return Unexpected{compiled.error()};
        if (*compiled)
            for (std::size_t i = 0; i < exercise_.sizes.size() && !isOver(); ++i)
                if (const Expected<void> judged = judgeAt(exercise_.sizes[i], i, **compiled); !judged)
                    return Unexpected{judged.error()};
        quoteLines();
        verdict_.seconds = std::chrono::duration<f64>(Clock::now() - begin_).count();
        return std::move(verdict_);
    }

    Expected<void> checkExercise() const {
        for (const Size& size : exercise_.sizes) {
            const Expected<catalog::Experiment> data =
                catalog::makeExperiment(*exercise_.family, exercise_.variant(), size.values, options_.seed);
            if (!data) return mistakeOfExercise(size, data.error());
            if (const auto reference = catalog::computeReference(*data); !reference)
                return mistakeOfExercise(size, reference.error());
        }
        return cuda::findNvrtc() ? startFits() : Expected<void>();
    }

private:
    RuleVerdict& rule(std::size_t index) { return verdict_.rules[index]; }
    bool isOver() { return rule(kCompiles).state == State::Fails || rule(kEnds).state == State::Fails; }

    void failRule(std::size_t index, const Fault& fault, const std::string& size = {}) {
        rule(index).state = State::Fails;
        rule(index).size = size;
        sayOf(index, fault);
    }
    void sayOf(std::size_t index, const Fault& fault) {
        RuleVerdict& told = rule(index);
        told.file = fault.place.file;
        told.line = fault.place.line;
        const Message message = firstLineOf(fault.message);
        const std::string name = std::filesystem::path(fault.place.file).filename().string();
        if (fault.place.line && fault.place.file == verdict_.file)
            told.sentence = Message(english("line {0}: {1}"), std::to_string(fault.place.line), message);
        else if (fault.place.line)
            told.sentence = Message::plain(fmt::format("{}:{}: ", name, fault.place.line)) + message;
        else if (!name.empty())
            told.sentence = Message::plain(name + ": ") + message;
        else
            told.sentence = message;
    }

    // The kernels that are launched, as written in C++, over all sizes.
    Expected<std::vector<std::string>> entries() const {
        std::vector<std::string> entries;
        for (const Size& size : exercise_.sizes)
            for (const catalog::LaunchTemplate& launch : exercise_.variant().launches) {
                std::string entry = catalog::instanceOf(launch.entry, *exercise_.family, size.values);
                if (std::ranges::find(entries, entry) == entries.end()) entries.push_back(std::move(entry));
            }
        return entries;
    }

    // None: it does not compile.
    Expected<std::optional<run::CompiledFile>> compile() {
        if (const Expected<cuda::NvrtcInfo> nvrtc = cuda::findNvrtc(); !nvrtc)
            return Unexpected{nvrtc.error()};
        const Expected<std::vector<std::string>> wanted = entries();
        if (!wanted) return Unexpected{wanted.error()};
        Expected<run::CompiledFile> compiled = run::compileFile(verdict_.file, *wanted);
        if (!compiled) {
            if (const Expected<void> fits = startFits(); !fits) return Unexpected{fits.error()};
            failRule(kCompiles, compiled.error());
            return std::nullopt;
        }
        if (const std::optional<Fault> other = otherParameter(*wanted)) {
            failRule(kCompiles, *other);
            return std::nullopt;
        }
        rule(kCompiles).state = State::Holds;
        const auto lost = std::ranges::find(compiled->warnings, FaultKind::NotFound, &Fault::kind);
        if (lost != compiled->warnings.end()) sayOf(kCompiles, *lost);
        return std::optional(std::move(*compiled));
    }

    // A parameter of a type for which the data is not made. PTX has forgotten what pointers point to.
    std::optional<Fault> otherParameter(const std::vector<std::string>& entries) const {
        const Expected<std::string> asked = readTextFile(exercise_.startFile(), Words{}),
                                    given = readTextFile(verdict_.file, Words{});
        if (!asked || !given) return std::nullopt;
        for (const std::string& entry : entries) {
            const std::vector<std::string> names = explain::parameterNames(*given, entry),
                                           wanted = explain::parameterTypes(*asked, entry),
                                           types = explain::parameterTypes(*given, entry);
            for (std::size_t i = 0; i < std::min(wanted.size(), types.size()); ++i) {
                const explain::TypeLayout a = explain::layoutOf(wanted[i], *asked),
                                          b = explain::layoutOf(types[i], *given);
                if (a.leaves.empty() || b.leaves.empty()) continue;
                const ptx::Type x = a.leaves.front().type, y = b.leaves.front().type;
                if (ptx::isFloat(x) == ptx::isFloat(y) && ptx::bytesOf(x) == ptx::bytesOf(y)) continue;
                return fail(FaultKind::Usage,
                            Message(english("parameter {0} is {1}; the exercise passes {2}"), names[i],
                                    types[i], wanted[i]))
                    .value();
            }
        }
        return std::nullopt;
    }

    // Whether the exercise launches the kernel that it gives to begin with: else it, and no student, is
    // wrong.
    Expected<void> startFits() const {
        const auto mistake = [&](const Fault& fault) {
            return fail(FaultKind::Syntax,
                        Message(english("'launches' does not fit the kernel to begin with, {0}: {1}"),
                                exercise_.start, firstLineOf(fault.message)),
                        {.file = exercise_.file().string(), .line = exercise_.launchLine});
        };
        const Expected<std::vector<std::string>> wanted = entries();
        if (!wanted) return Unexpected{wanted.error()};
        const Expected<run::CompiledFile> compiled = run::compileFile(exercise_.startFile(), *wanted);
        if (!compiled) return mistake(compiled.error());
        for (const Size& size : exercise_.sizes)
            if (const Expected<run::Experiment> experiment =
                    run::open(*compiled, *exercise_.family, exercise_.variant(), size.values, options_.seed);
                !experiment)
                return mistake(experiment.error());
        return {};
    }

    Expected<void> judgeAt(const Size& size, std::size_t index, const run::CompiledFile& compiled) {
        const u64 seed = options_.seed + index;
        if (const Expected<catalog::Experiment> data =
                catalog::makeExperiment(*exercise_.family, exercise_.variant(), size.values, seed);
            !data)
            return mistakeOfExercise(size, data.error());
        Expected<run::Experiment> experiment =
            run::open(compiled, *exercise_.family, exercise_.variant(), size.values, seed);
        if (!experiment) {  // other parameters than it is launched with
            if (const Expected<void> fits = startFits(); !fits) return Unexpected{fits.error()};
            failRule(kCompiles, experiment.error());
            return {};
        }
        std::string printed;
        const Expected<run::Run> ran = run::run(std::move(*experiment), runOptions(printed));
        if (options_.progress && options_.progress->cancelled)
            return fail(FaultKind::Cancelled, english("canceled"));
        if (!ran) {
            // What the exercise compares with may be what cannot be computed.
            if (const auto data =
                    catalog::makeExperiment(*exercise_.family, exercise_.variant(), size.values, seed))
                if (const auto reference = catalog::computeReference(*data); !reference)
                    return mistakeOfExercise(size, reference.error(), exercise_.resultLine);
            failRule(kEnds, ran.error(), size.text);
            return {};
        }
        const bool isFlood = printed.size() > kMostPrintedBytes;
        if (!ran->recording.complete || stopOf(*ran) || isFlood) {
            failRule(kEnds, whyStopped(*ran, isFlood), size.text);
            return {};
        }
        rule(kEnds).state = State::Holds;
        if (const Expected<void> applied = applyRules(size, *ran); !applied)
            return Unexpected{applied.error()};
        return tryOtherOrders(size, seed, *ran);
    }

    // What is right in the emulator's order only is not right. Races are found without that, but not those of
    // volatile or atomic accesses, which a program may rely on and be wrong.
    Expected<void> tryOtherOrders(const Size& size, u64 seed, const run::Run& ran) {
        RuleVerdict* const correct = ruleNamed("correct");
        if (!correct || correct->state != State::Holds) return {};
        constexpr u32 kOrders = 32;
        const Expected<run::OrderSearch> search =
            run::searchOrders(ran, {.orders = kOrders,
                                    .seed = seed,
                                    .threads = options_.threads,
                                    .limit = std::chrono::nanoseconds(s64(secondsLeft() / 2 * 1e9)),
                                    .progress = options_.progress});
        if (options_.progress && options_.progress->cancelled)
            return fail(FaultKind::Cancelled, english("canceled"));
        if (!search) return Unexpected{search.error()};
        const auto wrong = std::ranges::find_if(search->results, [](const run::OrderResult& result) {
            return result.changed && (!result.ended || result.correct == false);
        });
        if (wrong == search->results.end()) return {};
        correct->state = State::Fails;
        correct->size = size.text;
        const run::BadOrder& bad = *search->bad;
        const Pc pc = bad.result == std::size_t(wrong - search->results.begin()) ? run::placeOf(bad) : kNoPc;
        Message what =
            !wrong->ended ? Message(english("it does not end"))
            : wrong->element
                ? Message(english("{0} is {1} instead of {2}"),
                          explain::nameOfElement(ran.recording.final, wrong->element->buffer,
                                                 wrong->element->index),
                          numberText(wrong->element->changed), numberText(wrong->element->recorded))
                : Message(english("the result is wrong"));
        if (pc != kNoPc) {
            const model::SourceLine at = model::sourceLineOf(pc, *ran.module);
            correct->file = ran.module->files[at.file];
            correct->line = at.line;
            what = Message(english("{0}: {1}"), what, run::causeOf(bad, ran));
        }
        correct->sentence = Message(english("in another order of the threads, which is as legal, {0}"), what);
        if (correct->line)
            correct->sentence =
                Message(english("line {0}: {1}"), std::to_string(correct->line), correct->sentence);
        return {};
    }
    RuleVerdict* ruleNamed(std::string_view quantity) {
        const auto found = std::ranges::find(verdict_.rules, quantity, &RuleVerdict::quantity);
        return found == verdict_.rules.end() ? nullptr : &*found;
    }
    f64 secondsLeft() const {
        const f64 left = options_.limitSeconds - std::chrono::duration<f64>(Clock::now() - begin_).count();
        return std::max(left, 0.05);
    }

    run::Options runOptions(std::string& printed) const {
        run::Options options{.backend = "emulator", .emulator = {}, .caches = run::Caches::Off, .gpu = {}};
        options.emulator.limit = std::chrono::nanoseconds(s64(secondsLeft() * 1e9));
        options.emulator.threads = options_.threads;
        options.emulator.focusAll = std::ranges::any_of(
            exercise_.rules, [](const Rule& rule) { return rule.quantity->isOfEachWarp; });
        options.emulator.progress = options_.progress;
        options.emulator.printed = &printed;
        options.emulator.mostPrinted = kMostPrintedBytes;
        return options;
    }

    // A limit, a trap or an assertion; null: none.
    static const trace::Finding* stopOf(const run::Run& ran) {
        const auto& findings = ran.recording.findings;
        const auto stop = std::ranges::find(findings, trace::FindingKind::Limit, &trace::Finding::kind);
        return stop == findings.end() ? nullptr : &*stop;
    }

    Fault whyStopped(const run::Run& ran, bool isFlood) const {
        const trace::Finding* stop = stopOf(ran);
        const bool isAssertion = stop && trace::stopReasonOf(*stop) == trace::StopReason::Assertion;
        if (isFlood && !isAssertion)  // every thread whose assertion fails prints it
            return fail(FaultKind::TooLarge,
                        Message(english("the kernel prints more than {0} KiB; remove its printf()"),
                                kMostPrintedBytes >> 10))
                .value();
        Fault fault = fail(FaultKind::TooLarge, english("the kernel was stopped before its end")).value();
        if (!stop) return fault;
        if (trace::stopReasonOf(*stop) == trace::StopReason::TimeLimit)
            fault.message = Message(english("the kernel does not end within {0} s: a loop may be endless, or "
                                            "threads wait for others that never come"),
                                    fmt::format("{:g}", options_.limitSeconds));
        else
            fault.message = explain::textOf(ran, *stop);
        if (stop->who.pc == kNoPc) return fault;
        // Not of a function that the loop calls.
        const ptx::Location& caller =
            ran.module->locations[ptx::outermostLocation(*ran.module, ran.module->at(stop->who.pc).location)];
        const model::SourceLine at = caller.line ? model::SourceLine{caller.file, caller.line}
                                                 : model::sourceLineOf(stop->who.pc, *ran.module);
        fault.place = {ran.module->files[at.file], at.line, 0};
        return fault;
    }

    // The file may have been changed meanwhile: then its lines say so.
    void quoteLines() {
        const Expected<std::string> text = readTextFile(verdict_.file, Words{});
        if (!text) return;
        for (RuleVerdict& verdict : verdict_.rules)
            if (verdict.line > 0 && verdict.file == verdict_.file) verdict.code = codeOf(*text, verdict.line);
    }
    static std::string codeOf(std::string_view text, u32 line) {
        for (u32 number = 1; number < line; ++number) {
            const std::size_t end = text.find('\n');
            if (end == std::string_view::npos) return {};
            text.remove_prefix(end + 1);
        }
        text = text.substr(0, text.find_first_of("\r\n"));
        text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
        return std::string(text);
    }

    Expected<void> applyRules(const Size& size, const run::Run& ran) {
        for (std::size_t i = 0; i < exercise_.rules.size(); ++i) {
            RuleVerdict& verdict = rule(builtInRules().size() + i);
            const Expected<RuleResult> result = apply(exercise_.rules[i], ran);
            if (!result) return mistakeOfExercise(size, result.error());
            if (verdict.state == State::Fails) continue;  // told of the first size
            verdict.state = result->holds ? State::Holds : State::Fails;
            verdict.size = size.text;
            if (!exercise_.rules[i].quantity->isFlag()) {
                verdict.value = result->measured.value;
                verdict.limit = result->limit;
            }
            if (result->holds) continue;
            verdict.file = result->measured.file;
            verdict.line = result->measured.line;
            verdict.sentence = result->sentence;
        }
        return {};
    }

    // line: of exercise.toml; 0: that of the sizes.
    Unexpected mistakeOfExercise(const Size& size, Fault fault, u32 line = 0) const {
        fault.message = Message(english("at {0}: {1}"), size.text, fault.message);
        if (fault.place.file.empty())
            fault.place = {exercise_.file().string(), line ? line : exercise_.sizesLine, 0};
        return Unexpected{std::move(fault)};
    }

    const Exercise& exercise_;
    const JudgeOptions& options_;
    Clock::time_point begin_ = Clock::now();
    Verdict verdict_;
};

}  // namespace

std::string_view nameOf(State state) {
    switch (state) {
        case State::Holds: return "holds";
        case State::Fails: return "fails";
        case State::NotJudged: break;
    }
    return "not_judged";
}

std::span<const BuiltInRule> builtInRules() {
    static constexpr std::array kTable{
        BuiltInRule{"compiles", english("The file compiles and has the kernel with its parameters")},
        BuiltInRule{"ends", english("The kernel comes to its end within the time limit and prints little")},
    };
    return kTable;
}

const RuleVerdict* Verdict::missing() const {
    const auto found =
        std::ranges::find_if(rules, [](const RuleVerdict& verdict) { return verdict.state != State::Holds; });
    return found == rules.end() ? nullptr : &*found;
}

u64 Verdict::held() const { return u64(std::ranges::count(rules, State::Holds, &RuleVerdict::state)); }

Expected<Verdict> judge(const Exercise& exercise, const std::filesystem::path& file,
                        const JudgeOptions& options) {
    return Judge(exercise, file, options).judge();
}

Expected<void> checkExercise(const Exercise& exercise) {
    const JudgeOptions options;
    return Judge(exercise, exercise.startFile(), options).checkExercise();
}

}  // namespace lockstep::exercises
