#include "sass/machine_code.h"

#include "sass/pc_lines.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

namespace lockstep::sass {
namespace {

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::optional<u32> numberAt(std::string_view text, int base = 10) {
    u32 value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc{} || end == text.data()) return std::nullopt;
    return value;
}

// What stands between two marks; empty where they do not.
std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
    const std::size_t begin = text.find(before);
    if (begin == std::string_view::npos) return {};
    text.remove_prefix(begin + before.size());
    const std::size_t end = text.find(after);
    return end == std::string_view::npos ? std::string_view() : text.substr(0, end);
}

std::string_view takeWord(std::string_view& text) {
    text = trimmed(text);
    const std::string_view word = text.substr(0, text.find_first_of(" \t"));
    text = trimmed(text.substr(word.size()));
    return word;
}

class Listing {
public:
    void read(std::string_view text) {
        while (!text.empty()) {
            const std::size_t end = text.find('\n');
            readLine(trimmed(text.substr(0, end)));
            if (end == std::string_view::npos) break;
            text.remove_prefix(end + 1);
        }
        endFunction();
    }

    Expected<MachineCode> take() && {
        for (Function& function : code_.functions)
            if (const auto found = registers_.find(function.name); found != registers_.end())
                function.registers = found->second;
        const bool isEmpty = std::ranges::all_of(
            code_.functions, [](const Function& function) { return function.instructions.empty(); });
        if (isEmpty)
            return fail(FaultKind::Damaged,
                        english("this is no listing of machine code: there is no instruction in it"));
        return std::move(code_);
    }

private:
    void readLine(std::string_view line) {
        if (isInBank_ && readConstants(line)) return;
        if (line.starts_with("/*")) return readInstruction(line);
        if (line.starts_with("//##")) return readSourceLine(line);
        if (line.starts_with(".section")) return readSection(line);
        if (line.starts_with(".target")) return readTarget(line);
        if (line.starts_with("ptxas info")) return readReport(line);
        if (line.ends_with(':')) labels_[std::string(line.substr(0, line.size() - 1))] = nextOffset();
    }

    // .target	sm_90
    void readTarget(std::string_view line) {
        const std::size_t sm = line.find("sm_");
        if (sm != std::string_view::npos) code_.computeCapability = numberAt(line.substr(sm + 3)).value_or(0);
    }

    // .section	.text._Z4copyPf,"ax",@progbits
    void readSection(std::string_view line) {
        endFunction();
        isInBank_ = false;
        // The bank of one kernel has a name behind the number.
        if (const auto bank = numberAt(between(line, ".nv.constant", ",")); bank && *bank != 0) {
            if (line.find(".nv.constant" + std::to_string(*bank) + ",") != std::string_view::npos) {
                code_.constants.push_back({.number = *bank, .bytes = {}, .addresses = {}});
                isInBank_ = true;
            }
        }
        const std::string_view name = between(line, ".text.", ",");
        if (!name.empty())
            code_.functions.push_back({.name = std::string(name), .instructions = {}, .registers = {}});
        isInFunction_ = !name.empty();
    }

    // /*0008*/ 	.byte	0xcd, 0xcc        /*0000*/ 	.dword	counter        .zero		7
    // Whether the line says what a bank holds.
    bool readConstants(std::string_view line) {
        constexpr std::size_t kMostBytes = 64 << 10;  // of a bank: CUDA C++ Programming Guide 13.0
        ConstantBank& bank = code_.constants.back();
        if (const std::string_view at = between(line, "/*", "*/"); !at.empty() && line.starts_with("/*")) {
            const auto offset = numberAt(at, 16);
            if (!offset || *offset > kMostBytes) return false;
            bank.bytes.resize(std::max<std::size_t>(bank.bytes.size(), *offset));
            line = trimmed(line.substr(at.size() + 4));
        }
        const std::string_view kind = takeWord(line);
        if (kind == ".zero") {
            const auto count = numberAt(line);
            if (!count || bank.bytes.size() + *count > kMostBytes) return false;
            bank.bytes.resize(bank.bytes.size() + *count);
            return true;
        }
        const std::size_t width = kind == ".byte"    ? 1
                                  : kind == ".short" ? 2
                                  : kind == ".word"  ? 4
                                  : kind == ".dword" ? 8
                                                     : 0;
        if (!width) return false;
        while (!line.empty() && bank.bytes.size() + width <= kMostBytes) {
            const std::size_t end = std::min(line.find(','), line.size());
            const std::string_view word = trimmed(line.substr(0, end));
            line = trimmed(line.substr(std::min(end + 1, line.size())));
            u64 value = 0;
            if (word.starts_with("0x"))
                std::from_chars(word.data() + 2, word.data() + word.size(), value, 16);
            else if (width == 8)
                bank.addresses.push_back(
                    {.offsetBytes = u32(bank.bytes.size()), .variable = std::string(word)});
            for (std::size_t i = 0; i < width; ++i)
                bank.bytes.push_back(std::byte(value >> (8 * i) & 0xff));
        }
        return true;
    }

