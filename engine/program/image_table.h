// The texture and surface objects that a program has made.
#pragma once

#include "cudart/protocol.h"
#include "program/code_lines.h"
#include "program/device_heap.h"
#include "simt/memory/device_memory.h"

#include <optional>
#include <vector>

namespace lockstep::program {

struct MadeImage {
    cudart::ImageFacts facts;
    u32 block = 0;   // of the heap
    u64 offset = 0;  // of the first texel, there
    u64 caller = 0;  // where it was asked for
    bool isDestroyed = false;
    u64 destroyedBy = 0;
};

class ImageTable {
public:
    // Objects are numbered from here on, none twice. A GPU's numbers are smaller: none is an index of
    // anything else by accident.
    static constexpr u64 kFirst = 0x7e80'0000'0000'0001;

    // Its number; none: it describes no memory of the heap.
    std::optional<u64> add(const cudart::ImageFacts& facts, const DeviceHeap& heap, u64 caller);
    bool destroy(u64 number, u64 caller);
    void destroyAll();
    const MadeImage* find(u64 number) const;  // destroyed ones, too
    void want(CodeLines& lines) const;
    // For a launch.
    void addTo(simt::LastingMemory& memory, const DeviceHeap& heap) const;

private:
    std::vector<MadeImage> made_;
};

}  // namespace lockstep::program
