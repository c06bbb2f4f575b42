// Occupancy as an experiment: every bar by the witness's own formulas, the kernel's own values from the run,
// the table from the recording's runs.
#include "witness/readers/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace lockstep::witness {
namespace {

constexpr std::array<std::array<std::string_view, 3>, 4> kLimits{
    {{"warps", "warps", "线程束数"},
     {"blocks", "blocks", "线程块数"},
     {"shared memory", "shared memory", "共享内存"},
     {"registers", "registers", "寄存器"}}};

// "227 KiB", "26.4 MiB", "256 B": as far as digits tell.
std::optional<u64> bytesOf(f64 value, std::string_view after) {
    if (after.starts_with(" KiB")) return u64(std::llround(value * 1024));
    if (after.starts_with(" B")) return u64(value);
    return std::nullopt;
}

// Three digits and a unit.
bool isTimeOf(const std::string& text, f64 milliseconds) {
    char* unit = nullptr;
    const f64 value = std::strtod(text.c_str(), &unit);
    constexpr std::array<std::pair<std::string_view, f64>, 4> kUnits{
        {{" ns", 1e-6}, {" µs", 1e-3}, {" ms", 1}, {" s", 1e3}}};
    return std::ranges::any_of(kUnits, [&](const auto& one) {
        return one.first == unit && std::fabs(value * one.second - milliseconds) <= 0.006 * milliseconds;
    });
}

}  // namespace

// "64 threads per block: 16 blocks per SM, 32 of 64 warps (50%); limiting factor: blocks", the sentence, and
// what stands below a title: "256, as launched".
void Reader::occupancyBars(const Said& said) {
    const auto v = [](u64 value) { return std::optional(f64(value)); };
    const auto limitIs = [&](const Occupied& o, std::string_view text) {
        return std::ranges::any_of(kLimits, [&](const auto& limit) {
            const auto found = o.limits.find(std::string(limit[0]));
            return found != o.limits.end() && found->second == o.blocks &&
                   text.starts_with(limit[english() ? 1 : 2]);
        });
    };
    const auto afterFirst = [&] { return std::string_view(text_).substr(tokens_->front().end); };
    Tried tried;
    const bool isThreads = is("# thread* per block: *", "每线程块 # 个线程：*"),
               isRegisters = is("# register* per thread: *", "每线程 # 个寄存器：*");
    if (tokens_->empty()) return;
    const f64 first = tokens_->front().value;
    const std::optional<u64> bytes = bytesOf(first, afterFirst());
    const bool isShared = bytes && is("# * per block: *", "每线程块 # *：*");
    if (isThreads || isRegisters || isShared) {
        if (isThreads) tried.threads = u64(first);
        if (isRegisters) tried.registers = u64(first);
        if (isShared) tried.sharedBytes = *bytes;
        const Occupied o = occupied(tried);
        const std::string_view marker = english() ? "limiting factor: " : "限制因素：";
        const std::size_t at = text_.rfind(marker);
        if (at == std::string::npos || !limitIs(o, std::string_view(text_).substr(at + marker.size())))
            fail(said, text_, "something else limits it");
        if (o.blocks == 0) {
            expectAll(said, {first});
            return;
        }
        const f64 percent = 100.0 * f64(o.warps) / f64(o.places);
        if (english())
            expectAll(said, {first, v(o.blocks), v(o.warps), v(o.places), percent});
        else
            expectAll(said, {first, v(o.blocks), v(o.places), v(o.warps), percent});
        return;
    }
    const Launch& launch = run_.run().recording.launches.front();
    const Occupied o = occupied();
    const u64 shared = run::sharedBytes(*run_.run().module, launch);
    if (is("#, as launched", "#（启动时的值）"))
        expectAll(said, {v(launch.block.count())});
    else if (is("#, as compiled", "#（编译结果）"))
        expectAll(said, {o.registers ? v(*o.registers) : std::nullopt});
    else if (is("# *, as launched", "# *（启动时的值）") && bytes)
        expectAll(said, {*bytes == shared ? std::optional(first) : std::nullopt});
    else if (is("# thread* per block, *: # block* per SM, # of # warp*",
                "每线程块 # 个线程，*：每个多处理器可驻留 # 个线程块，即 # 个线程束中的 # 个。*")) {
        std::vector<std::optional<f64>> values{v(launch.block.count())};
        if (o.registers) values.push_back(v(*o.registers));
        const Token& held = (*tokens_)[std::min(values.size(), tokens_->size() - 1)];
        const std::optional<u64> amount = bytesOf(held.value, std::string_view(text_).substr(held.end));
        values.push_back(amount == std::optional(shared) ? std::optional(held.value) : std::nullopt);
        values.push_back(v(o.blocks));
        values.push_back(english() ? v(o.warps) : v(o.places));
        values.push_back(english() ? v(o.places) : v(o.warps));
        expectAll(said, values);
    } else if (is("Compute capability #: *", "计算能力 #：*")) {
        const bool isKnown = std::ranges::any_of(model::profiles(), [&](const model::Profile& profile) {
            return contains(text_, fmt::format("{}.{}", profile.major, profile.minor)) &&
                   text_.ends_with(profile.card);
        });
        if (isKnown) std::fill(done_.begin(), done_.end(), true);
    } else if (is("#.#", "#.#") || is("#", "#")) {
        const bool isKnown = std::ranges::any_of(model::profiles(), [&](const model::Profile& profile) {
            return text_ == fmt::format("{}.{}", profile.major, profile.minor);
        });
        if (isKnown) std::fill(done_.begin(), done_.end(), true);
    }
}

