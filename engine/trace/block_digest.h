// What one block did, as a number: equal for two blocks only if each warp of both executed the same steps
// with the same active lanes, and its accesses have the same lane patterns (grid_counts.h), but for shifts
// that are known. And whether the block loads what another block may have stored.
#pragma once

#include "trace/access.h"
#include "trace/sample.h"

#include <array>
#include <span>
#include <unordered_map>
#include <vector>

namespace lockstep::trace {

struct BlockDigest {
    std::array<u64, 2> value{};
    bool tooLong = false;      // more than could be digested
    bool readsOthers = false;  // it loads from a shared buffer bytes that it does not store itself
    bool operator==(const BlockDigest&) const = default;
};

// Device addresses of a buffer from which the launch both loads and to which it stores.
struct AddressRange {
    u64 begin = 0, end = 0;
};

class BlockDigester {
public:
    // box: of the block; outlives it.
    void beginBlock(u32 warps, std::span<const AddressRange> shared, const SampleBox& box, Dim3 block) {
        box_ = &box;
        block_ = block;
        warps_.assign(warps, {});
        bytes_.clear();
        shared_.assign(shared.begin(), shared.end());
    }
    void step(Warp warp, Pc pc, LaneMask active) {
        warps_[warp.value].add(u64{pc.value} << 32 | active.bits);
    }
    // base: address of the lowest active lane; distances: from it.
    void access(Warp warp, const WarpAccess& access, u64 base, const LaneAddresses& distances);
    BlockDigest finish(bool tooLong) const;

private:
    struct Hash {
        std::array<u64, 2> value{0x9e3779b97f4a7c15u, 0xc2b2ae3d27d4eb4fu};  // any two numbers
        void add(u64 word) {
            value[0] = (value[0] ^ word) * 0xff51afd7ed558ccdu;  // multipliers: those of MurmurHash3
            value[0] ^= value[0] >> 32;
            value[1] = (value[1] ^ word) * 0xc4ceb9fe1a85ec53u;
            value[1] ^= value[1] >> 29;
        }
    };
    // Of 8 bytes of a shared buffer, those that the block loads and stores.
    struct Touched {
        u8 loaded = 0, stored = 0;
    };
    static constexpr std::size_t kMostTouched = 4u << 20;

    bool isShared(u64 address) const;
    void touch(const WarpAccess& access, u64 base, const LaneAddresses& distances);

    const SampleBox* box_ = nullptr;
    Dim3 block_{0, 0, 0};
    std::vector<Hash> warps_;
    std::vector<AddressRange> shared_;
    std::unordered_map<u64, Touched> bytes_;  // by address / 8
};

}  // namespace lockstep::trace
