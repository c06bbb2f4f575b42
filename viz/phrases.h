// Sentences that several views say.
#pragma once

#include "base/text/words.h"
#include "trace/access.h"
#include "viz/cursor/lookup.h"
#include "viz/view.h"

#include <string>

namespace lockstep::viz {

const Words& wordsFor(trace::Space space);
const Words& wordsFor(trace::AccessKind kind);
// "global load": one direction of an asynchronous copy, too.
std::string accessName(Language language, trace::Space space, trace::AccessKind kind);
const Words& verbOf(trace::AccessKind kind);  // "reads"
// "(From machine code.)" or "(Modeled.)": who says what the compiler did.
const Words& whoSaysSo(bool fromMachineCode);

// "Block (x 1, y 1) · warp 0 · step 41 of 146 · line 11", as far as it is known.
std::string placeText(const ViewInput& in, const CursorContext& here);

// "global store · 4 bytes per lane · inactive: lanes 16-31".
std::string accessText(const ViewInput& in, const trace::WarpAccess& access, u32 exist);

// What a lane does at a step: "Lane 2, thread (x 0, y 1) reads M[2][0] = 2.0."
std::string laneSentence(const ViewInput& in, const CursorContext& here, Lane lane);
// "M[1][0]", or the address itself where nothing is known.
std::string addressText(const ViewInput& in, const trace::WarpTrace& warp, const trace::StoredAccess& access,
                        Lane lane);

// The elements of a wide access in words: "in[0] to in[3]" of "in[0..3]".
std::string placesText(Language language, const std::string& name);

// Of a driver's label, "13.0 (580.159.04)": "13.0, driver 580.159.04".
std::string cudaText(Language language, const std::string& driver);

// Why there is nothing at the cursor; empty if there is a step.
std::string whyNothing(const ViewInput& in, const CursorContext& here);

// Whether the device counts sectors alone: else transactions (cc 1.x), or lines of loads and sectors of
// stores, which the guides of cc 2.x call transactions, too.
bool countsSectors(const model::Profile& profile);

// Which part of a matrix is shown: "row 0, columns 16–31 of 64 × 64".
struct Lines {
    u64 first = 0, count = 0;
};
std::string partText(Language language, Lines rows, Lines columns, const std::string& of);

}  // namespace lockstep::viz
