#include "explain/value_graph.h"

#include "base/device_addresses.h"
#include "explain/value_walk.h"
#include "ptx/opcodes.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>

namespace lockstep::explain {
namespace {

using Kind = ValueGraph::Kind;

constexpr ValueGraph::Id kMade = 0, kUnknown = 1;
constexpr std::size_t kMostNodes = 4'000'000;  // some 300 MB

struct Row {
    std::string_view opcode;
    Kind kind;
};
constexpr std::array kKinds{
    Row{"add", Kind::Add},           Row{"sub", Kind::Subtract},    Row{"mul", Kind::Multiply},
    Row{"mul24", Kind::Multiply},    Row{"fma", Kind::MultiplyAdd}, Row{"mad", Kind::MultiplyAdd},
    Row{"mad24", Kind::MultiplyAdd}, Row{"div", Kind::Divide},      Row{"min", Kind::Least},
    Row{"max", Kind::Most},          Row{"and", Kind::Bits},        Row{"or", Kind::Bits},
    Row{"xor", Kind::Bits},          Row{"selp", Kind::Choice},     Row{"cvt", Kind::Convert},
    Row{"neg", Kind::Convert},       Row{"mov", Kind::Convert},     Row{"redux", Kind::Add},
};

std::string_view opcodeAt(const ptx::Module& module, const trace::FocusBlock& block, ThreadStep at) {
    const Pc pc = block.warps[at.warp.value].steps[at.step].pc;
    return ptx::opcodeTable()[module.at(pc).opcode].name;
}

Kind kindOf(std::string_view opcode) {
    const auto* const row = std::ranges::find(kKinds, opcode, &Row::opcode);
    return row == kKinds.end() ? Kind::Function : row->kind;
}

// Elements of vectors are at most four, and their bytes sixteen.
u64 keyOf(const Origin& origin) {
    const u64 thread = (u64{origin.at.step} << 16 | u64{origin.at.warp.value}) << 5 | origin.at.lane.value;
    return (thread << 3 | origin.element) << 5 | u64(origin.byte) << 1 | (origin.kind == Origin::Kind::Load);
}

}  // namespace

ValueGraph::ValueGraph(const ptx::Module& module, std::span<const Buffer> buffers,
                       const trace::FocusBlock& block, const BlockFlow& flow)
    : module_(module), buffers_(buffers), block_(block), flow_(flow) {
    nodes_.push_back({.kind = Kind::Made});
    nodes_.push_back({.kind = Kind::Unknown});
}

ValueGraph::Id ValueGraph::stored(ThreadStep store, u32 firstByte, u32 bytes) {
    return of(flow_.originOfStored(store, firstByte, bytes, Choices::Open));
}

std::optional<ValueGraph::Cell> ValueGraph::cellAt(u64 address) const {
    const std::optional<u32> buffer = bufferOfAddress(address);
    if (!buffer || *buffer >= buffers_.size()) return std::nullopt;
    const s64 bytes = info(buffers_[*buffer].type).bytes, at = s64(address - deviceAddressOf(*buffer));
    return Cell{*buffer, at >= 0 ? at / bytes : -((-at + bytes - 1) / bytes)};
}

std::size_t ValueGraph::Ids::placeOf(u64 key) const {
    constexpr u64 kFactor = 0x9e3779b97f4a7c15;
    std::size_t place = (key * kFactor >> 32) & (entries_.size() - 1);
    while (entries_[place].key != key && entries_[place].key != kNone)
        place = (place + 1) & (entries_.size() - 1);
    return place;
}

std::optional<ValueGraph::Id> ValueGraph::Ids::find(u64 key) const {
    const Entry& entry = entries_[placeOf(key)];
    return entry.key == key ? std::optional(entry.id) : std::nullopt;
}

void ValueGraph::Ids::insert(u64 key, Id id) {
    if (2 * ++used_ > entries_.size()) {
        const std::vector<Entry> before = std::exchange(entries_, std::vector<Entry>(2 * entries_.size()));
        for (const Entry& entry : before)
            if (entry.key != kNone) entries_[placeOf(entry.key)] = entry;
    }
    entries_[placeOf(key)] = {key, id};
}

// Made, unknown, or met before.
std::optional<ValueGraph::Id> ValueGraph::known(const Origin& origin) const {
    if (origin.isMadeUp() || origin.kind == Origin::Kind::Nothing) return kMade;
    if (origin.kind == Origin::Kind::Unknown) return kUnknown;
    return made_.find(keyOf(origin));
}

ValueGraph::Id ValueGraph::of(const Origin& root) {
    const bool isMade = makeAfterSources<Id>(
        root, [&](const Origin& origin) { return known(origin); },
        [&](const Origin& origin, std::vector<Origin>& sources) { addSources(origin, sources); },
        [&](const Origin& origin, std::span<const Id> inputs) {
            made_.insert(keyOf(origin), make(origin, inputs));
        },
        [&] { return nodes_.size() >= kMostNodes; });
    return isMade ? *known(root) : kUnknown;
}

// What comes before a load or a computation: one store's value, or the operands.
void ValueGraph::addSources(const Origin& origin, std::vector<Origin>& sources) const {
    if (origin.kind == Origin::Kind::Load) {
        if (const auto written = flow_.originOfLoaded(origin, Choices::Open)) sources.push_back(*written);
        return;
    }
    const std::string_view opcode = opcodeAt(module_, block_, origin.at);
    if (opcode == "atom" || opcode == "red")
        return sources.push_back(flow_.originOfStored(origin.at, 0, origin.bytes, Choices::Open));
    if (opcode == "redux") {
        std::ranges::copy(flow_.loadsBehind(origin), std::back_inserter(sources));
        return;
    }
    const Pc pc = block_.warps[origin.at.warp.value].steps[origin.at.step].pc;
    const std::span<const ptx::Operand> operands = module_.operandsOf(module_.at(pc));
    for (u32 operand = 1; operand < operands.size(); ++operand) {
        const auto* vector = std::get_if<ptx::VectorOperand>(&operands[operand]);
        for (u32 element = 0; element < (vector ? vector->elements.size() : 1); ++element)
            sources.push_back(flow_.originOf(origin.at, operand, element, Choices::Open));
    }
}

ValueGraph::Id ValueGraph::make(const Origin& origin, std::span<const Id> inputs) {
    if (origin.kind == Origin::Kind::Load) {
        if (!inputs.empty()) return inputs.front();
        const auto place = flow_.loadedFrom(origin);
        if (!place || opcodeAt(module_, block_, origin.at) == "atom") return kUnknown;
        return place->space == trace::Space::Global ? elementOf(origin.at, place->address) : kMade;
    }
    if (std::ranges::all_of(inputs, [](Id id) { return id == kMade; })) return kMade;
    return add({.kind = kindOf(opcodeAt(module_, block_, origin.at)),
                .warp = origin.at.warp,
                .lane = origin.at.lane},
               inputs);
}

ValueGraph::Id ValueGraph::elementOf(ThreadStep load, u64 address) {
    const std::optional<Cell> cell = cellAt(address);
    if (!cell) return kUnknown;
    if (isPlacedByData(load)) gathered_.insert(cell->buffer);
    const auto [known, isNew] = elements_.try_emplace(address, Id(nodes_.size()));
    if (isNew) nodes_.push_back({.kind = Kind::Element, .buffer = cell->buffer, .element = cell->element});
    return known->second;
}

ValueGraph::Id ValueGraph::add(Node node, std::span<const Id> inputs) {
    node.inputs = u32(inputs.size());
    node.first = u32(inputs_.size());
    inputs_.insert(inputs_.end(), inputs.begin(), inputs.end());
    nodes_.push_back(node);
    return Id(nodes_.size() - 1);
}

bool ValueGraph::isPlacedByData(ThreadStep access) const {
    const Pc pc = block_.warps[access.warp.value].steps[access.step].pc;
    const auto [placed, isFirst] = placedByData_.try_emplace(pc.value, false);
    if (isFirst) {
        const std::string_view opcode = opcodeAt(module_, block_, access);
        const bool isSecond = opcode == "ld" || opcode == "ldu" || opcode == "atom" || opcode == "cp";
        placed->second = !flow_.loadsBehind(flow_.originOf(access, isSecond ? 1 : 0)).empty();
    }
    return placed->second;
}

std::vector<ValueGraph::Cell> ValueGraph::elementsBehind(Id id, std::size_t most) const {
    std::vector<Cell> cells;
    std::vector<Id> open{id};
    std::set<Id> seen{id};
    while (!open.empty()) {
        const Id at = open.back();
        open.pop_back();
        if (nodes_[at].kind == Kind::Element) cells.push_back({nodes_[at].buffer, nodes_[at].element});
        for (const Id input : inputsOf(at))
            if (seen.insert(input).second) open.push_back(input);
        if (seen.size() > most) return {};
    }
    std::ranges::sort(cells);
    return cells;
}

}  // namespace lockstep::explain
