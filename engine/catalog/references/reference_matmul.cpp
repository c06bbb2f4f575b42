#include "catalog/references/reference_matmul.h"

#include <algorithm>
#include <cmath>
#include <thread>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define LOCKSTEP_HAS_AVX2_PANEL 1
#endif

namespace lockstep::catalog {
namespace {

constexpr u64 kRows = 4, kColumns = 16;  // one panel of P: its sums stay in registers, 8 of AVX2's 16
using Panel = f32[kRows][kColumns];

// Four rows of M times sixteen columns of N, the latter packed: row k of them begins at N + k * kColumns.
using MultiplyPanel = void (*)(const f32* const (&M)[kRows], const f32* N, u64 inner, Panel& P);

void multiplyPanel(const f32* const (&M)[kRows], const f32* N, u64 inner, Panel& P) {
    for (auto& row : P)
        std::fill(std::begin(row), std::end(row), 0.0f);
    for (u64 k = 0; k < inner; ++k)
        for (u64 r = 0; r < kRows; ++r)
            for (u64 c = 0; c < kColumns; ++c)
                P[r][c] = std::fma(M[r][k], N[k * kColumns + c], P[r][c]);
}

#if LOCKSTEP_HAS_AVX2_PANEL
// The same with the CPU's fused multiply-adds, where the other calls the library for each.
__attribute__((target("avx2,fma"))) void multiplyPanelAvx2(const f32* const (&M)[kRows], const f32* N,
                                                           u64 inner, Panel& P) {
    __m256 sums[kRows][2];
    for (auto& row : sums)
        row[0] = row[1] = _mm256_setzero_ps();
    for (u64 k = 0; k < inner; ++k) {
        const __m256 left = _mm256_loadu_ps(N + k * kColumns), right = _mm256_loadu_ps(N + k * kColumns + 8);
        for (u64 r = 0; r < kRows; ++r) {
            const __m256 factor = _mm256_broadcast_ss(M[r] + k);
            sums[r][0] = _mm256_fmadd_ps(factor, left, sums[r][0]);
            sums[r][1] = _mm256_fmadd_ps(factor, right, sums[r][1]);
        }
    }
    for (u64 r = 0; r < kRows; ++r) {
        _mm256_storeu_ps(P[r], sums[r][0]);
        _mm256_storeu_ps(P[r] + 8, sums[r][1]);
    }
}
#endif

MultiplyPanel fastestPanel() {
#if LOCKSTEP_HAS_AVX2_PANEL
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return multiplyPanelAvx2;
#endif
    return multiplyPanel;
}

// Columns [first, first + kColumns) of P, clipped to P. `packed` has space for inner x kColumns. False if
// canceled.
bool multiplyColumns(const f32* M, const f32* N, f32* P, u64 rows, u64 inner, u64 columns, u64 first,
                     std::vector<f32>& packed, const std::atomic<bool>* cancelled) {
    static const MultiplyPanel multiplyPanelHere = fastestPanel();
    const u64 width = std::min(kColumns, columns - first);
    for (u64 k = 0; k < inner; ++k)
        std::copy_n(N + k * columns + first, width, packed.data() + k * kColumns);

    for (u64 row = 0; row < rows; row += kRows) {
        if (cancelled && *cancelled) return false;
        const u64 height = std::min(kRows, rows - row);
        const f32* factors[kRows];
        for (u64 r = 0; r < kRows; ++r)
            factors[r] = M + (row + std::min(r, height - 1)) * inner;  // rows beyond the end repeat the last
        Panel sums;
        multiplyPanelHere(factors, packed.data(), inner, sums);
        for (u64 r = 0; r < height; ++r)
            std::copy_n(sums[r], width, P + (row + r) * columns + first);
    }
    return true;
}

struct Extents {
    u64 rows, inner, columns;
};

Extents extentsOf(std::span<const Buffer> buffers) {
    const Buffer &M = buffers[indexOf(buffers, "M")], &N = buffers[indexOf(buffers, "N")];
    return {M.shape[0], M.shape[1], N.shape[1]};
}

Message check(const Experiment& experiment) {
    const std::span<const Buffer> buffers = experiment.buffers;
    const Buffer &N = buffers[indexOf(buffers, "N")], &P = buffers[indexOf(buffers, "P")];
    const Extents is = extentsOf(buffers);
    if (N.shape[0] == is.inner && P.shape[0] == is.rows && P.shape[1] == is.columns) return {};
    return Message(
        english("M is {0} x {1}, N is {2} x {3} and P is {4} x {5}: P = M x N needs j x k, k x l and j x l"),
        is.rows, is.inner, N.shape[0], is.columns, P.shape[0], P.shape[1]);
}

std::map<u32, Buffer> compute(const Experiment& experiment, const std::atomic<bool>* cancelled) {
    const std::span<const Buffer> buffers = experiment.buffers;
    const u32 output = indexOf(buffers, "P");
    const Extents is = extentsOf(buffers);
    Buffer P = buffers[output];
    const bool finished = multiply(buffers[indexOf(buffers, "M")].as<f32>().data(),
                                   buffers[indexOf(buffers, "N")].as<f32>().data(), P.as<f32>().data(),
                                   is.rows, is.inner, is.columns, cancelled);
    std::map<u32, Buffer> result;
    if (finished) result.emplace(output, std::move(P));
    return result;
}

bool computeAsTaught(const Experiment& experiment, Buffer& P, const std::atomic<bool>* cancelled) {
    const std::span<const Buffer> buffers = experiment.buffers;
    const Extents is = extentsOf(buffers);
    multiplyAsTaught(buffers[indexOf(buffers, "M")].as<f32>().data(),
                     buffers[indexOf(buffers, "N")].as<f32>().data(), P.as<f32>().data(), is.rows, is.inner,
                     is.columns, cancelled);
    return !cancelled || !*cancelled;
}

}  // namespace

bool multiply(const f32* M, const f32* N, f32* P, u64 rows, u64 inner, u64 columns,
              const std::atomic<bool>* cancelled) {
    const u64 panels = (columns + kColumns - 1) / kColumns;
    std::atomic<u64> next{0};
    std::atomic<bool> stopped{false};
    const auto work = [&] {
        std::vector<f32> packed(inner * kColumns);
        for (u64 panel = next++; panel < panels && !stopped; panel = next++)
            if (!multiplyColumns(M, N, P, rows, inner, columns, panel * kColumns, packed, cancelled))
                stopped = true;
    };
    const u64 threads = std::min<u64>(panels, std::max(1u, std::thread::hardware_concurrency()));
    std::vector<std::jthread> helpers;
    for (u64 i = 1; i < threads; ++i)
        helpers.emplace_back(work);
    work();
    helpers.clear();
    return !stopped;
}

Reference matmulReference() {
    return {.name = "matmul",
            .buffers = {{"M", ElementType::F32, 2, {"j", "k"}},
                        {"N", ElementType::F32, 2, {"k", "l"}},
                        {"P", ElementType::F32, 2, {"j", "l"}}},
            .square = "width",
            .words = {"matmul", "matrixmul", "matrix_mul", "gemm", "mm"},
            .check = check,
            .compute = compute,
            .asTaught = computeAsTaught};
}

}  // namespace lockstep::catalog
