#include "model/access/shared_merging.h"

#include "model/access/block_addresses.h"
#include "ptx/opcodes.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace lockstep::model {
namespace {

using ptx::Instruction;
using ptx::OpcodeClass;
using ptx::StateSpace;

// What the members of one merged access have in common.
struct Family {
    Root base = 0;
    std::optional<Root> guard;
    bool guardNegated = false;
    u8 widthBytes = 4, vector = 1;
    s64 window = 0;  // which aligned 16 (or 8, or 4) bytes from the base
    auto operator<=>(const Family&) const = default;
};

constexpr u32 kWidestBytes = 16;

// How an instruction affects merging of the accesses around it.
enum class Part : u8 {
    Nothing,
    Load,  // a shared access that may be merged
    Store,
    Access,  // another access that may be to shared memory: nothing is moved across it
    Border,  // barriers, calls, and instructions that ptxas expands to a loop or a branch
};

// Full-precision division and square root have a slow path: a branch that the PTX does not show.
bool hasSlowPath(const Instruction& instruction) {
    const std::string_view opcode = ptx::opcodeTable()[instruction.opcode].name;
    if (opcode != "div" && opcode != "rcp" && opcode != "sqrt") return false;
    return ptx::isFloat(instruction.types[0]) &&
           (instruction.types[0] == ptx::Type::F64 || instruction.modifiers.rounding != ptx::Rounding::None);
}

Part partOf(const Instruction& instruction) {
    const ptx::OpcodeRow& row = ptx::opcodeTable()[instruction.opcode];
    const StateSpace space = instruction.modifiers.space;
    const bool mayBeShared = space == StateSpace::Shared || space == StateSpace::Generic;
    if (row.opcodeClass == OpcodeClass::Barrier || row.name == "call" || hasSlowPath(instruction))
        return Part::Border;
    if (row.opcodeClass == OpcodeClass::Atomic) return mayBeShared ? Part::Access : Part::Nothing;
    if (row.opcodeClass != OpcodeClass::Memory) return Part::Nothing;
    if (row.name != "ld" && row.name != "st")
        return row.name == "prefetch" || row.name == "prefetchu" || row.name == "ldu" ? Part::Nothing
                                                                                      : Part::Access;
    if (!mayBeShared) return Part::Nothing;
    const bool isPlain = instruction.modifiers.ordering == ptx::Ordering::None ||
                         instruction.modifiers.ordering == ptx::Ordering::Weak;
    if (space != StateSpace::Shared || !isPlain) return Part::Access;
    return row.name == "ld" ? Part::Load : Part::Store;
}

// The distinct slots of one window that its members occupy, lowest first.
constexpr u32 kMostSlots = 4;
using Slots = std::array<std::optional<Pc>, kMostSlots>;

class FunctionMerger {
public:
    FunctionMerger(const ptx::Module& module, const ptx::Function& function, const ptx::SharedLayout& layout)
        : module_(module), function_(function), addresses_(module, function, layout) {}

    std::vector<MergedAccess> merge() {
        for (const ptx::BasicBlock& block : function_.blocks) {
            addresses_.beginBlock();
            for (u32 pc = block.first.value; pc < block.end.value; ++pc)
                visit(Pc{pc});
            closeLoads(), closeStores();
        }
        return std::move(merged_);
    }

private:
    struct Window {
        Slots slots;
        u32 bytes = kWidestBytes;  // less where no more can be proven, and for shorts
        u32 slotBytes = 4;
    };

    void visit(Pc pc) {
        const Instruction& instruction = module_.at(pc);
        const Part part = partOf(instruction);
        if (part == Part::Load || part == Part::Access || part == Part::Border) closeStores();
        if (part == Part::Store || part == Part::Access || part == Part::Border) closeLoads();
        if (part == Part::Load) addLoad(pc, instruction);
        if (part == Part::Store) addStore(pc, instruction);
        addresses_.pass(instruction);
    }

