// A device as the model sees it: the rules it follows and its figures. Profiles are data, one file each in
// assets/profiles, built into the program; a new device is a new file there. A user's own file can be read,
// too.
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

// How shared-memory banks serve the lanes of one group.
enum class SharedRule : u8 {
    BroadcastWord,  // cc 1.x: a wavefront serves all lanes of one word, and one lane per other bank
    Words,          // cc 2.x: per wavefront, a bank serves one word to all lanes that request it
    WordPairs,      // cc 3.x, 4-byte mode: as Words, but words i and i+32 of one 64-word segment are served
                    // together
    DoubleWords,    // cc 3.x, 8-byte mode: a bank serves 8 bytes to all lanes that request any
    MergingWords,   // as Words; a wide load whose neighboring lanes agree is served in groups of twice the
                    // lanes
};

// What a global access is split into.
enum class GlobalRule : u8 {
    InOrder,   // cc 1.0, 1.1: one or two transactions if lane k has word k of a segment, else one a lane
    Segments,  // cc 1.2, 1.3: the segments that hold the addresses, halved while only one half is used
    Sectors,   // since cc 2.0: 32-byte sectors, or whole 128-byte lines where `cachedLoadsFetchLines`
};

// Lanes served together, by access width. 1 and 2 bytes are treated as 4.
struct GroupLanes {
    u32 of4 = 32, of8 = 32, of16 = 32;
    constexpr u32 of(u32 widthBytes) const { return widthBytes >= 16 ? of16 : widthBytes == 8 ? of8 : of4; }
    bool operator==(const GroupLanes&) const = default;
};

// Peak rates of a card, for bounds.h.
struct Speed {
    u32 clockMhz = 0, memoryMBPerSecond = 0;
    u32 fp32Lanes = 0,
        fp64Lanes = 0;                       // per SM and clock: additions, multiplications or both fused
    u32 issueLanes = 0;                      // 32 times the warp instructions that an SM issues per clock
    std::optional<u32> l2ReadMBPerSecond{};  // from all of L2 to the SMs; none: no source gives it
    std::optional<u32> launchClocks{};       // duration of an empty kernel; none: not measured on the card

    // Launch overhead; none: not known.
    std::optional<f64> launchMilliseconds() const {
        return launchClocks ? std::optional(*launchClocks / (1e3 * clockMhz)) : std::nullopt;
    }
    // Whether a kernel's time is mostly launch overhead.
    bool isMostlyLaunch(f64 milliseconds) const {
        const std::optional<f64> launch = launchMilliseconds();
        return launch && milliseconds < 2 * *launch;
    }
};

// An alternative bank mode of a device.
struct SharedMode {
    std::string name;   // of its profile: "cc35-8byte"
    std::string width;  // bank width, beside the device's name: "8 B"
    SharedRule rule = SharedRule::Words;
};

struct Profile {
    std::string name;          // "cc90"
    u32 major = 9, minor = 0;  // compute capability
    std::string card;          // the card that its figures describe: "NVIDIA H200"
    bool measured = false;     // rules checked against this card's counters; else from documentation

    SharedRule sharedRule = SharedRule::MergingWords;
    u32 banks = 32;
    GroupLanes sharedGroups{32, 16, 8};
    std::vector<SharedMode> sharedModes;  // besides this one
    std::string mode;                     // bank width, if the profile is another's mode; else empty

    GlobalRule globalRule = GlobalRule::Sectors;
    GroupLanes globalGroups{32, 32, 32};
    bool l1CachesGlobalLoads = true;  // by default; `lockstep access --l1` and -Xptxas -dlcm choose otherwise
    bool cachedLoadsFetchLines = false;  // an L1-cached load fetches whole lines (cc 2.x, 3.x)

    u32 multiprocessors = 132, threadsPerSm = 2048, warpsPerSm = 64, blocksPerSm = 32, threadsPerBlock = 1024;
    u32 sharedBytesPerSm = 228 * 1024, sharedBytesPerBlock = 48 * 1024, sharedBytesOptIn = 227 * 1024;
    u32 sharedReservedPerBlock = 1024, sharedAllocationUnit = 128;
    u32 registersPerSm = 65536, registersPerThread = 255;
    // Registers are allocated in units, per warp (since cc 2.0) or per block (cc 1.x).
    u32 registerAllocationUnit = 256,
        registerPartitions = 4;  // partitions: parts of the SM with a register file each
    bool registersPerWarp = true;
    Dim3 largestBlock{1024, 1024, 64}, largestGrid{2147483647, 65535, 65535};

    std::optional<CacheFigures> caches;  // none: not known well enough to simulate
    std::optional<Speed> speed;          // of the card; none: no timing figures
};

// CUDA C++ Programming Guide, "Features and Technical Specifications" of compute capability 1.x: atomic
// functions on global memory from 1.1 on, on shared memory from 1.2 on.
constexpr bool hasGlobalAtomics(const Profile& profile) { return profile.major > 1 || profile.minor >= 1; }
constexpr bool hasSharedAtomics(const Profile& profile) { return profile.major > 1 || profile.minor >= 2; }

std::span<const Profile> profiles();  // ascending compute capability; a device's modes follow it
const Profile* findProfile(std::string_view name);
const Profile& defaultProfile();  // cc90

// "3.5"; a mode with its bank width: "3.5 (8 B)".
std::string capabilityOf(const Profile& profile);
// The profile of this compute capability, or the nearest lower one. Modes are not considered.
const Profile& nearestProfile(u32 major, u32 minor);

// text: of a profile; file: for messages. Every key must be present and in range.
Expected<Profile> parseProfile(std::string_view text, const std::string& file);
Expected<Profile> readProfile(const std::filesystem::path& file);

}  // namespace lockstep::model
