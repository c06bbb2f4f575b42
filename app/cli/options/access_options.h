// The options for one warp's access without a kernel: for `lockstep access` and the playground's picture.
#pragma once

#include "app/cli/options/parser.h"
#include "model/access/access_pattern.h"

#include <optional>
#include <string>

namespace lockstep::cli {

struct AccessOptions {
    std::string preset, space, operation, offsets, expression;
    std::optional<u32> width, row, padding;
    bool swizzled = false;
    bool given() const {
        return !preset.empty() || !space.empty() || !operation.empty() || !offsets.empty() ||
               !expression.empty() || width || row || padding || swizzled;
    }
};

void addAccessOptions(const Command& command, AccessOptions& options);

// The preset, or neighboring words, modified by the options. Fault: both or neither of --expr and --offsets,
// or an invalid access.
Expected<model::AccessPattern> patternOf(const AccessOptions& options);

}  // namespace lockstep::cli
