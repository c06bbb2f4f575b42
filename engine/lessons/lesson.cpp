#include "lessons/lesson.h"

#include "base/check.h"

#include <algorithm>
#include <array>
#include <optional>

namespace lockstep::lessons {
namespace {

template <class Texts> const auto& textIn(const Texts& texts, Language language) {
    const auto found = texts.find(language);
    CHECK(!texts.empty(), "a lesson has a file");
    return found != texts.end() ? found->second : texts.begin()->second;
}

const std::string* find(const std::vector<std::pair<std::string, std::string>>& sections,
                        std::string_view name) {
    const auto found = std::ranges::find(sections, name, &std::pair<std::string, std::string>::first);
    return found == sections.end() ? nullptr : &found->second;
}

constexpr auto kCursorParts = std::to_array<CursorPart>({
    {"lane", [](const Place& p) { return p.lane; }, [](Place& p, u32 lane) { p.lane = lane; }},
    {"warp", [](const Place& p) { return std::optional(p.warp); }, [](Place& p, u32 warp) { p.warp = warp; }},
    {"time", [](const Place& p) { return std::optional(p.time); }, [](Place& p, u32 time) { p.time = time; }},
    {"block_x", [](const Place& p) { return std::optional(p.block.x); },
     [](Place& p, u32 x) { p.block.x = x; }},
    {"block_y", [](const Place& p) { return std::optional(p.block.y); },
     [](Place& p, u32 y) { p.block.y = y; }},
});

}  // namespace

const CursorPart* findCursorPart(std::string_view name) {
    const auto* const found = std::ranges::find(kCursorParts, name, &CursorPart::name);
    return found == kCursorParts.end() ? nullptr : found;
}

std::string StepText::plainTitle() const {
    std::string plain = title;
    std::erase_if(plain, [](char c) { return c == '`' || c == '*'; });
    return plain;
}

const std::string* StepText::findWrong(std::string_view name) const { return find(wrong, name); }
const std::string* StepText::findChoice(std::string_view name) const { return find(choices, name); }

const StepText& LessonStep::text(Language language) const { return textIn(texts, language); }
const std::string& Lesson::title(Language language) const { return textIn(titles, language); }

const LessonStep* Lesson::find(std::string_view id) const {
    const auto found = std::ranges::find(steps, id, &LessonStep::id);
    return found == steps.end() ? nullptr : &*found;
}

std::size_t Lesson::minutes() const {
    constexpr std::size_t kOfQuestion = 4, kOfShow = 2;
    std::size_t minutes = 0;
    for (const LessonStep& step : steps)
        minutes += step.question.kind.empty() ? kOfShow : kOfQuestion;
    return minutes;
}

std::string Lesson::mainFile() const { return files.empty() ? std::string() : files.begin()->second; }

std::string Lesson::fileOf(Language language) const {
    const auto found = files.find(language);
    return found == files.end() ? mainFile() : found->second;
}

}  // namespace lockstep::lessons
