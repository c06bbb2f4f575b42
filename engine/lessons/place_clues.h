// Clues that rows of quantities() share: what of an access, a launch or the device a figure follows from.
// Empty: the place has no such thing.
#pragma once

#include "base/text/message.h"
#include "lessons/place_on_show.h"

namespace lockstep::lessons {

// Bytes per lane; of shared memory also how many are delivered at a time.
Message widthClue(const PlaceOnShow& place);
Message deliveryClue(const PlaceOnShow& place);
// The words of shared memory that the first active lane and the last one request; that of the last one beside
// the cursor's; the byte of the cursor's.
Message outerWordsClue(const PlaceOnShow& place);
Message lastWordClue(const PlaceOnShow& place);
Message myByteClue(const PlaceOnShow& place);
u64 sharedWordOf(const PlaceOnShow& place, Lane lane);

Message instructionClue(const PlaceOnShow& place);
Message threadClue(const PlaceOnShow& place);
Message noBranchClue(const PlaceOnShow& place);  // all lanes are active
Message stepsClue(const PlaceOnShow& place);
Message blockClue(const PlaceOnShow& place);
Message gridClue(const PlaceOnShow& place);

// What fits on an SM: everything that may limit it; by threads, and by blocks.
Message limitClue(const PlaceOnShow& place);
Message threadsLimitClue(const PlaceOnShow& place);
Message blocksLimitClue(const PlaceOnShow& place);
// That it is the device's or the architecture's, whatever the kernel does.
Message ofDeviceClue(const PlaceOnShow& place);
Message ofEveryDeviceClue(const PlaceOnShow& place);

}  // namespace lockstep::lessons
