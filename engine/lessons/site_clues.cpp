#include "lessons/site_clues.h"

#include "base/text/quantities.h"
#include "explain/inactive_lanes/paths.h"
#include "lessons/kinds.h"
#include "lessons/quantities.h"
#include "model/access/global_sectors.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace lockstep::lessons {
namespace {

using P = const PlaceOnShow&;
using model::SiteReport;

// The accesses of one kind at a source line in a launch, added up: the compiler makes several of one where it
// unrolls a loop.
struct LineSite {
    LaunchId launch{};
    std::string_view file{};
    u32 line = 0;
    trace::Space space{};
    trace::AccessKind kind{};
    u64 requests = 0, sectors = 0, executions = 0, wavefronts = 0, activeLanes = 0, bytes = 0;
    bool countsSectors = true;
};

std::vector<LineSite> sitesByLine(P place) {
    std::vector<LineSite> lines;
    for (const SiteReport& site : place.run->report.sites) {
        if (!site.line) continue;
        auto line = std::ranges::find_if(lines, [&](const LineSite& one) {
            return one.launch == site.launch && one.file == site.file && one.line == site.line &&
                   one.space == site.space && one.kind == site.kind;
        });
        if (line == lines.end())
            line = lines.insert(line, {.launch = site.launch,
                                       .file = site.file,
                                       .line = site.line,
                                       .space = site.space,
                                       .kind = site.kind});
        line->requests += site.requests;
        line->sectors += site.sectors;
        line->executions += site.executions;
        line->wavefronts += site.wavefronts;
        line->activeLanes += site.activeLanes;
        line->bytes += site.activeLanes * site.widthBytes;
        line->countsSectors &= site.countsSectors;
    }
    return lines;
}

// The one with most of it; none: nothing has any.
template <class Test> std::optional<LineSite> costliest(P place, const Test& test, u64 LineSite::*figure) {
    std::optional<LineSite> found;
    for (const LineSite& site : sitesByLine(place))
        if (test(site) && site.*figure > (found ? (*found).*figure : 0)) found = site;
    return found;
}

template <class Test> std::optional<LineSite> costliestGlobal(P place, const Test& test) {
    std::optional<LineSite> site = costliest(
        place, [&](const LineSite& s) { return s.space == trace::Space::Global && test(s.kind); },
        &LineSite::sectors);
    return site && site->requests && site->countsSectors ? site : std::nullopt;
}

// "2 sectors", "4.35 sectors on average"
Message perRequest(u64 all, u64 requests, Words whole, Words average) {
    constexpr u64 kSeveral = 2;  // a fraction is said in the plural
    if (all % requests == 0) return Message(whole, all / requests);
    return Message(average, threeDigits(f64(all) / f64(requests)), kSeveral);
}
Message sectorsPerRequest(const LineSite& site) {
    return perRequest(site.sectors, site.requests, english("{0} {0:sector|sectors}"),
                      english("{0} {1:sector|sectors} on average"));
}

template <class Test> Message sectorsOf(P place, const Test& test) {
    const std::optional<LineSite> site = costliestGlobal(place, test);
    if (!site) return {};
    const Message sectors = sectorsPerRequest(*site);
    // Of an atomic they are not those that it touches: what one word's lanes send takes turns.
    if (trace::isAtomic(site->kind))
        return Message(english("A request of the atomic at line {0} sends {1} to L2."), site->line, sectors);
    return site->kind == trace::AccessKind::Store
               ? Message(english("A request of the store at line {0} touches {1}."), site->line, sectors)
               : Message(english("A request of the load at line {0} touches {1}."), site->line, sectors);
}

template <class Test> Message allSectorsOf(P place, const Test& test) {
    const std::optional<LineSite> site = costliestGlobal(place, test);
    if (!site) return {};
    const Words words =
        trace::isAtomic(site->kind)
            ? english(
                  "At line {0} the grid makes {1} {1:request|requests}; {1:it sends|each of them sends} {2} "
                  "to L2.")
            : english(
                  "At line {0} the grid makes {1} {1:request|requests}; {1:it touches|each of them touches} "
                  "{2}.");
    return Message(words, site->line, site->requests, sectorsPerRequest(*site));
}

// All kinds of accesses of a line together.
template <class Test> Message requestsOf(P place, const Test& test) {
    const Launch& launch = explain::launchOf(*place.run, place.cursor.launch);
    const u64 warps = launch.grid.count() * ((launch.block.count() + kWarpSize - 1) / kWarpSize);
    std::map<u32, u64> requests;  // by line
    for (const LineSite& site : sitesByLine(place))
        if (site.space == trace::Space::Global && test(site.kind) && site.requests)
            requests[site.line] += site.requests;
    const auto most = std::ranges::max_element(requests, {}, &std::pair<const u32, u64>::second);
    if (most == requests.end() || !warps || most->second % warps) return {};
    const Message ofLine(
        english("At line {0} each of the {2} {2:warp|warps} of the grid makes {1} {1:request|requests}."),
        most->first, most->second / warps, warps);
    if (requests.size() == 1) return ofLine;
    return joined(ofLine, Message(english("There are requests at {0} other {0:line|lines}, too."),
                                  requests.size() - 1));
}

bool isAny(trace::AccessKind) { return true; }
bool isLoad(trace::AccessKind kind) {
    return kind == trace::AccessKind::Load || kind == trace::AccessKind::AsyncCopy;
}
bool isStore(trace::AccessKind kind) { return kind == trace::AccessKind::Store; }

Message updatesClue(P place, trace::Space space) {
    const u64 blocks = explain::launchOf(*place.run, place.cursor.launch).grid.count();
    const std::optional<LineSite> site = costliest(
        place, [&](const LineSite& s) { return s.space == space && trace::isAtomic(s.kind); },
        &LineSite::activeLanes);
    if (!site || !blocks) return {};
    const u64 updates = (site->activeLanes + blocks / 2) / blocks;
    const bool isExact = site->activeLanes % blocks == 0;
    const Message times =
        Message(isExact ? english("{0} {0:time|times}") : english("about {0} {0:time|times}"), updates);
    return Message(space == trace::Space::Shared
                       ? english("At line {0} a block updates words of shared memory {1}.")
                       : english("At line {0} a block updates words of global memory {1}."),
                   site->line, times);
}

}  // namespace

