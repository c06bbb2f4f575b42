// The machine code of the source view: offsets, instructions, the PTX instruction that each came from, and
// shares where an instruction of the machine makes just the access of one of the PTX.
#include "base/text/trimmed.h"
#include "base/text/words.h"
#include "run/machine/machine_run.h"
#include "viz/view_options.h"
#include "witness/readers/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace lockstep::witness {
namespace {

constexpr u32 kInstructionBytes = 16;  // of cc 7.0 and later
constexpr f32 kSharesApart =
    60;  // from the head of one column of shares, in pixels: the next begins farther right

// "Machine instruction at 0x0070: ...", "位于 0x0070 的机器指令：..."; perhaps below the line's code.
std::optional<u32> offsetOf(std::string_view hover) {
    hover = hover.substr(hover.rfind('\n') + 1);
    if (!contains(hover, "achine instruction at 0x") && !contains(hover, "机器指令")) return std::nullopt;
    const std::size_t at = hover.find("0x");
    if (at == std::string_view::npos) return std::nullopt;
    u32 offset = 0;
    const auto end = std::from_chars(hover.data() + at + 2, hover.data() + hover.size(), offset, 16);
    return end.ec == std::errc() ? std::optional(offset) : std::nullopt;
}

std::string textOf(const sass::Instruction& instruction) {
    std::string text = instruction.guard + " " + instruction.opcode + " " + instruction.operands;
    return squeezed(trimmed(text, kAllBlanks));
}

bool isOffset(std::string_view text) {
    return text.size() >= 4 && std::ranges::all_of(text, [](char c) { return std::isxdigit(u8(c)); });
}

// Bytes of a lane that the opcode moves: "LDS.128" 16, "LDG.E" 4; 0 for what is no access.
u32 bytesMoved(std::string_view opcode) {
    if (!opcode.starts_with("LD") && !opcode.starts_with("ST")) return 0;
    if (opcode.starts_with("LDC") || opcode.starts_with("LDGSTS") || opcode.starts_with("LDSM")) return 0;
    for (const auto& [suffix, bytes] : {std::pair<std::string_view, u32>{".128", 16},
                                        {".64", 8},
                                        {".U8", 1},
                                        {".S8", 1},
                                        {".U16", 2},
                                        {".S16", 2}})
        if (contains(opcode, suffix)) return bytes;
    return 4;
}

}  // namespace

const sass::Function* Reader::machineKernel() const {
    const auto& machine = run_.run().machine;
    return machine && machine->code ? machine->code->find(launch_.entry) : nullptr;
}

std::vector<const sass::Instruction*> Reader::machineAt(u32 offset) const {
    std::vector<const sass::Instruction*> found;
    for (const sass::Function& function : run_.run().machine->code->functions) {
        if (&function != machineKernel() && run_.run().module->findEntry(function.name)) continue;
        const std::size_t i = offset / kInstructionBytes;
        if (offset % kInstructionBytes == 0 && i < function.instructions.size())
            found.push_back(&function.instructions[i]);
    }
    return found;
}

// The share of an access's sectors or wavefronts; none where the machine's instruction is not one of the PTX.
std::optional<std::string> Reader::machineShare(const sass::Instruction& instruction,
                                                u64 PcSums::*cost) const {
    const ptx::Module& module = *run_.run().module;
    const u32 bytes = bytesMoved(instruction.opcode);
    if (run_.run().recording.launches.size() > 1)
        return std::nullopt;  // the page is of one launch, ofPc() of all
    if (bytes == 0 || instruction.pc.value >= module.instructions.size()) return std::nullopt;
    u64 whole = 0;
    for (const auto& [pc, sums] : run_.ofPc()) {
        // Every access has to be one of the machine's, as wide: else the whole is the machine's own.
        if (sums.requests == 0 && sums.wavefronts == 0) continue;
        u32 count = 0;
        for (const sass::Instruction& other : machineKernel()->instructions)
            if (other.pc == Pc{pc} && bytesMoved(other.opcode)) ++count;
        if (count != 1) return std::nullopt;
        whole += sums.*cost;
    }
    const auto own = run_.ofPc().find(instruction.pc.value);
    if (own == run_.ofPc().end() || whole == 0) return std::nullopt;
    return shareOf(own->second.*cost, whole);
}

