// Fuzz target: no text of a --reference may crash or hang, and an error in one names its option.
#include "base/check.h"
#include "catalog/references/reference_text.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace lockstep;
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    for (const std::string& reference : catalog::splitReferences(text)) {
        const auto parsed = catalog::parseReference(reference);
        if (parsed)
            CHECK(reference.find(parsed->written) != std::string::npos, "what was written is kept as it is");
        else
            CHECK(parsed.error().message.english().starts_with("--reference "), "a mistake names its option");
    }
    return 0;
}
