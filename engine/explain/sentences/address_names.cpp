#include "explain/sentences/address_names.h"

#include "base/device_addresses.h"
#include "ptx/analysis/shared_layout.h"
#include "ptx/module.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace lockstep::explain {
namespace {

s64 floorDivide(s64 a, s64 b) { return a / b - (a % b < 0); }

// "name[1][0]", of a wide access "name[1][0..3]", of one that crosses the end of a row
// "name[0][3]..name[1][0]"; none where the bytes are no whole elements.
std::optional<std::string> indexed(std::string_view name, std::span<const u64> shape, u64 elementBytes,
                                   s64 offsetBytes, u32 widthBytes) {
    constexpr u64 kMostElements = u64{1} << 40;  // keeps the arithmetic far from overflow
    if (elementBytes == 0 || offsetBytes % s64(elementBytes) != 0 || widthBytes % elementBytes != 0)
        return std::nullopt;
    std::vector<s64> indices(std::max<std::size_t>(shape.size(), 1));
    indices.front() = offsetBytes / s64(elementBytes);
    for (std::size_t at = shape.size();
         at-- > 1;) {  // the innermost takes its part, the outermost keeps what is left
        if (shape[at] == 0 || shape[at] > kMostElements) return std::nullopt;
        const s64 outer = floorDivide(indices.front(), s64(shape[at]));
        indices[at] = indices.front() - outer * s64(shape[at]);
        indices.front() = outer;
    }
    std::string text(name);
    for (s64 index : indices)
        text += fmt::format("[{}]", index);
    const u64 elements = widthBytes / elementBytes;
    // What goes on in the next row has two whole names.
    if (shape.size() > 1 && elements > 1 && indices.back() + s64(elements) > s64(shape.back()))
        if (const auto last = indexed(name, shape, elementBytes,
                                      offsetBytes + s64((elements - 1) * elementBytes), u32(elementBytes)))
            return text + ".." + *last;
    if (elements > 1) text.insert(text.size() - 1, fmt::format("..{}", indices.back() + s64(elements) - 1));
    return text;
}

std::string plusBytes(std::string_view name, s64 offsetBytes) {
    if (offsetBytes == 0) return std::string(name);
    const u64 distance = offsetBytes < 0 ? 0 - u64(offsetBytes) : u64(offsetBytes);
    return fmt::format("{} {} {} byte{}", name, offsetBytes < 0 ? "-" : "+", distance,
                       distance == 1 ? "" : "s");
}

// Of a variable that is no buffer, with indices where `shapes` has its.
std::string nameInArray(const std::string& name, s64 offset, u32 widthBytes,
                        std::span<const ArrayShape> shapes) {
    const auto shape = std::ranges::find_if(
        shapes, [&](const ArrayShape& one) { return !one.isBuffer && one.name == name; });
    if (shape == shapes.end()) return plusBytes(name, offset);
    const auto elementAt = [&](s64 at, u32 width) {
        const bool isScalar = shape->shape.empty() && at == 0 && width == shape->elementBytes;
        return isScalar ? std::optional(name) : indexed(name, shape->shape, shape->elementBytes, at, width);
    };
    // Part of an element: a component of a vector, else bytes of it.
    if (const u32 within = u32(u64(offset) % std::max(1u, shape->elementBytes));
        widthBytes > 0 && within + widthBytes <= shape->elementBytes && widthBytes < shape->elementBytes) {
        const std::optional<std::string> whole = elementAt(offset - s64(within), shape->elementBytes);
        const TypeLayout::Leaf* leaf = shape->layout.leafAt(within, widthBytes);
        if (whole) return leaf ? *whole + leaf->name : plusBytes(*whole, within);
    }
    return elementAt(offset, widthBytes).value_or(plusBytes(name, offset));
}

}  // namespace

