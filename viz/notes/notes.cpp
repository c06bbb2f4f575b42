#include "viz/notes/notes.h"

#include "base/text/punctuation.h"
#include "viz/notes/note_figures.h"

#include <algorithm>

namespace lockstep::viz {
namespace {

// Empty where the question, or every sentence of the answer, has a figure that is not known here.
template <class Text>
std::optional<Note> noteOf(const std::string& name, const Text& question, const std::vector<Text>& answer,
                           Language language, const FigureLookup& figures) {
    const Expected<std::optional<std::string>> asked = noteText(std::string(question.in(language)), figures);
    if (!asked || !*asked) return std::nullopt;
    Note note{name, **asked, {}};
    for (const Text& sentence : answer) {
        const Expected<std::optional<std::string>> said =
            noteText(std::string(sentence.in(language)), figures);
        if (!said || !*said) continue;
        if (!note.answer.empty()) note.answer += sentenceGap(language);
        note.answer += **said;
    }
    return note.answer.empty() ? std::nullopt : std::optional(std::move(note));
}

template <class Views> bool standsIn(const Views& views, std::string_view view) {
    return view.empty() || std::ranges::find(views, view) != std::ranges::end(views);
}

}  // namespace

std::vector<Note> notesOf(const ViewInput& in, std::string_view view) {
    std::vector<Note> notes;
    if (!in.run.module) return notes;
    std::optional<NoteFigures> figures;  // looked up where there is a note at all
    const auto add = [&](const std::string& name, const auto& question, const auto& answer) {
        if (!figures) figures.emplace(in);
        if (std::optional<Note> note = noteOf(name, question, answer, in.language, figures->lookup()))
            notes.push_back(std::move(*note));
    };
    if (in.run.catalog && in.run.catalog->family && in.run.catalog->variant)
        for (const catalog::NoteTemplate& note : in.run.catalog->family->notes)
            if (standsIn(note.views, view) &&
                (note.variants.empty() || standsIn(note.variants, in.run.catalog->variant->name)))
                add(note.name, note.question, note.answer);
    for (const GeneralNote& note : generalNotes())
        if (standsIn(note.views, view) && note.applies(in))
            add(std::string(note.name), note.question, note.answer);
    return notes;
}

}  // namespace lockstep::viz
