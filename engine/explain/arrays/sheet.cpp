#include "explain/arrays/sheet.h"

#include "base/device_addresses.h"
#include "base/text/counted.h"
#include "explain/arrays/shared_arrays.h"
#include "explain/numbers.h"
#include "explain/sentences/address_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::explain {

std::vector<Sheet> sheetsOf(const Recorded& run, LaunchId launch, const BlockParts& parts) {
    std::vector<Sheet> sheets;
    const auto& buffers = run.recording.initial;
    for (u32 b = 0; b < buffers.size(); ++b) {
        const Buffer& buffer = buffers[b];
        u64 elements = 1;
        for (const u64 extent : buffer.shape)
            elements *= extent;
        if (elements == 0) continue;
        const bool isVector = buffer.shape.size() <= 1;
        sheets.push_back({buffer.name, deviceAddressOf(b), elements,
                          isVector ? std::min<u64>(elements, kWarpSize) : buffer.shape.back(),
                          info(buffer.type).bytes, trace::Space::Global, ptxType(buffer.type), &buffer,
                          isVector, !isVector});
        sheets.back().layout = elementLayout(run, launch, b);
        if (const auto part = parts.buffers.find(b); part != parts.buffers.end())
            sheets.back().part = &part->second;
    }
    const std::vector<SharedArray> arrays = sharedArrays(run, launch);
    for (std::size_t a = 0; a < arrays.size(); ++a) {
        const SharedArray& array = arrays[a];
        if (array.elements() == 0) continue;
        const bool isMatrix = array.shape.size() > 1;
        const u64 bankRow = 32 * 4 / std::min(4u, std::max(1u, array.elementBytes));  // a row of 32 banks
        sheets.push_back({array.name, array.base, array.elements(),
                          isMatrix ? array.columns() : std::min<u64>(array.elements(), bankRow),
                          array.elementBytes, trace::Space::Shared, array.type, nullptr, false, isMatrix});
        sheets.back().shared = array;
        if (isMatrix && a < parts.shared.size() && parts.shared[a]) sheets.back().part = &*parts.shared[a];
    }
    for (Sheet& sheet : sheets)
        sheet.showAll();
    return sheets;
}

std::string Sheet::nameOf(u64 element) const {
    if (shared) return shared->nameOf(element);
    return buffer ? nameOfBufferBytes(*buffer, s64(element * bytes), bytes, layout)
                  : fmt::format("{}[{}]", name, element);
}

std::string Sheet::sizeText() const { return isMatrix ? shapeText() : fmt::format("[{}]", sourceElements()); }

std::string Sheet::shapeText() const {
    if (!shared || shared->shape.size() < 3) return fmt::format("{} × {}", grouped(rows()), grouped(columns));
    std::string text;
    for (const u64 extent : shared->shape)
        text += (text.empty() ? "" : " × ") + grouped(extent);
    return text;
}

}  // namespace lockstep::explain
