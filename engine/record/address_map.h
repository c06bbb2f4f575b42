// Maps addresses of the recording machine to those of traces: buffers in their own slots
// (device_addresses.h), then the module's variables; shared and local memory as offsets.
#pragma once

#include "base/integers.h"
#include "ptx/module.h"
#include "record/record_plan.h"
#include "trace/access.h"

#include <span>
#include <vector>

namespace lockstep::record {

// Address range of a buffer of the experiment.
struct BufferPlace {
    u64 address = 0, bytes = 0;
};

class AddressMap {
public:
    // symbols: as the kernel wrote them, windows first (recording_text.h). dynamicSharedBytes: of the launch.
    AddressMap(const ptx::Module& module, const RecordPlan& plan, std::span<const BufferPlace> buffers,
               std::span<const u64> symbols, u32 dynamicSharedBytes);

    // A lane's address as in traces. raw: as recorded, the value of the planned address's register if it has
    // one.
    u64 translate(trace::Space space, const PlannedAddress& planned, u64 raw) const;
    // The space of a generic address; `address` is converted to that space.
    trace::Space spaceOf(u64& address) const;

private:
    struct Range {
        u64 from = 0, bytes = 0, to = 0;
    };
    static u64 translate(const std::vector<Range>& ranges, u64 address);
    std::vector<Range>& rangesOf(ptx::StateSpace space);

    std::vector<Range> global_, constant_, shared_, local_;  // by `from`, ascending
    std::vector<u64> variables_;                             // VariableId -> address in traces
    u64 sharedWindow_ = 0, localWindow_ = 0;
};

}  // namespace lockstep::record
