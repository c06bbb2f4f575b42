// Loads, stores and atomics: addresses of the lanes, and what happens there.
#include "simt/opcodes/float_helpers.h"
#include "time/machine/block_state.h"
#include "time/machine/op_builder.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace lockstep::time {
namespace {

using sass::Modifier;
using sass::Opcode;

void findAddresses(const Op& op, WarpState& warp, u32 mask) {
    MemoryAccess& access = warp.access;
    access.space = op.space;
    access.action = op.action;
    access.widthBytes = op.widthBytes;
    access.lanes = mask;
    u64 base = u64(op.offsetBytes);
    if (op.uniformBase != sass::kZeroUniformRegister) {
        base += warp.uniform[op.uniformBase];
        if (op.space == MemorySpace::Global) base += u64{warp.uniform[op.uniformBase + 1u]} << 32;
    }
    const u8 number = op.sources[0].number;
    if (number == sass::kZeroRegister) {
        access.addresses.fill(op.space == MemorySpace::Global ? base : u32(base));
        return;
    }
    const Lanes& low = warp.registers[number];
    if (op.space == MemorySpace::Global && op.isPairAddress) {
        const Lanes& high = warp.registers[number + 1u];
        for (u32 i = 0; i < kWarpSize; ++i)
            access.addresses[i] = base + (low[i] | u64{high[i]} << 32);
    } else if (op.space == MemorySpace::Global) {
        for (u32 i = 0; i < kWarpSize; ++i)
            access.addresses[i] = base + low[i];
    } else {
        for (u32 i = 0; i < kWarpSize; ++i)
            access.addresses[i] = u32(base + low[i]);
    }
}

void noteBadAccess(const Op& op, WarpState& warp, u64 address) {
    LaunchState& launch = *warp.block->launch;
    if (launch.badAccess) return;
    launch.badAccess = BadAccess{.instruction = op.instruction->offsetBytes / sass::kInstructionBytes,
                                 .address = address,
                                 .block = warp.block->at};
}

// Finds the bytes of a lane's access; nullptr: there are none, which is noted.
class Places {
public:
    Places(const Op& op, WarpState& warp) : op_(op), warp_(warp), memory_(*warp.block->launch->memory) {}

    std::byte* of(u32 lane) {
        const u64 address = warp_.access.addresses[lane];
        std::byte* const place = op_.space == MemorySpace::Shared ? shared(address) : global(address);
        if (!place) noteBadAccess(op_, warp_, address);
        return place;
    }

    // Where all lanes access one allocation: the host's place of address `base`; null: they do not, or not
    // all of them lie in it.
    struct Window {
        std::byte* host = nullptr;
        u64 base = 0;
    };
    Window window() {
        const MemoryAccess& access = warp_.access;
        if (!access.lanes) return {};
        const u64 first = access.addresses[LaneMask{access.lanes}.lowest().value];
        Window found;
        u64 bytes = 0;
        if (op_.space == MemorySpace::Shared) {
            found.host = warp_.block->shared.data();
            bytes = warp_.block->shared.size();
        } else {
            const simt::Allocation* const allocation = memory_.find(first);
            if (!allocation) return {};
            found = {.host = allocation->host, .base = allocation->base};
            bytes = allocation->bytes;
        }
        if (bytes < op_.widthBytes) return {};
        u64 farthest = 0, odd = 0;
        for (u32 i = 0; i < kWarpSize; ++i) {
            const u64 address = access.lanes & kLaneBits[i] ? access.addresses[i] : first;
            farthest = std::max(farthest, address - found.base);
            odd |= address;
        }
        if (farthest > bytes - op_.widthBytes || odd & (op_.widthBytes - 1u)) return {};
        return found;
    }

private:
    std::byte* shared(u64 address) {
        std::vector<std::byte>& bytes = warp_.block->shared;
        if (address % op_.widthBytes || address + op_.widthBytes > bytes.size()) return nullptr;
        return bytes.data() + address;
    }
    std::byte* global(u64 address) {
        if (!last_ || address - last_->base >= last_->bytes) last_ = memory_.find(address);
        if (!last_ || address % op_.widthBytes || address - last_->base >= last_->bytes ||
            last_->bytes - (address - last_->base) < op_.widthBytes)
            return nullptr;
        return last_->host + (address - last_->base);
    }

