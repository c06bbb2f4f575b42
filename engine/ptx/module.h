// A parsed PTX text: immutable once parse() has returned it. `Pc` is an index into `instructions` everywhere
// in the program.
#pragma once

#include "base/expected.h"
#include "ptx/instruction.h"
#include "ptx/opcodes.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::ptx {

// A variable of any space but registers: module scope, function scope, or a parameter.
struct Variable {
    std::string_view name;
    StateSpace space = StateSpace::None;
    Type type = Type::None;  // of one element
    u32 alignBytes = 1;
    u64 sizeBytes = 0;               // whole; 0 for `.extern .shared x[]`
    bool isExtern = false;           // dynamic shared memory, or defined elsewhere
    std::vector<std::byte> initial;  // empty = zeros; addresses of other variables are in `initialAddresses`
    // 8 bytes (4 where addresses have 32 bits) that hold the address of a variable or, of a table of
    // functions, a function.
    struct InitialAddress {
        u64 atByte;
        VariableId of;
        s64 offsetBytes;
        bool generic;
        std::optional<FunctionId> function = {};
    };
    std::vector<InitialAddress> initialAddresses;
    std::optional<FunctionId> function;  // its scope; none = module
};

struct Register {
    std::string_view name;  // "%r12"
    Type type = Type::None;
};

// A place in the .cu text. Chains lead outwards: a line of an inlined function, then the line that called it.
struct Location {
    u32 file = 0;  // into Module::files
    u32 line = 0,
        column = 0;     // line 0: code that belongs to no line (hoisted); location 0 is always this one
    u32 inlinedAt = 0;  // into Module::locations; 0 = not inlined
    std::string_view function;  // the inlined function's name as in the text (mangled), where known
};

struct BasicBlock {
    Pc first, end;  // [first, end)
    std::vector<u32>
        successors;  // block numbers within the function; of a conditional branch: taken, then next
    u32 immediatePostDominator = kExit;  // block number, or kExit: paths reconverge at the function's end
    static constexpr u32 kExit = 0xffffffffu;
};

struct Function {
    std::string_view name;
    bool isEntry = false;
    bool isDeclaration = false;          // .extern .func without a body: vprintf, malloc, __assertfail
    std::vector<VariableId> parameters;  // in order; space Param
    std::vector<VariableId> results;     // return parameters of a .func
    std::vector<Register> registers;     // RegisterId indexes this
    Pc first, end;                       // [first, end) of Module::instructions
    std::vector<BasicBlock> blocks;      // in text order; blocks[0] is entered first
    u32 blockOf(Pc pc) const;            // pc within [first, end)
    std::optional<Dim3> maxThreads, requiredThreads;  // .maxntid, .reqntid
    u32 minBlocksPerSm = 0;                           // .minnctapersm
};

class Module {
public:
    // The texts that string_views point into live as long as the Module.
    std::string_view text() const { return *text_; }
    std::string name;                        // of the file, for messages
    u32 versionMajor = 0, versionMinor = 0;  // .version
    u32 targetSm = 0;                        // .target sm_90 -> 90
    u32 addressBits = 64;
    std::vector<std::string> files;  // .file table, normalized; files[0] = "" (none)
    std::vector<Function> functions;
    std::vector<Variable> variables;
    std::vector<Instruction> instructions;
    std::vector<Operand> operands;
    std::vector<Location> locations;  // locations[0]: nowhere
    // The .cu text where known (compiled here or found beside the PTX): one per entry of `files`, empty if
    // unknown.
    std::vector<std::string> sources;

    const Instruction& at(Pc pc) const { return instructions[pc.value]; }
    std::span<const Operand> operandsOf(const Instruction& i) const {
        return {operands.data() + i.firstOperand, i.operandCount};
    }
    const Location& locationOf(Pc pc) const { return locations[at(pc).location]; }
    const Function* findEntry(std::string_view name) const;  // by PTX name
    FunctionId functionOf(Pc pc) const;
    // Where a divergent branch at `pc` reconverges: first pc of the immediate post-dominator, kNoPc at the
    // function's end.
    Pc reconvergence(Pc pc) const;
    // The instruction as it stands in the text, guard and operands included, without the semicolon's rest.
    std::string_view textOf(Pc pc) const;

private:
    friend class Parser;
    struct Span {
        u32 begin, end;
    };  // in the text; empty: the parser added the instruction (a ret at a body's end)
    std::shared_ptr<const std::string> text_;
    std::shared_ptr<const void> strings_;  // interned names that are not in the text
    std::vector<Span> spans_;              // one per instruction
    std::vector<FunctionId> bodies_;       // functions with a body, ascending first
};

// Parses one PTX text. A Fault has line and column and says what was expected; an unknown opcode or modifier
// is named. No instruction is refused here for lack of an emulator row: that is simt::compile's business.
Expected<Module> parse(std::string text, std::string name);

// "mm_tiled<16>" or "f(int, float*)" from "_Z8mm_tiledILi16EEvPKfS1_Pfi": names of templates as written in
// C++, parameters left out where the short name is unambiguous; a name that is not mangled comes back as it
// is.
std::string demangle(std::string_view mangled);
// The short form without parameters and return type: "mm_tiled<16>".
std::string shortName(std::string_view mangled);
// Of a variable: "Mds" from "_ZZ8mm_tiledILi16EEvPKfS1_PfiE3Mds", "table" from "_ZN2ns5tableE"; a plain name
// as it is.
std::string variableName(std::string_view ptxName);

}  // namespace lockstep::ptx
