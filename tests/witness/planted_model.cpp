// Errors in times of the cycle model: a time that is drawn with one thing wrong, and texts that are changed.
#include "witness/planted.h"
#include "witness/tokens.h"

#include <fmt/format.h>

#include <array>

namespace lockstep::witness {
namespace {

constexpr u64 kAside = 11;  // a tenth more: what a figure of three digits shows

void slower(run::TimedRun& time) {
    time.microseconds *= f64(kAside) / 10, time.elapsedCycles = time.elapsedCycles * kAside / 10;
}

// Another clock, at which the same cycles take less time.
void faster(run::TimedRun& time) { time.microseconds /= 2; }

void moreCertain(run::TimedRun& time) {
    if (time.errorPercent) *time.errorPercent += 7;
    time.error = time.errorBrief = Message::plain("mean error 77%");
}

void otherWaits(run::TimedRun& time) {
    for (run::TimedLine& line : time.lines)
        for (u64& cycles : line.stalls)
            cycles = cycles * kAside / 10;
}

void ofOneMoreLine(run::TimedRun& time) {
    for (run::TimedLine& line : time.lines)
        line.line += line.line ? 1 : 0;
}

void exposedAll(run::TimedRun& time) {
    for (run::TimedLine& line : time.lines)
        line.exposed = line.stalls;
}

Planted drawn(const char* name, std::string_view view, void (*time)(run::TimedRun&)) {
    return {.name = name, .tamper = {}, .change = {}, .view = view, .isModeled = true, .time = time};
}

// Of a text that has the words, the number behind them.
Planted behind(const char* name, std::string_view view, std::string_view words, s64 by) {
    return {.name = name,
            .tamper = {},
            .change =
                [words, by](Said& said) {
                    const std::size_t at = said.text.find(words);
                    if (at == std::string::npos) return false;
                    for (const Token& token : tokensOf(said.text)) {
                        if (token.begin < at + words.size()) continue;
                        said.text.replace(token.begin, token.end - token.begin,
                                          fmt::format("{}", s64(token.value) + by));
                        return true;
                    }
                    return false;
                },
            .view = view,
            .isModeled = true};
}

}  // namespace

std::span<const Planted> plantedInModel() {
    static const std::array kPlanted{
        drawn("times: a modeled time of another run", "times", slower),
        drawn("times: a modeled time at another clock", "times", faster),
        drawn("times: a modeled time of another error", "times", moreCertain),
        behind("times: a smaller error than the model's", "times", "mean error ", -2),
        drawn("chart: a modeled point of another time", "chart", slower),
        behind("chart: another error of the modeled points", "chart", "modeled (mean error ", 3),
        drawn("waits: cycles of another run", "waits", slower),
        drawn("waits: a tenth more of waiting", "waits", otherWaits),
        drawn("waits: the line behind", "waits", ofOneMoreLine),
        drawn("waits: all waiting called exposed", "waits", exposedAll),
        Planted{.name = "waits: another saving of a change",
                .tamper = {},
                .change =
                    [](Said& said) {
                        if (said.isHover || !contains(said.text, "% less time")) return false;
                        return said.text.insert(0, "1"), true;  // 143% for 43%
                    },
                .view = "waits",
                .isModeled = true},
        behind("findings: a saving that no change has", "findings", "the launch would take ", 5),
        behind("findings: another error of the model", "findings", "mean error ", 2),
    };
    return kPlanted;
}

}  // namespace lockstep::witness
