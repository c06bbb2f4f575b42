// The times view: each figure from the recording's runs at the size that the view says it shows.
#include "witness/readers/reader.h"
#include "witness/record/times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep::witness {
namespace {

// Of a rate's unit, "GB/s": how many bytes a second that is.
f64 bytesOf(std::string_view unit) { return unit == "TB/s" ? 1e12 : 1e9; }

std::string sizeText(const Settings& size, bool english) {
    std::string text;
    for (const auto& [name, value] : size)
        text += fmt::format("{}{} = {}", text.empty() ? "" : english ? ", " : "、", name, value);
    return text;
}

// The kernel and the copies there and back; the processor's loop has none.
std::optional<f64> withCopies(const RecordedTime& time) {
    if (!time.variant) return time.milliseconds > 0 ? std::optional(time.milliseconds) : std::nullopt;
    if (!time.ended() || !time.run->measured.timing) return std::nullopt;
    const run::KernelTiming& timing = *time.run->measured.timing;
    if (!timing.toDevice || !timing.toHost) return std::nullopt;
    return time.milliseconds + timing.toDevice->milliseconds + timing.toHost->milliseconds;
}

}  // namespace

const RecordedTimes* Reader::times() const {
    if (!w_.timesKnown_) w_.times_ = recordedTimes(w_.world_, run_.run()), w_.timesKnown_ = true;
    return w_.times_ ? &*w_.times_ : nullptr;
}

// What the card of the recording can compute at most, operations per second; 0: no profile says it.
f64 Reader::peak() const {
    for (const model::Profile& profile : model::profiles())
        if (times() && profile.speed &&
            fmt::format("{}.{}", profile.major, profile.minor) == times()->recording->computeCapability)
            return 2e6 * profile.speed->clockMhz * profile.multiprocessors * profile.speed->fp32Lanes;
    return 0;
}

// The bars of the bounds: each resource's time, the largest first.
void Reader::boundRows() {
    for (const Bound& bound : bounds())
        for (const Said& name : picture_.texts) {
            if (name.isHover || name.text != (english() ? bound.en : bound.zh)) continue;
            for (const Said& said : picture_.texts) {
                if (said.isHover || std::fabs(said.top - name.top) > 3 || said.left < name.left + 40 ||
                    (said.face != viz::Face::Mono && said.face != viz::Face::MonoBold))
                    continue;
                const std::vector<Token> tokens = tokensOf(said.text);
                if (tokens.size() != 1) continue;
                const f64 ms = tokens[0].value;
                take(said);
                if (ms < 1e3 * bound.least / bound.perSecond * 0.994 ||
                    ms > 1e3 * bound.most / bound.perSecond * 1.006)
                    fail(
                        said, said.text,
                        fmt::format("{} takes between {} and {} ms", bound.en,
                                    1e3 * bound.least / bound.perSecond, 1e3 * bound.most / bound.perSecond));
                largestBound_ = std::max(largestBound_.value_or(0), ms);
            }
        }
    const run::RecordedRun* recorded = recordedOf(w_.world_, run_.run());
    for (const Said& name : picture_.texts)
        if (!name.isHover && (name.text == "measured" || name.text == "实测") && largestBound_)
            for (const Said& said : picture_.texts) {
                if (said.isHover || std::fabs(said.top - name.top) > 3 || said.left < name.left + 40)
                    continue;
                const std::vector<Token> tokens = tokensOf(said.text);
                if (tokens.size() != 1 || tokens[0].noun != "ms") continue;
                expect(said,
                       recorded && recorded->measured.timing
                           ? std::optional(recorded->measured.timing->kernel.median)
                           : std::nullopt,
                       "the recorded time");
            }
}

