// The rounds in which threads put their values together, followed forward through registers, shuffles and
// shared memory: each register of each lane holds a value with what it is made of.
#include "base/device_addresses.h"
#include "base/element_value.h"
#include "ptx/opcodes.h"
#include "simt/warp_replay.h"
#include "witness/record/rounds.h"

#include <algorithm>
#include <array>

namespace lockstep::witness {
namespace {

using trace::Space;

struct Node {
    u32 warp = 0, lane = 0, step = 0, round = 0;
    u64 address = 0;  // of a leaf
    bool isLeaf = false, isMove = false, isZero = false, isUsed = false;
    std::vector<u32> of;
    u32 readStep = 0, readLane = 0, element = 0;  // whose result holds it
    std::optional<u32> readWarp{};                // none: its own
    u32 thread() const { return warp * 32 + lane; }
};
struct Value {
    u32 node = kDead;
    std::optional<u32> shuffledFrom;              // lane
    std::optional<std::pair<u32, u32>> loadedBy;  // lane and step, from shared memory
    std::optional<u32> leftBy;                    // there: thread
    u32 writtenBy = 0;                            // step of this lane
    static constexpr u32 kDead = ~0u;
    bool isLive() const { return node != kDead; }
};
using Lanes = std::array<Value, 32>;

std::string groupOf(std::string_view opcode) {
    if (opcode == "add" || opcode == "fma" || opcode == "mad") return "add";
    if (opcode == "and" || opcode == "or" || opcode == "xor") return "bits";
    if (opcode == "min" || opcode == "max" || opcode == "mul") return std::string(opcode);
    return {};
}

class Follow {
public:
    Follow(const BlockFacts& facts, std::string group)
        : facts_(facts), block_(facts.block()), module_(*facts.run().run().module), group_(std::move(group)) {
        const run::Run& run = facts.run().run();
        auto replays = simt::WarpReplay::ofBlock(module_, run.recording.launches[block_.launch.value],
                                                 run.recording.initial.size(), block_);
        if (replays) replays_ = std::move(*replays);
    }

    // How many nodes results are made of.
    std::size_t go() {
        if (replays_.empty()) return 0;
        registers_.resize(block_.warps.size());
        std::vector<std::tuple<u32, u32, u32>> steps;  // order, warp, step
        for (u32 w = 0; w < block_.warps.size(); ++w)
            for (u32 s = 0; s < block_.warps[w].steps.size(); ++s)
                steps.emplace_back(block_.warps[w].steps[s].order, w, s);
        std::ranges::sort(steps);
        for (const auto& [order, warp, step] : steps)
            execute(warp, step);
        markUsed();
        return used_;
    }

    std::optional<Rounds> rounds(const Array& none) {
        if (used_ == 0) return std::nullopt;
        Rounds rounds;
        rounds.array = &none, rounds.isByThread = true, rounds.places = block_.threads;
        rounds.isSum = group_ == "add";
        u32 last = 0;
        for (const Node& node : nodes_)
            if (node.isUsed) last = std::max(last, node.round);
        rounds.rounds.resize(last);
        readValues();
        for (const Node& node : nodes_)
            if (node.isUsed && node.round > 0) rounds.rounds[node.round - 1].push_back(additionOf(node));
        addUnused(rounds);
        for (const auto& round : rounds.rounds)
            for (const Rounds::Addition& a : round)
                rounds.stores.push_back({{a.order, a.to}, a.sum});
        for (const auto& [thread, id] : ownValues()) {
            const Node& node = nodes_[id];
            const u32 order = orderOf(node.warp, node.step);
            std::vector<Rounds::Own> own;
            takeLeaves(id, own);
            u32 lastOrder = node.isLeaf ? 0 : order;
            for (const Rounds::Own& one : own)
                lastOrder = std::max(lastOrder, one.order);
            rounds.starts.push_back(lastOrder);
            rounds.startsOf[thread] = lastOrder;
            rounds.startPhase = std::max(rounds.startPhase, facts_.phaseOf(node.warp, node.step));
            rounds.stores.push_back({{lastOrder, thread}, valueOf(node)});
            std::ranges::sort(own, {}, [](const Rounds::Own& o) { return std::pair(o.order, o.address); });
            rounds.own[thread] = std::move(own);
        }
        for (u32 thread = 0; thread < block_.threads; ++thread)
            rounds.used.insert(thread);
        return rounds;
    }

private:
    u32 orderOf(u32 warp, u32 step) const { return block_.warps[warp].steps[step].order; }
    std::string_view opcodeAt(u32 warp, u32 step) const {
        return ptx::opcodeTable()[module_.at(block_.warps[warp].steps[step].pc).opcode].name;
    }
    static std::optional<u32> registerOf(const ptx::Operand& operand) {
        if (const auto* r = std::get_if<ptx::RegisterOperand>(&operand)) return r->id.value;
        if (const auto* p = std::get_if<ptx::PairOperand>(&operand)) return p->value.value;
        return std::nullopt;
    }
    // The registers of a function are its own.
    u64 keyOf(Pc pc, u32 id) const { return u64{module_.functionOf(pc).value} << 32 | id; }
    const Value& read(u32 warp, Pc pc, const ptx::Operand& operand, u32 lane) {
        static const Value kNothing;
        const auto id = registerOf(operand);
        return id ? registers_[warp][keyOf(pc, *id)][lane] : kNothing;
    }
    void write(u32 warp, u32 step, Pc pc, const ptx::Operand& operand, u32 lane, Value value) {
        value.writtenBy = step;
        if (const auto id = registerOf(operand)) registers_[warp][keyOf(pc, *id)][lane] = value;
    }
    u32 add(Node node) {
        nodes_.push_back(std::move(node));
        return u32(nodes_.size() - 1);
    }
    u64 bitsOf(u32 warp, Pc pc, const ptx::Operand& operand, u32 lane) {
        if (const auto* immediate = std::get_if<ptx::ImmediateOperand>(&operand)) return immediate->bits;
        const auto id = registerOf(operand);
        return id ? replays_[warp].valuesOf(module_.functionOf(pc), ptx::RegisterId{*id}).bits[lane] : 0;
    }

