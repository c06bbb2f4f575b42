#include "sass/decode.h"

#include "base/half.h"
#include "base/text/trimmed.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>
#include <optional>
#include <utility>

namespace lockstep::sass {
namespace {

using enum Modifier;

constexpr f32 kInfinity = std::numeric_limits<f32>::infinity(), kNan = std::numeric_limits<f32>::quiet_NaN();

constexpr std::pair<std::string_view, Modifier> kModifiers[] = {
    {"128", N128},
    {"16", N16},
    {"16816", N16816},
    {"2A", N2A},
    {"32", N32},
    {"4A", N4A},
    {"64", N64},
    {"A1T0", A1T0},
    {"ADD", Add},
    {"ALL", All},
    {"AND", And},
    {"ANY", Any},
    {"ARRIVE", Arrive},
    {"ARV", Arv},
    {"BF", Bf},
    {"BF16", Bf16},
    {"BF16_V2", Bf16V2},
    {"BFLY", Bfly},
    {"CAS", Cas},
    {"CAST", Cast},
    {"CEIL", Ceil},
    {"COLLECTIVE", Collective},
    {"CONSTANT", Modifier::Constant},
    {"COS", Cos},
    {"DEC", Dec},
    {"DEFER_BLOCKING", DeferBlocking},
    {"DIV", Div},
    {"DOWN", Down},
    {"E", E},
    {"EF", Ef},
    {"EQ", Eq},
    {"EX", Ex},
    {"EX2", Ex2},
    {"EXCH", Exch},
    {"EXCLUSIVE", Exclusive},
    {"F16", F16},
    {"F32", F32},
    {"F64", F64},
    {"FLOOR", Floor},
    {"FTZ", Ftz},
    {"GE", Ge},
    {"GEU", Geu},
    {"GPU", Gpu},
    {"GT", Gt},
    {"GTU", Gtu},
    {"HI", Hi},
    {"IADD", Iadd},
    {"IDX", Idx},
    {"INC", Inc},
    {"IVALL", Ivall},
    {"L", L},
    {"LE", Le},
    {"LEU", Leu},
    {"LG2", Lg2},
    {"LO", Lo},
    {"LT", Lt},
    {"LTU", Ltu},
    {"LUT", Lut},
    {"MAX", Max},
    {"MIN", Min},
    {"MMA", Mma},
    {"MOV", Modifier::Mov},
    {"MT88", Mt88},
    {"NAN", Nan},
    {"NE", Ne},
    {"NEU", Neu},
    {"NODEC", Nodec},
    {"NOINC", Noinc},
    {"NTZ", Ntz},
    {"NUM", Num},
    {"OR", Or},
    {"PACK_AB", PackAb},
    {"PHASECHK", PhaseChk},
    {"POPC", Modifier::Popc},
    {"R", R},
    {"RCP", Rcp},
    {"RCP64H", Rcp64h},
    {"REL", Rel},
    {"RELU", Relu},
    {"RM", Rm},
    {"RN", Rn},
    {"RP", Rp},
    {"RSQ", Rsq},
    {"RSQ64H", Rsq64h},
    {"RZ", Rz},
    {"S16", S16},
    {"S32", S32},
    {"S64", S64},
    {"S8", S8},
    {"SAT", Sat},
    {"SC", Sc},
    {"SH", Sh},
    {"SHL", Shl},
    {"SIN", Sin},
    {"SPIN", Spin},
    {"SQRT", Sqrt},
    {"STRONG", Strong},
    {"SUM", Sum},
    {"SX32", Sx32},
    {"SYNC", Sync},
    {"SYS", Sys},
    {"TANH", Tanh},
    {"TRANS64", Trans64},
    {"TRUNC", Trunc},
    {"TRYWAIT", TryWait},
    {"U16", U16},
    {"U32", U32},
    {"U64", U64},
    {"U8", U8},
    {"UP", Up},
    {"W", W},
    {"WIDE", Wide},
    {"X", X},
    {"XOR", Xor},
    {"XORSIGN", XorSign},
};
static_assert(std::ranges::is_sorted(kModifiers, {}, &std::pair<std::string_view, Modifier>::first));
static_assert(std::size(kModifiers) == std::size_t(Last));

constexpr std::pair<std::string_view, SpecialRegisterName> kSpecialRegisters[] = {
    {"SRZ", SpecialRegisterName::Zero},
    {"SR_CLOCKLO", SpecialRegisterName::ClockLo},
    {"SR_CTAID.X", SpecialRegisterName::CtaidX},
    {"SR_CTAID.Y", SpecialRegisterName::CtaidY},
    {"SR_CTAID.Z", SpecialRegisterName::CtaidZ},
    {"SR_CgaCtaId", SpecialRegisterName::CgaCtaId},
    {"SR_EQMASK", SpecialRegisterName::EqMask},
    {"SR_GEMASK", SpecialRegisterName::GeMask},
    {"SR_GLOBALTIMERLO", SpecialRegisterName::GlobalTimerLo},
    {"SR_GTMASK", SpecialRegisterName::GtMask},
    {"SR_LANEID", SpecialRegisterName::LaneId},
    {"SR_LEMASK", SpecialRegisterName::LeMask},
    {"SR_LTMASK", SpecialRegisterName::LtMask},
    {"SR_NCTAID.X", SpecialRegisterName::NctaidX},
    {"SR_TID.X", SpecialRegisterName::TidX},
    {"SR_TID.Y", SpecialRegisterName::TidY},
    {"SR_TID.Z", SpecialRegisterName::TidZ},
    {"SR_VIRTUALID", SpecialRegisterName::VirtualId},
};

std::string_view trim(std::string_view text) { return trimmed(text, kAllBlanks); }

bool take(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

std::optional<u64> number(std::string_view digits, int base) {
    u64 value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (error != std::errc{} || digits.empty() || end != digits.data() + digits.size()) return std::nullopt;
    return value;
}

// "-0x10", sign-extended.
std::optional<u64> hexadecimal(std::string_view text) {
    const bool isNegative = take(text, "-");
    if (!take(text, "0x")) return std::nullopt;
    const std::optional<u64> value = number(text, 16);
    return value && isNegative ? std::optional(~*value + 1) : value;
}

// The number behind "R", "UR", "P"; the name of the one that is always zero or true stands for `fixed`.
std::optional<u8> numbered(std::string_view text, std::string_view prefix, std::string_view fixedName,
                           u8 fixed) {
    if (text == fixedName) return fixed;
    if (!take(text, prefix)) return std::nullopt;
    const std::optional<u64> value = number(text, 10);
    return value && *value < fixed ? std::optional(u8(*value)) : std::nullopt;
}
std::optional<u8> registerNumber(std::string_view text) { return numbered(text, "R", "RZ", kZeroRegister); }
std::optional<u8> uniformRegisterNumber(std::string_view text) {
    return numbered(text, "UR", "URZ", kZeroUniformRegister);
}

// What the words hold of an instruction with a 32-bit immediate: bits 32 to 63.
u32 immediateBits(const Instruction& instruction) { return u32(instruction.encoding[0] >> 32); }

bool takesHalves(Opcode opcode) {
    return opcode == Opcode::Hfma2 || opcode == Opcode::Hadd2 || opcode == Opcode::Hmul2 ||
           opcode == Opcode::Hmnmx2 || opcode == Opcode::Hset2 || opcode == Opcode::Hsetp2;
}

// "R4.H1_H1", "R4.reuse.H0_H0".
Halves takeHalves(std::string_view& text) {
    constexpr std::string_view kLower = ".H0_H0", kUpper = ".H1_H1";
    const Halves halves = text.ends_with(kLower)   ? Halves::Lower
                          : text.ends_with(kUpper) ? Halves::Upper
                                                   : Halves::Both;
    if (halves != Halves::Both) text.remove_suffix(kLower.size());
    return halves;
}

class OperandReader {
public:
    OperandReader(const Instruction& instruction, const OpcodeRow& row)
        : instruction_(instruction),
          isDouble_(row.timing == InstructionClass::Double),
          isHalf_(takesHalves(row.opcode)),
          isBrain_(instruction.opcode.find("BF16") != std::string::npos),
          isBranch_(row.timing == InstructionClass::Branch || row.opcode == Opcode::Bssy ||
                    row.opcode == Opcode::WarpSync) {}

    std::optional<Operand> read(std::string_view text) const {
        Operand operand;
        if (text.starts_with("desc[")) {
            const std::size_t end = text.find(']');
            if (end == std::string_view::npos) return std::nullopt;
            text.remove_prefix(end + 1);
        }
        if (text.starts_with('[')) return address(text, OperandKind::Address);
        if (text.starts_with("0x") || text.starts_with("-0x")) return integer(text);
        while (!text.empty()) {
            if (take(text, "-")) {
                operand.negated = true;
            } else if (take(text, "~") || take(text, "!")) {
                operand.inverted = true;
            } else if (take(text, "|")) {
                operand.absolute = true;
                const std::size_t end = text.find('|');
                if (end == std::string_view::npos) return std::nullopt;
                std::string_view behind = text.substr(end + 1);
                operand.halves = takeHalves(behind);
                return named(text.substr(0, end), operand);
            } else {
                break;
            }
        }
        operand.halves = takeHalves(text);
        if (text.ends_with(".reuse")) text.remove_suffix(std::string_view(".reuse").size());
        if (text.starts_with("c[")) {
            std::optional<Operand> constant = constantOf(text);
            if (constant)
                constant->negated = operand.negated, constant->inverted = operand.inverted,
                constant->halves = operand.halves;
            return constant;
        }
        if (std::optional<Operand> found = named(text, operand)) return found;
        return real(operand.negated, text);
    }

private:
    std::optional<Operand> named(std::string_view text, Operand operand) const {
        const auto as = [&](OperandKind kind, std::optional<u8> number) {
            if (!number) return false;
            operand.kind = kind;
            operand.number = *number;
            return true;
        };
        if (text.ends_with(".64")) text.remove_suffix(3), operand.isWide = true;
        if (as(OperandKind::Register, registerNumber(text)) ||
            as(OperandKind::UniformRegister, uniformRegisterNumber(text)) ||
            as(OperandKind::UniformPredicate, numbered(text, "UP", "UPT", kTruePredicate)) ||
            as(OperandKind::Predicate, numbered(text, "P", "PT", kTruePredicate)) ||
            as(OperandKind::Counter, numbered(text, "SB", "", 6)) ||
            as(OperandKind::Barrier, numbered(text, "B", "", 16)))
            return operand;
        if (text == "PR") {
            operand.kind = OperandKind::PredicateFile;
            return operand;
        }
        const auto special = std::ranges::find(kSpecialRegisters, text,
                                               &std::pair<std::string_view, SpecialRegisterName>::first);
        if (special == std::end(kSpecialRegisters)) return std::nullopt;
        operand.kind = OperandKind::SpecialRegister;
        operand.special = special->second;
        return operand;
    }

    // "[R4.64+UR4+0x10]"
    static std::optional<Operand> address(std::string_view text, OperandKind kind) {
        if (!text.starts_with('[') || !text.ends_with(']')) return std::nullopt;
        text = text.substr(1, text.size() - 2);
        Operand operand;
        operand.kind = kind;
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('+'), text.size());
            std::string_view part = text.substr(0, end);
            text.remove_prefix(std::min(end + 1, text.size()));
            if (const std::optional<u64> offset = hexadecimal(part)) {
                operand.value += *offset;
                continue;
            }
            const bool isWide = part.ends_with(".64");
            if (isWide) part.remove_suffix(3);
            if (const std::optional<u8> base = registerNumber(part))
                operand.base = *base, operand.isWide = isWide;
            else if (const std::optional<u8> uniform = uniformRegisterNumber(part))
                operand.uniformBase = *uniform;
            else
                return std::nullopt;
        }
        return operand;
    }

