#include "lessons/progress.h"

#include "base/text/utf8.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <set>

namespace lockstep::lessons {
namespace {

constexpr std::string_view kFirstLine = "lockstep lessons 1", kAnyVersion = "lockstep lessons ";
constexpr std::string_view kVisited = "visited";
constexpr std::size_t kLongestName = 4096, kMostLines = 100'000;

struct OutcomeRow {
    Outcome outcome;
    std::string_view name;
};
constexpr std::array kOutcomes{OutcomeRow{Outcome::FirstTry, "first-try"},
                               OutcomeRow{Outcome::LaterTry, "later-try"},
                               OutcomeRow{Outcome::AfterHint, "after-hint"},
                               OutcomeRow{Outcome::Shown, "shown"}, OutcomeRow{Outcome::Seen, "seen"}};

bool canBeKept(std::string_view name) {
    return !name.empty() && name.size() <= kLongestName && !firstNotUtf8(name) &&
           std::ranges::none_of(name, [](char c) { return c == '\t' || c == '\n' || c == '\r'; });
}

std::string_view nextLine(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(text.size(), end + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

// "2026-11-28 09:30".
bool isTime(std::string_view text) {
    constexpr std::string_view kForm = "0000-00-00 00:00";
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    const bool hasForm =
        text.size() == kForm.size() && std::ranges::equal(text, kForm, [&](char c, char form) {
            return form == '0' ? isDigit(c) : c == form;
        });
    if (!hasForm) return false;
    const auto number = [&](std::size_t at) { return (text[at] - '0') * 10 + (text[at + 1] - '0'); };
    return number(5) >= 1 && number(5) <= 12 && number(8) >= 1 && number(8) <= 31 && number(11) < 24 &&
           number(14) < 60;
}

}  // namespace

void Progress::add(std::string_view lesson, std::string_view step, Outcome outcome) {
    if (!canBeKept(lesson) || !canBeKept(step)) return;
    auto& steps = outcomes_[std::string(lesson)];
    const auto [known, isNew] = steps.emplace(std::string(step), outcome);
    if (!isNew) known->second = std::min(known->second, outcome);
}

void Progress::visit(std::string_view lesson, std::string_view step, std::string_view time) {
    if (!canBeKept(lesson) || !canBeKept(step) || !canBeKept(time)) return;
    Visit& last = visits_[std::string(lesson)];
    if (last.time <= time) last = {std::string(step), std::string(time)};
}

void Progress::visitNow(std::string_view lesson, std::string_view step, std::string_view time) {
    if (!canBeKept(time)) return;
    for (auto& [other, last] : visits_)
        if (last.time > time) last.time = time;
    visit(lesson, step, time);
}

const Progress::Visit* Progress::lastVisit(std::string_view lesson) const {
    const auto found = visits_.find(lesson);
    return found == visits_.end() ? nullptr : &found->second;
}

void Progress::add(const Progress& other) {
    for (const auto& [lesson, steps] : other.outcomes_)
        for (const auto& [step, outcome] : steps)
            add(lesson, step, outcome);
    for (const auto& [lesson, last] : other.visits_)
        visit(lesson, last.step, last.time);
}

std::optional<Outcome> Progress::of(std::string_view lesson, std::string_view step) const {
    const auto steps = outcomes_.find(lesson);
    if (steps == outcomes_.end()) return std::nullopt;
    const auto found = steps->second.find(step);
    return found == steps->second.end() ? std::nullopt : std::optional(found->second);
}

std::string Progress::text() const {
    std::string text = std::string(kFirstLine) + "\n";
    const auto addLine = [&](std::string_view word, std::initializer_list<std::string_view> names) {
        text += word;
        for (const std::string_view name : names)
            text.append("\t").append(name);
        text += '\n';
    };
    for (const auto& [lesson, steps] : outcomes_)
        for (const auto& [step, outcome] : steps)
            addLine(std::ranges::find(kOutcomes, outcome, &OutcomeRow::outcome)->name, {lesson, step});
    for (const auto& [lesson, last] : visits_)
        addLine(kVisited, {lesson, last.step, last.time});
    return text;
}

// False: the line is none of such a file.
bool Progress::addLine(std::string_view line) {
    std::vector<std::string_view> parts;
    for (std::size_t at = 0; at <= line.size();) {
        const std::size_t end = std::min(line.find('\t', at), line.size());
        parts.push_back(line.substr(at, end - at));
        at = end + 1;
    }
    if (!std::ranges::all_of(parts, canBeKept)) return false;
    if (parts.size() == 4 && parts[0] == kVisited && isTime(parts[3]))
        return visit(parts[1], parts[2], parts[3]), true;
    const auto row = std::ranges::find(kOutcomes, parts[0], &OutcomeRow::name);
    if (parts.size() != 3 || row == kOutcomes.end()) return false;
    add(parts[1], parts[2], row->outcome);
    return true;
}

std::vector<std::string> Progress::lessons() const {
    std::set<std::string, std::less<>> names;
    for (const auto& [lesson, steps] : outcomes_)
        names.insert(lesson);
    for (const auto& [lesson, last] : visits_)
        names.insert(lesson);
    return {names.begin(), names.end()};
}

std::vector<std::string> Progress::stepsOf(std::string_view lesson) const {
    std::vector<std::string> steps;
    if (const auto found = outcomes_.find(lesson); found != outcomes_.end())
        for (const auto& [step, outcome] : found->second)
            steps.push_back(step);
    return steps;
}

void Progress::copy(std::string_view from, std::string_view to) {
    if (const auto found = outcomes_.find(from); found != outcomes_.end())
        for (const auto& [step, outcome] : std::map(found->second))
            add(to, step, outcome);
    if (const Visit* last = lastVisit(from)) {
        const Visit copied = *last;
        visit(to, copied.step, copied.time);
    }
}

// A first line that is damaged is one line of many, unless there is no other of such a file.
Expected<ParsedProgress> parseProgress(std::string_view text, const std::string& file) {
    const auto noSuchFile = [&] {
        return fail(FaultKind::Damaged, english("this is no file with the progress of lessons"),
                    {file, 1, 0});
    };
    ParsedProgress read;
    const auto leaveOut = [&](u32 number, const Words& why) {
        read.leftOut.push_back(fail(FaultKind::Damaged, why, {file, number, 0}).value());
    };
    constexpr Words kDamaged = english("this line is damaged and was left out");
    const std::string_view first = nextLine(text);
    const bool isFirst = first == kFirstLine;
    // Of a later version every line may mean something else.
    if (!isFirst && first.starts_with(kAnyVersion)) return noSuchFile();
    // Without it, a good line may stand there.
    if (!isFirst && !read.progress.addLine(first)) leaveOut(1, kDamaged);
    for (u32 number = 2; !text.empty(); ++number) {
        const std::string_view line = nextLine(text);
        if (line.empty()) continue;
        if (number > kMostLines) {
            leaveOut(number, english("the lines from this one on were left out: there are too many"));
            break;
        }
        if (!read.progress.addLine(line)) leaveOut(number, kDamaged);
    }
    if (!isFirst && read.progress.empty()) return noSuchFile();
    return read;
}

}  // namespace lockstep::lessons
