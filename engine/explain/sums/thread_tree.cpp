#include "explain/sums/thread_tree.h"

#include "base/device_addresses.h"
#include "base/element_value.h"
#include "explain/moving_accesses.h"
#include "explain/numbers.h"
#include "explain/sums/value_tree.h"
#include "ptx/opcodes.h"
#include "simt/warp_replay.h"

#include <algorithm>
#include <map>
#include <set>

namespace lockstep::explain {
namespace {

using Id = ValueTree::Id;

u32 threadOf(ThreadStep at) { return at.warp.value * kWarpSize + at.lane.value; }

// The tree's values, as threads' registers hold them.
class Values {
public:
    Values(const Recorded& run, const trace::FocusBlock& block, std::vector<simt::WarpReplay>& replays,
           std::optional<ElementType> elements)
        : module_(*run.module), block_(block), replays_(replays), elements_(elements) {}

    void want(ThreadStep at, u32 element) { wanted_[{at.warp.value, at.step}].push_back({at.lane, element}); }
    void read() {
        for (const auto& [key, lanes] : wanted_) {
            const auto [warp, step] = key;
            replays_[warp].seek(step + 1);
            const Pc pc = block_.warps[warp].steps[step].pc;
            for (const auto& [lane, element] : lanes)
                if (const std::optional<f64> value = valueOf(replays_[warp], pc, lane, element))
                    known_[{warp, lane.value, step, element}] = *value;
        }
    }
    f64 of(ThreadStep at, u32 element) const {
        const auto found = known_.find({at.warp.value, at.lane.value, at.step, element});
        return found == known_.end() ? 0 : found->second;
    }
    // Of what an instruction makes.
    bool isFloat(ThreadStep at) const {
        return ptx::isFloat(module_.at(block_.warps[at.warp.value].steps[at.step].pc).types[0]) ||
               (elements_ && isFloatElement(*elements_));
    }

private:
    std::optional<f64> valueOf(simt::WarpReplay& replay, Pc pc, Lane lane, u32 element) const {
        const ptx::Instruction& instruction = module_.at(pc);
        const ptx::Operand* result = &module_.operandsOf(instruction)[0];
        if (const auto* vector = std::get_if<ptx::VectorOperand>(result); vector)
            result = element < vector->elements.size() ? &vector->elements[element] : nullptr;
        const auto* destination = result ? std::get_if<ptx::RegisterOperand>(result) : nullptr;
        const auto* pair = result ? std::get_if<ptx::PairOperand>(result) : nullptr;
        if (!destination && !pair) return std::nullopt;
        const simt::LaneValues values =
            replay.valuesOf(module_.functionOf(pc), pair ? pair->value : destination->id);
        if (!values.known.has(lane)) return std::nullopt;
        const u64 bits = values.bits[lane.value];
        return numberOf(std::as_bytes(std::span(&bits, 1)), typeOf(instruction.types[0]));
    }
    // Of a word the instruction often knows no more than its width: then it is what the elements are.
    ElementType typeOf(ptx::Type type) const {
        const u32 bytes = ptx::bytesOf(type);
        if (ptx::isFloat(type)) return bytes == 8 ? ElementType::F64 : ElementType::F32;
        if (elements_ && info(*elements_).bytes == bytes) return *elements_;
        if (bytes == 8) return type == ptx::Type::U64 ? ElementType::U64 : ElementType::I64;
        return type == ptx::Type::U32 ? ElementType::U32 : ElementType::I32;
    }

