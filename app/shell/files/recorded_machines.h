// The available recordings, read on first use, on the calling thread.
#pragma once

#include "base/expected.h"
#include "run/recordings/times_facts.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace lockstep::shell {

class RecordedMachines {
public:
    using All = std::shared_ptr<const std::vector<run::RecordedMachine>>;

    explicit RecordedMachines(std::function<Expected<All>()> read) : read_(std::move(read)) {}

    // Thread-safe; waits while another thread reads.
    const Expected<All>& get() const {
        std::call_once(once_, [this] {
            known_.emplace(read_());
            isRead_ = true;
        });
        return *known_;
    }
    // Those already read, without waiting; null: not read yet, or not readable.
    All ready() const { return isRead_ && *known_ ? **known_ : nullptr; }

private:
    std::function<Expected<All>()> read_;
    mutable std::once_flag once_;
    mutable std::optional<Expected<All>> known_;
    mutable std::atomic<bool> isRead_ = false;
};

}  // namespace lockstep::shell
