#include "measured_kernels.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

namespace lockstep {
namespace {

const std::filesystem::path kTruth = std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "tests/truth";

// A line of a .csv file; quoted fields may hold commas.
std::vector<std::string> fields(const std::string& line) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (char c : line) {
        if (c == '"') quoted = !quoted;
        else if (c == ',' && !quoted) fields.emplace_back();
        else if (c != '\r') fields.back() += c;
    }
    return fields;
}

// "860 (768..860)"
Measured measured(const std::string& text) {
    std::vector<f64> numbers;
    for (std::size_t at = 0; (at = text.find_first_of("0123456789", at)) != std::string::npos;) {
        const std::size_t end = std::min(text.find_first_not_of("0123456789", at), text.size());
        numbers.push_back(std::stod(text.substr(at, end - at)));
        at = end;
    }
    return {numbers.front(), numbers.size() == 3 ? numbers[1] : numbers[0], numbers.back()};
}

using Rows = std::vector<std::map<std::string, std::string>>;

Rows readTable(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::string line;
    std::getline(in, line);
    const std::vector<std::string> names = fields(line);
    Rows rows;
    while (std::getline(in, line)) {
        const std::vector<std::string> values = fields(line);
        auto& row = rows.emplace_back();
        for (std::size_t i = 0; i < std::min(names.size(), values.size()); ++i)
            if (!values[i].empty()) row[names[i]] = values[i];
    }
    return rows;
}

void readCounters(const std::map<std::string, std::string>& row, MeasuredKernel& kernel) {
    for (const auto& [name, text] : row)
        if (name.find("__") != std::string::npos) kernel.counters[name] = measured(text);
}

Dim3 extents(std::string text) {
    std::ranges::replace_if(text, [](char c) { return c < '0' || c > '9'; }, ' ');
    std::stringstream in(text);
    Dim3 d{1, 1, 1};
    in >> d.x;
    if (in >> d.y) in >> d.z;
    d.y = std::max(d.y, 1u);
    d.z = std::max(d.z, 1u);
    return d;
}

// Of the textbook kernels only their shape is in the table: arguments follow from the name.
std::vector<std::string> textbookArguments(const std::string& kernel, const std::map<std::string, u64>& numbers, u64 threads, u64 blocks) {
    const auto elements = [](const char* type, u64 count, const char* content) { return std::string(type) + "[" + std::to_string(count) + "]=" + content; };
    const auto number = [&](const char* name) { return numbers.contains(name) ? numbers.at(name) : 0; };
    const auto scalar = [&](const char* name) { return "i32:" + std::to_string(number(name)); };
    const u64 n = number("n"), m = number("m");
    if (kernel.starts_with("matmul")) return {elements("f32", n * n, "random"), elements("f32", n * n, "random"), elements("f32", n * n, "zero"), scalar("n")};
    if (kernel.starts_with("transpose")) return {elements("f32", n * m, "iota"), elements("f32", n * m, "zero"), scalar("m"), scalar("n")};
    if (kernel.starts_with("reduce")) return {elements("i32", threads * (kernel == "reduce4" ? 2 : 1), "iota"), elements("i32", blocks, "zero")};
    const char* step = numbers.contains("offset") ? "offset" : "stride";
    const u64 reach = number("offset") + (threads - 1) * std::max<u64>(number("stride"), 1) + 1;
    return {elements("f32", reach, "iota"), elements("f32", reach, "zero"), scalar(step)};
}

MeasuredKernel textbookKernel(const std::map<std::string, std::string>& row) {
    constexpr std::array<std::array<const char*, 2>, 5> kEntries{{{"matmul_tiled16", "_Z12matmul_tiledILi16EEvPKfS1_Pfi"},
                                                                 {"matmul_tiled_bounds16", "_Z19matmul_tiled_boundsILi16EEvPKfS1_Pfi"},
                                                                 {"transpose_shared", "_Z16transpose_sharedILi0EEvPKfPfii"},
                                                                 {"transpose_shared_padded", "_Z16transpose_sharedILi1EEvPKfPfii"},
                                                                 {"", ""}}};
    std::stringstream words(row.at("case"));
    std::string name, setting;
    words >> name;
    std::map<std::string, u64> numbers;
    while (words >> setting) numbers[setting.substr(0, setting.find('='))] = std::stoull(setting.substr(setting.find('=') + 1));
    MeasuredKernel kernel{.name = row.at("case"), .request = {}, .counters = {}};
    kernel.request.file = kTruth / "kernels.ptx";
    kernel.request.entry = name;
    for (const auto& [plain, mangled] : kEntries)
        if (name == plain) kernel.request.entry = mangled;
    kernel.request.grid = extents(row.at("grid"));
    kernel.request.block = extents(row.at("block"));
    const u64 blocks = kernel.request.grid.count(), threads = kernel.request.block.count();
    if (name.starts_with("reduce")) kernel.request.dynamicSharedBytes = u32(4 * threads);
    kernel.request.arguments = textbookArguments(name, numbers, blocks * threads, blocks);
    readCounters(row, kernel);
    return kernel;
}

// A paragraph of own/cases.txt: what stands behind each key.
using Paragraph = std::multimap<std::string, std::string>;

std::map<std::string, Paragraph> ownCases() {
    std::ifstream in(kTruth / "own/cases.txt");
    std::map<std::string, Paragraph> cases;
    std::string id;
    for (std::string line; std::getline(in, line);) {
        const std::size_t space = std::min(line.find(' '), line.size());
        const std::string key = line.substr(0, space), rest = space < line.size() ? line.substr(space + 1) : "";
        if (key == "case") id = rest;
        if (!id.empty() && !key.empty()) cases[id].emplace(key, rest);
    }
    return cases;
}

}  // namespace

std::vector<MeasuredKernel> measuredKernels() {
    std::vector<MeasuredKernel> kernels;
    for (const auto& row : readTable(kTruth / "ncu_h200.csv")) kernels.push_back(textbookKernel(row));
    const std::map<std::string, Paragraph> cases = ownCases();
    for (const auto& row : readTable(kTruth / "own/counters.csv")) {
        const Paragraph& own = cases.at(row.at("id"));
        MeasuredKernel& kernel = kernels.emplace_back(MeasuredKernel{.name = row.at("id"), .request = {}, .counters = {}});
        kernel.request.file = kTruth / "own" / own.find("ptx")->second;
        kernel.request.entry = own.find("entry")->second;
        kernel.request.grid = extents(own.find("grid")->second);
        kernel.request.block = extents(own.find("block")->second);
        if (own.contains("shared")) kernel.request.dynamicSharedBytes = u32(std::stoul(own.find("shared")->second));
        for (auto [argument, end] = own.equal_range("argument"); argument != end; ++argument) kernel.request.arguments.push_back(argument->second);
        readCounters(row, kernel);
    }
    return kernels;
}

}  // namespace lockstep
