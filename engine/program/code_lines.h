// Lines of the program's source for addresses in its code, by addr2line of the binutils that come with any
// compiler.
#pragma once

#include "program/record.h"

#include <filesystem>
#include <map>
#include <set>
#include <vector>

namespace lockstep::program {

// Without the current folder in front of it.
std::string fromHere(const std::string& file);

class CodeLines {
public:
    // ownFolder: of the headers that come with lockstep, whose lines are not the user's.
    CodeLines(std::filesystem::path program, std::filesystem::path ownFolder)
        : program_(std::move(program)), ownFolder_(std::move(ownFolder)) {}

    // An address behind a call; 0: none.
    void wants(u64 address) {
        if (address) wanted_.insert(address);
    }
    // All that were wanted, at once.
    void look();
    CodePlace at(u64 address) const {
        const auto found = places_.find(address);
        return found == places_.end() ? CodePlace{} : found->second;
    }

private:
    std::filesystem::path program_, ownFolder_;
    std::set<u64> wanted_;
    std::map<u64, CodePlace> places_;
};

}  // namespace lockstep::program
