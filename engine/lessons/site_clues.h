// Clues of the whole run: which lines of the kernel a total follows from, and what one request of them does.
#pragma once

#include "lessons/place_on_show.h"

namespace lockstep::lessons {

// What a request of the costliest line touches, of these accesses to global memory.
Message globalSitesClue(const PlaceOnShow& place);
Message loadSitesClue(const PlaceOnShow& place);
Message storeSitesClue(const PlaceOnShow& place);
Message atomicSitesClue(const PlaceOnShow& place);
// The same with how many requests the grid makes there.
Message allGlobalSitesClue(const PlaceOnShow& place);
Message allLoadSitesClue(const PlaceOnShow& place);
Message allStoreSitesClue(const PlaceOnShow& place);
Message allAtomicSitesClue(const PlaceOnShow& place);
Message allSharedSitesClue(const PlaceOnShow& place);
// How many sectors there are for an element of the largest array, and for a request of the costliest line.
Message trafficClue(const PlaceOnShow& place);
// How much of a sector a request of the costliest load needs: the rest may serve other requests.
Message hitClue(const PlaceOnShow& place);
// Which lines access shared memory, and a conflict there.
Message sharedSitesClue(const PlaceOnShow& place);
// How often a block updates words of this memory, and where.
Message globalUpdatesClue(const PlaceOnShow& place);
Message sharedUpdatesClue(const PlaceOnShow& place);
// How often a warp makes a request to global memory at the line that makes most.
Message requestSitesClue(const PlaceOnShow& place);
Message loadRequestsClue(const PlaceOnShow& place);
Message storeRequestsClue(const PlaceOnShow& place);
Message atomicRequestsClue(const PlaceOnShow& place);
// How many warps of the block diverge; and which one most often.
Message divergingWarpsClue(const PlaceOnShow& place);
Message mostDivergingWarpClue(const PlaceOnShow& place);
// How many elements there are for a block, or for a thread.
Message workOfBlockClue(const PlaceOnShow& place);
Message workOfThreadClue(const PlaceOnShow& place);

}  // namespace lockstep::lessons
