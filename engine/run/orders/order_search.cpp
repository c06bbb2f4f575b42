#include "run/orders/order_search.h"

#include "base/device_addresses.h"
#include "catalog/catalog.h"
#include "explain/numbers.h"
#include "explain/order/order_text.h"
#include "explain/sentences/address_names.h"
#include "model/source_line.h"
#include "ptx/module.h"
#include "run/activity.h"
#include "run/orders/order_plan.h"
#include "run/own/own_reference.h"
#include "simt/order/order_trial.h"
#include "simt/stop.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <mutex>
#include <thread>

namespace lockstep::run {
namespace {

using simt::OrderRunner;
using simt::OrderTrial;
using Clock = simt::Stop::Clock;

// Of sums of real numbers whose order is not defined: that of atomics.
constexpr f64 kRoundingTolerance = 1e-5;

bool addsRealsAtomically(const ptx::Module& module) {
    return std::ranges::any_of(module.instructions, [](const ptx::Instruction& instruction) {
        const bool isAtomic = instruction.name.starts_with("atom") || instruction.name.starts_with("red");
        return isAtomic && (instruction.name.ends_with(".f32") || instruction.name.ends_with(".f64") ||
                            instruction.name.ends_with(".f16"));
    });
}

// What a result is compared with, computed once.
class Judge {
public:
    Judge(const Run& run, const OrderOptions& options) : run_(run), options_(options) {
        hasReals_ = addsRealsAtomically(*run.module);
    }

    Expected<void> prepare() {
        if (!run_.catalog) return {};
        auto made = catalog::makeExperiment(*run_.catalog->family, *run_.catalog->variant,
                                            run_.catalog->values, options_.seed);
        if (!made) return Unexpected{made.error()};
        experiment_ = std::move(*made);
        const std::atomic<bool>* const cancelled =
            options_.progress ? &options_.progress->cancelled : nullptr;
        auto reference = catalog::computeReference(*experiment_, cancelled);
        if (!reference) return Unexpected{reference.error()};
        reference_ = std::move(*reference);
        return {};
    }

    std::optional<bool> isCorrect(std::span<const Buffer> results) const {
        if (!reference_.empty()) return catalog::compare(*experiment_, reference_, results).correct;
        if (!run_.reference) return std::nullopt;
        std::vector<Fault> notes;
        const auto comparison = compareWith(*run_.reference, run_.recording.initial, results, {}, notes);
        if (!comparison || !*comparison) return std::nullopt;
        return (*comparison)->correct;
    }

    // Of the buffers that are compared; without a reference of all.
    u64 hashOf(std::span<const Buffer> results) const {
        u64 hash = 0;
        for (u32 i = 0; i < results.size(); ++i) {
            if (!reference_.empty() && !reference_.contains(i)) continue;
            hash = simt::mixed(hash, i);
            for (std::byte byte : results[i].bytes)
                hash = (hash ^ u64(byte)) * 0x100000001b3ull;  // FNV-1a
        }
        return hash;
    }

    // Is it another result than the recorded one, and not only rounded otherwise?
    bool differs(std::span<const Buffer> results, std::span<const Buffer> recorded) const {
        if (!hasReals_) return hashOf(results) != hashOf(recorded);
        catalog::Comparison comparison;
        for (u32 i = 0; i < results.size(); ++i) {
            if (!reference_.empty() && !reference_.contains(i)) continue;
            catalog::compareBuffer(
                comparison, results[i], recorded[i],
                isReal(results[i].type) ? std::optional(kRoundingTolerance) : std::nullopt);
        }
        return !comparison.correct;
    }

