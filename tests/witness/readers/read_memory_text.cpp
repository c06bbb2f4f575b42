// What the memory view says: its sentence, how levels follow from each other, and a row at the mouse.
#include "base/text/counted.h"
#include "witness/readers/memory_levels.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace lockstep::witness {

// What the view says at the cursor, and of a row at the mouse.
void Reader::memoryText(const Said& said) {
    const auto sum = [&](Space space, u64 PcSums::*what) {
        f64 sum = 0;
        for (const auto& [kind, names] : kKinds)
            sum += f64(run_.of(space, kind).*what);
        return std::optional(sum);
    };
    const bool sectors = run_.capability().major >= 3;
    if (is("# more row* below: scroll*", "下面还有 # 行，请滚动*")) return rowsBelow(said);
    if (sectors ? is("The grid makes # request* to global memory, # sector*",
                     "整个网格向全局内存发出 # 个请求，共 # 个扇区*")
                : is("The grid makes # request* to global memory, # transaction*",
                     "整个网格向全局内存发出 # 个请求，共 # 个事务*"))
        expectAll(said, {sum(Space::Global, &PcSums::requests), sum(Space::Global, &PcSums::sectors),
                         sum(Space::Shared, &PcSums::wavefronts), sum(Space::Shared, &PcSums::least)});
    else if (is("*: click to go to warp #, step #; click again for the next one",
                "*：单击跳到线程束 # 的第 # 步；再次单击跳到下一次访问")) {
        // The access there is of the kind that the row counts.
        const u32 warp = u32((*tokens_)[0].value), step = u32((*tokens_)[1].value) - 1;
        const std::string name = text_.substr(0, text_.find(english() ? ": click to go" : "：单击"));
        const auto named = accessNamed(name, english());
        const auto& warps = block_.block().warps;
        const bool exists = warp < warps.size() && step < warps[warp].steps.size() &&
                            warps[warp].steps[step].access != trace::Step::kNone;
        done_[0] = done_[1] = true;
        if (!named || !exists || !said.leadsTo || said.leadsTo->warp.value != warp ||
            said.leadsTo->step != step)
            return fail(said, text_, "no access there, or the click leads elsewhere");
        const trace::StoredAccess& access = warps[warp].accesses[warps[warp].steps[step].access];
        if (access.space != named->first || access.kind != named->second)
            fail(said, text_, "the access there is of another kind");
    } else if (is("Measured on an *", "实测记录：*") || is("Beside it: on an *", "旁边是实测记录：*")) {
        for (std::size_t i = 0; i < tokens_->size(); ++i)
            if ((*tokens_)[i].value == 13) done_[i] = true;
    } else if (said.isHover)
        levelText(said);
    else if (const auto& caches = run_.run().caches; caches && is("L# reads: *", "L# 读取：*")) {
        const f64 kilobytes = std::floor(f64(caches->l1Bytes) / 1024);
        if (caches->l2ReadsLeast == caches->l2ReadsMost)
            expectAll(said, {f64(caches->l2ReadsLeast), kilobytes});
        else
            expectAll(said, {f64(caches->l2ReadsLeast), f64(caches->l2ReadsMost), kilobytes});
    } else
        betweenText();
}

// "2 machine code, 3 parameters and the like", "机器码 2，参数等 3": each kind, as long as some are left.
std::string Reader::readsBesides(f64 left) const {
    const model::CacheCounts& c = *run_.run().caches;
    std::string text;
    for (const auto& [sectors, en, zh] :
         {std::tuple{f64(c.codeReads), "for machine code", "个用于机器码"},
          {f64(c.launchReads), "for parameters and launch data", "个用于参数和启动数据"},
          {f64(c.fillReads), "for sectors stored in part", "个用于只写入一部分的扇区"},
          {f64(c.atomicReads), "for atomics", "个用于原子操作"},
          {left, "other", "其他"}}) {
        const f64 said = std::min(sectors, left);
        left -= said;
        if (said <= 0) continue;
        if (english())
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", withCommas(u64(said)), en);
        else
            text += fmt::format("{}{}", text.empty() ? "" : "，",
                                std::string_view(zh).starts_with("个")
                                    ? withCommas(u64(said)) + " " + zh
                                    : std::string(zh) + " " + withCommas(u64(said)) + " 个");
    }
    return (english() ? ": " : "：") + text;
}

