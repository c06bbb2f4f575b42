#include "ptx/opcodes.h"

#include "ptx/parser/operand_rules.h"
#include "ptx/parser/test_texts.h"

#include <gtest/gtest.h>

#include <set>

namespace lockstep::ptx {
namespace {

std::string registerOf(const OperandRule& rule) {
    switch (rule.type == Type::Pred ? 0 : bytesOf(rule.type)) {
        case 0: return "%p1";
        case 1:
        case 2: return "%rs1";
        case 4: return rule.type == Type::F32 ? "%f1" : "%r1";
        case 8: return rule.type == Type::F64 ? "%fd1" : "%rd1";
        default: return "%rq1";
    }
}

std::string operandOf(const OperandRule& rule) {
    if (rule.role == Role::Address) return "[%rd1]";
    if (rule.role == Role::Label) return "$here";
    if (rule.role == Role::Fragment) return "{%r1, %r2}";
    if (rule.vector == 1) return registerOf(rule);
    std::string list = "{" + registerOf(rule);
    for (int i = 1; i < rule.vector; ++i)
        list += ", " + registerOf(rule);
    return list + "}";
}

// "add.s32" -> "add.s32 %r1, %r1, %r1;", the operands as the table wants them.
std::string instructionOf(const std::string& name) {
    const std::string base = name.substr(0, name.find('.'));
    const OpcodeRow* row = findOpcode(base);
    if (!row) return name + " has no row;";
    if (base == "call") return "call.uni callee;";
    const bool memory = row->opcodeClass == OpcodeClass::Memory || row->opcodeClass == OpcodeClass::Atomic;
    const auto context = base == "setp" || base == "set" ? ModifierContext::Compares : ModifierContext::Plain;
    const ResolvedRules rules =
        resolveRules(row->operands, parseModifiers(name.substr(base.size()), context, false), memory, 64);
    if (rules.alternatives.empty()) return name + " has no operands;";
    std::string text = name + " ";
    for (u32 i = 0; i < rules.alternatives[0].least; ++i)
        text += (i ? ", " : "") + operandOf(rules.alternatives[0].operands[i]);
    return text + ";";
}

TEST(Opcodes, ReadEveryFormOfTheSurvey) {
    std::stringstream forms(fixture("forms.txt"));
    int count = 0;
    for (std::string name; std::getline(forms, name); ++count) {
        const std::string text = ".func callee; " + kernelOf(instructionOf(name));
        const Expected<Module> module = parse(text, name);
        if (!module) {
            ADD_FAILURE() << instructionOf(name) << " " << describe(module.error());
            continue;
        }
        EXPECT_EQ(module->at(Pc{0}).name, name);
        EXPECT_EQ(module->instructions.size(), 2u);
    }
    EXPECT_EQ(count, 384);
}

TEST(Opcodes, AreReadWithTheirFormClassAndOperands) {
    struct Case {
        const char *text, *form;
        u32 operands;
    };
    constexpr Case cases[] = {
        {"ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1+16]", "ld.global.v4.f32", 2},
        {"ld.global.nc.L1::no_allocate.L2::256B.v2.u64 {%rd1, _}, [%rd2]", "ld.global.v2.u64", 2},
        {"ld.volatile.shared.u32 %r1, [tile+4]", "ld.shared.u32", 2},
        {"ld.relaxed.gpu.global.u32 %r1, [g]", "ld.global.u32", 2},
        {"ld.acquire.sys.u64 %rd1, [%rd2]", "ld.u64", 2},
        {"ld.shared::cta.u8 %rs1, [%r1]", "ld.shared.u8", 2},
        {"ld.shared::cluster.u32 %r1, [%r2]", "ld.shared::cluster.u32", 2},
        {"ld.param.u64 %rd1, [pointer]", "ld.param.u64", 2},
        {"ld.const.f32 %f1, [k+4]", "ld.const.f32", 2},
        {"ld.local.s8 %r1, [depot]", "ld.local.s8", 2},
        {"ld.global.b128 %rq1, [%rd1]", "ld.global.b128", 2},
        {"ld.global.L2::cache_hint.u32 %r1, [%rd1], %rd2", "ld.global.u32", 2},
        {"ldu.global.f32 %f1, [%rd1]", "ldu.global.f32", 2},
        {"st.global.wt.v2.f32 [%rd1], {%f1, 0f3F800000}", "st.global.v2.f32", 2},
        {"st.release.cluster.shared.u32 [tile], 5", "st.shared.u32", 2},
        {"st.global.u8 [%rd1], %r1", "st.global.u8", 2},
        {"prefetch.global.L2 [%rd1]", "prefetch.global", 1},
        {"prefetchu.L1 [%rd1]", "prefetchu", 1},
        {"applypriority.global.L2::evict_normal [%rd1], 128", "applypriority.global", 2},
        {"discard.global.L2 [%rd1], 128", "discard.global", 2},
        {"cp.async.ca.shared.global [%r1], [%rd1], 4", "cp.async.shared.global", 3},
        {"cp.async.cg.shared::cta.global.L2::128B [%r1], [%rd1], 16, %r2", "cp.async.shared.global", 4},
        {"cp.async.cg.shared.global [%r1], [%rd1], 16, %p1", "cp.async.shared.global", 4},
        {"cp.async.commit_group", "cp.async.commit_group", 0},
        {"cp.async.wait_group 1", "cp.async.wait_group", 1},
        {"cp.async.wait_all", "cp.async.wait_all", 0},
        {"cp.async.mbarrier.arrive.noinc.shared.b64 [%r1]", "cp.async.mbarrier.arrive.noinc.shared.b64", 1},
        {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], 64, [%r2]",
         "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes", 4},
        {"atom.global.cas.b128 %rq1, [%rd1], %rq2, %rq3", "atom.global.cas.b128", 4},
        {"atom.relaxed.gpu.global.add.noftz.f16x2 %r1, [%rd1], %r2", "atom.global.add.noftz.f16x2", 3},
        {"atom.add.acquire.cta.shared::cta.u64 %rd1, [tile], 1", "atom.add.shared.u64", 3},
        {"atom.global.v2.f32.add {%f1, %f2}, [%rd1], {%f3, %f4}", "atom.global.v2.f32.add", 3},
        {"atom.cas.b16 %rs1, [%rd1], %rs2, %rs3", "atom.cas.b16", 4},
        {"atom.global.inc.u32 _, [%rd1], 7", "atom.global.inc.u32", 3},
        {"red.release.gpu.global.add.f64 [%rd1], 0d3FF0000000000000", "red.global.add.f64", 2},
        {"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r1], %r2, [%r3]",
         "red.async.shared::cluster.mbarrier::complete_tx::bytes.add.u32", 3},
        {"bar.sync 0", "bar.sync", 1},
        {"barrier.sync.aligned %r1, 64", "bar.sync", 2},
        {"barrier.cta.arrive 1, 64", "bar.arrive", 2},
        {"bar.red.popc.u32 %r1, 0, %p1", "bar.red.popc.u32", 3},
        {"barrier.red.and.pred %p1, 0, 64, !%p2", "bar.red.and.pred", 4},
        {"bar.warp.sync -1", "bar.warp.sync", 1},
        {"barrier.cluster.arrive.release.aligned", "barrier.cluster.arrive", 0},
        {"barrier.cluster.wait.acquire", "barrier.cluster.wait", 0},
        {"membar.gl", "membar", 0},
        {"fence.acq_rel.cluster", "fence", 0},
        {"fence.proxy.async.shared::cta", "fence.proxy.async.shared", 0},
        {"fence.mbarrier_init.release.cluster", "fence.mbarrier_init", 0},
        {"mbarrier.init.shared::cta.b64 [%r1], 32", "mbarrier.init.shared.b64", 2},
        {"mbarrier.arrive.release.cta.shared::cta.b64 %rd1, [%r1]", "mbarrier.arrive.shared.b64", 2},
        {"mbarrier.arrive.expect_tx.shared.b64 _, [%r1], 64", "mbarrier.arrive.expect_tx.shared.b64", 3},
        {"mbarrier.arrive_drop.noComplete.shared.b64 %rd1, [%r1], 2",
         "mbarrier.arrive_drop.noComplete.shared.b64", 3},
        {"mbarrier.test_wait.parity.shared.b64 %p1, [%r1], %r2", "mbarrier.test_wait.parity.shared.b64", 3},
        {"mbarrier.try_wait.acquire.cta.shared::cta.b64 %p1, [%r1], %rd1, 100",
         "mbarrier.try_wait.shared.b64", 4},
        {"mbarrier.pending_count.b64 %r1, %rd1", "mbarrier.pending_count.b64", 2},
        {"shfl.sync.down.b32 %r1|%p1, %r2, 16, 31, -1", "shfl.sync.down.b32", 5},
        {"shfl.bfly.b32 %f1, %f2, 1, 31", "shfl.bfly.b32", 4},
        {"vote.sync.ballot.b32 %r1, !%p1, 0xffffffff", "vote.sync.ballot.b32", 3},
        {"match.all.sync.b64 %r1|%p1, %rd1, -1", "match.all.sync.b64", 3},
        {"match.any.sync.b32 %r1, %r2, -1", "match.any.sync.b32", 3},
        {"redux.sync.min.s32 %r1, %r2, -1", "redux.sync.min.s32", 3},
        {"activemask.b32 %r1", "activemask.b32", 1},
        {"elect.sync _|%p1, -1", "elect.sync", 2},
        {"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r1, %r2, %r3, %r4}, [%r5]",
         "ldmatrix.sync.m8n8.x4.trans.shared.b16", 2},
        {"stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r5], {%r1}", "stmatrix.sync.m8n8.x1.shared.b16", 2},
        {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, {%r5,%r6}, "
         "{%f1,%f2,%f3,%f4}",
         "mma.sync.m16n8k16.row.col.f32.f16.f16.f32", 4},
        {"wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, [%rd1], %r0",
         "wmma.load.a.sync.row.m16n16k16.global.f16", 3},
        {"wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.rn {%fd1,%fd2}, {%fd3}, {%fd4}, {%fd1,%fd2}",
         "wmma.mma.sync.row.col.m8n8k4.f64.f64.rn", 4},
        {"wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd1], {%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8}, 16",
         "wmma.store.d.sync.row.m16n16k16.global.f32", 3},
        {"mul.wide.s32 %rd1, %r1, -4", "mul.wide.s32", 3},
        {"mad.wide.u16 %r1, %rs1, %rs2, %r2", "mad.wide.u16", 4},
        {"madc.hi.cc.u32 %r1, %r2, %r3, %r4", "madc.hi.cc.u32", 4},
        {"setp.lt.and.f32 %p1|%p2, %f1, 0f00000000, !%p3", "setp.lt.and.f32", 4},
        {"setp.eq.s16 %p1, %rs1, -1", "setp.eq.s16", 3},
        {"set.ge.or.u32.f64 %r1, %fd1, %fd2, %p1", "set.ge.or.u32.f64", 4},
        {"slct.f32.s32 %f1, %f2, %f3, %r1", "slct.f32.s32", 4},
        {"testp.notanumber.f64 %p1, %fd1", "testp.notanumber.f64", 2},
        {"lop3.b32 %r1, %r2, %r3, %r4, 0x96", "lop3.b32", 5},
        {"shf.r.clamp.b32 %r1, %r2, %r3, 8", "shf.r.clamp.b32", 4},
        {"prmt.b32.f4e %r1, %r2, %r3, %r4", "prmt.b32.f4e", 4},
        {"bfe.s64 %rd1, %rd2, 3, %r1", "bfe.s64", 4},
        {"bfi.b32 %r1, %r2, %r3, 8, 8", "bfi.b32", 5},
        {"bfind.shiftamt.u64 %r1, %rd1", "bfind.shiftamt.u64", 2},
        {"fns.b32 %r1, %r2, 0, 1", "fns.b32", 4},
        {"dp4a.u32.s32 %r1, %r2, %r3, -1", "dp4a.u32.s32", 4},
        {"dp2a.lo.s32.u32 %r1, %r2, %r3, %r4", "dp2a.lo.s32.u32", 4},
        {"sad.s16 %rs1, %rs2, %rs3, 0", "sad.s16", 4},
        {"mad24.lo.s32 %r1, %r2, %r3, %r4", "mad24.lo.s32", 4},
        {"mul24.hi.u32 %r1, %r2, %r3", "mul24.hi.u32", 3},
        {"tanh.approx.f16x2 %r1, %r2", "tanh.approx.f16x2", 2},
        {"ex2.approx.ftz.bf16 %rs1, %rs2", "ex2.approx.ftz.bf16", 2},
        {"cvt.rn.satfinite.e4m3x2.f32 %rs1, %f1, %f2", "cvt.rn.satfinite.e4m3x2.f32", 3},
        {"cvt.rn.f16x2.e5m2x2 %r1, %rs1", "cvt.rn.f16x2.e5m2x2", 2},
        {"cvt.rn.bf16x2.f32 %r1, %f1, %f2", "cvt.rn.bf16x2.f32", 3},
        {"cvt.rna.tf32.f32 %r1, %f1", "cvt.rna.tf32.f32", 2},
        {"cvt.pack.sat.u8.s32.b32 %r1, %r2, %r3, %r4", "cvt.pack.sat.u8.s32.b32", 4},
        {"cvt.u8.u32 %rs1, %r1", "cvt.u8.u32", 2},
        {"cvta.shared.u64 %rd1, tile", "cvta.shared.u64", 2},
        {"cvta.to.const.u64 %rd1, %rd2", "cvta.to.const.u64", 2},
        {"isspacep.shared::cta %p1, %rd1", "isspacep.shared", 2},
        {"mov.b64 %rd1, {%r1, 5}", "mov.b64", 2},
        {"mov.b128 {%rd1, %rd2}, %rq1", "mov.b128", 2},
        {"mov.u64 %rd1, g+8", "mov.u64", 2},
        {"mov.u32 %r1, %tid.w", "mov.u32", 2},
        {"mov.u32 %r1, %clusterid.y", "mov.u32", 2},
        {"vadd.s32.u32.s32.sat %r1, %r2.b0, %r3.h1, %r4", "vadd.s32.u32.s32.sat.selected", 4},
        {"vmad.u32.u32.u32.shr7 %r1, %r2, %r3, %r4", "vmad.u32.u32.u32.shr7", 4},
        {"vset4.u32.u32.lt %r1, %r2, %r3, %r4", "vset4.u32.u32.lt", 4},
        {"vabsdiff2.s32.s32.s32 %r1.h10, %r2.h31, %r3, %r4", "vabsdiff2.s32.s32.s32.selected", 4},
        {"bra.uni $here", "bra", 1},
        {"nanosleep.u32 %r1", "nanosleep.u32", 1},
        {"trap", "trap", 0},
        {"alloca.u64 %rd1, %rd2, 16", "alloca.u64", 3},
        {"stacksave.u64 %rd1", "stacksave.u64", 1},
        {"setmaxnreg.inc.sync.aligned.u32 240", "setmaxnreg.inc.sync.u32", 1},
        {"griddepcontrol.wait", "griddepcontrol.wait", 0},
        {"getctarank.shared::cluster.u32 %r1, %r2", "getctarank.shared::cluster.u32", 2},
        {"mapa.u64 %rd1, %rd2, %r1", "mapa.u64", 3},
        {"createpolicy.fractional.L2::evict_last.b64 %rd1, 1.0", "createpolicy.fractional.b64", 2},
        {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1,%f2,%f3,%f4}, %rd1, %rd2, %p1, 1, 1, 0, 0",
         "wgmma.mma_async.sync.m64n8k16.f32.f16.f16", 8},
        {"add .s32 %r1, %r2, 3", "add.s32", 3},
    };
    for (const Case& c : cases) {
        const Module module = parsed(kernelOf(std::string(c.text) + ";"));
        if (module.instructions.empty()) {
            ADD_FAILURE() << c.text;
            continue;
        }
        EXPECT_EQ(module.at(Pc{0}).form, c.form);
        EXPECT_EQ(module.operandsOf(module.at(Pc{0})).size(), c.operands) << c.text;
        EXPECT_EQ(module.textOf(Pc{0}), c.text);
    }
}

