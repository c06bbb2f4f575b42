#include "app/shell/background_tasks.h"

#include <utility>

namespace lockstep::shell {

void BackgroundTasks::run(std::function<std::vector<app::Action>(std::stop_token)> task) {
    threads_.emplace_back([this, task = std::move(task)](const std::stop_token& stop) {
        std::vector<app::Action> done = task(stop);
        {
            const std::scoped_lock lock(mutex_);
            for (app::Action& action : done)
                arrived_.push_back(std::move(action));
        }
        wake_();
    });
}

void BackgroundTasks::tell(app::Action action) {
    {
        const std::scoped_lock lock(mutex_);
        arrived_.push_back(std::move(action));
    }
    wake_();
}

std::vector<app::Action> BackgroundTasks::take() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(arrived_, {});
}

}  // namespace lockstep::shell