    const ptx::Module& module_;
    const trace::FocusBlock& block_;
    std::vector<simt::WarpReplay>& replays_;
    std::optional<ElementType> elements_;
    std::map<std::pair<u32, u32>, std::vector<std::pair<Lane, u32>>> wanted_;  // by warp and step
    std::map<std::tuple<u32, u32, u32, u32>, f64> known_;
};

std::vector<OwnRun> runsOf(const std::vector<OwnSum>& all) {
    std::vector<std::tuple<u32, Warp, s64>> places;
    for (const OwnSum& own : all)
        for (const OwnElement& e : own.elements)
            places.emplace_back(e.buffer, own.warp, e.element);
    std::ranges::sort(places);
    std::vector<OwnRun> runs;
    for (const auto& [buffer, warp, element] : places)
        if (!runs.empty() && runs.back().buffer == buffer && runs.back().warp == warp &&
            element <= runs.back().end)
            runs.back().end = element + 1;
        else
            runs.push_back({buffer, warp, element, element + 1});
    return runs;
}

class Builder {
public:
    Builder(const Recorded& run, const CursorContext& here, const BlockFlow& flow,
            std::vector<simt::WarpReplay>& replays)
        : run_(run),
          block_(*here.block),
          flow_(flow),
          tree_(*run.module, *here.block, flow),
          replays_(replays) {}

    std::optional<ReductionFacts> build() {
        gatherRoots();
        keepLargest();
        if (combining_.empty() || !findOwn()) return std::nullopt;
        std::optional<ElementType> elements;
        for (const auto& [thread, id] : own_)
            if (const auto cell = cellOf(tree_.firstLeaf(id)); cell && !elements)
                elements = run_.recording.initial[cell->first].type;
        Values values(run_, block_, replays_, elements);
        for (const Id id : combining_) {
            want(values, id);
            for (const Id input : tree_.inputsOf(id))
                want(values, input);
        }
        for (const auto& [thread, id] : own_) {
            want(values, id);
            for (const ValueTree::Taken& taken : tree_.takenBy(id))
                want(values, taken.sum);
        }
        addUnused(values);
        values.read();
        return facts(values);
    }

private:
    void gatherRoots() {
        constexpr std::size_t kMost = 1024;  // results looked at
        forEachMovingAccess(block_, [&](Warp warp, u32 step, const trace::StoredAccess& access) {
            if (access.space != trace::Space::Global || !trace::writes(access.kind)) return;
            forEachValue(*run_.module, warp, step, access, [&](const MovedValue& value) {
                if (roots_.size() < kMost)
                    roots_.push_back(tree_.of(flow_.originOfStored(value.thread, value.element * value.bytes,
                                                                   value.bytes, Choices::Open)));
            });
        });
    }

    // A block may leave several results, each of a tree: those of about the largest one's size.
    void keepLargest() {
        std::vector<std::set<Id>> behind;
        std::size_t most = 0;
        for (const Id root : roots_) {
            std::set<Id>& all = behind.emplace_back();
            std::vector<Id> open{root};
            while (!open.empty()) {
                const Id id = open.back();
                open.pop_back();
                if (tree_.node(id).round == 0 || !all.insert(id).second) continue;
                for (const Id input : tree_.inputsOf(id))
                    open.push_back(input);
            }
            most = std::max(most, all.size());
        }
        for (const std::set<Id>& all : behind)
            if (2 * all.size() >= most) combining_.insert(all.begin(), all.end());
    }

    // What each thread has when the others come in. More than one such value of many threads is no tree.
    bool findOwn() {
        std::size_t several = 0;
        for (const Id id : combining_)
            for (const Id input : tree_.inputsOf(id)) {
                const ValueTree::Node& node = tree_.node(input);
                if (node.round > 0 || node.kind == ValueTree::Kind::Made) continue;
                const auto [known, isNew] = own_.try_emplace(threadOf(node.at), input);
                if (isNew || known->second == input) continue;
                ++several;
                if (tree_.countOf(input) > tree_.countOf(known->second)) known->second = input;
            }
        return own_.size() > 1 && 4 * several <= own_.size();
    }

    // The step that writes the register which holds it.
    ThreadStep heldAt(Id id) const {
        const ValueTree::Node& node = tree_.node(id);
        return node.kind == ValueTree::Kind::Made ? node.read : node.at;
    }
    void want(Values& values, Id id) const { values.want(heldAt(id), tree_.node(id).element); }

