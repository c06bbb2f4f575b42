// Whatever a listing holds, reading it ends with machine code or a Fault, and so does decoding that.
#include "sass/decode.h"
#include "sass/machine_code.h"
#include "sass/memory_opcode.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto code = lockstep::sass::parseListing({reinterpret_cast<const char*>(data), size});
    if (!code) return 0;
    for (const lockstep::sass::Function& function : code->functions) {
        (void)lockstep::sass::decode(function);
        for (const lockstep::sass::Instruction& instruction : function.instructions)
            (void)lockstep::sass::memoryOpcode(instruction.opcode);
    }
    return 0;
}
