#include "exercises/rules.h"

#include "base/nearest.h"
#include "catalog/values/expression.h"
#include "catalog/values/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace lockstep::exercises {
namespace {

struct ComparisonRow {
    std::string_view sign;
    Comparison comparison;
    bool (*holds)(f64 value, f64 limit);
    Words asks;     // the limit in words
    Words demands;  // the quantity and its limit
};
// Longer signs before their own beginnings.
constexpr std::array kComparisons{
    ComparisonRow{"<=", Comparison::AtMost, [](f64 value, f64 limit) { return value <= limit; },
                  english("the rule allows at most {0}"), english("a rule in words", "{0}: at most {1}")},
    ComparisonRow{">=", Comparison::AtLeast, [](f64 value, f64 limit) { return value >= limit; },
                  english("the rule asks for at least {0}"), english("a rule in words", "{0}: at least {1}")},
    ComparisonRow{"==", Comparison::Equal, [](f64 value, f64 limit) { return value == limit; },
                  english("the rule allows {0}"), english("a rule in words", "{0}: {1}")},
    ComparisonRow{"=", Comparison::Equal, [](f64 value, f64 limit) { return value == limit; },
                  english("the rule allows {0}"), english("a rule in words", "{0}: {1}")},
    ComparisonRow{"<", Comparison::Less, [](f64 value, f64 limit) { return value < limit; },
                  english("the rule asks for less than {0}"),
                  english("a rule in words", "{0}: less than {1}")},
    ComparisonRow{">", Comparison::More, [](f64 value, f64 limit) { return value > limit; },
                  english("the rule asks for more than {0}"),
                  english("a rule in words", "{0}: more than {1}")},
};
const ComparisonRow& rowOf(Comparison comparison) {
    return *std::ranges::find(kComparisons, comparison, &ComparisonRow::comparison);
}

constexpr std::string_view kLeast = "least";

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
        text.remove_suffix(1);
    return text;
}

std::vector<std::string> quantityNames() {
    std::vector<std::string> names;
    for (const Quantity& quantity : quantities())
        names.emplace_back(quantity.name);
    return names;
}

// "1.1 * least": a factor with a decimal point stands first, since expressions have whole numbers only.
Expected<void> takeFactor(std::string_view& limit, Rule& rule) {
    const std::string_view digits = limit.substr(0, limit.find_first_not_of("0123456789."));
    if (digits.find('.') == std::string_view::npos) return {};
    const std::optional<f64> factor = catalog::parseReal(digits);
    std::string_view rest = trimmed(limit.substr(digits.size()));
    if (factor && rest.empty()) {
        rule.factor = *factor;
        limit = "1";
        return {};
    }
    if (!factor || !rest.starts_with('*'))
        return fail(FaultKind::Syntax,
                    Message(english("'{0}' can only be a factor at the beginning of a limit, as in "
                                    "1.1 * least"),
                            digits));
    rule.factor = *factor;
    limit = trimmed(rest.substr(1));
    return {};
}

Expected<void> checkNames(const Rule& rule, const std::vector<std::string>& parameters) {
    const Expected<std::set<std::string>> names = catalog::namesIn(rule.limit);
    if (!names) return Unexpected{names.error()};
    std::vector<std::string> known = quantityNames();
    std::erase_if(known, [](const std::string& name) { return findQuantity(name)->isFlag(); });
    known.insert(known.end(), parameters.begin(), parameters.end());
    known.insert(known.end(), launchNames().begin(), launchNames().end());
    if (rule.quantity->least) known.emplace_back(kLeast);
    for (const std::string& name : *names) {
        if (std::ranges::find(known, name) != known.end()) continue;
        if (name == kLeast)
            return fail(FaultKind::Syntax, Message(english("the least of {0} is not known: give a number"),
                                                   rule.quantity->name));
        return fail(FaultKind::Syntax, Message(english("'{0}' is neither a parameter nor a quantity{1}"),
                                               name, didYouMean(name, known)));
    }
    return {};
}

catalog::Values namesOf(const Rule& rule, const run::Run& run) {
    catalog::Values values = run.catalog->family->scope(run.catalog->values);
    s64 blocks = 0, threads = 0, warps = 0;
    for (const Launch& launch : run.recording.launches) {
        blocks += s64(launch.grid.count());
        threads += s64(launch.grid.count() * launch.block.count());
        warps += s64(launch.grid.count() * ((launch.block.count() + 31) / 32));
    }
    values["blocks"] = blocks;
    values["threads"] = threads;
    values["warps"] = warps;
    if (rule.quantity->least) values[std::string(kLeast)] = s64(rule.quantity->least(run));
    if (const Expected<std::set<std::string>> names = catalog::namesIn(rule.limit))
        for (const std::string& name : *names)
            if (const Quantity* other = findQuantity(name))
                values[name] = s64(std::llround(other->measure(run).value));
    return values;
}