TEST(Opcodes, GiveConstantsTheBitsOfTheirPlace) {
    struct Case {
        const char* text;
        u32 operand;
        Type type;
        u64 bits;
    };
    constexpr Case cases[] = {
        {"add.f32 %f1, %f2, 0f3F800000", 2, Type::F32, 0x3f800000},
        {"add.f32 %f1, %f2, -0f3F800000", 2, Type::F32, 0xbf800000},
        {"add.f32 %f1, %f2, 0F7FA00001", 2, Type::F32, 0x7fa00001},  // a signaling NaN keeps its bits
        {"mov.f32 %f1, 1.5", 1, Type::F32, 0x3fc00000},
        {"mov.f32 %f1, 0d3FF8000000000000", 1, Type::F32, 0x3fc00000},
        {"mov.f64 %fd1, 0f3FC00000", 1, Type::F64, 0x3ff8000000000000},
        {"mov.f64 %fd1, 1e-3", 1, Type::F64, 0x3f50624dd2f1a9fc},
        {"mov.b32 %r1, 0f3FC00000", 1, Type::B32, 0x3fc00000},
        {"mov.b64 %rd1, 0d3FF8000000000000", 1, Type::B64, 0x3ff8000000000000},
        {"mov.b16 %rs1, 0x3C00", 1, Type::B16, 0x3c00},
        {"fma.rn.f16 %rs1, %rs2, %rs3, 1.0", 3, Type::F16, 0x3c00},
        {"mul.bf16 %rs1, %rs2, 1.0", 2, Type::BF16, 0x3f80},
        {"mov.u32 %r1, -1", 1, Type::U32, 0xffffffff},
        {"mov.u64 %rd1, -1", 1, Type::U64, 0xffffffffffffffff},
        {"mov.s64 %rd1, 0x8000000000000000", 1, Type::S64, 0x8000000000000000},
        {"setp.lt.s16 %p1, %rs1, -2", 2, Type::S16, 0xfffe},
        {"shl.b64 %rd1, %rd2, 3", 2, Type::U32, 3},
        {"shr.s16 %rs1, %rs2, 15U", 2, Type::U32, 15},
        {"mul.wide.s32 %rd1, %r1, -8", 2, Type::S32, 0xfffffff8},
        {"mul.wide.s16 %r1, %rs1, -8", 2, Type::S16, 0xfff8},
        {"mad.wide.s32 %rd1, %r1, 4, -8", 3, Type::S64, 0xfffffffffffffff8},
        {"mov.u32 %r1, 0b101", 1, Type::U32, 5},
        {"mov.u32 %r1, 017", 1, Type::U32, 15},
        {"mov.u32 %r1, WARP_SZ", 1, Type::U32, 32},
        {"mov.u32 %r1, (1 << 4) | 2*3 - -1", 1, Type::U32, 23},
        {"mov.u32 %r1, 7 % 4 == 3 ? 10 : 20", 1, Type::U32, 10},
        {"mov.s32 %r1, ~0 >> 1", 1, Type::S32, 0xffffffff},
        {"mov.u64 %rd1, ~0U >> 1", 1, Type::U64, 0x7fffffffffffffff},
        {"mov.s32 %r1, -7 / 2", 1, Type::S32, 0xfffffffd},
        {"mov.u32 %r1, (.u64) -1 > 0", 1, Type::U32, 1},
        {"mov.pred %p1, 1", 1, Type::Pred, 1},
        {"mov.pred %p1, -1", 1, Type::Pred, 1},
        {"selp.f32 %f1, 1.0, 0f00000000, %p1", 1, Type::F32, 0x3f800000},
        {"st.global.u8 [%rd1], 300", 1, Type::U8, 44},
        {"shfl.sync.idx.b32 %r1, %r2, 0, 31, -1", 4, Type::B32, 0xffffffff},
        {"bar.sync 3", 0, Type::U32, 3},
    };
    for (const Case& c : cases) {
        const Module module = parsed(kernelOf(std::string(c.text) + ";"));
        if (module.instructions.empty()) continue;
        const auto* constant = std::get_if<ImmediateOperand>(&module.operandsOf(module.at(Pc{0}))[c.operand]);
        ASSERT_NE(constant, nullptr) << c.text;
        EXPECT_EQ(constant->bits, c.bits) << c.text;
        EXPECT_EQ(nameOf(constant->type), nameOf(c.type)) << c.text;
    }
}

