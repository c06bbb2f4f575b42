#include "model/caches/cache_counts.h"

namespace lockstep::model {

void CacheCounts::add(const CacheCounts& other) {
    for (u64 CacheCounts::*member :
         {&CacheCounts::requests,    &CacheCounts::loads,        &CacheCounts::loadHits,
          &CacheCounts::stores,      &CacheCounts::storeHits,    &CacheCounts::atomics,
          &CacheCounts::reductions,  &CacheCounts::localLoads,   &CacheCounts::localLoadHits,
          &CacheCounts::localStores, &CacheCounts::l2ReadsLeast, &CacheCounts::l2Reads,
          &CacheCounts::l2ReadsMost, &CacheCounts::l2ReadHits,   &CacheCounts::l2ReadMisses,
          &CacheCounts::l2Writes,    &CacheCounts::l2WritesMost, &CacheCounts::dramReads,
          &CacheCounts::dramWrites,  &CacheCounts::codeReads,    &CacheCounts::launchReads,
          &CacheCounts::fillReads,   &CacheCounts::atomicReads})
        this->*member += other.*member;
    l1Bytes = other.l1Bytes;
    l2DirtyBytes = other.l2DirtyBytes;
}

void CacheCounts::takeCode(u64 sectors) {
    dramReads += sectors - codeReads;
    codeReads = sectors;
}

std::map<std::string, u64> CacheCounts::counters() const {
    return {{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit", loadHits},
            {"l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit", storeHits},
            {"lts__t_sectors_srcunit_tex_op_read", l2Reads},
            {"lts__t_sectors_srcunit_tex_op_read_lookup_hit", l2ReadHits},
            {"lts__t_sectors_srcunit_tex_op_read_lookup_miss", l2ReadMisses},
            {"lts__t_sectors_srcunit_tex_op_write", l2Writes},
            {"dram__sectors_read", dramReads},
            {"dram__sectors_write", dramWrites}};
}

}  // namespace lockstep::model
