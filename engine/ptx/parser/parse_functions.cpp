// Functions: parameters, directives, scopes, registers, labels.
#include "ptx/analysis/control_flow.h"
#include "ptx/parser/parser.h"

#include <algorithm>
#include <limits>

namespace lockstep::ptx {
namespace {

constexpr u32 kDeepestScope = 256;           // of { } within each other; compilers use two or three
constexpr u64 kMostBranchTargets = 1 << 20;  // of all brx.idx of a function together: each keeps its own list
constexpr u64 kMostParameters = 4096;

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
}

}  // namespace

// .visible .entry name(parameters) .maxntid 256 { body }   |   .func (results) name(parameters) ;
void Parser::parseFunction(bool isEntry, Linkage) {
    while (in_.peek() == '.') {
        const Place at = in_.place();
        const std::string_view part = in_.directive();
        if (part == ".attribute")
            skipAttribute();
        else if (part != ".noreturn")
            fail(Message(english("expected the name of a function, found '{0}'"), part), at);
    }
    symbols_.open();
    ranges_.open();
    current_ = FunctionId{u32(module_.functions.size())};
    Function parsed;
    parsed.isEntry = isEntry;
    parsed.isDeclaration = true;
    if (in_.peek() == '(') parseParameters(parsed.results);
    const Place place = here();
    parsed.name = in_.word();
    if (parsed.name.empty())
        fail(Message(english("expected the name of a function, found {0}"), in_.found()), place);
    if (in_.peek() == '(') parseParameters(parsed.parameters);
    parseFunctionDirectives(parsed);

    if (const Symbol* known = symbols_.find(parsed.name)) {
        if (known->kind != SymbolKind::Function)
            fail(Message(english("'{0}' is declared twice; rename one of the two"), parsed.name), place);
        Function& before = module_.functions[known->id];
        if (before.isEntry != isEntry || before.parameters.size() != parsed.parameters.size() ||
            before.results.size() != parsed.results.size())
            fail(Message(english("'{0}' was declared before with other parameters; make the two agree"),
                         parsed.name),
                 place);
        if (in_.peek() == '{' && !before.isDeclaration)
            fail(Message(english("'{0}' has a body already; rename one of the two"), parsed.name), place);
        current_ = FunctionId{known->id};
        for (const std::vector<VariableId>* ids : {&parsed.parameters, &parsed.results})
            for (VariableId id : *ids)
                module_.variables[id.value].function = current_;
        if (before.isDeclaration) before = std::move(parsed);
    } else {
        symbols_.declare(parsed.name, {SymbolKind::Function, current_.value, 0});
        module_.functions.push_back(std::move(parsed));
    }
    if (in_.take('{')) {
        function().isDeclaration = false;
        parseBody(current_);
    } else {
        in_.expect(';', english("or a body in braces after the head of a function"));
    }
    symbols_.close();
    ranges_.close();
}

// (.param .u64 a, .param .align 4 .b8 b[12])
void Parser::parseParameters(std::vector<VariableId>& parameters) {
    in_.expect('(', english("to open the parameters"));
    if (in_.take(')')) return;
    do {
        const Place place = here();
        const std::string_view space = in_.directive();
        if (space == ".reg")
            in_.fail(FaultKind::Unsupported,
                     english("parameters in registers are not supported; declare them as .param"), place);
        if (space != ".param") fail(Message(english("expected .param, found {0}"), found(space)), place);
        if (parameters.size() == kMostParameters)
            fail(Message(english("a function has at most {0} parameters"), kMostParameters), place);
        parameters.push_back(parseParameter());
    } while (in_.take(','));
    in_.expect(')', english("after the parameters"));
}

void Parser::parseFunctionDirectives(Function& function) {
    constexpr u64 kMost = std::numeric_limits<u32>::max();
    while (in_.peek() == '.') {
        const Place place = in_.place();
        const std::string_view directive = in_.directive();
        if (isOneOf(directive, {".maxntid", ".reqntid", ".reqnctapercluster"})) {
            Dim3 extent{1, 1, 1};
            extent.x = u32(parseNumber(in_, english("a number of threads"), kMost));
            if (in_.take(',')) extent.y = u32(parseNumber(in_, english("a number of threads"), kMost));
            if (in_.take(',')) extent.z = u32(parseNumber(in_, english("a number of threads"), kMost));
            if (directive == ".maxntid") function.maxThreads = extent;
            if (directive == ".reqntid") function.requiredThreads = extent;
        } else if (directive == ".minnctapersm") {
            function.minBlocksPerSm = u32(parseNumber(in_, english("a number of blocks"), kMost));
        } else if (isOneOf(directive, {".maxnreg", ".maxnctapersm", ".maxclusterrank", ".abi_preserve",
                                       ".abi_preserve_control"})) {
            parseNumber(in_, english("the number after a directive"), kMost);
        } else if (directive == ".attribute") {
            skipAttribute();
        } else if (!isOneOf(directive, {".noreturn", ".explicitcluster", ".blocksareclusters", ".unified"}) &&
                   !parseCommonDirective(directive)) {
            fail(Message(english("unknown directive '{0}' of a function: check the spelling"), directive),
                 place);
        }
    }
}

