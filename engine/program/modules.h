// The code of the program's files, by number.
#pragma once

#include "base/integers.h"
#include "program/read_code.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::program {

class Modules {
public:
    static constexpr u64 kMostBytes = u64{1} << 30;  // of PTX in all

    // Its number; none: too much of it.
    std::optional<u32> add(const std::string& text);
    u32 size() const { return u32(codes_.size()); }
    // Null: there is none, or it cannot be read.
    const ptx::Module* find(u64 number) const {
        return number < codes_.size() ? codes_[number].module.get() : nullptr;
    }
    const ptx::Function* findEntry(u64 number, std::string_view name) const;
    // Empty: the kernel could be read.
    Message whyNotRead(u64 number, const std::string& kernel) const;

private:
    std::vector<ReadCode> codes_;
    u64 bytes_ = 0;
};

}  // namespace lockstep::program
