// Answers to questions: what the author wrote has its numbers in family.toml; what stands in braces there is
// computed here once more.
#include "base/text/counted.h"
#include "viz/notes/notes.h"
#include "witness/claims.h"
#include "witness/readers/reader.h"
#include "witness/record/formula.h"
#include "witness/record/times.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace lockstep::witness {
// A figure that a note names, of the run or of a variant's recording.
f64 Reader::noteFigure(std::string_view name, std::string_view variant) {
    const run::Run& run = run_.run();
    const auto loads = [&](u64 PcSums::*what) {
        return f64(run_.of(trace::Space::Global, trace::AccessKind::Load).*what +
                   run_.of(trace::Space::Global, trace::AccessKind::AsyncCopy).*what);
    };
    if (variant.empty()) {
        if (run.catalog)
            if (const auto value = run.catalog->values.find(name); value != run.catalog->values.end())
                return f64(value->second);
        const Launch& launch = run.recording.launches.front();
        const auto& caches = run.caches;
        const Occupied o = occupied();
        const std::initializer_list<std::pair<std::string_view, f64>> figures{
            {"load_requests", loads(&PcSums::requests)},
            {"load_sectors", loads(&PcSums::sectors)},
            {"store_requests", f64(run_.of(trace::Space::Global, trace::AccessKind::Store).requests)},
            {"store_sectors", f64(run_.of(trace::Space::Global, trace::AccessKind::Store).sectors)},
            {"l2_reads", caches ? f64(caches->l2Reads) : NAN},
            {"l2_writes", caches ? f64(caches->l2Writes) : NAN},
            {"dram_reads", caches ? f64(caches->dramReads) : NAN},
            {"dram_writes", caches ? f64(caches->dramWrites) : NAN},
            {"thread_instructions", f64(run_.total().activeLanes)},
            {"threads_per_block", f64(launch.block.count())},
            {"blocks", f64(launch.grid.count())},
            {"shared_bytes", f64(run::sharedBytes(*run.module, launch))},
            {"blocks_per_sm", f64(o.blocks)},
            {"warps_per_sm", f64(o.warps)},
            {"shared_limit", f64(std::max(run.profile.sharedBytesPerBlock, run.profile.sharedBytesOptIn))},
            {"threads_limit", f64(run.profile.threadsPerBlock)},
            {"multiprocessors", f64(run.profile.multiprocessors)},
            {"banks", run.profile.major == 1 ? 16 : 32},
            {"copy_rate", times() ? times()->copyRate : NAN}};
        for (const auto& [figure, value] : figures)
            if (figure == name) return value;
        return NAN;
    }
    const RecordedTimes* times = this->times();
    if (!times) return NAN;
    for (const RecordedTime& time : times->times) {
        if (!time.variant || time.variant->name != variant) continue;
        const auto counted = [&](const char* metric) {
            const auto found = time.run ? time.run->measured.counters.find(metric)
                                        : std::map<std::string, f64>::const_iterator();
            return time.run && found != time.run->measured.counters.end() ? found->second : NAN;
        };
        if (!times->isTheRuns && !name.starts_with("published")) return NAN;
        if (name == "time") return time.milliseconds;
        if (name == "achieved_rate") return time.rate();
        if (name == "published_rate")
            return time.variant->published ? time.variant->published->gigabytesPerSecond * 1e9 : NAN;
        if (name == "published_ms")
            return time.variant->published ? time.variant->published->milliseconds : NAN;
        if (name == "measured_load_requests") return counted("l1tex__t_requests_pipe_lsu_mem_global_op_ld");
        if (name == "measured_load_sectors") return counted("l1tex__t_sectors_pipe_lsu_mem_global_op_ld");
        if (name == "measured_l1_hits")
            return counted("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit");
        if (name == "measured_l2_reads") return counted("lts__t_sectors_srcunit_tex_op_read");
        if (name == "measured_instructions") return counted("smsp__inst_executed");
    }
    return NAN;
}

