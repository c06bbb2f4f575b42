#include "explain/sentences/register_names.h"

#include "ptx/analysis/register_uses.h"
#include "ptx/module.h"
#include "ptx/opcodes.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <utility>

namespace lockstep::explain {
namespace {

constexpr std::size_t kMostTerms = 6, kLongest = 72;
constexpr s64 kMostFactor = 1 << 24;  // larger ones are meant to wrap around
constexpr u32 kMostDepth = 64;        // of registers that follow from one another

// A whole number: constant + sum of factor * atom. An address is one whose base is an array, in bytes.
struct Sum {
    struct Term {
        std::string atom;
        s64 factor;
        bool operator==(const Term&) const = default;
    };
    s64 constant = 0;
    std::vector<Term> terms;

    bool isConstant() const { return terms.empty(); }
};
struct Base {
    std::string name;
    u32 elementBytes = 0;
    std::vector<u64> shape;  // row-major; one dimension where nothing is known
};
struct Meaning {
    Sum sum;
    std::optional<Base> base;  // an address: base + sum bytes
    std::string other;         // neither: "row < width", "Mds[0][0]"
};

void add(Sum& to, const Sum& what, s64 factor) {
    to.constant += factor * what.constant;
    for (const Sum::Term& term : what.terms) {
        const auto known = std::ranges::find(to.terms, term.atom, &Sum::Term::atom);
        if (known == to.terms.end())
            to.terms.push_back({term.atom, factor * term.factor});
        else
            known->factor += factor * term.factor;
    }
    std::erase_if(to.terms, [](const Sum::Term& term) { return term.factor == 0; });
}

bool isSmall(const Sum& sum) {
    const auto small = [](s64 value) { return value > -kMostFactor && value < kMostFactor; };
    return small(sum.constant) && sum.terms.size() <= kMostTerms &&
           std::ranges::all_of(sum.terms, small, &Sum::Term::factor);
}
bool neverNegative(const Sum& sum) {  // as far as its factors tell
    return sum.constant >= 0 &&
           std::ranges::all_of(sum.terms, [](const Sum::Term& term) { return term.factor > 0; });
}

std::string text(const Sum& sum) {
    std::string text;
    const auto put = [&](bool negative, const std::string& part) {
        text += text.empty() ? (negative ? "-" : "") : negative ? " - " : " + ";
        text += part;
    };
    for (const Sum::Term& term : sum.terms)
        put(term.factor < 0, std::abs(term.factor) == 1
                                 ? term.atom
                                 : std::to_string(std::abs(term.factor)) + " * " + term.atom);
    if (sum.constant != 0 || text.empty()) put(sum.constant < 0, std::to_string(std::abs(sum.constant)));
    return text;
}
// As a factor: in brackets where it is a sum.
std::string factorText(const Sum& sum) {
    return sum.terms.size() + (sum.constant != 0) > 1 ? "(" + text(sum) + ")" : text(sum);
}

// "Mds[threadIdx.y][0]": each part goes to the outermost dimension whose stride divides it; none where one
// fits nowhere.
std::optional<std::string> elementText(const Base& base, const Sum& bytes) {
    if (base.elementBytes == 0) return std::nullopt;
    std::vector<u64> strides(std::max<std::size_t>(base.shape.size(), 1), base.elementBytes);
    for (std::size_t at = base.shape.size(); at-- > 1;)
        strides[at - 1] = strides[at] * base.shape[at];
    std::vector<Sum> indices(strides.size());
    const auto dimensionOf = [&](s64 part) {
        return std::size_t(
            std::ranges::find_if(strides, [&](u64 stride) { return part % s64(stride) == 0; }) -
            strides.begin());
    };
    for (const Sum::Term& term : bytes.terms) {
        const std::size_t at = dimensionOf(term.factor);
        if (at == strides.size()) return std::nullopt;
        indices[at].terms.push_back({term.atom, term.factor / s64(strides[at])});
    }
    s64 left = bytes.constant;
    for (std::size_t at = 0; at < strides.size(); ++at) {
        const bool isLast = at + 1 == strides.size();
        if (isLast && left % s64(strides[at]) != 0) return std::nullopt;
        indices[at].constant = left / s64(strides[at]);
        left -= indices[at].constant * s64(strides[at]);
    }
    std::string text = base.name;
    for (const Sum& index : indices)
        text += "[" + explain::text(index) + "]";
    return text;
}

std::string_view specialText(ptx::Special special) {
    using enum ptx::Special;
    switch (special) {
        case TidX: return "threadIdx.x";
        case TidY: return "threadIdx.y";
        case TidZ: return "threadIdx.z";
        case NtidX: return "blockDim.x";
        case NtidY: return "blockDim.y";
        case NtidZ: return "blockDim.z";
        case CtaidX: return "blockIdx.x";
        case CtaidY: return "blockIdx.y";
        case CtaidZ: return "blockIdx.z";
        case NctaidX: return "gridDim.x";
        case NctaidY: return "gridDim.y";
        case NctaidZ: return "gridDim.z";
        case LaneId: return "lane";
        default: return {};
    }
}

std::string_view comparisonText(ptx::Comparison comparison) {
    using enum ptx::Comparison;
    switch (comparison) {
        case Eq: return "==";
        case Ne: return "!=";
        case Lt:
        case Lo: return "<";
        case Le:
        case Ls: return "<=";
        case Gt:
        case Hi: return ">";
        case Ge:
        case Hs: return ">=";
        default: return {};
    }
}

// Operations whose result is named as what stands between two of them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kOperators{
    {{"and", "&"}, {"or", "|"}, {"xor", "^"}, {"shr", ">>"}, {"div", "/"}, {"rem", "%"}}};

class Namer {
public:
    Namer(const ptx::Module& module, const ptx::Function& kernel, std::span<const ParameterName> parameters,
          std::span<const ArrayShape> shapes)
        : module_(module),
          kernel_(kernel),
          parameters_(parameters),
          shapes_(shapes),
          writers_(kernel.registers.size()),
          known_(kernel.registers.size()) {
        for (u32 pc = kernel.first.value; pc < kernel.end.value; ++pc)
            ptx::forEachWritten(module, module.at(Pc{pc}),
                                [&](ptx::RegisterId id) { writers_[id.value].push_back(Pc{pc}); });
    }