    void execute(u32 warp, u32 step) {
        const trace::WarpTrace& trace = block_.warps[warp];
        const trace::Step& now = trace.steps[step];
        if (now.active.empty()) return;
        const ptx::Instruction& instruction = module_.at(now.pc);
        const auto operands = module_.operandsOf(instruction);
        const std::string_view opcode = opcodeAt(warp, step);
        const trace::StoredAccess* access =
            now.access == trace::Step::kNone ? nullptr : &trace.accesses[now.access];
        if (opcode == "shfl") return shuffle(warp, step, now, instruction, operands);
        if (opcode == "ld" && access && (access->space == Space::Global || access->space == Space::Shared))
            return load(warp, step, now.pc, *access, operands);
        if (opcode == "st" && access && access->space == Space::Shared)
            return store(warp, now.pc, *access, operands);
        if ((opcode == "st" || opcode == "red" || opcode == "atom") && access &&
            access->space == Space::Global) {
            for (const Lane lane : access->active)
                if (const Value& v = read(warp, now.pc, operands[opcode == "atom" ? 2 : 1], lane.value);
                    v.isLive())
                    roots_.push_back(v.node);
            if (opcode == "st") return;
        }
        if (opcode == "selp") replays_[warp].seek(step);
        for (const Lane lane : now.active)
            compute(warp, step, now.pc, opcode, operands, lane.value);
    }

    void shuffle(u32 warp, u32 step, const trace::Step& now, const ptx::Instruction& instruction,
                 std::span<const ptx::Operand> operands) {
        replays_[warp].seek(step);
        const Lanes before =
            registerOf(operands[1]) ? registers_[warp][keyOf(now.pc, *registerOf(operands[1]))] : Lanes{};
        const std::string name(instruction.name);
        for (const Lane lane : now.active) {
            const u32 l = lane.value, b = u32(bitsOf(warp, now.pc, operands[2], l)),
                      c = u32(bitsOf(warp, now.pc, operands[3], l));
            const u32 segment = (c >> 8) & 31, clamp = c & 31, low = l & segment,
                      high = low | (clamp & ~segment & 31);
            s64 from = 0;
            bool isIn = true;
            if (name.find(".up.") != std::string::npos)
                from = s64(l) - s64(b & 31), isIn = from >= s64(high);
            else if (name.find(".down.") != std::string::npos)
                from = s64(l) + s64(b & 31), isIn = from <= s64(high);
            else if (name.find(".bfly.") != std::string::npos)
                from = s64(l ^ (b & 31)), isIn = from <= s64(high);
            else
                from = s64(low | (b & 31 & ~segment)), isIn = from <= s64(high);
            if (!isIn) from = l;
            Value value = before[u32(from)];
            value.shuffledFrom = u32(from);
            write(warp, step, now.pc, operands[0], l, value);
        }
    }