    const Op& op_;
    WarpState& warp_;
    const simt::DeviceMemory& memory_;
    const simt::Allocation* last_ = nullptr;
};

u32 extended(u32 value, u32 widthBytes, bool isSigned) {
    if (widthBytes == 1) return isSigned ? u32(s32(s8(value))) : value & 0xff;
    if (widthBytes == 2) return isSigned ? u32(s32(s16(value))) : value & 0xffff;
    return value;
}

void load(const Op& op, WarpState& warp, u32 mask) {
    findAddresses(op, warp, mask);
    Places places(op, warp);
    const u32 words = std::max(1u, op.widthBytes / 4u), bytes = std::min<u32>(op.widthBytes, 4);
    const bool isKept = op.destination != sass::kZeroRegister;
    if (const auto [host, base] = places.window(); host && isKept && bytes == 4) {
        std::array<const std::byte*, kWarpSize> from;
        for (const Lane lane : LaneMask{mask})
            from[lane.value] = host + (warp.access.addresses[lane.value] - base);
        for (u32 w = 0; w < words; ++w) {
            Lanes& to = warp.registers[op.destination + w];
            for (const Lane lane : LaneMask{mask})
                std::memcpy(&to[lane.value], from[lane.value] + std::size_t{4} * w, 4);
        }
        return;
    }
    for (const Lane lane : LaneMask{mask}) {
        const std::byte* const from = places.of(lane.value);
        for (u32 w = 0; w < words; ++w) {
            u32 value = ~0u;
            if (from) {
                value = 0;
                std::memcpy(&value, from + 4 * w, bytes);
            }
            if (isKept)
                warp.registers[op.destination + w][lane.value] =
                    extended(value, op.widthBytes, op.isSignExtended);
        }
    }
}

// Word w of what a lane stores; the register is sources[1].
u32 storedWord(const Op& op, const WarpState& warp, u32 lane, u32 word) {
    const Source& source = op.sources[1];
    if (source.kind == Source::Kind::Uniform)
        return source.number == sass::kZeroUniformRegister ? 0 : warp.uniform[source.number + word];
    return source.number == sass::kZeroRegister ? 0 : warp.registers[source.number + word][lane];
}

void store(const Op& op, WarpState& warp, u32 mask) {
    findAddresses(op, warp, mask);
    Places places(op, warp);
    const u32 words = std::max(1u, op.widthBytes / 4u), bytes = std::min<u32>(op.widthBytes, 4);
    const Source& source = op.sources[1];
    if (const auto [host, base] = places.window();
        host && bytes == 4 && source.kind == Source::Kind::Register && source.number != sass::kZeroRegister) {
        // Lane by lane: where two store to one place, the higher one stays.
        for (const Lane lane : LaneMask{mask})
            for (u32 w = 0; w < words; ++w)
                std::memcpy(host + (warp.access.addresses[lane.value] - base) + std::size_t{4} * w,
                            &warp.registers[source.number + w][lane.value], 4);
        return;
    }
    for (const Lane lane : LaneMask{mask})
        if (std::byte* const to = places.of(lane.value))
            for (u32 w = 0; w < words; ++w) {
                const u32 value = storedWord(op, warp, lane.value, w);
                std::memcpy(to + 4 * w, &value, bytes);
            }
}

// Local memory: word by word, the 32 lanes side by side.
std::byte* localPlace(const Op& op, WarpState& warp, u32 lane, u64 address) {
    if (address % op.widthBytes || address + op.widthBytes > kLocalBytes) {
        noteBadAccess(op, warp, address);
        return nullptr;
    }
    return warp.local.data() + (address / 4 * kWarpSize + lane) * 4 + address % 4;
}

template <bool Loads> void accessLocal(const Op& op, WarpState& warp, u32 mask) {
    findAddresses(op, warp, mask);
    const u32 words = std::max(1u, op.widthBytes / 4u), bytes = std::min<u32>(op.widthBytes, 4);
    for (const Lane lane : LaneMask{mask}) {
        std::byte* const first = localPlace(op, warp, lane.value, warp.access.addresses[lane.value]);
        for (u32 w = 0; w < words && first; ++w) {
            std::byte* const place = first + std::size_t{w} * kWarpSize * 4;
            if constexpr (Loads) {
                u32 value = 0;
                std::memcpy(&value, place, bytes);
                if (op.destination != sass::kZeroRegister)
                    warp.registers[op.destination + w][lane.value] =
                        extended(value, op.widthBytes, op.isSignExtended);
            } else {
                const u32 value = storedWord(op, warp, lane.value, w);
                std::memcpy(place, &value, bytes);
            }
        }
    }
}

// Copies from global to shared memory without a register; where the condition does not hold, zeros are
// written.
void copyAsync(const Op& op, WarpState& warp, u32 mask) {
    const u32 filled = conditionLanes(op.conditions[0], warp);
    Op to = op;
    to.space = MemorySpace::Shared;
    to.sources[0] = op.sources[1];
    to.uniformBase = op.copyUniformBase;
    to.offsetBytes = op.copyOffsetBytes;
    to.isPairAddress = false;
    findAddresses(to, warp, mask);
    std::array<std::byte*, kWarpSize> places{};
    {
        Places found(to, warp);
        for (const Lane lane : LaneMask{mask})
            places[lane.value] = found.of(lane.value);
    }
    findAddresses(op, warp, mask & filled);
    Places from(op, warp);
    for (const Lane lane : LaneMask{mask}) {
        if (!places[lane.value]) continue;
        const std::byte* const bytes = filled & kLaneBits[lane.value] ? from.of(lane.value) : nullptr;
        if (bytes)
            std::memcpy(places[lane.value], bytes, op.widthBytes);
        else
            std::memset(places[lane.value], 0, op.widthBytes);
    }
}

enum class Atomic : u8 {
    Add,
    Min,
    Max,
    And,
    Or,
    Xor,
    Exchange,
    Swap,
    Increment,
    Decrement,
    CountOne,
    CastSpin
};
enum class AtomicType : u8 { U32, S32, U64, S64, F32, F64 };

template <class T> T applied(Atomic what, T old, T operand, T second) {
    switch (what) {
        case Atomic::Add: return T(old + operand);
        case Atomic::Min: return std::min(old, operand);
        case Atomic::Max: return std::max(old, operand);
        case Atomic::Exchange: return operand;
        case Atomic::Swap:
        case Atomic::CastSpin: return old == operand ? second : old;
        case Atomic::CountOne: return T(old + 1);
        default: break;
    }
    if constexpr (std::is_integral_v<T>) {
        switch (what) {
            case Atomic::And: return old & operand;
            case Atomic::Or: return old | operand;
            case Atomic::Xor: return old ^ operand;
            // PTX ISA, "atom": counts up to the operand and then begins again; down likewise.
            case Atomic::Increment: return old >= operand ? T{0} : T(old + 1);
            case Atomic::Decrement: return old == 0 || old > operand ? operand : T(old - 1);
            default: break;
        }
    }
    return old;
}

template <class T> T operandOf(const Op& op, const WarpState& warp, u32 lane, std::size_t which) {
    const Source& source = op.sources[which];
    u64 bits = 0;
    if (source.kind == Source::Kind::Value) {
        bits = source.value;
    } else if (source.kind == Source::Kind::Uniform) {
        bits = warp.uniform[source.number];
    } else if (source.number != sass::kZeroRegister) {
        bits = warp.registers[source.number][lane];
        if constexpr (sizeof(T) == 8) bits |= u64{warp.registers[source.number + 1u][lane]} << 32;
    }
    if constexpr (sizeof(T) == 8)
        return std::bit_cast<T>(bits);
    else
        return std::bit_cast<T>(u32(bits));
}

template <class T> void atomicOf(const Op& op, WarpState& warp, u32 mask) {
    findAddresses(op, warp, mask);
    Places places(op, warp);
    const auto what = Atomic(op.extra);
    for (const Lane lane : LaneMask{mask}) {
        std::byte* const place = places.of(lane.value);
        T old{};
        if (place) {
            std::memcpy(&old, place, sizeof old);
            T result = applied(what, old, operandOf<T>(op, warp, lane.value, 1),
                               operandOf<T>(op, warp, lane.value, 2));
            if constexpr (std::is_same_v<T, f32>)
                if (result != result) result = asFloat(0x7fffffff);
            if constexpr (std::is_same_v<T, f64>)
                result = simt::nanOf(result, old, operandOf<T>(op, warp, lane.value, 1));
            std::memcpy(place, &result, sizeof result);
            // It says whether it took place, not what was there.
            if (what == Atomic::CastSpin) old = T(old == operandOf<T>(op, warp, lane.value, 1));
        }
        if (op.destination == sass::kZeroRegister) continue;
        if constexpr (sizeof(T) == 8) {
            const u64 bits = std::bit_cast<u64>(old);
            warp.registers[op.destination][lane.value] = u32(bits);
            warp.registers[op.destination + 1u][lane.value] = u32(bits >> 32);
        } else {
            warp.registers[op.destination][lane.value] = std::bit_cast<u32>(old);
        }
    }
}

u8 widthOf(const OpBuilder& b) {
    if (b.has(Modifier::N128)) return 16;
    if (b.has(Modifier::N64)) return 8;
    if (b.has(Modifier::U16) || b.has(Modifier::S16)) return 2;
    if (b.has(Modifier::U8) || b.has(Modifier::S8)) return 1;
    return 4;
}

template <MemorySpace Space> bool buildLoad(OpBuilder& b) {
    b.op.space = Space;
    b.op.action = MemoryAction::Load;
    b.op.widthBytes = widthOf(b);
    b.op.isSignExtended = b.has(Modifier::S8) || b.has(Modifier::S16);
    b.op.execute = Space == MemorySpace::Local ? accessLocal<true> : load;
    return b.destination() && b.address() && b.left() == 0;
}

template <MemorySpace Space> bool buildStore(OpBuilder& b) {
    b.op.space = Space;
    b.op.action = MemoryAction::Store;
    b.op.widthBytes = widthOf(b);
    b.op.execute = Space == MemorySpace::Local ? accessLocal<false> : store;
    return b.address() && b.source(1) && b.left() == 0;
}

bool buildAsyncCopy(OpBuilder& b) {
    b.op.space = MemorySpace::Global;
    b.op.action = MemoryAction::AsyncCopy;
    b.op.widthBytes = widthOf(b);
    b.op.execute = copyAsync;
    if (!b.address()) return false;
    // The address in shared memory comes first: it moves to sources[1].
    b.op.sources[1] = b.op.sources[0];
    b.op.copyOffsetBytes = b.op.offsetBytes;
    b.op.copyUniformBase = b.op.uniformBase;
    if (!b.address()) return false;
    return (b.left() == 0 || b.condition(0)) && b.left() == 0;
}

std::optional<Atomic> atomicOf(const OpBuilder& b) {
    struct Row {
        Modifier modifier;
        Atomic what;
    };
    constexpr std::array kActions = {
        Row{Modifier::Popc, Atomic::CountOne}, Row{Modifier::Cast, Atomic::CastSpin},
        Row{Modifier::Add, Atomic::Add},       Row{Modifier::Min, Atomic::Min},
        Row{Modifier::Max, Atomic::Max},       Row{Modifier::And, Atomic::And},
        Row{Modifier::Or, Atomic::Or},         Row{Modifier::Xor, Atomic::Xor},
        Row{Modifier::Exch, Atomic::Exchange}, Row{Modifier::Cas, Atomic::Swap},
        Row{Modifier::Inc, Atomic::Increment}, Row{Modifier::Dec, Atomic::Decrement},
    };
    for (const Row& row : kActions)
        if (b.has(row.modifier)) return row.what;
    return std::nullopt;
}

Execute atomicOf(AtomicType type) {
    switch (type) {
        case AtomicType::U32: return atomicOf<u32>;
        case AtomicType::S32: return atomicOf<s32>;
        case AtomicType::U64: return atomicOf<u64>;
        case AtomicType::S64: return atomicOf<s64>;
        case AtomicType::F32: return atomicOf<f32>;
        case AtomicType::F64: return atomicOf<f64>;
    }
    return nullptr;
}

template <MemorySpace Space, MemoryAction Action> bool buildAtomic(OpBuilder& b) {
    const std::optional<Atomic> what = atomicOf(b);
    if (!what || b.has(Modifier::Bf16V2)) return false;
    b.op.space = Space;
    b.op.action = Action;
    const bool isWide =
        b.has(Modifier::N64) || b.has(Modifier::U64) || b.has(Modifier::S64) || b.has(Modifier::F64);
    b.op.widthBytes = isWide ? 8 : 4;
    const AtomicType type = b.has(Modifier::F32)   ? AtomicType::F32
                            : b.has(Modifier::F64) ? AtomicType::F64
                            : b.has(Modifier::S64) ? AtomicType::S64
                            : isWide               ? AtomicType::U64
                            : b.has(Modifier::S32) ? AtomicType::S32
                                                   : AtomicType::U32;
    b.op.extra = u32(*what);
    b.op.execute = atomicOf(type);
    b.predicates();
    if (Action == MemoryAction::Atomic && !b.destination()) return false;
    if (!b.address()) return false;
    if (*what != Atomic::CountOne && !b.source(1)) return false;
    if ((*what == Atomic::Swap || *what == Atomic::CastSpin) && !b.source(2)) return false;
    if (Action == MemoryAction::Atomic && b.op.destination == sass::kZeroRegister &&
        Space == MemorySpace::Global)
        b.op.action = MemoryAction::Reduction;
    return b.left() == 0;
}

// At a place that is known before the launch: the same for all lanes.
void loadFixedConstant(const Op& op, WarpState& warp, u32 mask) {
    warp.access.space = MemorySpace::None;
    const u32 words = op.widthBytes > 4 ? 2 : 1;
    for (u32 w = 0; w < words; ++w) {
        const u32 value = u32(op.sources[1].value >> (32 * w));
        if (op.toUniform) {
            if (op.destination != sass::kZeroUniformRegister) warp.uniform[op.destination + w] = value;
        } else if (op.destination != sass::kZeroRegister) {
            Lanes lanes;
            broadcast(value, lanes);
            writeLanes(warp, op.destination + w, mask, lanes);
        }
    }
}

// Constants whose place is in a register.
void loadConstant(const Op& op, WarpState& warp, u32 mask) {
    const std::vector<std::byte>& bank = *warp.program->bank(op.constantBank);
    Lanes scratch;
    const Lanes& base = lanesOf<Reads::Bits>(op.sources[0], warp, scratch);
    u64 uniform = op.uniformBase == sass::kZeroUniformRegister ? 0 : warp.uniform[op.uniformBase];
    uniform += u64(op.offsetBytes);
    MemoryAccess& access = warp.access;
    access.space = MemorySpace::None;
    access.lanes = mask;
    const u32 words = std::max(1u, op.widthBytes / 4u), bytes = std::min<u32>(op.widthBytes, 4);
    std::array<Lanes, 2> result{};
    for (u32 i = 0; i < kWarpSize; ++i) {
        const u64 at = u32(uniform + base[i]);
        access.addresses[i] = at;
        if (at + op.widthBytes > bank.size()) {
            if (mask & kLaneBits[i]) noteBadAccess(op, warp, at);
            continue;
        }
        for (u32 w = 0; w < words; ++w) {
            u32 value = 0;
            std::memcpy(&value, bank.data() + at + 4 * w, bytes);
            result[w][i] = extended(value, op.widthBytes, op.isSignExtended);
        }
    }
    for (u32 w = 0; w < words; ++w) {
        if (!op.toUniform) {
            writeLanes(warp, op.destination == sass::kZeroRegister ? op.destination : op.destination + w,
                       mask, result[w]);
        } else if (op.destination != sass::kZeroUniformRegister) {
            warp.uniform[op.destination + w] = result[w][0];
        }
    }
}

bool buildConstant(OpBuilder& b) {
    if (!b.destination()) return false;
    const sass::Operand* const from = b.take();
    if (!from || from->kind != sass::OperandKind::Constant || !b.hasBank(from->number)) return false;
    b.op.sources[0] = {.kind = Source::Kind::Register, .number = from->base};
    b.op.uniformBase = from->uniformBase;
    b.op.offsetBytes = s64(from->value);
    b.op.constantBank = from->number;
    b.op.widthBytes = widthOf(b);
    b.op.isSignExtended = b.has(Modifier::S8) || b.has(Modifier::S16);
    b.op.execute = loadConstant;
    if (const std::optional<u64> value = b.constant(*from, b.op.widthBytes)) {
        b.op.sources[1].value =
            b.op.widthBytes < 4 ? extended(u32(*value), b.op.widthBytes, b.op.isSignExtended) : *value;
        b.op.execute = loadFixedConstant;
    }
    return b.op.widthBytes <= 8 && b.left() == 0;
}

constexpr std::array kRows = {
    ExecuteRow{Opcode::Atomg, buildAtomic<MemorySpace::Global, MemoryAction::Atomic>},
    ExecuteRow{Opcode::Atoms, buildAtomic<MemorySpace::Shared, MemoryAction::Atomic>},
    ExecuteRow{Opcode::Ldc, buildConstant},
    ExecuteRow{Opcode::Ldg, buildLoad<MemorySpace::Global>},
    ExecuteRow{Opcode::Ldgsts, buildAsyncCopy},
    ExecuteRow{Opcode::Ldl, buildLoad<MemorySpace::Local>},
    ExecuteRow{Opcode::Lds, buildLoad<MemorySpace::Shared>},
    ExecuteRow{Opcode::Redg, buildAtomic<MemorySpace::Global, MemoryAction::Reduction>},
    ExecuteRow{Opcode::Stg, buildStore<MemorySpace::Global>},
    ExecuteRow{Opcode::Stl, buildStore<MemorySpace::Local>},
    ExecuteRow{Opcode::Sts, buildStore<MemorySpace::Shared>},
    ExecuteRow{Opcode::Uldc, buildConstant},
};

}  // namespace

std::span<const ExecuteRow> memoryRows() { return kRows; }

}  // namespace lockstep::time
