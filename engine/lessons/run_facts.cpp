#include "lessons/run_facts.h"

#include "catalog/prebuilt.h"
#include "lessons/barrier_trial.h"
#include "run/machine/changed_times.h"
#include "run/machine/code_archive.h"
#include "run/machine/timed_run.h"
#include "run/orders/order_search.h"
#include "run/recordings/times_facts.h"

#include <algorithm>

namespace lockstep::lessons {
namespace {

constexpr u32 kOrders = 64;  // that are tried: the first ones are aimed at the races that were found

}  // namespace

const run::RecordedRun* RunFacts::recorded(const Settings& instead) {
    if (!run_->catalog) return nullptr;
    const std::string kernel = run_->catalog->family->name + "/" + run_->catalog->variant->name;
    if (!recordings_)
        recordings_ =
            run::shippedRecordings(resources_, kernel).value_or(std::vector<run::HardwareRecording>{});
    Settings wanted = run::settingsOf(*run_->catalog);
    for (const auto& [name, value] : instead) {
        const auto own = std::ranges::find(wanted, name, &std::pair<std::string, std::string>::first);
        if (own != wanted.end()) own->second = value;
    }
    for (const run::HardwareRecording& recording : *recordings_)
        if (const run::RecordedRun* found = recording.findRun(kernel, wanted);
            found && found->ptxHash == catalog::hashOf(run_->recording.ptx)) {
            device_ = recording.device;
            return found;
        }
    return nullptr;
}

const sass::MachineCode* RunFacts::machineCode() {
    if (!code_)
        code_ =
            run::shippedCode(resources_, *run_->module, run::computeCapabilityOf(*run_)).value_or(nullptr);
    return code_->get();
}

const run::TimedRun* RunFacts::time() {
    if (!time_) {
        time_ = nullptr;
        if (const sass::MachineCode* const code = machineCode())
            if (Expected<run::TimedRun> found = run::timeRun(*run_, *code))
                time_ = std::make_shared<const run::TimedRun>(std::move(*found));
    }
    return time_->get();
}

const run::ChangedTimes* RunFacts::with(time::Change change) {
    const auto [known, isNew] = changed_.try_emplace(change, nullptr);
    if (isNew && time())
        if (Expected<run::ChangedTimes> found = run::changedTimes(*run_, *machineCode(), nullptr, change))
            known->second = std::make_shared<const run::ChangedTimes>(std::move(*found));
    return known->second.get();
}

std::optional<RunFacts::Orders> RunFacts::orders() {
    if (!orders_) {
        run::OrderOptions options;
        options.orders = kOrders;
        options.threads = 1;
        const Expected<run::OrderSearch> search = run::searchOrders(*run_, options);
        orders_ = search ? std::optional(Orders{.tried = search->tried, .changed = s64(search->changed)})
                         : std::nullopt;
    }
    return *orders_;
}

Expected<std::shared_ptr<const run::Run>> RunFacts::withBarrier(u32 line) {
    const auto known = withBarrier_.find(line);
    if (known != withBarrier_.end()) return known->second;
    return withBarrier_.emplace(line, runWithBarrier(resources_, *run_, line, file_ ? &*file_ : nullptr))
        .first->second;
}

}  // namespace lockstep::lessons
