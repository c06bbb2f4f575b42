#include "model/machine_accesses.h"

#include "model/access/block_addresses.h"
#include "ptx/opcodes.h"
#include "sass/memory_opcode.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <set>
#include <string>

namespace lockstep::model {
namespace {

using ptx::Instruction;

// A load or store of shared memory as it was written.
struct Written {
    Pc pc;
    bool isStore = false;
    u32 widthBytes = 4;
    RootedAddress at;
    KnownBits bits;
};

std::optional<bool> isSharedStore(const Instruction& instruction) {
    const std::string_view name = ptx::opcodeTable()[instruction.opcode].name;
    if (instruction.modifiers.space != ptx::StateSpace::Shared || (name != "ld" && name != "st"))
        return std::nullopt;
    return name == "st";
}

// Of one basic block: roots are not comparable across blocks.
std::vector<Written> writtenIn(const ptx::Module& module, const ptx::BasicBlock& block,
                               BlockAddresses& addresses) {
    std::vector<Written> found;
    addresses.beginBlock();
    for (u32 pc = block.first.value; pc < block.end.value; ++pc) {
        const Instruction& instruction = module.at(Pc{pc});
        if (const std::optional<bool> isStore = isSharedStore(instruction))
            for (const ptx::Operand& operand : module.operandsOf(instruction))
                if (const auto* address = std::get_if<ptx::AddressOperand>(&operand)) {
                    const RootedAddress at = addresses.of(*address);
                    found.push_back(
                        {.pc = Pc{pc},
                         .isStore = *isStore,
                         .widthBytes = ptx::bytesOf(instruction.types[0]) * instruction.modifiers.vector,
                         .at = at,
                         .bits = addresses.knownBits(at)});
                }
        addresses.pass(instruction);
    }
    return found;
}

// A load or store of shared memory in machine code: "[R7+0x8]" is base R7 and 8.
struct Run {
    u32 widthBytes = 4;
    std::string base;
    s64 offsetBytes = 0;
    auto operator<=>(const Run&) const = default;
};

Run runOf(const sass::Instruction& instruction, u32 widthBytes) {
    const std::string_view operands = instruction.operands;
    const std::size_t open = operands.find('['), close = operands.find(']', open);
    if (open == std::string_view::npos || close == std::string_view::npos)
        return {.widthBytes = widthBytes, .base = {}, .offsetBytes = 0};
    const std::string address(operands.substr(open + 1, close - open - 1));
    const std::size_t number = address.rfind("0x");
    if (number == std::string::npos || number == 0)
        return {.widthBytes = widthBytes,
                .base = number == 0 ? "" : address,
                .offsetBytes = number == 0 ? s64(std::strtoull(address.c_str(), nullptr, 16)) : 0};
    const bool negative = address[number - 1] == '-';
    const s64 offset = s64(std::strtoull(address.c_str() + number, nullptr, 16));
    return {.widthBytes = widthBytes,
            .base = address.substr(0, address.find_last_not_of("+-", number - 1) + 1),
            .offsetBytes = negative ? -offset : offset};
}

// By pc: the machine's shared loads and stores compiled from it, copies of one address once.
using Runs = std::map<Pc, std::set<Run>>;

Runs runsOf(const sass::Function& function) {
    Runs runs;
    for (const sass::Instruction& instruction : function.instructions) {
        const auto memory = sass::memoryOpcode(instruction.opcode);
        const bool isShared =
            memory && (memory->memory == sass::Memory::Shared || memory->memory == sass::Memory::Generic);
        if (isShared && memory->operation != sass::Operation::Atomic)
            runs[instruction.pc].insert(runOf(instruction, memory->widthBytes));
    }
    return runs;
}

// Offset of the first byte of the merged access that replaces `leader`, from the leader's own: the merged
// access is aligned to its width. Unknown if the low bits of the address are.
std::optional<s64> windowStart(const Written& leader, u32 widthBytes) {
    if ((u64{1} << leader.bits.known) < widthBytes) return std::nullopt;
    return -s64(leader.bits.value % widthBytes);
}

bool standsFor(const Written& leader, u32 widthBytes, const Written& other) {
    if (leader.isStore != other.isStore || leader.at.root != other.at.root) return false;
    const s64 distance = other.at.offsetBytes - leader.at.offsetBytes;
    if (const std::optional<s64> start = windowStart(leader, widthBytes))
        return distance >= *start && distance + s64(other.widthBytes) <= *start + s64(widthBytes);
    return std::abs(distance) < s64(widthBytes);
}

class BlockReader {
public:
    BlockReader(const std::vector<Written>& written, const Runs& runs, MachineAccesses& found)
        : written_(written), runs_(runs), found_(found) {}

