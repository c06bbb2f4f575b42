// A finding at the cursor has two threads: the cursor's, and the one that it collides with.
#pragma once

#include "base/cursor.h"
#include "base/text/language.h"
#include "explain/cursor/recorded.h"

#include <optional>
#include <string>

namespace lockstep::explain {

struct ConflictingThread {
    trace::Space space = trace::Space::Shared;
    u64 address = 0;
    std::string name;            // what it does: "read by thread (x 0, y 1)"
    std::string sentence;        // of the finding
    std::optional<Cursor> go{};  // where the other thread does its part
    bool isRemark = false;       // it does no harm

    bool isAt(trace::Space where, u64 first, u64 bytes) const {
        return where == space && address >= first && address < first + bytes;
    }
};

// None where the cursor stands on no finding between two threads of its block.
std::optional<ConflictingThread> conflictingThreadAt(const Recorded& run, const Cursor& cursor,
                                                     Language language);

}  // namespace lockstep::explain
