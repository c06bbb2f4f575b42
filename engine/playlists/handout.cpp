#include "playlists/handout.h"

#include "base/text/html.h"
#include "playlists/answer_in_words.h"
#include "playlists/handout_style.h"
#include "playlists/html_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace lockstep::playlists {
namespace {

using lessons::StepOnShow, lessons::StepWords;

class Writer {
public:
    Writer(Language language, const DrawPicture& draw) : language_(language), draw_(draw) {}

    Expected<Handout> write(const std::vector<std::shared_ptr<const EntryOnShow>>& entries) {
        const Playlist& playlist = *entries.front()->playlist;
        begin(playlist, entries.size());
        for (const auto& entry : entries)
            if (const Expected<void> written = write(*entry); !written) return Unexpected{written.error()};
        if (hasAnswers_)
            page_.html += fmt::format("<h2 class=\"paper answers\">{}</h2>\n", text(english("Answers")));
        page_.html += "</main>\n</body>\n</html>\n";
        return std::move(page_);
    }

private:
    template <class... Values> std::string text(const Words& words, const Values&... values) const {
        return escapedHtml(say(language_, words, values...));
    }

    void begin(const Playlist& playlist, std::size_t entries) {
        const std::string title = escapedHtml(playlist.text.title(language_));
        page_.html = fmt::format(
            "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"{}\">\n<head>\n"
            "<meta charset=\"utf-8\" />\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n"
            "<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n<header>\n<h1>{}</h1>\n",
            rowOf(language_).code, title, kHandoutStyle, title);
        if (const auto found = playlist.text.introductions.find(language_);
            found != playlist.text.introductions.end())
            page_.html += htmlOf(found->second);
        page_.html += fmt::format(
            "<p class=\"about\">{}</p>\n</header>\n",
            text(english("{0} {0:entry|entries}, {1} {1:minute|minutes}. All figures are computed."), entries,
                 playlist.minutes()));
    }

    Expected<void> write(const EntryOnShow& entry) {
        const StepWords& words = entry.step->in(language_);
        number_ = entry.number + 1;
        const std::string title = escapedHtml(words.title);
        page_.html +=
            fmt::format("<section id=\"e{0}\">\n<h2>{0}. {1}</h2>\n{2}", number_, title, htmlOf(words.body));
        const bool isHidden = !entry.entry().hides.empty();
        const auto answer = std::ranges::find_if(entry.pictures, &Picture::isOfAnswer);
        const Expected<std::string> pictures =
            picturesOf({entry.pictures.begin(), std::size_t(answer - entry.pictures.begin())});
        if (!pictures) return Unexpected{pictures.error()};
        std::string answers;
        (isHidden ? answers : page_.html) += *pictures;
        if (answer != entry.pictures.end()) {
            const Expected<DrawnPicture> drawn = draw_(*answer);
            if (!drawn) return Unexpected{drawn.error()};
            ++page_.pictures;
            answers += figure(*drawn, std::size_t(answer - entry.pictures.begin()), 1);
        }
        if (entry.question) page_.html += questionHtml(*entry.question);
        page_.html += "</section>\n";
        if (entry.hides()) writeAnswer(entry, title, answers);
        return {};
    }

    // What can be chosen from, and the quantities of a difference, by what they mean.
    std::string questionHtml(const StepOnShow& question) const {
        const StepWords& words = question.in(language_);
        std::string out = "<div class=\"question\">\n" + htmlOf(words.body), list;
        for (const lessons::Option& option : question.step().question.options)
            list += fmt::format("<li>{}</li>\n", htmlInLine(words.meaningOf(option.name)));
        for (const std::string& change : question.step().question.changes)
            list += fmt::format("<li>{}</li>\n", htmlInLine(words.meaningOf(change)));
        if (!list.empty()) out += "<ul>\n" + list + "</ul>\n";
        return out + "</div>\n";
    }
    static std::string htmlInLine(const std::string& markdown) {
        std::string html = htmlOf(markdown);
        if (html.starts_with("<p>") && html.ends_with("</p>\n")) html = html.substr(3, html.size() - 8);
        return html;
    }

