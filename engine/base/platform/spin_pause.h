// Waiting in a loop for another thread.
#pragma once

namespace lockstep {

// Tells the processor that the loop waits: it leaves the core's units to the other thread of the core, if
// there is one. Nothing where the processor has no such hint.
inline void spinPause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

}  // namespace lockstep