    // "c[0x0][0x210]", "c[0x3][R2+0x10]"
    static std::optional<Operand> constantOf(std::string_view text) {
        const std::size_t end = text.find(']');
        if (!text.starts_with("c[0x") || end == std::string_view::npos) return std::nullopt;
        const std::optional<u64> bank = number(text.substr(4, end - 4), 16);
        std::optional<Operand> operand = address(text.substr(end + 1), OperandKind::Constant);
        if (!bank || *bank > 31 || !operand) return std::nullopt;
        operand->number = u8(*bank);
        return operand;
    }

    std::optional<Operand> integer(std::string_view text) const {
        const std::optional<u64> value = hexadecimal(text);
        if (!value) return std::nullopt;
        Operand operand;
        operand.kind = isBranch_ ? OperandKind::Target : OperandKind::Immediate;
        operand.value = *value;
        return operand;
    }

    // "1.5", "+INF", "QNAN": the words have all bits, the text those that are worth reading. Of two halves
    // each has its own text, which is exact.
    std::optional<Operand> real(bool isNegated, std::string_view text) const {
        const bool hasSign = take(text, "+");
        f64 value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool isNumber =
            !text.empty() && error != std::errc::invalid_argument && end == text.data() + text.size();
        if (!isNumber && text != "INF" && text != "QNAN" && text != "SNAN") return std::nullopt;
        if (hasSign && isNumber && text != "INF") return std::nullopt;
        Operand operand;
        operand.value = immediateBits(instruction_);
        if (isDouble_) operand.value <<= 32;
        if (isHalf_) {
            const f32 half = isNumber ? f32(value) : text == "INF" ? kInfinity : kNan;
            const u32 bits = isBrain_ ? std::bit_cast<u32>(half) >> 16 : floatToHalf(half);
            operand.value = isNegated ? bits ^ 0x8000 : bits;
        }
        return operand;
    }

