// The launch of a kernel of the user's own: from the words of the form to a request, and which of them a mistake is about.
#pragma once

#include <optional>

#include "app/state/state.h"
#include "run/own_kernel.h"

namespace lockstep::app {

// Checks what can be checked before anything is compiled.
Expected<run::FileRequest> requestOf(const OwnKernel& kernel);

// A field of the form, as messages name it by its option.
struct LaunchField {
    enum class Kind : u8 { Grid, Block, Shared, Argument, Defines } kind = Kind::Grid;
    u32 argument = 0;  // its number
    bool operator==(const LaunchField&) const = default;
};
// None: the message names no option.
std::optional<LaunchField> fieldOf(const Fault& fault);

}  // namespace lockstep::app
