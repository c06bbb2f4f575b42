#include "catalog/cpu/plain_loops.h"

#include <algorithm>
#include <cstring>

namespace lockstep::catalog {
namespace {

using Flag = const std::atomic<bool>*;

bool always(const Experiment&) { return true; }

bool isCancelled(Flag cancelled) { return cancelled && *cancelled; }

const Buffer& bufferOf(const Experiment& experiment, std::string_view name) {
    return experiment.buffers[indexOf(experiment.buffers, name)];
}

s64 valueOf(const Experiment& experiment, std::string_view parameter) {
    const auto found = experiment.values.find(parameter);
    return found == experiment.values.end() ? 1 : found->second;
}

// Inputs for an element of a result: the parameters, looked up before the loop, and the buffers.
template <class T> struct Scope {
    s64 n, block, offset, stride, steps, working, width, pitch;
    const T* in;
    const T* out;  // as it was before
};

template <class T> Scope<T> scopeOf(const Experiment& experiment) {
    const auto value = [&](std::string_view name) { return std::max<s64>(1, valueOf(experiment, name)); };
    return {
        .n = s64(bufferOf(experiment, "out").count()),
        .block = value("block"),
        .offset = valueOf(experiment, "offset"),
        .stride = value("stride"),
        .steps = value("steps"),
        .working = value("working"),
        .width = value("width"),
        .pitch = (4 * value("width") + value("alignment") - 1) / value("alignment") * value("alignment") / 4,
        .in = bufferOf(experiment, "in").as<T>().data(),
        .out = bufferOf(experiment, "out").as<T>().data()};
}

// cpu loop forEach
// One pass over the elements of `out`.
template <class T, auto element> bool forEach(const Experiment& experiment, Buffer& result, Flag cancelled) {
    constexpr s64 kPiece = 65536;
    const Scope<T> scope = scopeOf<T>(experiment);
    T* const to = result.as<T>().data();
#pragma omp parallel for
    for (s64 first = 0; first < scope.n; first += kPiece) {
        if (isCancelled(cancelled)) continue;
        for (s64 i = first; i < std::min(scope.n, first + kPiece); ++i)
            to[i] = element(scope, i);
    }
    return !isCancelled(cancelled);
}
// end of cpu loop

// Whether `in` has at least `needed` elements.
template <class T, auto needed> bool hasInputs(const Experiment& experiment) {
    const Scope<T> scope = scopeOf<T>(experiment);
    return scope.n > 0 && s64(bufferOf(experiment, "in").count()) >= needed(scope);
}

using Reals = Scope<f32>;
using Wholes = Scope<s32>;

const std::vector<ReferenceBuffer> kReals{{"in", ElementType::F32, 1}, {"out", ElementType::F32, 1}};
const std::vector<ReferenceBuffer> kWholes{{"in", ElementType::I32, 1}, {"out", ElementType::I32, 1}};
const std::vector<ReferenceBuffer> kMatrices{{"in", ElementType::F32, 2}, {"out", ElementType::F32, 2}};

constexpr auto kAsMany = hasInputs<f32, [](const Reals& s) { return s.n; }>;
constexpr auto kThreeEach = hasInputs<f32, [](const Reals& s) { return 3 * s.n; }>;

s32 sumFrom(const Wholes& scope, s64 i, s64 steps) {
    s32 sum = 0;
    for (s64 k = 0; k < steps; ++k)
        sum += scope.in[i + k];
    return sum;
}

constexpr auto kSteps = hasInputs<s32, [](const Wholes& s) { return s.n + s.steps - 1; }>;
constexpr auto kTrips = hasInputs<s32, [](const Wholes& s) { return s.n + 31; }>;

bool areTransposed(const Experiment& experiment) {
    const std::vector<u64>&in = bufferOf(experiment, "in").shape, &out = bufferOf(experiment, "out").shape;
    return in[0] == out[1] && in[1] == out[0];
}

// cpu loop transpose
bool transpose(const Experiment& experiment, Buffer& result, Flag cancelled) {
    const Buffer& matrix = bufferOf(experiment, "in");
    const s64 rows = s64(matrix.shape[0]), columns = s64(matrix.shape[1]);
    const f32* const in = matrix.as<f32>().data();
    f32* const out = result.as<f32>().data();
#pragma omp parallel for
    for (s64 row = 0; row < rows; ++row) {
        if (isCancelled(cancelled)) continue;
        for (s64 column = 0; column < columns; ++column)
            out[column * rows + row] = in[row * columns + column];
    }
    return !isCancelled(cancelled);
}
// end of cpu loop

// cpu loop sum
bool sum(const Experiment& experiment, Buffer& result, Flag cancelled) {
    const std::span<const s32> in = bufferOf(experiment, "in").as<s32>();
    u32 total = 0;  // overflow wraps, as on the GPU
#pragma omp parallel for reduction(+ : total)
    for (s64 i = 0; i < s64(in.size()); ++i)
        total += u32(in[u64(i)]);
    result.as<s32>()[0] = s32(total);
    return !isCancelled(cancelled);
}
// end of cpu loop

bool hasIndices(const Experiment& experiment) {
    const std::span<const s32> index = bufferOf(experiment, "index").as<s32>();
    const u64 count = bufferOf(experiment, "in").count();
    return index.size() == bufferOf(experiment, "out").count() &&
           std::ranges::all_of(index, [&](s32 i) { return i >= 0 && u64(i) < count; });
}

// cpu loop gather
bool gather(const Experiment& experiment, Buffer& result, Flag cancelled) {
    const f32* const in = bufferOf(experiment, "in").as<f32>().data();
    const s32* const index = bufferOf(experiment, "index").as<s32>().data();
    f32* const out = result.as<f32>().data();
#pragma omp parallel for
    for (s64 i = 0; i < s64(result.count()); ++i)
        out[i] = in[index[i]];
    return !isCancelled(cancelled);
}
// end of cpu loop

bool areNarrow(const Experiment& experiment) {
    return bufferOf(experiment, "narrow_in").bytes.size() == bufferOf(experiment, "narrow_out").bytes.size();
}

// cpu loop copyBytes
bool copyBytes(const Experiment& experiment, Buffer& result, Flag cancelled) {
    constexpr s64 kPiece = 262144;
    const std::span<const std::byte> in = bufferOf(experiment, "narrow_in").bytes;
#pragma omp parallel for
    for (s64 first = 0; first < s64(in.size()); first += kPiece)
        if (!isCancelled(cancelled))
            std::memcpy(result.bytes.data() + first, in.data() + first,
                        u64(std::min(kPiece, s64(in.size()) - first)));
    return !isCancelled(cancelled);
}
// end of cpu loop

// cpu loop storeWords
// The first `words` of the eight words of every sector.
template <s64 words> bool storeWords(const Experiment&, Buffer& result, Flag cancelled) {
    f32* const out = result.as<f32>().data();
    const s64 count = s64(result.count());
#pragma omp parallel for
    for (s64 sector = 0; sector < count; sector += 8)
        for (s64 i = sector; i < std::min(count, sector + words); ++i)
            out[i] = f32(i);
    return !isCancelled(cancelled);
}
// end of cpu loop

bool hasBins(const Experiment& experiment) {
    const s64 kinds = valueOf(experiment, "kinds");
    return kinds > 0 && u64(kinds) <= bufferOf(experiment, "bins").count() &&
           bufferOf(experiment, "weights").count() == bufferOf(experiment, "values").count() &&
           std::ranges::all_of(bufferOf(experiment, "values").as<s32>(),
                               [](s32 value) { return value >= 0; });
}

// cpu loop weightedHistogram
// Each thread adds up for itself; then they add up what they have.
bool weightedHistogram(const Experiment& experiment, Buffer& result, Flag cancelled) {
    const std::span<const s32> values = bufferOf(experiment, "values").as<s32>(),
                               weights = bufferOf(experiment, "weights").as<s32>();
    const s32 kinds = s32(valueOf(experiment, "kinds"));
    const std::span<s32> bins = result.as<s32>();
    std::ranges::fill(bins, 0);
#pragma omp parallel
    {
        std::vector<s32> own(bins.size());
#pragma omp for
        for (s64 i = 0; i < s64(values.size()); ++i)
            own[u64(values[u64(i)] % kinds)] += weights[u64(i)];
#pragma omp critical
        for (std::size_t bin = 0; bin < own.size(); ++bin)
            bins[bin] += own[bin];
    }
    return !isCancelled(cancelled);
}
// end of cpu loop

}  // namespace

// Banks has loops only for its histograms: its other kernels move one tile of one block within shared memory.
// Rows are shown as written here: cpu_loop_source.h.
// clang-format off
std::span<const PlainLoop> plainLoops() {
    static const std::vector<PlainLoop> table{
        {"banks", {"histogram", "histogram-private", "histogram-padded", "histogram-interleaved"},
         {{"values", ElementType::I32, 1}, {"weights", ElementType::I32, 1}, {"bins", ElementType::I32, 1}},
         hasBins, "bins", weightedHistogram},
        {"coalescing", {"sequential", "words", "rows"}, kReals, kAsMany, "out",
         forEach<f32, [](const Reals& s, s64 i) { return s.in[i]; }>},
        {"coalescing", {"rows-pitched"}, kReals, kAsMany, "out",
         forEach<f32, [](const Reals& s, s64 i) { return i % s.pitch < s.width ? s.in[i] : s.out[i]; }>},
        {"coalescing", {"narrow-words"}, {{"narrow_in", {}, 1}, {"narrow_out", {}, 1}}, areNarrow, "narrow_out", copyBytes},
        {"coalescing", {"store-whole-sectors"}, {{"out", ElementType::F32, 1}}, always, "out", storeWords<8>},
        {"coalescing", {"store-part-sectors"}, {{"out", ElementType::F32, 1}}, always, "out", storeWords<4>},
        {"coalescing", {"inactive-lanes"}, kReals, kAsMany, "out",
         forEach<f32, [](const Reals& s, s64 i) { return i % 4 == 3 ? s.out[i] : s.in[i]; }>},
        {"coalescing", {"swapped-lanes"}, kReals, kAsMany, "out",
         forEach<f32, [](const Reals& s, s64 i) {
             return s.in[i % 16 == 3 ? std::min(i + 1, s.n - 1) : i % 16 == 4 ? i - 1 : i];
         }>},
        {"coalescing", {"offset"}, kReals, hasInputs<f32, [](const Reals& s) { return s.n + s.offset; }>, "out",
         forEach<f32, [](const Reals& s, s64 i) { return s.in[i + s.offset]; }>},
        {"coalescing", {"stride"}, kReals, hasInputs<f32, [](const Reals& s) { return (s.n - 1) * s.stride + 1; }>, "out",
         forEach<f32, [](const Reals& s, s64 i) { return s.in[i * s.stride]; }>},
        {"coalescing", {"array-of-structures"}, kReals, kThreeEach, "out",
         forEach<f32, [](const Reals& s, s64 i) { return s.in[3 * i] + s.in[3 * i + 1] + s.in[3 * i + 2]; }>},
        {"coalescing", {"structure-of-arrays"}, kReals, kThreeEach, "out",
         forEach<f32, [](const Reals& s, s64 i) { return s.in[i] + s.in[s.n + i] + s.in[2 * s.n + i]; }>},
        {"coalescing", {"scattered"},
         {{"in", ElementType::F32, 1}, {"index", ElementType::I32, 1}, {"out", ElementType::F32, 1}}, hasIndices, "out", gather},
        {"divergence", {"parity"}, kWholes, kSteps, "out",
         forEach<s32, [](const Wholes& s, s64 i) { return sumFrom(s, i, s.steps) * (i % s.block % 2 == 0 ? 1 : -1); }>},
        {"divergence", {"by-warp"}, kWholes, kSteps, "out",
         forEach<s32, [](const Wholes& s, s64 i) { return sumFrom(s, i, s.steps) * (i % s.block / 32 % 2 == 0 ? 1 : -1); }>},
        {"divergence", {"unequal"}, kWholes, kSteps, "out",
         forEach<s32, [](const Wholes& s, s64 i) { return i % s.block % 32 == 0 ? sumFrom(s, i, s.steps) : -s.in[i]; }>},
        {"divergence", {"switch-by-lane"}, kWholes, kSteps, "out",
         forEach<s32, [](const Wholes& s, s64 i) {
             const s32 more = sumFrom(s, i + 1, s.steps - 1);
             switch (i % s.block % 4) {
                 case 0: return s.in[i] + more;
                 case 1: return s.in[i] - more;
                 case 2: return s.in[i] + 2 * more;
                 default: return s.in[i] - 2 * more;
             }
         }>},
        {"divergence", {"trip-counts"}, kWholes, kTrips, "out",
         forEach<s32, [](const Wholes& s, s64 i) { return sumFrom(s, i, i % s.block % 32 + 1); }>},
        {"divergence", {"early-return"}, kWholes, kSteps, "out",
         forEach<s32, [](const Wholes& s, s64 i) {
             return i % s.block % 32 < s.working ? sumFrom(s, i, s.steps) : s.out[i];
         }>},
        {"reduction", {"v0", "v1", "v2", "v3", "v4", "v5", "v6", "v3-fold4", "v4-syncwarp", "v5-syncwarp", "v6-syncwarp", "shuffle",
                       "grid-stride", "single-pass"},
         {{"in", ElementType::I32, 1}}, always, "", sum},
        {"transpose", {"copy"}, kMatrices,
         hasInputs<f32, [](const Reals& s) { return s.n; }>, "out", forEach<f32, [](const Reals& s, s64 i) { return s.in[i]; }>},
        {"transpose", {"naive", "naive-write", "registers-4x4", "shared", "shared-padded", "shared-swizzled", "registers-shared"},
         kMatrices, areTransposed, "out", transpose},
    };
    return table;
}
// clang-format on

const PlainLoop* findPlainLoop(const Experiment& experiment) {
    const auto has = [&](const ReferenceBuffer& needed) {
        return std::ranges::any_of(experiment.buffers, [&](const Buffer& buffer) {
            return buffer.name == needed.name && (!needed.type || buffer.type == *needed.type) &&
                   buffer.shape.size() == needed.dimensions;
        });
    };
    const auto found = std::ranges::find_if(plainLoops(), [&](const PlainLoop& loop) {
        return loop.family == experiment.family->name &&
               std::ranges::find(loop.variants, experiment.variant->name) != loop.variants.end() &&
               std::ranges::all_of(loop.buffers, has) && loop.fits(experiment);
    });
    return found == plainLoops().end() ? nullptr : &*found;
}

Buffer resultOf(const PlainLoop& loop, const Experiment& experiment) {
    if (!loop.output.empty()) return bufferOf(experiment, loop.output);
    return {.name = "total",
            .type = ElementType::I32,
            .shape = {1},
            .bytes = std::vector<std::byte>(sizeof(s32))};
}

}  // namespace lockstep::catalog
