#include "ladder.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

void require(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "ladder: %s\n", cudaGetErrorString(error));
    std::exit(1);
}

namespace {

void checkResults(const Ladder& ladder) {
    for (const Rung& rung : ladder.rungs) {
        rung.launch(0);
        require(cudaGetLastError());
        require(cudaDeviceSynchronize());
        const std::string mistake = rung.mistake();
        if (mistake.empty()) continue;
        std::fprintf(stderr, "ladder: %s/%s is wrong: %s\n", ladder.name.c_str(), rung.name.c_str(),
                     mistake.c_str());
        std::exit(1);
    }
}

double millisecondsPerLaunch(const Rung& rung, int batch, cudaEvent_t begin, cudaEvent_t end) {
    rung.launch(0);  // what ran before belongs to another rung
    require(cudaEventRecord(begin));
    for (int i = 1; i <= batch; ++i)
        rung.launch(i);
    require(cudaEventRecord(end));
    require(cudaEventSynchronize(end));
    float milliseconds = 0;
    require(cudaEventElapsedTime(&milliseconds, begin, end));
    return milliseconds / batch;
}

Timing timingOf(std::vector<double> times) {
    std::sort(times.begin(), times.end());
    const auto at = [&](double part) { return times[std::size_t(part * double(times.size() - 1) + 0.5)]; };
    return {at(0.25), at(0.5), at(0.75)};
}

}  // namespace

std::vector<Timing> measure(const Ladder& ladder, int rounds) {
    checkResults(ladder);
    cudaEvent_t begin, end;
    require(cudaEventCreate(&begin));
    require(cudaEventCreate(&end));
    std::vector<std::vector<double>> times(ladder.rungs.size());
    constexpr int kWarmUp = 2;
    for (int round = 0; round < kWarmUp + rounds; ++round)
        for (std::size_t i = 0; i < ladder.rungs.size(); ++i) {
            const double time = millisecondsPerLaunch(ladder.rungs[i], ladder.batch, begin, end);
            if (round >= kWarmUp) times[i].push_back(time);
        }
    require(cudaGetLastError());
    std::vector<Timing> timings;
    for (std::vector<double>& rung : times)
        timings.push_back(timingOf(std::move(rung)));
    return timings;
}
