#include "measured_kernels.h"

#include <algorithm>
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
        if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            fields.emplace_back();
        else if (c != '\r')
            fields.back() += c;
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
    std::ranges::replace_if(
        text, [](char c) { return c < '0' || c > '9'; }, ' ');
    std::stringstream in(text);
    Dim3 d{1, 1, 1};
    in >> d.x;
    if (in >> d.y) in >> d.z;
    d.y = std::max(d.y, 1u);
    d.z = std::max(d.z, 1u);
    return d;
}

// A paragraph of textbook.txt or own/cases.txt: what stands behind each key.
using Paragraph = std::multimap<std::string, std::string>;

std::map<std::string, Paragraph> readCases(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::map<std::string, Paragraph> cases;
    std::string id;
    for (std::string line; std::getline(in, line);) {
        const std::size_t space = std::min(line.find(' '), line.size());
        const std::string key = line.substr(0, space),
                          rest = space < line.size() ? line.substr(space + 1) : "";
        if (key == "case") id = rest;
        if (!id.empty() && !key.empty()) cases[id].emplace(key, rest);
    }
    return cases;
}

// Those of a table, whose rows are named by `nameColumn`; `cases` says how they were launched, and lies where
// their files do.
void readKernels(const std::filesystem::path& table, const char* nameColumn,
                 const std::filesystem::path& cases, std::vector<MeasuredKernel>& kernels) {
    const std::map<std::string, Paragraph> paragraphs = readCases(cases);
    for (const auto& row : readTable(table)) {
        const Paragraph& own = paragraphs.at(row.at(nameColumn));
        MeasuredKernel& kernel =
            kernels.emplace_back(MeasuredKernel{.name = row.at(nameColumn), .request = {}, .counters = {}});
        kernel.request.file = cases.parent_path() / own.find("ptx")->second;
        kernel.request.entry = own.find("entry")->second;
        kernel.request.grid = extents(own.find("grid")->second);
        kernel.request.block = extents(own.find("block")->second);
        if (own.contains("shared"))
            kernel.request.dynamicSharedBytes = u32(std::stoul(own.find("shared")->second));
        for (auto [argument, end] = own.equal_range("argument"); argument != end; ++argument)
            kernel.request.arguments.push_back(argument->second);
        readCounters(row, kernel);
    }
}

}  // namespace

std::vector<MeasuredKernel> measuredKernels() {
    std::vector<MeasuredKernel> kernels;
    readKernels(kTruth / "ncu_h200.csv", "case", kTruth / "textbook.txt", kernels);
    readKernels(kTruth / "own/counters.csv", "id", kTruth / "own/cases.txt", kernels);
    return kernels;
}

}  // namespace lockstep
