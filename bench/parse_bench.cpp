// Speed of the PTX parser: the catalog's texts, a hundred small ones, and one text of a megabyte.
#include "base/check.h"
#include "ptx/module.h"
#include "subjects.h"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace lockstep::bench {
namespace {

std::vector<std::string> catalogueTexts() {
    std::vector<std::string> texts;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(LOCKSTEP_SOURCE_DIR "/assets/ptx"))
        if (entry.path().extension() == ".ptx") {
            std::ifstream file(entry.path(), std::ios::binary);
            texts.emplace_back(std::istreambuf_iterator(file), std::istreambuf_iterator<char>());
        }
    return texts;
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
        text.replace(at, what.size(), by);
    return text;
}

// The tiled multiply again and again, each time under another name, between one header and one line table.
std::string textOfAtLeast(std::size_t bytes) {
    const run::Experiment tiled = matmul("matmul/tiled", 16);
    const std::string text(tiled.module->text()), name = tiled.launches[0].entry;
    const std::size_t begin = text.find(".weak .entry"), end = text.find("\n}\n", begin) + 3;
    CHECK(begin < end && end <= text.size(), "the text holds one entry");

    const std::string kernel = text.substr(begin, end - begin);
    std::string repeated = text.substr(0, begin);
    for (int copy = 0; repeated.size() < bytes; ++copy)
        repeated += replaced(kernel, name, "copy" + std::to_string(copy));
    return repeated + text.substr(end);
}

void parseAll(benchmark::State& state, const std::vector<std::string>& texts) {
    s64 bytes = 0;
    for (const std::string& text : texts)
        bytes += s64(text.size());
    for (auto _ : state)
        for (const std::string& text : texts) {
            const auto module = ptx::parse(text, "bench.ptx");
            CHECK(module, "the catalog's PTX is well-formed");
            benchmark::DoNotOptimize(module->instructions.data());
        }
    state.SetBytesProcessed(state.iterations() * bytes);
    state.counters["per_MB"] = benchmark::Counter(
        f64(bytes) / 1e6, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void parseCatalogue(benchmark::State& state) { parseAll(state, catalogueTexts()); }
BENCHMARK(parseCatalogue)->Name("parse/catalogue")->Unit(benchmark::kMillisecond)->Apply(withFastest);

void parseLongText(benchmark::State& state) { parseAll(state, {textOfAtLeast(1'000'000)}); }
BENCHMARK(parseLongText)->Name("parse/one text of 1 MB")->Unit(benchmark::kMillisecond)->Apply(withFastest);

}  // namespace
}  // namespace lockstep::bench
