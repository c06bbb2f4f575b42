// What an opcode does: the opcode table has it, in English; what is more than a formula is translated.
#include "model/sentence.h"
#include "ptx/opcodes.h"

namespace lockstep::model {

Message opcodeSummary(const ptx::Instruction& instruction) {
    if (instruction.opcode >= ptx::opcodeTable().size()) return {};
    const std::string_view summary = ptx::opcodeTable()[instruction.opcode].summary;
    if (const std::optional<Words> words = Words::of(keyOfText("", summary))) return *words;
    return Message::plain(std::string(summary));
}

}  // namespace lockstep::model