    void read() {
        for (const Written& access : written_) {
            const auto machine = runs_.find(access.pc);
            if (machine == runs_.end()) {
                absent_.push_back(&access);
                continue;
            }
            present_.push_back({&access, &machine->second});
            surplus_[access.isStore] += machine->second.size() - 1;
            const u32 width = std::ranges::max(machine->second, {}, &Run::widthBytes).widthBytes;
            if (width != std::ranges::min(machine->second, {}, &Run::widthBytes).widthBytes)
                mixed_.push_back({&access, width, {}});
            else if (width > access.widthBytes)
                leaders_.push_back({&access, width, {}});
            // Narrower ones are loads of which only a part is used; they cost as much as the whole, or less.
        }
        for (const Written* access : absent_)
            join(*access);
        for (const Leader& leader : mixed_)
            found_.unclear.push_back(leader.access->pc);
        for (const Leader& leader : leaders_) {
            if (fills(leader))
                found_.merged.push_back(mergedOf(leader));
            else
                found_.unclear.push_back(leader.access->pc);
        }
    }

private:
    struct Leader {
        const Written* access;
        u32 widthBytes;
        std::vector<const Written*> members;
    };
    struct Present {
        const Written* access;
        const std::set<Run>* runs;
    };

    void join(const Written& access) {
        Leader* nearest = nullptr;
        const auto distance = [&](const Leader& leader) {
            return std::abs(access.at.offsetBytes - leader.access->at.offsetBytes);
        };
        for (Leader& leader : leaders_)
            if (standsFor(*leader.access, leader.widthBytes, access) &&
                (!nearest || distance(leader) < distance(*nearest)))
                nearest = &leader;
        if (nearest) return nearest->members.push_back(&access);
        if (const std::optional<u32> width = widthUnderAnotherName(access)) {
            if (*width != access.widthBytes) found_.unclear.push_back(access.pc);
            return;
        }
        const bool mayBeOfMixed = std::ranges::any_of(mixed_, [&](const Leader& leader) {
            return standsFor(*leader.access, leader.widthBytes, access);
        });
        (mayBeOfMixed || surplus_[access.isStore] > 0 ? found_.unclear : found_.removed).push_back(access.pc);
    }

    // ptxas may give two accesses the same PTX line. Then the distance of their addresses tells them apart.
    std::optional<u32> widthUnderAnotherName(const Written& access) {
        for (const Present& other : present_) {
            if (other.access->isStore != access.isStore || other.access->at.root != access.at.root) continue;
            const s64 distance = access.at.offsetBytes - other.access->at.offsetBytes;
            for (const Run& own : *other.runs)
                for (const Run& candidate : *other.runs)
                    if (distance != 0 && candidate.base == own.base &&
                        candidate.offsetBytes - own.offsetBytes == distance) {
                        if (surplus_[access.isStore] > 0) --surplus_[access.isStore];
                        return candidate.widthBytes;
                    }
        }
        return std::nullopt;
    }

    // ptxas reads at most a quarter more than was written; a wider access stands for several loop iterations.
    static bool fills(const Leader& leader) {
        std::set<s64> taken;
        const auto take = [&](const Written& access) {
            for (s64 byte = 0; byte < s64(access.widthBytes); ++byte)
                taken.insert(access.at.offsetBytes + byte);
        };
        take(*leader.access);
        for (const Written* member : leader.members)
            take(*member);
        return 4 * taken.size() >= 3 * u64{leader.widthBytes};
    }

