#include "base/text/punctuation.h"
#include "explain/sentences/lane_lists.h"
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

Message whyOf(const AskedStep& asked, std::string_view expression) {
    constexpr std::size_t kMost = 2;
    std::set<std::pair<const void*, const PlaceOnShow*>> said;
    Message all;
    for (const AskedStep::Named& named : asked.quantitiesIn(expression))
        if (named.quantity->why && said.size() < kMost &&
            said.emplace(reinterpret_cast<const void*>(named.quantity->why), named.place).second)
            all = joined(std::move(all), named.quantity->why(*named.place));
    return all.empty() ? sentenceOf(asked.on()) : all;
}

}  // namespace lockstep::lessons