    std::string nameOf(ptx::RegisterId id) {
        const std::optional<Meaning> meaning = meaningOf(id, 0);
        if (!meaning) return {};
        std::string name = !meaning->other.empty() ? meaning->other
                           : meaning->base         ? addressText(*meaning)
                                                   : text(meaning->sum);
        return name.size() <= kLongest ? name : std::string();
    }

private:
    static std::string addressText(const Meaning& address) {
        const bool isWhole = address.sum.isConstant() && address.sum.constant == 0;
        if (isWhole) return address.base->name;
        const std::optional<std::string> element = elementText(*address.base, address.sum);
        return element ? "&" + *element : std::string();
    }

    // Of a register that is written in one place.
    std::optional<Meaning> meaningOf(ptx::RegisterId id, u32 depth) {
        if (depth > kMostDepth || writers_[id.value].size() != 1) return std::nullopt;
        if (!known_[id.value].first) {
            known_[id.value].first = true;  // one that follows from itself is none
            known_[id.value].second = work(writers_[id.value].front(), id, depth);
        }
        return known_[id.value].second;
    }

    std::optional<Meaning> meaningOf(const ptx::Operand& operand, u32 depth) {
        if (const auto* r = std::get_if<ptx::RegisterOperand>(&operand))
            return r->negated || !r->selector.empty() ? std::nullopt : meaningOf(r->id, depth + 1);
        if (const auto* immediate = std::get_if<ptx::ImmediateOperand>(&operand)) {
            if (ptx::isFloat(immediate->type) || immediate->type == ptx::Type::Pred) return std::nullopt;
            const s64 value =
                ptx::bytesOf(immediate->type) == 4 ? s64(s32(u32(immediate->bits))) : s64(immediate->bits);
            return Meaning{.sum = {.constant = value, .terms = {}}, .base = {}, .other = {}};
        }
        if (const auto* special = std::get_if<ptx::SpecialOperand>(&operand))
            return atom(std::string(specialText(special->special)));
        if (const auto* variable = std::get_if<ptx::VariableOperand>(&operand))
            return addressOf(variable->id, variable->offsetBytes);
        return std::nullopt;
    }

