// What `exec` says on standard error, below what the program itself has printed.
#pragma once

#include "base/text/language.h"
#include "program/record.h"

namespace lockstep::cli {

void printProgramSummary(const program::ProgramRecord& record, Language language);

}  // namespace lockstep::cli
