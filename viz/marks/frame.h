// What all views share: the head with title and caption, the page that says why a view is empty, keys to
// marks.
#pragma once

#include "base/text/words.h"
#include "viz/scene/canvas.h"
#include "viz/view.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace lockstep::viz {

// What is on show, by its names: "Matrix multiply · Tiles with bounds checks · width = 3, tile = 2"; of a
// file the launch as it is written, "saxpy.cu · saxpy<<<8, 256>>>".
std::string kernelAndSize(const run::Run& run, LaunchId launch, Language language);

// The strip at the top where the view is to have one, with the kernel, its variant and its size before the
// caption, in two lines where one has no room; returns the rectangle left for the view.
Rect head(Canvas& canvas, const ViewInput& in, std::string_view title, std::string_view caption);
// Of a view that looks at no kernel, so that the head names none.
Rect headWithoutKernel(Canvas& canvas, const ViewInput& in, std::string_view title, std::string_view caption);

// A view with nothing to show: its head and one sentence in the middle, above a button if something can be
// done: its hover is what stands on it.
Scene emptyScene(const ViewInput& in, const Words& title, const std::string& sentence,
                 std::optional<Hit> button = {});
// The button where what is missing are the toolkit's programs, and they can be fetched.
std::optional<Hit> toolkitButton(const ViewInput& in, const Fault& why);
// Such a sentence in the middle of a line, with its button.
void sentenceAndButton(Canvas& canvas, Point top, f32 width, const std::string& sentence,
                       std::optional<Hit> button);

struct KeyRow {
    std::function<void(Canvas&, Point centre)> draw;  // within 24 x 16
    std::string text;
};
// One under another from `at` (left, top). Returns the height used; rows beyond maxHeight are left out.
f32 keyColumn(Canvas& canvas, Point at, f32 maxWidth, f32 maxHeight, std::span<const KeyRow> rows);
// Side by side; in two lines, closer together, where one has no room for them. keyRowWidth: of all of them.
f32 keyRowWidth(const Canvas& canvas, std::span<const KeyRow> rows);
void keyRow(Canvas& canvas, Point at, f32 maxWidth, std::span<const KeyRow> rows);
// Such keys one below the other, as many as it takes, each with room in a line.
std::vector<std::span<const KeyRow>> keyLines(const Canvas& canvas, f32 maxWidth,
                                              std::span<const KeyRow> rows);

// Height of a strip for such a key: of two lines where the view is narrow, or where these entries have no
// room in one.
f32 keyStrip(f32 width);
f32 keyStrip(const Canvas& canvas, f32 maxWidth, std::span<const KeyRow> rows);
// Of the entries, those whose marks have been drawn already and are seen.
std::vector<KeyRow> drawnOf(const Canvas& canvas, std::span<const KeyRow> rows);

}  // namespace lockstep::viz
