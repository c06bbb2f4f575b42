// Measures every rung of the ladders beside the library's own, checks every result, prints tables, and writes
// them as JSON.
#include "ladder.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

struct Row {
    double rate;         // in the ladder's unit
    double ofReference;  // of the first reference
    double gain;         // over the rung below; 0 where there is none
};

std::vector<Row> rowsOf(const Ladder& ladder, const std::vector<Timing>& timings) {
    const double scale = ladder.unit == "TFLOP/s" ? 1e9 : 1e6;  // per millisecond
    std::vector<Row> rows;
    double below = 0;
    for (std::size_t i = 0; i < timings.size(); ++i) {
        const double median = timings[i].median;
        const bool hasBelow = below > 0 && !ladder.rungs[i].isReference;
        rows.push_back(
            {ladder.work / median / scale, timings[0].median / median, hasBelow ? below / median : 0});
        if (!ladder.rungs[i].isReference) below = median;
    }
    return rows;
}

void print(const Ladder& ladder, const std::vector<Timing>& timings) {
    std::printf("\n%s: %s\n", ladder.name.c_str(), ladder.what.c_str());
    std::printf("%-26s %11s   %21s %9s %11s %7s\n", "", "median ms", "quartiles", ladder.unit.c_str(),
                "% of first", "gain");
    const std::vector<Row> rows = rowsOf(ladder, timings);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto [low, median, high] = timings[i];
        std::printf("%-26s %11.4f   %10.4f %10.4f %9.1f %9.1f %%", ladder.rungs[i].name.c_str(), median, low,
                    high, rows[i].rate, 100 * rows[i].ofReference);
        if (rows[i].gain > 0) std::printf(" %6.2fx", rows[i].gain);
        std::printf("\n");
    }
    std::fflush(stdout);
}

void writeJson(std::FILE* file, const Ladder& ladder, const std::vector<Timing>& timings, bool isLast) {
    std::fprintf(file,
                 "  {\"ladder\": \"%s\", \"what\": \"%s\", \"unit\": \"%s\", \"launches_per_sample\": %d, "
                 "\"rungs\": [\n",
                 ladder.name.c_str(), ladder.what.c_str(), ladder.unit.c_str(), ladder.batch);
    const std::vector<Row> rows = rowsOf(ladder, timings);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto [low, median, high] = timings[i];
        std::fprintf(file,
                     "    {\"rung\": \"%s\", \"reference\": %s, \"median_ms\": %.6g, \"quartiles_ms\": "
                     "[%.6g, %.6g], \"rate\": %.6g, \"of_first\": %.4f",
                     ladder.rungs[i].name.c_str(), ladder.rungs[i].isReference ? "true" : "false", median,
                     low, high, rows[i].rate, rows[i].ofReference);
        if (rows[i].gain > 0) std::fprintf(file, ", \"gain\": %.4f", rows[i].gain);
        std::fprintf(file, "}%s\n", i + 1 < rows.size() ? "," : "");
    }
    std::fprintf(file, "  ]}%s\n", isLast ? "" : ",");
}

struct Choice {
    const char* name;
    Ladder (*make)();
};
constexpr Choice kLadders[] = {
    {"matmul", matmulLadder},
    {"transpose", transposeLadder},
    {"reduction-22", [] { return reductionLadder(22); }},
    {"reduction-26", [] { return reductionLadder(26); }},
    {"reduction-28", [] { return reductionLadder(28); }},
};

[[noreturn]] void usage(std::FILE* file, int status) {
    std::fprintf(file,
                 "usage: ladder [--rounds N] [--json FILE] [LADDER...]\nladders (all if none is named):");
    for (const Choice& choice : kLadders)
        std::fprintf(file, " %s", choice.name);
    std::fprintf(file, "\n");
    std::exit(status);
}

}  // namespace

int main(int count, char** arguments) {
    int rounds = 25;
    const char* json = nullptr;
    std::vector<Choice> chosen;
    for (int i = 1; i < count; ++i) {
        const std::string argument = arguments[i];
        if (argument == "--help") usage(stdout, 0);
        if (argument == "--rounds" && i + 1 < count) {
            rounds = std::atoi(arguments[++i]);
            if (rounds < 1) usage(stderr, 2);
        } else if (argument == "--json" && i + 1 < count) {
            json = arguments[++i];
        } else {
            const std::size_t before = chosen.size();
            for (const Choice& choice : kLadders)
                if (argument == choice.name) chosen.push_back(choice);
            if (chosen.size() == before) usage(stderr, 2);
        }
    }
    if (chosen.empty()) chosen.assign(std::begin(kLadders), std::end(kLadders));

    std::FILE* const file = json ? std::fopen(json, "w") : nullptr;
    if (json && !file) {
        std::fprintf(stderr, "ladder: %s cannot be written\n", json);
        return 1;
    }
    cudaDeviceProp device;
    require(cudaGetDeviceProperties(&device, 0));
    int driver = 0, runtime = 0;
    require(cudaDriverGetVersion(&driver));
    require(cudaRuntimeGetVersion(&runtime));
    std::printf("%s, cc %d.%d, %d multiprocessors, L2 %d MiB, CUDA %d.%d, driver's CUDA %d.%d; %d rounds\n",
                device.name, device.major, device.minor, device.multiProcessorCount, device.l2CacheSize >> 20,
                runtime / 1000, runtime % 100 / 10, driver / 1000, driver % 100 / 10, rounds);
    if (file)
        std::fprintf(file,
                     "{\"device\": \"%s\", \"l2_bytes\": %d, \"cuda\": %d, \"rounds\": %d, \"ladders\": [\n",
                     device.name, device.l2CacheSize, runtime, rounds);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const Ladder ladder = chosen[i].make();
        const std::vector<Timing> timings = measure(ladder, rounds);
        print(ladder, timings);
        if (file) writeJson(file, ladder, timings, i + 1 == chosen.size());
    }
    if (file) {
        std::fprintf(file, "]}\n");
        if (std::fclose(file) != 0) {
            std::fprintf(stderr, "ladder: %s cannot be written\n", json);
            return 1;
        }
    }
}