    static std::optional<Meaning> atom(std::string name) {
        if (name.empty()) return std::nullopt;
        return Meaning{.sum = {.constant = 0, .terms = {{std::move(name), 1}}}, .base = {}, .other = {}};
    }
    static std::optional<Meaning> other(std::string name) {
        return Meaning{.sum = {}, .base = {}, .other = std::move(name)};
    }

    std::optional<Meaning> addressOf(ptx::VariableId id, s64 offsetBytes) const {
        const ptx::Variable& variable = module_.variables[id.value];
        if (variable.space != ptx::StateSpace::Shared && variable.space != ptx::StateSpace::Global &&
            variable.space != ptx::StateSpace::Const)
            return std::nullopt;
        Base base{.name = ptx::variableName(variable.name),
                  .elementBytes = ptx::bytesOf(variable.type),
                  .shape = {}};
        if (const auto shape = std::ranges::find(shapes_, base.name, &ArrayShape::name);
            shape != shapes_.end())
            base.elementBytes = shape->elementBytes, base.shape = shape->shape;
        return Meaning{.sum = {.constant = offsetBytes, .terms = {}}, .base = std::move(base), .other = {}};
    }

    const ParameterName* parameterOf(const ptx::Operand& operand) const {
        const auto* address = std::get_if<ptx::AddressOperand>(&operand);
        const auto* id =
            address && address->offsetBytes == 0 ? std::get_if<ptx::VariableId>(&address->base) : nullptr;
        if (!id) return nullptr;
        const auto at = std::ranges::find(kernel_.parameters, *id) - kernel_.parameters.begin();
        return std::size_t(at) < parameters_.size() && !parameters_[std::size_t(at)].name.empty()
                   ? &parameters_[std::size_t(at)]
                   : nullptr;
    }

    std::optional<Meaning> load(const ptx::Instruction& instruction, const ptx::Operand& from, u32 depth) {
        if (instruction.modifiers.space == ptx::StateSpace::Param) {
            const ParameterName* parameter = parameterOf(from);
            if (!parameter) return std::nullopt;
            if (!parameter->isPointer)
                return ptx::isFloat(instruction.types[0]) ? other(parameter->name) : atom(parameter->name);
            return Meaning{
                .sum = {}, .base = Base{parameter->name, parameter->elementBytes, {}}, .other = {}};
        }
        const auto* address = std::get_if<ptx::AddressOperand>(&from);
        if (!address || instruction.modifiers.vector != 1) return std::nullopt;
        std::optional<Meaning> place;
        if (const auto* r = std::get_if<ptx::RegisterId>(&address->base))
            place = meaningOf(*r, depth + 1);
        else if (const auto* id = std::get_if<ptx::VariableId>(&address->base))
            place = addressOf(*id, 0);
        if (!place || !place->base || !place->other.empty() ||
            place->base->elementBytes != ptx::bytesOf(instruction.types[0]))
            return std::nullopt;
        place->sum.constant += address->offsetBytes;
        const std::optional<std::string> element = elementText(*place->base, place->sum);
        return element ? other(*element) : std::nullopt;
    }

