// One request to global memory: its lanes above an address ruler, the segments there, and what the memory
// moves for it under the rules of a device.
#pragma once

#include "model/access/global_sectors.h"
#include "viz/parts/access_on_show.h"
#include "viz/scene/canvas.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace lockstep::viz {

// The touched lines of 128 bytes, drawn one after another; what lies between them is left out.
struct Ruler {
    std::vector<u64> lines;  // start addresses, ascending
    Rect area;
    f32 pixels = 1;  // a byte
    f32 gap = 0;     // before a line that does not follow the one before

    std::size_t breaks() const {  // where lines are left out
        std::size_t count = 0;
        for (std::size_t i = 1; i < lines.size(); ++i)
            count += lines[i] != lines[i - 1] + model::kLineBytes;
        return count;
    }
    std::size_t indexOf(u64 address) const {
        return std::size_t(std::ranges::upper_bound(lines, address) - lines.begin()) - 1;
    }
    f32 startOf(std::size_t index) const {
        f32 x = area.x;
        for (std::size_t i = 1; i <= index; ++i)
            x += f32(model::kLineBytes) * pixels + (lines[i] == lines[i - 1] + model::kLineBytes ? 0 : gap);
        return x;
    }
    f32 x(u64 address) const {
        const std::size_t i = indexOf(address);
        return startOf(i) + f32(address - lines[i]) * pixels;
    }
};

// For the lines that the access touches, or that are moved for it at one of the costs; where lanes can be
// moved, one more to move them to.
Ruler makeRuler(const AccessOnShow& shown, std::span<const model::GlobalCost> costs, const Rect& area);

struct RequestPicture {
    Canvas& canvas;
    const AccessOnShow& shown;
    const model::Profile& profile;
    const model::GlobalCost& cost;
    const Ruler& ruler;
    bool ahead = false;  // still to come: ways are dotted
};

// Lanes above, the ruler below, a line from each lane to its address. Returns the ruler's lower edge.
f32 drawLanesAndRuler(const RequestPicture& picture, f32 y, f32 height);
// Byte numbers within the buffer, then the segments of 32, 64 and 128 bytes, those that are moved filled.
// Returns their lower edge.
f32 drawSegments(const RequestPicture& picture, f32 y);
// What is moved, down to `bottom`: a row a transaction (all sectors of one request share a row), used bytes
// in their lanes' colors; behind it the notes on it, as far as there is room, `below` included. Returns the
// lower edge of the rows, and of all but one line of the notes.
f32 drawItems(const RequestPicture& picture, f32 y, f32 bottom, f32 below = 0);
// Why lanes go alone where the device wants them in order, which row is the cursor's, what the rows, their
// grey and gaps of the ruler mean.
std::vector<std::string> notesOn(const RequestPicture& picture);
// Of those notes in so much width; or of what marks mean alone.
f32 heightOfNotes(const RequestPicture& picture, f32 width, bool onlyKey = false);

// "4 sectors" or "2 transactions", as the device counts.
std::string figureOf(const model::GlobalCost& cost, const model::Profile& profile, Language language);
// An atomic goes to a sector once for each lane that wants the same word of it, and moves it each time.
u64 movedBytes(const model::GlobalCost& cost);
// Bytes that some lane asked for, each once a request as the memory does.
u64 usedBytes(const trace::WarpAccess& access);

}  // namespace lockstep::viz
