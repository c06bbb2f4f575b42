// Fuzz target: no text of an --arg may crash or hang; a buffer must have the size in its text.
#include "base/check.h"
#include "catalog/values/argument_text.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace lockstep;
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    // Small buffers only, and no files: neither memory nor the file system is under test here.
    const std::size_t open = text.find('['), close = text.rfind(']');
    if (open != std::string_view::npos && close != std::string_view::npos && close > open + 8) return 0;
    if (text.ends_with(".npy")) return 0;
    const auto value = catalog::parseArgument(text, 0, 1);
    if (!value) return 0;
    if (const Buffer* buffer = std::get_if<Buffer>(&*value))
        CHECK(buffer->count() ==
                  std::accumulate(buffer->shape.begin(), buffer->shape.end(), u64{1}, std::multiplies{}),
              "a buffer is as long as it was asked to be");
    return 0;
}