TEST(Opcodes, SortTheirModifiersIntoKinds) {
    const Module module = parsed(
        kernelOf("ld.relaxed.gpu.global.nc.v4.f32 {%f1,%f2,%f3,%f4}, [%rd1];"
                 "setp.geu.xor.f32 %p1, %f1, %f2, %p2; atom.shared.max.s32 %r1, [tile], 3;"
                 "cvt.rni.ftz.sat.s32.f32 %r1, %f1; cvta.to.global.u64 %rd1, %rd2; add.cc.u32 %r1, %r2, %r3;"
                 "mul.lo.s32 %r1, %r2, %r3; bra.uni $here;"));
    ASSERT_EQ(module.instructions.size(), 9u);
    const Modifiers load = module.at(Pc{0}).modifiers;
    EXPECT_EQ(load.ordering, Ordering::Relaxed);
    EXPECT_EQ(load.scope, Scope::Gpu);
    EXPECT_EQ(load.space, StateSpace::Global);
    EXPECT_EQ(load.vector, 4);
    EXPECT_TRUE(load.nonCoherent);
    EXPECT_EQ(module.at(Pc{1}).modifiers.comparison, Comparison::Geu);
    EXPECT_EQ(module.at(Pc{1}).modifiers.boolean, BooleanOp::Xor);
    EXPECT_EQ(module.at(Pc{2}).modifiers.atomic, AtomicOp::Max);
    EXPECT_EQ(module.at(Pc{2}).modifiers.space, StateSpace::Shared);
    const Instruction& convert = module.at(Pc{3});
    EXPECT_EQ(convert.modifiers.rounding, Rounding::Rni);
    EXPECT_TRUE(convert.modifiers.ftz && convert.modifiers.sat);
    EXPECT_EQ(convert.types[0], Type::S32);
    EXPECT_EQ(convert.types[1], Type::F32);
    EXPECT_TRUE(module.at(Pc{4}).modifiers.to);
    EXPECT_TRUE(module.at(Pc{5}).modifiers.carry);
    EXPECT_EQ(module.at(Pc{6}).modifiers.comparison, Comparison::None);
    EXPECT_TRUE(module.at(Pc{7}).modifiers.uniform);
}

TEST(Opcodes, HaveOneRowEach) {
    std::set<std::string_view> names;
    for (const OpcodeRow& row : opcodeTable()) {
        EXPECT_TRUE(names.insert(row.name).second) << row.name;
        EXPECT_EQ(findOpcode(row.name), &row);
        EXPECT_FALSE(row.summary.empty()) << row.name;
    }
    EXPECT_EQ(findOpcode("ad"), nullptr);
    EXPECT_EQ(findOpcode(""), nullptr);
}

}  // namespace
}  // namespace lockstep::ptx
