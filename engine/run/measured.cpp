#include "run/measured.h"

#include "base/check.h"
#include "base/median.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep::run {
namespace {

// Of ascending values: the one that a share of them lies below.
f64 quantile(const std::vector<f64>& sorted, f64 share) {
    const f64 at = share * f64(sorted.size() - 1);
    const std::size_t below = std::size_t(std::floor(at));
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (at - f64(below)) * (sorted[above] - sorted[below]);
}

constexpr std::array kMetrics{
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit",
    "l1tex__t_requests_pipe_lsu_mem_global_op_atom",
    "l1tex__t_requests_pipe_lsu_mem_global_op_red",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_atom",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_red",
    "lts__t_sectors_srcunit_tex_op_read",
    "lts__t_sectors_srcunit_tex_op_write",
    "lts__t_sectors_srcunit_tex_op_read_lookup_hit",
    "lts__t_sectors_srcunit_tex_op_read_lookup_miss",
    "dram__sectors_read",
    "dram__sectors_write",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st",
    "smsp__inst_executed",
    "smsp__thread_inst_executed",
    "smsp__thread_inst_executed_pred_on",
    "smsp__sass_branch_targets_threads_divergent",
    "smsp__sass_branch_targets_threads_uniform",
};

}  // namespace

Spread spreadOf(std::span<const f64> milliseconds) {
    CHECK(!milliseconds.empty(), "something was measured");
    std::vector<f64> sorted(milliseconds.begin(), milliseconds.end());
    std::ranges::sort(sorted);
    return {.median = median(sorted),
            .lowerQuartile = quantile(sorted, 0.25),
            .upperQuartile = quantile(sorted, 0.75),
            .least = sorted.front(),
            .most = sorted.back(),
            .runs = u32(sorted.size())};
}

std::span<const char* const> countedMetrics() { return kMetrics; }

}  // namespace lockstep::run
