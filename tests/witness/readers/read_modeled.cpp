// Times of the cycle model beside measured ones: worked out once more from the cycles of the launches, the
// device's clock and the model's table of errors; and recorded times beside modeled savings.
#include "time/model/time_profile.h"
#include "witness/readers/reader.h"
#include "witness/record/times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep::witness {
namespace {

bool isPercent(f64 said, f64 share) {
    const f64 percent = 100 * share;
    return std::abs(said - percent) <= (percent < 10 ? 0.0501 : 0.501);
}

// Of the longest launch; none: not known.
std::optional<f64> errorOf(const run::TimedRun& timed, const time::TimeProfile& times) {
    const time::LaunchTime* longest = &timed.launches.front();
    for (const time::LaunchTime& launch : timed.launches)
        if (launch.elapsedCycles > longest->elapsedCycles) longest = &launch;
    time::StallCycles stalls{};
    for (const time::StallCycles& ofOne : longest->stalls)
        for (std::size_t i = 0; i < ofOne.size(); ++i)
            stalls[i] += ofOne[i];
    const time::KnownError& known = times.errors[std::size_t(time::kindOf(longest->elapsedCycles, stalls))];
    return known.launches ? std::optional(known.meanPercent) : std::nullopt;
}

}  // namespace

// "This run: 3.84 µs, modeled for NVIDIA H200, mean error 8%, from empty caches"; "Tiles, width = 64: 3.84 µs
// (kernel time); modeled for NVIDIA H200, mean error 8%."; "modeled (mean error 8%)"; of a hint "With this
// changed, the launch would take 43% less time in the cycle model: no bank conflicts (mean error 5%)."
void Reader::modeledText(const Said& said) {
    const run::TimedRun* const timed = picture_.issues ? picture_.issues->timed() : nullptr;
    // Why there is none is the model's own sentence.
    if (const Fault* const why = picture_.issues ? picture_.issues->whyNotTimed() : nullptr) {
        const std::string sentence = describe(*why, picture_.language);
        const std::size_t at = text_.find(sentence);
        for (std::size_t i = 0; at != std::string::npos && i < tokens_->size(); ++i)
            done_[i] = done_[i] || ((*tokens_)[i].begin >= at && (*tokens_)[i].end <= at + sentence.size());
    }
    const bool isModel =
        says(text_, {"modeled", "in the cycle model", "模型", "This run takes", "这次运行用时"});
    const time::TimeProfile* const times = time::timeProfileOf(run_.run().profile);
    if (!timed || !times || !isModel) return;
    u64 cycles = 0;
    for (const time::LaunchTime& launch : timed->launches)
        cycles += launch.elapsedCycles;
    const f64 ms = f64(cycles) / run_.run().profile.speed->clockMhz / 1000;
    const std::optional<f64> error = errorOf(*timed, *times);
    const std::string_view text = text_;
    const std::size_t begins = std::min({text.find(english() ? "This run takes" : "这次运行"),
                                         text.find("This run: "), text.find("odeled"), text.find("模型")});
    const bool isChart = picture_.view == "chart" && !says(text, {"recorded on ", "上记录"});
    for (std::size_t i = 0; i < tokens_->size(); ++i) {
        const Token& token = (*tokens_)[i];
        const std::string_view before = text.substr(0, token.begin);
        const auto check = [&](bool isTrue, std::string why) {
            done_[i] = true;
            if (!isTrue) fail(said, written(token), std::move(why));
        };
        if (before.ends_with("mean error ") || before.ends_with("平均误差 "))
            check(error && std::abs(token.value - *error) <= 0.501, "the model's mean error is another");
        else if (token.noun == "%" && (before.ends_with("would take ") || before.ends_with("用时会减少 ")))
            check(isSaving(token.value, error), "no change of the model saves so much");
        else if (token.noun == "ms" && (isChart || token.begin >= begins))
            check(rounds(token, ms), fmt::format("by the model it is {} ms", ms));
        else if (isChart && before.ends_with(" = "))
            check(isOwnValue(before, token), "the run on show has another value");
    }
}

// Whether a change saves this part of the time, and more than the model's error.
bool Reader::isSaving(f64 percent, std::optional<f64> error) const {
    if (!picture_.issues->waits) return false;
    const run::ChangedTimes& changes = picture_.issues->waits->changes;
    return error && percent > *error - 0.5 &&
           std::ranges::any_of(changes.changes, [&](const run::ChangedTime& changed) {
               return !changed.why && std::abs(percent - 100 * (1 - f64(changed.elapsedCycles) /
                                                                        f64(changes.elapsedCycles))) <= 0.501;
           });
}

// "..., width = 64": the parameter that stands before is that of the run.
bool Reader::isOwnValue(std::string_view before, const Token& token) const {
    before.remove_suffix(std::string_view(" = ").size());
    const catalog::Experiment& own = *run_.run().catalog;
    return std::ranges::any_of(own.variant->parameters, [&](const std::string& name) {
        return before.ends_with(name) && own.family->findParameter(name)->shown(own.values.at(name)) ==
                                             fmt::format("{:.0f}", token.value);
    });
}

// Below a change of the model the recorded time of the variant that makes it: "4.40 µs", "45% less time", and
// what the mouse is told of both.
void Reader::recordedBeside(const Said& said) {
    const RecordedTimes* const times = this->times();
    if (!times || !times->isTheRuns) return;
    const RecordedTime* const own = times->of(run_.run().catalog->variant);
    if (!own || !own->ended()) return;
    const auto some = [&](auto&& isIt) {
        return std::ranges::any_of(times->times, [&](const RecordedTime& time) {
            return time.variant && time.ended() && isIt(time);
        });
    };
    const auto saves = [&](f64 percent) {
        return some([&](const RecordedTime& time) {
            return isPercent(percent, std::abs(1 - time.milliseconds / own->milliseconds));
        });
    };
    const bool isShare = is("#% less time", "时间减少 #%") || is("#% more time", "时间增加 #%");
    for (std::size_t i = 0; i < tokens_->size(); ++i) {
        const Token& token = (*tokens_)[i];
        if (isShare && saves(token.value)) done_[i] = true;
        if (token.noun == "ms") {
            done_[i] = true;
            if (!some([&](const RecordedTime& time) { return rounds(token, time.milliseconds); }))
                fail(said, written(token), "no variant was recorded with this time");
        }
    }
}

}  // namespace lockstep::witness
