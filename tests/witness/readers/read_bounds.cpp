// Bounds and occupancy: what the card's figures make of the run, by formulas of the witness's own.
#include "witness/readers/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep::witness {
namespace {

using trace::Space;

// A time as it is written: "12.3 µs", in milliseconds.
std::optional<f64> millisecondsOf(const Token& token) {
    return token.noun == "ms" ? std::optional(token.value) : std::nullopt;
}
bool isTime(const Token& token, f64 ms) { return millisecondsOf(token) && rounds(token, ms); }
u64 up(u64 a, u64 unit) { return unit ? (a + unit - 1) / unit * unit : a; }
// As cuda_occupancy.h allocates them: per warp, spread over the SM's parts; on cc 1.x per block, in pairs of
// warps.
u64 blocksByRegisters(u64 warps, u64 registers, const model::Profile& p) {
    if (registers > p.registersPerThread) return 0;
    if (!p.registersPerWarp)
        return p.registersPerSm / up(up(warps, 2) * registers * 32, p.registerAllocationUnit);
    constexpr std::array<u64, 8> kDouble{21, 22, 29, 30, 37, 38, 45, 46};
    const bool isDouble = p.major == 2 && std::ranges::find(kDouble, registers) != kDouble.end();
    const u64 perWarp = up(registers * 32, p.registerAllocationUnit * (isDouble ? 2u : 1u));
    const auto on = [&](u64 parts) {
        return perWarp * up(warps, parts) > p.registersPerSm
                   ? 0
                   : p.registersPerSm / parts / perWarp * parts / warps;
    };
    return p.major == 6 && on(4) == 0 ? 0 : on(p.registerPartitions);
}

}  // namespace

// What each resource is asked for. How many multiplications and additions fuse is the compiler's: at best
// all, at worst none.
std::vector<Reader::Bound> Reader::bounds() const {
    const run::Run& run = run_.run();
    const model::Profile& profile = run.profile;
    if (!profile.speed) return {};
    u64 blocks = 0, bytes = 0;
    for (const Launch& launch : run.recording.launches)
        blocks = std::max(blocks, launch.grid.count());
    for (const Buffer& buffer : run.recording.initial)
        bytes += buffer.bytes.size();
    const f64 clocks = 1e6 * profile.speed->clockMhz * f64(std::min<u64>(profile.multiprocessors, blocks));
    std::vector<Bound> bounds;
    if (run.caches && profile.caches) {
        const f64 held = f64(profile.caches->l2Bytes) / 32;
        const f64 reads = f64(std::min(run.caches->l2ReadsLeast, run.caches->l2ReadMisses));
        f64 least = reads;  // later launches may find in L2 what they read
        for (u32 l = 1; l < run.recording.counts.size(); ++l) {
            f64 sectors = 0;
            for (const trace::SiteCounts& site : run.recording.counts[l].sites)
                if (site.space == Space::Global && site.kind != trace::AccessKind::Store)
                    for (const trace::Pattern& pattern : site.patterns)
                        sectors +=
                            f64(globalCost(accessOf(site, pattern), run_.capability()).items * pattern.times);
            least -= std::min(sectors, held);
        }
        const f64 stored =
            std::min(f64(bytes), 32.0 * f64(run.caches->dramWrites) + f64(profile.caches->l2DirtyBytes));
        const f64 writes = std::max(0.0, stored - f64(profile.caches->l2Bytes)) / 32,
                  amount = 32 * (std::max(0.0, least) + writes);
        bounds.push_back(
            {"device memory", "设备内存", amount, amount, 1e6 * profile.speed->memoryMBPerSecond});
        if (profile.speed->l2ReadMBPerSecond) {
            const f64 l2 = 32.0 * f64(run.caches->l2ReadsLeast);
            bounds.push_back({"reading from the L2 cache", "读取 L2 缓存", l2, l2,
                              1e6 * *profile.speed->l2ReadMBPerSecond});
        }
    }
    f64 wavefronts = 0, certain = 0, arithmetic[2] = {0, 0};
    for (const trace::AccessKind kind : {trace::AccessKind::Load, trace::AccessKind::Store,
                                         trace::AccessKind::Atomic, trace::AccessKind::Reduction})
        wavefronts += f64(run_.of(Space::Shared, kind).wavefronts);
    for (const auto& [pc, sums] : run_.ofPc()) {
        const std::string_view form = run.module->at(Pc{pc}).form;
        const auto starts = [&](std::initializer_list<std::string_view> names) {
            return std::ranges::any_of(names, [&](std::string_view name) { return form.starts_with(name); });
        };
        const bool isFloat = contains(form, ".f32") || contains(form, ".f64"),
                   computes = isFloat && starts({"add.", "sub.", "mul.", "fma.", "mad."});
        if (computes) arithmetic[contains(form, ".f64")] += f64(sums.activeLanes);
        const bool accesses = starts({"ld.", "st.", "atom.", "red.", "cp.async"}) &&
                              (contains(form, ".global") || contains(form, ".shared"));
        if (computes || accesses || starts({"bar.", "barrier."})) certain += f64(sums.executions);
    }
    bounds.push_back({"shared memory", "共享内存", wavefronts / 4, wavefronts, clocks});
    bounds.push_back(
        {"instruction issue", "指令发射", certain / 4, certain, clocks * profile.speed->issueLanes / 32});
    bounds.push_back({"32-bit floating-point arithmetic", "32 位浮点运算", arithmetic[0] / 2, arithmetic[0],
                      clocks * profile.speed->fp32Lanes});
    bounds.push_back({"64-bit floating-point arithmetic", "64 位浮点运算", arithmetic[1] / 2, arithmetic[1],
                      clocks * profile.speed->fp64Lanes});
    return bounds;
}

