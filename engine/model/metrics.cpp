#include "model/metrics.h"

#include <algorithm>
#include <vector>

namespace lockstep::model {

// ncu's names: Nsight Compute, "Metrics Reference". smsp__ counts machine code, which no model of PTX
// predicts.
std::span<const Metric> metrics() {
    static const std::vector<Metric> table{
        {"l1tex__t_requests_pipe_lsu_mem_global_op_ld", english("global load requests")},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld", english("global load sectors")},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit", english("load sectors that hit in L1")},
        {"l1tex__t_requests_pipe_lsu_mem_global_op_st", english("global store requests")},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_st", english("global store sectors")},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit", english("store sectors that hit in L1")},
        {"l1tex__t_requests_pipe_lsu_mem_global_op_atom", english("global atomic requests")},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom", english("global atomic sector accesses")},
        {"l1tex__t_requests_pipe_lsu_mem_global_op_red", english("global atomic (RED) requests")},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_red", english("global atomic (RED) sector accesses")},
        // cc 1.x, and loads that L1 caches on cc 2.x and 3.x (global_sectors.h).
        {"model__transactions_global_op_ld", english("global load transactions"), Source::Model},
        {"model__transactions_global_op_st", english("global store transactions"), Source::Model},
        {"model__transactions_global_op_atom", english("global atomic transactions"), Source::Model},
        {"model__transactions_global_op_red", english("global atomic (RED) transactions"), Source::Model},
        {"lts__t_sectors_srcunit_tex_op_read", english("L2 read sectors")},
        {"lts__t_sectors_srcunit_tex_op_read_lookup_hit", english("read sectors that hit in L2")},
        {"lts__t_sectors_srcunit_tex_op_read_lookup_miss", english("read sectors that missed in L2")},
        {"lts__t_sectors_srcunit_tex_op_write", english("L2 write sectors")},
        {"dram__sectors_read", english("sectors read from device memory")},
        {"dram__sectors_write", english("sectors written to device memory")},
        {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld", english("shared load wavefronts")},
        {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld",
         english("extra load wavefronts from bank conflicts")},
        {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st", english("shared store wavefronts")},
        {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st",
         english("extra store wavefronts from bank conflicts")},
        {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom", english("shared atomic wavefronts")},
        {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom",
         english("extra atomic wavefronts (same bank or same word)"), Source::Model},
        {"ptx__inst_executed", english("a metric", "PTX warp instructions"), Source::Model},
        {"ptx__thread_inst_executed", english("PTX thread instructions"), Source::Model},
        {"ptx__branches_divergent", english("divergent PTX branches"), Source::Model},
        {"ptx__inst_executed_op_texture", english("PTX texture instructions"), Source::Model},
        {"ptx__inst_executed_op_surface", english("PTX surface instructions"), Source::Model},
        {"smsp__inst_executed", english("SASS warp instructions"), Source::Hardware},
        {"smsp__thread_inst_executed", english("SASS thread instructions"), Source::Hardware},
        {"smsp__thread_inst_executed_pred_on", english("SASS thread instructions not predicated off"),
         Source::Hardware},
        {"smsp__sass_branch_targets_threads_divergent", english("divergent SASS branches"), Source::Hardware},
        {"smsp__sass_branch_targets_threads_uniform", english("uniform SASS branches"), Source::Hardware},
    };
    return table;
}

const Metric* findMetric(std::string_view key) {
    const auto found = std::ranges::find(metrics(), key, &Metric::key);
    return found == metrics().end() ? nullptr : &*found;
}

}  // namespace lockstep::model