void Reader::timesPicture() {
    boundRows();
    const RecordedTimes* times = this->times();
    if (!times) return;
    const bool english = picture_.language == Language::English;
    const auto inMs = head({"ms"}), inUs = head({"µs"}), ms = inMs ? inMs : inUs;
    const f64 perMs = inMs ? 1 : 1000;  // of the column's unit
    const auto rate = head({"GB/s", "GFLOP/s"}),
               share = head({"% of copy", "% of peak", "占复制带宽的百分比", "占峰值的百分比"}),
               step = head({"speedup", "较对照版"}), total = head({"total", "较第一版"}),
               published = head({"G80, ms"}), publishedRate = head({"G80, GB/s"}),
               copies = head({"+ transfers", "含复制"}),
               first = head({"first, ms", "首次 ms", "first, µs", "首次 µs"});
    if (!ms) return;
    const f64 most = times->countsOperations ? peak() : times->copyRate;
    for (const Said& said : picture_.texts) {
        if (said.isHover || said.isSentence || said.isCaption || said.left > 60) continue;
        const auto time = std::ranges::find_if(times->times, [&](const RecordedTime& one) {
            const std::string title = !one.variant
                                          ? (english ? "CPU: a loop on all cores" : "CPU：循环，用上所有核")
                                          : one.variant->title.in(picture_.language);
            return said.text == title ||
                   said.text == title + (english ? " (wrong result)" : "（结果错误）") ||
                   said.text == title + (english ? " (race)" : "（有数据竞争）") ||
                   said.text == title + (english ? " (warp-synchronous)" : "（隐式线程束同步）");
        });
        if (time == times->times.end()) continue;
        const auto known = [](bool is, f64 value) { return is ? std::optional(value) : std::nullopt; };
        const bool timed = time->ended(), rated = timed && time->rate() > 0;
        const auto& paper = time->variant ? time->variant->published : std::nullopt;
        for (const auto& [column, value, what] :
             {std::tuple{&ms, known(timed, perMs * time->milliseconds), "the recorded time"},
              {&rate, known(rated, time->rate() / 1e9), "the rate"},
              {&share, known(rated && most > 0, 100 * time->rate() / most), "the share"},
              {&step, known(time->step > 0, time->step), "the step"},
              {&total, known(time->total > 0, time->total), "the total"},
              {&published, known(paper.has_value(), paper ? paper->milliseconds : 0), "the published time"},
              {&publishedRate, known(paper.has_value(), paper ? paper->gigabytesPerSecond : 0),
               "the published rate"},
              {&copies, known(withCopies(*time).has_value(), perMs * withCopies(*time).value_or(0)),
               "the time with copies"},
              {&first,
               known(time->variant && time->run && time->run->host,
                     time->run && time->run->host ? perMs * time->run->host->firstMs : 0),
               "the first execution's time"}})
            if (*column) {
                if (const Said* cell = this->cell(**column, said.top, 7))
                    expect(*cell, value, what);
                else if (value && column == &step)
                    fail(said, said.text, "a step that is not shown");
            }
        if (const Said* cell = this->cell(*ms, said.top, 7); !cell && timed)
            fail(said, said.text, "a recorded time that is not shown");
    }
}

