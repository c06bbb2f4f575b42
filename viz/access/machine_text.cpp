#include "viz/access/machine_text.h"

#include "base/text/message.h"
#include "base/text/punctuation.h"
#include "base/text/text.h"
#include "sass/control_bits.h"
#include "sass/opcodes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <vector>

namespace lockstep::viz {
namespace {

constexpr Words
    kOpcode = english("a machine instruction and what it does", "{0}: {1}."),
    kControlBits = english("Control bits: {0}."),
    kNext = english("the warp's next instruction no sooner than {0} {0:cycle|cycles} later"),
    kWaits = english("issues once {0:counter|counters} {1} {0:is|are} zero"),
    kWrites = english("counter {0} counts until the result is written"),
    kReads = english("counter {0} counts until the operands are read"),
    kGivesWay = english("the scheduler may prefer another warp next"),
    kReuses =
        english("the value of {0} {0:register operand|register operands} is kept for the next instruction");

std::string controlBitsText(const sass::ControlBits& bits, Language language) {
    std::vector<std::string> parts{say(language, kNext, std::max<u32>(1, bits.stallCycles))};
    if (bits.waitMask) {
        std::vector<u32> counters;
        for (u32 counter = 0; counter < 6; ++counter)
            if (bits.waitMask >> counter & 1) counters.push_back(counter);
        parts.push_back(say(language, kWaits, counters.size(), fmt::format("{}", fmt::join(counters, ", "))));
    }
    if (bits.writeCounter != sass::ControlBits::kNoCounter)
        parts.push_back(say(language, kWrites, bits.writeCounter));
    if (bits.readCounter != sass::ControlBits::kNoCounter)
        parts.push_back(say(language, kReads, bits.readCounter));
    if (bits.reuse) parts.push_back(say(language, kReuses, std::popcount(bits.reuse)));
    if (bits.givesWay) parts.push_back(say(language, kGivesWay));
    return say(language, kControlBits, fmt::format("{}", fmt::join(parts, semicolon(language))));
}

}  // namespace

std::string machineText(const sass::Instruction& instruction, Language language) {
    std::string text;
    if (const sass::OpcodeRow* row = sass::findOpcode(instruction.opcode))
        text = Message(kOpcode, instruction.opcode, row->does).in(language);
    if (instruction.encoding[1] == 0) return text;
    return text + (text.empty() ? "" : "\n") +
           controlBitsText(sass::controlBits(instruction.encoding[1]), language);
}

}  // namespace lockstep::viz