    // The elements in which they differ: the first `most`, and how many there are.
    struct Changes {
        std::vector<ChangedElement> first;
        u64 all = 0;
    };
    Changes changesOf(std::span<const Buffer> results, std::span<const Buffer> recorded,
                      std::size_t most) const {
        Changes changes;
        for (u32 i = 0; i < std::min(results.size(), recorded.size()); ++i) {
            if (!reference_.empty() && !reference_.contains(i)) continue;
            const u64 bytes = info(results[i].type).bytes;
            for (u64 at = 0; at < std::min(results[i].count(), recorded[i].count()); ++at) {
                const auto same = [&](const Buffer& buffer) {
                    return std::span(buffer.bytes).subspan(at * bytes, bytes);
                };
                if (std::ranges::equal(same(results[i]), same(recorded[i]))) continue;
                if (++changes.all <= most)
                    changes.first.push_back(
                        {results[i].name, at, recorded[i].valueAt(at), results[i].valueAt(at)});
            }
        }
        return changes;
    }

private:
    const Run& run_;
    const OrderOptions& options_;
    std::optional<catalog::Experiment> experiment_;
    std::map<u32, Buffer> reference_;
    bool hasReals_ = false;
};

Pc activeMaskIn(const ptx::Module& module) {
    const auto found = std::ranges::find_if(
        module.instructions, [](const ptx::Instruction& i) { return i.name.starts_with("activemask"); });
    return found == module.instructions.end() ? kNoPc : Pc{u32(found - module.instructions.begin())};
}

// What one order came to.
struct Tried {
    bool done = false;
    OrderRunner::End end = OrderRunner::End::Done;
    u64 hash = 0;
    f64 seconds = 0;
};

class Searcher {
public:
    Searcher(const Run& run, const OrderOptions& options)
        : run_(run),
          options_(options),
          planned_(planOrders(run, options.cooperative)),
          directed_(simt::directedOrders(planned_.choices)),
          judge_(run, options),
          stop_(options.progress,
                options.limit ? std::optional(Clock::now() +
                                              std::chrono::duration_cast<Clock::duration>(*options.limit))
                              : std::nullopt) {}

    Expected<OrderSearch> search() {
        const auto started = Clock::now();
        started_ = started;
        if (options_.progress) {
            options_.progress->done = 0;
            options_.progress->total = options_.orders;
        }
        if (const Expected<void> ready = judge_.prepare(); !ready) return Unexpected{ready.error()};
        tried_.resize(options_.orders);
        Expected<std::unique_ptr<OrderTrial>> first = makeTrial();
        if (!first) return Unexpected{first.error()};
        if (options_.orders && tryOne(**first, 0)) {
            const std::span<const Buffer> results = (*first)->finish();
            recorded_.assign(results.begin(), results.end());
            if (const Expected<void> all = tryAll(**first); !all) return Unexpected{all.error()};
        }
        OrderSearch search = gather();
        if (search.bad)
            if (const Expected<void> compared = compareRuns(*search.bad); !compared)
                return Unexpected{compared.error()};
        search.seconds = secondsSince(started);
        return search;
    }

private:
    static f64 secondsSince(Clock::time_point from) {
        return std::chrono::duration<f64>(Clock::now() - from).count();
    }
    simt::Order orderAt(u32 number) const {
        return simt::orderOf(planned_.choices, directed_, options_.seed, number);
    }
    Expected<std::unique_ptr<OrderTrial>> makeTrial() {
        return OrderTrial::make(*run_.module, run_.recording.launches, run_.recording.initial, planned_.plan,
                                stop_);
    }

    // False: it was stopped.
    bool tryOne(OrderTrial& trial, u32 number) {
        if (stop_.requested()) return false;
        const OrderTrial::Outcome outcome = trial.run(orderAt(number));
        if (outcome.end == OrderRunner::End::Stopped) return false;
        Tried& tried = tried_[number];
        tried = {.done = true, .end = outcome.end, .hash = 0, .seconds = secondsSince(started_)};
        if (outcome.end == OrderRunner::End::Done)
            tried.hash = resultOf(trial, outcome.state, number);
        else if (number != 0)
            tellOfChange(number);
        if (options_.progress) options_.progress->done.fetch_add(1, std::memory_order_relaxed);
        return true;
    }

    void tellOfChange(u32 number) const {
        u32 none = 0;
        if (options_.changedAt) options_.changedAt->compare_exchange_strong(none, number);
    }

    // The hash of the result that this state of memory leads to; judged when it is new.
    u64 resultOf(OrderTrial& trial, u64 state, u32 number) {
        {
            const std::lock_guard lock(mutex_);
            if (const auto known = byState_.find(state); known != byState_.end()) return known->second;
        }
        const std::span<const Buffer> results = trial.finish();
        const u64 hash = judge_.hashOf(results);
        OrderResult result{.hash = hash, .correct = judge_.isCorrect(results)};
        if (number != 0) {
            result.changed = judge_.differs(results, recorded_);
            Judge::Changes changes = judge_.changesOf(results, recorded_, 1);
            if (!changes.first.empty()) result.element = std::move(changes.first.front());
            result.changedElements = changes.all;
        }
        if (result.changed) tellOfChange(number);
        const std::lock_guard lock(mutex_);
        byState_.emplace(state, hash);
        known_.emplace(hash, result);
        return hash;
    }

