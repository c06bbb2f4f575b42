#include "playlists/check_playlist.h"

#include "base/nearest.h"
#include "lessons/check_lesson.h"
#include "lessons/prose.h"
#include "lessons/prose_blocks.h"

#include <algorithm>
#include <filesystem>

namespace lockstep::playlists {
namespace {

using lessons::LessonStep, lessons::StepText;

class Checker {
public:
    Checker(const Playlist& playlist, lessons::LessonRuns& runs, Questions& questions,
            std::span<const std::string> views)
        : playlist_(playlist),
          shared_(std::make_shared<const Playlist>(playlist)),
          runs_(runs),
          questions_(questions),
          views_(views) {}

    std::vector<Fault> check() {
        for (std::size_t i = 0; i < playlist_.entries.size(); ++i)
            check(i);
        const bool areAllRead = std::ranges::none_of(playlist_.text.steps, &LessonStep::hasMistake);
        if (const u32 planned = playlist_.plannedMinutes;
            areAllRead && planned && planned != playlist_.minutes())
            add(file(), 1,
                Message(english("the entries take {0} {0:minute|minutes}, not {1}"), playlist_.minutes(),
                        planned));
        return std::move(mistakes_);
    }

private:
    std::string file() const { return playlist_.text.mainFile(); }
    // Once: two pictures of an entry may have the same one.
    void add(const std::string& file, u32 line, Message message) {
        const bool isSaid = std::ranges::any_of(mistakes_, [&](const Fault& fault) {
            return fault.place.file == file && fault.place.line == line && fault.message == message;
        });
        if (isSaid) return;
        mistakes_.push_back(Fault{.kind = FaultKind::Syntax,
                                  .message = std::move(message),
                                  .place = {file, line, 0},
                                  .pc = {},
                                  .block = {},
                                  .thread = {}});
    }

    void check(std::size_t number) {
        const LessonStep& step = playlist_.text.steps[number];
        const Entry& entry = playlist_.entries[number];
        if (step.hasMistake) return;  // which is told
        if (entry.minutes == 0)
            add(file(), entry.fileLine, english("the entry has no 'minutes': how long it is to take"));
        const auto checkView = [&](const lessons::Place& place) {
            if (std::ranges::find(views_, place.view) == views_.end())
                add(file(), place.lineOf("view"),
                    Message(english("there is no view '{0}' that shows one run{1}"), place.view,
                            didYouMean(place.view, views_)));
        };
        checkView(step.place);
        for (const Fault& fault : lessons::unusedMacros(step))
            add(file(), fault.place.line, fault.message);
        if (step.place.view == "compare" && entry.with.empty())
            add(file(), step.place.lineOf("view"),
                english("the view 'compare' needs 'with': the kernel to compare with"));
        if (step.place.view != "compare" && !entry.with.empty())
            add(file(), step.place.lineOf("with"), english("'with' is for the view 'compare' alone"));
        for (const auto& [name, place] : step.others)
            checkView(place);
        for (const lessons::TextMistake& mistake :
             lessons::mistakesOfTexts(step, std::filesystem::path(file()).filename().string()))
            add(playlist_.text.fileOf(mistake.language), mistake.line, mistake.message);
        for (const auto& [language, text] : step.texts)
            checkTexts(step, text, language);
        const auto shown = showEntry(shared_, number, runs_, questions_);
        if (shown && (*shown)->question)
            for (const auto& [language, text] : step.texts)
                if (!(*shown)->question->step().texts.contains(language))
                    add(playlist_.text.fileOf(language), text.fileLine,
                        Message(english("the question '{0}' has no text of this language"), entry.question));
        if (!shown) {
            const bool isSaid = std::ranges::any_of(
                mistakes_, [&](const Fault& fault) { return fault.message == shown.error().message; });
            if (!isSaid) mistakes_.push_back(shown.error());
        }
    }

    void checkTexts(const LessonStep& step, const StepText& text, Language language) {
        const std::string of = playlist_.text.fileOf(language);
        const Expected<lessons::AskedStep> asked = lessons::AskedStep::ask(step, runs_, 0);
        const std::pair<const std::string*, const char*> sections[] = {
            {&text.body, "body"}, {&text.reveal, "reveal"}, {&text.notes, "notes"}};
        for (const auto& [said, section] : sections) {
            const auto found = text.sectionLines.find(section);
            const u32 line = found == text.sectionLines.end() ? text.fileLine : found->second;
            for (const Fault& fault : asked ? asked->mistakesIn(*said, language) : std::vector<Fault>())
                add(of, line + fault.place.line, fault.message);
            for (const lessons::NotShown& part : lessons::notShownIn(*said))
                add(of, line + part.line, part.message);
            if (said == &text.notes) continue;  // what a lecturer tells himself
            for (const lessons::TypedFigure& typed : lessons::typedFigures(*said))
                add(of, line + typed.line,
                    Message(english("the figure {0} is typed in: write a quantity between {1} and {2}"),
                            typed.text, '{', '}'));
        }
    }

    const Playlist& playlist_;
    std::shared_ptr<const Playlist> shared_;
    lessons::LessonRuns& runs_;
    Questions& questions_;
    std::span<const std::string> views_;
    std::vector<Fault> mistakes_;
};

}  // namespace

std::vector<Fault> checkPlaylist(const ReadPlaylist& read, lessons::LessonRuns& runs, Questions& questions,
                                 std::span<const std::string> views) {
    std::vector<Fault> mistakes = read.mistakes;
    std::ranges::move(Checker(read.playlist, runs, questions, views).check(), std::back_inserter(mistakes));
    std::ranges::stable_sort(mistakes, {},
                             [](const Fault& f) { return std::pair(f.place.file, f.place.line); });
    return mistakes;
}

}  // namespace lockstep::playlists
