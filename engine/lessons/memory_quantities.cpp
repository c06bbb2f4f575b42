// The tables of global memory, level by level, and what a kernel leaves in its arrays.
#include "base/element_value.h"
#include "explain/numbers.h"
#include "explain/sentences/address_names.h"
#include "lessons/place_clues.h"
#include "lessons/quantity_rows.h"
#include "lessons/site_clues.h"
#include "model/memory_tables.h"

#include <bit>
#include <cmath>
#include <map>

namespace lockstep::lessons {
namespace {

using P = const PlaceOnShow&;
using Number = std::optional<s64>;
using Row = model::MemoryRow;
using What = model::MemoryFigure::What;

// 0: the level has no row for it, because nothing comes there.
template <Row::Level Level, Row::Operation Operation, What Figure> Number inTable(P place) {
    const run::Run& run = *place.run;
    if (!run.caches) return {};
    const model::MemoryTables tables = model::memoryTables(run.report, run.caches, nullptr);
    for (const Row& row : tables.rows) {
        if (row.level != Level || row.operation != Operation) continue;
        const model::MemoryFigure* figure = row.find(Figure);
        return figure && figure->predicted ? Number(s64(*figure->predicted)) : Number();
    }
    return 0;
}

// The last array of whole numbers that the kernel stores to; of reals none.
const Buffer* resultOf(P place) {
    const run::Run& run = *place.run;
    if (!run.catalog) return nullptr;
    const Buffer* found = nullptr;
    for (std::size_t i = 0; i < run.recording.final.size(); ++i) {
        const Buffer& buffer = run.recording.final[i];
        const auto& all = run.catalog->variant->buffers;
        if (i < all.size() && all[i].output && !buffer.bytes.empty() && !isReal(buffer.type)) found = &buffer;
    }
    return found;
}

Number sumOfResult(P place) {
    const Buffer* result = resultOf(place);
    if (!result) return {};
    s64 sum = 0;
    for (u64 i = 0; i < result->count(); ++i)
        sum += s64(result->valueAt(i));
    return sum;
}

// What the run found; where it found nothing, two lanes whose stores meet in one word.
Message lostClue(P place) {
    if (Message finding = findingClue(place); !finding.empty()) return finding;
    if (!place.access || place.access->kind != trace::AccessKind::Store) return {};
    std::map<u64, LaneMask> stores;  // by address
    for (const Lane lane : place.access->active) {
        LaneMask& lanes = stores[place.access->addresses[lane.value]];
        lanes = lanes | LaneMask::of(lane);
    }
    for (const auto& [address, lanes] : stores)
        if (lanes.count() > 1)
            return Message(
                english("Here lanes {0} and {1} store to the same element, both what they loaded before "
                        "and changed."),
                lanes.lowest().value, u32(std::bit_width(lanes.bits)) - 1);
    return {};
}

// Its size, and its last element.
Message resultClue(P place) {
    const Buffer& result = place.run->recording.final.back();
    if (!result.count()) return {};
    const u64 last = result.count() - 1;
    const f64 value =
        lockstep::numberOf(std::span(result.bytes).subspan(last * info(result.type).bytes), result.type);
    return Message(english("{0} is {1}, the last of {2} {2:element|elements}."),
                   explain::nameOfElement(place.run->recording.final, result.name, last),
                   explain::numberText(value, value != std::floor(value)), result.count());
}

Message deviceClue(P) {
    return english(
        "Device memory delivers what L2 does not have: of the arrays, and of the kernel's own code "
        "and parameters.");
}

constexpr auto kL1 = Row::Level::L1, kL2 = Row::Level::L2, kDevice = Row::Level::Device;
constexpr auto kLoad = Row::Operation::Load, kStore = Row::Operation::Store, kAtomic = Row::Operation::Atomic;

}  // namespace

std::vector<Quantity> memoryRows() {
    return {
        {"load_requests", english("requests of loads to L1"), NumberOf(inTable<kL1, kLoad, What::Requests>),
         Clues(warpsClue, loadRequestsClue, blockClue)},
        {"load_sectors", english("sectors of loads at L1"), NumberOf(inTable<kL1, kLoad, What::Sectors>),
         Clues(loadSitesClue, allLoadSitesClue, gridClue)},
        {"load_hits", english("sectors of loads that are found in L1"),
         NumberOf(inTable<kL1, kLoad, What::Hits>), Clues(hitClue, loadSitesClue)},
        {"store_requests", english("requests of stores to L1"),
         NumberOf(inTable<kL1, kStore, What::Requests>), Clues(warpsClue, storeRequestsClue, blockClue)},
        {"store_sectors", english("sectors of stores at L1"), NumberOf(inTable<kL1, kStore, What::Sectors>),
         Clues(storeSitesClue, allStoreSitesClue, gridClue)},
        {"l2_load_sectors", english("sectors of loads at L2"), NumberOf(inTable<kL2, kLoad, What::Sectors>),
         Clues(hitClue, loadSitesClue)},
        {"l2_load_hits", english("sectors of loads that are found in L2"),
         NumberOf(inTable<kL2, kLoad, What::Hits>), Clues(hitClue, loadSitesClue)},
        {"l2_store_sectors", english("sectors of stores at L2"),
         NumberOf(inTable<kL2, kStore, What::Sectors>), Clues(storeSitesClue, allStoreSitesClue, gridClue)},
        {"device_load_sectors", english("sectors that device memory delivers"),
         NumberOf(inTable<kDevice, kLoad, What::Sectors>), Clues(deviceClue, hitClue)},
        {"device_store_sectors", english("sectors that reach device memory before the kernel ends"),
         NumberOf(inTable<kDevice, kStore, What::Sectors>),
         Clues(storeSitesClue, allStoreSitesClue, gridClue)},
        {"atomic_requests", english("requests of atomics to global memory"),
         NumberOf(inTable<kL1, kAtomic, What::Requests>), Clues(warpsClue, atomicRequestsClue, blockClue)},
        {"atomic_sectors", english("sectors of atomics that go to L2"),
         NumberOf(inTable<kL1, kAtomic, What::Sectors>), atomicSitesClue},
        {.name = "result_sum",
         .meaning = english("sum of all elements of the result"),
         .of = NumberOf(sumOfResult),
         .clue = Clues(lostClue, findingLineClue, resultClue),
         .notLess = Clues(storeRequestsClue, resultClue)},
    };
}

}  // namespace lockstep::lessons