    std::optional<Meaning> work(Pc pc, ptx::RegisterId id, u32 depth) {
        const ptx::Instruction& instruction = module_.at(pc);
        const std::span<const ptx::Operand> operands = module_.operandsOf(instruction);
        const auto* result = operands.empty() ? nullptr : std::get_if<ptx::RegisterOperand>(&operands[0]);
        if (!result || result->id != id || operands.size() < 2) return std::nullopt;
        const std::string_view name = ptx::opcodeTable()[instruction.opcode].name;
        const ptx::Type type = instruction.types[0];
        if (name == "ld") return load(instruction, operands[1], depth);
        std::optional<Meaning> a = meaningOf(operands[1], depth);
        if (name == "mov" || name == "cvta") return a;
        const std::optional<Meaning> b = operands.size() > 2 ? meaningOf(operands[2], depth) : std::nullopt,
                                     c = operands.size() > 3 ? meaningOf(operands[3], depth) : std::nullopt;
        if (name == "cvt") return convert(instruction, a);
        if (name == "setp") return compare(instruction, operands.size() == 3, a, b);
        if (ptx::isFloat(type) || type == ptx::Type::Pred || instruction.modifiers.carry ||
            instruction.modifiers.sat)
            return std::nullopt;
        if (!a || !b || !a->other.empty() || !b->other.empty()) return std::nullopt;
        if (name == "add" || name == "sub") return plus(*a, *b, name == "add" ? 1 : -1);
        if (name == "mul" || name == "mad")
            return multiply(instruction, *a, *b, name == "mad" ? &c : nullptr);
        if (a->base || b->base) return std::nullopt;
        if (name == "shl") {
            if (!b->sum.isConstant() || b->sum.constant < 0 || b->sum.constant > 20) return std::nullopt;
            return scaled(*a, s64{1} << b->sum.constant);
        }
        for (const auto& [operation, sign] : kOperators)
            if (name == operation)
                return atom("(" + factorText(a->sum) + " " + std::string(sign) + " " + factorText(b->sum) +
                            ")");
        return std::nullopt;
    }

    static std::optional<Meaning> limited(Meaning meaning) {
        return isSmall(meaning.sum) ? std::optional(std::move(meaning)) : std::nullopt;
    }
    static std::optional<Meaning> scaled(const Meaning& a, s64 factor) {
        if (factor > kMostFactor || factor < -kMostFactor) return std::nullopt;
        Meaning product;
        add(product.sum, a.sum, factor);
        return limited(std::move(product));
    }
    static std::optional<Meaning> plus(const Meaning& a, const Meaning& b, s64 sign) {
        if ((a.base && b.base) || (b.base && sign < 0)) return std::nullopt;
        Meaning sum = a;
        if (b.base) sum.base = b.base;
        add(sum.sum, b.sum, sign);
        return limited(std::move(sum));
    }
    static std::optional<Meaning> multiply(const ptx::Instruction& instruction, const Meaning& a,
                                           const Meaning& b, const std::optional<Meaning>* addend) {
        const bool isWide = instruction.form.find(".wide") != std::string_view::npos,
                   isLow = instruction.form.find(".lo") != std::string_view::npos;
        if ((!isWide && !isLow) || a.base || b.base) return std::nullopt;
        // What is below zero becomes another number where it is widened without its sign.
        if (isWide && !ptx::isSigned(instruction.types[0]) && !(neverNegative(a.sum) && neverNegative(b.sum)))
            return std::nullopt;
        std::optional<Meaning> product = b.sum.isConstant() ? scaled(a, b.sum.constant)
                                         : a.sum.isConstant()
                                             ? scaled(b, a.sum.constant)
                                             : atom(factorText(a.sum) + " * " + factorText(b.sum));
        if (!product || !addend) return product;
        if (!*addend || !(*addend)->other.empty()) return std::nullopt;
        return plus(*product, **addend, 1);
    }
    static std::optional<Meaning> convert(const ptx::Instruction& instruction,
                                          const std::optional<Meaning>& a) {
        const auto [to, from] = std::pair(instruction.types[0], instruction.types[1]);
        if (!a || !a->other.empty() || ptx::isFloat(to) || ptx::isFloat(from) || ptx::bytesOf(to) < 4 ||
            ptx::bytesOf(from) < 4 || instruction.modifiers.sat)
            return std::nullopt;
        if (ptx::bytesOf(to) > ptx::bytesOf(from) && !ptx::isSigned(from) && !neverNegative(a->sum))
            return std::nullopt;
        if (ptx::bytesOf(to) < ptx::bytesOf(from) && a->base && a->base->shape.empty()) return std::nullopt;
        return a;
    }
    static std::optional<Meaning> compare(const ptx::Instruction& instruction, bool isPlain,
                                          const std::optional<Meaning>& a, const std::optional<Meaning>& b) {
        const std::string_view sign = comparisonText(instruction.modifiers.comparison);
        if (!isPlain || sign.empty() || ptx::isFloat(instruction.types[0]) || !a || !b || a->base ||
            b->base || !a->other.empty() || !b->other.empty())
            return std::nullopt;
        return other(text(a->sum) + " " + std::string(sign) + " " + text(b->sum));
    }

