// What one shared-memory access of a warp costs: wavefronts, and the lanes each one serves.
#pragma once

#include "base/text/message.h"
#include "model/profiles/profile.h"
#include "trace/access.h"

#include <vector>

namespace lockstep::model {

inline constexpr u32 kBanks =
    32;  // since cc 2.0: CUDA C++ Programming Guide, "Shared Memory"; measured on an H200
inline constexpr u32 kBankBytes = 4;
// 4-byte words side by side in one bank: 2 if banks are 8 bytes wide.
u32 wordsOfABank(const Profile& profile);

// One wavefront: a pass through the shared-memory pipe. Each bank delivers one word, to every lane that
// requests it.
struct Pass {
    struct Use {
        Lane lane;
        u8 bank;
        u64 word;
    };                      // word: byte address / 4
    std::vector<Use> uses;  // a lane of an 8- or 16-byte access has several
    LaneMask lanes() const;
};

// Number of wavefronts, as ncu's l1tex__data_pipe_lsu_wavefronts_mem_shared counts them for loads and stores,
// and for native atomics (others: shared_atomics.h).
u32 sharedWavefronts(const trace::WarpAccess& access, const Profile& profile);
// The minimum for these active lanes, width and grouping, whatever the addresses. If neighboring lanes agree,
// the grouping is that of the merged lanes, as in ncu's bank conflicts = wavefronts - ideal.
u32 idealWavefronts(const trace::WarpAccess& access, const Profile& profile);
// passes().size() == sharedWavefronts(): which wavefront serves which lane is chosen for display (first come,
// first served); the number is the hardware's.
std::vector<Pass> passes(const trace::WarpAccess& access, const Profile& profile);

// The groups of lanes served together, lowest first; groups without an active lane are omitted.
// How many lanes make a group, and whether these are twice as many as usual because neighboring lanes have
// the same address.
u32 sharedLanesPerGroup(const trace::WarpAccess& access, const Profile& profile);
bool servesNeighborsTogether(const trace::WarpAccess& access, const Profile& profile);
std::vector<LaneMask> sharedGroups(const trace::WarpAccess& access, const Profile& profile);

// What each half-warp costs on cc 1.x, which issues a request per half-warp (CUDA Programming Guide, "Shared
// Memory" of compute capability 1.x); empty on later devices. Half-warps without an active lane are omitted.
struct HalfWarpCost {
    u32 half = 0;  // 0: lanes 0 to 15
    u32 wavefronts = 0, ideal = 0;
};
std::vector<HalfWarpCost> halfWarpCosts(const trace::WarpAccess& access, const Profile& profile);
// "half-warp 0: 4-way, half-warp 1: 4-way, 8 wavefronts in all"; empty on later devices.
Message halfWarpsText(const trace::WarpAccess& access, const Profile& profile);

}  // namespace lockstep::model
