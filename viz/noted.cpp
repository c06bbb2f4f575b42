#include "viz/noted.h"

#include "base/text/words.h"
#include "explain/sentences/sample_text.h"
#include "viz/marks/fitting_text.h"
#include "viz/notes/notes.h"
#include "viz/scene/canvas.h"

#include <algorithm>
#include <cmath>

namespace lockstep::viz {
namespace {

constexpr Words kMoreQuestions = english("{0} more {0:question|questions} in Read");
constexpr Words kReadMore = english("Click to read all questions about this run.");
constexpr Words kOfTheseBlocks = english("Sample: these figures are of {0}");
constexpr Words kOfTheseSoFar = english("Under way: these figures are of {0}");
constexpr Words kSoFar = english("Under way: {0} on screen");
constexpr Words kTablesOfGrid =
    english("Sample: {0} ran; the memory tables are of the whole grid, extrapolated");
constexpr Words kTablesOfGridBrief = english("Sample: {0}; tables: whole grid, extrapolated");
constexpr Words kSample = english("Sample: {0} ran");
constexpr Words kAlikeHover = english(
    "The other blocks are proved to do the same, so that the whole grid's counters are "
    "known exactly; caches are left out, for all blocks share them.");
constexpr Words kWhyHover = english("The whole grid's counters are not known: {0}.");
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

Scene buildWithNotes(const ViewRow& view, const ViewInput& in) {
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

// Of which blocks its figures are: a line at the foot of the view.
Scene buildOfSample(const ViewRow& view, const ViewInput& in, const run::Run& of) {
    const trace::Sample& sample = *of.recording.sample;
    ViewInput above = in;
    above.size.height -= kRow;
    Canvas canvas(in.size, in.metrics);
    std::string sentence =
        canvas.continueFrom(buildWithNotes(view, above), {0, 0, in.size.width, above.size.height});
    const std::string blocks = explain::blocksOf(sample).in(in.language);
    const bool isExtrapolated = view.name == "memory" && sample.isExtrapolated();
    const bool isUnderWay = sample.unproved == trace::Unproved::UnderWay;
    const f32 room = in.size.width - 2 * space::kInset, y = above.size.height + kRow / 2;
    const Words& full = isUnderWay ? kOfTheseSoFar : isExtrapolated ? kTablesOfGrid : kOfTheseBlocks;
    const Words& brief = isUnderWay ? kSoFar : isExtrapolated ? kTablesOfGridBrief : kSample;
    const Words& briefest = isUnderWay ? kSoFar : kSample;
    const TextStyle style{.size = type::kCode, .bold = true, .role = role(RoleKind::Text)};
    canvas.textWithin({space::kInset, y}, room,
                      firstFitting(canvas, room, style,
                                   {say(in.language, full, blocks), say(in.language, brief, blocks),
                                    say(in.language, briefest, blocks)}),
                      style);
    const Message why = explain::whyNotExtrapolated(sample, *of.module);
    canvas.hit({space::kInset, y - kRow / 2, room, kRow},
               {.hover = why.empty() ? std::string(kAlikeHover.in(in.language))
                                     : say(in.language, kWhyHover, why.in(in.language))});
    return std::move(canvas).take(std::move(sentence));
}

}  // namespace

Scene buildNoted(const ViewRow& view, const ViewInput& in) {
    if (!view.showsGrid) return buildWithNotes(view, in);
    const run::Run& run =
        !in.run.recording.sample && view.showsBoth && in.compared ? in.compared->run : in.run;
    return run.recording.sample ? buildOfSample(view, in, run) : buildWithNotes(view, in);
}

}  // namespace lockstep::viz
