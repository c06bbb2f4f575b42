#include "base/text/punctuation.h"
#include "explain/sentences/lane_lists.h"
#include "explain/source/source_line.h"
#include "lessons/kinds.h"

#include <algorithm>
#include <set>

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

Message lanesMessage(LaneMask lanes) {
    return Text{explain::lanesInBrief(lanes, Language::English),
                explain::lanesInBrief(lanes, Language::Chinese)};
}

namespace {

// As it differs from the other: another kernel, other parameters, another line, another warp.
Message differenceOf(const Place& place, const PlaceOnShow& on, const Place& other,
                     const PlaceOnShow& otherOn) {
    if (place.kernel != other.kernel)
        return on.run->catalog ? Message(on.run->catalog->variant->title) : Message::plain(place.kernel);
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

Message whyOf(const AskedStep& asked, std::string_view expression) {
    constexpr std::size_t kMost = 2;
    std::vector<AskedStep::Named> told;
    for (const AskedStep::Named& named : asked.quantitiesIn(expression)) {
        const auto isSame = [&](const AskedStep::Named& other) {
            return other.quantity->why == named.quantity->why && other.place == named.place;
        };
        if (named.quantity->why && told.size() < kMost && std::ranges::none_of(told, isSame))
            told.push_back(named);
    }
    if (told.empty()) return sentenceOf(asked.on());
    // Of several places, each says which it is of.
    const auto ofAnother = std::ranges::find_if(
        told, [&](const AskedStep::Named& named) { return named.other != told.front().other; });
    Message all;
    for (const AskedStep::Named& named : told) {
        Message why = named.quantity->why(*named.place);
        if (ofAnother != told.end()) {
            const bool isFirst = named.other == told.front().other;
            const Message name =
                placeName(asked, named.other, isFirst ? ofAnother->other : told.front().other);
            if (!name.empty())
                why = Message(english("what holds at a place", "{0}: {1}"), capitalized(name), why);
        }
        all = joined(std::move(all), why);
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
