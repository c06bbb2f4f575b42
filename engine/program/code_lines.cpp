#include "program/code_lines.h"

#include "cuda/worker/child_process.h"
#include "program/tools.h"

#include <fmt/format.h>

#include <sstream>

namespace lockstep::program {

std::string fromHere(const std::string& file) {
    std::error_code error;
    const std::string here = std::filesystem::current_path(error).string() + "/";
    return !error && file.starts_with(here) ? file.substr(here.size()) : file;
}

void CodeLines::look() {
    std::vector<std::string> arguments{"-i", "-a", "-e", program_.string()};
    for (u64 address : wanted_)
        if (!places_.contains(address)) arguments.push_back(fmt::format("{:#x}", address - 1));
    wanted_.clear();
    const std::filesystem::path tool = findTool("addr2line");
    if (arguments.size() == 4 || tool.empty()) return;
    const Expected<cuda::ChildResult> result = cuda::runChild(tool, arguments, {});
    if (!result || result->exitStatus) return;
    std::istringstream lines(result->output);
    u64 address = 0;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("0x")) {
            address = std::stoull(line, nullptr, 16) + 1;
            continue;
        }
        // The innermost of what was inlined there that is not ours.
        const std::size_t colon = line.rfind(':');
        if (colon == std::string::npos || places_.contains(address)) continue;
        CodePlace place{line.substr(0, colon), u32(std::strtoul(line.c_str() + colon + 1, nullptr, 10))};
        if (place.line == 0 || place.file.starts_with(ownFolder_.string()) || place.file.starts_with("??"))
            continue;
        place.file = fromHere(place.file);
        places_[address] = std::move(place);
    }
}

}  // namespace lockstep::program