// Module variables come behind the buffers: one slot each, in the order of declaration.
std::string nameOfGlobalAddress(u64 address, u32 widthBytes, const ptx::Module& module,
                                const trace::Recording& recording, std::span<const ArrayShape> shapes) {
    const std::optional<u32> slot = bufferOfAddress(address);
    if (!slot) return {};
    const s64 offset = s64(address - deviceAddressOf(*slot));
    if (*slot < recording.initial.size()) {
        const Buffer& buffer = recording.initial[*slot];
        const auto shape = std::ranges::find_if(
            shapes, [&](const ArrayShape& one) { return one.isBuffer && one.name == buffer.name; });
        return nameOfBufferBytes(buffer, offset, widthBytes,
                                 shape == shapes.end() ? TypeLayout() : shape->layout);
    }
    u64 left = *slot - recording.initial.size();
    for (const ptx::Variable& variable : module.variables) {
        if (variable.space != ptx::StateSpace::Global && variable.space != ptx::StateSpace::Const) continue;
        if (left-- == 0) return nameInArray(ptx::variableName(variable.name), offset, widthBytes, shapes);
    }
    return {};
}

std::string nameOfBufferBytes(const Buffer& buffer, s64 offsetBytes, u32 widthBytes,
                              const TypeLayout& element) {
    const u32 own = info(buffer.type).bytes;
    if (element.bytes > own && buffer.shape.size() <= 1) {
        const s64 within = offsetBytes - floorDivide(offsetBytes, element.bytes) * element.bytes;
        const TypeLayout::Leaf* leaf = element.leafAt(u32(within), widthBytes);
        const bool isWhole = !leaf && within == 0 && widthBytes % element.bytes == 0;
        if (leaf || isWhole)
            if (const auto name = indexed(buffer.name, {}, element.bytes, offsetBytes - within,
                                          isWhole ? widthBytes : element.bytes))
                return leaf ? *name + leaf->name : *name;
    }
    const std::optional<std::string> name = indexed(buffer.name, buffer.shape, own, offsetBytes, widthBytes);
    return name ? *name : plusBytes(buffer.name, offsetBytes);
}

std::string nameOfElement(std::span<const Buffer> buffers, const std::string& buffer, u64 index) {
    const auto found = std::ranges::find(buffers, buffer, &Buffer::name);
    if (found == buffers.end()) return fmt::format("{}[{}]", buffer, index);
    const u32 bytes = info(found->type).bytes;
    return nameOfBufferBytes(*found, s64(index * bytes), bytes);
}

std::string nameOfSharedBytes(u64 offsetBytes, u32 widthBytes, const ptx::Module& module,
                              const ptx::Function& entry, u64 dynamicBytes,
                              std::span<const ArrayShape> shapes) {
    const ptx::SharedLayout layout = ptx::sharedLayout(module, entry, dynamicBytes);
    const ptx::SharedLayout::Placed* holder = nullptr;
    for (const ptx::SharedLayout::Placed& placed : layout.variables)
        if (placed.offsetBytes <= offsetBytes && (!holder || placed.offsetBytes > holder->offsetBytes))
            holder = &placed;
    if (!holder) return {};
    const std::string name = ptx::variableName(module.variables[holder->variable.value].name);
    const s64 offset = s64(offsetBytes - holder->offsetBytes);
    return nameInArray(name, offset, widthBytes, shapes);
}

LaunchedEntry launchedEntryOf(Pc pc, const ptx::Module& module, const trace::Recording& recording) {
    if (pc.value >= module.instructions.size()) return {};
    const ptx::FunctionId function = module.functionOf(pc);
    for (const Launch& launch : recording.launches) {
        const ptx::Function* entry = module.findEntry(launch.entry);
        if (!entry) continue;
        const std::vector<ptx::FunctionId> reached = ptx::reachableFunctions(module, *entry);
        if (std::ranges::find(reached, function) != reached.end()) return {entry, &launch};
    }
    return {};
}

std::string nameOfAddress(const trace::WarpAccess& access, Lane lane, const ptx::Module& module,
                          const trace::Recording& recording, std::span<const ArrayShape> shapes) {
    const u64 address = access.addresses[lane.value];
    if (access.space == trace::Space::Global || access.space == trace::Space::Constant)
        return nameOfGlobalAddress(address, access.widthBytes, module, recording, shapes);
    if (access.space != trace::Space::Shared) return {};
    const LaunchedEntry launched = launchedEntryOf(access.pc, module, recording);
    if (!launched.entry) return {};
    return nameOfSharedBytes(address, access.widthBytes, module, *launched.entry,
                             launched.launch->dynamicSharedBytes, shapes);
}

}  // namespace lockstep::explain
