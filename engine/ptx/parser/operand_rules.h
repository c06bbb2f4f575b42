// The small language in which the opcode table says how operands are typed, and its reading for one
// instruction name.
//
//   rules  = alternative { "; " alternative }          the first whose number of operands fits, among those
//   whose condition
//                                                      holds or, if there are none, those without a condition
//   alternative = [condition { "," condition } ": "] { item " " }
//   condition = a modifier of the name ("wide", "cas"), or !modifier
//   item   = ["="] what {flag}                          "=": written by the instruction
//   what   = T U V W    the first to fourth type suffix
//            2T         twice as wide (mul.wide)
//            a          an unsigned integer as wide as an address
//            b32 u64 .. that type; p: a predicate
//            []         an address          @ a label        @@ a list of branch targets
//            {*}        a list of registers of any type (fragments of a matrix)
//            *          anything, any number of times
//   flag   = +  the register may be wider than the type (ld, st, cvt)
//            /p a predicate may stand here instead
//            |p a second, predicate, destination may follow a bar
//            {} the value may be put together from a list of smaller registers (mov)
//            ?  may be left out; only at the end
#pragma once

#include "ptx/modifiers.h"

#include <string_view>
#include <vector>

namespace lockstep::ptx {

enum class Role : u8 { Value, Address, Label, LabelList, Fragment, Anything };

struct OperandRule {
    Role role = Role::Value;
    Type type = Type::None;  // of a Value; None: any
    bool written = false;
    bool mayBeWider = false, mayBePredicate = false, mayHavePredicate = false, mayBeList = false;
    u8 vector = 1;  // exactly this many elements in braces
};

struct OperandRules {
    std::vector<OperandRule> operands;
    u32 least = 0, most = 0;  // how many are written
};

struct ResolvedRules {
    std::vector<OperandRules> alternatives;
    u32 missingType = 0;  // 1..4: the rules ask for a type suffix that the name does not have
};

// `vectorsApply`: .v4 means that typed operands are lists of four (ld, st, atom).
ResolvedRules resolveRules(std::string_view rules, const ParsedModifiers& name, bool vectorsApply,
                           u32 addressBits);

}  // namespace lockstep::ptx