Message globalSitesClue(P place) { return sectorsOf(place, isAny); }
Message loadSitesClue(P place) { return sectorsOf(place, isLoad); }
Message storeSitesClue(P place) { return sectorsOf(place, isStore); }
Message atomicSitesClue(P place) { return sectorsOf(place, trace::isAtomic); }

Message allGlobalSitesClue(P place) { return allSectorsOf(place, isAny); }
Message allLoadSitesClue(P place) { return allSectorsOf(place, isLoad); }
Message allStoreSitesClue(P place) { return allSectorsOf(place, isStore); }
Message allAtomicSitesClue(P place) { return allSectorsOf(place, trace::isAtomic); }

Message allSharedSitesClue(P place) {
    const std::optional<LineSite> site = costliest(
        place, [](const LineSite& s) { return s.space == trace::Space::Shared; }, &LineSite::wavefronts);
    if (!site || !site->executions) return {};
    return Message(english("At line {0} the grid makes {1} {1:request|requests} to shared memory; {1:it "
                           "takes|each of them takes} {2}."),
                   site->line, site->executions,
                   perRequest(site->wavefronts, site->executions, english("{0} {0:wavefront|wavefronts}"),
                              english("{0} {1:wavefront|wavefronts} on average")));
}

Message hitClue(P place) {
    const std::optional<LineSite> site = costliest(
        place,
        [](const LineSite& s) {
            return s.space == trace::Space::Global && s.kind == trace::AccessKind::Load;
        },
        &LineSite::sectors);
    if (!site || !site->countsSectors) return {};
    const u64 needed = site->bytes;
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
    const auto takesMore = [](const SiteReport& site) { return site.wavefronts > site.idealWavefronts; };
    const Message conflict =
        std::ranges::any_of(place.run->report.sites, takesMore)
            ? conflictClue(place)
            : Message(english("At none of them do two lanes of a warp request different words of one bank at "
                              "the same time."));
    return joined(
        Message(english("Shared memory is accessed at {1:line|lines} {0}."), listed(names), names.size()),
        conflict);
}