    void load(u32 warp, u32 step, Pc pc, const trace::StoredAccess& access,
              std::span<const ptx::Operand> operands) {
        const trace::WarpTrace& trace = block_.warps[warp];
        const auto* vector = std::get_if<ptx::VectorOperand>(&operands[0]);
        const u32 count = vector ? u32(vector->elements.size()) : 1,
                  bytes = access.widthBytes / std::max(1u, count);
        for (const Lane lane : access.active)
            for (u32 i = 0; i < count; ++i) {
                const u64 address = trace.address(access, lane) + u64{i} * bytes;
                Value value;
                if (access.space == Space::Global)
                    value.node = add({.warp = warp,
                                      .lane = lane.value,
                                      .step = step,
                                      .address = address,
                                      .isLeaf = true,
                                      .of = {},
                                      .readStep = step,
                                      .readLane = lane.value,
                                      .element = i});
                else if (const auto found = shared_.find(address); found != shared_.end())
                    value.node = found->second.first, value.leftBy = found->second.second,
                    value.loadedBy = std::pair(lane.value, step);
                write(warp, step, pc, vector ? vector->elements[i] : operands[0], lane.value, value);
            }
    }

    void store(u32 warp, Pc pc, const trace::StoredAccess& access, std::span<const ptx::Operand> operands) {
        const trace::WarpTrace& trace = block_.warps[warp];
        const auto* vector = std::get_if<ptx::VectorOperand>(&operands[1]);
        const u32 count = vector ? u32(vector->elements.size()) : 1,
                  bytes = access.widthBytes / std::max(1u, count);
        for (const Lane lane : access.active)
            for (u32 i = 0; i < count; ++i)
                shared_[trace.address(access, lane) + u64{i} * bytes] = {
                    read(warp, pc, vector ? vector->elements[i] : operands[1], lane.value).node,
                    warp * 32 + lane.value};
    }

    void compute(u32 warp, u32 step, Pc pc, std::string_view opcode, std::span<const ptx::Operand> operands,
                 u32 lane) {
        if (operands.empty() || !registerOf(operands[0])) return;
        std::vector<Value> values;
        if (opcode == "selp") {
            values.push_back(read(warp, pc, operands[bitsOf(warp, pc, operands[3], lane) & 1 ? 1 : 2], lane));
        } else
            for (const ptx::Operand& operand : operands.subspan(1))
                values.push_back(read(warp, pc, operand, lane));
        const auto live = std::ranges::count_if(values, &Value::isLive);
        const bool isOfGroup = groupOf(opcode) == group_;
        Value made;
        if (isOfGroup && values.size() == 3 && values[0].isLive() && values[1].isLive()) {
            made.node = add({.warp = warp,
                             .lane = lane,
                             .step = step,
                             .isLeaf = true,
                             .of = {},
                             .readStep = step,
                             .readLane = lane});
            if (values[2].isLive()) {
                values[0] = made;
                values.erase(values.begin() + 1);
                made = {};
                made.node = combine(warp, step, lane, values);
            } else
                taken_[made.node] = step;
        } else if (isOfGroup && values.size() == 2 &&
                   (live == 2 || (live == 1 && std::ranges::any_of(values, [&](const Value& v) {
                                      return v.shuffledFrom || (v.leftBy && *v.leftBy != warp * 32 + lane);
                                  })))) {
            made.node = combine(warp, step, lane, values);
        } else if (live == 1) {
            made = *std::ranges::find_if(values, &Value::isLive);
            if (isOfGroup && nodes_[made.node].isLeaf && nodes_[made.node].thread() == warp * 32 + lane)
                taken_.try_emplace(made.node, step);
        } else if (live > 1) {
            made.node = add({.warp = warp,
                             .lane = lane,
                             .step = step,
                             .isLeaf = true,
                             .of = {},
                             .readStep = step,
                             .readLane = lane});
        } else if (opcode == "mov" && values.size() == 1)
            made = values[0];
        if (isOfGroup) {
            std::optional<u32> other;
            for (const Value& v : values)
                if (!other && v.shuffledFrom)
                    other = warp * 32 + *v.shuffledFrom;
                else if (!other && v.leftBy && *v.leftBy != warp * 32 + lane)
                    other = v.leftBy;
            if (other) executed_[{warp, step}][lane] = *other;
        }
        write(warp, step, pc, operands[0], lane, made);
    }