// A note's text against the sentences that it was made from: numbers of the sentence are the author's, what
// stands in braces is worked out.
bool Reader::noteOf(const Said& said, const std::vector<Text>& sentences) {
    bool isAny = false;
    for (const Text& sentence : sentences) {
        const std::string& pattern = sentence.in(picture_.language);
        // Literal pieces in their order, somewhere in the text; what lies between two of them is the figure.
        std::vector<std::string> literals(1), figures;
        for (std::size_t i = 0; i < pattern.size(); ++i)
            if (pattern[i] == '{') {
                const std::size_t end = pattern.find('}', i);
                if (end == std::string::npos) break;
                figures.emplace_back(pattern.substr(i + 1, end - i - 1));
                literals.emplace_back();
                i = end;
            } else
                literals.back() += pattern[i];
        std::vector<std::size_t> begins;
        std::size_t at = 0;
        for (const std::string& literal : literals) {
            const std::size_t found = said.text.find(literal, at);
            if (found == std::string::npos) break;
            begins.push_back(found), at = found + literal.size();
        }
        // The page's end may cut the sentence short.
        const bool isCut = begins.size() < literals.size();
        if (isCut && !begins.empty() && at - begins.front() < 8) continue;
        if (isCut) {
            const std::string& literal = literals[begins.size()];
            const std::size_t least = begins.empty() ? 8 : 0;
            std::size_t n = std::min(literal.size(), said.text.size() - at);
            while (n > least && !said.text.ends_with(literal.substr(0, n)))
                --n;
            if (begins.empty() && (n <= least || !said.text.ends_with(literal.substr(0, n)))) continue;
            begins.push_back(said.text.size() - n);
        }
        isAny = true;
        const std::size_t end = isCut || literals.back().empty() ? said.text.size() : at;
        for (std::size_t i = 0; i < tokens_->size(); ++i) {
            const Token& token = (*tokens_)[i];
            if (token.begin < begins.front() || token.end > end) continue;
            std::size_t piece = 0;
            while (piece + 1 < begins.size() && token.begin >= begins[piece + 1])
                ++piece;
            const std::size_t pieceEnd = begins[piece] + literals[piece].size();
            if (token.end <= pieceEnd || piece >= figures.size()) {
                done_[i] = done_[i] || token.end <= pieceEnd;  // the author's own
                continue;
            }
            const std::size_t colon = figures[piece].find(": ");
            if (colon == std::string::npos) continue;
            const std::string kind = figures[piece].substr(0, colon);
            const f64 value = formulaValue(
                std::string_view(figures[piece]).substr(colon + 2),
                [&](std::string_view name, std::string_view variant) { return noteFigure(name, variant); });
            const f64 unit = kind == "pct"             ? 0.01
                             : token.noun == "KiB"     ? 1024
                             : token.noun == "MiB"     ? 1024 * 1024
                             : token.noun == "GB/s"    ? 1e9
                             : token.noun == "TB/s"    ? 1e12
                             : token.noun == "us"      ? 1e-3
                             : token.noun == "ns"      ? 1e-6
                             : token.noun == "GFLOP/s" ? 1e9
                             : token.noun == "TFLOP/s" ? 1e12
                                                       : 1;
            done_[i] = done_[i] || rounds(token, value / unit);
        }
    }
    return isAny;
}

void Reader::noteText(const Said& said) {
    if (!run_.run().catalog) return;
    const auto isOf = [&](const Text& question, const std::vector<Text>& answer) {
        if (picture_.view == "read" || contains(said.text, "\n"))
            if (noteOf(said, {question}) || picture_.view == "read") noteOf(said, answer);
    };
    for (const catalog::NoteTemplate& note : run_.run().catalog->family->notes)
        isOf(note.question, note.answer);
    for (const viz::GeneralNote& note : viz::generalNotes())
        isOf(textOf(note.question), textsOf(note.answer));
}

}  // namespace lockstep::witness
