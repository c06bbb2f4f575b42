#include "simt/script/op_operands.h"

#include "simt/opcodes/lane_helpers.h"

namespace lockstep::simt {
namespace {

constexpr Storage storageOfBytes(u32 bytes) {
    return bytes <= 4 ? Storage::Lanes32 : bytes == 8 ? Storage::Lanes64 : Storage::Lanes128;
}
constexpr OpOperand read(u8 place, Storage storage) { return {place, storage, true, false}; }
constexpr OpOperand written(u8 place, Storage storage) { return {place, storage, false, true}; }

}  // namespace

OpOperands operandsOf(const Program& program, const Op& op) {
    using enum Storage;
    OpOperands operands;
    const auto are = [&](std::initializer_list<OpOperand> list) {
        for (const OpOperand& operand : list)
            operands.all[operands.count++] = operand;
        return operands;
    };
    if (op.aux < program.rows.size() && program.rows[op.aux]->execute == op.execute) {
        const OpcodeRow& row = *program.rows[op.aux];
        for (u8 i = 0; i < row.results + row.sources; ++i)
            operands.all[operands.count++] =
                i < row.results ? written(i, row.operands[i]) : read(i, row.operands[i]);
        return operands;
    }
    const auto is = [&](auto... functions) { return ((op.execute == functions) || ...); };
    if (is(&narrowLanes)) return are({written(0, Lanes32), read(1, Lanes64)});
    if (is(&widenLanes, &widenSignedLanes)) return are({written(0, Lanes64), read(1, Lanes32)});
    if (is(&copyLanes32)) return are({written(0, Lanes32), read(1, Lanes32)});
    if (is(&copyLanes64)) return are({written(0, Lanes64), read(1, Lanes64)});
    if (is(&copyLanes128)) return are({written(0, Lanes128), read(1, Lanes128)});
    if (is(&notPredicate, &copyPredicate)) return are({written(0, Predicate), read(1, Predicate)});
    if (is(&extendSign)) return are({{0, Lanes32, true, true}});
    if (is(&addAddress)) return are({written(0, Lanes64), read(1, Lanes64), read(2, Lanes64)});
    if (is(&isShared, &isLocal, &isGlobal, &isParam)) return are({written(0, Predicate), read(1, Lanes64)});
    if (is(&packElement))
        return are({{0, storageOfBytes(op.at[4]), true, true}, read(1, storageOfBytes(op.at[3]))});
    if (is(&unpackElement))
        return are({read(0, storageOfBytes(op.at[4])), written(1, storageOfBytes(op.at[3]))});
    return operands;
}

}  // namespace lockstep::simt