    u32 combine(u32 warp, u32 step, u32 lane, std::vector<Value>& values) {
        Node node{.warp = warp, .lane = lane, .step = step, .of = {}, .readStep = step, .readLane = lane};
        const bool isShuffled =
            std::ranges::any_of(values, [](const Value& v) { return v.shuffledFrom.has_value(); });
        bool isOwn = true;
        for (Value& v : values) {
            const u32 left = v.leftBy.value_or(warp * 32 + lane);
            if (!v.isLive())  // what a thread without elements has
                v.node = add({.warp = v.shuffledFrom ? warp : left / 32,
                              .lane = v.shuffledFrom.value_or(left % 32),
                              .step = step,
                              .isZero = true,
                              .of = {},
                              .readStep = v.writtenBy,
                              .readLane = lane,
                              .readWarp = warp});
            isOwn = isOwn && nodes_[v.node].round == 0 && nodes_[v.node].thread() == warp * 32 + lane;
        }
        for (Value& v : values) {
            if (!isOwn && isShuffled && v.loadedBy && !nodes_[v.node].isZero) {
                const auto [known, isNew] =
                    moved_.try_emplace({warp, v.loadedBy->first, v.loadedBy->second}, 0);
                if (isNew)
                    known->second = add({.warp = warp,
                                         .lane = v.loadedBy->first,
                                         .step = v.loadedBy->second,
                                         .round = nodes_[v.node].round + 1,
                                         .isMove = true,
                                         .of = {v.node},
                                         .readStep = v.loadedBy->second,
                                         .readLane = v.loadedBy->first});
                v.node = known->second;
            }
            node.of.push_back(v.node);
            node.round = std::max(node.round, nodes_[v.node].round);
        }
        if (!isOwn) ++node.round;
        return add(std::move(node));
    }

    // Of results of about the largest one's size.
    void markUsed() {
        std::vector<std::set<u32>> all;
        std::size_t most = 0;
        for (const u32 root : roots_) {
            std::vector<u32> open{root};
            std::set<u32>& seen = all.emplace_back();
            while (!open.empty()) {
                const u32 id = open.back();
                open.pop_back();
                if (nodes_[id].round == 0 || !seen.insert(id).second) continue;
                open.insert(open.end(), nodes_[id].of.begin(), nodes_[id].of.end());
            }
            most = std::max(most, seen.size());
        }
        for (const std::set<u32>& seen : all)
            if (2 * seen.size() >= most)
                for (const u32 id : seen)
                    used_ += !nodes_[id].isUsed, nodes_[id].isUsed = true;
    }

    std::map<u32, u32> ownValues() const {
        std::map<u32, u32> own;
        for (const Node& node : nodes_)
            if (node.isUsed)
                for (const u32 id : node.of)
                    if (nodes_[id].round == 0 && !nodes_[id].isZero) own.try_emplace(nodes_[id].thread(), id);
        return own;
    }

    void takeLeaves(u32 id, std::vector<Rounds::Own>& own, std::optional<u32> by = {}) const {
        const Node& node = nodes_[id];
        if (node.isLeaf) {
            const auto passed = taken_.find(id);
            const u32 step = passed != taken_.end() ? passed->second : by ? nodes_[*by].step : node.step;
            if (node.address)
                own.push_back({node.address, orderOf(node.warp, step), step,
                               passed != taken_.end() || !by ? valueOf(node) : valueOf(nodes_[*by])});
            return;
        }
        for (const u32 input : node.of)
            takeLeaves(input, own, id);
    }

    // ---- Values, from the registers themselves.
    void readValues() {
        std::map<std::pair<u32, u32>, std::set<std::pair<u32, u32>>> wanted;
        const auto want = [&](const Node& n) {
            wanted[{n.readWarp.value_or(n.warp), n.readStep}].emplace(n.readLane, n.element);
        };
        for (const Node& node : nodes_)
            want(node);
        for (const auto& [key, lanes] : executed_)
            for (const auto& [lane, other] : lanes)
                wanted[key].emplace(lane, 0);
        for (const auto& [key, lanes] : wanted) {
            const auto [warp, step] = key;
            replays_[warp].seek(step + 1);
            const Pc pc = block_.warps[warp].steps[step].pc;
            const ptx::Instruction& instruction = module_.at(pc);
            for (const auto& [lane, element] : lanes) {
                const ptx::Operand* result = &module_.operandsOf(instruction)[0];
                if (const auto* vector = std::get_if<ptx::VectorOperand>(result))
                    result = &vector->elements[element];
                values_[{warp, step, lane, element}] =
                    number(bitsOf(warp, pc, *result, lane), instruction.types[0]);
            }
        }
    }
    f64 number(u64 bits, ptx::Type type) const {
        const std::string name(ptx::nameOf(type));
        const bool isWide = name.ends_with("64"), isReal = name.starts_with("f") || holdsReals();
        const ElementType element = isReal ? (isWide ? ElementType::F64 : ElementType::F32)
                                           : (isWide ? ElementType::I64 : ElementType::I32);
        return numberOf(std::as_bytes(std::span(&bits, 1)), element);
    }
    bool holdsReals() const {
        for (const Node& node : nodes_)
            if (node.isLeaf && node.address)
                if (const auto buffer = bufferOfAddress(node.address);
                    buffer && *buffer < facts_.run().run().recording.initial.size())
                    return isReal(facts_.run().run().recording.initial[*buffer].type);
        return false;
    }
    f64 valueOf(const Node& node) const {
        const auto found =
            values_.find({node.readWarp.value_or(node.warp), node.readStep, node.readLane, node.element});
        return found == values_.end() ? 0 : found->second;
    }

