// What the program calls its allocations: "d_a" from `cudaMalloc(&d_a, n)`, in the line that allocated it.
#pragma once

#include "program/code_lines.h"
#include "program/device_heap.h"
#include "program/modules.h"

#include <map>
#include <string>
#include <vector>

namespace lockstep::program {

class BufferNames {
public:
    BufferNames(const Modules& modules, const CodeLines& lines) : modules_(modules), lines_(lines) {}

    std::string of(const HeapBlock& block);
    // The variable whose address a line takes: "streams[s]" of cudaStreamCreate(&streams[s]); empty: none.
    std::string at(const CodePlace& place);

private:
    const std::string* lineAt(const CodePlace& place);

    const Modules& modules_;
    const CodeLines& lines_;
    std::map<std::string, std::vector<std::string>> sources_;  // lines of files
};

}  // namespace lockstep::program