    static MergedAccess mergedOf(const Leader& leader) {
        std::vector<const Written*> all = leader.members;
        all.push_back(leader.access);
        std::ranges::sort(all, {}, [](const Written* access) { return access->at.offsetBytes; });
        MergedAccess merged{
            .first = leader.access->pc, .offsetBytes = 0, .widthBytes = u8(leader.widthBytes), .members = {}};
        // If the low bits are unknown, the lowest member is taken as the start.
        merged.offsetBytes = s32(windowStart(*leader.access, leader.widthBytes)
                                     .value_or(all.front()->at.offsetBytes - leader.access->at.offsetBytes));
        for (const Written* access : all)
            merged.members.push_back(access->pc);
        return merged;
    }

    const std::vector<Written>& written_;
    const Runs& runs_;
    MachineAccesses& found_;
    std::vector<Present> present_;
    std::vector<Leader> leaders_, mixed_;   // mixed: copies of different widths
    std::array<std::size_t, 2> surplus_{};  // loads, stores: machine addresses beyond one per access present
    std::vector<const Written*> absent_;
};

// Code of non-entry functions may be in their own section and in the entry's.
void addRuns(Runs& all, const sass::Function& function) {
    for (auto& [pc, runs] : runsOf(function))
        all[pc].insert(runs.begin(), runs.end());
}

bool isJump(const std::string& opcode) {
    return opcode.starts_with("BRA") || opcode.starts_with("BRX") || opcode.starts_with("JMP") ||
           opcode.starts_with("JMX");
}

}  // namespace

std::optional<MachineAccesses> machineAccesses(const ptx::Module& module, const ptx::Function& entry,
                                               u64 dynamicSharedBytes, const sass::MachineCode& code) {
    if (!code.find(entry.name)) return std::nullopt;
    const ptx::SharedLayout layout = ptx::sharedLayout(module, entry, dynamicSharedBytes);
    const std::vector<ptx::FunctionId> reached = ptx::reachableFunctions(module, entry);
    Runs runs;
    for (ptx::FunctionId id : reached)
        if (const sass::Function* function = code.find(module.functions[id.value].name))
            addRuns(runs, *function);
    MachineAccesses found;
    for (ptx::FunctionId id : reached) {
        const ptx::Function& function = module.functions[id.value];
        BlockAddresses addresses(module, function, layout);
        for (const ptx::BasicBlock& block : function.blocks) {
            const std::vector<Written> written = writtenIn(module, block, addresses);
            BlockReader(written, runs, found).read();
        }
    }
    std::ranges::sort(found.merged, {},
                      [](const MergedAccess& access) { return std::ranges::min(access.members); });
    return found;
}

std::optional<BranchForm> machineBranchForm(const ptx::Module& module, Pc pc, const sass::MachineCode& code) {
    const ptx::Function& written = module.functions[module.functionOf(pc).value];
    const Pc meeting = module.reconvergence(pc);
    const auto isBetween = [&](Pc at) { return meeting != kNoPc && at > pc && at < meeting; };
    bool leaves = false, hasGuards = false, hasJumps = false;
    for (const sass::Function& function : code.functions) {
        if (written.isEntry && function.name != written.name) continue;
        for (const sass::Instruction& instruction : function.instructions) {
            const bool jumps = isJump(instruction.opcode);
            if (instruction.pc == pc && jumps) return BranchForm::Branch;
            leaves = leaves ||
                     (instruction.pc == pc && instruction.opcode == "EXIT" && !instruction.guard.empty());
            hasJumps = hasJumps || (isBetween(instruction.pc) && jumps);
            hasGuards = hasGuards || (isBetween(instruction.pc) && !instruction.guard.empty());
        }
    }
    if (leaves) return BranchForm::Exit;
    if (hasGuards && !hasJumps) return BranchForm::Predication;
    return std::nullopt;
}

}  // namespace lockstep::model
