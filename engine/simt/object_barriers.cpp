// mbarrier: barriers in a word of shared memory. The word is opaque in PTX; our layout is below.
#include "simt/block_runner.h"

#include <bit>
#include <cstring>

namespace lockstep::simt {
namespace {

// PTX ISA, "Contents of the mbarrier object": phase, pending count and expected count (1 to 2^20 - 1),
// pending bytes.
struct BarrierWord {
    u32 expected = 0, pending = 0;
    s32 bytes = 0;
    bool odd = false;  // parity of the current phase

    static constexpr u32 kCountBits = 20, kCountMask = (1u << kCountBits) - 1;
    static constexpr u32 kByteBits = 23;

    explicit BarrierWord(u64 word)
        : expected(u32(word) & kCountMask),
          pending(u32(word >> kCountBits) & kCountMask),
          bytes(s32(u32(word >> 2 * kCountBits) << (32 - kByteBits)) >> (32 - kByteBits)),
          odd(word >> 63) {}
    u64 word() const {
        return u64{expected & kCountMask} | u64{pending & kCountMask} << kCountBits |
               u64{u32(bytes) & ((1u << kByteBits) - 1)} << 2 * kCountBits | u64{odd} << 63;
    }
    // True: the phase is complete.
    bool settle() {
        if (pending || bytes) return false;
        pending = expected;
        odd = !odd;
        return true;
    }
};

// Distinguishes mbarriers from the sixteen numbered barriers.
constexpr u32 kObjectBarrier = 0x80000000u;

}  // namespace

void BlockRunner::objectBarrier(WarpState& warp, const Op& op, u32 active) {
    using Kind = ObjectBarrierOperation::Kind;
    const ObjectBarrierOperation& operation = program_.objectBarriers[op.aux];
    std::byte* frame = warp.paths.activation().frame;
    const Warp index{warp.index()};
    const auto read = [&](u32 at, u32 lane, bool is64, u64 otherwise) {
        if (at == ElementSlot::kDiscard) return otherwise;
        return is64 ? reinterpret_cast<const u64*>(frame + at)[lane]
                    : u64{reinterpret_cast<const u32*>(frame + at)[lane]};
    };
    if (operation.kind == Kind::PendingCount) {
        for (Lane lane : LaneMask{active})
            reinterpret_cast<u32*>(frame + operation.result)[lane.value] =
                BarrierWord(read(operation.operand, lane.value, true, 0)).pending;
        return;
    }
    const Accessor accessor{warp.index(), op.pc, frame, warp.paths.activation().depth};
    const std::array<std::byte*, kWarpSize> words = memory_.sharedWords(operation, accessor, active);
    u32 passed = 0, lastId = 0;
    for (Lane lane : LaneMask{active}) {
        std::byte* const at = words[lane.value];
        if (!at) continue;
        const u32 offset = u32(at - memory_.shared()), id = kObjectBarrier | offset;
        u64 bits;
        std::memcpy(&bits, at, sizeof bits);
        BarrierWord word(bits);
        bool flipped = false;
        switch (operation.kind) {
            case Kind::Init:
                word = BarrierWord(0);
                word.expected = word.pending =
                    u32(read(operation.operand, lane.value, false, 0)) & BarrierWord::kCountMask;
                if (observers_.sharedShadow) memory_.sharedShadow()->markWritten(offset, sizeof bits);
                break;
            case Kind::Invalidate: word = BarrierWord(0); break;
            case Kind::ExpectBytes: word.bytes += s32(read(operation.bytes, lane.value, false, 0)); break;
            case Kind::CompleteBytes:
                word.bytes -= s32(read(operation.bytes, lane.value, false, 0));
                flipped = word.settle();
                break;
            case Kind::Arrive: {
                if (operation.result != ElementSlot::kDiscard)
                    reinterpret_cast<u64*>(frame + operation.result)[lane.value] = bits;
                if (observers_.sharedShadow && id != lastId) memory_.sharedShadow()->arrive(index, id);
                word.bytes += s32(read(operation.bytes, lane.value, false, 0));
                const u32 count = u32(read(operation.operand, lane.value, false, 1));
                word.pending -= std::min(word.pending, count);
                if (operation.drops) word.expected -= std::min(word.expected, count);
                flipped = word.settle();
                break;
            }
            case Kind::Wait: {
                const u64 operand = read(operation.operand, lane.value, operation.operand64, 0);
                const bool phase = operation.parity ? operand & 1 : BarrierWord(operand).odd;
                if (phase == word.odd) break;
                passed |= 1u << lane.value;
                if (observers_.sharedShadow && id != lastId) memory_.sharedShadow()->pass(index, id);
                break;
            }
            case Kind::PendingCount: break;
        }
        lastId = id;
        bits = word.word();
        std::memcpy(at, &bits, sizeof bits);
        if (flipped) {
            if (observers_.sharedShadow) memory_.sharedShadow()->complete(id);
            if (observers_.globalShadow) observers_.globalShadow->blockBarrier();
            if (observers_.listener) observers_.listener->blockBarrier(at_);
        }
    }
    if (operation.kind == Kind::Wait) {
        u32& predicate = *reinterpret_cast<u32*>(frame + operation.result);
        predicate = (predicate & ~active) | passed;
    }
}

}  // namespace lockstep::simt