    // A warp of zeros executes the same additions, each as often as the others.
    void addWarpsWithoutElements(std::map<std::pair<u32, u32>, std::pair<LaneMask, u32>>& steps) const {
        const auto isOf = [&](u32 warp, u32 step, Pc pc) {
            const trace::Step& s = block_.warps[warp].steps[step];
            return s.pc == pc && !s.active.empty();
        };
        std::map<std::pair<u32, u32>, u32> rounds;  // by pc and how often it was executed before: which round
        std::set<std::pair<u32, u32>> taking;       // round and warp
        for (const auto& [key, used] : steps) {
            const auto [warp, step] = key;
            const Pc pc = block_.warps[warp].steps[step].pc;
            u32 before = 0;
            for (u32 s = 0; s < step; ++s)
                before += isOf(warp, s, pc);
            rounds.try_emplace({pc.value, before}, used.second);
            taking.emplace(used.second, warp);
        }
        for (const auto& [times, round] : rounds)
            for (u32 w = 0; w < block_.warps.size(); ++w) {
                if (taking.contains({round, w})) continue;
                u32 left = times.second;
                for (u32 s = 0; s < block_.warps[w].steps.size(); ++s)
                    if (isOf(w, s, Pc{times.first}) && left-- == 0) {
                        steps.try_emplace({w, s}, LaneMask{}, round);
                        break;
                    }
            }
    }

    // Lanes that execute a round's addition, but whose sums no result is made of.
    struct Unused {
        ThreadStep at;
        u32 from = 0, round = 0;
    };
    void addUnused(Values& values) {
        std::map<std::pair<u32, u32>, std::pair<LaneMask, u32>> steps;  // warp and step: lanes, round
        for (const Id id : combining_) {
            const ValueTree::Node& node = tree_.node(id);
            if (node.kind != ValueTree::Kind::Combined) continue;
            auto& [lanes, round] = steps[{node.at.warp.value, node.at.step}];
            lanes = lanes | LaneMask::of(node.at.lane), round = node.round;
        }
        addWarpsWithoutElements(steps);
        for (const auto& [key, used] : steps) {
            const trace::Step& step = block_.warps[key.first].steps[key.second];
            for (const Lane lane : step.active & ~used.first) {
                const ThreadStep at{Warp{key.first}, lane, key.second};
                const std::optional<u32> from = tree_.otherThread(at);
                if (!from) continue;
                unused_.push_back({at, *from, used.second});
                values.want(at, 0);
            }
        }
    }

    std::optional<std::pair<u32, s64>> cellOf(const std::optional<Id>& leaf) const {
        if (!leaf || tree_.node(*leaf).kind != ValueTree::Kind::Loaded) return std::nullopt;
        const u64 address = tree_.node(*leaf).address;
        const std::optional<u32> buffer = bufferOfAddress(address);
        if (!buffer || *buffer >= run_.recording.initial.size()) return std::nullopt;
        return std::pair{*buffer, s64(address - deviceAddressOf(*buffer)) /
                                      s64(info(run_.recording.initial[*buffer].type).bytes)};
    }

    u32 orderOf(ThreadStep at) const { return block_.warps[at.warp.value].steps[at.step].order; }

