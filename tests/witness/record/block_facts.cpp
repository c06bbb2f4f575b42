// What a recorded block comes to: values by place, and what one step of a warp may say.
#include "base/device_addresses.h"
#include "witness/record/facts.h"

#include <algorithm>
#include <bit>

namespace lockstep::witness {
namespace {

using trace::AccessKind, trace::Space;
constexpr u64 kSharedMark = u64{1} << 63;

}  // namespace

const Array* BlockFacts::arrayAt(u64 address, Space space) const {
    for (const Array& array : run_.arrays())
        if (array.space == space && address >= array.address &&
            (array.bytes == 0 || address < array.address + array.bytes) &&
            (space == Space::Shared || (address >> kSlotShift) == (array.address >> kSlotShift)))
            return &array;
    return nullptr;
}

BlockFacts::BlockFacts(const RunFacts& run, const trace::FocusBlock& block) : run_(run), block_(block) {
    for (const trace::WarpTrace& warp : block.warps)
        for (const trace::StoredAccess& access : warp.accesses) {
            if (access.space != Space::Global && access.space != Space::Shared) continue;
            for (Lane lane : access.active) {
                const u64 address = warp.address(access, lane);
                const Array* array = arrayAt(address, access.space);
                if (!array) continue;
                const std::span<const std::byte> bytes = warp.value(access, lane);
                // A vector's value is of all its components: they stand at the vector's place.
                const u32 step = array->componentBytes();
                for (u32 at = 0; at + step <= access.widthBytes; at += step) {
                    const u64 place =
                        (address + at - array->address) / array->elementBytes * array->elementBytes +
                        array->address;
                    const u64 key = place | (access.space == Space::Shared ? kSharedMark : 0);
                    std::vector<f64>& values = seen_[key];
                    const f64 value = readNumber(array->type, step, bytes.data() + at);
                    if (access.kind == AccessKind::Reduction)
                        values.push_back((values.empty() ? 0 : values.back()) + value);  // the operand
                    else if (values.empty() || std::bit_cast<u64>(values.back()) != std::bit_cast<u64>(value))
                        values.push_back(value);
                }
            }
        }
    sums_.resize(block.warps.size()), arriving_.resize(block.warps.size());
    for (u32 w = 0; w < block.warps.size(); ++w) {
        const trace::WarpTrace& warp = block.warps[w];
        Sums& sums = sums_[w];
        sums.steps = warp.steps.size();
        for (u32 s = 0; s < warp.steps.size(); ++s) {
            const trace::Step& step = warp.steps[s];
            sums.lanes += u64(step.active.count()), sums.came += path(w, s);
            const bool isBranch = run.run().module->at(step.pc).form.starts_with("bra");
            sums.laneSlotsOfBranches += isBranch ? path(w, s) : u64(step.active.count());
            std::map<int, u64>& executions = executions_[run.lineOf(step.pc)];
            ++executions[-1];
            if (step.access != trace::Step::kNone && !warp.accesses[step.access].active.empty())
                ++executions[int(warp.accesses[step.access].space)];
        }
    }
    whole_.count("thread", block.threads), whole_.count("warp", f64(block.warps.size())),
        whole_.count("phase", block.phases());
    for (u32 w = 0; w < block.warps.size(); ++w)
        whole_.id("warp", w), whole_.count("lane", lanesOf(w)),
            whole_.count("step", f64(block.warps[w].steps.size()));
}

f64 BlockFacts::read(const Array& array, const std::byte* bytes) const {
    return readNumber(array.type, array.componentBytes(), bytes);
}

std::vector<f64> BlockFacts::valuesAt(const Array& array, u64 address) const {
    std::vector<f64> values;
    if (const auto seen = seen_.find(address | (array.space == Space::Shared ? kSharedMark : 0));
        seen != seen_.end())
        values = seen->second;
    if (const std::optional<f64> first = run_.initial(array, address)) values.push_back(*first);
    if (const std::optional<f64> last = run_.final(array, address)) values.push_back(*last);
    return values;
}

u32 BlockFacts::lanesOf(u32 warp) const {
    return u32(std::min<u64>(32, block_.threads > u64{warp} * 32 ? block_.threads - u64{warp} * 32 : 0));
}

u32 BlockFacts::phaseOf(u32 warp, u32 step) const {
    u32 phase = 0;
    for (u32 barrier : block_.warps[warp].barrierSteps)
        phase += barrier < step;
    return phase;
}

LaneMask BlockFacts::pathMask(u32 w, u32 s) const {
    std::vector<LaneMask>& arriving = arriving_[w];
    if (arriving.empty()) arriving = arrivingLanes(*run_.run().module, block_.warps[w], lanesOf(w));
    return arriving[s];
}
u32 BlockFacts::path(u32 w, u32 s) const { return u32(pathMask(w, s).count()); }

const Facts& BlockFacts::step(u32 w, u32 s) const {
    const u64 key = u64{w} << 32 | s;
    const auto known = steps_.find(key);
    if (known != steps_.end()) return known->second;
    if (steps_.size() > 4096) steps_.clear();
    return steps_[key] = made(w, s);
}
const std::map<int, u64>& BlockFacts::executionsOf(u32 line) const {
    static const std::map<int, u64> kNone;
    const auto found = executions_.find(line);
    return found == executions_.end() ? kNone : found->second;
}

Facts BlockFacts::made(u32 w, u32 s) const {
    Facts facts;
    if (w >= block_.warps.size() || s >= block_.warps[w].steps.size()) return facts;
    const trace::WarpTrace& warp = block_.warps[w];
    const trace::Step& step = warp.steps[s];
    const ptx::Module& module = *run_.run().module;
    const u32 exist = lanesOf(w), active = u32(step.active.count());
    facts.id("warp", w), facts.id("step", s + 1.0), facts.count("step", f64(warp.steps.size()));
    facts.id("phase", phaseOf(w, s)), facts.count("phase", f64(warp.barrierSteps.size() + 1)),
        facts.id("instruction", step.pc.value);
    for (u32 line : run_.linesNear(step.pc))
        facts.id("line", line);
    facts.count("lane", active), facts.count("lane", exist), facts.count("lane", exist - active),
        facts.count("lane", kWarpSize), facts.count("lane", kWarpSize - exist), facts.count("thread", exist),
        facts.count("thread", block_.threads);
    if (step.pc.value < module.instructions.size() && module.at(step.pc).guard.present) {
        const u32 came = path(w, s);
        facts.count("lane", came);
        if (came >= active) facts.count("lane", came - active);
        if (s + 1 < warp.steps.size()) {
            const u32 next = u32(warp.steps[s + 1].active.count());
            facts.count("lane", next), facts.count("lane", next + active);
        }
    }
    // Where a jump leads, also one that all lanes make.
    if (step.pc.value < module.instructions.size())
        for (const ptx::Operand& operand : module.operandsOf(module.at(step.pc)))
            if (const auto* label = std::get_if<ptx::LabelOperand>(&operand)) {
                for (u32 line : run_.linesNear(label->target))
                    facts.id("line", line);
                for (u32 line : run_.linesNear(Pc{step.pc.value + 1}))
                    facts.id("line", line);
                for (const std::optional<u32>& line : run_.waysOf(step.pc))
                    if (line) facts.id("line", *line);
                const Pc meet = module.reconvergence(step.pc);
                if (meet != kNoPc)
                    for (u32 line : run_.linesNear(meet))
                        facts.id("line", line);
            }
    for (u32 lane = 0; lane < exist; ++lane)
        facts.id("lane", lane), facts.id("thread", w * 32 + lane);
    facts.id("block", block_.block.x);
    if (step.access == trace::Step::kNone) return facts;
    const trace::WarpAccess access = warp.unpack(warp.accesses[step.access]);
    // An asynchronous copy leaves off lanes that execute it and copy nothing.
    facts.count("lane", access.active.count()), facts.count("lane", exist - access.active.count());
    facts.count("byte", access.widthBytes),
        facts.count("byte", f64(access.widthBytes) * access.active.count());
    u64 first = ~u64{0}, end = 0;
    std::set<u64> places;
    for (Lane lane : access.active) {
        places.insert(access.addresses[lane.value]);
        first = std::min(first, access.addresses[lane.value]),
        end = std::max(end, access.addresses[lane.value] + access.widthBytes);
    }
    const u64 wanted = places.size() * access.widthBytes;
    facts.count("byte", f64(wanted));
    facts.count("element", f64(places.size())), facts.count("element", active);
    if (access.space == Space::Global) {
        const GlobalCost cost = globalCost(access, run_.capability());
        facts.count("sector", cost.items), facts.count("transaction", cost.items),
            facts.count("request", cost.requests), facts.count("byte", f64(cost.bytes));
        const u64 least = (wanted + 31) / 32;
        if (access.kind == trace::AccessKind::Atomic || access.kind == trace::AccessKind::Reduction) {
            std::set<u64> touched;  // each is accessed as often as lanes take turns in it
            for (u64 place : places)
                touched.insert(place / 32);
            facts.count("sector", f64(touched.size()));
            facts.shares.emplace_back("used", f64(wanted) / f64(32 * touched.size()));
        }
        facts.count("sector", f64(least)), facts.count("byte", f64(least * 32));
        for (u32 bytes : cost.itemBytes)
            facts.count("byte", bytes);
        for (u32 half : cost.perHalf)
            facts.count("transaction", half), facts.count("sector", half);
        if (cost.bytes) facts.shares.emplace_back("used", f64(wanted) / f64(cost.bytes));
    } else if (access.space == Space::Shared) {
        const SharedCost cost = sharedCost(access, run_.capability(), module.textOf(step.pc));
        facts.count("wavefront", cost.wavefronts), facts.count("wavefront", cost.least),
            facts.count("word", cost.words), facts.count("bank", cost.banks);
        facts.count("word", cost.mostInOneBank), facts.count("way", cost.mostInOneBank),
            facts.count("way", cost.wavefronts), facts.count("group", cost.groups);
        for (u32 group : cost.perGroup)
            facts.count("wavefront", group), facts.count("way", group);
        for (Lane lane : access.active)
            for (u64 word = access.addresses[lane.value] / 4;
                 word <= (access.addresses[lane.value] + access.widthBytes - 1) / 4; ++word)
                facts.id("word", f64(word)), facts.id("bank", run_.capability().bankOf(word));
        for (u32 pass = 1; pass <= cost.wavefronts; ++pass)
            facts.id("wavefront", pass);
    }
    return facts;
}

}  // namespace lockstep::witness
