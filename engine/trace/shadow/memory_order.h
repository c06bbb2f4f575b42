// Memory ordering of an access, as in PTX: what the race shadows need beyond the WarpAccess itself.
#pragma once

#include "base/integers.h"

namespace lockstep::trace {

// Atomics and reductions without a modifier are Relaxed; plain loads and stores are Weak.
enum class Ordering : u8 { Weak, Volatile, Relaxed, Acquire, Release, AcquireRelease };

// .cta is Block; .cluster, .gpu and .sys are Device. membar.cta / __threadfence_block() is a Block fence,
// membar.gl a Device one.
enum class Scope : u8 { Block, Device };

struct Strength {
    Ordering ordering = Ordering::Weak;
    Scope scope = Scope::Device;
};

constexpr bool acquires(Ordering o) { return o == Ordering::Acquire || o == Ordering::AcquireRelease; }
constexpr bool releases(Ordering o) { return o == Ordering::Release || o == Ordering::AcquireRelease; }

}  // namespace lockstep::trace
