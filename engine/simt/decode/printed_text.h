// Output of printf and messages of failed assertions.
#pragma once

#include "base/integers.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace lockstep::simt {

struct PrintedText {
    // CUDA C++ Programming Guide, "Limitations" of formatted output: the buffer of a launch has 1 MB. Later
    // output is dropped here.
    static constexpr std::size_t kMostBytes = 1 << 20;

    void add(std::string_view more) {
        const std::size_t fits = std::min(more.size(), kMostBytes - text.size());
        text += more.substr(0, fits);
        dropped += more.size() - fits;
    }
    void add(const PrintedText& more) {
        add(more.text);
        dropped += more.dropped;
    }

    std::string text;
    u64 dropped = 0;  // bytes
};

// What a kernel prints: a GPU has the messages of assertions on standard error.
struct KernelOutput {
    PrintedText printed, assertions;

    bool isEmpty() const { return printed.text.empty() && assertions.text.empty(); }
    void add(const KernelOutput& more) {
        printed.add(more.printed);
        assertions.add(more.assertions);
    }
};

}  // namespace lockstep::simt
