// The places of a run at which its views say the most different things: those that a reviewer of their texts
// wants to see.
#pragma once

#include "run/run.h"
#include "viz/cursor/cursor.h"

#include <string>
#include <vector>

namespace lockstep::viz {

struct PlaceToRead {
    std::string name;  // "opening", "phase 1", "worst bank conflict"
    Cursor cursor;
};

// Where the run opens and where each phase of that warp starts; the findings, one of a group; the first
// divergence and the worst bank conflict of the block in which it opens; the first access of each kind in the
// first recorded block; the last step. Each place once; none where no block was recorded.
std::vector<PlaceToRead> placesToRead(const run::Run& run);

}  // namespace lockstep::viz
