// A finding in words: what happened, where, what to do about it.
#pragma once

#include "base/text/message.h"
#include "explain/sentences/address_names.h"
#include "ptx/module.h"
#include "trace/finding.h"
#include "trace/trace.h"

#include <span>

namespace lockstep::explain {

// shapes: of shared arrays, where they are known: "Nds[2][0]" rather than "Nds + 128 bytes".
Message describe(const trace::Finding& finding, const ptx::Module& module, const trace::Recording& recording,
                 std::span<const ArrayShape> shapes = {});

// What happened alone, without the lines of source and without what to do about it: for those who are to find
// these themselves.
Message occurrence(const trace::Finding& finding, const ptx::Module& module,
                   const trace::Recording& recording, std::span<const ArrayShape> shapes = {});

// "Data race": what a finding is, in the fewest words.
Words titleOf(trace::FindingKind kind);

}  // namespace lockstep::explain
