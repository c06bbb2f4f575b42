// The JSON of `exec`; docs/guide/exec.md has all keys.
#pragma once

#include "app/cli/json/json.h"
#include "program/record.h"

namespace lockstep::cli {

Json programJson(const program::ProgramRecord& record);

}  // namespace lockstep::cli
