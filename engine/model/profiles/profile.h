// A device as the model sees it: which rules it follows and its figures. Profiles are data, one file each in
// assets/profiles; a new device is a new file there. They are built into the program; a user's own file is
// read too.
#pragma once

#include "base/dim3.h"
#include "base/expected.h"
#include "model/caches/cache_figures.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::model {

// How shared memory serves the lanes of one group.
enum class SharedRule : u8 {
    BroadcastWord,  // cc 1.x: each pass serves one word to all its lanes, and one lane in every other bank
    Words,          // cc 2.x: a bank gives one word a pass, to every lane that wants it
    WordPairs,     // cc 3.x, 4-byte mode: as Words, but words i and i+32 of one 64-word segment come together
    DoubleWords,   // cc 3.x, 8-byte mode: a bank gives 8 bytes a pass, to every lane that wants some of them
    MergingWords,  // as Words; a wide load whose neighboring lanes agree is served in groups of twice the
                   // lanes
};

// What a global access is cut into.
enum class GlobalRule : u8 {
    InOrder,   // cc 1.0, 1.1: one or two transactions if lane k takes word k of a segment, else one a lane
    Segments,  // cc 1.2, 1.3: the segments that hold the addresses, halved while only one half is used
    Sectors,   // since cc 2.0: 32-byte sectors, or whole 128-byte lines where `cachedLoadsFetchLines`
};

// Lanes that are served together, by the width of their access. 1 and 2 bytes go with 4.
struct GroupLanes {
    u32 of4 = 32, of8 = 32, of16 = 32;
    constexpr u32 of(u32 widthBytes) const { return widthBytes >= 16 ? of16 : widthBytes == 8 ? of8 : of4; }
    bool operator==(const GroupLanes&) const = default;
};

// What a card can do at most in a second; for bounds.h.
struct Speed {
    u32 clockMhz = 0, memoryMBPerSecond = 0;
    u32 fp32Lanes = 0,
        fp64Lanes = 0;   // of a multiprocessor, in a clock: additions, multiplications or both fused
    u32 issueLanes = 0;  // 32 times the warp instructions that a multiprocessor issues in a clock
    std::optional<u32>
        l2ReadMBPerSecond{};  // what all of L2 gives to the multiprocessors; none: no source says it
    std::optional<u32> launchClocks{};  // that an empty kernel takes; none: not measured on the card

    // The time of the launch itself; none: not known.
    std::optional<f64> launchMilliseconds() const {
        return launchClocks ? std::optional(*launchClocks / (1e3 * clockMhz)) : std::nullopt;
    }
    // Whether a kernel's time is for the most part that of its launch.
    bool isMostlyLaunch(f64 milliseconds) const {
        const std::optional<f64> launch = launchMilliseconds();
        return launch && milliseconds < 2 * *launch;
    }
};

// Another way in which the banks of a device can be set to work.
struct SharedMode {
    std::string name;   // of its profile: "cc35-8byte"
    std::string width;  // of a bank, beside the device's name: "8 B"
    SharedRule rule = SharedRule::Words;
};

struct Profile {
    std::string name;          // "cc90"
    u32 major = 9, minor = 0;  // compute capability
    std::string card;          // the card its figures are of: "NVIDIA H200"
    bool measured =
        false;  // its rules were compared with this card's own counters; else they are documentation

    SharedRule sharedRule = SharedRule::MergingWords;
    u32 banks = 32;
    GroupLanes sharedGroups{32, 16, 8};
    std::vector<SharedMode> sharedModes;  // besides this one
    std::string mode;                     // of a profile that is another's mode, its width; else empty

    GlobalRule globalRule = GlobalRule::Sectors;
    GroupLanes globalGroups{32, 32, 32};
    bool l1CachesGlobalLoads = true;  // by default; `lockstep access --l1` and -Xptxas -dlcm choose otherwise
    bool cachedLoadsFetchLines = false;  // a load cached in L1 moves whole lines (cc 2.x, 3.x)

    u32 multiprocessors = 132, threadsPerSm = 2048, warpsPerSm = 64, blocksPerSm = 32, threadsPerBlock = 1024;
    u32 sharedBytesPerSm = 228 * 1024, sharedBytesPerBlock = 48 * 1024, sharedBytesOptIn = 227 * 1024;
    u32 sharedReservedPerBlock = 1024, sharedAllocationUnit = 128;
    u32 registersPerSm = 65536, registersPerThread = 255;
    // Registers are given out in units, to each warp (since cc 2.0) or to the block as a whole (cc 1.x).
    u32 registerAllocationUnit = 256,
        registerPartitions = 4;  // partitions: parts of the SM with a register file each
    bool registersPerWarp = true;
    Dim3 largestBlock{1024, 1024, 64}, largestGrid{2147483647, 65535, 65535};

    std::optional<CacheFigures> caches;  // none: not known well enough to simulate them
    std::optional<Speed> speed;          // of the card; none: nothing is said about time
};

// CUDA C++ Programming Guide, "Features and Technical Specifications" of compute capability 1.x: atomic
// functions on global memory from 1.1 on, on shared memory from 1.2 on.
constexpr bool hasGlobalAtomics(const Profile& profile) { return profile.major > 1 || profile.minor >= 1; }
constexpr bool hasSharedAtomics(const Profile& profile) { return profile.major > 1 || profile.minor >= 2; }

std::span<const Profile> profiles();  // ascending compute capability; a device's modes behind it
const Profile* findProfile(std::string_view name);
const Profile& defaultProfile();  // cc90

// "3.5", of a mode with what tells it from its device: "3.5 (8 B)".
std::string capabilityOf(const Profile& profile);
// The profile of a device of this compute capability; the nearest lower one where there is none of its own.
// None of the modes.
const Profile& nearestProfile(u32 major, u32 minor);

// A profile's text, `file` for messages; every key must be there and in range.
Expected<Profile> parseProfile(std::string_view text, const std::string& file);
Expected<Profile> readProfile(const std::filesystem::path& file);

}  // namespace lockstep::model