    Rounds::Addition additionOf(const Node& node) const {
        Rounds::Addition a{.warp = node.warp,
                           .lane = node.lane,
                           .step = node.step,
                           .order = orderOf(node.warp, node.step),
                           .to = node.thread(),
                           .sum = valueOf(node),
                           .of = {},
                           .isMove = node.isMove};
        for (const u32 id : node.of) {
            a.of.push_back({nodes_[id].thread(), valueOf(nodes_[id])});
            a.hasOwn |= nodes_[id].thread() == node.thread();
        }
        return a;
    }

    // Lanes that execute a round's instruction without being part of the result, and warps that do.
    void addUnused(Rounds& rounds) const {
        const auto times = [&](u32 warp, u32 step) {
            u32 before = 0;
            for (u32 s = 0; s < step; ++s)
                before += block_.warps[warp].steps[s].pc == block_.warps[warp].steps[step].pc &&
                          !block_.warps[warp].steps[s].active.empty();
            return before;
        };
        for (auto& round : rounds.rounds) {
            std::set<std::pair<u32, u32>> instructions, steps;  // pc and how often; warp and step
            std::set<u32> warps, threads;
            for (const Rounds::Addition& a : round) {
                threads.insert(u32(a.to)), warps.insert(a.warp);
                if (a.isMove) continue;
                steps.emplace(a.warp, a.step);
                instructions.emplace(block_.warps[a.warp].steps[a.step].pc.value, times(a.warp, a.step));
            }
            for (u32 w = 0; w < block_.warps.size(); ++w)
                for (u32 s = 0; s < block_.warps[w].steps.size() && !warps.contains(w); ++s)
                    if (!block_.warps[w].steps[s].active.empty() &&
                        std::ranges::any_of(instructions, [&](const auto& i) {
                            return i.first == block_.warps[w].steps[s].pc.value && i.second == times(w, s);
                        }))
                        steps.emplace(w, s);
            for (const auto& [w, s] : steps) {
                const auto executed = executed_.find({w, s});
                if (executed == executed_.end()) continue;
                for (const auto& [lane, other] : executed->second)
                    if (!threads.contains(w * 32 + lane))
                        round.push_back({.warp = w,
                                         .lane = lane,
                                         .step = s,
                                         .order = orderOf(w, s),
                                         .to = w * 32 + lane,
                                         .sum = values_.at({w, s, lane, 0}),
                                         .of = {{other, 0}},
                                         .isUsed = false});
            }
        }
    }

    const BlockFacts& facts_;
    const trace::FocusBlock& block_;
    const ptx::Module& module_;
    std::string group_;
    std::vector<simt::WarpReplay> replays_;
    std::vector<std::map<u64, Lanes>> registers_;  // by warp
    std::map<u64, std::pair<u32, u32>> shared_;    // by address: node, and the thread that left it
    std::vector<Node> nodes_;
    std::vector<u32> roots_;
    std::map<u32, u32> taken_;  // leaf: step that takes it with nothing else
    std::map<std::tuple<u32, u32, u32>, u32> moved_;
    std::map<std::pair<u32, u32>, std::map<u32, u32>> executed_;  // warp and step: by lane whose value comes
    std::map<std::tuple<u32, u32, u32, u32>, f64> values_;
    std::size_t used_ = 0;
};

}  // namespace

std::optional<Rounds> threadRoundsOf(const BlockFacts& block) {
    static const Array kNone = [] {
        Array none;
        none.name = "(threads)", none.elementBytes = 1;
        return none;
    }();
    std::optional<Rounds> best;
    std::size_t most = 0;
    for (const char* group : {"add", "mul", "min", "max", "bits"}) {
        Follow follow(block, group);
        if (const std::size_t used = follow.go(); used > most) most = used, best = follow.rounds(kNone);
    }
    return best;
}

}  // namespace lockstep::witness
