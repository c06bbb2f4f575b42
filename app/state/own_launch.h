// The launch form of a user's own kernel: converts its fields to a request, and finds the field that an error
// is about.
#pragma once

#include "app/state/state.h"
#include "run/own/own_kernel.h"

#include <optional>

namespace lockstep::app {

// Checks what can be checked before anything is compiled.
Expected<run::FileRequest> requestOf(const OwnKernel& kernel);

// What the results may be compared with, most likely first: references that fit, other kernels of the file, a
// file.
std::vector<std::string> proposedReferences(const OwnKernelDialog& dialog, const OwnKernel& kernel);
// Fills the form with a launch in the file; unknown fields are empty.
void propose(OwnKernel& kernel, const FoundKernel& found, const run::ProposedLaunch& launch);
// Whether the form shows that launch.
bool shows(const OwnKernel& kernel, const FoundKernel& found, const run::ProposedLaunch& launch);

// A field of the form, as messages name it by its option.
struct LaunchField {
    enum class Kind : u8 { Grid, Block, Shared, Argument, Defines, Reference, Further } kind = Kind::Grid;
    u32 argument = 0;  // its number
    bool operator==(const LaunchField&) const = default;
};
// None: the message names no option.
std::optional<LaunchField> fieldOf(const Fault& fault);

}  // namespace lockstep::app
