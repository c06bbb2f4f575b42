// The memory view's tables: the accesses as counted, the levels as simulated and as a GPU counted them.
#include "witness/readers/memory_levels.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::witness {

void Reader::memoryPicture() {
    accessRows();
    levelRows();
}

void Reader::accessRows() {
    const auto instructions = head({"instructions", "指令"}), requests = head({"requests", "请求"}),
               sectors = head({run_.capability().major < 3 ? "transactions" : "sectors",
                               run_.capability().major < 3 ? "事务" : "扇区"}),
               each = head({"per request", "每个请求"}), wavefronts = head({"wavefronts", "波前"}),
               least = head({"minimum", "最少"});
    if (!instructions || !requests || !sectors || !each || !wavefronts || !least) return;
    const auto levels = head({"Memory tables: L1, L2 and device memory", "内存表：L1、L2 与设备内存"});
    const run::RecordedRun* recorded = recordedOf(w_.world_, run_.run());
    f64 wavefrontsOfRow = 0;  // as the machine runs it, where that is another number
    std::optional<AccessKind> kindOfRow;
    for (const Said& said : picture_.texts) {
        if (said.isHover || said.isSentence || said.isCaption) continue;
        if (kindOfRow && (said.text.starts_with("merged") || said.text.starts_with("拼接后"))) {
            // What the compiler merges is modeled: no more accesses and none more efficient than written.
            const PcSums& sums = run_.of(Space::Shared, *kindOfRow);
            for (const auto& [column, most] : {std::pair{&*instructions, sums.executions},
                                               {&*wavefronts, sums.wavefronts},
                                               {&*least, sums.wavefronts}})
                if (const Said* cell = this->cell(*column, said.top)) {
                    take(*cell);
                    w_.of(picture_.countedAs()).let += 1;
                    const std::vector<Token> tokens = tokensOf(cell->text);
                    if (tokens.empty() || tokens[0].value > f64(most))
                        fail(*cell, cell->text, "more than as written");
                    if (column == &*wavefronts && !tokens.empty()) wavefrontsOfRow = tokens[0].value;
                }
            continue;
        }
        const bool isMeasured = said.text == "measured" || said.text == "实测" ||
                                said.text.ends_with(": measured") || said.text.ends_with("：实测");
        if (isMeasured && recorded && levels && said.top < levels->top) {
            sharedMeasured(said, *wavefronts, *each, kindOfRow, wavefrontsOfRow);
            continue;
        }
        const auto named = accessNamed(said.text, picture_.language == Language::English);
        if (!named) continue;
        const PcSums& sums = run_.of(named->first, named->second);
        const bool isShared = named->first == Space::Shared;
        kindOfRow = isShared ? std::optional(named->second) : std::nullopt;
        wavefrontsOfRow = f64(sums.wavefronts);
        const std::optional<f64> none;
        const auto row = {
            std::tuple{&*instructions, std::optional(f64(sums.executions)), "executions"},
            std::tuple{&*requests, isShared ? none : f64(sums.requests), "requests"},
            std::tuple{&*sectors, isShared ? none : f64(sums.sectors), "sectors"},
            std::tuple{&*each, isShared || !sums.requests ? none : f64(sums.sectors) / f64(sums.requests),
                       "sectors a request"},
            std::tuple{&*wavefronts, isShared ? f64(sums.wavefronts) : none, "wavefronts"},
            std::tuple{&*least, isShared ? f64(sums.least) : none, "least wavefronts"},
        };
        for (const auto& [column, value, what] : row)
            if (const Said* cell = this->cell(*column, said.top); cell) expect(*cell, value, what);
    }
}

