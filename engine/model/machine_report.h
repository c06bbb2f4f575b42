// The Report of a run whose machine code is known: shared-access widths, branch forms and registers are read
// from it, not predicted.
#pragma once

#include "model/report.h"
#include "sass/machine_code.h"

#include <string>
#include <vector>

namespace lockstep::model {

struct MachineReport {
    Report report;

    struct Place {
        LaunchId launch;
        Pc pc;
        auto operator<=>(const Place&) const = default;
    };
    // Shared accesses that machine code does not have, not even merged: their value was known, or is not
    // used. They cost nothing.
    std::vector<Place> removed;  // ascending
    // Where the model predicted something else: "16 bytes" and "4 bytes" of a shared access ("none" where it
    // was removed), "predication" and "branch".
    struct Difference {
        Place at;
        std::string modelled, machine;
    };
    std::vector<Difference> differences;  // ascending place
};

// machineCode: of `module`, for the profile's device. registersPerThread: where a device said so; else the
// machine code's.
MachineReport machineReport(const ptx::Module& module, const trace::Recording& recording,
                            const Profile& profile, const sass::MachineCode& machineCode,
                            std::optional<u32> registersPerThread = {});

}  // namespace lockstep::model