void Parser::parseBody(FunctionId id) {
    current_ = id;
    module_.bodies_.push_back(id);
    function().first = function().end = Pc{u32(module_.instructions.size())};
    debugInfo_.startFunction();
    pending_.clear();
    pending_.emplace_back();
    branchTargets_.clear();
    registerRanges_.clear();
    branchTargetUses_ = 0;
    deepestRange_ = 0;
    const Place start = here();
    for (;;) {
        const Place place = here();
        if (in_.take('}')) {
            if (pending_.size() == 1) return endBody(place);
            closeScope();
        } else if (in_.atEnd()) {
            fail(Message(english("the body of '{0}' is never closed; add the '{1}'"), function().name, '}'),
                 start);
        } else {
            parseBodyStatement();
        }
    }
}

void Parser::parseBodyStatement() {
    const Place place = here();
    const u32 begin = in_.offset();
    if (in_.take(';')) return;
    if (in_.take('{')) return openScope();
    if (in_.peek() == '@') {
        const Guard guard = parseGuard();
        return parseInstruction(in_.dottedWord(), place, begin, guard);
    }
    if (in_.peek() == '.') return parseBodyDirective(in_.directive(), place);
    const std::string_view word = in_.dottedWord();
    if (!word.empty() && in_.take(':')) return parseLabel(word, place);
    parseInstruction(word, place, begin, {});
}

void Parser::parseBodyDirective(std::string_view directive, Place place) {
    if (directive == ".reg") return parseRegisters();
    if (parseCommonDirective(directive)) return;
    if (directive == ".param") return parseVariables(StateSpace::Param, {});
    if (directive == ".local") return parseVariables(StateSpace::Local, {});
    if (directive == ".shared") return parseVariables(StateSpace::Shared, {});
    if (directive == ".global") return parseVariables(StateSpace::Global, {});
    if (directive == ".const") return parseVariables(StateSpace::Const, {});
    fail(Message(english("unknown directive '{0}' in a function: check the spelling"), directive), place);
}

// .reg .b32 %r<100>, %x;
void Parser::parseRegisters() {
    Type type = Type::None;
    while (in_.peek() == '.') {
        const Place place = in_.place();
        const std::string_view part = in_.directive();
        if (part == ".v2" || part == ".v4")
            in_.fail(FaultKind::Unsupported,
                     english("registers of vectors are not supported; declare one register an element"),
                     place);
        type = findType(part.substr(1));
        if (type == Type::None)
            fail(Message(english("expected a type such as .b32, found '{0}'"), part), place);
    }
    if (type == Type::None)
        fail(Message(english("registers need a type such as .b32; found {0}"), in_.found()), here());
    do {
        const Place place = here();
        const std::string_view name = in_.word();
        if (!in_.take('<')) {
            declare(name, SymbolKind::Register, newRegister(name, type).value, place);
            continue;
        }
        const u64 count =
            parseNumber(in_, english("the number of registers"), std::numeric_limits<u64>::max());
        in_.expect('>', english("after the number of registers"));
        const u32 depth = ranges_.depth();
        if (name.empty() ||
            !ranges_.declare(name, {SymbolKind::RegisterRange, u32(registerRanges_.size()), depth}))
            fail(Message(english("registers '{0}' are declared twice; rename one of the two"), name), place);
        registerRanges_.push_back({name, count, type});
        deepestRange_ = std::max(deepestRange_, depth);
    } while (in_.take(','));
    in_.expect(';', english("after registers"));
}