    const Instruction& instruction_;
    bool isDouble_, isHalf_, isBrain_, isBranch_;
};

Unexpected unknown(const Instruction& instruction, std::string_view part) {
    return fail(FaultKind::Unsupported,
                Message(
                    english("the machine instruction {0} {1} at 0x{2} is not known: {3}"), instruction.opcode,
                    instruction.operands,
                    [&] {
                        char digits[8];
                        const auto end =
                            std::to_chars(digits, digits + sizeof digits, instruction.offsetBytes, 16);
                        return std::string(digits, end.ptr);
                    }(),
                    part));
}

std::optional<Guard> guardOf(std::string_view text) {
    Guard guard;
    if (text.empty()) return guard;
    if (!take(text, "@")) return std::nullopt;
    guard.isInverted = take(text, "!");
    guard.isUniform = text.starts_with('U');
    const std::optional<u8> predicate = guard.isUniform ? numbered(text, "UP", "UPT", kTruePredicate)
                                                        : numbered(text, "P", "PT", kTruePredicate);
    if (!predicate) return std::nullopt;
    guard.predicate = *predicate;
    return guard;
}

}  // namespace

Expected<DecodedInstruction> decode(const Instruction& instruction) {
    if (!instruction.encoding[0] && !instruction.encoding[1])
        return fail(FaultKind::Damaged, english("this listing of machine code has no encodings: nvdisasm "
                                                "prints them with -hex"));
    DecodedInstruction decoded;
    decoded.row = findOpcode(instruction.opcode);
    if (!decoded.row) return unknown(instruction, instruction.opcode);
    decoded.control = controlBits(instruction.encoding[1]);
    decoded.offsetBytes = instruction.offsetBytes;
    decoded.pc = instruction.pc;
    const std::optional<Guard> guard = guardOf(instruction.guard);
    if (!guard) return unknown(instruction, instruction.guard);
    decoded.guard = *guard;

    std::string_view rest = instruction.opcode;
    rest.remove_prefix(std::min(rest.find('.'), rest.size()));
    while (take(rest, ".")) {
        const std::string_view name = rest.substr(0, rest.find('.'));
        rest.remove_prefix(name.size());
        const auto found =
            std::ranges::lower_bound(kModifiers, name, {}, &std::pair<std::string_view, Modifier>::first);
        if (found == std::end(kModifiers) || found->first != name) return unknown(instruction, name);
        decoded.modifiers.add(found->second);
        if (decoded.firstModifier == Last) decoded.firstModifier = found->second;
    }

    const OperandReader reader(instruction, *decoded.row);
    std::string_view left = instruction.operands;
    for (left = trim(left); !left.empty(); left = trim(left)) {
        // A blank ends an operand, too: RET.REL.NODEC R2 `(f).
        const std::size_t end = std::min(left.find_first_of(", "), left.size());
        const std::string_view text = left.substr(0, end);
        left.remove_prefix(end);
        left = trim(left);
        take(left, ",");
        const std::optional<Operand> operand = reader.read(text);
        if (!operand || decoded.operandCount == DecodedInstruction::kMostOperands)
            return unknown(instruction, text);
        decoded.storage[decoded.operandCount++] = *operand;
    }
    return decoded;
}

Expected<DecodedFunction> decode(const Function& function) {
    DecodedFunction decoded{.name = function.name, .instructions = {}, .registers = function.registers};
    decoded.instructions.reserve(function.instructions.size());
    for (const Instruction& instruction : function.instructions) {
        Expected<DecodedInstruction> next = decode(instruction);
        if (!next) return Unexpected{next.error()};
        if (next->offsetBytes != kInstructionBytes * decoded.instructions.size())
            return fail(FaultKind::Damaged, Message(english("this listing of machine code is not whole: "
                                                            "instructions of {0} are missing"),
                                                    function.name));
        decoded.instructions.push_back(*next);
    }
    return decoded;
}

}  // namespace lockstep::sass
