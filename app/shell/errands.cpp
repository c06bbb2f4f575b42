#include "app/shell/errands.h"

#include <utility>

namespace lockstep::shell {

void Errands::run(std::function<std::vector<app::Action>(std::stop_token)> errand) {
    threads_.emplace_back([this, errand = std::move(errand)](const std::stop_token& stop) {
        std::vector<app::Action> done = errand(stop);
        {
            const std::scoped_lock lock(mutex_);
            for (app::Action& action : done)
                arrived_.push_back(std::move(action));
        }
        wake_();
    });
}

std::vector<app::Action> Errands::take() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(arrived_, {});
}

}  // namespace lockstep::shell
