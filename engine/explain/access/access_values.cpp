// Finds the type of what is at an address, then splits and prints the bytes.
#include "explain/access/access_values.h"

#include "base/device_addresses.h"
#include "explain/arrays/shared_arrays.h"
#include "explain/cursor/lookup.h"
#include "explain/numbers.h"

#include <algorithm>

namespace lockstep::explain {
namespace {

ptx::Type typeAt(const Recorded& run, LaunchId launch, trace::Space space, u64 address) {
    if (space == trace::Space::Global) {
        const std::optional<u32> buffer = bufferOfAddress(address);
        return buffer && *buffer < run.recording.initial.size() ? ptxType(run.recording.initial[*buffer].type)
                                                                : ptx::Type::None;
    }
    if (space == trace::Space::Shared)
        for (const SharedArray& array : sharedArrays(run, launch))
            if (array.contains(address)) return array.type;
    return ptx::Type::None;
}

}  // namespace

MovedElements movedElements(const Recorded& run, LaunchId launch, const trace::WarpTrace& warp,
                            const trace::StoredAccess& access, Lane lane) {
    return movedElements(run, launch, access.space, warp.address(access, lane), access.widthBytes, access.pc);
}

MovedElements movedElements(const Recorded& run, LaunchId launch, trace::Space space, u64 address,
                            u32 widthBytes, Pc pc) {
    const u32 width = std::max<u32>(1, widthBytes);
    const auto of = [&](ptx::Type type) {
        return MovedElements{type, ptx::bytesOf(type), width / std::max(1u, ptx::bytesOf(type))};
    };
    const auto divides = [&](ptx::Type type) {
        return ptx::bytesOf(type) > 0 && width % ptx::bytesOf(type) == 0;
    };
    const ptx::Type there = typeAt(run, launch, space, address), written = elementType(*run.module, pc);
    if (divides(there)) return of(there);
    if (divides(written)) return of(written);
    return {ptx::Type::B8, 1, width};
}

std::vector<std::string> elementTexts(const MovedElements& elements, std::span<const std::byte> bytes,
                                      u32 maxCharacters) {
    std::vector<std::string> texts;
    for (u32 i = 0; i < elements.count && (i + 1) * elements.bytes <= bytes.size(); ++i)
        texts.push_back(
            valueText(bytes.subspan(i * elements.bytes, elements.bytes), elements.type, maxCharacters));
    return texts;
}

std::string movedText(const MovedElements& elements, std::span<const std::byte> bytes, u32 maxCharacters) {
    std::string text;
    for (const std::string& element : elementTexts(elements, bytes, maxCharacters))
        text += (text.empty() ? "" : ", ") + element;
    return text;
}

std::string typeText(const MovedElements& elements) {
    std::string name(ptx::nameOf(elements.type));
    if (name.starts_with('s')) name.front() = 'i';  // as the parameters name types: "i32", not PTX's "s32"
    return elements.count > 1 ? name + " × " + std::to_string(elements.count) : name;
}

}  // namespace lockstep::explain
