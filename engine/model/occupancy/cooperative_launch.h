// A cooperative launch needs all of its blocks resident together.
#pragma once

#include "base/buffer.h"
#include "base/text/message.h"
#include "model/profiles/profile.h"
#include "ptx/module.h"

#include <optional>

namespace lockstep::model {

// Why the device cannot run it, what to do; none: it can. Registers are not known: it may be too many all the
// same.
std::optional<Message> cooperativeMistake(const ptx::Module& module, const ptx::Function& entry,
                                          const Launch& launch, const Profile& profile);

}  // namespace lockstep::model
