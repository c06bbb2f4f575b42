#include "explain/sums/value_tree.h"

#include "explain/value_walk.h"
#include "ptx/opcodes.h"

#include <algorithm>

namespace lockstep::explain {
namespace {

constexpr ValueTree::Id kMade = 0, kUnknown = 1;
constexpr std::size_t kMostNodes = 400'000;  // a fifth of a second

// Elements of vectors are at most four, and their bytes sixteen.
u64 keyOf(const Origin& origin) {
    const u64 thread = (u64{origin.at.step} << 16 | u64{origin.at.warp.value}) << 5 | origin.at.lane.value;
    return (thread << 3 | origin.element) << 5 | u64(origin.byte) << 1 | (origin.kind == Origin::Kind::Load);
}
bool isSameThread(ThreadStep a, ThreadStep b) { return a.warp == b.warp && a.lane == b.lane; }

}  // namespace

ValueTree::ValueTree(const ptx::Module& module, const trace::FocusBlock& block, const BlockFlow& flow)
    : module_(module), block_(block), flow_(flow) {
    nodes_.push_back({.kind = Kind::Made});
    nodes_.push_back({.kind = Kind::Unknown});
}

std::optional<ValueTree::Group> ValueTree::groupOf(std::string_view opcode) {
    struct Row {
        std::string_view opcode;
        Group group;
    };
    static constexpr std::array kRows{
        Row{"add", Group::Sum},   Row{"fma", Group::Sum},     Row{"mad", Group::Sum},
        Row{"mad24", Group::Sum}, Row{"mul", Group::Product}, Row{"min", Group::Least},
        Row{"max", Group::Most},  Row{"and", Group::Bits},    Row{"or", Group::Bits},
        Row{"xor", Group::Bits},  Row{"selp", Group::Choice}};
    const auto* const row = std::ranges::find(kRows, opcode, &Row::opcode);
    return row == kRows.end() ? std::nullopt : std::optional(row->group);
}

std::string_view ValueTree::opcodeAt(ThreadStep at) const {
    const Pc pc = block_.warps[at.warp.value].steps[at.step].pc;
    return ptx::opcodeTable()[module_.at(pc).opcode].name;
}

std::optional<ValueTree::Group> ValueTree::groupBehind(Origin origin) const {
    constexpr u32 kMost = 64;  // what is done to a result at its end
    for (u32 i = 0; i < kMost; ++i) {
        std::vector<Origin> sources;
        if (origin.kind == Origin::Kind::Load || origin.kind == Origin::Kind::Computed)
            addSources(origin, sources);
        std::erase_if(sources, [](const Origin& source) { return source.isMadeUp(); });
        if (sources.empty()) return std::nullopt;
        if (sources.size() > 1)
            return origin.kind == Origin::Kind::Computed ? groupOf(opcodeAt(origin.at)) : std::nullopt;
        origin = sources.front();
    }
    return std::nullopt;
}

std::optional<ValueTree::Id> ValueTree::known(const Origin& origin) const {
    if (origin.isMadeUp() || origin.kind == Origin::Kind::Nothing) return kMade;
    if (origin.kind == Origin::Kind::Unknown) return kUnknown;
    const auto found = made_.find(keyOf(origin));
    return found == made_.end() ? std::nullopt : std::optional(found->second);
}

ValueTree::Id ValueTree::of(const Origin& root) {
    if (!group_) group_ = groupBehind(root);
    const bool isMade = makeAfterSources<Id>(
        root, [&](const Origin& origin) { return known(origin); },
        [&](const Origin& origin, std::vector<Origin>& sources) { addSources(origin, sources); },
        [&](const Origin& origin, std::span<const Id> inputs) {
            const Id made = make(origin, inputs);
            made_.emplace(keyOf(origin), made);
        },
        [&] { return nodes_.size() >= kMostNodes; });
    return isMade ? *known(root) : kUnknown;
}

// A value loaded from global memory is a leaf, whichever thread stored it: another tree begins there.
void ValueTree::addSources(const Origin& origin, std::vector<Origin>& sources) const {
    if (origin.kind == Origin::Kind::Load) {
        const auto place = flow_.loadedFrom(origin);
        if (!place || place->space == trace::Space::Global) return;
        if (const auto written = flow_.originOfLoaded(origin, Choices::Open)) sources.push_back(*written);
        return;
    }
    const std::string_view opcode = opcodeAt(origin.at);
    if (opcode == "atom" || opcode == "red") return;
    const Pc pc = block_.warps[origin.at.warp.value].steps[origin.at.step].pc;
    const std::span<const ptx::Operand> operands = module_.operandsOf(module_.at(pc));
    const u32 end = opcode == "selp" ? 3 : u32(operands.size());
    for (u32 operand = 1; operand < end; ++operand) {
        const auto* vector = std::get_if<ptx::VectorOperand>(&operands[operand]);
        for (u32 element = 0; element < (vector ? vector->elements.size() : 1); ++element)
            sources.push_back(flow_.originOf(origin.at, operand, element, Choices::Open));
    }
}

ValueTree::Id ValueTree::make(const Origin& origin, std::span<const Id> inputs) {
    if (origin.kind == Origin::Kind::Load) {
        if (!inputs.empty()) return inputs.front();
        const auto place = flow_.loadedFrom(origin);
        if (!place || place->space != trace::Space::Global) return kUnknown;
        return leaf(Kind::Loaded, origin.at, origin.element, place->address);
    }
    const std::string_view opcode = opcodeAt(origin.at);
    std::vector<Operand> live;
    for (u32 i = 0; i < inputs.size(); ++i)
        if (inputs[i] != kMade) live.push_back({inputs[i], i + 1});
    if (live.empty() && opcode != "atom") return kMade;
    const bool isOfGroup = group_ && groupOf(opcode) == group_;
    const bool isFused = opcode == "fma" || opcode == "mad" || opcode == "mad24";
    if (isOfGroup && isFused && inputs.size() == 3 && inputs[0] != kMade && inputs[1] != kMade) {
        const Id product = leaf(Kind::Other, origin.at, 0, 0);
        if (inputs[2] != kMade)
            return combine(origin.at, std::array{Operand{product, 1}, Operand{inputs[2], 3}});
        passed_.emplace(product, origin.at);
        return product;
    }
    if (live.size() == 1 && isOfGroup)
        if (const std::optional<Id> combined = combineWithMade(origin.at, inputs)) return *combined;
    if (live.size() == 1) {
        const Node& only = nodes_[live.front().id];
        if (isOfGroup && only.kind == Kind::Loaded && isSameThread(only.at, origin.at))
            passed_.try_emplace(live.front().id, origin.at);
        return live.front().id;
    }
    if (isOfGroup && live.size() <= 3) return combine(origin.at, live);
    return leaf(Kind::Other, origin.at, 0, 0);
}

ValueTree::Id ValueTree::leaf(Kind kind, ThreadStep at, u8 element, u64 address) {
    nodes_.push_back({.kind = kind, .at = at, .element = element, .address = address});
    return Id(nodes_.size() - 1);
}

ValueTree::Carrier ValueTree::carrierOf(ThreadStep at, u32 operand) const {
    constexpr u32 kMost = 16;  // moves
    Carrier carrier;
    for (u32 i = 0; i < kMost; ++i) {
        const Definition definition = flow_.definitionOf(at, operand);
        if (definition.kind != Definition::Kind::Step) return carrier;
        at.step = definition.step;
        const std::string_view opcode = opcodeAt(at);
        operand = 1;
        if (opcode == "shfl") {
            const std::optional<ThreadStep> from = flow_.shuffledFrom(at);
            if (!from) return carrier;
            if (!carrier.shuffledFrom) carrier.shuffledFrom = from->warp.value * kWarpSize + from->lane.value;
            at = *from;
        } else if (opcode == "selp") {
            operand = flow_.originOf(at, 1).isMadeUp() ? 2 : 1;
        } else if (opcode == "ld") {
            const auto place = flow_.loadedFrom({.kind = Origin::Kind::Load, .at = at, .bytes = 1});
            if (!place || place->space != trace::Space::Shared) return carrier;
            carrier.loadedBy = at;
            const WrittenBy writer = flow_.writtenBy(at);
            if (writer.kind == WrittenBy::Kind::Store)
                carrier.leftBy = writer.at.warp.value * kWarpSize + writer.at.lane.value;
            return carrier;
        } else if (opcode != "mov" && opcode != "cvt") {
            const std::optional<u32> only = onlyLive(at);
            if (!only) return carrier;
            operand = *only;
        }
    }
    return carrier;
}

std::optional<u32> ValueTree::onlyLive(ThreadStep at) const {
    const std::optional<Id> made = known({.kind = Origin::Kind::Computed, .at = at});
    if (!made || nodes_[*made].at == at) return std::nullopt;  // it is made here
    std::optional<u32> only;
    const Pc pc = block_.warps[at.warp.value].steps[at.step].pc;
    for (u32 operand = 1; operand < module_.operandsOf(module_.at(pc)).size(); ++operand) {
        const std::optional<Id> id = known(flow_.originOf(at, operand, 0, Choices::Open));
        if (id == kMade) continue;
        if (only) return std::nullopt;
        only = operand;
    }
    return only;
}

std::optional<u32> ValueTree::otherThread(ThreadStep at) const {
    const u32 own = at.warp.value * kWarpSize + at.lane.value;
    const Pc pc = block_.warps[at.warp.value].steps[at.step].pc;
    for (u32 operand = 1; operand < module_.operandsOf(module_.at(pc)).size(); ++operand) {
        const Carrier carrier = carrierOf(at, operand);
        if (carrier.shuffledFrom) return carrier.shuffledFrom;
        if (carrier.leftBy && *carrier.leftBy != own) return carrier.leftBy;
    }
    return std::nullopt;
}

ValueTree::Id ValueTree::moved(ThreadStep load, Id what) {
    const u64 key = (u64{load.step} << 16 | load.warp.value) << 5 | load.lane.value;
    const auto [known, isNew] = moved_.try_emplace(key, Id(nodes_.size()));
    if (isNew)
        nodes_.push_back(
            {.kind = Kind::Moved, .at = load, .round = nodes_[what].round + 1, .inputs = 1, .input = {what}});
    return known->second;
}

// A lane that has no elements takes part in a round all the same, with the 0 that it began with.
std::optional<ValueTree::Id> ValueTree::combineWithMade(ThreadStep at, std::span<const Id> inputs) {
    if (inputs.size() != 2) return std::nullopt;
    std::array<Operand, 2> operands;
    std::array<u32, 2> threads{};
    bool isOfOthers = false;
    const u32 own = at.warp.value * kWarpSize + at.lane.value;
    for (u32 i = 0; i < 2; ++i) {
        const Carrier carrier = carrierOf(at, i + 1);
        operands[i] = {inputs[i], i + 1};
        threads[i] = carrier.threadOr(own);
        isOfOthers = isOfOthers || carrier.shuffledFrom || threads[i] != own;
    }
    if (!isOfOthers) return std::nullopt;
    for (u32 i = 0; i < 2; ++i) {
        if (inputs[i] != kMade) continue;
        const Definition made = flow_.definitionOf(at, i + 1);
        if (made.kind != Definition::Kind::Step) return std::nullopt;
        operands[i].id = Id(nodes_.size());
        nodes_.push_back({.kind = Kind::Made,
                          .at = {Warp{threads[i] / kWarpSize}, Lane{threads[i] % kWarpSize}, at.step},
                          .read = {at.warp, at.lane, made.step}});
    }
    return combine(at, operands);
}

ValueTree::Id ValueTree::combine(ThreadStep at, std::span<const Operand> operands) {
    Node node{.kind = Kind::Combined, .at = at, .count = 0};
    bool isOwn = true;
    for (const Operand& operand : operands)
        isOwn = isOwn && nodes_[operand.id].round == 0 && isSameThread(nodes_[operand.id].at, at);
    std::array<Carrier, 3> carriers;
    bool isShuffled = false;
    if (!isOwn)
        for (std::size_t i = 0; i < operands.size(); ++i) {
            carriers[i] = carrierOf(at, operands[i].number);
            isShuffled = isShuffled || carriers[i].shuffledFrom;
        }
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const Id id = isShuffled && carriers[i].loadedBy && nodes_[operands[i].id].kind != Kind::Unknown
                          ? moved(*carriers[i].loadedBy, operands[i].id)
                          : operands[i].id;
        node.input[node.inputs++] = id;
        node.round = std::max(node.round, nodes_[id].round);
        node.count += nodes_[id].count;
    }
    if (!isOwn) ++node.round, node.count = 1;
    nodes_.push_back(node);
    return Id(nodes_.size() - 1);
}

