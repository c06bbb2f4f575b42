// Instructions that exchange values between lanes of a warp. The lanes of `mask` execute together; lanes with
// the same member mask form a group, and groups do not see each other.
#include "ptx/shuffle_lanes.h"
#include "simt/opcodes/float_helpers.h"
#include "simt/opcodes/lane_loop.h"
#include "simt/opcodes/opcode_names.h"
#include "simt/opcodes/opcode_table.h"

#include <algorithm>

namespace lockstep::simt {
namespace {

using ptx::ShuffleMode;

template <class T> const T* lanesAt(const u32* at, const std::byte* frame, u32 operand) {
    return reinterpret_cast<const T*>(frame + at[operand]);
}
u32 predicateAt(const u32* at, const std::byte* frame, u32 operand) {
    u32 bits;
    std::memcpy(&bits, frame + at[operand], sizeof bits);
    return bits;
}
template <class Visit> void eachLane(u32 lanes, Visit visit) {
    for (; lanes; lanes &= lanes - 1)
        visit(u32(std::countr_zero(lanes)));
}
// Calls visit(group) for each group of lanes in `mask` with the same member mask; without member masks, once
// for all.
template <class Visit> void eachGroup(const u32* members, u32 mask, Visit visit) {
    if (!members) return visit(mask);
    while (mask) {
        const u32 named = members[std::countr_zero(mask)];
        u32 group = 0;
        eachLane(mask, [&](u32 lane) { group |= u32(members[lane] == named) << lane; });
        visit(group);
        mask &= ~group;
    }
}

// d|p = a of another lane. An inactive lane cannot be read: the reader keeps its own value.
template <ShuffleMode mode> void shuffle(const u32* at, std::byte* frame, u32 mask) {
    const u32 *a = lanesAt<u32>(at, frame, 2), *b = lanesAt<u32>(at, frame, 3),
              *c = lanesAt<u32>(at, frame, 4);
    u32 values[32], inRange = 0;
    eachLane(mask, [&](u32 lane) {
        const ptx::ShuffleRead read = ptx::shuffleRead(mode, lane, b[lane], c[lane]);
        values[lane] = a[mask >> read.lane & 1 ? read.lane : lane];
        inRange |= u32(read.inRange) << lane;
    });
    u32* d = reinterpret_cast<u32*>(frame + at[0]);
    eachLane(mask, [&](u32 lane) { d[lane] = values[lane]; });
    blendMask(frame + at[1], inRange, mask);
}

enum class Vote : u8 { All, Any, Uniform, Ballot };
template <Vote vote, bool sync> void voteOf(const u32* at, std::byte* frame, u32 mask) {
    const u32 truths = predicateAt(at, frame, 1);
    u32 result = 0;
    eachGroup(sync ? lanesAt<u32>(at, frame, 2) : nullptr, mask, [&](u32 group) {
        const u32 yes = truths & group;
        if constexpr (vote == Vote::Ballot)
            eachLane(group, [&](u32 lane) { reinterpret_cast<u32*>(frame + at[0])[lane] = yes; });
        else if (vote == Vote::Any ? yes != 0 : yes == group || (vote == Vote::Uniform && yes == 0))
            result |= group;
    });
    if constexpr (vote != Vote::Ballot) blendMask(frame + at[0], result, mask);
}

// match.any: the lanes of the group with the same value; match.all: the group if all have one value, and
// whether they do.
template <class T> void matchAny(const u32* at, std::byte* frame, u32 mask) {
    const T* a = lanesAt<T>(at, frame, 1);
    u32 same[32];
    eachGroup(lanesAt<u32>(at, frame, 2), mask, [&](u32 group) {
        eachLane(group, [&](u32 lane) {
            same[lane] = 0;
            eachLane(group, [&](u32 other) { same[lane] |= u32(a[other] == a[lane]) << other; });
        });
    });
    eachLane(mask, [&](u32 lane) { reinterpret_cast<u32*>(frame + at[0])[lane] = same[lane]; });
}
template <class T> void matchAll(const u32* at, std::byte* frame, u32 mask) {
    const T* a = lanesAt<T>(at, frame, 2);
    u32 results[32], agreeing = 0;
    eachGroup(lanesAt<u32>(at, frame, 3), mask, [&](u32 group) {
        bool agree = true;
        eachLane(group, [&](u32 lane) { agree = agree && a[lane] == a[std::countr_zero(group)]; });
        eachLane(group, [&](u32 lane) { results[lane] = agree ? group : 0; });
        agreeing |= agree ? group : 0;
    });
    eachLane(mask, [&](u32 lane) { reinterpret_cast<u32*>(frame + at[0])[lane] = results[lane]; });
    blendMask(frame + at[1], agreeing, mask);
}

template <auto F, class T> void reduce(const u32* at, std::byte* frame, u32 mask) {
    const u32* a = lanesAt<u32>(at, frame, 1);
    u32 results[32];
    eachGroup(lanesAt<u32>(at, frame, 2), mask, [&](u32 group) {
        T total = fromWord<T>(a[std::countr_zero(group)]);
        eachLane(group & (group - 1), [&](u32 lane) { total = F(total, fromWord<T>(a[lane])); });
        eachLane(group, [&](u32 lane) { results[lane] = toWord(total); });
    });
    eachLane(mask, [&](u32 lane) { reinterpret_cast<u32*>(frame + at[0])[lane] = results[lane]; });
}
template <class T> constexpr T add(T a, T b) { return T(u32(a) + u32(b)); }
template <class T> constexpr T min(T a, T b) { return std::min(a, b); }
template <class T> constexpr T max(T a, T b) { return std::max(a, b); }
constexpr u32 bitAnd(u32 a, u32 b) { return a & b; }
constexpr u32 bitOr(u32 a, u32 b) { return a | b; }
constexpr u32 bitXor(u32 a, u32 b) { return a ^ b; }

void activeMask(const u32* at, std::byte* frame, u32 mask) {
    eachLane(mask, [&](u32 lane) { reinterpret_cast<u32*>(frame + at[0])[lane] = mask; });
}

// elect: the lowest lane of each group; d is its number, p is true in that lane.
void elect(const u32* at, std::byte* frame, u32 mask) {
    u32 leaders[32], elected = 0;
    eachGroup(lanesAt<u32>(at, frame, 2), mask, [&](u32 group) {
        eachLane(group, [&](u32 lane) { leaders[lane] = u32(std::countr_zero(group)); });
        elected |= group & (0 - group);
    });
    eachLane(mask, [&](u32 lane) { reinterpret_cast<u32*>(frame + at[0])[lane] = leaders[lane]; });
    blendMask(frame + at[1], elected, mask);
}

constexpr Storage k32 = Storage::Lanes32, k64 = Storage::Lanes64, kPredicate = Storage::Predicate;

template <ShuffleMode mode, Text name>
constexpr std::array kShuffle = {
    OpcodeRow{form<"shfl.sync.", name, ".b32">, shuffle<mode>, {k32, kPredicate, k32, k32, k32, k32}, 2, 4},
    OpcodeRow{form<"shfl.", name, ".b32">, shuffle<mode>, {k32, kPredicate, k32, k32, k32}, 2, 3},
};
template <Vote vote, Text name>
constexpr std::array kVote = {
    OpcodeRow{form<"vote.sync.", name>,
              voteOf<vote, true>,
              {vote == Vote::Ballot ? k32 : kPredicate, kPredicate, k32},
              1,
              2},
    OpcodeRow{form<"vote.", name>,
              voteOf<vote, false>,
              {vote == Vote::Ballot ? k32 : kPredicate, kPredicate},
              1,
              1},
};
template <auto F, class T> constexpr OpcodeRow reduction(std::string_view form) {
    return {form, reduce<F, T>, {k32, k32, k32}, 1, 2};
}
template <class T>
constexpr std::array kReductions = {
    reduction<add<T>, T>(form<"redux.sync.add.", kTypeName<T>>),
    reduction<min<T>, T>(form<"redux.sync.min.", kTypeName<T>>),
    reduction<max<T>, T>(form<"redux.sync.max.", kTypeName<T>>),
};
constexpr std::array kOthers = {
    reduction<bitAnd, u32>("redux.sync.and.b32"),
    reduction<bitOr, u32>("redux.sync.or.b32"),
    reduction<bitXor, u32>("redux.sync.xor.b32"),
    OpcodeRow{"match.any.sync.b32", matchAny<u32>, {k32, k32, k32}, 1, 2},
    OpcodeRow{"match.any.sync.b64", matchAny<u64>, {k32, k64, k32}, 1, 2},
    OpcodeRow{"match.all.sync.b32", matchAll<u32>, {k32, kPredicate, k32, k32}, 2, 2},
    OpcodeRow{"match.all.sync.b64", matchAll<u64>, {k32, kPredicate, k64, k32}, 2, 2},
    OpcodeRow{"activemask.b32", activeMask, {k32}, 1, 0},
    OpcodeRow{"elect.sync", elect, {k32, kPredicate, k32}, 2, 1},
};

constexpr auto kWarpOpcodes =
    concat(kShuffle<ShuffleMode::Up, "up">, kShuffle<ShuffleMode::Down, "down">,
           kShuffle<ShuffleMode::Butterfly, "bfly">, kShuffle<ShuffleMode::Index, "idx">,
           kVote<Vote::All, "all.pred">, kVote<Vote::Any, "any.pred">, kVote<Vote::Uniform, "uni.pred">,
           kVote<Vote::Ballot, "ballot.b32">, kReductions<u32>, kReductions<s32>, kOthers);

}  // namespace

std::span<const OpcodeRow> warpOpcodes() { return kWarpOpcodes; }

}  // namespace lockstep::simt
