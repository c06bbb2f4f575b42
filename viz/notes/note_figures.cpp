#include "viz/notes/note_figures.h"

#include "base/nearest.h"
#include "base/text/counted.h"

#include <algorithm>
#include <array>

namespace lockstep::viz {
namespace {

std::optional<f64> counter(const ViewInput& in, const char* key) {
    const auto found = in.run.report.counters.find(key);
    return found == in.run.report.counters.end() ? std::nullopt : std::optional(f64(found->second));
}
template <class Number> std::optional<f64> positive(Number number) {
    return number > 0 ? std::optional(f64(number)) : std::nullopt;
}

const Launch* firstLaunch(const ViewInput& in) {
    return in.run.recording.launches.empty() ? nullptr : &in.run.recording.launches.front();
}

struct FigureOfRun {
    std::string_view name;
    std::optional<f64> (*of)(const ViewInput&);
};
// What the model counts is of the whole grid, all launches together; launches and occupancy are those of the
// first launch.
constexpr std::array kOfRun{
    FigureOfRun{
        "load_requests",
        [](const ViewInput& in) { return counter(in, "l1tex__t_requests_pipe_lsu_mem_global_op_ld"); }},
    FigureOfRun{
        "load_sectors",
        [](const ViewInput& in) { return counter(in, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld"); }},
    FigureOfRun{
        "store_requests",
        [](const ViewInput& in) { return counter(in, "l1tex__t_requests_pipe_lsu_mem_global_op_st"); }},
    FigureOfRun{
        "store_sectors",
        [](const ViewInput& in) { return counter(in, "l1tex__t_sectors_pipe_lsu_mem_global_op_st"); }},
    FigureOfRun{"l2_reads",
                [](const ViewInput& in) { return counter(in, "lts__t_sectors_srcunit_tex_op_read"); }},
    FigureOfRun{"l2_writes",
                [](const ViewInput& in) { return counter(in, "lts__t_sectors_srcunit_tex_op_write"); }},
    FigureOfRun{"dram_reads", [](const ViewInput& in) { return counter(in, "dram__sectors_read"); }},
    FigureOfRun{"dram_writes", [](const ViewInput& in) { return counter(in, "dram__sectors_write"); }},
    FigureOfRun{"thread_instructions",
                [](const ViewInput& in) { return counter(in, "ptx__thread_inst_executed"); }},
    FigureOfRun{"threads_per_block",
                [](const ViewInput& in) {
                    return firstLaunch(in) ? positive(firstLaunch(in)->block.count()) : std::nullopt;
                }},
    FigureOfRun{"blocks",
                [](const ViewInput& in) {
                    return firstLaunch(in) ? positive(firstLaunch(in)->grid.count()) : std::nullopt;
                }},
    FigureOfRun{"shared_bytes",
                [](const ViewInput& in) {
                    return firstLaunch(in) ? positive(run::sharedBytes(*in.run.module, *firstLaunch(in)))
                                           : std::nullopt;
                }},
    FigureOfRun{"blocks_per_sm",
                [](const ViewInput& in) { return positive(in.run.report.occupancy.blocksPerSm); }},
    FigureOfRun{"warps_per_sm",
                [](const ViewInput& in) { return positive(in.run.report.occupancy.warpsPerSm); }},
    FigureOfRun{"shared_limit",
                [](const ViewInput& in) {
                    return positive(std::max(in.profile.sharedBytesPerBlock, in.profile.sharedBytesOptIn));
                }},
    FigureOfRun{"threads_limit", [](const ViewInput& in) { return positive(in.profile.threadsPerBlock); }},
    FigureOfRun{"multiprocessors", [](const ViewInput& in) { return positive(in.profile.multiprocessors); }},
    FigureOfRun{"banks", [](const ViewInput& in) { return positive(in.profile.banks); }},
};

std::optional<f64> counted(const run::TimedKernel& kernel, const char* key) {
    if (!kernel.run) return std::nullopt;
    const auto found = kernel.run->measured.counters.find(key);
    return found == kernel.run->measured.counters.end() ? std::nullopt : std::optional(found->second);
}

struct FigureOfVariant {
    std::string_view name;
    std::optional<f64> (*of)(const run::TimedKernel&);
};
// Measured, from the recording that the Times view shows. Times in milliseconds, rates in bytes or operations
// a second.
constexpr std::array kOfVariant{
    FigureOfVariant{"time",
                    [](const run::TimedKernel& kernel) {
                        return kernel.run ? positive(kernel.milliseconds) : std::nullopt;
                    }},
    FigureOfVariant{
        "achieved_rate",
        [](const run::TimedKernel& kernel) { return kernel.run ? positive(kernel.rate) : std::nullopt; }},
    FigureOfVariant{"measured_load_requests",
                    [](const run::TimedKernel& kernel) {
                        return counted(kernel, "l1tex__t_requests_pipe_lsu_mem_global_op_ld");
                    }},
    FigureOfVariant{"measured_load_sectors",
                    [](const run::TimedKernel& kernel) {
                        return counted(kernel, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld");
                    }},
    FigureOfVariant{"measured_l1_hits",
                    [](const run::TimedKernel& kernel) {
                        return counted(kernel, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit");
                    }},
    FigureOfVariant{
        "measured_l2_reads",
        [](const run::TimedKernel& kernel) { return counted(kernel, "lts__t_sectors_srcunit_tex_op_read"); }},
    FigureOfVariant{"measured_instructions",
                    [](const run::TimedKernel& kernel) { return counted(kernel, "smsp__inst_executed"); }},
    FigureOfVariant{"published_ms",
                    [](const run::TimedKernel& kernel) {
                        return kernel.variant && kernel.variant->published
                                   ? positive(kernel.variant->published->milliseconds)
                                   : std::nullopt;
                    }},
    FigureOfVariant{"published_rate",
                    [](const run::TimedKernel& kernel) {
                        return kernel.variant && kernel.variant->published
                                   ? positive(kernel.variant->published->gigabytesPerSecond * 1e9)
                                   : std::nullopt;
                    }},
    FigureOfVariant{"copy_in_ms",
                    [](const run::TimedKernel& kernel) {
                        return kernel.run && kernel.run->measured.timing &&
                                       kernel.run->measured.timing->toDevice
                                   ? positive(kernel.run->measured.timing->toDevice->milliseconds)
                                   : std::nullopt;
                    }},
    FigureOfVariant{"copy_out_ms",
                    [](const run::TimedKernel& kernel) {
                        return kernel.run && kernel.run->measured.timing &&
                                       kernel.run->measured.timing->toHost
                                   ? positive(kernel.run->measured.timing->toHost->milliseconds)
                                   : std::nullopt;
                    }},
};

}  // namespace

const run::TimesFacts* NoteFigures::times() const {
    if (!times_) {
        times_.emplace();
        if (in_.run.catalog && in_.run.catalog->variant && in_.machines)
            *times_ = run::timesFacts(*in_.run.catalog, *in_.machines, 0);
        if (*times_ && !(*times_)->isTheRuns) times_->reset();
    }
    return *times_ ? &**times_ : nullptr;
}

std::vector<std::string> NoteFigures::namesOfRun() {
    std::vector<std::string> names{"copy_rate"};
    for (const FigureOfRun& figure : kOfRun)
        names.emplace_back(figure.name);
    return names;
}
std::vector<std::string> NoteFigures::namesOfVariant() {
    std::vector<std::string> names;
    for (const FigureOfVariant& figure : kOfVariant)
        names.emplace_back(figure.name);
    return names;
}

Expected<std::optional<f64>> NoteFigures::at(std::string_view name, std::string_view variant) const {
    const catalog::Family* family = in_.run.catalog ? in_.run.catalog->family : nullptr;
    if (variant.empty()) {
        if (const auto figure = std::ranges::find(kOfRun, name, &FigureOfRun::name); figure != kOfRun.end())
            return figure->of(in_);
        if (name == "copy_rate")
            return times() && times()->machine ? positive(times()->machine->copyRate) : std::nullopt;
        if (family && family->findParameter(name)) {
            const auto value = in_.run.catalog->values.find(name);
            return value == in_.run.catalog->values.end() ? std::nullopt : std::optional(f64(value->second));
        }
        return fail(FaultKind::Syntax,
                    Message(english("there is no figure '{0}'{1}"), name, didYouMean(name, namesOfRun())));
    }
    const auto figure = std::ranges::find(kOfVariant, name, &FigureOfVariant::name);
    if (figure == kOfVariant.end())
        return fail(FaultKind::Syntax, Message(english("there is no figure '{0}[...]'{1}"), name,
                                               didYouMean(name, namesOfVariant())));
    const catalog::Variant* of =
        family ? family->find(variant == "this" ? std::string_view(in_.run.catalog->variant->name) : variant)
               : nullptr;
    if (!of) return fail(FaultKind::Syntax, Message(english("there is no variant '{0}'"), variant));
    const run::TimesFacts* facts = times();
    if (!facts) return figure->of(run::TimedKernel{.variant = of});
    const auto kernel = std::ranges::find(facts->kernels, of, &run::TimedKernel::variant);
    return kernel == facts->kernels.end() ? std::optional<f64>{} : figure->of(*kernel);
}

}  // namespace lockstep::viz
