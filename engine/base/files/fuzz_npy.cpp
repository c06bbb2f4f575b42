// Fuzz target: no bytes may crash the reader of .npy files, and what it reads is what it writes.
#include "base/check.h"
#include "base/files/npy.h"

#include <cstddef>
#include <cstdint>
#include <span>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace lockstep;
    const Expected<Buffer> read = parseNpy(std::as_bytes(std::span(data, size)), "x.npy");
    if (!read) return 0;
    const Expected<Buffer> again = parseNpy(formatNpy(*read), "x.npy");
    CHECK(again && again->bytes == read->bytes && again->type == read->type,
          "what was read can be written and read");
    return 0;
}
