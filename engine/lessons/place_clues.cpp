#include "lessons/place_clues.h"

#include "explain/sentences/words.h"
#include "model/access/shared_wavefronts.h"

#include <bit>

namespace lockstep::lessons {
namespace {

bool isShared(const PlaceOnShow& place) {
    return place.access && place.access->space == trace::Space::Shared;
}

}  // namespace

u64 sharedWordOf(const PlaceOnShow& place, Lane lane) {
    return place.access->addresses[lane.value] / model::kBankBytes;
}

Message widthClue(const PlaceOnShow& place) {
    if (!place.access) return {};
    return Message(english("Each active lane accesses {0} {0:byte|bytes}."), u32(place.access->widthBytes));
}
Message deliveryClue(const PlaceOnShow& place) {
    if (!isShared(place)) return {};
    // Where all that is requested fits into one delivery, it is not the width that costs more.
    if (place.access->widthBytes * place.access->active.count() <=
        int(place.run->profile.banks * model::kBankBytes))
        return {};
    return Message(english("Each lane requests {0} {0:byte|bytes}; the banks deliver {1} at a time."),
                   u32(place.access->widthBytes), place.run->profile.banks * model::kBankBytes);
}
Message outerWordsClue(const PlaceOnShow& place) {
    if (!isShared(place) || place.access->active.count() < 2) return {};
    const Lane first = place.access->active.lowest(),
               last{u32(std::bit_width(place.access->active.bits)) - 1};
    return Message(english("Lane {0} accesses word {1} of shared memory, lane {2} word {3}."), first.value,
                   std::to_string(sharedWordOf(place, first)), last.value,
                   std::to_string(sharedWordOf(place, last)));
}
Message lastWordClue(const PlaceOnShow& place) {
    if (!isShared(place)) return {};
    const LaneMask others = place.access->active & ~LaneMask::of(place.cursor.lane);
    if (others.empty()) return {};
    const Lane last{u32(std::bit_width(others.bits)) - 1};
    return Message(english("Lane {0} accesses word {1} of shared memory."), last.value,
                   std::to_string(sharedWordOf(place, last)));
}
Message myByteClue(const PlaceOnShow& place) {
    if (!isShared(place) || !place.access->active.has(place.cursor.lane)) return {};
    return Message(english("Lane {0} accesses byte {1} of shared memory."), place.cursor.lane.value,
                   std::to_string(place.access->addresses[place.cursor.lane.value]));
}
Message instructionClue(const PlaceOnShow& place) {
    return Message(english("The PTX instruction of this step is {0}."),
                   std::string(place.run->module->at(place.here.step->pc).name));
}
Message threadClue(const PlaceOnShow& place) {
    const Launch& launch = explain::launchOf(*place.run, place.cursor.launch);
    const u64 thread = u64{place.cursor.warp.value} * kWarpSize + place.cursor.lane.value;
    return Message(english("The step is shown for thread {0} of its block."),
                   explain::coordinates(coordinatesOf(thread, launch.block), launch.block));
}
Message noBranchClue(const PlaceOnShow& place) {
    const u32 exist = explain::lanesOf(*place.here.block, place.cursor.warp);
    if (!(LaneMask::firstLanes(exist) & ~place.active()).empty()) return {};
    return english("No branch keeps a lane of this warp from here.");
}
Message stepsClue(const PlaceOnShow& place) {
    return Message(english("The warp issues {0} {0:instruction|instructions} in all."),
                   place.warp().steps.size());
}
Message gridClue(const PlaceOnShow& place) {
    return Message(english("The grid has {0} {0:block|blocks} of {1} {1:warp|warps}."),
                   explain::launchOf(*place.run, place.cursor.launch).grid.count(),
                   place.here.block->warps.size());
}
Message ofDeviceClue(const PlaceOnShow& place) {
    return Message(english("It is a property of devices of compute capability {0}.{1}, not of the kernel."),
                   place.run->profile.major, place.run->profile.minor);
}
Message ofEveryDeviceClue(const PlaceOnShow&) { return english("It is the same for every kernel."); }

Message blockClue(const PlaceOnShow& place) {
    return Message(english("A block has {0} {0:thread|threads}."),
                   explain::launchOf(*place.run, place.cursor.launch).block.count());
}

}  // namespace lockstep::lessons