std::vector<Reader::Level> Reader::levels() const {
    const auto of = [&](AccessKind kind) { return run_.of(Space::Global, kind); };
    PcSums loads = of(AccessKind::Load), atomics = of(AccessKind::Atomic);
    loads.requests += of(AccessKind::AsyncCopy).requests, loads.sectors += of(AccessKind::AsyncCopy).sectors;
    const PcSums &stores = of(AccessKind::Store), &reductions = of(AccessKind::Reduction);
    atomics.requests += reductions.requests, atomics.sectors += reductions.sectors;
    const auto& caches = run_.run().caches;
    const auto simulated = [&](u64 model::CacheCounts::*count) {
        return caches ? std::optional(f64((*caches).*count)) : std::nullopt;
    };
    using Counts = model::CacheCounts;
    const auto missed = [&](std::optional<f64> all, std::optional<f64> hits) {
        return all && hits ? std::optional(*all - *hits) : std::nullopt;
    };
    // What an old card counts are transactions, of which ncu knows nothing.
    const auto sectors = [&](const PcSums& sums, u32 since) {
        return run_.capability().major >= since ? std::optional(f64(sums.sectors)) : std::nullopt;
    };
    const std::string lsu = "l1tex__t_requests_pipe_lsu_mem_global_op_",
                      pieces = "l1tex__t_sectors_pipe_lsu_mem_global_op_";
    return {
        {"L1, loads",
         "L1，读取",
         f64(loads.requests),
         sectors(loads, 3),
         simulated(&Counts::loadHits),
         missed(simulated(&Counts::loads), simulated(&Counts::loadHits)),
         {lsu + "ld"},
         {pieces + "ld"},
         pieces + "ld_lookup_hit",
         "-"},
        {"L1, stores",
         "L1，写入",
         f64(stores.requests),
         sectors(stores, 2),
         simulated(&Counts::storeHits),
         sectors(stores, 2),
         {lsu + "st"},
         {pieces + "st"},
         pieces + "st_lookup_hit",
         ""},
        {"L1, atomics",
         "L1，原子操作",
         f64(atomics.requests),
         sectors(atomics, 2),
         {},
         sectors(atomics, 2),
         {lsu + "atom", lsu + "red"},
         {pieces + "atom", pieces + "red"},
         "",
         "="},
        {"L1, local loads",
         "L1，本地内存读取",
         {},
         simulated(&Counts::localLoads),
         simulated(&Counts::localLoadHits),
         missed(simulated(&Counts::localLoads), simulated(&Counts::localLoadHits)),
         {},
         {},
         "",
         ""},
        {"L1, local stores",
         "L1，本地内存写入",
         {},
         simulated(&Counts::localStores),
         {},
         simulated(&Counts::localStores),
         {},
         {},
         "",
         ""},
        {"L2, reads",
         "L2，读取",
         {},
         simulated(&Counts::l2Reads),
         simulated(&Counts::l2ReadHits),
         simulated(&Counts::l2ReadMisses),
         {},
         {"lts__t_sectors_srcunit_tex_op_read"},
         "lts__t_sectors_srcunit_tex_op_read_lookup_hit",
         "lts__t_sectors_srcunit_tex_op_read_lookup_miss"},
        {"L2, writes",
         "L2，写入",
         {},
         simulated(&Counts::l2Writes),
         {},
         {},
         {},
         {"lts__t_sectors_srcunit_tex_op_write"},
         "",
         ""},
        {"Device memory, reads",
         "设备内存，读取",
         {},
         simulated(&Counts::dramReads),
         {},
         {},
         {},
         {"dram__sectors_read"},
         "",
         ""},
        {"Device memory, writes",
         "设备内存，写入",
         {},
         simulated(&Counts::dramWrites),
         {},
         {},
         {},
         {"dram__sectors_write"},
         "",
         ""},
    };
}

// "2 more rows below: scroll": levels behind the last one that is seen. Those of L1 are there where the run
// has such accesses, the others always.
void Reader::rowsBelow(const Said& said) {
    const std::vector<Level> levels = this->levels();
    std::size_t seen = 0;
    for (const Said& other : picture_.texts)
        for (std::size_t i = 0; i < levels.size(); ++i)
            if (!other.isHover && other.left < 60 && other.text == (english() ? levels[i].en : levels[i].zh))
                seen = i + 1;
    if (!seen) return;
    const auto isThere = [](const Level& level) {
        return !level.en.starts_with("L1") || level.requests.value_or(0) + level.sectors.value_or(0) > 0;
    };
    expectAll(said,
              {f64(std::ranges::count_if(levels.begin() + std::ptrdiff_t(seen), levels.end(), isThere))});
}

