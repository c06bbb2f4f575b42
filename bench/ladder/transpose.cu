// out[column][row] = in[row][column], 8192 x 8192, float32, beside the device's own copy.
#include "ladder.h"

namespace copy {
#include "../../kernels/transpose/copy.cu"
}
namespace naive {
#include "../../kernels/transpose/naive.cu"
}
namespace naive_write {
#include "../../kernels/transpose/naive_write.cu"
}
namespace registers_4x4 {
#include "../../kernels/transpose/registers_4x4.cu"
}
namespace shared {
#include "../../kernels/transpose/shared.cu"
}
namespace shared_padded {
#include "../../kernels/transpose/shared_padded.cu"
}
namespace shared_swizzled {
#include "../../kernels/transpose/shared_swizzled.cu"
}
namespace registers_shared {
#include "../../kernels/transpose/registers_shared.cu"
}

namespace {

constexpr int kWidth = 8192;
constexpr std::size_t kElements = std::size_t(kWidth) * kWidth, kBytes = kElements * sizeof(float);

struct Matrices {
    std::vector<float> host = std::vector<float>(kElements);
    float *in = allocate<float>(kElements), *out = allocate<float>(kElements);

    Matrices() {
        for (std::size_t i = 0; i < kElements; ++i)
            host[i] = float(i % 16'777'213);  // a prime: no two rows begin alike
        require(cudaMemcpy(in, host.data(), kBytes, cudaMemcpyHostToDevice));
    }
    std::string mistake(bool transposed) const {
        std::vector<float> result(kElements);
        require(cudaMemcpy(result.data(), out, kBytes, cudaMemcpyDeviceToHost));
        require(cudaMemset(out, 0xff, kBytes));  // the next launch must write every element anew
        for (std::size_t row = 0; row < kWidth; ++row)
            for (std::size_t column = 0; column < kWidth; ++column)
                if (result[transposed ? column * kWidth + row : row * kWidth + column] !=
                    host[row * kWidth + column])
                    return "element [" + std::to_string(row) + "][" + std::to_string(column) +
                           "] of in is not where it belongs";
        return {};
    }
};

using Kernel = void (*)(const float*, float*, int, int);

}  // namespace

Ladder transposeLadder() {
    static const Matrices matrices;
    const auto copyMistake = [] { return matrices.mistake(false); };
    const auto mistake = [] { return matrices.mistake(true); };
    const auto run = [](Kernel kernel, dim3 grid, dim3 block) {
        return [=](int) { kernel<<<grid, block>>>(matrices.in, matrices.out, kWidth, kWidth); };
    };
    constexpr unsigned k8 = kWidth / 8, k32 = kWidth / 32, k64 = kWidth / 64, k128 = kWidth / 128;
    return {
        "transpose",
        "8192 x 8192 float32",
        2.0 * kBytes,
        "GB/s",
        4,
        {{"cudaMemcpy",
          [](int) { cudaMemcpyAsync(matrices.out, matrices.in, kBytes, cudaMemcpyDeviceToDevice); },
          copyMistake, true},
         {"copy", run(copy::transpose_copy, {unsigned(kElements / 4 / 256)}, {256}), copyMistake, true},
         {"naive", run(naive::transpose_naive, {k32, k8}, {32, 8}), mistake},
         {"naive-write", run(naive_write::transpose_naive_write, {k32, k8}, {32, 8}), mistake},
         {"registers-4x4", run(registers_4x4::transpose_registers_4x4, {k128, k32}, {32, 8}), mistake},
         {"shared", run(shared::transpose_shared, {k32, k32}, {32, 8}), mistake},
         {"shared-padded", run(shared_padded::transpose_shared_padded, {k32, k32}, {32, 8}), mistake},
         {"shared-swizzled", run(shared_swizzled::transpose_shared_swizzled, {k32, k32}, {32, 8}), mistake},
         {"registers-shared", run(registers_shared::transpose_registers_shared, {k64, k64}, {16, 16}),
          mistake}}};
}
