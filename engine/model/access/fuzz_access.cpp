// Any text as an expression, as offsets and as a profile; whatever is accepted is costed on every device.
#include "base/check.h"
#include "model/access/access_query.h"

#include <string_view>

using namespace lockstep;
using namespace lockstep::model;

extern "C" int LLVMFuzzerTestOneInput(const u8* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    static_cast<void>(parseProfile(text, "fuzz.toml"));
    for (const Expected<LaneOffsets>& offsets : {parseOffsets(text), offsetsOf(text, 4)}) {
        if (!offsets) continue;
        for (trace::Space space : {trace::Space::Shared, trace::Space::Global})
            for (const Profile& profile : profiles()) {
                AccessQuery query{.space = space};
                query.offsets = *offsets;
                const Expected<AccessAnswer> found = answer(query, profile);
                CHECK(!found || space == trace::Space::Global || found->passes.size() == *found->wavefronts,
                      "a wavefront is a pass");
            }
    }
    return 0;
}
