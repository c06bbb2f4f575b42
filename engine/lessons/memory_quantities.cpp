// The tables of global memory, level by level, and what a kernel leaves in its arrays.
#include "lessons/quantity_rows.h"
#include "model/memory_tables.h"

#include <cmath>

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

Message tableReason(P place) {
    const auto figure = [&](Number value) { return value.value_or(0); };
    return Message(english("Loads: {0} {0:request|requests} with {1} {1:sector|sectors} at L1; stores: {2} "
                           "{2:request|requests} with {3} {3:sector|sectors}."),
                   figure(inTable<Row::Level::L1, Row::Operation::Load, What::Requests>(place)),
                   figure(inTable<Row::Level::L1, Row::Operation::Load, What::Sectors>(place)),
                   figure(inTable<Row::Level::L1, Row::Operation::Store, What::Requests>(place)),
                   figure(inTable<Row::Level::L1, Row::Operation::Store, What::Sectors>(place)));
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

constexpr auto kL1 = Row::Level::L1, kL2 = Row::Level::L2, kDevice = Row::Level::Device;
constexpr auto kLoad = Row::Operation::Load, kStore = Row::Operation::Store, kAtomic = Row::Operation::Atomic;

}  // namespace

std::vector<Quantity> memoryRows() {
    return {
        {"load_requests", english("requests of loads to L1"), NumberOf(inTable<kL1, kLoad, What::Requests>),
         tableReason},
        {"load_sectors", english("sectors of loads at L1"), NumberOf(inTable<kL1, kLoad, What::Sectors>),
         tableReason},
        {"load_hits", english("of these, found in L1"), NumberOf(inTable<kL1, kLoad, What::Hits>),
         tableReason},
        {"store_requests", english("requests of stores to L1"),
         NumberOf(inTable<kL1, kStore, What::Requests>), tableReason},
        {"store_sectors", english("sectors of stores at L1"), NumberOf(inTable<kL1, kStore, What::Sectors>),
         tableReason},
        {"l2_load_sectors", english("sectors of loads at L2"), NumberOf(inTable<kL2, kLoad, What::Sectors>),
         tableReason},
        {"l2_load_hits", english("of these, found in L2"), NumberOf(inTable<kL2, kLoad, What::Hits>),
         tableReason},
        {"l2_store_sectors", english("sectors of stores at L2"),
         NumberOf(inTable<kL2, kStore, What::Sectors>), tableReason},
        {"device_load_sectors", english("sectors that device memory delivers"),
         NumberOf(inTable<kDevice, kLoad, What::Sectors>), tableReason},
        {"device_store_sectors", english("sectors that reach device memory before the kernel ends"),
         NumberOf(inTable<kDevice, kStore, What::Sectors>), tableReason},
        {"atomic_requests", english("requests of atomics to global memory"),
         NumberOf(inTable<kL1, kAtomic, What::Requests>), tableReason},
        {"atomic_sectors", english("sectors of atomics that go to L2"),
         NumberOf(inTable<kL1, kAtomic, What::Sectors>), tableReason},
        {"result_sum", english("sum of all elements of the result"), NumberOf(sumOfResult),
         [](P p) {
             return Message(english("The elements of the result add up to {0}."), sumOfResult(p).value_or(0));
         }},
    };
}

}  // namespace lockstep::lessons
