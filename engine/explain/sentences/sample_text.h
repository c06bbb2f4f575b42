// What is said about a run of a sample of its blocks.
#pragma once

#include "base/text/message.h"
#include "ptx/module.h"
#include "trace/sample.h"

namespace lockstep::explain {

// "64 of 1,048,576 blocks"
Message blocksOf(const trace::Sample& sample);
// Why there are no counts of the whole grid; empty if there are.
Message whyNotExtrapolated(const trace::Sample& sample, const ptx::Module& module);

}  // namespace lockstep::explain
