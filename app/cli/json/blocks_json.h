// A list in the JSON of `run` with an object for each recorded block.
#pragma once

#include "app/cli/json/json.h"
#include "run/run.h"

#include <utility>

namespace lockstep::cli {

// make(block, json) adds to the object that identifies the block.
template <class Make> Json blocksJson(const run::Run& run, Make&& make) {
    Json blocks = Json::array();
    for (const trace::FocusBlock& block : run.recording.trace.blocks) {
        Json json{{"launch", block.launch.value}, {"block", triple(block.block)}};
        make(block, json);
        blocks.push_back(std::move(json));
    }
    return blocks;
}

}  // namespace lockstep::cli
