// Operations and buffers in words.
#pragma once

#include "base/text/message.h"
#include "operations/operations.h"

#include <optional>
#include <string>
#include <vector>

namespace lockstep::operations {

// "scan<<<8, (16, 16)>>>".
std::string launchText(const Operation& launch);
// "line 24"; "main.cpp:24" where several files have operations.
Message placeText(const CodePlace& place, const Operations& all);
// "stream 1", "the default stream".
Message streamText(const Operations& all, u32 stream);
Message eventText(const Operations& all, u32 event);

// All that is known of it, in a sentence.
Message describe(const Operation& operation, const Operations& all);
// "Last written by kernel scan, launch 3; copied to the host at line 88".
Message historyOf(const Buffer& buffer, const Operations& all);
// "d_out: 4.0 KiB of device memory, allocated at line 12".
Message describe(const Buffer& buffer, const Operations& all);

// Operations that name it, by their index.
std::vector<u64> usesOf(u32 buffer, const Operations& all);
// By its name, or the line that allocates it; none: there is no such buffer. Of several the last.
std::optional<u32> bufferNamed(const std::string& nameOrLine, const Operations& all);

}  // namespace lockstep::operations