// What a sentence goes on behind.
Message withoutFullStop(const Message& sentence) {
    Text text{sentence.in(Language::English), sentence.in(Language::Chinese)};
    if (text.en.ends_with('.')) text.en.pop_back();
    if (constexpr std::string_view kStop = "。"; text.zh.ends_with(kStop))
        text.zh.resize(text.zh.size() - kStop.size());
    return text;
}

Message sentenceOf(const Rule& rule, const Measured& measured, f64 limit) {
    const Message asks(rowOf(rule.comparison).asks, numberText(limit));
    const std::string line = std::to_string(measured.line);
    const Quantity& quantity = *rule.quantity;
    if (quantity.isFlag())
        return measured.line ? Message(english("line {0}: {1}"), line, measured.there) : measured.there;
    const Message amount(quantity.amount, numberText(measured.value)),
        there = withoutFullStop(measured.there);
    if (there.empty()) return Message(english("{0}; {1}"), amount, asks);
    if (!measured.line) return Message(english("{0}: {1}; {2}"), amount, there, asks);
    if (measured.isAllThere) return Message(english("line {0}: {1}; {2}"), line, there, asks);
    return Message(english("line {0}: {1}; {2} in all, {3}"), line, there, amount, asks);
}

}  // namespace

Message inWords(const Rule& rule) {
    const Quantity& quantity = *rule.quantity;
    if (quantity.isFlag()) return quantity.what;
    Message limit = Message::plain(rule.limit);
    if (rule.limit == kLeast) limit = english("the least that is possible");
    if (rule.factor != 1)
        limit = rule.limit == "1" ? Message::plain(numberText(rule.factor))
                                  : Message(english("{0} times {1}"), numberText(rule.factor), limit);
    return {rowOf(rule.comparison).demands, Message(quantity.what), limit};
}

const std::vector<std::string>& launchNames() {
    static const std::vector<std::string> names{"blocks", "threads", "warps"};
    return names;
}

bool isRuleWord(const std::string& name) {
    return name == kLeast || findQuantity(name) ||
           std::ranges::find(launchNames(), name) != launchNames().end();
}

Expected<Rule> parseRule(const std::string& text, const std::vector<std::string>& parameters) {
    const std::size_t end = text.find_first_of("<>=");
    const std::string name(trimmed(std::string_view(text).substr(0, end)));
    Rule rule{.text = text, .quantity = findQuantity(name), .limit = {}};
    if (!rule.quantity)
        return fail(FaultKind::Syntax, Message(english("'{0}' is no quantity that a rule can speak of{1} "
                                                       "(lockstep check --rules lists them)"),
                                               name, didYouMean(name, quantityNames())));
    if (rule.quantity->isFlag()) {
        if (end != std::string::npos)
            return fail(FaultKind::Syntax, Message(english("'{0}' holds or does not: write it alone"), name));
        return rule;
    }
    const std::string_view tail = end == std::string::npos ? "" : std::string_view(text).substr(end);
    const auto row = std::ranges::find_if(
        kComparisons, [&](const ComparisonRow& one) { return tail.starts_with(one.sign); });
    if (row == kComparisons.end())
        return fail(FaultKind::Syntax,
                    Message(english("the rule needs a limit, for example {0} <= 2"), name));
    rule.comparison = row->comparison;
    std::string_view limit = trimmed(tail.substr(row->sign.size()));
    if (const Expected<void> taken = takeFactor(limit, rule); !taken) return Unexpected{taken.error()};
    rule.limit = limit;
    if (const Expected<void> checked = checkNames(rule, parameters); !checked)
        return Unexpected{checked.error()};
    return rule;
}

Expected<RuleResult> apply(const Rule& rule, const run::Run& run) {
    RuleResult result{.measured = rule.quantity->measure(run), .sentence = {}};
    if (rule.quantity->isFlag()) {
        result.holds = result.measured.value != 0;
    } else {
        const Expected<s64> limit = catalog::evaluate(rule.limit, namesOf(rule, run));
        if (!limit)
            return fail(FaultKind::Usage, Message(english("the limit of '{0}' has no value: {1}"), rule.text,
                                                  limit.error().message));
        result.limit = rule.factor * f64(*limit);
        result.holds = rowOf(rule.comparison).holds(result.measured.value, result.limit);
    }
    if (!result.holds) result.sentence = sentenceOf(rule, result.measured, result.limit);
    return result;
}

}  // namespace lockstep::exercises
