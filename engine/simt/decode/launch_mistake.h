// Why a launch cannot start on a device, and which part of the launch causes it.
#pragma once

#include "base/buffer.h"
#include "ptx/module.h"
#include "simt/emulator.h"

#include <optional>
#include <string>

namespace lockstep::simt {

enum class LaunchPart : u8 { Grid, Block, DynamicSharedBytes };

struct LaunchMistake {
    std::optional<LaunchPart> part;  // none: the kernel itself needs too much
    Message message;                 // what is wrong and what to do, without the kernel's name
};

// The first mistake; none if the launch fits kernel and device.
std::optional<LaunchMistake> launchMistake(const ptx::Module& module, const ptx::Function& entry,
                                           const Launch& launch, const DeviceLimits& limits);

}  // namespace lockstep::simt
