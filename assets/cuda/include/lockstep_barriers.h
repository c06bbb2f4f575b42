// Barriers and fences as assembly. LLVM takes its own intrinsics for functions that cannot store to a shared
// array whose address does not escape, and would move loads of the array across them.
#pragma once

#define LOCKSTEP_BARRIER static __device__ __forceinline__ __attribute__((nodebug))

LOCKSTEP_BARRIER void lockstepSyncThreads() { asm volatile("bar.sync 0;" ::: "memory"); }
LOCKSTEP_BARRIER void lockstepSyncWarp(unsigned int mask = 0xffffffffu) {
    asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
}
LOCKSTEP_BARRIER void lockstepFence() { asm volatile("membar.gl;" ::: "memory"); }
LOCKSTEP_BARRIER void lockstepFenceBlock() { asm volatile("membar.cta;" ::: "memory"); }
LOCKSTEP_BARRIER void lockstepFenceSystem() { asm volatile("membar.sys;" ::: "memory"); }
LOCKSTEP_BARRIER int lockstepSyncThreadsCount(int condition) {
    int count;
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.s32 p, %1, 0;\n\tbar.red.popc.u32 %0, 0, p;\n\t}"
                 : "=r"(count)
                 : "r"(condition)
                 : "memory");
    return count;
}
LOCKSTEP_BARRIER int lockstepSyncThreadsAnd(int condition) {
    int all;
    asm volatile(
        "{\n\t.reg .pred p, q;\n\tsetp.ne.s32 p, %1, 0;\n\tbar.red.and.pred q, 0, p;\n\tselp.s32 %0, 1, 0, "
        "q;\n\t}"
        : "=r"(all)
        : "r"(condition)
        : "memory");
    return all;
}
LOCKSTEP_BARRIER int lockstepSyncThreadsOr(int condition) {
    int any;
    asm volatile(
        "{\n\t.reg .pred p, q;\n\tsetp.ne.s32 p, %1, 0;\n\tbar.red.or.pred q, 0, p;\n\tselp.s32 %0, 1, 0, "
        "q;\n\t}"
        : "=r"(any)
        : "r"(condition)
        : "memory");
    return any;
}
#undef LOCKSTEP_BARRIER

#define __syncthreads() lockstepSyncThreads()
#define __syncwarp(...) lockstepSyncWarp(__VA_ARGS__)
#define __threadfence() lockstepFence()
#define __threadfence_block() lockstepFenceBlock()
#define __threadfence_system() lockstepFenceSystem()
#define __syncthreads_count(condition) lockstepSyncThreadsCount(condition)
#define __syncthreads_and(condition) lockstepSyncThreadsAnd(condition)
#define __syncthreads_or(condition) lockstepSyncThreadsOr(condition)