// How a level follows from the one before.
void Reader::betweenText() {
    const auto& caches = run_.run().caches;
    if (!caches) return;
    const model::CacheCounts& c = *caches;
    const f64 stores = f64(run_.of(Space::Global, AccessKind::Store).sectors + c.localStores);
    const f64 loads = f64(c.loads - c.loadHits + c.localLoads - c.localLoadHits);
    const f64 beyond = f64(c.dramReads) - f64(c.l2ReadMisses);
    // Atomics leave their sectors in L2 like stores.
    const f64 changed = f64(c.l2Writes + run_.of(Space::Global, AccessKind::Atomic).sectors +
                            run_.of(Space::Global, AccessKind::Reduction).sectors),
              later = changed - f64(c.dramWrites);
    const auto either = [&](std::initializer_list<std::vector<f64>> ways) {
        for (const std::vector<f64>& way : ways) {
            if (way.size() > tokens_->size()) continue;
            bool holds = true;
            for (std::size_t i = 0; i < way.size(); ++i)
                holds = holds && rounds((*tokens_)[i], way[i]);
            if (holds)
                for (std::size_t i = 0; i < way.size(); ++i)
                    done_[i] = true;
        }
    };
    const auto order = [&](f64 part, f64 all) {  // "3 of 8", "8 个中有 3 个"
        return english() ? std::vector{part, all} : std::vector{all, part};
    };
    if (is("# of # sector* missed in * outstanding, and * merged with it.",
           "* 未命中的 # 个扇区中，有 # 个因同一扇区已有请求在途而与之归并。") ||
        is("# of # merged with an outstanding request", "# 个中有 # 个与在途的请求归并"))
        either({order(loads - f64(c.l2Reads), loads)});
    else if (is("# of # stored sector* merged with an earlier store to the same sector, still pending.",
                "写入的 # 个扇区中，有 # 个与先前尚未完成的、对同一扇区的写入归并。") ||
             is("# of # merged with an earlier store to the same sector",
                "# 个中有 # 个与先前对同一扇区的写入归并"))
        either({order(stores - f64(c.l2Writes), stores)});
    else if (is("According to the cache model, # of the # sector* written to *",
                "按缓存模型，写到 * 的 # 个扇区中，*")) {
        if (const auto& figures = run_.run().profile.caches) {
            std::vector<f64> way = order(f64(c.dramWrites), changed);
            way.push_back(f64(figures->l2DirtyBytes) / (1024 * 1024));
            either({way});
        }
    } else if (is("# of # are still in *: written back later", "# 个中有 # 个仍在 *，以后才写回"))
        either({order(later, changed)});
    else if (is("# of the # sector* read from device memory * fetched only because the neighboring *",
                "从设备内存读出的 # 个扇区中，有 # 个只是因为相邻的扇区被请求而顺带读来的*"))
        either({order(f64(c.l2ReadHits + c.l2ReadMisses - c.l2Reads), f64(c.l2ReadMisses))});
    else if (is("An estimated # of the predicted sectors do not come from the kernel's own loads: *",
                "预测的扇区中，估计有 # 个与核函数的读取无关*") ||
             is("# more than * read misses: *", "比 * 读未命中多 # 个：*")) {
        if (contains(text_, readsBesides(beyond))) either({{beyond}});
        if (done_[0]) done_.assign(done_.size(), true);
    } else if (is("+#: *", "+#：*") || is("−#: *", "−#：*")) {
        // By how many sectors a level differs: of some row.
        const run::RecordedRun* recorded = recordedOf(w_.world_, run_.run());
        for (const Level& level : levels()) {
            if (!recorded || !level.sectors) continue;
            const f64 moved = countedOf(level, *recorded).sectors;
            if (std::fabs(moved - *level.sectors) == tokens_->front().value) done_[0] = true;
        }
    }
}