// name: at an instruction, or before a list of targets or a prototype.
void Parser::parseLabel(std::string_view name, Place place) {
    if (in_.peek() != '.') return declare(name, SymbolKind::Label, u32(module_.instructions.size()), place);
    const Lexer before = in_;
    const std::string_view directive = in_.directive();
    if (directive == ".branchtargets") {
        BranchTargets targets;
        do {
            const Place at = here();
            targets.labels.push_back({in_.word(), at});
            if (targets.labels.back().name.empty())
                fail(Message(english("expected a label, found {0}"), in_.found()), at);
        } while (in_.take(','));
        declare(name, SymbolKind::BranchTargets, u32(branchTargets_.size()), place);
        branchTargets_.push_back(std::move(targets));
    } else if (directive == ".callprototype" || directive == ".calltargets") {
        FunctionId id = current_;
        if (directive == ".callprototype") {
            id = parsePrototype(name);
        } else {
            do
                id = FunctionId{
                    require(in_.word(), SymbolKind::Function, english("function"), in_.place())->id};
            while (in_.take(','));
        }
        declare(name, SymbolKind::Function, id.value, place);
    } else {
        in_ = before;
        return declare(name, SymbolKind::Label, u32(module_.instructions.size()), place);
    }
    in_.expect(';', english("after {0}"), directive);
}

// (.param .b32 _) _ (.param .b64 _): what an indirect call takes; a function without a name of its own or a
// body.
FunctionId Parser::parsePrototype(std::string_view name) {
    Function prototype;
    prototype.name = name;
    prototype.isDeclaration = true;
    if (in_.peek() == '(') parseParameters(prototype.results);
    in_.word();
    if (in_.peek() == '(') parseParameters(prototype.parameters);
    parseFunctionDirectives(prototype);
    module_.functions.push_back(std::move(prototype));
    return FunctionId{u32(module_.functions.size() - 1)};
}

void Parser::openScope() {
    if (pending_.size() == kDeepestScope)
        fail(Message(english("scopes are nested more than {0} deep; simplify the text"), kDeepestScope),
             in_.place());
    symbols_.open();
    ranges_.open();
    pending_.emplace_back();
}

void Parser::closeScope() {
    resolveLabels();
    pending_.pop_back();
    symbols_.close();
    ranges_.close();
    deepestRange_ = std::min(deepestRange_, ranges_.depth());
}

// A label may stand behind its use, but in the same scope or an outer one: what the innermost does not know,
// the next may.
void Parser::resolveLabels() {
    for (const PendingLabel& use : pending_.back()) {
        const Symbol* symbol = symbols_.find(use.label.name);
        const bool isOuter = !symbol || symbol->depth < symbols_.depth();
        if (isOuter && pending_.size() > 1) {
            pending_[pending_.size() - 2].push_back(use);
            continue;
        }
        if (!symbol || symbol->kind != SymbolKind::Label)
            fail(Message(english("there is no label '{0}' in '{1}'; add it or correct the name"),
                         use.label.name, function().name),
                 use.label.place);
        const LabelOperand label{Pc{symbol->id}};
        Operand& operand = module_.operands[use.operand];
        if (use.element == PendingLabel::kWhole)
            operand = label;
        else
            std::get<VectorOperand>(operand).elements[use.element] = label;
    }
}

void Parser::endBody(Place closingBrace) {
    resolveLabels();
    // Where control can run off the end, PTX returns; so that every pc reached is an instruction, this ret is
    // added.
    if (needsReturn(function(), module_)) {
        Instruction ret = signatures_.find("ret", module_.addressBits).prototype;
        ret.name = ret.form;
        ret.line = closingBrace.line;
        ret.column = closingBrace.column;
        ret.firstOperand = u32(module_.operands.size());
        module_.instructions.push_back(ret);
        module_.spans_.push_back({0, 0});
    }
    function().end = Pc{u32(module_.instructions.size())};
    buildControlFlow(function(), module_);
}

// For brx.idx: the labels of a .branchtargets list, to be resolved like any other.
Operand Parser::parseLabelList() {
    const Place place = here();
    const std::string_view name = in_.word();
    const BranchTargets& targets =
        branchTargets_[require(name, SymbolKind::BranchTargets, english("branch target list"), place)->id];
    branchTargetUses_ += targets.labels.size();
    if (branchTargetUses_ > kMostBranchTargets)
        in_.fail(
            FaultKind::Unsupported,
            Message(
                english(
                    "the brx.idx of this function have more than {0} targets together; split the function"),
                kMostBranchTargets),
            place);
    VectorOperand list;
    list.elements.resize(targets.labels.size(), LabelOperand{kNoPc});
    for (u32 i = 0; i < targets.labels.size(); ++i)
        pending_.back().push_back({targets.labels[i], u32(module_.operands.size()), i});
    return list;
}

}  // namespace lockstep::ptx
