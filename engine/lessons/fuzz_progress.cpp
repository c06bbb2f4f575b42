// Fuzz target: no file of progress may crash or hang; what can be read is the same once it is written.
#include "lessons/progress.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using lockstep::lessons::parseProgress;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto read = parseProgress(text, "x");
    if (!read) return 0;
    const auto again = parseProgress(read->progress.text(), "x");
    if (!again || !(again->progress == read->progress) || !again->leftOut.empty()) std::abort();
    return 0;
}
