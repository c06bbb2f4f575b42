// Fuzz target: no family.toml may crash, hang or exhaust memory, and a valid one can be resolved and
// launched.
#include "catalog/catalog.h"
#include "catalog/prebuilt.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace lockstep::catalog;
    const auto family = parseFamily({reinterpret_cast<const char*>(data), size}, "family.toml");
    if (!family) return 0;
    const auto values = resolve(*family, {});
    for (const Variant& variant : family->variants) {
        Family small = *family;
        Variant launchesOnly = variant;
        launchesOnly.reference.clear();
        launchesOnly.buffers.clear();  // a buffer may be large: its bytes are not under test here
        (void)makeExperiment(small, launchesOnly, *values);
        (void)entriesOf(*family, variant, *values);
    }
    return 0;
}
