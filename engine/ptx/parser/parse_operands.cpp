// Operands: registers, constants, addresses, lists.
#include "base/text/counted.h"
#include "ptx/parser/parser.h"
#include "ptx/specials.h"

#include <charconv>

namespace lockstep::ptx {
namespace {

constexpr std::size_t kMostListElements = 256;  // the largest wgmma fragment has 128 registers
constexpr u32 kDeepestList = 2;                 // {{a, b}, c}

std::string quoted(std::string_view name) { return "'" + std::string(name) + "'"; }

}  // namespace

Operand Parser::parseOperand(const OperandRule& rule) {
    switch (rule.role) {
        case Role::Address: return parseAddress();
        case Role::Label: return parseLabelUse();
        case Role::LabelList: return parseLabelList();
        case Role::Fragment:
            return in_.peek() == '{' ? parseList({.written = rule.written}) : parseNamed(rule);
        case Role::Anything: return parseAnything(0);
        case Role::Value: break;
    }
    const bool isList = in_.peek() == '{';
    if (rule.vector > 1 || (isList && rule.mayBeList)) {
        if (!isList)
            fail(Message(english("expected {0} operands in braces, found {1}"), rule.vector, in_.found()),
                 in_.place());
        return parseList(rule);
    }
    return rule.written ? parseDestination(rule) : parseSource(rule);
}

// %r1, _, %p1|%p2
Operand Parser::parseDestination(const OperandRule& rule) {
    const Place place = here();
    const std::string_view name = in_.word();
    const bool isDiscarded = name == "_";
    const Symbol* symbol = isDiscarded ? nullptr : lookUp(name);
    if (!isDiscarded) {
        if (name.empty()) fail(Message(english("expected a register, found {0}"), in_.found()), place);
        if (!symbol) failUndeclared(name, place);
        if (symbol->kind != SymbolKind::Register)
            fail(Message(english("{0} writes its first operand, which must be a register; {1} is none"),
                         quoted(opcode_), quoted(name)),
                 place);
        checkRegister(RegisterId{symbol->id}, rule, place);
    }
    if (rule.mayHavePredicate && in_.take('|')) {
        // A pair holds two registers: what nobody wants goes to one of its own.
        const RegisterId value = isDiscarded ? newRegister("_", rule.type) : RegisterId{symbol->id};
        if (here(); in_.peekRaw() == '_' && !isWordCharacter(in_.position()[1])) {
            in_.advance();
            return PairOperand{value, newRegister("_", Type::Pred)};
        }
        return PairOperand{value, parsePredicate()};
    }
    if (isDiscarded) return DiscardOperand{};
    return RegisterOperand{RegisterId{symbol->id}, false, parseSelector(place)};
}

Operand Parser::parseSource(const OperandRule& rule) {
    const char c = in_.peek();
    const Place place = in_.place();
    if (c == '!') {
        if (rule.type != Type::Pred && !rule.mayBePredicate)
            fail(english("only a predicate can be negated with '!'"), place);
        in_.advance();
        return RegisterOperand{parsePredicate(), true, {}};
    }
    if (startsConstant(c))
        return ImmediateOperand{bitsAs(parseConstant(in_), rule.type, in_, place), rule.type};
    return parseNamed(rule);
}

// A register, a special register, or the address of a variable or function.
Operand Parser::parseNamed(const OperandRule& rule) {
    const Place place = here();
    const std::string_view name = in_.word();
    if (name.empty())
        fail(Message(english("expected an operand of {0}, found {1}"), quoted(opcode_), in_.found()), place);
    const Symbol* symbol = lookUp(name);
    if (!symbol) {
        if (name == "WARP_SZ") return ImmediateOperand{32, rule.type};
        if (name == "_" && rule.role != Role::Value) return DiscardOperand{};
        const std::optional<Special> special = parseSpecial(name, place);
        if (!special) return ImmediateOperand{0, rule.type};  // the .w of a vector: always 0; or of nobody's
        if (rule.role == Role::Fragment || (rule.type == Type::Pred) != (typeOf(*special) == Type::Pred))
            fail(Message(english("{0} cannot stand here; move it to a register first"),
                         quoted(nameOf(*special))),
                 place);
        return SpecialOperand{*special};
    }
    switch (symbol->kind) {
        case SymbolKind::Register: {
            const RegisterId id{symbol->id};
            checkRegister(id, rule, place);
            return RegisterOperand{id, false, parseSelector(place)};
        }
        case SymbolKind::Variable:
        case SymbolKind::Function:
            if (rule.type == Type::Pred || rule.role == Role::Fragment)
                fail(Message(english("{0} is an address; a {1} is expected here"), quoted(name),
                             rule.type == Type::Pred ? Message(english("predicate"))
                                                     : Message(english("register"))),
                     place);
            if (symbol->kind == SymbolKind::Function) return FunctionOperand{FunctionId{symbol->id}};
            {
                VariableOperand variable{VariableId{symbol->id}, 0};
                if (in_.peek() == '+' || in_.peek() == '-')
                    variable.offsetBytes = s64(parseConstant(in_).bits);
                return variable;
            }
        default: fail(Message(english("{0} is a label; a value is expected here"), quoted(name)), place);
    }
}

// {%r1, %r2, _, 0}: of a vector access, of parts of a mov, or a fragment (no type).
Operand Parser::parseList(const OperandRule& rule) {
    const Place place = here();
    in_.expect('{', english("to open a list of registers"));
    OperandRule element = rule;
    element.vector = 1;
    if (rule.mayBeList) {
        const u32 count = in_.countListElements();
        element.type = count ? bitsType(bytesOf(rule.type) / count) : Type::None;
        if (count < 2 || element.type == Type::None || bytesOf(element.type) * count != bytesOf(rule.type))
            fail(Message(english("{0} cannot be made of {1} parts; use 2 or 4"), quoted(opcode_), count),
                 place);
    }
    VectorOperand list;
    do {
        if (list.elements.size() == kMostListElements)
            fail(Message(english("a list of operands has at most {0} {0:element|elements}"),
                         kMostListElements),
                 here());
        list.elements.push_back(rule.role == Role::Fragment || rule.type == Type::None ? parseNamed(element)
                                : rule.written ? parseDestination(element)
                                               : parseSource(element));
    } while (in_.take(','));
    in_.expect('}', english("after a list of operands"));
    if (rule.vector > 1 && list.elements.size() != rule.vector)
        fail(Message(english("{0} needs {1} {1:element|elements} in braces, not {2}"), quoted(opcode_),
                     grouped(rule.vector), list.elements.size()),
             place);
    return list;
}

// Where the table says nothing about types.
Operand Parser::parseAnything(u32 depth) {
    const char c = in_.peek();
    if (c == '[') return parsePlace(depth);
    if (c == '!') {
        in_.advance();
        return RegisterOperand{parsePredicate(), true, {}};
    }
    if (startsConstant(c)) {
        const Constant constant = parseConstant(in_);
        return ImmediateOperand{constant.bits, constant.kind == Constant::Kind::Single   ? Type::F32
                                               : constant.kind == Constant::Kind::Double ? Type::F64
                                                                                         : Type::B64};
    }
    if (c != '{') return parseNamed({.role = Role::Anything});
    if (depth == kDeepestList)
        fail(Message(english("lists of operands are nested more than {0} deep"), kDeepestList), in_.place());
    in_.advance();
    VectorOperand list;
    do {
        if (list.elements.size() == kMostListElements)
            fail(Message(english("a list of operands has at most {0} {0:element|elements}"),
                         kMostListElements),
                 here());
        list.elements.push_back(parseAnything(depth + 1));
    } while (in_.take(','));
    in_.expect('}', english("after a list of operands"));
    return list;
}

// [%rd1], or a texture's, [%rd1, {%f1, %f2}]: a list of what stands in the brackets.
Operand Parser::parsePlace(u32 depth) {
    VectorOperand parts;
    Operand address = parseAddress(&parts, depth);
    if (parts.elements.empty()) return address;
    parts.elements.insert(parts.elements.begin(), std::move(address));
    return parts;
}

// [%rd1], [%rd1+8], [%rd1+-8], [tile+4], [16]
Operand Parser::parseAddress(VectorOperand* coordinates, u32 depth) {
    in_.expect('[', english("to open the address of '{0}'"), opcode_);
    AddressOperand address;
    const char c = in_.peek();
    const Place place = in_.place();
    if (startsConstant(c)) {
        address.offsetBytes = s64(parseConstant(in_).bits);
    } else {
        const std::string_view name = in_.word();
        if (name.empty()) fail(Message(english("expected an address, found {0}"), in_.found()), place);
        const Symbol* symbol = lookUp(name);
        if (!symbol) failUndeclared(name, place);
        if (symbol->kind == SymbolKind::Register) {
            const RegisterId id{symbol->id};
            const u32 bytes = bytesOf(function().registers[id.value].type);
            if (bytes != 4 && bytes != 8)
                fail(Message(english("an address needs a register of 32 or 64 bits; {0} is none"),
                             quoted(name)),
                     place);
            address.base = id;
        } else if (symbol->kind == SymbolKind::Variable) {
            const StateSpace space = module_.variables[symbol->id].space;
            if (space_ != StateSpace::None && space_ != StateSpace::Generic && space != space_)
                fail(Message(english("{0} is in .{1}, but {2} accesses .{3}; use the space of the variable"),
                             quoted(name), nameOf(space), quoted(opcode_), nameOf(space_)),
                     place);
            address.base = VariableId{symbol->id};
        } else {
            fail(Message(english("{0} is no register or variable; an address starts with one"), quoted(name)),
                 place);
        }
        if (in_.take('+') || in_.peek() == '-') address.offsetBytes = s64(parseConstant(in_).bits);
    }
    while (coordinates && in_.take(','))
        coordinates->elements.push_back(parseAnything(depth + 1));
    if (in_.peek() == ',')
        in_.fail(FaultKind::Unsupported,
                 Message(english("addresses of tensors, '[a, {0}...{1}]', are not supported"), '{', '}'),
                 in_.place());
    in_.expect(']', english("after an address"));
    return address;
}

Operand Parser::parseLabelUse() {
    const Place place = here();
    const std::string_view name = in_.word();
    if (name.empty()) fail(Message(english("expected a label, found {0}"), in_.found()), place);
    pending_.back().push_back({{name, place}, u32(module_.operands.size()), PendingLabel::kWhole});
    return LabelOperand{kNoPc};
}

RegisterId Parser::parsePredicate() {
    const Place place = here();
    const std::string_view name = in_.word();
    if (name.empty()) fail(Message(english("expected a predicate, found {0}"), in_.found()), place);
    const Symbol* symbol = lookUp(name);
    if (!symbol) failUndeclared(name, place);
    if (symbol->kind != SymbolKind::Register || function().registers[symbol->id].type != Type::Pred)
        fail(Message(english("{0} is no predicate; use a register declared with .reg .pred"), quoted(name)),
             place);
    return RegisterId{symbol->id};
}

// %tid and the like, with the cursor behind the name; none: the fourth component of a vector, and what no one
// here has (foreignSpecial_).
std::optional<Special> Parser::parseSpecial(std::string_view name, Place place) {
    std::string_view whole = name;
    if (in_.peekRaw() == '.') {
        in_.advance();
        const std::string_view component = in_.word();
        whole = {name.data(), std::size_t(component.data() + component.size() - name.data())};
    }
    if (const std::optional<Special> special = findSpecial(whole)) return special;
    if (isForeignSpecial(whole)) {
        foreignSpecial_ = whole;
        return std::nullopt;
    }
    const bool isVector = name.starts_with('%') && findSpecial(std::string(name) + ".x").has_value();
    if (isVector && whole.ends_with(".w")) return std::nullopt;
    if (isVector)
        fail(
            Message(english("there is no special register {0}; components are .x, .y and .z"), quoted(whole)),
            place);
    failUndeclared(name, place);
}

void Parser::failUndeclared(std::string_view name, Place place) {
    fail(name.starts_with('%')
             ? Message(english("'{0}' is not declared; add it to a .reg directive"), name)
             : Message(english("'{0}' is not declared; declare it before it is used"), name),
         place);
}

// The innermost declaration; a register of a range comes into being here.
const Symbol* Parser::lookUp(std::string_view name) {
    const Symbol* symbol = symbols_.find(name);
    const u32 depth = symbol ? symbol->depth : 0;
    if (symbol && deepestRange_ <= depth) return symbol;
    if (deepestRange_ == 0) return symbol;
    const Symbol* ofRange = registerOfRange(name, depth + 1);
    return ofRange ? ofRange : symbol;
}

const Symbol* Parser::registerOfRange(std::string_view name, u32 depthAtLeast) {
    constexpr std::size_t kMostDigits = 19;
    const RegisterRange* best = nullptr;
    u32 bestDepth = 0;
    for (std::size_t digits = 1; digits < name.size() && digits <= kMostDigits; ++digits) {
        const char first = name[name.size() - digits];
        if (first < '0' || first > '9') break;
        if (first == '0' && digits > 1) continue;  // %r01 is not %r<n>'s
        const Symbol* symbol = ranges_.find(name.substr(0, name.size() - digits));
        if (!symbol || symbol->depth < depthAtLeast || (best && symbol->depth <= bestDepth)) continue;
        const RegisterRange& range = registerRanges_[symbol->id];
        u64 number = 0;
        std::from_chars(name.data() + name.size() - digits, name.data() + name.size(), number);
        if (number >= range.count) continue;
        best = &range;
        bestDepth = symbol->depth;
    }
    if (!best) return nullptr;
    symbols_.declare(name, {SymbolKind::Register, newRegister(name, best->type).value, bestDepth});
    return symbols_.find(name);
}

RegisterId Parser::newRegister(std::string_view name, Type type) {
    function().registers.push_back({name, type});
    return RegisterId{u32(function().registers.size() - 1)};
}

// .b0 to .b3, .h0, .h1, .b3210: the parts that a video instruction reads or writes.
std::string_view Parser::parseSelector(Place place) {
    if (in_.peekRaw() != '.') return {};
    in_.advance();
    const std::string_view selector = in_.word();
    const bool isPart = selector.size() >= 2 && selector.size() <= 5 &&
                        (selector[0] == 'b' || selector[0] == 'h') &&
                        selector.find_first_not_of("01234567", 1) == std::string_view::npos;
    if (!isPart || !opcode_.starts_with('v') || opcode_.starts_with("vote"))
        fail(Message(english("a register of {0} has no part '.{1}'; remove it"), quoted(opcode_), selector),
             place);
    hasSelectors_ = true;
    return selector;
}

void Parser::checkRegister(RegisterId id, const OperandRule& rule, Place place) {
    const Register& reg = function().registers[id.value];
    if (rule.role == Role::Anything) return;
    if (rule.mayBePredicate && reg.type == Type::Pred) return;
    if (rule.type == Type::None) {
        if (reg.type == Type::Pred)
            fail(Message(english("{0} is a predicate; {1} needs a value here"), quoted(reg.name),
                         quoted(opcode_)),
                 place);
        return;
    }
    if (rule.type == reg.type) return;
    if (rule.type == Type::Pred)
        fail(Message(english("{0} is no predicate; {1} needs a register declared with .reg .pred here"),
                     quoted(reg.name), quoted(opcode_)),
             place);
    if (reg.type == Type::Pred)
        fail(
            Message(english("{0} is a predicate; {1} needs a value here"), quoted(reg.name), quoted(opcode_)),
            place);
    const u32 wanted = bytesOf(rule.type), has = bytesOf(reg.type);
    const bool fits = rule.mayBeWider || wanted == 1 ? has >= wanted : has == wanted;
    if (!fits)
        fail(Message(english("{0} has {1} bits, but {2} needs {3} here; use a register of that size"),
                     quoted(reg.name), 8 * has, quoted(opcode_), 8 * wanted),
             place);
}

}  // namespace lockstep::ptx
