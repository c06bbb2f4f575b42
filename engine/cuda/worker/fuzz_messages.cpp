// Fuzzes the messages of the worker process in both directions: a frame that decodes must encode to the same
// bytes.
#include "base/check.h"
#include "cuda/worker/messages.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

using namespace lockstep;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto bytes = std::as_bytes(std::span(data, size));
    if (bytes.size() < cuda::kHeaderBytes) return 0;
    const Expected<cuda::Header> header = cuda::readHeader(bytes.first(cuda::kHeaderBytes));
    if (!header) return 0;
    const std::span<const std::byte> body = bytes.subspan(cuda::kHeaderBytes);
    const Expected<cuda::WorkerMessage> message = cuda::decode(*header, body);
    if (!message) return 0;
    const std::vector<std::byte> again = cuda::encode(*message);
    CHECK(std::ranges::equal(std::span(again).subspan(cuda::kHeaderBytes), body) ||
              again.size() <= bytes.size(),
          "what was read is what is written, but for maps with repeated keys");
    return 0;
}
