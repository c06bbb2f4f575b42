#include "base/text/counted.h"
#include "base/text/punctuation.h"
#include "explain/sentences/lane_lists.h"
#include "explain/source/source_line.h"
#include "lessons/kinds.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

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
bool hasSetting(const Message& name) { return name.in(Language::English).find(" = ") != std::string::npos; }

// "V2: sequential addressing": a title, which would run into what is said of it.
bool hasPause(const Message& name) {
    return name.in(Language::English).find_first_of(":,") != std::string::npos;
}

Message holdsAt(const Message& name, const Message& clue) {
    if (name.empty()) return clue;
    return Message(hasPause(name) ? english("what holds at a place", "\"{0}\": {1}")
                                  : english("what holds at a place", "{0}: {1}"),
                   hasSetting(name) ? name : capitalized(name), clue);
}

}  // namespace

Message cluesTo(const AskedStep& asked, std::string_view expression, std::span<const s64> answers,
                std::size_t most) {
    const std::string body =
        asked.filled(asked.step().text(Language::English).body, Language::English).value_or("");
    const auto givesAway = [&](const Message& clue) {
        return std::ranges::any_of(answers, [&](s64 answer) {
            return !namesNumber(body, answer) && namesNumber(clue.in(Language::English), answer);
        });
    };
    struct Told {
        AskedStep::Named named;
        ClueOf clueOf;
        Message clue;
    };
    std::vector<Told> told;
    for (const AskedStep::Named& named : asked.quantitiesIn(expression)) {
        const auto isSame = [&](const Told& other) {
            return other.clueOf == named.quantity->clue.first && other.named.place == named.place;
        };
        const auto& [first, otherwise] = named.quantity->clue;
        if (!first || told.size() == most || std::ranges::any_of(told, isSame)) continue;
        Message clue = first(*named.place);
        if (otherwise && (clue.empty() || givesAway(clue))) clue = otherwise(*named.place);
        const auto saysSame = [&](const Told& other) {  // of two places the same
            return other.clue.in(Language::English) == clue.in(Language::English);
        };
        if (!clue.empty() && !givesAway(clue) && std::ranges::none_of(told, saysSame))
            told.push_back({named, first, std::move(clue)});
    }
    // Another place says which it is, once.
    Message all;
    const std::string* before = nullptr;
    for (const auto& [named, clueOf, clue] : told) {
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

// As a sentence begins.
Message capitalized(const Message& sentence) {
    Text text{sentence.in(Language::English), sentence.in(Language::Chinese)};
    if (!text.en.empty() && text.en[0] >= 'a' && text.en[0] <= 'z') text.en[0] = char(text.en[0] - 'a' + 'A');
    return text;
}

}  // namespace lockstep::lessons