// "L1, loads. What the instructions ask ...\nrequests: 512 predicted, 512 measured; ncu: ..."
void Reader::levelText(const Said& said) {
    sharedText(said);
    if (const auto& caches = run_.run().caches; caches && caches->dramReads > caches->l2ReadMisses) {
        // What of device memory's reads is no miss of L2's, kind by kind.
        const std::string kinds = readsBesides(f64(caches->dramReads - caches->l2ReadMisses));
        const std::size_t at = text_.find(kinds);
        for (const Token& token : *tokens_)
            if (at != std::string::npos && token.begin >= at && token.end <= at + kinds.size()) mark(token);
    }
    const run::RecordedRun* recorded = recordedOf(w_.world_, run_.run());
    for (const Level& level : levels()) {
        if (!said.text.starts_with(std::string(english() ? level.en : level.zh) + (english() ? ". " : "。")))
            continue;
        std::size_t line = 0;
        for (std::size_t from = 0; from < text_.size(); ++line) {
            const std::size_t end = std::min(text_.find('\n', from), text_.size());
            const std::string_view part = std::string_view(text_).substr(from, end - from);
            std::optional<f64> predicted, measured;
            const Counted counted = recorded ? countedOf(level, *recorded) : Counted{};
            bool isFigure = true;
            if (part.starts_with("requests: ") || part.starts_with("请求：预测"))
                predicted = level.requests, measured = known(counted.requests);
            else if (part.starts_with("sectors: ") || part.starts_with("sector accesses: ") ||
                     part.starts_with("扇区：预测") || part.starts_with("扇区访问：预测"))
                predicted = level.sectors, measured = known(counted.sectors);
            else if (part.starts_with("hits: ") || part.starts_with("命中：预测"))
                predicted = level.hits, measured = known(counted.hits);
            else if (part.starts_with("to the next level: ") || part.starts_with("发往下一级：预测")) {
                predicted = level.onward;
                measured = known(counted.onward);
            } else
                isFigure = false;
            std::vector<f64> values;
            if (predicted) values.push_back(*predicted);
            if (measured) values.push_back(*measured);
            std::size_t next = 0;
            for (std::size_t i = 0; i < tokens_->size(); ++i) {
                const Token& token = (*tokens_)[i];
                if (token.begin < from || token.end > end) continue;
                if (!isFigure) {
                    if (line == 0 && token.value == 32 && token.noun == "byte") done_[i] = true;  // a sector
                    if (line > 0) sentenceInHover(part, i);
                    continue;
                }
                done_[i] = true;
                if (next >= values.size() || token.value != values[next])
                    fail(said, written(token),
                         fmt::format("{} of {} is something else", part.substr(0, 10), level.en));
                ++next;
            }
            from = end + 1;
        }
        return;
    }
}

// A line of a row's hover that says how the row follows from others: the same text stands in the picture.
void Reader::sentenceInHover(std::string_view line, std::size_t i) {
    const std::vector<Token> own = tokensOf(line);
    // Moved away and back: the caller has views of them.
    std::string text = std::exchange(text_, std::string(line)), form = std::exchange(form_, formOf(text_));
    const std::vector<Token>* tokens = std::exchange(tokens_, &own);
    std::vector<bool> done = std::exchange(done_, std::vector<bool>(own.size()));
    betweenText();
    const bool traced = std::ranges::all_of(done_, [](bool one) { return one; });
    text_ = std::move(text), form_ = std::move(form), tokens_ = tokens, done_ = std::move(done);
    if (traced) done_[i] = true;
}

// "Shared, loads. ...\nwavefronts: 12,288 predicted, 12,288 measured; ...\nbank conflicts: 0 predicted, ...".
// What is predicted is what the machine runs: no more than as written.
void Reader::sharedText(const Said& said) {
    struct Row {
        std::string_view en, zh, operation;
    };
    constexpr std::array<Row, 3> kRows{{{"Shared, loads. ", "共享内存，读取。", "ld"},
                                        {"Shared, stores. ", "共享内存，写入。", "st"},
                                        {"Shared, atomics. ", "共享内存，原子操作。", "atom"}}};
    const run::RecordedRun* recorded = recordedOf(w_.world_, run_.run());
    for (const Row& row : kRows) {
        if (!said.text.starts_with(english() ? row.en : row.zh)) continue;
        const std::string operation(row.operation);
        PcSums sums;
        for (const AccessKind kind :
             {AccessKind::Load, AccessKind::Store, AccessKind::Atomic, AccessKind::Reduction}) {
            const bool isIt = operation == "ld"   ? kind == AccessKind::Load
                              : operation == "st" ? kind == AccessKind::Store
                                                  : kind != AccessKind::Load && kind != AccessKind::Store;
            if (isIt)
                sums.wavefronts += run_.of(Space::Shared, kind).wavefronts,
                    sums.least += run_.of(Space::Shared, kind).least;
        }
        const auto counted = [&](const char* what) {
            return recorded ? sumOf(recorded->measured.counters,
                                    {fmt::format("l1tex__data_{}_shared_op_{}", what, operation)})
                            : NAN;
        };
        const f64 measured[2] = {counted("pipe_lsu_wavefronts_mem"), counted("bank_conflicts_pipe_lsu_mem")};
        const f64 most[2] = {f64(sums.wavefronts), f64(sums.wavefronts)};
        std::size_t i = 0;
        // "加 1 而不取结果": of what a wavefront is.
        if (!english() && i < tokens_->size() && (*tokens_)[i].value == 1 &&
            (*tokens_)[i].end < text_.find('\n'))
            done_[i++] = true;
        for (int line = 0; line < 2; ++line) {
            if (i < tokens_->size()) {
                done_[i] = (*tokens_)[i].value <= most[line];
                ++i;
            }
            if (!std::isnan(measured[line]) && i < tokens_->size())
                done_[i] = (*tokens_)[i].value == measured[line], ++i;
        }
        return;
    }
}

}  // namespace lockstep::witness
