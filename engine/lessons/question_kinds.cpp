#include "base/text/counted.h"
#include "base/text/punctuation.h"
#include "explain/sentences/lane_lists.h"
#include "explain/source/source_line.h"
#include "lessons/kinds.h"
#include "lessons/place_clues.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <regex>

namespace lockstep::lessons {

std::span<const QuestionKind> questionKinds() {
    static const std::vector<QuestionKind> rows = [] {
        std::vector<QuestionKind> all;
        for (auto part : {plainKinds(), comparedKinds(), machineKinds()})
            std::ranges::move(part, std::back_inserter(all));
        all.push_back(barrierKind());
        return all;
    }();
    return rows;
}

const QuestionKind* findQuestionKind(std::string_view name) {
    const auto found = std::ranges::find(questionKinds(), name, &QuestionKind::name);
    return found == questionKinds().end() ? nullptr : &*found;
}

Message joined(Message first, Message second) {
    if (first.empty()) return second;
    if (second.empty()) return first;
    const auto both = [&](Language language) {
        return first.in(language) + sentenceGap(language) + second.in(language);
    };
    return Text{both(Language::English), both(Language::Chinese)};
}

Message missingLanes(LaneMask missing) {
    if (missing.empty()) return {};
    return Message(english("{0} {0:lane is|lanes are} missing."), missing.count());
}

Message lanesMessage(LaneMask lanes) {
    return Text{explain::lanesInBrief(lanes, Language::English),
                explain::lanesInBrief(lanes, Language::Chinese)};
}

bool namesNumber(std::string_view text, s64 number) {
    const auto isDigit = [&](std::size_t at) {
        return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at]));
    };
    for (const std::string& wanted : {std::to_string(number), grouped(u64(std::abs(number)))})
        for (std::size_t at = text.find(wanted); at != std::string_view::npos;
             at = text.find(wanted, at + 1)) {
            const std::size_t end = at + wanted.size();
            const bool begins =
                at == 0 || !(isDigit(at - 1) ||
                             (at > 1 && isDigit(at - 2) && (text[at - 1] == ',' || text[at - 1] == '.')));
            const bool ends = !isDigit(end) && !(end < text.size() &&
                                                 (text[end] == ',' || text[end] == '.') && isDigit(end + 1));
            if (begins && ends) return true;
        }
    return false;
}

namespace {

// A kernel's title, translated.
Message inBothLanguages(const Text& title) {
    return Text{title.in(Language::English), title.in(Language::Chinese)};
}

// As it differs from the other: another kernel, other parameters, another line, another warp.
Message differenceOf(const Place& place, const PlaceOnShow& on, const Place& other,
                     const PlaceOnShow& otherOn) {
    if (place.kernel != other.kernel)
        return on.run->catalog ? inBothLanguages(on.run->catalog->variant->title)
                               : Message::plain(place.kernel);
    std::vector<Message> settings;
    for (const auto& setting : place.settings)
        if (std::ranges::find(other.settings, setting) == other.settings.end())
            settings.push_back(Message::plain(setting.first + " = " + setting.second));
    if (!settings.empty()) return listed(settings);
    const auto lineOf = [](const PlaceOnShow& one) {
        return explain::lineOf(*one.run->module, one.here.step->pc).line;
    };
    if (const u32 line = lineOf(on); line && line != lineOf(otherOn))
        return Message(english("line {0}"), line);
    if (place.warp != other.warp) return Message(english("warp {0}"), place.warp);
    if (const model::Profile& profile = on.run->profile; profile.name != otherOn.run->profile.name)
        return Message(english("compute capability {0}.{1}"), profile.major, profile.minor);
    return {};
}

}  // namespace

Message placeName(const AskedStep& asked, const std::string& place, const std::string& other) {
    const auto placeOf = [&](const std::string& name) -> const Place* {
        return name.empty() ? &asked.place() : asked.otherPlace(name);
    };
    const auto onShow = [&](const std::string& name) -> const PlaceOnShow* {
        return name.empty() ? &asked.on() : asked.other(name);
    };
    if (!placeOf(place) || !placeOf(other)) return {};
    return differenceOf(*placeOf(place), *onShow(place), *placeOf(other), *onShow(other));
}

