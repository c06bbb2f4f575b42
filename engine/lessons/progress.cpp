#include "lessons/progress.h"

#include <algorithm>
#include <array>

namespace lockstep::lessons {
namespace {

constexpr std::string_view kFirstLine = "lockstep lessons 1";
constexpr std::size_t kLongestName = 200, kMostLines = 100'000;

struct OutcomeRow {
    Outcome outcome;
    std::string_view name;
};
constexpr std::array kOutcomes{OutcomeRow{Outcome::FirstTry, "first-try"},
                               OutcomeRow{Outcome::LaterTry, "later-try"},
                               OutcomeRow{Outcome::AfterHint, "after-hint"},
                               OutcomeRow{Outcome::Shown, "shown"}, OutcomeRow{Outcome::Seen, "seen"}};

bool canBeKept(std::string_view name) {
    return !name.empty() && name.size() <= kLongestName &&
           std::ranges::none_of(name, [](char c) { return c == '\t' || c == '\n' || c == '\r'; });
}

std::string_view nextLine(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(text.size(), end + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

}  // namespace

void Progress::add(std::string_view lesson, std::string_view step, Outcome outcome) {
    if (!canBeKept(lesson) || !canBeKept(step)) return;
    auto& steps = outcomes_[std::string(lesson)];
    const auto [known, isNew] = steps.emplace(std::string(step), outcome);
    if (!isNew) known->second = std::min(known->second, outcome);
}

void Progress::add(const Progress& other) {
    for (const auto& [lesson, steps] : other.outcomes_)
        for (const auto& [step, outcome] : steps)
            add(lesson, step, outcome);
}

std::optional<Outcome> Progress::of(std::string_view lesson, std::string_view step) const {
    const auto steps = outcomes_.find(lesson);
    if (steps == outcomes_.end()) return std::nullopt;
    const auto found = steps->second.find(step);
    return found == steps->second.end() ? std::nullopt : std::optional(found->second);
}

std::string Progress::text() const {
    std::string text = std::string(kFirstLine) + "\n";
    for (const auto& [lesson, steps] : outcomes_)
        for (const auto& [step, outcome] : steps) {
            text += std::ranges::find(kOutcomes, outcome, &OutcomeRow::outcome)->name;
            for (const std::string& name : {lesson, step}) {
                text += '\t';
                text += name;
            }
            text += '\n';
        }
    return text;
}

Expected<Progress> Progress::parse(std::string_view text, const std::string& file) {
    if (nextLine(text) != kFirstLine)
        return fail(FaultKind::Damaged, english("this is no file with the progress of lessons"),
                    {file, 1, 0});
    Progress progress;
    for (u32 number = 2; !text.empty(); ++number) {
        const std::string_view line = nextLine(text);
        if (line.empty()) continue;
        const std::size_t first = line.find('\t'), second = line.find('\t', first + 1);
        const bool isWhole = first != std::string_view::npos && second != std::string_view::npos;
        const auto row =
            std::ranges::find(kOutcomes, isWhole ? line.substr(0, first) : line, &OutcomeRow::name);
        const std::string_view lesson = isWhole ? line.substr(first + 1, second - first - 1) : line,
                               step = isWhole ? line.substr(second + 1) : line;
        if (!isWhole || row == kOutcomes.end() || !canBeKept(lesson) || !canBeKept(step) ||
            number > kMostLines)
            return fail(FaultKind::Damaged, english("the progress of lessons is damaged from this line on"),
                        {file, number, 0});
        progress.add(lesson, step, row->outcome);
    }
    return progress;
}

}  // namespace lockstep::lessons
