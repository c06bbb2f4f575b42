// Writes what a measurement needs: forms.txt (a line per row: form, storage of results and of sources, kinds
// of the sources) and operands.bin (u64 [kind][operand][tuple]). See README.md.
#include "../operands.h"
#include "simt/opcodes/opcode_table.h"

#include <cstdio>

using namespace lockstep;

int main() {
    std::FILE* forms = std::fopen("forms.txt", "w");
    std::FILE* operands = std::fopen("operands.bin", "wb");
    if (!forms || !operands) return 1;
    constexpr char storageNames[] = "-wdqp";
    constexpr const char* kindNames[] = {"i16", "i32",   "i64",    "amount", "f16",  "bf16",    "f32",
                                         "f64", "f16x2", "bf16x2", "i16x2",  "pred", "members", "table"};
    for (const simt::OpcodeRow& row : simt::allOpcodes()) {
        std::fprintf(forms, "%.*s ", int(row.form.size()), row.form.data());
        for (u32 i = 0; i < row.results; ++i)
            std::fputc(storageNames[int(row.operands[i])], forms);
        std::fputc(' ', forms);
        for (u32 i = 0; i < row.sources; ++i)
            std::fputc(storageNames[int(row.operands[row.results + i])], forms);
        for (opcodes::Kind kind : opcodes::sourceKinds(row))
            std::fprintf(forms, " %s", kindNames[int(kind)]);
        std::fputc('\n', forms);
    }
    for (u32 kind = 0; kind <= u32(opcodes::Kind::Table); ++kind)
        for (u32 operand = 0; operand < opcodes::kMostSources; ++operand)
            for (u32 index = 0; index < opcodes::kTuples; ++index) {
                const u64 bits = opcodes::operandBits(opcodes::Kind(kind), operand, index);
                std::fwrite(&bits, sizeof bits, 1, operands);
            }
    std::fclose(forms);
    std::fclose(operands);
}