    Expected<void> tryAll(OrderTrial& first) {
        const u32 cores = std::max(1u, std::thread::hardware_concurrency());
        const u32 workers =
            std::clamp(options_.threads ? options_.threads : cores, 1u, std::max(1u, options_.orders - 1));
        std::vector<std::unique_ptr<OrderTrial>> trials;
        for (u32 i = 1; i < workers; ++i) {
            Expected<std::unique_ptr<OrderTrial>> trial = makeTrial();
            if (!trial) return Unexpected{trial.error()};
            trials.push_back(std::move(*trial));
        }
        std::atomic<u32> next{1};
        const auto work = [&](OrderTrial& trial) {
            for (u32 number; (number = next.fetch_add(1)) < options_.orders;)
                if (!tryOne(trial, number)) return;
        };
        std::vector<std::thread> threads;
        for (const std::unique_ptr<OrderTrial>& trial : trials)
            threads.emplace_back(work, std::ref(*trial));
        work(first);
        for (std::thread& thread : threads)
            thread.join();
        return {};
    }

    OrderSearch gather() const {
        OrderSearch search;
        search.wanted = options_.orders;
        search.seed = options_.seed;
        search.lanesPart = planned_.plan.lanesPart;
        search.hasRace = planned_.hasRace;
        search.isCancelled = stop_.cancelled();
        for (u32 launch = 0; launch < planned_.plan.launches.size(); ++launch)
            if (!planned_.plan.launches[launch].blocks.empty())
                search.chosen.emplace_back(launch, planned_.plan.launches[launch].blocks);
        for (u32 number = 0; number < tried_.size(); ++number) {
            const Tried& tried = tried_[number];
            if (!tried.done) continue;
            ++search.tried;
            const bool ended = tried.end == OrderRunner::End::Done;
            auto result = std::ranges::find_if(search.results, [&](const OrderResult& known) {
                return known.ended == ended && known.hash == tried.hash;
            });
            if (result == search.results.end()) {
                OrderResult made{.hash = tried.hash, .first = number};
                if (ended) made = known_.at(tried.hash);
                made.ended = ended;
                made.first = number;
                if (!ended && number) made.changed = true;
                if (!ended)
                    made.correct = run_.catalog || run_.reference ? std::optional(false) : std::nullopt;
                search.results.push_back(made);
                result = search.results.end() - 1;
            }
            ++result->count;
            search.changed += result->changed;
            if (result->changed && !search.bad)
                search.bad = BadOrder{.number = number,
                                      .order = orderAt(number),
                                      .seconds = tried.seconds,
                                      .result = std::size_t(result - search.results.begin())};
        }
        search.isOutOfTime = search.tried < search.wanted && !search.isCancelled;
        return search;
    }

    // Runs both once more, with a log, whatever the time.
    Expected<void> compareRuns(BadOrder& bad) const {
        simt::Stop never(nullptr, std::nullopt);
        const Expected<std::unique_ptr<OrderTrial>> trial = OrderTrial::make(
            *run_.module, run_.recording.launches, run_.recording.initial, planned_.plan, never);
        if (!trial) return Unexpected{trial.error()};
        const auto recorded = std::make_shared<simt::AccessLog>(),
                   changed = std::make_shared<simt::AccessLog>();
        (*trial)->run({}, recorded.get());
        const OrderTrial::Outcome outcome = (*trial)->run(bad.order, changed.get());
        if (outcome.end == OrderRunner::End::Done) {
            constexpr std::size_t kMostTold = 6;
            Judge::Changes changes = judge_.changesOf((*trial)->finish(), recorded_, kMostTold);
            bad.elements = std::move(changes.first);
            bad.changedElements = changes.all;
        }
        bad.parting = explain::partingOf(*recorded, *changed, racingStatements(), addressesOf(bad.elements));
        if ((!bad.parting || bad.parting->isConsequence) && planned_.plan.lanesPart)
            bad.lanesAt = activeMaskIn(*run_.module);
        bad.recorded = recorded;
        bad.changed = changed;
        return {};
    }