namespace {

// "stride = 7": names of the source, which stay as they are at the beginning of a sentence.
// So do names of files.
bool isOfSource(const Message& name) {
    const std::string text = name.in(Language::English);
    return text.find(" = ") != std::string::npos || text.ends_with(".cu") || text.ends_with(".ptx");
}

// "V2: sequential addressing": a title, which would run into what is said of it.
bool hasPause(const Message& name) {
    return name.in(Language::English).find_first_of(":,") != std::string::npos;
}

Message holdsAt(const Message& name, const Message& clue) {
    if (name.empty()) return clue;
    return Message(hasPause(name) ? english("what holds at a place", "\"{0}\": {1}")
                                  : english("what holds at a place", "{0}: {1}"),
                   isOfSource(name) ? name : capitalized(name), clue);
}

}  // namespace

namespace {

struct Told {
    AskedStep::Named named;
    Message clue;
};

bool saysSame(const Message& a, const Message& b) {
    return a.in(Language::English) == b.in(Language::English);
}

// But for the numbers of lines: in another kernel the same stands elsewhere.
bool saysSameElsewhere(const Message& a, const Message& b) {
    const auto withoutLines = [](const Message& message) {
        static const std::regex lines("lines? [0-9]+(, [0-9]+)*( and [0-9]+)?");
        return std::regex_replace(message.in(Language::English), lines, "line");
    };
    return withoutLines(a) == withoutLines(b);
}

// Clues that have one of these numbers in them, though the question has it not: by chance or not, it would
// be the answer.
class Secrets {
public:
    Secrets(const AskedStep& asked, std::span<const s64> answers)
        : body_(asked.filled(asked.step().text(Language::English).body, Language::English).value_or("")) {
        for (const s64 answer : answers)
            if (!namesNumber(body_, answer)) answers_.push_back(answer);
    }
    bool areIn(const Message& clue) const {
        return std::ranges::any_of(
            answers_, [&](s64 answer) { return namesNumber(clue.in(Language::English), answer); });
    }

private:
    std::string body_;
    std::vector<s64> answers_;
};

// Those that may be told, in the order of the row.
std::vector<Message> cluesThatMayBeTold(const AskedStep::Named& named, const Secrets& secrets) {
    std::vector<Message> clues;
    for (const ClueOf clueOf : named.quantity->clue.all)
        if (clueOf)
            if (Message clue = clueOf(*named.place); !clue.empty() && !secrets.areIn(clue))
                clues.push_back(std::move(clue));
    return clues;
}

// Another place says which it is, once.
Message inOneSentenceEach(const AskedStep& asked, std::span<const Told> told) {
    Message all;
    const std::string* before = nullptr;
    for (const auto& [named, clue] : told) {
        if (before && *before == named.other) {
            all = joined(std::move(all), clue);
            continue;
        }
        before = &named.other;
        const auto another =
            std::ranges::find_if(told, [&](const Told& other) { return other.named.other != named.other; });
        const Message name = another == told.end() ? placeName(asked, named.other, {})
                                                   : placeName(asked, named.other, another->named.other);
        all = joined(std::move(all), holdsAt(name, clue));
    }
    return all;
}

// Of a formula with others it is what everyone has in mind.
bool isConstant(const Quantity& quantity) {
    return quantity.clue.all[0] == ofDeviceClue || quantity.clue.all[0] == ofEveryDeviceClue;
}

void addOnce(std::vector<Told>& told, const AskedStep::Named& named, Message clue) {
    const auto isSame = [&](const Told& other) { return saysSame(other.clue, clue); };
    if (std::ranges::none_of(told, isSame)) told.push_back({named, std::move(clue)});
}

}  // namespace