// "measured ... 12 bank conflicts, 0 predicted ... 2,048 (+3)" below a row of shared memory.
void Reader::sharedMeasured(const Said& said, const Head& wavefronts, const Head& conflicts,
                            std::optional<AccessKind> kind, f64 predicted) {
    const auto& counters = recordedOf(w_.world_, run_.run())->measured.counters;
    std::string operation = kind == AccessKind::Store ? "st" : kind == AccessKind::Load ? "ld" : "atom";
    if (says(said.text, {"Shared, loads", "共享内存，读取"})) operation = "ld", predicted = 0;
    if (says(said.text, {"Shared, stores", "共享内存，写入"})) operation = "st", predicted = 0;
    if (says(said.text, {"Shared, atomics", "共享内存，原子操作"})) operation = "atom", predicted = 0;
    const f64 counted = sumOf(counters, {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_" + operation}),
              clashes = sumOf(counters, {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_" + operation});
    if (const Said* cell = this->cell(wavefronts, said.top)) {
        expect(*cell, known(counted), "what the GPU counted");
        const std::vector<Token> tokens = tokensOf(cell->text);
        if (tokens.size() == 2 &&
            tokens[1].value * (contains(cell->text, "(−") ? -1 : 1) != counted - predicted)
            fail(*cell, cell->text, fmt::format("it is {} more than {}", counted - predicted, predicted));
    }
    for (const Said& other : picture_.texts)
        if (!other.isHover && std::fabs(other.top - said.top) < 4 && says(other.text, {"conflict", "冲突"}) &&
            other.left < wavefronts.right && conflicts.right > 0)
            expect(other, known(clashes), "the bank conflicts that the GPU counted");
}

void Reader::levelRows() {
    const auto title = head({"Memory tables: L1, L2 and device memory", "内存表：L1、L2 与设备内存"});
    if (!title) return;
    const auto requests = head({"requests", "请求"}, title->top),
               sectors = head({"sectors", "扇区"}, title->top),
               rate = head({"hit rate", "命中率"}, title->top),
               onward = head({"to the next level", "发往下一级", "onward", "发往下级"}, title->top);
    if (!requests || !sectors || !rate || !onward) return;
    const std::vector<Level> levels = this->levels();
    const run::RecordedRun* recorded = recordedOf(w_.world_, run_.run());
    const Level* last = nullptr;
    for (const Said& said : picture_.texts) {
        if (said.isHover || said.isSentence || said.isCaption || said.left > 60) continue;
        const auto level = std::ranges::find_if(
            levels, [&](const Level& one) { return said.text == one.en || said.text == one.zh; });
        const bool isMeasured = said.text == "measured" || said.text == "实测";
        if (level != levels.end()) {
            last = &*level;
            const auto hits = last->hits && last->sectors && *last->sectors > 0
                                  ? std::optional(100 * *last->hits / *last->sectors)
                                  : std::nullopt;
            for (const auto& [column, value, what] : {std::tuple{&*requests, last->requests, "requests"},
                                                      {&*sectors, last->sectors, "sectors"},
                                                      {&*rate, hits, "the hit rate"},
                                                      {&*onward, last->onward, "what goes on"}})
                if (const Said* cell = this->cell(*column, said.top)) expect(*cell, value, what);
        } else if (isMeasured && last && recorded) {
            const Counted counted = countedOf(*last, *recorded);
            for (const auto& [column, value, predicted] :
                 {std::tuple{&*requests, known(counted.requests), last->requests},
                  {&*sectors, known(counted.sectors), last->sectors},
                  {&*rate, known(100 * counted.hits / counted.sectors), std::optional<f64>()},
                  {&*onward, known(counted.onward), last->onward}}) {
                const Said* cell = this->cell(*column, said.top);
                if (!cell) continue;
                expect(*cell, value, "what the GPU counted");
                // "131,072 (+4)": less what is predicted.
                const std::vector<Token> tokens = tokensOf(cell->text);
                if (tokens.size() != 2 || !value) continue;
                const bool minus = contains(cell->text, "(−");
                if (!predicted || tokens[1].value * (minus ? -1 : 1) != *value - *predicted)
                    fail(*cell, cell->text, "measured less predicted is something else");
            }
        }
    }
}

}  // namespace lockstep::witness