void Reader::timesText(const Said& said) {
    const RecordedTimes* times = this->times();
    if (!times) return;
    const RecordedTime *own = times->of(run_.run().catalog->variant), *best = times->fastest();
    const bool isTimed = own && own->ended();
    if (isTimed && best && best->work != own->work) best = times->fastestLike(*own);
    const bool isAlone = isTimed && (own->work <= 0 || !best);  // nothing is known to do as much
    const auto moving = [&](const RecordedTime& time) {
        return times->copyRate > 0 ? 1e3 * time.work / times->copyRate : 0;
    };
    const auto startsWithTime = [&](const RecordedTime& time, std::size_t from) {
        // "... 430 ns of these 2.55 µs at the speed of a large copy. Launch overhead is part of the rest: an
        // empty kernel already takes about 1.67 µs.", "... the overhead of 3 launches dominates: ..."
        const bool english = picture_.language == Language::English;
        constexpr f64 kLaunchClocks = 3300, kClockMhz = 1980;  // of the H200, whose times these are
        const f64 launch = 1e-3 * kLaunchClocks / kClockMhz,
                  count = f64(std::max<std::size_t>(time.variant ? time.variant->launches.size() : 1, 1)),
                  whole = time.milliseconds, data = moving(time);
        const std::vector<std::pair<const char*, std::vector<f64>>> phrases =
            english ? std::vector<std::pair<const char*,
                                            std::vector<f64>>>{{"this size moving the data", {data, whole}},
                                                               {"launch overhead dominates", {launch}},
                                                               {"this size the overhead of", {count, launch}},
                                                               {"moving the data would take only", {data}},
                                                               {"Launch overhead is part", {launch}},
                                                               {"The overhead of", {count, launch}}}
                    : std::vector<std::pair<const char*, std::vector<f64>>>{
                          {"搬运数据只占", {whole, data}},
                          {"启动开销占大部分", {launch}},
                          {"次启动的开销占大部分", {count, launch}},
                          {"搬完这些数据只需", {data}},
                          {"也包含启动开销", {launch}},
                          {"次启动的开销：", {count, launch}}};
        std::map<std::size_t, std::vector<f64>> inOrder;
        for (const auto& [phrase, values] : phrases)
            if (const std::size_t at = text_.find(phrase); at != std::string::npos) inOrder[at] = values;
        const bool isLaunch = says(text_, {"overhead dominates", " dominates: an empty", "开销占大部分"});
        if (isLaunch && (times->recording->computeCapability != "9.0" || whole >= 2 * count * launch))
            fail(said, text_, "most of this time is not the launch");
        if (says(text_, {" part of the rest", "其余时间里也包含"}) && count * launch < 0.19 * whole)
            fail(said, text_, "launching is a small part of this time");
        std::vector<std::pair<std::size_t, f64>> figures;
        for (const auto& [at, values] : inOrder)
            for (const f64 value : values)
                figures.emplace_back(from + figures.size(), value);
        for (const auto& [i, value] : figures) {
            if (i >= tokens_->size()) continue;  // cut off
            done_[i] = true;
            const std::string_view unit = std::string_view(text_).substr((*tokens_)[i].end);
            if ((*tokens_)[i].noun != "ms" && unit.size() < 8 && unit.ends_with("…"))
                continue;  // its unit is
            if (!rounds((*tokens_)[i], value))
                fail(said, written((*tokens_)[i]), fmt::format("it is {} ms", value));
        }
    };
    // The sentence: of which size, then of the variant. Its sizes are taken as written, and counted here.
    const bool hasNoTime = is("*On the * no time was recorded for this variant; the fastest, *, took #*",
                              "*在*上，这一版没有用时记录；本组用时最短的是*：#*"),
               isOf = hasNoTime ||
                      is("*On the * this is the fastest: *, #*", "*在*上，这一版（*）用了 #*，是本组最短的*"),
               isOwn = is("*On the * this variant took #*", "*在*上，这一版用了 #*");
    const std::size_t sizes = isOf || isOwn ? sizesOfSentence(said) : 0;
    const auto figures = [&](std::vector<std::optional<f64>> values) {
        values.insert(values.begin(), sizes, std::nullopt);
        return values;
    };
    if (hasNoTime && isTimed) fail(said, text_, "it has a time");
    if (const bool saysAlone = says(text_, {"; no other was recorded at this size", "没有其他版本的记录"});
        isOwn && !isAlone && (saysAlone || best == own) &&
        saysAlone != (std::ranges::count_if(times->times, [](const RecordedTime& time) {
                          return time.variant && time.ended();
                      }) == 1))
        fail(said, text_, "whether others were recorded");
    // Where it was timed run by run, and the fastest was not, nothing is said of that one.
    const bool isRunByRun = says(text_, {"It was timed run by run", "这一版是逐次计时的"});
    if (isOwn && own && best &&
        isRunByRun != (own->run->measured.timing->batch == 1 && areUnlike(*own, *best)))
        fail(said, text_, "how it was timed");
    const bool isAsLittle = !isAlone && own && isOwn &&
                            (is("*, as little as *", "*，与本组用时最短的*一样*") ||
                             is("*; no other was recorded at this size.*", "*没有其他版本的记录。*"));
    if ((isRunByRun && isOwn && own) || isAsLittle ||
        (isAlone && isOwn && !says(text_, {"the fastest", "本组用时最短"})))
        expectAll(said, figures({own->milliseconds})), startsWithTime(*own, sizes + 1);
    else if (isAlone && (isOf || isOwn))
        fail(said, text_, "the others do other work");
    else if (best && isOf)
        expectAll(said, figures({best->milliseconds})), startsWithTime(*best, sizes + 1);
    else if (own && best && isOwn &&
             is("*; the fastest, \"*\", is # times as fast.*",
                "*；本组用时最短的是*，速度是这一版的 # 倍。*"))
        expectAll(said, figures({own->milliseconds, own->milliseconds / best->milliseconds})),
            startsWithTime(*own, sizes + 2);
    else if (own && best &&
             (is("At this size moving the data *", "在这个规模下，搬运数据*") ||
              is("At this size launch overhead *", "在这个规模下，启动开销*") ||
              is("At this size the overhead of *", "在这个规模下，*次启动的开销*") ||
              is("Launch overhead is part *", "其余时间里也包含*") ||
              is("The overhead of * part of the rest*", "其余时间里也包含*") ||
              is("At the bandwidth of a large copy, *", "若按大块复制*"))) {  // a line of its own
        const bool isOfFastest = std::ranges::any_of(picture_.texts, [](const Said& other) {
            return other.isSentence &&
                   says(other.text, {" this is the fastest: ", " no time was recorded for this variant; ",
                                     "，是本组最短的", "没有用时记录"});
        });
        startsWithTime(isOfFastest ? *best : *own, 0);
    } else if (is("Times for *", "* 时的用时"))
        sizeOnly(said, english() ? text_.substr(10)
                                 : text_.substr(0, text_.size() - std::string_view(" 时的用时").size()));
    else if (said.face == viz::Face::Text && std::ranges::any_of(times->sizes, [&](const Settings& size) {
                 return text_ == sizeText(size, english());
             }))
        sizeOnly(said, text_);
    else if (is("*a plain copy reaches # GB/s*", "*单纯的复制可达 # GB/s*")) {
        f64 longest = 0;
        for (const RecordedTime& time : times->times)
            longest = std::max(longest, time.rate() / 1e9);
        expectAll(said, {times->copyRate / 1e9, longest});
    } else if (times->size.empty() ? false : is("All at *", "各版本都取*"))
        footText(said);
    else if (own && own->ended() && is("How *", "“*”的测法：*"))
        noteText(said, *own);
    else if (own && own->ended() && is("SM clock: # MHz.", "多处理器时钟：# MHz。"))
        expectAll(said,
                  {own->run->measured.timing->smMegahertz});  // a line of its own, where there is no room
    else if (own && own->ended() && is("Transfers, measured separately*", "主机与设备间的传输另计*")) {
        const auto& timing = *own->run->measured.timing;
        const auto &to = *timing.toDevice, &back = *timing.toHost;
        const auto sizeIn = [&](std::size_t token, f64 bytes) {
            const std::string& unit = (*tokens_)[token].noun;
            return bytes / (unit == "MB" ? 1e6 : unit == "KB" ? 1e3 : unit == "GB" ? 1e9 : 1.0);
        };
        expectAll(said,
                  {sizeIn(0, f64(to.bytes)), to.milliseconds, f64(to.bytes) / to.milliseconds / 1e6,
                   sizeIn(3, f64(back.bytes)), back.milliseconds, f64(back.bytes) / back.milliseconds / 1e6});
    } else if (own && own->ended() && is("*Warm-up: *", "*预热：*"))
        wholeText(said, *own);
    else if (is("device memory # *B/s", "设备内存 # *B/s")) {
        for (const model::Profile& profile : model::profiles())
            if (profile.speed &&
                fmt::format("{}.{}", profile.major, profile.minor) == times->recording->computeCapability)
                expectAll(said, {profile.speed->memoryMBPerSecond * 1e6 / bytesOf(tokens_->front().noun)});
    } else if (is("arithmetic # TFLOP/s", "运算 # TFLOP/s"))
        expectAll(said, {peak() / 1e12});
    else if (is("a copy reaches # *B/s", "复制可达 # *B/s"))
        expectAll(said, {times->copyRate / bytesOf(tokens_->front().noun)});
    else if (is("# times the lower bound", "下界的 # 倍") ||
             is("The run took # times the nearest bound: *.", "本次运行的用时是最接近的下界（*）的 # 倍。")) {
        if (const run::RecordedRun* recorded = recordedOf(w_.world_, run_.run());
            recorded && recorded->measured.timing && largestBound_)
            done_[0] = isFactor(tokens_->front(), recorded->measured.timing->kernel.median / *largestBound_);
    } else if (said.isHover)
        rowHover(said);
}

