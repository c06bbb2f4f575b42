// What follows from an instruction's name alone, computed once per distinct name in a text.
#pragma once

#include "base/text/message.h"
#include "ptx/instruction.h"
#include "ptx/parser/operand_rules.h"
#include "ptx/parser/string_pool.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace lockstep::ptx {

struct Signature {
    Instruction prototype;                   // opcode, modifiers, types, form
    std::vector<OperandRules> alternatives;  // at least one
    bool isCall = false;
    bool cacheHint = false;  // one more operand, a cache policy
    Message mistake;         // if not empty: why there can be no such instruction
};

class SignatureTable {
public:
    explicit SignatureTable(StringPool& pool) : pool_(pool) {}
    // `name` without spaces, as in "ld.global.nc.v4.f32"; the view is kept as key.
    const Signature& find(std::string_view name, u32 addressBits);

private:
    StringPool& pool_;
    std::unordered_map<std::string_view, Signature> signatures_;
};

}  // namespace lockstep::ptx