    // ptxas info    : Compiling entry function '_Z4copyPf' for 'sm_90'
    // ptxas info    : Used 8 registers, 368 bytes cmem[0]
    void readReport(std::string_view line) {
        if (const std::string_view name = between(line, "Compiling entry function '", "'"); !name.empty())
            reported_ = name;
        if (const std::string_view used = between(line, "Used ", " registers");
            !used.empty() && !reported_.empty())
            if (const auto count = numberAt(used)) registers_[std::string(reported_)] = *count;
    }

    // //## File "lockstep.pc", line 12
    void readSourceLine(std::string_view line) {
        pc_ = kNoPc;
        if (between(line, "File \"", "\"") != kPcFile) return;
        const std::size_t number = line.find("\", line ");
        if (number == std::string_view::npos) return;
        if (const auto n = numberAt(line.substr(number + 8)); n && *n > 0) pc_ = Pc{*n - 1};
    }

    // /*00e0*/   @!P0 BRA `(.L_x_0) ;
    void readInstruction(std::string_view line) {
        const std::size_t close = line.find("*/");
        const std::size_t end = line.find(';');
        if (const std::optional<u64> word =
                encodingAt(line.substr(end == std::string_view::npos ? 0 : end))) {
            // The second word stands alone in the line below.
            if (end == std::string_view::npos) return takeSecondWord(*word);
            firstWord_ = *word;
        }
        if (!isInFunction_ || close == std::string_view::npos || end == std::string_view::npos || end < close)
            return;
        const std::optional<u32> offset = numberAt(trimmed(line.substr(2, close - 2)), 16);
        std::string_view rest = trimmed(line.substr(close + 2, end - close - 2));
        if (!offset || rest.empty()) return;
        Instruction instruction{
            .offsetBytes = *offset, .guard = {}, .opcode = {}, .operands = {}, .pc = pc_, .encoding = {}};
        if (rest.starts_with('@')) instruction.guard = takeWord(rest);
        instruction.opcode = takeWord(rest);
        if (instruction.opcode.empty()) return;
        instruction.operands = rest;
        instruction.encoding[0] = std::exchange(firstWord_, 0);
        code_.functions.back().instructions.push_back(std::move(instruction));
    }
    // "/* 0x000e220000002200 */"
    static std::optional<u64> encodingAt(std::string_view text) {
        const std::string_view digits = between(text, "/* 0x", " */");
        u64 word = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), word, 16);
        if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size())
            return std::nullopt;
        return word;
    }
    void takeSecondWord(u64 word) {
        if (!isInFunction_ || code_.functions.back().instructions.empty()) return;
        code_.functions.back().instructions.back().encoding[1] = word;
    }

    u32 nextOffset() const {
        if (!isInFunction_ || code_.functions.back().instructions.empty()) return 0;
        return code_.functions.back().instructions.back().offsetBytes + kInstructionBytes;
    }

    // Labels mean nothing outside the listing: a branch says how far it goes.
    void endFunction() {
        if (isInFunction_) {
            std::vector<Instruction>& instructions = code_.functions.back().instructions;
            for (Instruction& instruction : instructions)
                nameTarget(instruction);
            // Never run: it fills the function up to whole lines of the instruction cache.
            while (!instructions.empty() &&
                   (instructions.back().opcode == "NOP" || branchesToItself(instructions.back())))
                instructions.pop_back();
        }
        labels_.clear();
        isInFunction_ = false;
        pc_ = kNoPc;
    }
    static bool branchesToItself(const Instruction& instruction) {
        return instruction.opcode == "BRA" && instruction.guard.empty() &&
               instruction.operands == hexadecimal(instruction.offsetBytes);
    }
    static std::string hexadecimal(u32 offsetBytes) {
        char digits[8];
        const auto written = std::to_chars(digits, digits + sizeof digits, offsetBytes, 16);
        return "0x" + std::string(digits, written.ptr);
    }
    void nameTarget(Instruction& instruction) const {
        std::string& operands = instruction.operands;
        const std::size_t begin = operands.find("`(");
        const std::size_t end = operands.find(')', begin);
        if (begin == std::string::npos || end == std::string::npos) return;
        const auto label = labels_.find(operands.substr(begin + 2, end - begin - 2));
        if (label == labels_.end()) return;
        operands.replace(begin, end - begin + 1, hexadecimal(label->second));
    }

    MachineCode code_;
    std::map<std::string, u32> labels_;     // of the function so far
    std::map<std::string, u32> registers_;  // by function
    std::string_view reported_;
    Pc pc_ = kNoPc;
    u64 firstWord_ = 0;  // of the instruction that is being read
    bool isInFunction_ = false, isInBank_ = false;
};

}  // namespace

const Function* MachineCode::find(std::string_view name) const {
    const auto found = std::ranges::find(functions, name, &Function::name);
    return found == functions.end() ? nullptr : &*found;
}

Expected<MachineCode> parseListing(std::string_view text) {
    Listing listing;
    listing.read(text);
    return std::move(listing).take();
}

}  // namespace lockstep::sass