bool Reader::isFactor(const Token& token, f64 factor) const {
    // Three digits, and from 100 on a whole number; what is divided was read with three digits itself.
    const bool isWhole = !contains(written(token), ".");
    if (token.value >= 100 ? !isWhole : token.decimals > 2 && token.value >= 1) return false;
    return std::fabs(token.value / factor - 1) < 0.011 + (token.value >= 100 ? 0.5 / token.value : 0);
}

// "... for 8 of 132 multiprocessors: the grid has 8 blocks." "The grid has only 64 warps, too few
// to fill the GPU, which can hold up to 8,448." "The bound leaves out launch overhead: an empty kernel
// already takes about 1.67 µs." Of the launch with the most blocks. Whether each is said follows from the
// binding resource and its time; where the text says neither, nothing is asked.
void Reader::boundNotes(const Said& said, bool ofMultiprocessors, std::optional<bool> tooFew) {
    const model::Profile& profile = run_.run().profile;
    u64 blocks = 0, warps = 0;
    for (const Launch& launch : run_.run().recording.launches)
        if (launch.grid.count() > blocks)
            blocks = launch.grid.count(), warps = blocks * ((launch.block.count() + 31) / 32);
    const u64 all = profile.multiprocessors, slots = all * profile.warpsPerSm;
    const auto s = [](u64 n) { return n == 1 ? "" : "s"; };
    const std::string some =
        english()
            ? fmt::format("instruction issue assume {} of the {} SMs: the grid has only {} block{}.",
                          withCommas(blocks), all, withCommas(blocks), s(blocks))
            : fmt::format("按 {} 个多处理器（共 {} 个）计算：网格只有 {} 个线程块。", blocks, all, blocks);
    const std::string few =
        english()
            ? fmt::format("The grid has only {} warp{}, too few to fill the GPU, which can hold up to {}.",
                          withCommas(warps), s(warps), withCommas(slots))
            : fmt::format("网格只有 {} 个线程束，而这块 GPU 最多容得下 {} 个：不足以填满它。",
                          withCommas(warps), withCommas(slots));
    const bool isWhole = says(said.text, {"The kernel cannot take less", "核函数用时不会少于"});
    const std::size_t launches = run_.run().recording.launches.size();
    const std::string launch =
        english()
            ? launches == 1
                  ? std::string(
                        "The bound leaves out launch overhead: an empty kernel already takes about 1.67 µs.")
                  : fmt::format(
                        "The bound leaves out the overhead of {} launches: an empty kernel already "
                        "takes about 1.67 µs per launch.",
                        launches)
        : launches == 1
            ? std::string("这个下界不含启动开销：空核函数就要用大约 1.67 µs。")
            : fmt::format("这个下界不含 {} 次启动的开销：每次启动，空核函数就要用大约 1.67 µs。", launches);
    const auto isThere = [&](const std::string& whole, bool isSaid, std::optional<bool> should) {
        const std::size_t at = said.text.find(whole);
        if (isSaid && (at == std::string::npos || !should.value_or(true)))
            fail(said, said.text.substr(0, 40), should.value_or(true) ? "it is: " + whole : "that is not so");
        if (!isSaid && should.value_or(false)) fail(said, said.text.substr(0, 40), "not said: " + whole);
        for (std::size_t i = 0; isSaid && i < tokens_->size(); ++i)
            if ((*tokens_)[i].begin >= at && (*tokens_)[i].end <= at + whole.size()) done_[i] = true;
    };
    isThere(some, says(said.text, {"instruction issue assume ", "个多处理器（共"}),
            ofMultiprocessors && blocks < all);
    isThere(few, says(said.text, {"too few to fill the GPU, which ", "而这块 GPU 最多容得下"}),
            warps >= slots                                                          ? std::optional(false)
            : says(said.text, {"The bound leaves out", "这个下界不含"}) && !isWhole ? std::nullopt
                                                                                    : tooFew);
    // An empty kernel takes 3300 clocks of 1980 MHz; told from a fifth of the measured time on.
    const run::RecordedRun* recorded = recordedOf(w_.world_, run_.run());
    const f64 part = recorded && recorded->measured.timing
                         ? f64(launches) * 3300 / 1980e3 / recorded->measured.timing->kernel.median
                         : 0;
    const bool isNear = std::fabs(part - 0.2) < 0.002;
    isThere(launch, says(said.text, {"The bound leaves out", "这个下界不含"}),
            profile.name != "cc90" || part < 0.198 ? std::optional(false)
            : !isWhole || isNear                   ? std::nullopt
                                                   : tooFew);
}