    struct Place {
        Family family;
        Window window;  // empty: its window sizes
        u32 slot = 0;
    };
    // Where an access may be merged; none if ptxas keeps its width, or nothing can be proven.
    std::optional<Place> placeOf(const Instruction& instruction) {
        const u8 vector = instruction.modifiers.vector;
        const u32 width = ptx::bytesOf(instruction.types[0]) * vector;
        // Seen in machine code: bytes are not merged; shorts are merged to 4 or 8 bytes, never to 16.
        if (width != 4 && width != 8 && (width != 2 || vector != 1)) return std::nullopt;
        for (const ptx::Operand& operand : module_.operandsOf(instruction)) {
            const auto* address = std::get_if<ptx::AddressOperand>(&operand);
            if (!address) continue;
            const RootedAddress at = addresses_.of(*address);
            const KnownBits bits = addresses_.knownBits(at);
            const u32 windowBytes =
                std::min(kMostSlots * width, std::min(kWidestBytes, 1u << std::min<u32>(bits.known, 4)));
            if (windowBytes <= width) return std::nullopt;
            const u32 within = bits.value % windowBytes;
            if (within % width != 0) return std::nullopt;
            Place place;
            place.family = {.base = at.root,
                            .guard = {},
                            .guardNegated = instruction.guard.negated,
                            .widthBytes = u8(width),
                            .vector = vector,
                            .window = at.offsetBytes - s64(within)};
            if (instruction.guard.present)
                place.family.guard = addresses_.of(instruction.guard.predicate).root;
            place.window = {.slots = {}, .bytes = windowBytes, .slotBytes = width};
            place.slot = within / width;
            return place;
        }
        return std::nullopt;
    }

    void addLoad(Pc pc, const Instruction& instruction) {
        const std::optional<Place> place = placeOf(instruction);
        if (!place) return;
        Window& window = loads_.try_emplace(place->family, place->window).first->second;
        if (!window.slots[place->slot]) window.slots[place->slot] = pc;
    }
    // Stores keep their order: only consecutive stores to one window are merged.
    void addStore(Pc pc, const Instruction& instruction) {
        const std::optional<Place> place = placeOf(instruction);
        if (!place || !stores_ || stores_->first != place->family || stores_->second.slots[place->slot])
            closeStores();
        if (!place) return;
        if (!stores_) stores_ = {place->family, place->window};
        stores_->second.slots[place->slot] = pc;
    }

    void closeLoads() {
        for (const auto& [family, window] : loads_)
            mergeWindow(window, true);
        loads_.clear();
    }
    void closeStores() {
        if (stores_) mergeWindow(stores_->second, false);
        stores_.reset();
    }

    // A whole window if it is full, or if it is a load that lacks one of four; else its halves.
    void mergeWindow(const Window& window, bool mayReadHole) {
        const u32 slots = window.bytes / window.slotBytes;
        const u32 taken =
            u32(std::ranges::count_if(window.slots, [](const auto& slot) { return slot.has_value(); }));
        if (taken == slots || (mayReadHole && slots == 4 && taken == 3)) return add(window, 0, slots);
        for (u32 first = 0; slots == 4 && first < slots; first += 2)
            if (window.slots[first] && window.slots[first + 1]) add(window, first, 2);
    }
    void add(const Window& window, u32 first, u32 count) {
        MergedAccess access{
            .first = {}, .offsetBytes = 0, .widthBytes = u8(count * window.slotBytes), .members = {}};
        for (u32 slot = first; slot < first + count; ++slot) {
            if (!window.slots[slot]) continue;
            if (access.members.empty()) {
                access.first = *window.slots[slot];
                access.offsetBytes = -s32((slot - first) * window.slotBytes);
            }
            access.members.push_back(*window.slots[slot]);
        }
        merged_.push_back(std::move(access));
    }

    const ptx::Module& module_;
    const ptx::Function& function_;
    BlockAddresses addresses_;
    std::map<Family, Window> loads_;
    std::optional<std::pair<Family, Window>> stores_;
    std::vector<MergedAccess> merged_;
};

}  // namespace

std::vector<MergedAccess> mergedSharedAccesses(const ptx::Module& module, const ptx::Function& entry,
                                               u64 dynamicSharedBytes) {
    const ptx::SharedLayout layout = ptx::sharedLayout(module, entry, dynamicSharedBytes);
    std::vector<MergedAccess> all;
    for (ptx::FunctionId function : ptx::reachableFunctions(module, entry))
        std::ranges::move(FunctionMerger(module, module.functions[function.value], layout).merge(),
                          std::back_inserter(all));
    std::ranges::sort(all, {}, [](const MergedAccess& access) { return std::ranges::min(access.members); });
    return all;
}

}  // namespace lockstep::model
