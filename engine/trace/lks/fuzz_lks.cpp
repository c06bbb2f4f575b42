// Fuzzes a .lks file as any bytes, and as its unpacked sections: checksums stop most mutations of whole files
// early.
#include "base/check.h"
#include "trace/lks/lks.h"
#include "trace/lks/lks_records.h"

#include <algorithm>
#include <cstring>

namespace {

using namespace lockstep;
using namespace lockstep::trace;

// Like a view, follows every reference.
void follow(const Recording& recording) {
    for (const FocusBlock& block : recording.trace.blocks) {
        CHECK(recording.trace.find(block.launch, block.block), "blocks can be found");
        for (const WarpTrace& warp : block.warps)
            for (u32 n = 0; n < warp.steps.size(); ++n) {
                const Step& step = warp.steps[n];
                CHECK_LT(warp.phaseOf(n), block.phases(), "a step belongs to a phase");
                if (step.access == Step::kNone) continue;
                const StoredAccess& access = warp.accesses[step.access];
                warp.unpack(access);
                for (Lane lane : access.active)
                    CHECK_EQ(warp.value(access, lane).size(), access.widthBytes, "a lane has a value");
            }
    }
    for (const std::vector<Buffer>* buffers : {&recording.initial, &recording.final})
        for (const Buffer& buffer : *buffers)
            if (buffer.count()) buffer.valueAt(buffer.count() - 1);
    const Expected<Recording> again = unpack(pack(recording), "again.lks");
    CHECK(again.has_value(), "what was read can be stored");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
    if (const Expected<Recording> recording = unpack(bytes, "fuzz.lks")) follow(*recording);

    // Sections: kind (1 byte), length (2 bytes), contents, repeated.
    std::vector<LksSection> sections;
    for (std::size_t at = 0; at + 3 <= size;) {
        const std::size_t length = std::min<std::size_t>(data[at + 1] | data[at + 2] << 8, size - at - 3);
        const auto contents = bytes.subspan(at + 3, length);
        sections.push_back({data[at], {contents.begin(), contents.end()}});
        at += 3 + length;
    }
    if (const Expected<Recording> recording = recordingOf(sections, "fuzz.lks")) follow(*recording);
    return 0;
}
