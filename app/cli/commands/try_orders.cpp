#include "app/cli/commands/try_orders.h"

#include "app/cli/terminal/interrupt.h"
#include "app/cli/terminal/progress_line.h"
#include "base/text/counted.h"

#include <csignal>

namespace lockstep::cli {

Expected<run::OrderSearch> tryOrders(const run::Run& run, const RunOptions& options, u32 orders,
                                     Session& session) {
    Progress progress;
    const InterruptCancels interrupt(progress, {SIGINT});
    const ProgressLine line(session.language(), [&, language = session.language()] {
        return say(language, english("trying orders: {0} of {1}"), grouped(progress.done.load()),
                   grouped(progress.total.load()));
    });
    return run::searchOrders(run, {.orders = orders,
                                   .seed = options.seed,
                                   .threads = options.threads,
                                   .limit = std::chrono::nanoseconds(s64(options.limitSeconds * 1e9)),
                                   .progress = &progress,
                                   .cooperative = options.isCooperative});
}

viz::OrdersOnShow ordersFor(const viz::ViewRow& view, const run::Run& run, const ViewOptions& options,
                            Session& session) {
    if (!view.followsOrders || !viz::canTryOrders(run)) return {};
    return viz::OrdersOnShow(tryOrders(run, options.run, options.schedules, session));
}

}  // namespace lockstep::cli
