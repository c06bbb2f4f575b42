// Blocks that follow a script do what they would do by themselves (runKernel compares); and which kernels
// have one.
#include "simt/test_kernel.h"

#include <gtest/gtest.h>

#include <string_view>

namespace lockstep::simt {
namespace {

enum class Follows : u8 { No, Yes };

struct Case {
    const char* name;
    Follows follows;
    const char* body;
};

const Case kCases[] = {
    {"tree", Follows::Yes, R"(
        shl.b32 %r1, %t, 2; mov.u32 %r4, s; add.u32 %r1, %r1, %r4;
        mul.wide.u32 %d1, %i, 4; and.b64 %d1, %d1, 4092; add.s64 %d1, %d1, %in; ld.global.u32 %r2, [%d1];
        st.shared.u32 [%r1], %r2; mov.u32 %r3, 32; bar.sync 0;
        $again: setp.ge.u32 %p1, %t, %r3; @%p1 bra $rest;
        shl.b32 %r5, %r3, 2; add.u32 %r5, %r5, %r1; ld.shared.u32 %r6, [%r5]; ld.shared.u32 %r7, [%r1];
        add.u32 %r7, %r7, %r6; st.shared.u32 [%r1], %r7;
        $rest: bar.sync 0; shr.u32 %r3, %r3, 1; setp.ne.u32 %p2, %r3, 0; @%p2 bra $again;
        ld.shared.u32 %r0, [%r4];)"},
    {"blocks inside the bounds and at the edge", Follows::Yes, R"(
        setp.ge.u32 %p1, %i, 1983; @%p1 bra $end;
        mul.wide.u32 %d1, %t, 4; add.s64 %d1, %d1, %in; ld.global.u32 %r1, [%d1]; add.u32 %r0, %r1, %i;
        $end: add.u32 %r0, %r0, 1;)"},
    {"even and odd blocks", Follows::Yes, R"(
        mov.u32 %r1, %ctaid.x; and.b32 %r1, %r1, 1; add.u32 %r1, %r1, 2; mul.lo.u32 %r2, %t, %t;
        xor.b32 %r3, %r2, 77; shl.b32 %r4, %r3, 3; add.u32 %r5, %r4, %t; sub.u32 %r0, %r5, %r2;
        mul.lo.u32 %r5, %r0, %t; add.u32 %r5, %r5, 4; xor.b32 %r5, %r5, %t; add.u32 %r0, %r5, %r0;
        $again: add.u32 %r0, %r0, %i; sub.u32 %r1, %r1, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra $again;)"},
    {"a decision from a register that is read before it is written", Follows::Yes, R"(
        mov.u32 %r1, %ctaid.x; and.b32 %r2, %r1, 3; add.u32 %r5, %r5, %r2; setp.gt.u32 %p1, %r5, 2;
        mul.lo.u32 %r6, %t, %t; xor.b32 %r7, %r6, 77; shl.b32 %r8, %r7, 3; add.u32 %r9, %r8, %t; sub.u32 %r0, %r9, %r6;
        @%p1 bra $end; add.u32 %r0, %r0, 7; $end: add.u32 %r0, %r0, %r5;)"},
    {"a grid-stride loop", Follows::Yes, R"(
        mov.u32 %r1, %i; mov.u32 %r2, %nctaid.x; mul.lo.u32 %r2, %r2, %n;
        $again: add.u32 %r0, %r0, %r1; add.u32 %r1, %r1, %r2; setp.lt.u32 %p1, %r1, 7000; @%p1 bra $again;)"},
    {"each block another number of rounds", Follows::No, R"(
        mov.u32 %r1, %ctaid.x;
        $again: add.u32 %r0, %r0, %i; sub.u32 %r1, %r1, 1; setp.gt.s32 %p1, %r1, 0; @%p1 bra $again;)"},
    {"a branch on data", Follows::No, R"(
        mul.wide.u32 %d1, %t, 4; add.s64 %d1, %d1, %in; ld.global.u32 %r1, [%d1];
        setp.gt.u32 %p1, %r1, 500; @%p1 bra $end; add.u32 %r0, %r1, 3; $end: add.u32 %r0, %r0, 1;)"},
    {"guards on data", Follows::Yes, R"(
        mul.wide.u32 %d1, %i, 4; and.b64 %d1, %d1, 4092; add.s64 %d1, %d1, %in; ld.global.u32 %r1, [%d1];
        setp.gt.u32 %p1, %r1, 500; mov.u32 %r2, 7; @%p1 mov.u32 %r2, %t; @!%p1 add.u32 %r2, %r2, %r1;
        @%p1 ld.global.u32 %r2, [%in]; @!%p1 st.global.u32 [%out], %r2; add.u32 %r0, %r2, %t;)"},
    {"guards on coordinates", Follows::Yes, R"(
        setp.lt.u32 %p1, %i, 1000; mov.u32 %r2, 7; @%p1 add.u32 %r2, %t, 3; @!%p1 mul.lo.u32 %r2, %i, 5;
        setp.lt.u32 %p2, %t, 9; @%p2 add.u32 %r2, %r2, 100; mov.u32 %r0, %r2;)"},
    {"some lanes are known, some are data", Follows::Yes, R"(
        mov.u32 %r1, 5; setp.ge.u32 %p1, %t, 13; @%p1 bra $rest;
        mul.wide.u32 %d1, %i, 4; and.b64 %d1, %d1, 4092; add.s64 %d1, %d1, %in; ld.global.u32 %r1, [%d1];
        $rest: mul.lo.u32 %r2, %r1, %t; setp.lt.u32 %p2, %t, 40; @%p2 bra $end; mov.u32 %r2, %t;
        $end: add.u32 %r0, %r2, %r1;)"},
    {"shuffles of data and of coordinates", Follows::Yes, R"(
        mul.wide.u32 %d1, %i, 4; and.b64 %d1, %d1, 4092; add.s64 %d1, %d1, %in; ld.global.u32 %r1, [%d1];
        shfl.sync.down.b32 %r2, %r1, 16, 31, -1; shfl.sync.bfly.b32 %r3|%p3, %t, 3, 31, -1;
        shfl.sync.idx.b32 %r4, %i, 5, 31, -1;
        add.u32 %r0, %r2, %r3; add.u32 %r0, %r0, %r4; @%p3 add.u32 %r0, %r0, 1;)"},
    {"a vote on coordinates decides", Follows::Yes, R"(
        setp.lt.u32 %p1, %i, 1500; vote.sync.ballot.b32 %r1, %p1, -1; setp.eq.u32 %p2, %r1, 0; @%p2 bra $end;
        add.u32 %r0, %r1, %t; $end: add.u32 %r0, %r0, 1;)"},
    {"a vote on data decides", Follows::No, R"(
        mul.wide.u32 %d1, %i, 4; and.b64 %d1, %d1, 4092; add.s64 %d1, %d1, %in; ld.global.u32 %r1, [%d1];
        setp.lt.u32 %p1, %r1, 77; vote.sync.ballot.b32 %r1, %p1, -1; setp.eq.u32 %p2, %r1, 0; @%p2 bra $end;
        add.u32 %r0, %r1, %t; $end: add.u32 %r0, %r0, 1;)"},
    {"who is active", Follows::Yes, R"(
        setp.ge.u32 %p1, %t, 7; @%p1 bra $end; activemask.b32 %r1; add.u32 %r0, %r1, %i; $end: add.u32 %r0, %r0, 2;)"},
    {"atomics and reductions", Follows::Yes, R"(
        and.b32 %r1, %i, 7; mul.wide.u32 %d1, %r1, 4; add.s64 %d1, %d1, %in; red.global.add.u32 [%d1+64], 3;
        setp.lt.u32 %p1, %t, 11; @%p1 red.global.max.u32 [%d1], %i; mov.u32 %r0, %i;)"},
    {"atomics in shared memory", Follows::No, R"(
        mov.u32 %r4, s; st.shared.u32 [%r4], 0; bar.sync 0; atom.shared.add.u32 %r1, [%r4], 1; bar.sync 0;
        ld.shared.u32 %r0, [%r4];)"},
    {"a race in shared memory", Follows::No, R"(
        mov.u32 %r4, s; st.shared.u32 [%r4], %t; bar.sync 0; ld.shared.u32 %r0, [%r4]; and.b32 %r0, %r0, 0;)"},
    {"shared addresses from data", Follows::No, R"(
        shl.b32 %r1, %t, 2; mov.u32 %r4, s; add.u32 %r1, %r1, %r4; st.shared.u32 [%r1], %i; bar.sync 0;
        mul.wide.u32 %d1, %t, 4; add.s64 %d1, %d1, %in; ld.global.u32 %r2, [%d1]; and.b32 %r2, %r2, 63;
        shl.b32 %r2, %r2, 2; add.u32 %r2, %r2, %r4; ld.shared.u32 %r0, [%r2];)"},
    {"shared addresses from coordinates", Follows::No, R"(
        shl.b32 %r1, %t, 2; mov.u32 %r4, s; add.u32 %r1, %r1, %r4; st.shared.u32 [%r1], %i; bar.sync 0;
        mov.u32 %r2, %ctaid.x; and.b32 %r2, %r2, 63; shl.b32 %r2, %r2, 2; add.u32 %r2, %r2, %r4;
        ld.shared.u32 %r0, [%r2];)"},
    {"out of bounds in some blocks", Follows::Yes, R"(
        mul.wide.u32 %d1, %i, 4; add.s64 %d1, %d1, %in; ld.global.u32 %r0, [%d1];)"},
    {"a division by zero in some blocks", Follows::Yes, R"(
        sub.u32 %r1, 1400, %i; div.u32 %r0, 100000, %r1; rem.u32 %r2, 77, 5; add.u32 %r0, %r0, %r2;)"},
    {"half of the threads end before a barrier", Follows::No, R"(
        setp.ge.u32 %p1, %t, 32; @%p1 bra $end; bar.sync 0; add.u32 %r0, %i, 1; $end: add.u32 %r0, %r0, 1;)"},
    {"an unequal loop", Follows::Yes, R"(
        and.b32 %r1, %t, 7; add.u32 %r1, %r1, 1;
        $again: add.u32 %r0, %r0, %i; sub.u32 %r1, %r1, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra $again;)"},
    {"carries, pairs and predicates", Follows::Yes, R"(
        add.cc.u32 %r1, %i, -5; addc.u32 %r2, %t, 0; setp.lt.u32 %p1, %t, 20; setp.lt.and.u32 %p2|%p3, %i, 900, %p1;
        selp.u32 %r3, %r1, %r2, %p2; @%p3 add.u32 %r3, %r3, 9; mov.b64 %d1, {%r3, %r1}; add.s64 %d1, %d1, 1;
        mov.b64 {%r4, %r5}, %d1; add.u32 %r0, %r4, %r5;)"},
    {"an index that wraps around, unsigned", Follows::Yes, R"(
        mov.u32 %r1, %ctaid.x; mad.lo.u32 %r1, %r1, 0x10000000, %t; cvt.u64.u32 %d1, %r1; shr.u64 %d1, %d1, 4;
        cvt.u32.u64 %r0, %d1; mul.wide.u32 %d2, %r1, 3; shr.u64 %d2, %d2, 9; cvt.u32.u64 %r2, %d2; add.u32 %r0, %r0, %r2;)"},
    {"an index that wraps around, signed", Follows::Yes, R"(
        mov.u32 %r1, %ctaid.x; mad.lo.s32 %r1, %r1, 0x10000000, %t; cvt.s64.s32 %d1, %r1; shr.s64 %d1, %d1, 4;
        cvt.u32.u64 %r0, %d1; mad.wide.s32 %d2, %r1, -3, %d1; shr.s64 %d2, %d2, 9; cvt.u32.u64 %r2, %d2;
        add.u32 %r0, %r0, %r2; setp.lt.s32 %p1, %r1, 5; @%p1 add.u32 %r0, %r0, 1;)"},
    {"comparisons for equality", Follows::Yes, R"(
        mov.u32 %r1, %ctaid.x; setp.eq.u32 %p1, %r1, 7; @%p1 add.u32 %r0, %r0, 1; setp.ne.u32 %p2, %i, 1000;
        @%p2 add.u32 %r0, %r0, 2; setp.eq.s32 %p3, %r1, -1; @%p3 add.u32 %r0, %r0, 4;)"},
    {"comparisons of 64 bits", Follows::Yes, R"(
        cvt.u64.u32 %d1, %i; setp.lt.u64 %p1, %d1, 1200; @%p1 add.u32 %r0, %r0, 1; sub.s64 %d2, %d1, 1500;
        setp.ge.s64 %p2, %d2, 0; @%p2 add.u32 %r0, %r0, 2; setp.gt.u64 %p3, %d2, 77; @%p3 add.u32 %r0, %r0, 4;
        setp.le.u64 %p4, %d1, 1499; @%p4 add.u32 %r0, %r0, 8;)"},
    {"both sides change", Follows::Yes, R"(
        mov.u32 %r1, %ctaid.x; mad.lo.u32 %r2, %r1, %n, 20; setp.lt.u32 %p1, %i, %r2; @%p1 add.u32 %r0, %r0, 1;
        sub.u32 %r3, %i, %r2; add.u32 %r0, %r0, %r3; shl.b32 %r4, %r1, 3; setp.hi.u32 %p2, %i, %r4;
        @%p2 add.u32 %r0, %r0, 2;)"},
    {"products that are not linear", Follows::Yes, R"(
        mov.u32 %r1, %ctaid.x; mul.lo.u32 %r2, %r1, %r1; mul.lo.u32 %r3, %i, %t; mul.hi.u32 %r4, %i, 0x7fffffff;
        add.u32 %r0, %r2, %r3; xor.b32 %r0, %r0, %r4; shl.b32 %r5, 1, %r1; add.u32 %r0, %r0, %r5;
        xor.b32 %r2, %t, 77; shl.b32 %r3, %r2, 3; add.u32 %r4, %r3, %t; sub.u32 %r5, %r4, %r2; mul.lo.u32 %r6, %t, 5;
        add.u32 %r6, %r6, %r5; add.u32 %r0, %r0, %r6;)"},
    {"lanes that change in two ways", Follows::Yes, R"(
        mov.u32 %r1, %i; setp.lt.u32 %p1, %t, 13; @%p1 bra $few; shl.b32 %r1, %i, 1; bra $end;
        $few: mul.lo.u32 %r1, %i, 5; setp.lt.u32 %p2, %t, 5; @%p2 bra $end; mov.u32 %r1, 9;
        $end: add.u32 %r0, %r1, %t; mul.wide.u32 %d1, %r1, 1; cvt.u32.u64 %r2, %d1; add.u32 %r0, %r0, %r2;)"},
    {"lanes that change in two ways, used apart", Follows::Yes, R"(
        mov.u32 %r1, %i; setp.lt.u32 %p1, %t, 13; @%p1 bra $few; shl.b32 %r1, %i, 1; bra $end;
        $few: mul.lo.u32 %r1, %i, 5; $end: @%p1 bra $last; add.u32 %r0, %r1, 3; xor.b32 %r0, %r0, %t; bra $last;
        $last: add.u32 %r0, %r0, 1; mul.lo.u32 %r2, %t, %t; add.u32 %r0, %r0, %r2;)"},
    {"a shuffle from a lane of data to known ones", Follows::Yes, R"(
        mov.u32 %r1, %t; setp.ge.u32 %p1, %t, 13; @%p1 bra $rest;
        mul.wide.u32 %d1, %i, 4; and.b64 %d1, %d1, 4092; add.s64 %d1, %d1, %in; ld.global.u32 %r1, [%d1];
        $rest: bar.warp.sync -1; shfl.sync.idx.b32 %r2, %r1, 5, 31, -1; @!%p1 bra $last;
        add.u32 %r0, %r2, %t; $last: add.u32 %r0, %r0, 1;)"},
    {"addresses of lanes that lie in any order", Follows::Yes, R"(
        xor.b32 %r1, %t, 21; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r1, %r2, 16, %r1; mul.wide.u32 %d1, %r1, 4;
        add.s64 %d1, %d1, %in; ld.global.u32 %r3, [%d1]; sub.s64 %d2, %d1, %in; cvt.u32.u64 %r4, %d2;
        add.u32 %r0, %r3, %r4;)"},
    {"the same address in every block", Follows::Yes, R"(
        mul.wide.u32 %d1, %t, 8; add.s64 %d1, %d1, %in; ld.global.u32 %r3, [%d1+4]; ld.global.v2.u32 {%r4, %r5}, [%d1];
        add.u32 %r0, %r3, %r4; sub.u32 %r0, %r0, %r5;)"},
    {"the clock", Follows::No, R"(mov.u32 %r0, %clock;)"},
    {"narrow elements and vectors", Follows::Yes, R"(
        mul.wide.u32 %d1, %t, 16; and.b64 %d1, %d1, 2047; add.s64 %d1, %d1, %in;
        ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%d1]; ld.global.u8 %r5, [%d1+1]; ld.global.s16 %r6, [%d1+2];
        add.u32 %r0, %r1, %r2; add.u32 %r0, %r0, %r5; add.u32 %r0, %r0, %r6; add.u32 %r0, %r0, %i;)"},
    {"a missing barrier", Follows::Yes, R"(
        shl.b32 %r1, %t, 2; mov.u32 %r4, s; add.u32 %r1, %r1, %r4; xor.b32 %r2, %r1, 128;
        st.shared.u32 [%r1], %t; bar.sync 0; st.shared.u32 [%r1], %i; ld.shared.u32 %r3, [%r2];
        add.u32 %r0, %r3, %t; add.u32 %r0, %r0, %i; ld.shared.u32 %r5, [%r1]; add.u32 %r0, %r0, %r5;)"},
    {"a missing barrier in a loop of some lanes", Follows::Yes, R"(
        shl.b32 %r1, %t, 2; mov.u32 %r4, s; add.u32 %r1, %r1, %r4; st.shared.u32 [%r1], %i; bar.sync 0;
        mov.u32 %r3, 16; setp.ge.u32 %p1, %t, 16; @%p1 bra $end;
        $again: shl.b32 %r5, %r3, 2; add.u32 %r5, %r5, %r1; ld.shared.u32 %r6, [%r5]; ld.shared.u32 %r7, [%r1];
        add.u32 %r7, %r7, %r6; st.shared.u32 [%r1], %r7; shr.u32 %r3, %r3, 1; setp.ne.u32 %p2, %r3, 0; @%p2 bra $again;
        $end: bar.sync 0; ld.shared.u32 %r0, [%r4];)"},
    {"a volatile tree without synchronization", Follows::Yes, R"(
        shl.b32 %r1, %t, 2; mov.u32 %r4, s; add.u32 %r1, %r1, %r4; st.volatile.shared.u32 [%r1], %i; bar.sync 0;
        setp.ge.u32 %p1, %t, 32; @%p1 bra $end;
        ld.volatile.shared.u32 %r6, [%r1+128]; ld.volatile.shared.u32 %r7, [%r1]; add.u32 %r7, %r7, %r6;
        st.volatile.shared.u32 [%r1], %r7; ld.volatile.shared.u32 %r6, [%r1+64]; add.u32 %r7, %r7, %r6;
        st.volatile.shared.u32 [%r1], %r7; ld.volatile.shared.u32 %r6, [%r1+4]; add.u32 %r0, %r7, %r6;
        $end: add.u32 %r0, %r0, 1;)"},
    {"a tree synchronized by bar.warp.sync", Follows::Yes, R"(
        shl.b32 %r1, %t, 2; mov.u32 %r4, s; add.u32 %r1, %r1, %r4; st.shared.u32 [%r1], %i; bar.sync 0;
        setp.ge.u32 %p1, %t, 32; @%p1 bra $end;
        ld.shared.u32 %r6, [%r1+64]; ld.shared.u32 %r7, [%r1]; add.u32 %r7, %r7, %r6; bar.warp.sync -1;
        st.shared.u32 [%r1], %r7; bar.warp.sync -1; ld.shared.u32 %r6, [%r1+4]; add.u32 %r0, %r7, %r6;
        $end: add.u32 %r0, %r0, 1;)"},
    {"bar.warp.sync of half of the lanes, where all would have to meet", Follows::Yes, R"(
        shl.b32 %r1, %t, 2; mov.u32 %r4, s; add.u32 %r1, %r1, %r4; st.shared.u32 [%r1], %i;
        and.b32 %r5, %t, 31; setp.ge.u32 %p1, %r5, 16; @%p1 bra $end; bar.warp.sync 65535;
        ld.shared.u32 %r6, [%r1+4]; ld.shared.u32 %r7, [%r1]; add.u32 %r0, %r7, %r6;
        $end: add.u32 %r0, %r0, 1;)"},
    {"a read of what was never written", Follows::Yes, R"(
        shl.b32 %r1, %t, 2; mov.u32 %r4, s; add.u32 %r1, %r1, %r4; ld.shared.u32 %r2, [%r1+1024];
        st.shared.u32 [%r1], %i; ld.shared.u32 %r0, [%r1]; add.u32 %r0, %r0, %t;)"},
    {"stores that conflict if their values differ, the first of them in some blocks", Follows::No, R"(
        mov.u32 %r4, s; mul.wide.u32 %d1, %i, 4; and.b64 %d1, %d1, 4092; add.s64 %d1, %d1, %in;
        ld.global.u32 %r2, [%d1]; shr.u32 %r3, %r2, 9; st.shared.u32 [%r4], %r3; bar.sync 0;
        ld.shared.u32 %r5, [%r4]; mov.u32 %r0, %r5;)"},
    {"volatile stores, strong in a block that has executed a fence", Follows::Yes, R"(
        shl.b32 %r1, %t, 2; mov.u32 %r4, s; add.u32 %r1, %r1, %r4; xor.b32 %r2, %r1, 128;
        mov.u32 %r5, %ctaid.x; setp.ne.u32 %p1, %r5, 20; @%p1 bra $on; membar.cta;
        $on: st.shared.u32 [%r1], %t; bar.sync 0; st.volatile.shared.u32 [%r1], %i; ld.volatile.shared.u32 %r3, [%r2];
        bar.sync 0; st.volatile.shared.u32 [%r1], %t; ld.volatile.shared.u32 %r6, [%r2]; mov.u32 %r0, %r6;)"},
    {"volatile stores, strong in most blocks", Follows::Yes, R"(
        shl.b32 %r1, %t, 2; mov.u32 %r4, s; add.u32 %r1, %r1, %r4; xor.b32 %r2, %r1, 128;
        mov.u32 %r5, %ctaid.x; setp.eq.u32 %p1, %r5, 20; @%p1 bra $on; membar.cta;
        $on: st.shared.u32 [%r1], %t; bar.sync 0; st.volatile.shared.u32 [%r1], %i; ld.volatile.shared.u32 %r3, [%r2];
        bar.sync 0; st.volatile.shared.u32 [%r1], %t; ld.volatile.shared.u32 %r6, [%r2]; mov.u32 %r0, %r6;)"},
    {"volatile reads of what was never written, strong in most blocks", Follows::Yes, R"(
        shl.b32 %r1, %t, 2; mov.u32 %r4, s; add.u32 %r1, %r1, %r4; xor.b32 %r2, %r1, 128;
        mov.u32 %r5, %ctaid.x; setp.eq.u32 %p1, %r5, 20; @%p1 bra $on; membar.cta;
        $on: bar.sync 0; st.volatile.shared.u32 [%r1], %i; ld.volatile.shared.u32 %r3, [%r2];
        bar.sync 0; st.volatile.shared.u32 [%r1], %t; ld.volatile.shared.u32 %r6, [%r2]; mov.u32 %r0, %r6;)"},
    {"what was never written, stored twice by two warps", Follows::No, R"(
        shl.b32 %r1, %t, 2; mov.u32 %r4, s; add.u32 %r1, %r1, %r4; and.b32 %r3, %t, 31; mul.wide.u32 %d1, %r3, 4;
        add.s64 %d1, %d1, %in; mov.u32 %r5, -1; st.global.u32 [%d1], %r5; bar.sync 0;
        ld.shared.u32 %r2, [%r1+1024]; bar.sync 0; st.global.u32 [%d1], %r2; mov.u32 %r0, 1;)"},
    {"a fence that depends on data", Follows::No, R"(
        shl.b32 %r1, %t, 2; mov.u32 %r4, s; add.u32 %r1, %r1, %r4; xor.b32 %r2, %r1, 128;
        mul.wide.u32 %d1, %i, 4; and.b64 %d1, %d1, 4092; add.s64 %d1, %d1, %in; ld.global.u32 %r5, [%d1];
        setp.gt.u32 %p1, %r5, 900; @%p1 membar.cta; st.volatile.shared.u32 [%r1], %i; ld.volatile.shared.u32 %r0, [%r2];)"},
    {"stores of scattered words", Follows::Yes, R"(
        mul.lo.u32 %r1, %t, 9; and.b32 %r1, %r1, 63; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r1, %r2, 64, %r1;
        mul.wide.u32 %d1, %r1, 4; add.s64 %d1, %d1, %outs; st.global.u32 [%d1], %i; ret;)"},
    {"stores of scattered words to odd places", Follows::Yes, R"(
        mul.lo.u32 %r1, %t, 9; and.b32 %r1, %r1, 63; mov.u32 %r2, %ctaid.x; setp.ge.u32 %p1, %r2, 38;
        @%p1 bra $end; mad.lo.u32 %r1, %r2, 65, %r1; mul.wide.u32 %d1, %r1, 4; add.s64 %d1, %d1, %outs;
        st.global.u32 [%d1], %i; ret; $end: ret;)"},
    {"stores of scattered vectors", Follows::Yes, R"(
        mul.lo.u32 %r1, %t, 9; and.b32 %r1, %r1, 63; mov.u32 %r2, %ctaid.x; setp.ge.u32 %p1, %r2, 20;
        @%p1 bra $end; mad.lo.u32 %r1, %r2, 64, %r1; mul.wide.u32 %d1, %r1, 8; add.s64 %d1, %d1, %outs;
        st.global.v2.u32 [%d1], {%i, %t}; ret; $end: ret;)"},
    {"stores of every other word, the rest by a later step", Follows::Yes, R"(
        mov.u32 %r2, %ctaid.x; setp.ge.u32 %p1, %r2, 20; @%p1 bra $end;
        mul.wide.u32 %d1, %i, 8; add.s64 %d1, %d1, %outs; st.global.u32 [%d1], %i; st.global.u32 [%d1+4], %t; ret;
        $end: ret;)"},
    {"stores of scattered bytes and halves", Follows::Yes, R"(
        mul.lo.u32 %r1, %t, 9; and.b32 %r1, %r1, 63; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r1, %r2, 64, %r1;
        mul.wide.u32 %d1, %r1, 4; add.s64 %d1, %d1, %outs; st.global.u8 [%d1], %i; st.global.u16 [%d1+2], %t; ret;)"},
    {"a word that is stored twice in each block", Follows::Yes, R"(
        mul.lo.u32 %r1, %t, 9; and.b32 %r1, %r1, 63; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r1, %r2, 64, %r1;
        mul.wide.u32 %d1, %r1, 4; add.s64 %d1, %d1, %outs; st.global.u32 [%d1], %i; st.global.u32 [%d1], %t; ret;)"},
    {"scattered words that the next block stores, too", Follows::No, R"(
        mul.lo.u32 %r1, %t, 9; and.b32 %r1, %r1, 63; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r1, %r2, 32, %r1;
        mul.wide.u32 %d1, %r1, 4; add.s64 %d1, %d1, %outs; st.global.u32 [%d1], %i; ret;)"},
    {"words that another block stores, too, but none of the first", Follows::Yes, R"(
        mul.lo.u32 %r1, %t, 9; and.b32 %r1, %r1, 63; mov.u32 %r2, %ctaid.x; setp.ge.u32 %p1, %r2, 30;
        @%p1 bra $end; mad.lo.u32 %r1, %r2, 64, %r1; mul.wide.u32 %d1, %r1, 4; add.s64 %d1, %d1, %outs;
        st.global.u32 [%d1], %i; sub.u32 %r3, 39, %r2; mad.lo.u32 %r3, %r3, 64, %t; mul.wide.u32 %d2, %r3, 4;
        add.s64 %d2, %d2, %outs; st.global.u32 [%d2], %t; ret; $end: ret;)"},
    {"loads of fewer and fewer lanes", Follows::Yes, R"(
        mov.u32 %r1, %ctaid.x; mad.lo.u32 %r1, %r1, 16, %t; mul.wide.u32 %d1, %r1, 4; add.s64 %d1, %d1, %in;
        and.b32 %r2, %t, 31; mov.u32 %r3, 0;
        $again: ld.global.u32 %r4, [%d1]; ld.global.u8 %r5, [%d1+5]; ld.global.u16 %r6, [%d1+2]; add.u32 %r0, %r0, %r4;
        add.u32 %r0, %r0, %r5; add.u32 %r0, %r0, %r6; add.s64 %d1, %d1, 4; add.u32 %r3, %r3, 1;
        setp.le.u32 %p1, %r3, %r2; @%p1 bra $again;)"},
    {"loads of some lanes, in any order, and of vectors", Follows::Yes, R"(
        and.b32 %r1, %t, 5; setp.eq.u32 %p1, %r1, 4; @%p1 bra $end;
        xor.b32 %r1, %t, 21; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r1, %r2, 8, %r1; mul.wide.u32 %d1, %r1, 8;
        add.s64 %d1, %d1, %in; ld.global.u32 %r3, [%d1]; ld.global.v2.u32 {%r4, %r5}, [%d1]; add.u32 %r0, %r3, %r4;
        sub.u32 %r0, %r0, %r5; $end: add.u32 %r0, %r0, 1;)"},
    {"stores of some lanes", Follows::Yes, R"(
        mov.u32 %r2, %ctaid.x; setp.ge.u32 %p1, %r2, 38; @%p1 bra $end; mul.wide.u32 %d1, %i, 4; add.s64 %d1, %d1, %outs;
        setp.ge.u32 %p2, %t, 50; @%p2 bra $few; st.global.u32 [%d1], %i; ret;
        $few: xor.b32 %r3, %t, 1; setp.ge.u32 %p3, %r3, 57; @%p3 bra $end; st.global.u16 [%d1+2], %i; ret; $end: ret;)"},
    {"a branch back to where a thread ends with an atomic", Follows::Yes, R"(
        bra $work; $last: atom.global.add.u32 %r9, [%in], 3; bra $end;
        $work: mul.lo.u32 %r2, %t, %t; xor.b32 %r3, %r2, 77; shl.b32 %r4, %r3, 3; add.u32 %r5, %r4, %t;
        sub.u32 %r0, %r5, %r2; setp.lt.u32 %p1, %t, 3; @%p1 bra $last; $end: add.u32 %r0, %r0, %i;)"},
    {"an atomic at a generic address of global memory", Follows::Yes, R"(
        shl.b32 %r1, %t, 2; mov.u32 %r4, s; add.u32 %r1, %r1, %r4; st.shared.u32 [%r1], %t; bar.sync 0;
        and.b32 %r2, %t, 7; mul.wide.u32 %d1, %r2, 4; add.s64 %d1, %d1, %in; red.add.u32 [%d1+64], 3;
        ld.shared.u32 %r0, [%r1]; add.u32 %r0, %r0, %i;)"},
    {"an atomic at a generic address of shared memory", Follows::No, R"(
        mov.u32 %r4, s; st.shared.u32 [%r4+64], 0; bar.sync 0; cvta.shared.u64 %d1, 64; red.add.u32 [%d1], 3;
        add.u32 %r0, %i, 1;)"},
    {"a scattered word that the last block reads", Follows::Yes, R"(
        mul.lo.u32 %r1, %t, 9; and.b32 %r1, %r1, 63; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r1, %r2, 64, %r1;
        mul.wide.u32 %d1, %r1, 4; add.s64 %d1, %d1, %outs; mov.u32 %r3, %i; setp.lt.u32 %p1, %r2, 39;
        @%p1 bra $on; ld.global.u32 %r3, [%outs]; $on: st.global.u32 [%d1], %r3; ret;)"},
};

class ScriptTest : public testing::TestWithParam<Case> {};

TEST_P(ScriptTest, IsAsPlain) {
    for (u32 hostThreads : {1, 2}) {
        KernelCase c{
            .body = GetParam().body, .before = ".shared .align 16 .b8 s[4096];", .blocks = 3, .threads = 64};
        for (u32 i = 0; i < c.in.size(); ++i)
            c.in[i] = i * 7919u % 1009u;
        c.options.threads = hostThreads;
        const KernelRun run = runKernel(c);
        EXPECT_EQ(run.followed > 0, GetParam().follows == Follows::Yes) << run.followed << " blocks followed";
    }
}

std::string nameOf(const testing::TestParamInfo<Case>& info) {
    std::string name = info.param.name;
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name;
}

INSTANTIATE_TEST_SUITE_P(Kernels, ScriptTest, testing::ValuesIn(kCases), nameOf);

}  // namespace
}  // namespace lockstep::simt
