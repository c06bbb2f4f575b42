#include "viz/noted.h"

#include "base/text/words.h"
#include "viz/notes/notes.h"
#include "viz/scene/canvas.h"

#include <algorithm>
#include <cmath>

namespace lockstep::viz {
namespace {

constexpr Words kMoreQuestions = english("{0} more {0:question|questions} in Read");
constexpr Words kReadMore = english("Click to read all questions about this run.");
constexpr f32 kRow = 22, kLeastHeight = 300, kLeastWidth = 300;  // below, the view needs all of its room
constexpr f32 kEnoughForTwo = 480;  // height of a view that can spare a second row
const TextStyle kQuestion{.size = type::kCode, .role = role(RoleKind::TextSecond)};

// As many questions as fit side by side into one row.
struct Row {
    std::vector<const Note*> notes;
    f32 width = 0;
};

f32 widthOf(const Canvas& canvas, const Note& note) { return canvas.width(note.question, kQuestion) + 24; }

std::vector<Row> rowsOf(const Canvas& canvas, const std::vector<Note>& notes, f32 room) {
    std::vector<Row> rows;
    for (const Note& note : notes) {
        const f32 wide = widthOf(canvas, note);
        if (wide > room) continue;  // never cut: it is in Read
        if (rows.empty() || rows.back().width + wide > room) rows.emplace_back();
        rows.back().notes.push_back(&note);
        rows.back().width += wide;
    }
    return rows;
}

}  // namespace

Scene buildNoted(const ViewRow& view, const ViewInput& in) {
    if (!view.hasNotes || in.size.height < kLeastHeight || in.size.width < kLeastWidth) return view.build(in);
    const std::vector<Note> notes = notesOf(in, view.name);
    if (notes.empty()) return view.build(in);
    Canvas canvas(in.size, in.metrics);
    const f32 room = in.size.width - 2 * space::kInset;
    std::vector<Row> rows = rowsOf(canvas, notes, room);
    const std::size_t most = in.size.height < kEnoughForTwo ? 1 : 2;
    if (rows.size() > most) rows.resize(most);
    std::size_t asked = 0;
    for (const Row& row : rows)
        asked += row.notes.size();
    const std::string more =
        asked < notes.size() ? say(in.language, kMoreQuestions, notes.size() - asked) : std::string();
    const bool ownRow =
        !more.empty() && (rows.empty() || rows.back().width + canvas.width(more, kQuestion) > room);
    const f32 foot = f32(rows.size() + ownRow) * kRow + 6;
    ViewInput above = in;
    above.size.height -= foot;
    std::string sentence = canvas.continueFrom(view.build(above), {0, 0, in.size.width, above.size.height});
    canvas.line({0, above.size.height + 0.5f}, {in.size.width, above.size.height + 0.5f},
                {role(RoleKind::Line)});
    f32 y = above.size.height + 3 + kRow / 2, x = space::kInset;
    const auto question = [&](const std::string& text, std::string hover) {
        const f32 wide = canvas.text({x, y}, text, kQuestion);
        const f32 under = std::round(y + kQuestion.size * 0.55f) + 0.5f;
        canvas.line({x, under}, {x + wide, under}, {role(RoleKind::TextThird), 1});
        canvas.hit({x, y - kRow / 2, wide, kRow}, {.hover = std::move(hover), .view = "read"});
        x += wide + 24;
    };
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i) y += kRow, x = space::kInset;
        for (const Note* note : rows[i].notes)
            question(note->question, note->question + "\n" + note->answer);
    }
    if (ownRow && !rows.empty()) y += kRow, x = space::kInset;
    if (!more.empty()) question(more, std::string(kReadMore.in(in.language)));
    return std::move(canvas).take(std::move(sentence));
}

}  // namespace lockstep::viz
