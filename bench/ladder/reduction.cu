// The sum of 2^n numbers, int32, beside CUB.
#include "ladder.h"

#include <array>
#include <cub/device/device_reduce.cuh>
#include <memory>
#include <random>

namespace v0 {
#include "../../kernels/reduction/v0.cu"
}
namespace v1 {
#include "../../kernels/reduction/v1.cu"
}
namespace v2 {
#include "../../kernels/reduction/v2.cu"
}
namespace v3 {
#include "../../kernels/reduction/v3.cu"
}
namespace v4 {
#include "../../kernels/reduction/v4.cu"
}
namespace v5 {
#include "../../kernels/reduction/v5.cu"
}
namespace v6 {
#include "../../kernels/reduction/v6.cu"
}
namespace shuffle {
#include "../../kernels/reduction/shuffle.cu"
}
namespace grid_stride {
#include "../../kernels/reduction/grid_stride.cu"
}
namespace single_pass {
#include "../../kernels/reduction/single_pass.cu"
}

namespace {

constexpr int kBlock = 128;  // of the seven versions, as published

struct Numbers {
    int count;
    int wanted = 0;            // the sum, modulo 2^32 as the kernels take it
    std::array<int*, 2> in;    // two copies, by turns, where they are larger than L2; else the same twice
    std::array<int*, 2> sums;  // room for the partial sums of one launch, and of the next
    int *total = allocate<int>(1), *result = nullptr;  // result: where the last launch has left the sum
    unsigned* ticket = allocate<unsigned>(1);

    explicit Numbers(int exponent) : count(1 << exponent) {
        std::vector<int> host(static_cast<std::size_t>(count));
        std::mt19937 generator(1);
        unsigned sum = 0;
        for (int& number : host)
            sum += unsigned(number = int(generator() >> 4));
        wanted = int(sum);
        in[0] = upload(host);
        int l2 = 0;
        require(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0));
        in[1] = host.size() * sizeof(int) > std::size_t(l2) ? upload(host) : in[0];
        for (int*& room : sums)
            room = allocate<int>(host.size() / kBlock + 4096);
        require(cudaMemset(ticket, 0, sizeof(unsigned)));
    }
    static int* upload(const std::vector<int>& host) {
        int* device = allocate<int>(host.size());
        require(cudaMemcpy(device, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice));
        return device;
    }
    std::string mistake() const {
        int got = 0;
        require(cudaMemcpy(&got, result, sizeof(int), cudaMemcpyDeviceToHost));
        require(cudaMemset(result, 0xff, sizeof(int)));
        return got == wanted ? "" : "the sum is " + std::to_string(got) + ", not " + std::to_string(wanted);
    }
};

using Kernel = void (*)(const int*, int*, int);

}  // namespace

Ladder reductionLadder(int exponent) {
    const auto numbers = std::make_shared<Numbers>(exponent);
    const auto mistake = [=] { return numbers->mistake(); };

    // One partial sum per block, launched on its own results until a single one is left. `perThread`:
    // elements that a thread loads; where the number of blocks is fixed, `mostBlocks`.
    const auto launches = [=](Kernel kernel, int perThread, int sharedBytes, int mostBlocks = 1 << 30,
                              int block = kBlock) {
        return [=](int run) {
            const int* from = numbers->in[run % 2];
            int left = numbers->count;
            for (int launch = 0; left > 1; ++launch) {
                const int blocks = std::min((left + perThread * block - 1) / (perThread * block), mostBlocks);
                kernel<<<blocks, block, sharedBytes>>>(from, numbers->sums[launch % 2], left);
                from = numbers->result = numbers->sums[launch % 2];
                left = blocks;
            }
        };
    };
    std::size_t bytes = 0;
    require(cub::DeviceReduce::Sum(nullptr, bytes, numbers->in[0], numbers->total, numbers->count));
    char* const scratch = allocate<char>(bytes);
    const auto cub = [=](int run) mutable {
        cub::DeviceReduce::Sum(scratch, bytes, numbers->in[run % 2], numbers->total, numbers->count);
        numbers->result = numbers->total;
    };
    const int fewBlocks =
        std::min((numbers->count + 4095) / 4096, 1056);  // as many of 256 threads as an H200 holds at once
    const auto singlePass = [=](int run) {
        single_pass::reduce_single_pass<256><<<fewBlocks, 256>>>(
            numbers->in[run % 2], numbers->sums[0], numbers->ticket, numbers->total, numbers->count);
        numbers->result = numbers->total;
    };
    const int shared = kBlock * int(sizeof(int));
    const std::string name = "reduction 2^" + std::to_string(exponent);
    const std::string where = numbers->in[0] == numbers->in[1] ? "the input stays in L2"
                                                               : "two inputs by turns, each larger than L2";
    return {name,
            "sum of 2^" + std::to_string(exponent) + " int32, blocks of 128 up to shuffle; " + where,
            double(numbers->count) * sizeof(int),
            "GB/s",
            exponent < 24 ? 100 : 8,
            {{"cub::DeviceReduce::Sum", cub, mistake, true},
             {"v0", launches(v0::reduce_v0, 1, shared), mistake},
             {"v1", launches(v1::reduce_v1, 1, shared), mistake},
             {"v2", launches(v2::reduce_v2, 1, shared), mistake},
             {"v3", launches(v3::reduce_v3, 2, shared), mistake},
             {"v4", launches(v4::reduce_v4, 2, shared), mistake},
             {"v5", launches(v5::reduce_v5<kBlock>, 2, 0), mistake},
             {"v6, 2112 blocks", launches(v6::reduce_v6<kBlock>, 2, 0, 2112), mistake},
             {"shuffle", launches(shuffle::reduce_shuffle, 2, 0), mistake},
             {"grid-stride", launches(grid_stride::reduce_grid_stride<256>, 16, 0, 1056, 256), mistake},
             {"single-pass", singlePass, mistake}}};
}