// "This run's size, n 13, was not recorded; ... On the NVIDIA H200 (n 1024) this variant took ...": the run's
// size, then the one that is shown, where they differ; only then. Returns how many numbers they are.
std::size_t Reader::sizesOfSentence(const Said& said) {
    const RecordedTimes& times = *this->times();
    const std::string own = english()
                                ? "This run's size, " + sizeText(times.own, english()) +
                                      ", was not recorded; the times are of the most similar recorded size. "
                                : "当前运行的规模（" + sizeText(times.own, english()) +
                                      "）没有记录；表中是最接近的、有记录的规模的时间。",
                      shown = english() ? " (" + sizeText(times.size, english()) + ") "
                                        : "（" + sizeText(times.size, english()) + "）";
    const bool saysOwn = contains(said.text, english() ? "was not recorded" : "没有记录");
    if (saysOwn == times.isTheRuns)
        fail(said, "size",
             times.isTheRuns ? "it was recorded" : "it was not recorded, and is not said to be so");
    if (times.isTheRuns) return 0;
    const auto dense = [](std::string text) {  // lines of a paragraph are joined with a blank, or without
        std::erase(text, ' ');
        return text;
    };
    if (!dense(said.text).starts_with(dense(own)) || !contains(dense(said.text), dense(shown))) {
        fail(said, said.text.substr(0, 60), "the sizes are " + own + shown);
        return 0;
    }
    const std::size_t count = tokensOf(own).size() + tokensOf(shown).size();
    for (std::size_t i = 0; i < count && i < tokens_->size(); ++i)
        done_[i] = true;
    return count;
}