    // With the copies that the compiler made of them: the other instructions of their lines that access
    // memory.
    std::vector<explain::RacingInstruction> racingStatements() const {
        using Line = std::pair<u32, u32>;  // file, line
        const auto lineOf = [&](Pc pc) {
            const model::SourceLine at = model::sourceLineOf(pc, *run_.module);
            return at.line ? Line{at.file, at.line} : Line{~0u, pc.value};
        };
        std::map<Line, u32> groups;
        std::vector<explain::RacingInstruction> all;
        for (const Pc pc : planned_.choices.racing) {
            const u32 group = groups.emplace(lineOf(pc), u32(groups.size())).first->second;
            all.push_back({pc, group});
        }
        for (u32 at = 0; at < run_.module->instructions.size() && !groups.empty(); ++at) {
            const std::string_view form = run_.module->at(Pc{at}).form;
            const bool isAccess = form.starts_with("ld.") || form.starts_with("st.");
            if (!isAccess || std::ranges::find(all, Pc{at}, &explain::RacingInstruction::pc) != all.end())
                continue;
            if (const auto of = groups.find(lineOf(Pc{at})); of != groups.end())
                all.push_back({Pc{at}, of->second});
        }
        return all;
    }

    std::vector<u64> addressesOf(std::span<const ChangedElement> elements) const {
        std::vector<u64> all;
        const std::vector<Buffer>& buffers = run_.recording.initial;
        for (const ChangedElement& element : elements) {
            const auto buffer = std::ranges::find(buffers, element.buffer, &Buffer::name);
            if (buffer != buffers.end())
                all.push_back(deviceAddressOf(u32(buffer - buffers.begin())) +
                              element.index * info(buffer->type).bytes);
        }
        return all;
    }

    const Run& run_;
    const OrderOptions& options_;
    PlannedOrders planned_;
    std::vector<simt::Order> directed_;
    Judge judge_;
    simt::Stop stop_;
    Clock::time_point started_;
    std::vector<Tried> tried_;
    std::vector<Buffer> recorded_;  // the result of the recorded order
    std::mutex mutex_;
    std::map<u64, u64> byState_;        // state of memory -> hash of the result
    std::map<u64, OrderResult> known_;  // by hash
};

}  // namespace

Message causeOf(const BadOrder& bad, const Run& run) {
    if (bad.lanesAt != kNoPc)
        return Message(english("Which lanes __activemask() counts at line {0} depends on the order."),
                       model::sourceLineOf(bad.lanesAt, *run.module).line);
    return bad.parting ? explain::textOf(*bad.parting, *bad.recorded, *bad.changed, run) : Message();
}

Pc placeOf(const BadOrder& bad) {
    if (bad.lanesAt != kNoPc || !bad.parting) return bad.lanesAt;
    return bad.changed->all()[bad.parting->changed.at].pc;
}

ElementTexts textsOf(const ChangedElement& element, std::span<const Buffer> buffers) {
    ElementTexts texts{explain::nameOfElement(buffers, element.buffer, element.index),
                       explain::elementText(buffers, element.buffer, element.recorded),
                       explain::elementText(buffers, element.buffer, element.changed)};
    if (texts.recorded != texts.changed) return texts;
    // Rounded otherwise: with as many digits as tell two values of this type apart.
    const auto buffer = std::ranges::find(buffers, element.buffer, &Buffer::name);
    const bool isDouble = buffer != buffers.end() && buffer->type == ElementType::F64;
    const int digits = isDouble ? 17 : 9;
    texts.recorded = fmt::format("{:.{}g}", element.recorded, digits);
    texts.changed = fmt::format("{:.{}g}", element.changed, digits);
    return texts;
}

std::vector<const OrderResult*> byFrequency(const OrderSearch& search) {
    std::vector<const OrderResult*> sorted;
    for (const OrderResult& result : search.results)
        sorted.push_back(&result);
    if (sorted.size() > 1)
        std::stable_sort(sorted.begin() + 1, sorted.end(),
                         [](const auto* a, const auto* b) { return a->count > b->count; });
    return sorted;
}

Expected<OrderSearch> searchOrders(const Run& run, const OrderOptions& options) {
    return Searcher(run, options).search();
}

}  // namespace lockstep::run
