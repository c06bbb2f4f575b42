// What stands at the top level of a CUDA C++ file, inside namespaces and extern "C" too.
#pragma once

#include "source/token.h"

#include <string>
#include <vector>

namespace lockstep::source {

struct Declaration {
    enum class Kind : u8 { Function, Type, Variable, Using, Other } kind = Kind::Other;
    std::vector<std::string> names = {};  // of all that it declares: a type and its variables, enumerators
    std::size_t first = 0, last = 0;      // its tokens, the last one not included
    std::size_t headEnd = 0;              // of a function: its '{' or ';'
    std::size_t parameters = 0;           // of a function: its '('
    bool isKernel = false;
    bool isForDevice =
        false;  // an execution or memory space of the device stands in its head, or within a class
    bool isTemplate = false, isConstant = false, isConstexpr = false, hasBody = false;
    bool isQualified = false;  // a member that is defined outside of its class
    std::string scope = {};    // "a::b::" of the namespaces around it
};

// Macros whose text has one of CUDA's execution or memory spaces, and all others: as the scan needs them.
struct MacroNames {
    bool (*isForDevice)(const void* of, const std::string& name) = nullptr;
    bool (*isCalled)(const void* of, const std::string& name) = nullptr;  // takes arguments
    const void* of = nullptr;
};

std::vector<Declaration> declarationsIn(const std::vector<Token>& tokens, const MacroNames& macros = {});

// Members of a class in [first, last) that are functions of the host: neither marked, nor constexpr, nor
// defaulted.
struct TokenRange {
    std::size_t first = 0, last = 0;
};
std::vector<TokenRange> hostMembersOf(const std::vector<Token>& tokens, const Declaration& type,
                                      const MacroNames& macros = {});

// The token behind the bracket that closes the one at `open`; the end where none does.
std::size_t behindBracket(const std::vector<Token>& tokens, std::size_t open);
// The same for '<'; `open` itself where it opens no list of template arguments.
std::size_t behindAngles(const std::vector<Token>& tokens, std::size_t open);

}  // namespace lockstep::source
