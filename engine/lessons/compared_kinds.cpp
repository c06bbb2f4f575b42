// Questions that compare: which explanation holds, what comes before what, what changes from one place to
// another.
#include "base/text/trimmed.h"
#include "lessons/answer_text.h"
#include "lessons/kinds.h"

#include <algorithm>
#include <array>
#include <map>

namespace lockstep::lessons {
namespace {

constexpr Words kChoice = english("the name of one of the explanations");
constexpr Words kOrder = english("the names from the least to the greatest, with blanks or < between them");
constexpr Words kDifference = english("for each: more, less or same, as \"sectors same, wavefronts less\"");

Expected<std::string> truthOfChoice(const AskedStep& asked) {
    std::string found;
    for (const Option& option : asked.question().options) {
        const Expected<s64> holds = asked.number(option.expression);
        if (!holds) return Unexpected{holds.error()};
        if (*holds == 0) continue;
        if (!found.empty())
            return fail(FaultKind::Usage,
                        Message(english("both '{0}' and '{1}' are right"), found, option.name));
        found = option.name;
    }
    if (found.empty()) return fail(FaultKind::Usage, english("none of the choices is right"));
    return found;
}

// As the options are written, where only letters' case differs.
std::vector<std::string> optionNames(const std::vector<Option>& options, std::vector<std::string> words) {
    for (std::string& word : words)
        for (const Option& option : options)
            if (lowered(option.name) == lowered(word)) word = option.name;
    return words;
}

Expected<Judged> judgeChoice(const AskedStep& asked, std::string_view answer) {
    const auto& options = asked.question().options;
    const std::vector<std::string> words = optionNames(options, wordsIn(answer));
    const auto option =
        words.size() == 1 ? std::ranges::find(options, words[0], &Option::name) : options.end();
    if (words.empty()) return unfinished(english("Choose one of the explanations first."));
    if (option == options.end()) return unreadable(kChoice);
    const Expected<std::string> truth = truthOfChoice(asked);
    if (!truth) return Unexpected{truth.error()};
    if (option->name == *truth) return right(option->name);
    return wrong(option->name, english("The run does not bear this out."));
}

std::vector<std::string> usualChoices(const AskedStep& asked) {
    std::vector<std::string> all;
    for (const Option& option : asked.question().options)
        all.push_back(option.name);
    return all;
}

Expected<std::map<std::string, s64>> valuesOf(const AskedStep& asked) {
    std::map<std::string, s64> values;
    for (const Option& option : asked.question().options) {
        const Expected<s64> value = asked.number(option.expression);
        if (!value) return Unexpected{value.error()};
        values[option.name] = *value;
    }
    return values;
}

std::string inOrder(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : " < ") + name;
    return text;
}

Expected<std::vector<std::string>> sorted(const AskedStep& asked) {
    const auto values = valuesOf(asked);
    if (!values) return Unexpected{values.error()};
    std::vector<std::string> names = usualChoices(asked);
    std::ranges::stable_sort(names, {}, [&](const std::string& name) { return values->at(name); });
    return names;
}

Expected<std::string> truthOfOrder(const AskedStep& asked) {
    const auto names = sorted(asked);
    return names ? Expected<std::string>(inOrder(*names)) : Unexpected{names.error()};
}

// Equal ones may come in any order.
Expected<Judged> judgeOrder(const AskedStep& asked, std::string_view answer) {
    if (plainAnswer(answer).find('>') != std::string::npos)
        return unreadable(kOrder);  // the other way round, or not?
    const std::vector<std::string> names = optionNames(asked.question().options, wordsIn(answer));
    const auto values = valuesOf(asked);
    if (!values) return Unexpected{values.error()};
    std::vector<std::string> once = names;
    std::ranges::sort(once);
    const bool isAll =
        once.size() == values->size() &&
        std::ranges::equal(once, *values, {}, {}, [](const auto& value) { return value.first; });
    if (!isAll) {
        const bool areSome =
            !once.empty() && std::ranges::adjacent_find(once) == once.end() &&
            std::ranges::all_of(once, [&](const std::string& name) { return values->contains(name); });
        if (!areSome) return unreadable(kOrder);
        std::vector<Message> left;
        for (const Option& option : asked.question().options)
            if (std::ranges::find(once, option.name) == once.end())
                left.push_back(Message::plain(option.name));
        return unfinished(Message(english("Not placed yet: {0}."), listed(left)));
    }
    const auto truth = sorted(asked);
    if (!truth) return Unexpected{truth.error()};
    std::size_t inPlace = 0;
    for (std::size_t i = 0; i < names.size(); ++i)
        inPlace += values->at(names[i]) == values->at((*truth)[i]);
    if (inPlace == names.size()) return right(inOrder(names));
    // Neither which nor by how much: with few terms that would be the answer.
    const Message count =
        inPlace == 0 ? Message(english("None of the {0} stands in its right place."), names.size())
                     : Message(english("{0} of the {1} {0:stands in its right place|stand in their right "
                                       "places}."),
                               inPlace, names.size());
    const Message clues = cluesToTerms(asked);
    const bool isBare = clues.empty();
    const auto both = [&](Language language) { return count.in(language) + clues.in(language); };
    Judged judged = wrong(inOrder(names), Text{both(Language::English), both(Language::Chinese)});
    judged.isBare = isBare;
    return judged;
}

std::vector<std::string> usualOrders(const AskedStep& asked) {
    std::vector<std::string> all;
    if (auto names = sorted(asked)) {
        std::ranges::reverse(*names);
        all.push_back(inOrder(*names));
        std::ranges::rotate(*names, names->begin() + 1);
        all.push_back(inOrder(*names));
    }
    all.push_back(inOrder(usualChoices(asked)));
    return all;
}

enum class Change : u8 { Less, Same, More };
struct ChangeRow {
    Change change;
    std::array<std::string_view, 7> words;  // the first is how the program says it
};
constexpr std::array kChanges{
    ChangeRow{Change::Less, {"less", "fewer", "-", "down", "更少", "变少", "减少"}},
    ChangeRow{Change::Same, {"same", "equal", "=", "unchanged", "不变", "相同", "一样"}},
    ChangeRow{Change::More, {"more", "greater", "+", "up", "更多", "变多", "增加"}}};

struct Compared {
    std::string name;
    Message meaning;
    s64 from = 0, to = 0;
    Change change() const { return to < from ? Change::Less : to > from ? Change::More : Change::Same; }
};

Expected<std::vector<Compared>> comparedIn(const AskedStep& asked) {
    std::vector<Compared> all;
    for (const std::string& name : asked.question().changes) {
        const Expected<s64> from = asked.number(name), to = asked.number(asked.question().to + "_" + name);
        if (!from) return Unexpected{from.error()};
        if (!to) return Unexpected{to.error()};
        const AskedStep::Named named = asked.named(name);
        all.push_back(
            {name, named.quantity ? Message(named.quantity->meaning) : Message::plain(name), *from, *to});
    }
    return all;
}

std::string textOf(const std::vector<std::pair<std::string, Change>>& changes) {
    std::string text;
    for (const auto& [name, change] : changes)
        text += (text.empty() ? "" : ", ") + name + " " + std::string(kChanges[std::size_t(change)].words[0]);
    return text;
}

Expected<std::string> truthOfDifference(const AskedStep& asked) {
    const auto compared = comparedIn(asked);
    if (!compared) return Unexpected{compared.error()};
    std::vector<std::pair<std::string, Change>> changes;
    for (const Compared& one : *compared)
        changes.emplace_back(one.name, one.change());
    return textOf(changes);
}

// The quantity of the question that these words mean: its name, its meaning in either language, or a part of
// them that no other one has; "requests" of total_requests. Empty: none or several.
std::string quantityMeant(const AskedStep& asked, std::string_view words) {
    const std::string wanted = lowered(words);
    const auto says = [&](const std::string& name, bool whole) {
        const AskedStep::Named named = asked.named(name);
        const Message meaning = named.quantity ? Message(named.quantity->meaning) : Message();
        return std::ranges::any_of(
            std::array{name, lowered(meaning.in(Language::English)), meaning.in(Language::Chinese)},
            [&](const std::string& text) {
                return whole ? text == wanted : text.find(wanted) != std::string::npos;
            });
    };
    for (const bool whole : {true, false}) {
        std::vector<std::string> meant;
        for (const std::string& name : asked.question().changes)
            if (says(name, whole)) meant.push_back(name);
        if (meant.size() == 1) return meant.front();
    }
    return {};
}

using Changes = std::vector<std::pair<std::string, Change>>;

// In the order of the question.
Changes asAsked(const AskedStep& asked, const std::map<std::string, Change>& said) {
    Changes changes;
    for (const std::string& each : asked.question().changes)
        if (const auto found = said.find(each); found != said.end())
            changes.emplace_back(each, found->second);
    return changes;
}

// "requests to global memory more, 波前数减少": what it is of in words, and at its end how it changes. None:
// it is not so.
std::optional<Changes> changesInWords(const AskedStep& asked, std::string_view answer) {
    std::map<std::string, Change> said;
    const std::string plain = lowered(plainAnswer(answer));
    for (std::size_t from = 0; from <= plain.size();) {
        const std::size_t end = std::min(plain.find_first_of(",|", from), plain.size());
        const std::string_view part = trimmed(std::string_view(plain).substr(from, end - from));
        from = end + 1;
        if (part.empty()) continue;
        const ChangeRow* row = nullptr;
        std::string_view word;
        for (const ChangeRow& each : kChanges)
            for (const std::string_view one : each.words)
                if (part.ends_with(one) && one.size() > word.size()) row = &each, word = one;
        if (!row) return {};
        std::string_view of = trimmed(part.substr(0, part.size() - word.size()));
        while (of.ends_with(':') || of.ends_with('='))
            of = trimmed(of.substr(0, of.size() - 1));
        const std::string name = of.empty() ? std::string() : quantityMeant(asked, of);
        if (name.empty() || !said.emplace(name, row->change).second) return {};
    }
    return asAsked(asked, said);
}

// "sectors same, wavefronts less", or, in the order of the question, "same less". It may lack some.
std::optional<Changes> changesIn(const AskedStep& asked, std::string_view answer) {
    std::map<std::string, Change> said;
    std::string name;
    std::size_t next = 0;
    const auto& names = asked.question().changes;
    for (const std::string& word : wordsIn(lowered(answer))) {
        const auto row = std::ranges::find_if(
            kChanges, [&](const ChangeRow& r) { return std::ranges::find(r.words, word) != r.words.end(); });
        if (row == kChanges.end()) {
            if (!name.empty()) return changesInWords(asked, answer);
            name = word.ends_with(':') ? word.substr(0, word.size() - 1) : word;
            if (std::ranges::find(names, name) == names.end()) name = quantityMeant(asked, name);
            if (name.empty()) return changesInWords(asked, answer);
            continue;
        }
        if (name.empty() && next < names.size()) name = names[next];
        if (name.empty() || !said.emplace(name, row->change).second) return {};
        name.clear(), ++next;
    }
    return asAsked(asked, said);
}

Words notSo(Change change) {
    switch (change) {
        case Change::Less: return english("of a quantity", "{0}: not less.");
        case Change::Same: return english("of a quantity", "{0}: not the same.");
        case Change::More: break;
    }
    return english("of a quantity", "{0}: not more.");
}

Expected<Judged> judgeDifference(const AskedStep& asked, std::string_view answer) {
    const auto changes = changesIn(asked, answer);
    if (!changes) return unreadable(kDifference);
    const auto compared = comparedIn(asked);
    if (!compared) return Unexpected{compared.error()};
    std::vector<Message> left;
    for (const Compared& one : *compared)
        if (std::ranges::find(*changes, one.name, &std::pair<std::string, Change>::first) == changes->end())
            left.push_back(one.meaning);
    if (!left.empty()) return unfinished(Message(english("Not answered yet: {0}."), listed(left)));
    Message reason;
    std::vector<std::string> wrongOnes;
    for (std::size_t i = 0; i < compared->size(); ++i)
        if (const Compared& one = (*compared)[i]; one.change() != (*changes)[i].second) {
            reason =
                joined(std::move(reason), capitalized(Message(notSo((*changes)[i].second), one.meaning)));
            wrongOnes.push_back(one.name);
        }
    if (reason.empty()) return right(textOf(*changes));
    ChangeClues change = cluesToChange(asked, wrongOnes);
    Judged judged = wrong(textOf(*changes), joined(std::move(reason), std::move(change.clues)));
    judged.isBare = change.isOneBare;
    judged.isOld = change.areOld;
    return judged;
}

std::vector<std::string> usualDifferences(const AskedStep& asked) {
    std::vector<std::string> all;
    for (const Change change : {Change::Less, Change::Same, Change::More}) {
        Changes changes;
        for (const std::string& name : asked.question().changes)
            changes.emplace_back(name, change);
        all.push_back(textOf(changes));
    }
    return all;
}

}  // namespace

std::vector<QuestionKind> comparedKinds() {
    return {
        {"choice",
         kChoice,
         {"choices"},
         truthOfChoice,
         judgeChoice,
         nullptr,
         usualChoices,
         /*remarkSaysAll=*/true},
        {"order", kOrder, {"order"}, truthOfOrder, judgeOrder, nullptr, usualOrders},
        {"difference",
         kDifference,
         {"change", "to"},
         truthOfDifference,
         judgeDifference,
         nullptr,
         usualDifferences,
         /*remarkSaysAll=*/true},
    };
}

}  // namespace lockstep::lessons
