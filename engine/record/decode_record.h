// From the words that a recording kernel wrote to focus blocks as the emulator records them.
#pragma once

#include "base/buffer.h"
#include "record/address_map.h"
#include "record/recording_text.h"
#include "trace/trace.h"

#include <span>
#include <vector>

namespace lockstep::record {

// One launch of a recording kernel.
struct RecordedLaunch {
    const ptx::Module& module;  // the text without recorder
    const RecordPlan& plan;
    const Launch& launch;
    LaunchId id;
    u64 capacityWords = 0;  // RecordControl's
    std::span<const u64> symbols;
    std::span<const BufferPlace> buffers;  // by number of the experiment's buffers
};

// What one block's lanes wanted to write, at most: a capacity of so many words holds all of it. 0: nobody
// came to an end.
u64 wantedWords(const RecordedLaunch& recorded, std::span<const u32> region);

// region: the words of the block's slot. Lanes that had no room or came to no end leave their beginning; the
// block is then marked as truncated. values are zeros where the plan has none.
trace::FocusBlock decodeBlock(const RecordedLaunch& recorded, Dim3 block, std::span<const u32> region);

}  // namespace lockstep::record
