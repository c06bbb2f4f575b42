// Instructions: guard, name, operands by the rules of the opcode table; calls by rules of their own.
#include "ptx/parser/parser.h"
#include "ptx/specials.h"

#include <limits>

namespace lockstep::ptx {
namespace {

constexpr std::size_t kMostArguments = 4096;  // of a call

}  // namespace

// @%p1, @!%p1
Guard Parser::parseGuard() {
    in_.expect('@', english("before a guard"));
    Guard guard{.present = true, .negated = in_.take('!'), .predicate = {}};
    guard.predicate = parsePredicate();
    return guard;
}

void Parser::parseInstruction(std::string_view name, Place place, u32 begin, Guard guard) {
    if (name.empty())
        fail(Message(english("expected an instruction, a label or a directive, found {0}"), in_.found()),
             in_.place());
    // ".type" may stand apart from the opcode.
    if (in_.peek() == '.' && in_.position() != name.data() + name.size()) {
        std::string whole(name);
        while (in_.peek() == '.')
            whole += in_.dottedWord();
        name = pool_->intern(std::move(whole));
    }
    const Signature& signature = signatures_.find(name, module_.addressBits);
    if (!signature.mistake.empty()) fail(signature.mistake, place);

    Instruction instruction = signature.prototype;
    instruction.name = name;
    instruction.guard = guard;
    instruction.line = place.line;
    instruction.column = place.column;
    instruction.location = debugInfo_.current();
    instruction.firstOperand = u32(module_.operands.size());
    opcode_ = name;
    space_ = instruction.modifiers.space;
    if (signature.isCall)
        parseCall();
    else
        parseOperands(signature, instruction);
    instruction.operandCount = u8(module_.operands.size() - instruction.firstOperand);
    const u32 end = in_.offset();
    in_.expect(';', english("after an instruction"));
    module_.instructions.push_back(instruction);
    module_.spans_.push_back({begin, end});
}

void Parser::parseOperands(const Signature& signature, Instruction& instruction) {
    in_.peek();
    const char* start = in_.position();
    const OperandRules& rules = chooseRules(signature, start);
    constexpr u32 kMostOperands = std::numeric_limits<u8>::max();
    hasSelectors_ = false;
    foreignSpecial_ = {};
    u32 count = 0;
    if (in_.peek() != ';') {
        do {
            if (count >= std::min(rules.most, kMostOperands)) {
                if (signature.cacheHint && count == rules.most) {  // a cache policy, which changes nothing
                    parseSource({.type = Type::B64});
                    break;
                }
                failOperandCount(rules, start);
            }
            const OperandRule& rule = rules.operands[std::min<std::size_t>(count, rules.operands.size() - 1)];
            Operand operand = parseOperand(rule);
            module_.operands.push_back(std::move(operand));
            ++count;
        } while (in_.take(','));
    }
    if (count < rules.least || in_.peek() != ';') {
        if (count < rules.least && in_.peek() == ';') failOperandCount(rules, start);
        fail(Message(english("expected ',' or ';' after an operand of '{0}', found {1}"), opcode_,
                     in_.found()),
             in_.place());
    }
    // A form of its own, which only those run who know that register.
    if (!foreignSpecial_.empty())
        instruction.form = pool_->intern(std::string(instruction.form) + std::string(kWithSpecial) +
                                         std::string(foreignSpecial_));
    if (hasSelectors_) instruction.form = pool_->intern(std::string(instruction.form) + ".selected");
}

const OperandRules& Parser::chooseRules(const Signature& signature, const char* operands) {
    if (signature.alternatives.size() == 1) return signature.alternatives.front();
    const u32 count = in_.countOperands(operands) - (signature.cacheHint ? 1 : 0);
    for (const OperandRules& rules : signature.alternatives)
        if (rules.least <= count && count <= rules.most) return rules;
    failOperandCount(signature.alternatives.front(), operands);
}

void Parser::failOperandCount(const OperandRules& rules, const char* operands) {
    const u32 found = in_.countOperands(operands);
    if (rules.least < rules.most)
        fail(Message(english("'{0}' takes {1} to {2} {2:operand|operands}, not {3}"), opcode_, rules.least,
                     rules.most, found),
             in_.place());
    fail(Message(english("'{0}' takes {1} {1:operand|operands}, not {2}"), opcode_, rules.most, found),
         in_.place());
}

// call (results), function, (arguments) [, prototype];   each list may be missing
void Parser::parseCall() {
    const u32 first = u32(module_.operands.size());
    bool hasResults = false;
    if (in_.peek() == '(') {
        Operand results = parseArguments();
        module_.operands.push_back(std::move(results));
        in_.expect(',', english("between the results and the function of a call"));
        hasResults = true;
    }
    const Place place = here();
    const std::string_view name = in_.word();
    const Symbol* found = lookUp(name);
    if (!found)
        fail(Message(english("there is no function '{0}'; declare it with .func before it is called"), name),
             place);
    const Symbol symbol = *found;
    const bool isIndirect = symbol.kind == SymbolKind::Register;
    if (isIndirect) {
        const RegisterId id{symbol.id};
        checkRegister(id, {.type = module_.addressBits == 64 ? Type::U64 : Type::U32}, place);
        module_.operands.push_back(RegisterOperand{id, false, {}});
    } else if (symbol.kind == SymbolKind::Function) {
        module_.operands.push_back(FunctionOperand{FunctionId{symbol.id}});
    } else {
        fail(Message(english("'{0}' is no function and cannot be called"), name), place);
    }
    u32 callee = symbol.id;
    std::size_t arguments = 0;
    if (in_.take(',')) {
        if (in_.peek() == '(') {
            Operand list = parseArguments();
            arguments = module_.operands.size();
            module_.operands.push_back(std::move(list));
        }
        if (isIndirect && (arguments == 0 || in_.take(','))) {
            const Place at = here();
            callee = require(in_.word(), SymbolKind::Function, english("prototype"), at)->id;
            module_.operands.push_back(FunctionOperand{FunctionId{callee}});
        }
    }
    if (isIndirect && !std::holds_alternative<FunctionOperand>(module_.operands.back()))
        fail(english("an indirect call needs a prototype; add the label of a .callprototype"), here());
    checkArguments(module_.functions[callee], hasResults ? &module_.operands[first] : nullptr,
                   arguments ? &module_.operands[arguments] : nullptr, place);
}

// (a, b, _, 3)
Operand Parser::parseArguments() {
    VectorOperand list;
    in_.expect('(', english("to open the arguments of a call"));
    if (in_.take(')')) return list;
    do {
        if (list.elements.size() == kMostArguments)
            fail(Message(english("a call has at most {0} arguments"), kMostArguments), here());
        list.elements.push_back(parseAnything(0));
    } while (in_.take(','));
    in_.expect(')', english("after the arguments of a call"));
    return list;
}

// A call copies parameter by parameter: there must be as many, and none smaller than what the function reads.
void Parser::checkArguments(const Function& callee, const Operand* results, const Operand* arguments,
                            Place place) {
    auto check = [&](const std::vector<VariableId>& wanted, const Operand* given, const Words& what) {
        const std::size_t count = given ? std::get<VectorOperand>(*given).elements.size() : 0;
        if (count != wanted.size()) fail(Message(what, callee.name, wanted.size(), count), place);
        for (std::size_t i = 0; i < count; ++i) {
            const Operand& operand = std::get<VectorOperand>(*given).elements[i];
            const auto* variable = std::get_if<VariableOperand>(&operand);
            if (variable && module_.variables[variable->id.value].sizeBytes <
                                module_.variables[wanted[i].value].sizeBytes)
                fail(Message(english("'{0}' is smaller than what '{1}' has at its place; declare it with {2} "
                                     "{2:byte|bytes}"),
                             module_.variables[variable->id.value].name, callee.name,
                             module_.variables[wanted[i].value].sizeBytes),
                     place);
        }
    };
    check(callee.results, results, english("'{0}' has {1} {1:result|results}, the call has {2}"));
    check(callee.parameters, arguments, english("'{0}' has {1} {1:parameter|parameters}, the call has {2}"));
}

}  // namespace lockstep::ptx