// "The kernel cannot take less than 3.1 µs: device memory alone needs that long. ... Measured: 5.2 µs, 1.7
// times the lower bound."
void Reader::boundText(const Said& said) {
    const bool sentence = is("The kernel cannot take less than # *", "*核函数用时不会少于 # *");
    const bool isHover = said.isHover && is("*: # *, at no more than # *, take at least # *",
                                            "*：# *，速率不超过 *#*，至少需要 # *");
    if (is("The bounds for arithmetic, shared memory and instruction issue assume *",
           "运算、共享内存和指令发射*"))
        return boundNotes(said, true, std::nullopt);
    if (is("The grid has only # warp*, too few to fill the GPU, which can hold up to #.",
           "网格只有 # 个线程束，而这块 GPU 最多容得下 *") ||
        is("The bound leaves out *launch*", "这个下界不含*启动*")) {
        const run::RecordedRun* recorded = recordedOf(w_.world_, run_.run());
        if (!recorded || !recorded->measured.timing || !largestBound_) return;
        return boundNotes(said, false, recorded->measured.timing->kernel.median > 1.99 * *largestBound_);
    }
    if (!sentence && !isHover) return;
    const run::RecordedRun* recorded = recordedOf(w_.world_, run_.run());
    for (const Bound& bound : bounds()) {
        const std::string name(english() ? bound.en : bound.zh);
        const f64 low = 1e3 * bound.least / bound.perSecond, high = 1e3 * bound.most / bound.perSecond;
        if (isHover) {
            const bool isOfDevice = contains(bound.en, "device");
            const std::string whose = name + (!isOfDevice ? ""
                                              : english() ? " (if L2 is empty at first)"
                                                          : "（L2 起初为空时）");
            if (!said.text.starts_with(whose + (english() ? ":" : "："))) continue;
            const std::size_t skip =
                contains(name, "32") || contains(name, "64") || contains(whose, "L2") ? 1 : 0;
            // "2.52×10¹²/s" has a number more.
            const std::size_t power = contains(text_, "×10"), count = 3 + power,
                              from = tokens_->size() >= count ? tokens_->size() - count : 0;
            for (std::size_t i = 0; i < from && i < skip; ++i)
                done_[i] = true;
            const Token &amount = (*tokens_)[from], &rate = (*tokens_)[from + 1],
                        &time = (*tokens_)[from + 2 + power];
            done_[from] = (amount.value >= bound.least * 0.994 - 1 && amount.value <= bound.most * 1.006 + 1);
            const f64 perSecond = rate.value * (says(text_, {"TB/s", "trillion", "×10¹²"}) ? 1e12
                                                : says(text_, {"GB/s", "billion", "×10⁹"}) ? 1e9
                                                                                           : 1);
            done_[from + 1] = std::fabs(perSecond / bound.perSecond - 1) < 0.006;
            const f64 worked = 1e3 * amount.value / perSecond;
            if (power) done_[from + 2] = true;
            done_[from + 2 + power] =
                millisecondsOf(time) && std::fabs(*millisecondsOf(time) / worked - 1) < 0.011;
            return;
        }
        const bool isFigure = name.front() >= '0' && name.front() <= '9';  // "32 位浮点运算"
        const bool isIssue = contains(bound.en, "instruction issue");
        if (!contains(text_, isIssue ? english() ? ": just issuing the instructions" : "单是发射那些编译器"
                             : english() ? ": " + name + " alone"
                                         : (isFigure ? "仅 " : "仅") + name + "就"))
            continue;
        // "if the L2 cache is empty at first": before the time in Chinese, behind it in English.
        const bool isOfDevice = contains(bound.en, "device");
        if (isOfDevice != says(said.text, {"if the L2 cache is empty at first", "如果 L2 缓存起初为空"}))
            fail(said, text_.substr(0, 40), "whether L2 is empty at first");
        const std::size_t at = isOfDevice && !english() && tokens_->front().end < text_.find("核函数");
        if (isOfDevice)
            for (std::size_t i = 0; i < tokens_->size(); ++i)
                if ((*tokens_)[i].begin > 0 && text_[(*tokens_)[i].begin - 1] == 'L') done_[i] = true;
        const Token& least = (*tokens_)[at];
        const std::optional<f64> ms = millisecondsOf(least);
        done_[at] = low == high ? isTime(least, low) : ms && *ms >= low * 0.994 && *ms <= high * 1.006;
        for (const Bound& other : bounds())  // none of the others is certain to take longer
            if (ms && 1e3 * other.least / other.perSecond > *ms * 1.006)
                fail(said, written(least), fmt::format("{} alone needs longer", other.en));
        const bool timed =
            recorded && recorded->measured.timing && ms && says(said.text, {"Measured: ", "实测 "});
        const f64 times = timed ? recorded->measured.timing->kernel.median / *ms : 0;
        boundNotes(said, !contains(bound.en, "device") && !contains(bound.en, "L2"),
                   times > 1.97 && times < 2.03 ? std::nullopt : std::optional(times > 2));
        std::size_t next = at + 1;
        while (next < tokens_->size() && !millisecondsOf((*tokens_)[next])) {
            if (contains(name, written((*tokens_)[next]))) done_[next] = true;  // "32-bit"
            ++next;
        }
        if (next >= tokens_->size() || !recorded || !recorded->measured.timing || !ms) return;
        const f64 measured = recorded->measured.timing->kernel.median;
        done_[next] = isTime((*tokens_)[next], measured);
        if (next + 1 < tokens_->size()) {
            done_[next + 1] = isFactor((*tokens_)[next + 1], measured / *ms);
        }
        return;
    }
}

