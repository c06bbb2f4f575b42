// --save-launch of lockstep exec: launches of a program as recordings.
#pragma once

#include "base/expected.h"

#include <map>
#include <string>
#include <vector>

#if LOCKSTEP_EXEC
#include "program/record.h"
#include "run/run.h"
#endif

namespace lockstep::cli {

// "2=scan.lks": the number of a launch, from 1, and where it goes. Fault: written in another way, or twice.
Expected<std::map<u64, std::string>> launchesToSave(const std::vector<std::string>& texts);

#if LOCKSTEP_EXEC
// Runs it once more by itself, on what it found in memory, and saves what it did; of the blocks that `how`
// names also the events.
Expected<void> saveLaunch(const program::ProgramRecord& record, u64 number, const std::string& file,
                          run::Options how);
// Runs each once more by itself, on what it found in memory, and saves what it did.
Expected<void> saveLaunches(const program::ProgramRecord& record, const std::map<u64, std::string>& files,
                            const run::Options& how);
#endif

}  // namespace lockstep::cli
