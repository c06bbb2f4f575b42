#include "speed/host_loops.h"

#include <algorithm>
#include <chrono>
#include <vector>

namespace lockstep::bench {
namespace {

u32 scramble(u32 x) {
    x ^= x >> 16, x *= 0x7feb352du, x ^= x >> 15, x *= 0x846ca68bu;
    return x ^ x >> 16;
}

// What the loop leaves is read once, so that it is not optimized away.
template <class T> void use(const std::vector<T>& results) {
    [[maybe_unused]] static volatile T sink;
    sink = results[results.size() / 2];
}

template <class Prepare, class Loop> f64 fastest(Prepare prepare, Loop loop) {
    using Clock = std::chrono::steady_clock;
    f64 least = 1e9;
    for (int run = 0; run < 3; ++run) {
        prepare();
        const auto begun = Clock::now();
        loop();
        least = std::min(least, std::chrono::duration<f64>(Clock::now() - begun).count());
    }
    return least;
}

std::vector<u32> randomWords(u32 n) {
    std::vector<u32> words(n);
    for (u32 i = 0; i < n; ++i)
        words[i] = scramble(i ^ 0x5bd1e995u);
    return words;
}

// out[i] = of(i)
template <class T, class Of> f64 each(u32 n, Of of) {
    std::vector<T> out(n);
    const f64 seconds = fastest([] {},
                                [&] {
                                    for (u32 i = 0; i < n; ++i)
                                        out[i] = of(i);
                                });
    use(out);
    return seconds;
}

}  // namespace

f64 hostSaxpy(u32 n) {
    const std::vector<f32> x(n, 1.5f);
    std::vector<f32> y(n, 2.0f);
    const f64 seconds = fastest([] {},
                                [&] {
                                    for (u32 i = 0; i < n; ++i)
                                        y[i] = 2.5f * x[i] + y[i];
                                });
    use(y);
    return seconds;
}

f64 hostGather(u32 n) {
    const std::vector<f32> in(n, 1.5f);
    return each<f32>(n, [&](u32 i) { return in[scramble(i) % n]; });
}

f64 hostGatherByIndex(u32 n) {
    const std::vector<f32> in(n, 1.5f);
    const std::vector<u32> index = randomWords(n);
    return each<f32>(n, [&](u32 i) { return in[index[i] % n]; });
}

f64 hostStride33(u32 n) {
    const std::vector<f32> in(n, 1.5f);
    return each<f32>(n, [&](u32 i) { return in[i * u64{33} % n]; });
}

f64 hostScatter(u32 n) {
    const std::vector<f32> in(n, 1.5f);
    std::vector<f32> out(n);
    const f64 seconds = fastest([] {},
                                [&] {
                                    for (u32 i = 0; i < n; ++i)
                                        out[(33u * (i ^ i >> 7) + 7) % n] = in[i];
                                });
    use(out);
    return seconds;
}

f64 hostPointerChase(u32 n) {
    const std::vector<u32> next = randomWords(n);
    return each<u32>(n, [&](u32 i) {
        u32 at = i;
        for (int k = 0; k < 8; ++k)
            at = next[at % n];
        return at;
    });
}

f64 hostSparseRows(u32 n) {
    const std::vector<f32> x(n, 1.5f);
    return each<f32>(n, [&](u32 row) {
        f32 sum = 0;
        for (u32 k = 0; k < row % 12; ++k)
            sum += x[scramble(row * 12 + k) % n];
        return sum;
    });
}

f64 hostHistogram(u32 n) {
    std::vector<u32> bins(256);
    const f64 seconds = fastest([] {},
                                [&] {
                                    for (u32 i = 0; i < n; ++i)
                                        ++bins[scramble(i) & 255];
                                });
    use(bins);
    return seconds;
}

f64 hostHashInsert(u32 n) {
    std::vector<u32> table;
    const f64 seconds =
        fastest([&] { table.assign(2 * std::size_t{n}, 0); },
                [&] {
                    for (u32 i = 0; i < n; ++i) {
                        const u32 key = i | 1;
                        u32 slot = scramble(key) % (2 * n);
                        for (int tries = 0; tries < 64; ++tries, slot = (slot + 1) % (2 * n)) {
                            const u32 before = table[slot];
                            if (before == 0) table[slot] = key;
                            if (before == 0 || before == key) break;
                        }
                    }
                });
    use(table);
    return seconds;
}

f64 hostBitonicStep(u32 n) {
    constexpr u32 kDistance = 64, kWidth = 1024;
    std::vector<u32> keys;
    const f64 seconds = fastest([&] { keys = randomWords(n); },
                                [&] {
                                    for (u32 i = 0; i < n; ++i) {
                                        const u32 other = i ^ kDistance;
                                        if (other <= i || other >= n) continue;
                                        if ((keys[i] > keys[other]) == ((i & kWidth) == 0))
                                            std::swap(keys[i], keys[other]);
                                    }
                                });
    use(keys);
    return seconds;
}

f64 hostFrontier(u32 n) {
    const std::vector<u32> edges = randomWords(n), active = randomWords(n);
    std::vector<u32> visits(n);
    const f64 seconds = fastest([] {},
                                [&] {
                                    for (u32 node = 0; node < n; ++node) {
                                        if (!(active[node] & 1)) continue;
                                        for (u32 edge = 0; edge < 4; ++edge)
                                            ++visits[edges[(4 * u64{node} + edge) % n] % n];
                                    }
                                });
    use(visits);
    return seconds;
}

}  // namespace lockstep::bench