Reader::Occupied Reader::occupied(const Tried& tried) const {
    const run::Run& run = run_.run();
    const model::Profile& p = run.profile;
    const Launch& launch = run.recording.launches.front();
    Occupied o;
    const u64 threads = tried.threads.value_or(launch.block.count()), warps = (threads + 31) / 32;
    o.grid = launch.grid.count();
    const run::RecordedRun* recorded = recordedOf(w_.world_, run);
    // Another device's code takes other registers.
    if (run.measured && recorded && !recorded->measured.registers.empty() &&
        run.measured->computeCapability == fmt::format("{}.{}", p.major, p.minor))
        o.registers = recorded->measured.registers.front();
    if (tried.registers) o.registers = u32(*tried.registers);
    const u64 shared = tried.sharedBytes.value_or(run::sharedBytes(*run.module, launch));
    o.limits["warps"] =
        threads > p.threadsPerBlock ? 0 : p.warpsPerSm / (p.registersPerWarp ? warps : up(warps, 2));
    o.limits["blocks"] = p.blocksPerSm;
    if (shared > p.sharedBytesOptIn)
        o.limits["shared memory"] = 0;
    else if (const u64 taken = up(shared + p.sharedReservedPerBlock, p.sharedAllocationUnit))
        o.limits["shared memory"] = p.sharedBytesPerSm / taken;
    if (o.registers) o.limits["registers"] = blocksByRegisters(warps, *o.registers, p);
    o.blocks = ~u64{0};
    for (const auto& [name, blocks] : o.limits)
        o.blocks = std::min(o.blocks, blocks);
    o.perWave = o.blocks * p.multiprocessors;
    o.waves = o.perWave ? (o.grid + o.perWave - 1) / o.perWave : 0;
    o.last = o.waves ? o.grid - (o.waves - 1) * o.perWave : 0;
    o.warps = o.blocks * warps, o.warpsOfBlock = warps, o.places = p.warpsPerSm,
    o.multiprocessors = p.multiprocessors;
    return o;
}

