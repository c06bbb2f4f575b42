// The line that opens what is on show: it is said in the pictures that are exported, and copied from the
// window.
#pragma once

#include "viz/view.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::viz {

// "lockstep matmul/tiled --set width=64 --set tile=16 --view banks --block 1,0 --warp 3 --lane 9 --step 41".
// Of a comparison with
// --with and what differs. file: of a recording that was opened, for a run that is not of the catalog; the
// line is empty where there is neither.
struct CommandLineInput {
    const run::Run& run;
    Cursor cursor;
    std::string_view view;
    std::string_view profile;  // whose rules
    const run::Run* compared = nullptr;
    ViewOptions options{};  // of the view: what compare shows of each, the tab of the source
    std::string_view file = {}, comparedFile = {};
    std::vector<std::string> launch = {};  // options of a kernel of a file: "--grid", "4"
    std::optional<StepRange> range = {};   // of the timeline
};
std::string commandLine(const CommandLineInput& in);

}  // namespace lockstep::viz
