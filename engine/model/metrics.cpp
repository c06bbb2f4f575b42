#include "model/metrics.h"

#include <algorithm>
#include <vector>

namespace lockstep::model {

// ncu's names: Nsight Compute, "Metrics Reference". smsp__ counts machine code, so that no model of PTX
// predicts it.
std::span<const Metric> metrics() {
    static const std::vector<Metric> table{
        {"l1tex__t_requests_pipe_lsu_mem_global_op_ld",
         {"requests that load from global memory", "读取全局内存的请求"}},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld",
         {"sectors loaded from global memory", "从全局内存读取的扇区"}},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit",
         {"sectors loaded that L1 had", "读取时在 L1 中命中的扇区"}},
        {"l1tex__t_requests_pipe_lsu_mem_global_op_st",
         {"requests that store to global memory", "写入全局内存的请求"}},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_st",
         {"sectors stored to global memory", "写入全局内存的扇区"}},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit",
         {"sectors stored that L1 had", "写入时在 L1 中命中的扇区"}},
        {"l1tex__t_requests_pipe_lsu_mem_global_op_atom",
         {"atomic requests to global memory", "全局内存的原子操作请求"}},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom",
         {"sectors of atomics in global memory", "全局内存原子操作的扇区"}},
        {"l1tex__t_requests_pipe_lsu_mem_global_op_red",
         {"reduction requests to global memory", "全局内存的归约请求"}},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_red",
         {"sectors of reductions in global memory", "全局内存归约的扇区"}},
        // cc 1.x, and loads that L1 caches on cc 2.x and 3.x (global_sectors.h).
        {"model__transactions_global_op_ld",
         {"transactions that load from global memory", "读取全局内存的事务"},
         Source::Model},
        {"model__transactions_global_op_st",
         {"transactions that store to global memory", "写入全局内存的事务"},
         Source::Model},
        {"model__transactions_global_op_atom",
         {"transactions of atomics in global memory", "全局内存原子操作的事务"},
         Source::Model},
        {"model__transactions_global_op_red",
         {"transactions of reductions in global memory", "全局内存归约的事务"},
         Source::Model},
        {"lts__t_sectors_srcunit_tex_op_read",
         {"sectors that the SMs read from L2", "各 SM 从 L2 读取的扇区"}},
        {"lts__t_sectors_srcunit_tex_op_read_lookup_hit",
         {"sectors read that L2 had", "读取时在 L2 中命中的扇区"}},
        {"lts__t_sectors_srcunit_tex_op_read_lookup_miss",
         {"sectors read that L2 lacked", "读取时在 L2 中未命中的扇区"}},
        {"lts__t_sectors_srcunit_tex_op_write", {"sectors that the SMs write to L2", "各 SM 写入 L2 的扇区"}},
        {"dram__sectors_read", {"sectors read from device memory", "从设备内存读取的扇区"}},
        {"dram__sectors_write", {"sectors written to device memory", "写入设备内存的扇区"}},
        {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld",
         {"wavefronts that load from shared memory", "读取共享内存的波前"}},
        {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld",
         {"wavefronts that bank conflicts add to loads", "读取时因存储体冲突多出的波前"}},
        {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st",
         {"wavefronts that store to shared memory", "写入共享内存的波前"}},
        {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st",
         {"wavefronts that bank conflicts add to stores", "写入时因存储体冲突多出的波前"}},
        {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom",
         {"wavefronts of atomics in shared memory", "共享内存原子操作的波前"}},
        {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom",
         {"wavefronts that bank conflicts add to atomics", "原子操作因存储体冲突多出的波前"},
         Source::Model},
        {"ptx__inst_executed", {"warp instructions", "线程束指令"}, Source::Model},
        {"ptx__thread_inst_executed", {"thread instructions", "线程指令"}, Source::Model},
        {"ptx__branches_divergent", {"warp divergences", "线程束分化"}, Source::Model},
        {"smsp__inst_executed",
         {"warp instructions of machine code", "线程束执行的机器指令"},
         Source::Hardware},
        {"smsp__thread_inst_executed",
         {"thread instructions of machine code", "线程执行的机器指令"},
         Source::Hardware},
        {"smsp__thread_inst_executed_pred_on",
         {"thread instructions of machine code whose predicate held", "谓词成立的线程机器指令"},
         Source::Hardware},
        {"smsp__sass_branch_targets_threads_divergent",
         {"divergent branches of machine code", "发生分化的机器码分支"},
         Source::Hardware},
        {"smsp__sass_branch_targets_threads_uniform",
         {"uniform branches of machine code", "没有分化的机器码分支"},
         Source::Hardware},
    };
    return table;
}

const Metric* findMetric(std::string_view key) {
    const auto found = std::ranges::find(metrics(), key, &Metric::key);
    return found == metrics().end() ? nullptr : &*found;
}

}  // namespace lockstep::model