// "n 1048576, block 128": one of the sizes that were recorded.
void Reader::sizeOnly(const Said& said, std::string_view size) {
    const bool isOne = std::ranges::any_of(
        times()->sizes, [&](const Settings& one) { return sizeText(one, english()) == size; });
    for (std::size_t i = 0; i < tokens_->size(); ++i)
        done_[i] = true;
    if (!isOne) fail(said, size, "no size that was recorded");
}

// "All at n 1024. The current run uses a different size. Copy: ... GB/s, ..."
void Reader::footText(const Said& said) {
    const RecordedTimes& times = *this->times();
    const std::string size = sizeText(times.size, english());
    const std::string start = english() ? "All at " + size + "." : "各版本都取 " + size + "。";
    if (!text_.starts_with(start)) fail(said, text_.substr(0, 40), "the size of the times is " + size);
    const bool saysOther = says(text_, {"The current run uses a different size", "当前运行的规模与此不同"});
    if (saysOther == times.isTheRuns)
        fail(said, "size", times.isTheRuns ? "it is the run's size" : "it is not the run's size");
    // The variant that the one on show changes.
    if (says(text_, {"each one changes, ", "当前版本的对照版是"})) {
        const RecordedTime* changed = nullptr;
        for (const RecordedTime& time : times.times)
            if (time.variant && run_.run().catalog && time.variant == run_.run().catalog->variant &&
                time.step > 0)
                changed = times.changedBy(time);
        const std::string title = changed ? changed->variant->title.in(picture_.language) : std::string(),
                          quoted =
                              english() ? "each one changes, \"" + title + "\"" : "对照版是“" + title + "”";
        if (title.empty() || !contains(said.text, quoted))
            fail(said, quoted, "that is the variant that it changes");
    }
    for (std::size_t i = 0; i < tokens_->size(); ++i) {
        const Token& token = (*tokens_)[i];
        if (token.end <= start.size())
            done_[i] = true;
        else if (token.noun == "GB/s")
            done_[i] = rounds(token, times.copyRate / 1e9);
        else if (token.noun == "TFLOP/s")
            done_[i] = rounds(token, peak() / 1e12);
        else if (token.noun == "MHz")
            done_[i] = std::ranges::any_of(model::profiles(), [&](const model::Profile& profile) {
                return profile.speed && profile.speed->clockMhz == token.value &&
                       fmt::format("{}.{}", profile.major, profile.minor) ==
                           times.recording->computeCapability;
            });
    }
}