void Reader::occupancyText(const Said& said) {
    const auto v = [](u64 value) { return std::optional(f64(value)); };
    const Occupied o = occupied();
    // Rounded, with more digits where it would be all.
    f64 idle = 0;
    for (f64 scale = 1; o.perWave; scale *= 10) {
        idle = std::floor(f64((o.perWave - o.last) * 100) / f64(o.perWave) * scale + 0.5) / scale;
        if ((idle > 0 || o.last == o.perWave) && (idle < 100 || o.last == 0)) break;
    }
    const std::optional<f64> registers = o.registers ? std::optional(f64(*o.registers)) : std::nullopt;
    // What runs on into the next paragraph: how many waves.
    const std::vector<std::optional<f64>> waves =
        o.waves == 1 ? english() ? std::vector{v(o.last), v(o.perWave)} : std::vector{v(o.perWave), v(o.last)}
                     : std::vector{v(o.waves), v(o.perWave), v(o.last)};
    if (is("Theoretical occupancy: #% (# of # warp* on *",
           "理论占用率 #%（# / # 个线程束）：每个多处理器 # 个线程块*")) {
        std::vector<std::optional<f64>> values{100.0 * f64(o.warps) / f64(o.places), v(o.warps), v(o.places),
                                               v(o.blocks)};
        if (is("*(# register*", "*（每个线程 #*")) values.push_back(registers);
        if (is("*The grid runs in*", "*整个网格*执行*"))
            values.insert(values.end(), waves.begin(), waves.end());
        expectAll(said, values);
    } else if (is("The grid runs in one wave: it has # block*, and # could be resident.",
                  "整个网格一波（wave）就能执行完：GPU 最多可同时驻留 # 个线程块，而网格只有 # 个。"))
        expectAll(said, waves);
    else if (is("The grid runs in # wave* of up to # block*; the last one has #.",
                "整个网格分 # 波（wave）执行，每波最多 # 个线程块；最后一波有 # 个。"))
        expectAll(said, {v(o.waves), v(o.perWave), v(o.last)});
    else if (is("# block* in # wave* of up to #; the last has only #: #% of its block slots are empty",
                "# 个线程块分 # 波（wave），每波至多 # 个；最后一波有 # 个：#% 的线程块位置空着"))
        expectAll(said, {v(o.grid), v(o.waves), v(o.perWave), v(o.last), idle});
    else if (is("# block* in one wave of up to #: #% of the block slots are empty",
                "# 个线程块一波（wave）执行完，一波最多容得下 # 个：#% 的线程块位置空着"))
        expectAll(said, {v(o.grid), v(o.perWave), idle});
    else if (is("# block*, # wave* of up to #; in the last #% of the slots empty",
                "# 个线程块，# 波，每波至多 # 个；最后一波 #% 的位置空着"))
        expectAll(said, {v(o.grid), v(o.waves), v(o.perWave), idle});
    else if (is("the grid has only # block* for # SM*", "整个网格只有 # 个线程块，多处理器有 # 个") ||
             is("# block* for # SM*", "# 个线程块，# 个多处理器"))
        expectAll(said, {v(o.grid), v(o.multiprocessors)});
    else if (is("Wave #: # block*", "第 # 波（wave）：# 个线程块")) {
        const u64 wave = u64(tokens_->front().value);
        expectAll(said, {v(wave), v(wave == o.waves ? o.last : o.perWave)});
    } else if (is("# of # warp*", "# / # 个线程束"))
        expectAll(said, {v(o.warps), v(o.places)});
    else if (is("# block* of # warp*", "# 个线程块，每块 # 个线程束"))
        expectAll(said, {v(o.blocks), v(o.warpsOfBlock)});
    else if (said.hover.empty() && is("#%", "#%")) {
        if (rounds(tokens_->front(), 100.0 * f64(o.warps) / f64(o.places))) done_[0] = true;
    } else if (is("*register* per thread, *", "*每个线程 # 个寄存器，*"))
        expectAll(said, {registers});
}

