// What the program calls its allocations: "d_a" from `cudaMalloc(&d_a, n)`, in the line that allocated it.
#pragma once

#include "program/code_lines.h"
#include "program/device_heap.h"
#include "program/modules.h"

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace lockstep::program {

class BufferNames {
public:
    // blocks: all that the program has allocated, freed ones too.
    BufferNames(const Modules& modules, const CodeLines& lines, std::span<const HeapBlock> blocks);

    std::string of(const HeapBlock& block);
    // The variable whose address a line takes: "streams[s]" of cudaStreamCreate(&streams[s]); empty: none.
    std::string at(const CodePlace& place);

private:
    const std::string* lineAt(const CodePlace& place);
    std::string nameAt(const CodePlace& place, std::size_t number);
    std::size_t numberOf(const CodePlace& place, u64 caller) const;

    const Modules& modules_;
    const CodeLines& lines_;
    std::map<std::string, std::vector<std::string>> sources_;       // lines of files
    std::map<std::pair<std::string, u64>, std::set<u64>> callers_;  // of the allocations, by line
};

}  // namespace lockstep::program