Message globalUpdatesClue(P place) { return updatesClue(place, trace::Space::Global); }
Message sharedUpdatesClue(P place) { return updatesClue(place, trace::Space::Shared); }

Message requestSitesClue(P place) { return requestsOf(place, isAny); }
Message loadRequestsClue(P place) { return requestsOf(place, isLoad); }
Message storeRequestsClue(P place) { return requestsOf(place, isStore); }
Message atomicRequestsClue(P place) { return requestsOf(place, trace::isAtomic); }

namespace {
struct Diverging {
    u64 warps = 0, diverge = 0, most = 0, ofWarp = 0;
};
Diverging divergingOf(P place) {
    Diverging all{.warps = place.here.block->warps.size()};
    for (u32 w = 0; w < all.warps; ++w) {
        const trace::WarpTrace& warp = place.here.block->warps[w];
        u64 times = 0;
        for (u32 step = 0; step < warp.steps.size(); ++step)
            times += explain::divergenceAt(*place.run->module, warp, step).has_value();
        all.diverge += times > 0;
        if (times > all.most) all.most = times, all.ofWarp = w;
    }
    return all;
}
}  // namespace

Message divergingWarpsClue(P place) {
    const Diverging all = divergingOf(place);
    if (all.diverge == 0) return english("No warp of this block diverges.");
    return Message(english("Of the {0} {0:warp|warps} of this block {1} {1:diverges|diverge}."), all.warps,
                   all.diverge);
}

Message mostDivergingWarpClue(P place) {
    const Diverging all = divergingOf(place);
    if (all.diverge == 0) return {};
    return Message(english("Warp {0} of this block diverges {1} {1:time|times}."), all.ofWarp, all.most);
}

namespace {
u64 mostElements(P place) {
    u64 most = 0;
    for (const Buffer& buffer : place.run->recording.initial)
        most = std::max(most, buffer.count());
    return most;
}
}  // namespace

Message trafficClue(P place) {
    u64 sectors = 0;
    for (const SiteReport& site : place.run->report.sites) {
        if (site.space == trace::Space::Global && !site.countsSectors) return {};
        sectors += site.sectors;
    }
    const u64 elements = mostElements(place);
    if (!elements || !sectors) return {};
    constexpr u64 kSeveral = 2;
    const Message traffic(english("In this run the kernel moves {0} {1:sector|sectors} of global memory per "
                                  "element of the largest array."),
                          threeDigits(f64(sectors) / f64(elements)), kSeveral);
    return joined(traffic, globalSitesClue(place));
}

Message workOfBlockClue(P place) {
    const u64 blocks = explain::launchOf(*place.run, place.cursor.launch).grid.count(),
              most = mostElements(place);
    const u64 threads = explain::launchOf(*place.run, place.cursor.launch).block.count();
    if (!blocks || !threads) return {};
    if (most % (blocks * threads))
        return Message(english("A block has {0} {0:thread|threads}, and the largest array has {1} "
                               "{1:element|elements}."),
                       threads, most);
    return Message(english("For each block there are {0} {0:element|elements} of the largest array."),
                   most / blocks);
}

Message workOfThreadClue(P place) {
    const Launch& launch = explain::launchOf(*place.run, place.cursor.launch);
    const u64 threads = launch.grid.count() * launch.block.count(), most = mostElements(place);
    if (!threads || most % threads) return {};
    return Message(english("For each thread there {0:is|are} {0} {0:element|elements} of the largest array."),
                   most / threads);
}

}  // namespace lockstep::lessons
