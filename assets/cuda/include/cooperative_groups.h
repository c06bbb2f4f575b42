// Cooperative groups: thread blocks, tiles of a warp, coalesced threads and the grid of a cooperative launch.
#pragma once

#include "cuda_runtime.h"

namespace cooperative_groups {

#define LOCKSTEP_CG static __device__ __forceinline__
#define LOCKSTEP_MEMBER __device__ __forceinline__

// A value of any type, word by word.
template <class T, class F> LOCKSTEP_CG T eachWord(T value, F shuffle) {
    unsigned int words[(sizeof(T) + 3) / 4] = {};
    __builtin_memcpy(words, &value, sizeof(T));
    for (unsigned int& word : words)
        word = shuffle(word);
    __builtin_memcpy(&value, words, sizeof(T));
    return value;
}

class thread_group {
public:
    LOCKSTEP_MEMBER thread_group(unsigned int size, unsigned int rank, unsigned int mask, bool isBlock)
        : size_(size), rank_(rank), mask_(mask), isBlock_(isBlock) {}
    LOCKSTEP_MEMBER unsigned int size() const { return size_; }
    LOCKSTEP_MEMBER unsigned int num_threads() const { return size_; }
    LOCKSTEP_MEMBER unsigned int thread_rank() const { return rank_; }
    LOCKSTEP_MEMBER bool is_valid() const { return true; }
    LOCKSTEP_MEMBER void sync() const {
        if (isBlock_)
            __syncthreads();
        else
            __syncwarp(mask_);
    }

protected:
    unsigned int size_, rank_, mask_;  // mask: of lanes, unless it is the block
    bool isBlock_;
};

class thread_block : public thread_group {
public:
    LOCKSTEP_MEMBER thread_block()
        : thread_group(blockDim.x * blockDim.y * blockDim.z,
                       (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x, 0xffffffffu,
                       true) {}
    LOCKSTEP_MEMBER static void sync() { __syncthreads(); }
    LOCKSTEP_MEMBER static unsigned int size() { return blockDim.x * blockDim.y * blockDim.z; }
    LOCKSTEP_MEMBER static unsigned int num_threads() { return size(); }
    LOCKSTEP_MEMBER static unsigned int thread_rank() {
        return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    }
    LOCKSTEP_MEMBER static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    LOCKSTEP_MEMBER static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    LOCKSTEP_MEMBER static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    LOCKSTEP_MEMBER static dim3 dim_threads() { return group_dim(); }
};
LOCKSTEP_CG thread_block this_thread_block() { return thread_block(); }

// Memory by which warps of a tile meet before cc 8.0; here they always use what the system reserves.
template <unsigned int MaxBlockSize = 1024> struct block_tile_memory {};
template <unsigned int MaxBlockSize>
LOCKSTEP_CG thread_block this_thread_block(block_tile_memory<MaxBlockSize>&) {
    return thread_block();
}

// Lanes of one warp by their mask; a lane's rank is the number of lanes in front of it.
template <unsigned int Size, bool OfSeveralWarps> class tile_of : public thread_group {
public:
    // tile of tiles: within the group that it is a part of
    LOCKSTEP_MEMBER tile_of(unsigned int rankInBlock, unsigned int tile, unsigned int tiles)
        : thread_group(
              Size, rankInBlock % Size,
              Size == 32 ? 0xffffffffu : ((1u << (Size & 31)) - 1) << (rankInBlock % 32 / Size * Size),
              false),
          tile_(tile),
          tiles_(tiles) {}
    LOCKSTEP_MEMBER void sync() const { __syncwarp(mask_); }
    LOCKSTEP_MEMBER static constexpr unsigned int size() { return Size; }
    LOCKSTEP_MEMBER static constexpr unsigned int num_threads() { return Size; }
    LOCKSTEP_MEMBER unsigned int meta_group_rank() const { return tile_; }
    LOCKSTEP_MEMBER unsigned int meta_group_size() const { return tiles_; }
    LOCKSTEP_MEMBER unsigned int mask() const { return mask_; }
    template <class T> LOCKSTEP_MEMBER T shfl(T value, int lane) const {
        return eachWord(value, [&](unsigned int word) { return __shfl_sync(mask_, word, lane, Size); });
    }
    template <class T> LOCKSTEP_MEMBER T shfl_down(T value, unsigned int by) const {
        return eachWord(value, [&](unsigned int word) { return __shfl_down_sync(mask_, word, by, Size); });
    }
    template <class T> LOCKSTEP_MEMBER T shfl_up(T value, unsigned int by) const {
        return eachWord(value, [&](unsigned int word) { return __shfl_up_sync(mask_, word, by, Size); });
    }
    template <class T> LOCKSTEP_MEMBER T shfl_xor(T value, unsigned int by) const {
        return eachWord(value, [&](unsigned int word) { return __shfl_xor_sync(mask_, word, by, Size); });
    }
    LOCKSTEP_MEMBER int any(int condition) const { return __any_sync(mask_, condition); }
    LOCKSTEP_MEMBER int all(int condition) const { return __all_sync(mask_, condition); }
    LOCKSTEP_MEMBER unsigned int ballot(int condition) const {
        return __ballot_sync(mask_, condition) >> (__ffs(int(mask_)) - 1);
    }

private:
    unsigned int tile_, tiles_;
};

// Several warps. They meet by a counter, which lies in reserved shared memory, is 0 at first and only grows.
template <unsigned int Size> class tile_of<Size, true> {
public:
    LOCKSTEP_MEMBER tile_of(unsigned int rankInBlock, unsigned int tile, unsigned int tiles)
        : rankInBlock_(rankInBlock), tile_(tile), tiles_(tiles) {}
    LOCKSTEP_MEMBER static constexpr unsigned int size() { return Size; }
    LOCKSTEP_MEMBER static constexpr unsigned int num_threads() { return Size; }
    LOCKSTEP_MEMBER unsigned int thread_rank() const { return rankInBlock_ % Size; }
    LOCKSTEP_MEMBER unsigned int meta_group_rank() const { return tile_; }
    LOCKSTEP_MEMBER unsigned int meta_group_size() const { return tiles_; }
    LOCKSTEP_MEMBER bool is_valid() const { return true; }
    LOCKSTEP_MEMBER void sync() const {
        constexpr unsigned int warps = Size / 32, before = 32 - 2048 / Size;  // 16 tiles of 64, 8 of 128 ...
        __syncwarp();
        if (rankInBlock_ % 32 == 0) {
            unsigned int* const arrived = counters() + before + rankInBlock_ / Size;
            __threadfence_block();
            const unsigned int all = (atomicAdd(arrived, 1) / warps + 1) * warps;
            while (int(*(volatile unsigned int*)arrived - all) < 0) {}
            __threadfence_block();
        }
        __syncwarp();
    }

    // All values of the tile: each warp leaves its own behind the counters.
    template <class T, class Operation> LOCKSTEP_MEMBER T combine(T value, Operation operation) const {
        constexpr unsigned int slotBytes = 8;
        static_assert(sizeof(T) <= slotBytes, "a value of up to 8 bytes is left by each warp");
        for (unsigned int by = 16; by; by /= 2)
            value = operation(value, eachWord(value, [&](unsigned int word) {
                                  return __shfl_xor_sync(0xffffffffu, word, by);
                              }));
        char* const slots = (char*)(counters() + 32);
        if (rankInBlock_ % 32 == 0) *(T*)(slots + rankInBlock_ / 32 * slotBytes) = value;
        sync();
        const char* const first = slots + rankInBlock_ / Size * Size / 32 * slotBytes;
        T result = *(const T*)first;
        for (unsigned int warp = 1; warp < Size / 32; ++warp)
            result = operation(result, *(const T*)(first + warp * slotBytes));
        sync();
        return result;
    }

private:
    LOCKSTEP_MEMBER static unsigned int* counters() {
        unsigned long long at;
        asm("{\n\t.reg .u32 offset;\n\t.reg .u64 wide;\n\tmov.u32 offset, %%reserved_smem_offset_1;\n\t"
            "cvt.u64.u32 wide, offset;\n\tcvta.shared.u64 %0, wide;\n\t}"
            : "=l"(at));
        return (unsigned int*)at;
    }
    unsigned int rankInBlock_, tile_, tiles_;
};

template <unsigned int Size, class Parent = void>
class thread_block_tile : public tile_of<Size, (Size > 32)> {
public:
    using tile_of<Size, (Size > 32)>::tile_of;
};

template <unsigned int Size, class Group>
LOCKSTEP_CG thread_block_tile<Size> tiled_partition(const Group& group) {
    static_assert(Size && Size <= 1024 && !(Size & (Size - 1)), "a tile's size is a power of 2, up to 1,024");
    return thread_block_tile<Size>(thread_block::thread_rank(), group.thread_rank() / Size,
                                   (group.size() + Size - 1) / Size);
}
LOCKSTEP_CG thread_group tiled_partition(const thread_group& group, unsigned int size) {
    const unsigned int rank = thread_block::thread_rank(),
                       whole = size == 32 ? 0xffffffffu : (1u << size) - 1;
    (void)group;
    return thread_group(size, rank % size, whole << (rank % 32 / size * size), false);
}

class coalesced_group : public thread_group {
public:
    LOCKSTEP_MEMBER explicit coalesced_group(unsigned int mask)
        : thread_group((unsigned int)(__popc(int(mask))),
                       (unsigned int)(__popc(int(mask & ((1u << lane()) - 1)))), mask, false) {}
    LOCKSTEP_MEMBER void sync() const { __syncwarp(mask_); }
    template <class T> LOCKSTEP_MEMBER T shfl(T value, unsigned int rank) const {
        const int lane = int(__fns(mask_, 0, int(rank) + 1));
        return eachWord(value, [&](unsigned int word) { return __shfl_sync(mask_, word, lane, 32); });
    }
    // By ranks; a thread that would take from outside the group keeps its own.
    template <class T> LOCKSTEP_MEMBER T shfl_down(T value, unsigned int by) const {
        return shfl(value, rank_ + by < size_ ? rank_ + by : rank_);
    }
    template <class T> LOCKSTEP_MEMBER T shfl_up(T value, unsigned int by) const {
        return shfl(value, rank_ >= by ? rank_ - by : rank_);
    }
    LOCKSTEP_MEMBER int any(int condition) const { return __any_sync(mask_, condition); }
    LOCKSTEP_MEMBER int all(int condition) const { return __all_sync(mask_, condition); }
    // Bit n is the thread of rank n's.
    LOCKSTEP_MEMBER unsigned int ballot(int condition) const {
        const unsigned int lanes = __ballot_sync(mask_, condition);
        unsigned int ranks = 0, bit = 1;
        for (unsigned int left = mask_; left; left &= left - 1, bit <<= 1)
            if (lanes & (left & (0u - left))) ranks |= bit;
        return ranks;
    }
    LOCKSTEP_MEMBER unsigned int mask() const { return mask_; }
    LOCKSTEP_MEMBER unsigned int meta_group_rank() const { return 0; }
    LOCKSTEP_MEMBER unsigned int meta_group_size() const { return 1; }

private:
    LOCKSTEP_CG unsigned int lane() {
        unsigned int lane;
        asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
        return lane;
    }
};
// Their lanes need not lie side by side.
template <unsigned int Size> thread_block_tile<Size> tiled_partition(const coalesced_group&) = delete;
thread_group tiled_partition(const coalesced_group&, unsigned int) = delete;
LOCKSTEP_CG coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

// Those of the group that have the same label.
LOCKSTEP_CG coalesced_group labeled_partition(const coalesced_group& group, int label) {
    return coalesced_group(__match_any_sync(group.mask(), label));
}
template <unsigned int Size>
LOCKSTEP_CG coalesced_group labeled_partition(const thread_block_tile<Size>& tile, int label) {
    static_assert(Size <= 32, "a partition by labels is made of lanes of one warp");
    return coalesced_group(__match_any_sync(tile.mask(), label));
}

// All blocks meet: each adds to a counter, the first one so much that its top bit turns over once all have
// come. The counter is in the workspace of a cooperative launch; without one the kernel is aborted, as with
// NVIDIA's.
class grid_group {
public:
    LOCKSTEP_MEMBER static unsigned long long size() {
        return (unsigned long long)(blocks()) * thread_block::size();
    }
    LOCKSTEP_MEMBER static unsigned long long num_threads() { return size(); }
    LOCKSTEP_MEMBER static unsigned long long thread_rank() {
        return (unsigned long long)(block()) * thread_block::size() + thread_block::thread_rank();
    }
    LOCKSTEP_MEMBER static dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    LOCKSTEP_MEMBER static dim3 dim_blocks() { return group_dim(); }
    LOCKSTEP_MEMBER static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    LOCKSTEP_MEMBER static unsigned long long num_blocks() { return blocks(); }
    LOCKSTEP_MEMBER static unsigned long long block_rank() { return block(); }
    LOCKSTEP_MEMBER static bool is_valid() { return workspace() != nullptr; }
    LOCKSTEP_MEMBER void sync() const {
        if (!is_valid()) __trap();
        __syncthreads();
        if (thread_block::thread_rank() == 0) {
            unsigned int* const barrier = workspace() + 1;  // behind its size
            __threadfence();
            const unsigned int step = block() == 0 ? 0x80000000u - (blocks() - 1) : 1;
            const unsigned int before = atomicAdd(barrier, step);
            while (((atomicAdd(barrier, 0) ^ before) & 0x80000000u) == 0) {}
            __threadfence();
        }
        __syncthreads();
    }

private:
    LOCKSTEP_MEMBER static unsigned int* workspace() {
        unsigned int high, low;
        asm("mov.u32 %0, %%envreg1;" : "=r"(high));
        asm("mov.u32 %0, %%envreg2;" : "=r"(low));
        return (unsigned int*)((unsigned long long)(high) << 32 | low);
    }
    LOCKSTEP_MEMBER static unsigned int blocks() { return gridDim.x * gridDim.y * gridDim.z; }
    LOCKSTEP_MEMBER static unsigned int block() {
        return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
};
LOCKSTEP_CG grid_group this_grid() { return grid_group(); }

template <class Group> LOCKSTEP_CG void sync(const Group& group) { group.sync(); }

template <class T> struct plus {
    LOCKSTEP_MEMBER T operator()(T a, T b) const { return a + b; }
};
template <class T> struct greater {
    LOCKSTEP_MEMBER T operator()(T a, T b) const { return a > b ? a : b; }
};
template <class T> struct less {
    LOCKSTEP_MEMBER T operator()(T a, T b) const { return a < b ? a : b; }
};
template <class T> struct bit_and {
    LOCKSTEP_MEMBER T operator()(T a, T b) const { return a & b; }
};
template <class T> struct bit_or {
    LOCKSTEP_MEMBER T operator()(T a, T b) const { return a | b; }
};
template <class T> struct bit_xor {
    LOCKSTEP_MEMBER T operator()(T a, T b) const { return a ^ b; }
};
template <class T, class Operation>
LOCKSTEP_CG T reduce(const coalesced_group& group, T value, Operation operation) {
    T result = group.shfl(value, 0);
    for (unsigned int rank = 1; rank < group.size(); ++rank)
        result = operation(result, group.shfl(value, rank));
    return result;
}
template <unsigned int Size, class Parent, class T, class Operation>
LOCKSTEP_CG T reduce(const thread_block_tile<Size, Parent>& tile, T value, Operation operation) {
    if constexpr (Size > 32) {
        return tile.combine(value, operation);
    } else {
        for (unsigned int by = Size / 2; by; by /= 2)
            value = operation(value, tile.shfl_xor(value, by));
        return value;
    }
}

#undef LOCKSTEP_CG
#undef LOCKSTEP_MEMBER

}  // namespace cooperative_groups