Message cluesTo(const AskedStep& asked, std::string_view expression, std::span<const s64> answers,
                std::size_t most) {
    const Secrets secrets(asked, answers);
    std::vector<Told> told;
    const std::vector<AskedStep::Named> all = asked.quantitiesIn(expression);
    for (const AskedStep::Named& named : all)
        if (std::vector<Message> clues = cluesThatMayBeTold(named, secrets);
            !clues.empty() && told.size() < most && (all.size() == 1 || !isConstant(*named.quantity)))
            addOnce(told, named, std::move(clues.front()));
    return inOneSentenceEach(asked, told);
}

Message clueAgainst(const AskedStep& asked, s64 value, bool more) {
    const AskedStep::Named named = asked.named(asked.question().answer);
    if (!named.quantity) return {};
    const Secrets secrets(asked, std::span(&value, 1));
    for (const ClueOf clueOf : (more ? named.quantity->notMore : named.quantity->notLess).all)
        if (clueOf)
            if (Message clue = clueOf(*named.place); !clue.empty() && !secrets.areIn(clue)) return clue;
    return {};
}

Message cluesToTerms(const AskedStep& asked) {
    struct Term {
        std::vector<Message> names;
        Message clue;
    };
    std::vector<Term> terms;
    for (const Option& option : asked.question().options) {
        const std::vector<AskedStep::Named> named = asked.quantitiesIn(option.expression);
        std::vector<Message> clues =
            named.empty() ? std::vector<Message>{} : cluesThatMayBeTold(named.front(), Secrets(asked, {}));
        if (clues.empty()) continue;
        const auto same =
            std::ranges::find_if(terms, [&](const Term& term) { return saysSame(term.clue, clues.front()); });
        if (same != terms.end())
            same->names.push_back(Message::plain(option.name));
        else
            terms.push_back({{Message::plain(option.name)}, std::move(clues.front())});
    }
    Text items;
    for (const Term& term : terms) {
        const Message item(english("what holds at a place", "{0}: {1}"), listed(term.names), term.clue);
        items.en += "\n- " + item.in(Language::English);
        items.zh += "\n- " + item.in(Language::Chinese);
    }
    return items;
}

ChangeClues cluesToChange(const AskedStep& asked, std::span<const std::string> quantities) {
    const Secrets none(asked, {});
    ChangeClues result;
    std::vector<Told> told;
    for (const std::string& name : quantities) {
        const AskedStep::Named named = asked.named(asked.question().to + "_" + name);
        if (!named.quantity) {
            result.isOneBare = true;
            continue;
        }
        const std::optional<s64> value = numberOf(*named.quantity, *named.place);
        std::vector<Message> clues =
            cluesThatMayBeTold(named, value ? Secrets(asked, std::span(&*value, 1)) : none);
        result.isOneBare |= clues.empty();
        if (clues.empty()) continue;
        const std::vector<Message> before = cluesThatMayBeTold({named.quantity, &asked.on()}, none);
        const auto heldBefore = [&](const Message& clue) {
            return std::ranges::any_of(before,
                                       [&](const Message& one) { return saysSameElsewhere(one, clue); });
        };
        const bool changes = value != numberOf(*named.quantity, asked.on());
        // What stays is best explained by what stays; else by all of what it follows from.
        auto best =
            std::ranges::find_if(clues, [&](const Message& clue) { return heldBefore(clue) != changes; });
        if (best == clues.end()) best = changes ? clues.begin() : std::prev(clues.end());
        result.areOld |= changes && heldBefore(*best);
        addOnce(told, named, std::move(*best));
    }
    result.clues = inOneSentenceEach(asked, told);
    return result;
}

// As a sentence begins.
Message capitalized(const Message& sentence) {
    Text text{sentence.in(Language::English), sentence.in(Language::Chinese)};
    if (!text.en.empty() && text.en[0] >= 'a' && text.en[0] <= 'z') text.en[0] = char(text.en[0] - 'a' + 'A');
    return text;
}

}  // namespace lockstep::lessons
