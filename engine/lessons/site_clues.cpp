#include "lessons/site_clues.h"

#include "base/text/quantities.h"
#include "lessons/kinds.h"
#include "lessons/quantities.h"
#include "model/access/global_sectors.h"

#include <algorithm>
#include <set>

namespace lockstep::lessons {
namespace {

using P = const PlaceOnShow&;
using model::SiteReport;

// The one with most of it; none: nothing has any.
template <class Test> const SiteReport* costliest(P place, const Test& test, u64 SiteReport::*figure) {
    const SiteReport* found = nullptr;
    for (const SiteReport& site : place.run->report.sites)
        if (test(site) && site.line && site.*figure > (found ? found->*figure : 0)) found = &site;
    return found;
}

template <class Test> Message sectorsOf(P place, const Test& test) {
    const SiteReport* site = costliest(
        place, [&](const SiteReport& s) { return s.space == trace::Space::Global && test(s.kind); },
        &SiteReport::sectors);
    if (!site || !site->requests || !site->countsSectors) return {};
    constexpr u64 kSeveral = 2;  // a fraction is said in the plural
    const bool isWhole = site->sectors % site->requests == 0;
    const Message sectors = isWhole
                                ? Message(english("{0} {0:sector|sectors}"), site->sectors / site->requests)
                                : Message(english("{0} {1:sector|sectors} on average"),
                                          threeDigits(f64(site->sectors) / f64(site->requests)), kSeveral);
    if (trace::isAtomic(site->kind))
        return Message(english("A request of the atomic at line {0} touches {1}."), site->line, sectors);
    return site->kind == trace::AccessKind::Store
               ? Message(english("A request of the store at line {0} touches {1}."), site->line, sectors)
               : Message(english("A request of the load at line {0} touches {1}."), site->line, sectors);
}

Message updatesClue(P place, trace::Space space) {
    const u64 blocks = explain::launchOf(*place.run, place.cursor.launch).grid.count();
    const SiteReport* site = costliest(
        place, [&](const SiteReport& s) { return s.space == space && trace::isAtomic(s.kind); },
        &SiteReport::activeLanes);
    if (!site || !blocks) return {};
    const u64 updates = (site->activeLanes + blocks / 2) / blocks;
    return space == trace::Space::Shared
               ? Message(english("At line {0} a block updates words of shared memory, about {1} "
                                 "{1:time|times}."),
                         site->line, updates)
               : Message(english("At line {0} a block updates words of global memory, about {1} "
                                 "{1:time|times}."),
                         site->line, updates);
}

}  // namespace

Message globalSitesClue(P place) {
    return sectorsOf(place, [](trace::AccessKind) { return true; });
}
Message loadSitesClue(P place) {
    return sectorsOf(place, [](trace::AccessKind kind) {
        return kind == trace::AccessKind::Load || kind == trace::AccessKind::AsyncCopy;
    });
}
Message storeSitesClue(P place) {
    return sectorsOf(place, [](trace::AccessKind kind) { return kind == trace::AccessKind::Store; });
}
Message atomicSitesClue(P place) { return sectorsOf(place, trace::isAtomic); }

Message hitClue(P place) {
    const SiteReport* site = costliest(
        place,
        [](const SiteReport& s) {
            return s.space == trace::Space::Global && s.kind == trace::AccessKind::Load;
        },
        &SiteReport::sectors);
    if (!site || !site->countsSectors) return {};
    const u64 needed = site->activeLanes * site->widthBytes;
    if (needed >= site->sectors * model::kSectorBytes)
        return Message(english("A request of the load at line {0} needs all of each sector that it touches."),
                       site->line);
    return Message(
        english("Of a sector, {0} {0:byte|bytes}, a request of the load at line {1} needs {2}: the "
                "rest is of use only if a later request finds it."),
        model::kSectorBytes, site->line, bytesText(f64(needed) / f64(site->sectors)));
}

Message sharedSitesClue(P place) {
    std::set<u32> lines;
    for (const SiteReport& site : place.run->report.sites)
        if (site.space == trace::Space::Shared && site.line) lines.insert(site.line);
    if (lines.empty()) return english("No line accesses shared memory.");
    std::vector<Message> names;
    for (const u32 line : lines)
        names.push_back(Message::plain(std::to_string(line)));
    return joined(
        Message(english("Shared memory is accessed at {1:line|lines} {0}."), listed(names), names.size()),
        conflictClue(place));
}

Message globalUpdatesClue(P place) { return updatesClue(place, trace::Space::Global); }
Message sharedUpdatesClue(P place) { return updatesClue(place, trace::Space::Shared); }

Message requestSitesClue(P place) {
    const Launch& launch = explain::launchOf(*place.run, place.cursor.launch);
    const u64 warps = launch.grid.count() * ((launch.block.count() + kWarpSize - 1) / kWarpSize);
    const SiteReport* site = costliest(
        place, [](const SiteReport& s) { return s.space == trace::Space::Global; }, &SiteReport::requests);
    if (!site || !warps || site->requests % warps) return {};
    return Message(
        english("At line {0} each of the {2} {2:warp|warps} of the grid makes {1} {1:request|requests}."),
        site->line, site->requests / warps, warps);
}

namespace {
u64 mostElements(P place) {
    u64 most = 0;
    for (const Buffer& buffer : place.run->recording.initial)
        most = std::max(most, buffer.count());
    return most;
}
}  // namespace

Message workOfBlockClue(P place) {
    const u64 blocks = explain::launchOf(*place.run, place.cursor.launch).grid.count(),
              most = mostElements(place);
    if (!blocks || most % blocks) return {};
    return Message(
        english("For each block there are {0} of the {1} {1:element|elements} of the largest array."),
        most / blocks, most);
}

Message workOfThreadClue(P place) {
    const Launch& launch = explain::launchOf(*place.run, place.cursor.launch);
    const u64 threads = launch.grid.count() * launch.block.count(), most = mostElements(place);
    if (!threads || most % threads) return {};
    return Message(english("For each thread there {0:is|are} {0} {0:element|elements} of the largest array."),
                   most / threads);
}

}  // namespace lockstep::lessons
