// P = M x N, 4096 x 4096, float32 without tensor cores, beside cuBLAS.
#include "ladder.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <cublas_v2.h>
#include <random>

namespace naive {
#include "../../kernels/matmul/naive.cu"
}
namespace naive_swapped {
#include "../../kernels/matmul/naive_swapped.cu"
}
namespace tiled {
#include "../../kernels/matmul/tiled.cu"
}
namespace tiled_bounds {
#include "../../kernels/matmul/tiled_bounds.cu"
}
namespace register_1d {
#include "../../kernels/matmul/register_1d.cu"
}
namespace register_2d {
#include "../../kernels/matmul/register_2d.cu"
}
namespace vector_loads {
#include "../../kernels/matmul/vector_loads.cu"
}
namespace padded {
#include "../../kernels/matmul/padded.cu"
}
namespace double_buffered {
#include "../../kernels/matmul/double_buffered.cu"
}
namespace warp_tiled {
#include "../../kernels/matmul/warp_tiled.cu"
}

namespace {

constexpr int kWidth = 4096;
constexpr std::size_t kElements = std::size_t(kWidth) * kWidth;

struct Matrices {
    std::vector<float> hostM = random(1), hostN = random(2);
    float *M = upload(hostM), *N = upload(hostN), *P = allocate<float>(kElements);

    static std::vector<float> random(unsigned seed) {
        std::mt19937 generator(seed);
        std::uniform_real_distribution<float> distribution(-1.0f, 1.0f);
        std::vector<float> matrix(kElements);
        for (float& element : matrix)
            element = distribution(generator);
        return matrix;
    }
    static float* upload(const std::vector<float>& host) {
        float* device = allocate<float>(host.size());
        require(cudaMemcpy(device, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice));
        return device;
    }
    // The result of the last launch; the next must write every element anew.
    std::vector<float> takeP() const {
        std::vector<float> host(kElements);
        require(cudaMemcpy(host.data(), P, kElements * sizeof(float), cudaMemcpyDeviceToHost));
        require(cudaMemset(P, 0xff, kElements * sizeof(float)));
        return host;
    }
    // The sum as the kernels take it: k ascending, one fused multiply-add each.
    float element(std::size_t row, std::size_t column) const {
        float sum = 0;
        for (std::size_t k = 0; k < kWidth; ++k)
            sum = std::fma(hostM[row * kWidth + k], hostN[k * kWidth + column], sum);
        return sum;
    }
};

// Against the CPU in places, within `tolerance`.
std::string mistakeInPlaces(const Matrices& matrices, const std::vector<float>& result, float tolerance) {
    std::mt19937 generator(3);
    for (int i = 0; i < 1000; ++i) {
        const std::size_t row = generator() % kWidth, column = generator() % kWidth;
        const float got = result[row * kWidth + column], want = matrices.element(row, column);
        if (!(std::abs(got - want) <= tolerance))
            return "P[" + std::to_string(row) + "][" + std::to_string(column) + "] is " +
                   std::to_string(got) + ", not " + std::to_string(want);
    }
    return {};
}

using Kernel = void (*)(const float*, const float*, float*, int);

}  // namespace

Ladder matmulLadder() {
    static const Matrices matrices;
    static std::vector<float> first;  // the first kernel's result: all must agree with it to the last bit
    cublasHandle_t library = nullptr;
    if (cublasCreate(&library) != CUBLAS_STATUS_SUCCESS) std::abort();

    // Column-major, as cuBLAS takes matrices: the transposes of N and M give the transpose of P.
    const auto cublas = [=](const char* name, cublasMath_t mode) {
        const auto launch = [=](int) {
            const float one = 1, zero = 0;
            cublasSetMathMode(library, mode);
            cublasSgemm(library, CUBLAS_OP_N, CUBLAS_OP_N, kWidth, kWidth, kWidth, &one, matrices.N, kWidth,
                        matrices.M, kWidth, &zero, matrices.P, kWidth);
        };
        return Rung{name, launch, [] { return mistakeInPlaces(matrices, matrices.takeP(), 1e-3f); }, true};
    };
    const auto mistake = []() -> std::string {
        std::vector<float> result = matrices.takeP();
        if (first.empty()) {
            first = std::move(result);
            return mistakeInPlaces(matrices, first, 0);
        }
        const bool same = std::memcmp(result.data(), first.data(), kElements * sizeof(float)) == 0;
        return same ? "" : "not what the first rung computes";
    };
    // A block computes part.x columns of part.y rows of P.
    const auto rung = [=](const char* name, Kernel kernel, dim3 part, dim3 block) {
        const dim3 grid((kWidth + part.x - 1) / part.x, (kWidth + part.y - 1) / part.y);
        const auto launch = [=](int) { kernel<<<grid, block>>>(matrices.M, matrices.N, matrices.P, kWidth); };
        return Rung{name, launch, mistake};
    };
    return {"matmul",
            "P = M x N, float32, width 4096",
            2.0 * kWidth * kWidth * kWidth,
            "TFLOP/s",
            1,
            {cublas("cuBLAS", CUBLAS_DEFAULT_MATH), cublas("cuBLAS, pedantic", CUBLAS_PEDANTIC_MATH),
             rung("naive-swapped", naive_swapped::mm_naive_swapped, {16, 16}, {16, 16}),
             rung("naive", naive::mm_naive, {16, 16}, {16, 16}),
             rung("tiled, T = 16", tiled::mm_tiled<16>, {16, 16}, {16, 16}),
             rung("tiled, T = 32", tiled::mm_tiled<32>, {32, 32}, {32, 32}),
             rung("tiled-bounds, T = 32", tiled_bounds::mm_tiled_bounds<32>, {32, 32}, {32, 32}),
             rung("register-1d", register_1d::mm_register_1d<64, 8>, {64, 64}, {64, 8}),
             rung("register-2d", register_2d::mm_register_2d<128, 8, 8>, {128, 128}, {16, 16}),
             rung("vector-loads", vector_loads::mm_vector_loads<128, 8, 8>, {128, 128}, {16, 16}),
             rung("padded", padded::mm_padded<128, 8, 8>, {128, 128}, {16, 16}),
             rung("double-buffered", double_buffered::mm_double_buffered<128, 8, 8>, {128, 128}, {16, 16}),
             rung("warp-tiled", warp_tiled::mm_warp_tiled, {128, 256}, {256})}};
}
