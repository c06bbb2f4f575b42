#include "model/metrics.h"

#include <algorithm>
#include <vector>

namespace lockstep::model {

// ncu's names: Nsight Compute, "Metrics Reference". smsp__ counts machine code, which no model of PTX
// predicts.
std::span<const Metric> metrics() {
    static const std::vector<Metric> table{
        {"l1tex__t_requests_pipe_lsu_mem_global_op_ld", english("requests that load from global memory")},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld", english("sectors loaded from global memory")},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit", english("load sectors that hit in L1")},
        {"l1tex__t_requests_pipe_lsu_mem_global_op_st", english("requests that store to global memory")},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_st", english("sectors stored to global memory")},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit", english("store sectors that hit in L1")},
        {"l1tex__t_requests_pipe_lsu_mem_global_op_atom", english("atomic requests to global memory")},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom", english("sectors of atomics in global memory")},
        {"l1tex__t_requests_pipe_lsu_mem_global_op_red", english("requests of global reductions (RED)")},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_red", english("sectors of global reductions (RED)")},
        // cc 1.x, and loads that L1 caches on cc 2.x and 3.x (global_sectors.h).
        {"model__transactions_global_op_ld", english("transactions that load from global memory"),
         Source::Model},
        {"model__transactions_global_op_st", english("transactions that store to global memory"),
         Source::Model},
        {"model__transactions_global_op_atom", english("transactions of atomics in global memory"),
         Source::Model},
        {"model__transactions_global_op_red", english("transactions of global reductions (RED)"),
         Source::Model},
        {"lts__t_sectors_srcunit_tex_op_read", english("sectors that the SMs read from L2")},
        {"lts__t_sectors_srcunit_tex_op_read_lookup_hit", english("read sectors that hit in L2")},
        {"lts__t_sectors_srcunit_tex_op_read_lookup_miss", english("read sectors that missed in L2")},
        {"lts__t_sectors_srcunit_tex_op_write", english("sectors that the SMs write to L2")},
        {"dram__sectors_read", english("sectors read from device memory")},
        {"dram__sectors_write", english("sectors written to device memory")},
        {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld",
         english("wavefronts that load from shared memory")},
        {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld",
         english("extra load wavefronts from bank conflicts")},
        {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st",
         english("wavefronts that store to shared memory")},
        {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st",
         english("extra store wavefronts from bank conflicts")},
        {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom",
         english("wavefronts of atomics in shared memory")},
        {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom",
         english("extra atomic wavefronts from bank conflicts"), Source::Model},
        {"ptx__inst_executed", english("a metric", "warp instructions of PTX"), Source::Model},
        {"ptx__thread_inst_executed", english("thread instructions of PTX"), Source::Model},
        {"ptx__branches_divergent", english("divergent branches of PTX"), Source::Model},
        {"smsp__inst_executed", english("warp instructions of machine code"), Source::Hardware},
        {"smsp__thread_inst_executed", english("thread instructions of machine code"), Source::Hardware},
        {"smsp__thread_inst_executed_pred_on",
         english("thread instructions of machine code that were not predicated off"), Source::Hardware},
        {"smsp__sass_branch_targets_threads_divergent", english("divergent branches of machine code"),
         Source::Hardware},
        {"smsp__sass_branch_targets_threads_uniform", english("uniform branches of machine code"),
         Source::Hardware},
    };
    return table;
}

const Metric* findMetric(std::string_view key) {
    const auto found = std::ranges::find(metrics(), key, &Metric::key);
    return found == metrics().end() ? nullptr : &*found;
}

}  // namespace lockstep::model
