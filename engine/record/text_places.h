// Positions of a function's parts in its module's PTX text.
#pragma once

#include "ptx/module.h"

#include <string>
#include <vector>

namespace lockstep::record {

struct TextSpan {
    u32 begin = 0, end = 0;
};

struct FunctionPlaces {
    u32 begin = 0;                   // of ".visible .entry", ".entry" or ".func"
    u32 bodyBegin = 0, bodyEnd = 0;  // between the braces
    // Statements of the body, including the semicolon, that declare variables in memory: shared by both
    // bodies.
    std::vector<TextSpan> declarations;
};
FunctionPlaces placesOf(const ptx::Module& module, const ptx::Function& function);

u32 behindSemicolon(std::string_view text, u32 at);
// Whether a scope opens or ends in the text between two instructions.
bool hasBraceBetween(const ptx::Module& module, Pc first, Pc second);
std::string withoutDeclarations(std::string_view text, u32 begin, u32 end,
                                const std::vector<TextSpan>& declarations);
// The module's header with a .version that supports what the recorder uses.
std::string withMinimumPtxVersion(std::string head);

}  // namespace lockstep::record