// Rows of what was recorded: value, blocks on an SM, warps, registers and time, from one run of the
// recording.
void Reader::occupancyTable() {
    const catalog::Experiment* own = run_.run().catalog ? &*run_.run().catalog : nullptr;
    const Said* title = nullptr;
    for (const Said& said : picture_.texts)
        if (!said.isHover && (said.text.starts_with("Recorded on ") || contains(said.text, " 上的记录")))
            title = &said;
    if (!title || !own) return;
    const std::string kernel = own->family->name + "/" + own->variant->name;
    std::map<int, std::vector<const Said*>> rows;
    for (const Said& said : picture_.texts)
        if (!said.isHover && said.top > title->top + 30 && said.left >= title->left - 1)
            rows[int(std::lround(said.top))].push_back(&said);
    for (auto& [top, cells] : rows) {
        std::ranges::sort(cells, {}, [](const Said* said) { return said->left; });
        if (cells.size() != 5) continue;
        const bool isFound =
            std::ranges::any_of(w_.world_.machines, [&](const run::RecordedMachine& machine) {
                return contains(title->text, machine.recording.device) &&
                       std::ranges::any_of(machine.recording.runs, [&](const run::RecordedRun& run) {
                           const bool hasValue = std::ranges::any_of(
                               run.parameters,
                               [&](const auto& setting) { return setting.second == cells[0]->text; });
                           const run::Measured& measured = run.measured;
                           if (run.kernel != kernel || !hasValue || !measured.timing ||
                               measured.registers.empty() ||
                               cells[3]->text != std::to_string(measured.registers.front()) ||
                               cells[1]->text != std::to_string(measured.blocksPerSm))
                               return false;
                           const u64 warps = std::strtoull(cells[2]->text.c_str(), nullptr, 10);
                           return warps % measured.blocksPerSm == 0 &&
                                  isTimeOf(cells[4]->text, measured.timing->kernel.median);
                       });
            });
        for (const Said* cell : cells) {
            rowTexts_.insert(cell);
            if (!isFound) fail(*cell, cell->text, "no recorded run has this row");
        }
    }
}

}  // namespace lockstep::witness
