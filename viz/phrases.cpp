// Puts common facts into words.
#include "viz/phrases.h"

#include "explain/access/access_values.h"
#include "explain/access/atomic_lanes.h"
#include "explain/inactive_lanes/inactive_lanes.h"
#include "explain/numbers.h"
#include "explain/sentences/words.h"
#include "model/access/global_sectors.h"
#include "run/gpu/driver_text.h"
#include "viz/facts/explained_run.h"
#include "viz/messages.h"

#include <fmt/format.h>

#include <array>

namespace lockstep::viz {

constexpr Words kCudaAndDriver = english("{0}, driver {1}");
constexpr Words kElementsOf = english("{0} ({1})");
constexpr Words kLaneOffBecause = english("Lane {0}, thread {1} is inactive: {2}.");
// Of an asynchronous copy whose source ends before what it would copy.
constexpr Words kLaneFillsIn =
    english("Lane {0}, thread {1} reads nothing: no element is there, and the copy writes zeros.");
constexpr Words kLaneDoesNotJump = english("Lane {0}, thread {1} does not take the branch.");

const Words& wordsFor(trace::Space space) {
    static constexpr std::array kNames{message::kGlobal, message::kShared, message::kLocal,
                                       message::kConstant, message::kParam};
    return kNames[u32(space)];
}

const Words& wordsFor(trace::AccessKind kind) {
    static constexpr std::array kNames{message::kLoad, message::kStore, message::kAtomic, message::kReduction,
                                       message::kAsyncCopy};
    return kNames[u32(kind)];
}

std::string accessName(Language language, trace::Space space, trace::AccessKind kind) {
    using trace::AccessKind, trace::Space;
    if (kind == AccessKind::Reduction && space == Space::Shared)
        return say(language, message::kSharedReduction);  // RED is an instruction for global memory
    if (kind == AccessKind::AsyncCopy && space <= Space::Shared)
        return say(language, space == Space::Shared ? message::kAsyncToShared : message::kAsyncFromGlobal);
    return say(language, message::kAccessKind, wordsFor(space).in(language), wordsFor(kind).in(language));
}

const Words& whoSaysSo(bool fromMachineCode) {
    return fromMachineCode ? message::kFromMachineCodeSo : message::kModelledSo;
}

const Words& verbOf(trace::AccessKind kind) {
    if (kind == trace::AccessKind::Load || kind == trace::AccessKind::AsyncCopy) return message::kReads;
    return kind == trace::AccessKind::Store ? message::kWrites : message::kUpdates;
}

std::string placeText(const ViewInput& in, const CursorContext& here) {
    const Launch& launch = launchOf(in.run, in.cursor.launch);
    std::string text = say(in.language, message::kBlock, coordinates(in.cursor.block, launch.grid));
    if (!here.warp) return text;
    text += " · " + say(in.language, message::kWarpLower, in.cursor.warp.value);
    if (!here.step) return text;
    text += " · " + say(in.language, message::kStepOf, in.cursor.step + 1, here.warp->steps.size());
    if (const explain::SourceLine line = explain::lineOf(*in.run.module, here.step->pc); line.line)
        text += " · " + say(in.language, message::kLine, line.line);
    return text;
}

std::string accessText(const ViewInput& in, const trace::WarpAccess& access, u32 exist) {
    std::string text = accessName(in.language, access.space, access.kind) + " · " +
                       say(in.language, message::kBytesALane, u32(access.widthBytes));
    const LaneMask off = LaneMask::firstLanes(exist) & ~access.active;
    if (!off.empty())
        text += " · " +
                say(in.language, message::kInactiveLanes, off.count(), explain::lanesText(off, in.language));
    return text;
}

std::string addressText(const ViewInput& in, const trace::WarpTrace& warp, const trace::StoredAccess& access,
                        Lane lane) {
    const std::string name = explain::nameOfAddress(warp.unpack(access), lane, *in.run.module,
                                                    in.run.recording, arrayShapes(in.run, in.cursor.launch));
    return name.empty() ? fmt::format("0x{:x}", warp.address(access, lane)) : name;
}

std::string cudaText(Language language, const std::string& driver) {
    const run::DriverVersions versions = run::driverVersions(driver);
    return versions.release.empty() ? versions.cuda
                                    : say(language, kCudaAndDriver, versions.cuda, versions.release);
}

std::string laneSentence(const ViewInput& in, const CursorContext& here, Lane lane) {
    const Launch& launch = launchOf(in.run, in.cursor.launch);
    const std::string thread = coordinates(explain::threadOf(launch, in.cursor.warp, lane), launch.block);
    if (!here.step->active.has(lane)) {
        const std::vector<explain::InactiveLanes> why =
            explain::inactiveLanes(*in.run.module, *here.warp, in.cursor.step, LaneMask::of(lane));
        if (!why.empty() && why.front().why == explain::InactiveLanes::Why::NoJump)
            return say(in.language, kLaneDoesNotJump, lane.value, thread);
        return say(in.language, kLaneOffBecause, lane.value, thread,
                   explain::whyInWords(*in.run.module, why.front(), in.language));
    }
    const Pc pc = here.step->pc;
    if (!here.access)
        return say(in.language, message::kLaneOn, lane.value, thread,
                   pc.value < in.run.module->instructions.size() ? in.run.module->at(pc).name : "");
    const std::string place = placesText(in.language, addressText(in, *here.warp, *here.access, lane));
    if (trace::isAtomic(here.access->kind))
        return say(in.language, message::kLaneUpdates, lane.value, thread,
                   explain::AtomicLanes(in.run, in.cursor, here).sentence(in.language, lane, place));
    if (!here.access->active.has(lane)) return say(in.language, kLaneFillsIn, lane.value, thread);
    const explain::MovedElements elements =
        explain::movedElements(in.run, in.cursor.launch, *here.warp, *here.access, lane);
    std::string moved =
        explain::movedText(elements, here.warp->value(*here.access, lane), explain::kInSentence);
    if (elements.count > 1) moved = say(in.language, kElementsOf, moved, explain::typeText(elements));
    if (here.access->kind == trace::AccessKind::Store)
        return say(in.language, message::kLaneWrites, lane.value, thread, place, moved);
    return say(in.language, message::kLaneReads, lane.value, thread, place, moved);
}

std::string placesText(Language language, const std::string& name) {
    return explain::placesText(name).in(language);
}

std::string whyNothing(const ViewInput& in, const CursorContext& here) {
    if (here.step) return {};
    if (in.run.recording.trace.blocks.empty()) return say(in.language, message::kNothingRecorded);
    const std::string block = coordinates(in.cursor.block, launchOf(in.run, in.cursor.launch).grid);
    if (!here.block) return say(in.language, message::kNotRecorded, block);
    return say(in.language, message::kNoSuchStep, in.cursor.warp.value, block, in.cursor.step + 1);
}

bool countsSectors(const model::Profile& profile) {
    return model::countsSectors(trace::AccessKind::Load, profile) &&
           model::countsSectors(trace::AccessKind::Store, profile);
}

std::string partText(Language language, Lines rows, Lines columns, const std::string& of) {
    using namespace message;
    const auto text = [&](Lines lines, const Words& one, const Words& several) {
        return lines.count == 1 ? say(language, one, lines.first)
                                : say(language, several, lines.first, lines.first + lines.count - 1);
    };
    return say(language, kPartOf, text(rows, kOneRow, kRowsPart), text(columns, kOneColumn, kColumnsPart),
               of);
}

}  // namespace lockstep::viz
