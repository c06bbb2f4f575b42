// The parser of PTX: one pass over the text, names resolved as they are met, labels where their scope ends.
#pragma once

#include "ptx/analysis/constants.h"
#include "ptx/debug_info.h"
#include "ptx/module.h"
#include "ptx/parser/lexer.h"
#include "ptx/parser/string_pool.h"
#include "ptx/parser/symbols.h"
#include "ptx/signatures.h"

#include <unordered_map>

namespace lockstep::ptx {

class Parser {
public:
    Parser(std::string text, std::string name);
    // Throws SyntaxError.
    Module parse();

private:
    struct Linkage {
        bool isExtern = false;
    };
    // `.reg .b32 %r<100>;`: registers come into being when they are first used, so that 100 may be any
    // number.
    struct RegisterRange {
        std::string_view prefix;
        u64 count;
        Type type;
    };
    struct NamedPlace {
        std::string_view name;
        Place place;
    };
    struct BranchTargets {
        std::vector<NamedPlace> labels;
    };
    struct PendingLabel {
        NamedPlace label;
        u32 operand;  // into operands
        u32 element;  // of that operand's list; kWhole if the operand itself is the label
        static constexpr u32 kWhole = 0xffffffffu;
    };
    struct InitialiserShape;

    // parser.cpp: the module and what it consists of
    void parseStatement();
    void parseVersion();
    void parseTarget();
    void parseAlias();
    void skipAttribute();
    bool parseCommonDirective(std::string_view directive);  // .pragma .loc .file .section: allowed everywhere
    [[noreturn]] void fail(Message message, Place place) {
        in_.fail(FaultKind::Syntax, std::move(message), place);
    }
    Message found(std::string_view word);  // quoted, or what stands here if it is empty
    Place here() { return in_.peek(), in_.place(); }
    const Symbol* require(std::string_view name, SymbolKind kind, const Words& what, Place place);
    void declare(std::string_view name, SymbolKind kind, u32 id, Place place);

    // parse_variables.cpp
    void parseVariables(StateSpace space, Linkage linkage);
    VariableId parseParameter();
    Variable parseDeclarator(StateSpace space);
    bool holdsHandles_ = false;  // what parseDeclarator() has read last: of textures, samplers or surfaces
    void parseExtents(Variable& variable, std::vector<u64>& extents);
    void parseInitialiser(Variable& variable, std::vector<u64>& extents, u32 elementBytes);
    void parseInitialList(Variable& variable, const InitialiserShape& shape, u32 level, u64 begin);
    void parseInitialValue(Variable& variable, u64 at);
    void parseInitialAddress(Variable& variable, u64 at, u64 mask);
    void checkSize(const Variable& variable, Place place);
    VariableId addVariable(Variable variable, Place place);

    // parse_functions.cpp
    void parseFunction(bool isEntry, Linkage linkage);
    void parseFunctionDirectives(Function& function);
    void parseParameters(std::vector<VariableId>& parameters);
    void parseBody(FunctionId id);
    void parseBodyStatement();
    void parseBodyDirective(std::string_view directive, Place place);
    void parseRegisters();
    void parseLabel(std::string_view name, Place place);
    FunctionId parsePrototype(std::string_view name);
    void openScope();
    void closeScope();
    void resolveLabels();
    void endBody(Place closingBrace);

    // parse_instructions.cpp
    void parseInstruction(std::string_view name, Place place, u32 begin, Guard guard);
    Guard parseGuard();
    void parseOperands(const Signature& signature, Instruction& instruction);
    const OperandRules& chooseRules(const Signature& signature, const char* operands);
    void parseCall();
    Operand parseArguments();
    void checkArguments(const Function& callee, const Operand* results, const Operand* arguments,
                        Place place);
    [[noreturn]] void failOperandCount(const OperandRules& rules, const char* operands);

    // parse_operands.cpp
    Operand parseOperand(const OperandRule& rule);
    Operand parseDestination(const OperandRule& rule);
    Operand parseSource(const OperandRule& rule);
    Operand parseNamed(const OperandRule& rule);
    Operand parseList(const OperandRule& rule);
    Operand parseAnything(u32 depth);
    Operand parsePlace(u32 depth);
    Operand parseAddress(VectorOperand* coordinates = nullptr,
                         u32 depth = 0);  // coordinates: where they may follow
    Operand parseLabelUse();
    Operand parseLabelList();
    RegisterId parsePredicate();
    std::optional<Special> parseSpecial(std::string_view name, Place place);
    const Symbol* lookUp(std::string_view name);
    const Symbol* registerOfRange(std::string_view name, u32 depthAtLeast);
    std::string_view parseSelector(Place place);
    void checkRegister(RegisterId id, const OperandRule& rule, Place place);
    RegisterId newRegister(std::string_view name, Type type);
    [[noreturn]] void failUndeclared(std::string_view name, Place place);

    Function& function() { return module_.functions[current_.value]; }

    Module module_;
    std::shared_ptr<StringPool> pool_;
    Lexer in_;
    SymbolTable symbols_, ranges_;
    SignatureTable signatures_;
    DebugInfo debugInfo_;
    u64 declaredBytes_ = 0, initialBytes_ = 0;  // of all variables together
    std::vector<RegisterRange> registerRanges_;
    std::vector<BranchTargets> branchTargets_;
    u32 deepestRange_ = 0;  // deepest scope that declares a range now; 0 = none

    // Of the function whose body is being read.
    FunctionId current_;
    std::vector<std::vector<PendingLabel>> pending_;  // a list per open scope
    u64 branchTargetUses_ = 0;
    std::string_view opcode_;              // of the instruction being read, for messages
    StateSpace space_ = StateSpace::None;  // that it accesses
    bool hasSelectors_ = false;
    std::string_view foreignSpecial_;  // a special register in it that is known by name alone
};

}  // namespace lockstep::ptx
