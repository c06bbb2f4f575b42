// Instructions that decide where lanes go on; step.cpp does it.
#include "time/machine/op_builder.h"

namespace lockstep::time {
namespace {

using sass::Modifier;
using sass::Opcode;

bool buildBranch(OpBuilder& b) {
    b.op.flow = Flow::Branch;
    if (b.has(Modifier::Div)) {
        b.op.flow = Flow::BranchIfDiverged;
        return b.source(0) && b.target() && b.left() == 0;
    }
    if (b.left() == 2 && !b.condition(0)) return false;
    return b.target() && b.left() == 0;
}
bool buildCall(OpBuilder& b) {
    b.op.flow = Flow::Call;
    return b.has(Modifier::Rel) && b.target() && b.left() == 0;
}
bool buildReturn(OpBuilder& b) {
    b.op.flow = Flow::Return;
    return b.has(Modifier::Rel) && b.source(0) && b.target() && b.left() == 0;
}
template <Flow F> bool buildPlain(OpBuilder& b) {
    b.op.flow = F;
    return b.left() == 0;
}
// B0, and of BSSY where its lanes meet.
template <Flow F> bool buildRegion(OpBuilder& b) {
    b.op.flow = F;
    const sass::Operand* const barrier = b.take();
    if (!barrier || barrier->kind != sass::OperandKind::Barrier) return false;
    b.op.barrier = barrier->number;
    return F != Flow::Begin || b.target();
}
bool buildWarpSync(OpBuilder& b) {
    b.op.flow = Flow::WarpSync;
    b.op.extra = b.has(Modifier::All);
    if (b.has(Modifier::All)) return b.left() == 0;
    if (!b.source(0)) return false;
    return b.left() == 0 || (b.target() && b.left() == 0);
}
// Barriers of the whole block; named ones with a number of threads are not executed.
bool buildBarrier(OpBuilder& b) {
    u32 number = 0;
    b.op.flow = Flow::BlockBarrier;
    if (!b.has(Modifier::Sync) || !b.immediate(number)) return false;
    b.op.barrier = u8(number);
    return number == 0 && b.left() == 0;
}

constexpr std::array kRows = {
    ExecuteRow{Opcode::Bar, buildBarrier},
    ExecuteRow{Opcode::Bra, buildBranch},
    ExecuteRow{Opcode::Break, buildRegion<Flow::Leave>},
    ExecuteRow{Opcode::Bssy, buildRegion<Flow::Begin>},
    ExecuteRow{Opcode::Bsync, buildRegion<Flow::Join>},
    ExecuteRow{Opcode::Call, buildCall},
    ExecuteRow{Opcode::Exit, buildPlain<Flow::Exit>},
    ExecuteRow{Opcode::Ret, buildReturn},
    ExecuteRow{Opcode::WarpSync, buildWarpSync},
};

}  // namespace

std::span<const ExecuteRow> flowRows() { return kRows; }

}  // namespace lockstep::time