    ReductionFacts facts(const Values& values) const {
        ReductionFacts facts;
        facts.isByThread = true;
        facts.isSum = tree_.isSum();
        facts.array.elementBytes = 1;
        facts.places = block_.threads;
        const auto valueOf = [&](Id id) { return values.of(heldAt(id), tree_.node(id).element); };
        for (const auto& [thread, id] : own_) {
            const ValueTree::Node& node = tree_.node(id);
            OwnSum own{node.at.warp, node.at.lane, {}};
            for (const ValueTree::Taken& taken : tree_.takenBy(id))
                if (const auto cell = cellOf(taken.leaf))
                    own.elements.push_back(
                        {cell->first, cell->second, taken.at.step, orderOf(taken.at), valueOf(taken.sum)});
            std::ranges::sort(own.elements, {},
                              [](const OwnElement& e) { return std::pair(e.order, e.element); });
            const ThreadStep at = own.elements.empty() || own.elements.back().order < orderOf(node.at)
                                      ? node.at
                                      : ThreadStep{node.at.warp, node.at.lane, own.elements.back().step};
            facts.start.push_back({node.at.warp, node.at.lane, at.step, orderOf(at), thread, valueOf(id)});
            facts.own.push_back(std::move(own));
        }
        facts.ownRuns = runsOf(facts.own);
        u32 rounds = 0;
        for (const Id id : combining_)
            rounds = std::max(rounds, tree_.node(id).round);
        facts.rounds.resize(rounds);
        for (const Id id : combining_) {
            const ValueTree::Node& node = tree_.node(id);
            facts.isFloat |= values.isFloat(node.at);
            Addition addition{.warp = node.at.warp,
                              .lane = node.at.lane,
                              .step = node.at.step,
                              .order = orderOf(node.at),
                              .from = {},
                              .to = threadOf(node.at),
                              .sum = valueOf(id),
                              .isMove = node.kind == ValueTree::Kind::Moved};
            for (const Id input : tree_.inputsOf(id)) {
                const u32 thread = threadOf(tree_.node(input).at);
                const Addend addend{thread, valueOf(input)};
                if (thread == addition.to && !addition.own)
                    addition.own = addend;
                else
                    addition.from.push_back(addend);
            }
            facts.rounds[node.round - 1].push_back(std::move(addition));
        }
        for (const Unused& u : unused_)
            facts.rounds[u.round - 1].push_back({.warp = u.at.warp,
                                                 .lane = u.at.lane,
                                                 .step = u.at.step,
                                                 .order = orderOf(u.at),
                                                 .from = {{u.from, 0}},
                                                 .to = threadOf(u.at),
                                                 .sum = values.of(u.at, 0),
                                                 .isUsed = false});
        for (std::vector<Addition>& round : facts.rounds)
            std::ranges::sort(round, {}, &Addition::to);
        std::erase_if(facts.rounds, [](const auto& round) { return round.empty(); });
        return facts;
    }

    Recorded run_;
    const trace::FocusBlock& block_;
    const BlockFlow& flow_;
    ValueTree tree_;
    std::vector<simt::WarpReplay>& replays_;
    std::vector<Id> roots_;
    std::set<Id> combining_;  // that take something from another thread, or what such a thing is made into
    std::map<u32, Id> own_;   // by thread
    std::vector<Unused> unused_;
};

}  // namespace

std::optional<ReductionFacts> threadTree(const Recorded& run, const Cursor& cursor, const LazyFlow& lazy) {
    const CursorContext here = lookUp(run, cursor);
    const BlockFlow* flow = here.block ? lazy.get() : nullptr;
    if (!flow) return std::nullopt;
    Expected<std::vector<simt::WarpReplay>> replays = simt::WarpReplay::ofBlock(
        *run.module, launchOf(run, cursor.launch), run.recording.initial.size(), *here.block);
    return replays ? Builder(run, here, *flow, *replays).build() : std::nullopt;
}

std::optional<ReductionFacts> treeFacts(const Recorded& run, const Cursor& cursor, const LazyFlow& lazy) {
    std::optional<ReductionFacts> shared = reductionFacts(run, cursor, lazy),
                                  threads = threadTree(run, cursor, lazy);
    const bool isWhole = shared && shared->roundsInRegisters == 0 && shared->shuffles == 0;
    if (!threads) return shared;
    if (!isWhole) return threads;
    if (std::ranges::any_of(threads->own, [](const OwnSum& own) { return own.elements.size() > 1; }))
        shared->own = std::move(threads->own), shared->ownRuns = std::move(threads->ownRuns);
    return shared;
}

}  // namespace lockstep::explain
