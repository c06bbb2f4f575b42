// What the accesses of a kernel cost on a device, each by itself: reports are sums of it over patterns, and
// trace adds it up for accesses whose patterns it does not keep.
#pragma once

#include "model/access/shared_atomics.h"
#include "model/profiles/profile.h"
#include "ptx/module.h"
#include "trace/pattern_counter.h"

#include <vector>

namespace lockstep::model {

class AccessCosting {
public:
    AccessCosting(const ptx::Module& module, const Profile& profile);

    // As the machine runs it: what the compiler makes of atomics is taken into account. Pure, of any thread.
    // `sectors` holds transactions on devices that count those.
    trace::AccessCost cost(const trace::WarpAccess& access) const;

private:
    // By pc; of other instructions as if they were ordinary.
    struct Atomic {
        bool isAtomic = false;
        bool isAggregated = false;  // one lane executes it for its warp
        SharedAtomicForm form = SharedAtomicForm::Native,
                         formUnused = SharedAtomicForm::Native;  // its old value is not used
    };

    trace::AccessCost costAsRun(const trace::WarpAccess& access, const Atomic& atomic) const;

    Profile profile_;
    std::vector<Atomic> atomics_;
};

}  // namespace lockstep::model
