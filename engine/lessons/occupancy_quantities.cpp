// What of a launch fits on an SM at the same time, and what limits it.
#include "lessons/kinds.h"
#include "lessons/quantity_rows.h"
#include "model/occupancy/occupancy_limits.h"
#include "run/run.h"

#include <algorithm>
#include <map>

namespace lockstep::lessons {
namespace {

using P = const PlaceOnShow&;
using Number = std::optional<s64>;

const Launch& launchOf(P place) { return place.run->recording.launches[place.cursor.launch.value]; }

// Of the shipped machine code for the place's device.
std::optional<u32> registersOf(P place) {
    const sass::MachineCode* code = place.facts ? place.facts->machineCode() : nullptr;
    const sass::Function* kernel = code ? code->find(launchOf(place).entry) : nullptr;
    return kernel ? kernel->registers : std::nullopt;
}

model::BlockNeeds needsOf(P place) {
    const Launch& launch = launchOf(place);
    return {.threads = launch.block.count(),
            .sharedBytes = run::sharedBytes(*place.run->module, launch),
            .registersPerThread = registersOf(place),
            .gridBlocks = launch.grid.count()};
}

model::Occupancy occupancyOf(P place) { return model::occupancy(needsOf(place), place.run->profile); }

// "warps", "blocks", "shared memory", "registers": as occupancyLimits() has them.
Number limitOf(P place, std::string_view name) {
    for (const model::OccupancyLimit& limit : model::occupancyLimits(needsOf(place), place.run->profile))
        if (limit.name == name) return limit.blocks ? Number(s64(*limit.blocks)) : Number();
    return {};
}

Message threadsClue(P place) {
    return Message(
        english("A block has {0} {0:thread|threads}, and an SM has room for {1} {1:thread|threads}."),
        needsOf(place).threads, place.run->profile.threadsPerSm);
}
Message blocksClue(P place) {
    return Message(english("An SM keeps {0} {0:block|blocks} at most, however small they are."),
                   place.run->profile.blocksPerSm);
}
Message sharedClue(P place) {
    const model::BlockNeeds needs = needsOf(place);
    if (!needs.sharedBytes) return english("A block has no shared memory.");
    return Message(
        english("A block takes {0} {0:byte|bytes} of shared memory, and an SM has {1} {1:byte|bytes}."),
        needs.sharedBytes, place.run->profile.sharedBytesPerSm);
}
Message registersClue(P place) {
    const model::BlockNeeds needs = needsOf(place);
    if (!needs.registersPerThread) return {};
    return Message(english("A block has {2} {2:thread|threads} with {0} {0:register|registers} each, and an "
                           "SM has {1} registers."),
                   *needs.registersPerThread, place.run->profile.registersPerSm, needs.threads);
}
Message limitClue(P place) {
    return joined(joined(joined(threadsClue(place), blocksClue(place)), sharedClue(place)),
                  registersClue(place));
}
Message wavesClue(P place) {
    const model::BlockNeeds needs = needsOf(place);
    return Message(english("An SM keeps {0} {0:block|blocks} of this kernel at the same time; the device has "
                           "{1} {1:SM|SMs}, "
                           "and the grid has {2} {2:block|blocks}."),
                   occupancyOf(place).possibleBlocksPerSm, place.run->profile.multiprocessors,
                   needs.gridBlocks);
}

}  // namespace

std::vector<Quantity> occupancyRows() {
    return {
        {"resident_blocks", english("blocks of this kernel that fit on an SM at the same time"),
         NumberOf([](P p) -> Number { return occupancyOf(p).possibleBlocksPerSm; }), limitClue},
        {"resident_warps", english("warps of these blocks"),
         NumberOf([](P p) -> Number { return occupancyOf(p).possibleWarpsPerSm; }), limitClue},
        {"fit_by_warps", english("blocks of which the warps fit on an SM"),
         NumberOf([](P p) { return limitOf(p, "warps"); }), threadsClue},
        {"fit_by_blocks", english("blocks that an SM keeps at most"),
         NumberOf([](P p) { return limitOf(p, "blocks"); }), blocksClue},
        {"fit_by_shared", english("blocks of which the shared memory fits on an SM"),
         NumberOf([](P p) { return limitOf(p, "shared memory"); }), sharedClue},
        {"fit_by_registers", english("blocks of which the registers fit on an SM"),
         NumberOf([](P p) { return limitOf(p, "registers"); }), registersClue},
        {"registers", english("registers per thread, as the shipped machine code has it"),
         NumberOf([](P p) -> Number {
             const auto registers = registersOf(p);
             return registers ? Number(*registers) : Number();
         })},
        {"block_shared_bytes", english("bytes of shared memory of a block"),
         NumberOf([](P p) -> Number { return s64(needsOf(p).sharedBytes); })},
        {"sms", english("SMs of the device"),
         NumberOf([](P p) -> Number { return p.run->profile.multiprocessors; })},
        {"threads_per_sm", english("resident threads per SM at most"),
         NumberOf([](P p) -> Number { return p.run->profile.threadsPerSm; })},
        {"shared_bytes_per_sm", english("bytes of shared memory of an SM"),
         NumberOf([](P p) -> Number { return p.run->profile.sharedBytesPerSm; })},
        {"shared_bytes_reserved", english("bytes of it that the system takes for each block"),
         NumberOf([](P p) -> Number { return p.run->profile.sharedReservedPerBlock; })},
        {"registers_per_sm", english("registers of an SM"),
         NumberOf([](P p) -> Number { return p.run->profile.registersPerSm; })},
        {"wave_blocks", english("blocks that all SMs together keep at the same time"),
         NumberOf([](P p) -> Number { return s64(occupancyOf(p).blocksPerWave); }),
         Clues(wavesClue, limitClue)},
        {"waves", english("waves in which the grid's blocks run"),
         NumberOf([](P p) -> Number { return s64(occupancyOf(p).waves); }), Clues(wavesClue, limitClue)},
        {"last_wave_blocks", english("blocks of the last wave"),
         NumberOf([](P p) -> Number { return s64(occupancyOf(p).blocksInLastWave); }),
         Clues(wavesClue, limitClue)},
    };
}

}  // namespace lockstep::lessons