// "How X was measured: 72 executions between two events, 20 times; half of the times lie between ..."
void Reader::noteText(const Said& said, const RecordedTime& own) {
    const run::KernelTiming& timing = *own.run->measured.timing;
    const run::Spread& spread = timing.kernel;
    if (tokens_->size() == 4)
        expectAll(said, {timing.batch, spread.runs, spread.lowerQuartile, spread.upperQuartile});
    else
        expectAll(said, {timing.batch, spread.runs, spread.lowerQuartile, spread.upperQuartile,
                         timing.smMegahertz});
    if (says(text_, {"L2 emptied", "清空 L2"}) != timing.coldCache)
        fail(said, "L2", "it was measured with L2 in the other state");
}

// "Kernel and transfers together: ... ms, ... Warm-up: ..."
void Reader::wholeText(const Said& said, const RecordedTime& own) {
    const f64 whole = withCopies(own).value_or(0);
    const RecordedTime& last = times()->times.back();
    std::vector<std::optional<f64>> values;
    if (whole > 0 && !last.variant) {
        const f64 cpu = last.milliseconds, faster = cpu / whole, alone = cpu / own.milliseconds;
        values = {whole, cpu, faster, alone};
    } else if (whole > 0)
        values = {whole};
    if (own.run->host) values.push_back(own.run->host->firstMs), values.push_back(own.run->host->warmMs);
    for (std::size_t i = 0; i < tokens_->size() && i < values.size(); ++i) {
        done_[i] = true;
        if (!rounds((*tokens_)[i], *values[i]))
            fail(said, written((*tokens_)[i]), fmt::format("it is {}", *values[i]));
    }
}

// "Tiled: 63.6 µs; middle half of 20 measurements: 63.5 µs to 63.7 µs; ..."
void Reader::rowHover(const Said& said) {
    for (const RecordedTime& time : times()->times) {
        if (!time.ended()) continue;
        if (!time.variant) {
            if (is("CPU: a loop on all cores (# thread*): # *", "*（# 个线程）：# *"))
                return expectAll(said, {times()->recording->cpuThreads, time.milliseconds});
            continue;
        }
        const std::string title = time.variant->title.in(picture_.language);
        const bool isRoof = is("*FLOP per byte*", "*做 # 次浮点运算（*");
        const auto named = [&](const std::string& name) {
            return said.text.starts_with(english() ? "\"" + name + "\": " : "“" + name + "”：");
        };
        if (!named(title) && !named(title + (english() ? " (wrong result)" : "（结果错误）")) &&
            !named(title + (english() ? " (race)" : "（有数据竞争）")) &&
            !named(title + (english() ? " (warp-synchronous)" : "（隐式线程束同步）")))
            continue;
        const run::Spread& spread = time.run->measured.timing->kernel;
        if (!is("*: # *; interquartile range of # measurement*: # * to # *",
                "*：# *；# 组测量的四分位区间为 # * 到 # *")) {
            if (isRoof) return rooflineHover(said, time);
            continue;
        }
        std::vector<std::optional<f64>> values{spread.median, spread.runs, spread.lowerQuartile,
                                               spread.upperQuartile};
        const bool saysStep = says(said.text, {". Speedup over its baseline, \"", "相对于对照版“"}) &&
                              !says(said.text, {"No speedup over its baseline", "不给出相对于对照版"});
        if (saysStep != (time.step > 0)) fail(said, "step", "whether it changes one that was timed");
        if (saysStep && time.step > 0) {
            values.push_back(time.step);
            const std::string& changed = times()->changedBy(time)->variant->title.in(picture_.language);
            if (!says(said.text, {english() ? "Speedup over its baseline, \"" + changed + "\": "
                                            : "相对于对照版“" + changed + "”的加速比："}))
                fail(said, changed, "that is the variant that it changes");
        }
        return expectAll(said, values);
    }
}

void Reader::rooflineHover(const Said& said, const RecordedTime& time) {
    f64 bytes = 0;
    for (const char* metric : {"dram__sectors_read", "dram__sectors_write"})
        if (const auto found = time.run->measured.counters.find(metric);
            found != time.run->measured.counters.end())
            bytes += 32 * found->second;
    if (bytes <= 0) return fail(said, "byte", "nobody counted the bytes of device memory");
    const f64 intensity = time.work / bytes, rate = time.rate() / 1e9;
    if (english())
        expectAll(said, {intensity, rate});
    else  // "每传输 1 字节（L2 为空时统计）做 {1} 次运算"
        expectAll(said, {1.0, intensity, rate});
}

}  // namespace lockstep::witness