void Reader::machinePicture() {
    const sass::Function* kernel = machineKernel();
    if (!kernel) return;
    const std::optional<Head> sectors = head({"sectors", "transactions", "扇区", "事务"});
    for (const Said& said : picture_.texts) {
        if (said.isCaption || said.isSentence) continue;
        const std::optional<u32> offset = offsetOf(said.isHover ? said.text : said.hover);
        if (!offset || said.text.find_first_of("0123456789") == std::string::npos) continue;
        take(said);
        const std::vector<const sass::Instruction*> here = machineAt(*offset);
        if (here.empty()) {
            fail(said, said.text, "there is no machine instruction");
            continue;
        }
        const auto isAny = [&](const auto& holds) {
            return std::ranges::any_of(here, [&](const sass::Instruction* i) { return holds(*i); });
        };
        if (said.isHover) {
            if (!isAny([&](const sass::Instruction& i) { return machineHoverIs(said.text, i, *offset); }))
                fail(said, said.text, "the instruction there came from another one");
        } else if (said.text.ends_with('%')) {
            const sass::Instruction* inKernel = &kernel->instructions[std::min<std::size_t>(
                *offset / kInstructionBytes, kernel->instructions.size() - 1)];
            const bool isSectors = sectors && said.left < sectors->said->left + kSharesApart;
            const std::optional<std::string> share =
                machineShare(*inKernel, isSectors ? &PcSums::sectors : &PcSums::wavefronts);
            if (share && *share != said.text) fail(said, said.text, "the share is " + *share);
        } else if (isOffset(said.text)) {
            if (said.text != fmt::format("{:04x}", *offset)) fail(said, said.text, "another offset");
        } else if (!isAny([&](const sass::Instruction& i) {
                       return contains(textOf(i), squeezed(withoutDots(said.text)));
                   })) {
            fail(said, said.text, "it is no text of the instruction there");
        }
    }
}

// The last line of what the mouse is told: offset, PTX instruction, its line.
bool Reader::machineHoverIs(std::string_view hover, const sass::Instruction& instruction, u32 offset) const {
    std::vector<f64> numbers;
    const std::string_view last = hover.substr(hover.rfind('\n') + 1);
    const std::string behind(last.substr(last.find("0x") + 2 + fmt::format("{:04x}", offset).size()));
    for (const Token& token : tokensOf(behind))
        if (token.kind == Token::Kind::Bare || token.kind == Token::Kind::Id ||
            token.kind == Token::Kind::Count)
            numbers.push_back(token.value);
    if (instruction.pc.value >= run_.run().module->instructions.size()) return numbers.empty();
    return numbers.size() == 2 && numbers[0] == instruction.pc.value &&
           numbers[1] == run_.lineOf(instruction.pc);
}

// "ptxas 13.0.88 for sm_90: 13 instructions, 40 registers per thread; ..."
void Reader::machineText(const Said& said) {
    const sass::Function* kernel = machineKernel();
    if (!kernel || !says(said.text, {"for sm_", "，sm_"})) return;
    const sass::MachineCode& code = *run_.run().machine->code;
    take(said);
    std::fill(done_.begin(), done_.end(), true);
    for (const std::string& part :
         {code.compiler, fmt::format("sm_{}", code.computeCapability),
          english() ? fmt::format(" {} instruction", spoken(u64(kernel->instructions.size())))
                    : fmt::format("{} 条指令", spoken(u64(kernel->instructions.size()))),
          english() ? fmt::format(" {} register", kernel->registers.value_or(0))
                    : fmt::format("{} 个寄存器", kernel->registers.value_or(0))})
        if (!contains(said.text, part)) fail(said, said.text, "it is " + part);
}

}  // namespace lockstep::witness
