#include "app/cli/commands/try_orders.h"

#include "app/cli/terminal/interrupt.h"
#include "app/cli/terminal/progress_line.h"
#include "base/text/counted.h"

#include <atomic>
#include <csignal>

namespace lockstep::cli {

Expected<run::OrderSearch> tryOrders(const run::Run& run, const RunOptions& options, u32 orders,
                                     Session& session) {
    Progress progress;
    std::atomic<u32> changedAt = 0;
    const InterruptCancels interrupt(progress, {SIGINT});
    const ProgressLine line(session.language(), [&, language = session.language()] {
        const Message tried(english("trying orders: {0} of {1}"), grouped(progress.done.load()),
                            grouped(progress.total.load()));
        const u32 changed = changedAt.load();
        return changed ? say(language, english("{0}; order {1} changes the result"), tried, changed)
                       : tried.in(language);
    });
    return run::searchOrders(run, {.orders = orders,
                                   .seed = options.seed,
                                   .threads = options.threads,
                                   .limit = std::chrono::nanoseconds(s64(options.limitSeconds * 1e9)),
                                   .progress = &progress,
                                   .cooperative = options.isCooperative,
                                   .changedAt = &changedAt});
}

viz::OrdersOnShow ordersFor(const viz::ViewRow& view, const run::Run& run, const ViewOptions& options,
                            Session& session) {
    if (!view.followsOrders || !viz::canTryOrders(run)) return {};
    return viz::OrdersOnShow(tryOrders(run, options.run, options.schedules, session));
}

}  // namespace lockstep::cli
