// For tests: machine code written by hand, with its scheduling.
#pragma once

#include "sass/decode.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace lockstep::time {

// Scheduling of a line: stall, counters raised by write and by read, counters waited for, reuse.
struct Control {
    u32 stall = 1, write = 7, read = 7, wait = 0, reuse = 0;
    u64 upper() const {
        return u64{stall} << 41 | u64{1} << 45 | u64{write} << 46 | u64{read} << 49 | u64{wait} << 52 |
               u64{reuse} << 58;
    }
};

class Text {
public:
    Text& add(const std::string& instruction, Control control = {}) {
        lines_ += fmt::format("/*{:x}*/ {} ; /* 0x1 */\n/* 0x{:x} */\n", 16 * count_++, instruction,
                              control.upper());
        return *this;
    }
    u32 count() const { return count_; }
    sass::DecodedFunction function() const {
        const Expected<sass::MachineCode> code = sass::parseListing(
            ".target sm_90\n.section .text.f,\n" + lines_ + "/*ffff0*/ NOP ; /* 0x1 */\n/* 0x1 */\n");
        EXPECT_TRUE(code) << (code ? "" : describe(code.error()));
        const Expected<sass::DecodedFunction> function = sass::decode(code->functions[0]);
        EXPECT_TRUE(function) << (function ? "" : describe(function.error()));
        return function.value_or(sass::DecodedFunction{});
    }

private:
    std::string lines_;
    u32 count_ = 0;
};

}  // namespace lockstep::time
