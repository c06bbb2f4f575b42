// What of a launch fits on an SM at the same time, and what limits it.
#include "explain/arrays/shared_arrays.h"
#include "lessons/kinds.h"
#include "lessons/place_clues.h"
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

Message sharedClue(P place) {
    const model::BlockNeeds needs = needsOf(place);
    if (!needs.sharedBytes) return english("A block has no shared memory.");
    if (const u64 reserved = place.run->profile.sharedReservedPerBlock)
        return Message(
            english("A block takes {0} {0:byte|bytes} of shared memory and {2} more for the system, "
                    "and an SM has {1} {1:byte|bytes}."),
            needs.sharedBytes, place.run->profile.sharedBytesPerSm, reserved);
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
// How many blocks would fit if nothing else counted, from which what one of them takes follows.
Message fitClue(P place, std::string_view limit, const Words& words) {
    const Number blocks = limitOf(place, limit);
    return blocks ? Message(words, *blocks) : Message();
}
Message fitByRegistersClue(P place) {
    return fitClue(place, "registers",
                   english("The registers of an SM are enough for {0} {0:block|blocks} of this kernel."));
}
Message warpRegistersClue(P place) {
    const std::optional<u32> registers = registersOf(place);
    if (!registers) return {};
    return Message(english("The threads of a warp take {0} registers, and an SM has {1}."),
                   *registers * kWarpSize, place.run->profile.registersPerSm);
}
Message wholeGridClue(P place) {
    if (occupancyOf(place).waves != 1) return {};
    return english("All blocks of the grid fit on the SMs at the same time.");
}
Message arraysClue(P place) {
    std::vector<Message> arrays;
    for (const explain::SharedArray& array : explain::sharedArrays(*place.run, place.cursor.launch))
        arrays.push_back(Message::plain(array.name));
    if (arrays.empty()) return english("The kernel declares no array in shared memory.");
    return Message(english("In shared memory a block has {1:the array|the arrays} {0}."), listed(arrays),
                   arrays.size());
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

Message threadsLimitClue(const PlaceOnShow& place) {
    return Message(
        english("A block has {0} {0:thread|threads}, and an SM has room for {1} {1:thread|threads}."),
        needsOf(place).threads, place.run->profile.threadsPerSm);
}
Message blocksLimitClue(const PlaceOnShow& place) {
    return Message(english("An SM keeps {0} {0:block|blocks} at most, however small they are."),
                   place.run->profile.blocksPerSm);
}
Message limitClue(const PlaceOnShow& place) {
    struct Row {
        std::string_view name;
        Message (*clue)(const PlaceOnShow&);
    };
    static constexpr Row kRows[] = {{"warps", threadsLimitClue},
                                    {"blocks", blocksLimitClue},
                                    {"shared memory", sharedClue},
                                    {"registers", registersClue}};
    Number least;
    for (const Row& row : kRows)
        if (const Number blocks = limitOf(place, row.name))
            least = std::min(least.value_or(*blocks), *blocks);
    Message limits;  // those that no other one undercuts
    for (const Row& row : kRows)
        if (least && limitOf(place, row.name) == least) limits = joined(std::move(limits), row.clue(place));
    return limits;
}

std::vector<Quantity> occupancyRows() {
    return {
        {"resident_blocks", english("blocks of this kernel that fit on an SM at the same time"),
         NumberOf([](P p) -> Number { return occupancyOf(p).possibleBlocksPerSm; }),
         Clues(limitClue, threadsLimitClue, warpRegistersClue)},
        {"resident_warps", english("warps of these blocks"),
         NumberOf([](P p) -> Number { return occupancyOf(p).possibleWarpsPerSm; }),
         Clues(limitClue, threadsLimitClue, warpRegistersClue)},
        {"fit_by_warps", english("blocks of which the warps fit on an SM"),
         NumberOf([](P p) { return limitOf(p, "warps"); }), threadsLimitClue},
        {"fit_by_blocks", english("blocks that an SM keeps at most"),
         NumberOf([](P p) { return limitOf(p, "blocks"); }), ofDeviceClue},
        {"fit_by_shared", english("blocks of which the shared memory fits on an SM"),
         NumberOf([](P p) { return limitOf(p, "shared memory"); }), sharedClue},
        {"fit_by_registers", english("blocks of which the registers fit on an SM"),
         NumberOf([](P p) { return limitOf(p, "registers"); }), Clues(registersClue, warpRegistersClue)},
        {"registers", english("registers per thread, as the shipped machine code has it"),
         NumberOf([](P p) -> Number {
             const auto registers = registersOf(p);
             return registers ? Number(*registers) : Number();
         }),
         fitByRegistersClue},
        {"block_shared_bytes", english("bytes of shared memory of a block"),
         NumberOf([](P p) -> Number { return s64(needsOf(p).sharedBytes); }), arraysClue},
        {"sms", english("SMs of the device"),
         NumberOf([](P p) -> Number { return p.run->profile.multiprocessors; }), ofDeviceClue},
        {"threads_per_sm", english("resident threads per SM at most"),
         NumberOf([](P p) -> Number { return p.run->profile.threadsPerSm; }), ofDeviceClue},
        {"shared_bytes_per_sm", english("bytes of shared memory of an SM"),
         NumberOf([](P p) -> Number { return p.run->profile.sharedBytesPerSm; }), ofDeviceClue},
        {"shared_bytes_reserved", english("bytes of it that the system takes for each block"),
         NumberOf([](P p) -> Number { return p.run->profile.sharedReservedPerBlock; }), ofDeviceClue},
        {"registers_per_sm", english("registers of an SM"),
         NumberOf([](P p) -> Number { return p.run->profile.registersPerSm; }), ofDeviceClue},
        {"wave_blocks", english("blocks that all SMs together keep at the same time"),
         NumberOf([](P p) -> Number { return s64(occupancyOf(p).blocksPerWave); }),
         Clues(wavesClue, limitClue)},
        {"waves", english("waves in which the grid's blocks run"),
         NumberOf([](P p) -> Number { return s64(occupancyOf(p).waves); }), Clues(wavesClue, limitClue)},
        {"last_wave_blocks", english("blocks of the last wave"),
         NumberOf([](P p) -> Number { return s64(occupancyOf(p).blocksInLastWave); }),
         Clues(wavesClue, limitClue, wholeGridClue)},
    };
}

}  // namespace lockstep::lessons