// The bars of the picture of the occupancy: blocks by each limit.
void Reader::occupancyPicture() {
    const Said* title = nullptr;
    for (const Said& said : picture_.texts)
        if (!said.isHover &&
            (said.text.starts_with("Blocks an SM") || contains(said.text, "each limit allows") ||
             contains(said.text, "各项资源容得下的线程块数")))
            title = &said;
    if (!title) return;
    const Occupied o = occupied();
    const std::initializer_list<std::tuple<std::string_view, std::string_view, std::string_view>> names{
        {"warps", "warps", "线程束数"},
        {"blocks", "blocks", "线程块数"},
        {"shared memory", "shared memory", "共享内存"},
        {"registers", "registers", "寄存器"}};
    for (const auto& [limit, en, zh] : names)
        for (const Said& name : picture_.texts) {
            if (name.isHover || name.text != (english() ? en : zh) || name.top < title->top ||
                std::fabs(name.left - title->left) > 1)
                continue;
            for (const Said& said : picture_.texts)
                if (!said.isHover && std::fabs(said.top - name.top) < 3 && said.left > name.left + 20 &&
                    said.text.find_first_not_of("0123456789") == std::string::npos) {
                    const auto found = o.limits.find(std::string(limit));
                    expect(said, found == o.limits.end() ? std::nullopt : std::optional(f64(found->second)),
                           "what fits by that");
                }
        }
}

}  // namespace lockstep::witness
