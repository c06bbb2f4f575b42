#include "viz/access/register_text.h"

#include "base/device_addresses.h"
#include "explain/numbers.h"
#include "explain/sentences/address_names.h"
#include "viz/facts/explained_run.h"

#include <array>
#include <cstring>
#include <span>

namespace lockstep::viz {
namespace {

constexpr Words kTrue = english("true"), kFalse = english("false");

}  // namespace

std::string registerText(const run::Run& run, LaunchId launch, const explain::LaneRegister& r, Lane lane,
                         u32 characters, Language language) {
    const u64 bits = r.values.bits[lane.value];
    if (r.type == ptx::Type::Pred) return std::string((bits ? kTrue : kFalse).in(language));
    if (r.isAddress) {
        const u32 buffer = *bufferOfAddress(bits);
        return "&" + explain::nameOfBufferBytes(run.recording.initial[buffer],
                                                s64(bits - deviceAddressOf(buffer)), r.pointeeBytes,
                                                elementLayout(run, launch, buffer));
    }
    std::array<std::byte, 8> bytes;
    std::memcpy(bytes.data(), &bits, bytes.size());
    return explain::valueText(std::span(bytes).first(ptx::bytesOf(r.type)), r.type, characters);
}

}  // namespace lockstep::viz