std::vector<ValueTree::Id> ValueTree::ownSteps(Id id) const {
    std::vector<Id> steps, open{id};
    while (!open.empty()) {
        const Id at = open.back();
        open.pop_back();
        if (nodes_[at].kind != Kind::Combined || nodes_[at].round > 0) continue;
        steps.push_back(at);
        for (const Id input : inputsOf(at))
            open.push_back(input);
    }
    return steps;
}

std::optional<ValueTree::Id> ValueTree::firstLeaf(Id id) const {
    while (nodes_[id].kind == Kind::Combined)
        id = nodes_[id].input[0];
    return nodes_[id].kind == Kind::Loaded ? std::optional(id) : std::nullopt;
}

std::vector<ValueTree::Taken> ValueTree::takenBy(Id id) const {
    std::vector<Taken> taken;
    const auto take = [&](Id leaf, ThreadStep at, Id sum) {
        const auto passed = passed_.find(leaf);
        taken.push_back(passed == passed_.end() ? Taken{leaf, at, sum} : Taken{leaf, passed->second, leaf});
    };
    if (nodes_[id].kind != Kind::Combined) {
        take(id, nodes_[id].at, id);
        return taken;
    }
    for (const Id step : ownSteps(id))
        for (const Id input : inputsOf(step))
            if (nodes_[input].kind != Kind::Combined) take(input, nodes_[step].at, step);
    return taken;
}

}  // namespace lockstep::explain