    const ptx::Module& module_;
    const ptx::Function& kernel_;
    std::span<const ParameterName> parameters_;
    std::span<const ArrayShape> shapes_;
    std::vector<std::vector<Pc>> writers_;  // by RegisterId
    std::vector<std::pair<bool, std::optional<Meaning>>> known_;
};

bool isWord(char c) { return std::isalnum(u8(c)) || c == '_'; }

std::string trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos
               ? std::string()
               : std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

// Its last word is the name; brackets of an array are left out.
DeclaredParameter declaredParameter(std::string_view declaration) {
    declaration = declaration.substr(0, declaration.find('['));
    std::size_t end = declaration.size();
    while (end > 0 && !isWord(declaration[end - 1]))
        --end;
    std::size_t begin = end;
    while (begin > 0 && isWord(declaration[begin - 1]))
        --begin;
    return {trimmed(declaration.substr(0, begin)), std::string(declaration.substr(begin, end - begin))};
}

// Comments become blanks.
std::string withoutComments(std::string_view source) {
    std::string text(source);
    for (std::size_t at = 0; at + 1 < text.size(); ++at) {
        if (text[at] != '/' || (text[at + 1] != '/' && text[at + 1] != '*')) continue;
        const bool isLine = text[at + 1] == '/';
        const std::size_t found = text.find(isLine ? "\n" : "*/", at + 2),
                          end = found == std::string::npos ? text.size() : found + (isLine ? 0 : 2);
        std::fill(text.begin() + std::ptrdiff_t(at), text.begin() + std::ptrdiff_t(end), ' ');
    }
    return text;
}

}  // namespace

std::vector<DeclaredParameter> declaredParameters(std::string_view source, std::string_view kernel) {
    const std::string text = withoutComments(source);
    std::vector<std::vector<DeclaredParameter>> found;
    for (std::size_t at = text.find(kernel); !kernel.empty() && at != std::string::npos;
         at = text.find(kernel, at + 1)) {
        std::size_t open = at + kernel.size();
        if ((at > 0 && isWord(text[at - 1])) || (open < text.size() && isWord(text[open]))) continue;
        while (open < text.size() && std::isspace(u8(text[open])))
            ++open;
        // Of a declaration "__global__" stands before the name, with no end of a statement between them.
        const std::size_t mark = text.rfind("__global__", at), ended = text.find_last_of(";{}", at);
        if (open >= text.size() || text[open] != '(' || mark == std::string::npos ||
            (ended != std::string::npos && ended > mark))
            continue;
        std::vector<DeclaredParameter> parameters;
        std::size_t begin = open + 1;
        int depth = 0;
        for (std::size_t i = open; i < text.size(); ++i) {
            if (text[i] == '(' || text[i] == '<') ++depth;
            if (text[i] == ')' || text[i] == '>') --depth;
            if (depth == 0 || (depth == 1 && text[i] == ',')) {
                parameters.push_back(declaredParameter(std::string_view(text).substr(begin, i - begin)));
                begin = i + 1;
            }
            if (depth == 0) break;
        }
        found.push_back(std::move(parameters));
    }
    // Declared again, or for other types: it must be the same.
    const auto isUnclear = [&](const std::vector<DeclaredParameter>& parameters) {
        return parameters != found.front() || std::ranges::any_of(parameters, [](const DeclaredParameter& p) {
                   return p.type.empty() || p.name.empty();
               });
    };
    if (found.empty() || std::ranges::any_of(found, isUnclear)) return {};
    return found.front();
}

std::vector<std::string> registerNames(const ptx::Module& module, const ptx::Function& kernel,
                                       std::span<const ParameterName> parameters,
                                       std::span<const ArrayShape> shapes) {
    Namer namer(module, kernel, parameters, shapes);
    std::vector<std::string> names;
    for (u32 id = 0; id < kernel.registers.size(); ++id)
        names.push_back(namer.nameOf(ptx::RegisterId{id}));
    return names;
}

}  // namespace lockstep::explain
