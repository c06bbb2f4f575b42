// A device as the model sees it: which rules it follows and its figures. Profiles are data (assets/profiles/*.toml).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/expected.h"

namespace lockstep::model {

struct Profile {
    std::string name;         // "cc90"
    u32 major = 9, minor = 0; // compute capability
    std::string card;         // the card its figures are of: "NVIDIA H200"
    u32 banks = 32;
    u32 sharedGroupLanes4 = 32, sharedGroupLanes8 = 16, sharedGroupLanes16 = 8;  // lanes per group for 4-, 8-, 16-byte accesses
    u32 multiprocessors = 132, threadsPerSm = 2048, warpsPerSm = 64, blocksPerSm = 32, threadsPerBlock = 1024;
    u32 sharedBytesPerSm = 228 * 1024, sharedBytesPerBlock = 48 * 1024, sharedBytesOptIn = 227 * 1024, registersPerSm = 65536;
};

std::span<const Profile> profiles();
const Profile* findProfile(std::string_view name);
const Profile& defaultProfile();  // cc90

}  // namespace lockstep::model
