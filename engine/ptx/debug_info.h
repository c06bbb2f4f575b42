// .file, .loc and .section .debug_str: from a pc to a line of the .cu text.
#pragma once

#include "ptx/module.h"
#include "ptx/parser/lexer.h"
#include "ptx/parser/string_pool.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lockstep::ptx {

class DebugInfo {
public:
    // Each is called with the cursor behind its directive.
    void parseFile(Lexer& in, Module& module);
    void parseLoc(Lexer& in, Module& module);
    void parseSection(Lexer& in);

    // The location that holds for the next instruction; 0 at the start of a function.
    u32 current() const { return current_; }
    void startFunction() { current_ = 0; }
    // Names of inlined functions and files may stand at the end of the text.
    void finish(Module& module, StringPool& pool);

private:
    struct FunctionName {
        u32 location;
        std::string_view label;
        u64 offset;
    };
    struct Spot {
        u32 file, line, column;
        bool operator==(const Spot&) const = default;
    };
    struct SpotHash {
        std::size_t operator()(const Spot& s) const {
            return (u64{s.file} << 48 ^ u64{s.column} << 32 ^ s.line) * 0x9e3779b97f4a7c15u >> 17;
        }
    };
    Spot parseSpot(Lexer& in);
    void parseStrings(Lexer& in);

    u32 current_ = 0;
    std::unordered_map<Spot, u32, SpotHash> latest_;  // the last location of that place
    std::vector<FunctionName> functionNames_;
    std::unordered_map<std::string_view, u64> labels_;  // into strings_
    std::string strings_;                               // of .debug_str
};

}  // namespace lockstep::ptx