    // Beside its entry on the screen, behind all entries on paper.
    void writeAnswer(const EntryOnShow& entry, const std::string& title, const std::string& pictures) {
        hasAnswers_ = true;
        page_.html += fmt::format(
            "<div class=\"reply\">\n<input type=\"checkbox\" class=\"toggle\" id=\"a{0}\" />"
            "<label for=\"a{0}\">{1}</label>\n<div class=\"answer\">\n<h3 class=\"paper\">{0}. {2}</h3>\n",
            number_, text(english("of a handout", "Answer")), title);
        if (entry.question) {
            page_.html += htmlOf(answerInWords(*entry.question, language_));
            page_.html += htmlOf(entry.question->in(language_).reveal);
        }
        page_.html += htmlOf(entry.step->in(language_).reveal) + pictures + "</div>\n</div>\n";
    }

    Expected<std::string> picturesOf(std::span<const Picture> pictures) {
        const std::size_t count = std::min(pictures.size(), kMostPictures);
        std::string out = count > 1 ? "<div class=\"stepper\">\n" : "";
        for (std::size_t i = 0; i < count; ++i) {
            const Expected<DrawnPicture> drawn = draw_(pictures[i]);
            if (!drawn) return Unexpected{drawn.error()};
            ++page_.pictures;
            if (count > 1) out += pick(i, count);
            out += figure(*drawn, i, count);
        }
        if (count > 1) out += "</div>\n";
        if (count == pictures.size()) return out;
        page_.leftOut += pictures.size() - count;
        return out +
               fmt::format("<p class=\"about\">{}</p>\n",
                           text(english("The first {0} of {1} pictures; the others are in the program."),
                                count, pictures.size()));
    }
    std::string nameOf(std::size_t picture) const { return fmt::format("s{}p{}", number_, picture + 1); }
    std::string ofAll(std::size_t picture, std::size_t count) const {
        return text(english("picture {0} of {1}"), picture + 1, count);
    }
    std::string pick(std::size_t picture, std::size_t count) const {
        return fmt::format(
            "<input type=\"radio\" class=\"pick\" name=\"s{}\" id=\"{}\" aria-label=\"{}\"{} />\n", number_,
            nameOf(picture), ofAll(picture, count), picture == 0 ? " checked=\"checked\"" : "");
    }
    std::string figure(const DrawnPicture& drawn, std::size_t picture, std::size_t count) const {
        const std::string label = count > 1 ? ofAll(picture, count) : text(english("picture"));
        std::string out =
            fmt::format("<figure>\n{}<figcaption><code>{}</code></figcaption>\n",
                        inlinedSvg(drawn.svg, nameOf(picture) + "-", label), escapedHtml(drawn.command));
        if (count > 1) out += buttons(picture, count);
        return out + "</figure>\n";
    }
    std::string buttons(std::size_t picture, std::size_t count) const {
        const auto button = [&](bool isThere, std::size_t to, const Words& words) {
            return isThere ? fmt::format("<label for=\"{}\">{}</label>", nameOf(to), text(words))
                           : fmt::format("<span class=\"off\">{}</span>", text(words));
        };
        return fmt::format("<div class=\"buttons\">{}<span>{} / {}</span>{}</div>\n",
                           button(picture > 0, picture - 1, english("of pictures", "Back")), picture + 1,
                           count, button(picture + 1 < count, picture + 1, english("of pictures", "Next")));
    }

    Language language_;
    const DrawPicture& draw_;
    Handout page_;
    std::size_t number_ = 0;  // of the entry, from 1
    bool hasAnswers_ = false;
};

}  // namespace

Expected<Handout> makeHandout(const std::vector<std::shared_ptr<const EntryOnShow>>& entries,
                              Language language, const DrawPicture& draw) {
    if (entries.empty()) return fail(FaultKind::NotFound, english("the playlist has no entry"));
    return Writer(language, draw).write(entries);
}

}  // namespace lockstep::playlists
