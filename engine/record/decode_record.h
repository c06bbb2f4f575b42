// Decodes the words of a recording kernel into focus blocks like the emulator's.
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
    const ptx::Module& module;  // the text without the recorder
    const RecordPlan& plan;
    const Launch& launch;
    LaunchId id;
    u64 capacityWords = 0;  // RecordControl's
    std::span<const u64> symbols;
    std::span<const BufferPlace> buffers;  // by number of the experiment's buffers
};

// The most words that a lane of one block needed: a capacity of so many words holds everything. 0: no lane
// completed.
u64 wantedWords(const RecordedLaunch& recorded, std::span<const u32> region);

// region: the words of the block's slot. Lanes that ran out of space or did not complete have only their
// beginning; the block is then marked as truncated. values are zeros if the plan has none.
trace::FocusBlock decodeBlock(const RecordedLaunch& recorded, Dim3 block, std::span<const u32> region);

}  // namespace lockstep::record
