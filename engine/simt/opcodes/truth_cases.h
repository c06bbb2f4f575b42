// For tests: kernels that ran on a GPU (tests/truth/own), with their arguments and expected results.
#pragma once

#include "base/buffer.h"
#include "base/files/npy.h"
#include "ptx/module.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace lockstep::simt {

inline const std::filesystem::path kFolder = std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "tests/truth/own";

inline std::string contentsOf(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::stringstream contents;
    contents << stream.rdbuf();
    return contents.str();
}

struct Comparison {
    u32 argument = 0;
    bool exact = true;
    f64 relative = 0, absolute = 0;
};

struct Case {
    std::string id, ptx, entry;
    Dim3 grid, block;
    u32 sharedBytes = 0;
    std::vector<std::string> arguments;
    std::vector<Comparison> comparisons;
    std::set<std::string> kinds, lines;  // of the findings expected
};

inline std::set<std::string> splitAtCommas(const std::string& text) {
    std::set<std::string> parts;
    std::stringstream stream(text);
    for (std::string part; std::getline(stream, part, ',');)
        parts.insert(part);
    return parts;
}

inline std::vector<Case> readCases() {
    std::vector<Case> cases;
    std::stringstream text(contentsOf(kFolder / "cases.txt"));
    for (std::string line; std::getline(text, line);) {
        std::stringstream words(line);
        std::string key;
        words >> key;
        if (key == "case") cases.emplace_back();
        if (cases.empty()) continue;
        Case& c = cases.back();
        if (key == "case")
            words >> c.id;
        else if (key == "ptx")
            words >> c.ptx;
        else if (key == "entry")
            words >> c.entry;
        else if (key == "grid")
            words >> c.grid.x >> c.grid.y >> c.grid.z;
        else if (key == "block")
            words >> c.block.x >> c.block.y >> c.block.z;
        else if (key == "shared")
            words >> c.sharedBytes;
        else if (key == "argument")
            words >> c.arguments.emplace_back();
        else if (key == "compare") {
            Comparison comparison;
            std::string how;
            words >> comparison.argument >> how;
            comparison.exact = how == "exact";
            if (!comparison.exact) {
                comparison.relative = std::stod(how);
                words >> comparison.absolute;
            }
            c.comparisons.push_back(comparison);
        } else if (key == "expect") {
            std::string kinds, lines;
            words >> kinds >> lines;
            c.kinds.merge(splitAtCommas(kinds));
            c.lines.merge(splitAtCommas(lines));
        }
    }
    return cases;
}

inline const std::vector<Case>& cases() {
    static const std::vector<Case> all = readCases();
    return all;
}

template <class T> void fill(Buffer& buffer, const std::string& how) {
    const std::span<T> values = buffer.as<T>();
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (how == "iota")
            values[i] = T(i);
        else if (how.starts_with("const:"))
            values[i] = T(std::stod(how.substr(6)));
    }
}

inline std::vector<std::byte> scalar(const std::string& type, const std::string& value) {
    std::vector<std::byte> bytes(info(findElementType(type)->type).bytes);
    const auto put = [&](auto v) { std::memcpy(bytes.data(), &v, bytes.size()); };
    if (type == "f32")
        put(std::stof(value));
    else if (type == "f64")
        put(std::stod(value));
    else
        put(std::stoll(value));
    return bytes;
}

// "f32[128]=data/x.npy" or "i32:300": arguments as written on the command line.
inline Argument argumentOf(const std::string& text, std::vector<Buffer>& buffers) {
    const std::size_t bracket = text.find('[');
    if (bracket == std::string::npos) {
        const std::size_t colon = text.find(':');
        return ScalarArgument{scalar(text.substr(0, colon), text.substr(colon + 1))};
    }
    const ElementType type = findElementType(text.substr(0, bracket))->type;
    const u64 count = std::stoull(text.substr(bracket + 1));
    const std::string how = text.substr(text.find('=') + 1);
    Buffer buffer{.name = "arg" + std::to_string(buffers.size()),
                  .type = type,
                  .shape = {count},
                  .bytes = std::vector<std::byte>(count * info(type).bytes)};
    if (how.ends_with(".npy")) {
        auto read = readNpy(kFolder / how, type, count);
        EXPECT_TRUE(read) << describe(read.error());
        buffer.bytes = read->bytes;
    } else {
        switch (type) {
            case ElementType::U8: fill<u8>(buffer, how); break;
            case ElementType::I32: fill<s32>(buffer, how); break;
            case ElementType::U32: fill<u32>(buffer, how); break;
            case ElementType::U64: fill<u64>(buffer, how); break;
            case ElementType::F32: fill<f32>(buffer, how); break;
            case ElementType::F64: fill<f64>(buffer, how); break;
            default: EXPECT_EQ(how, "zero");
        }
    }
    buffers.push_back(std::move(buffer));
    return BufferArgument{u32(buffers.size() - 1)};
}

struct Experiment {
    ptx::Module module;
    Launch launch;
    std::vector<Buffer> buffers;
};

inline Experiment experimentOf(const Case& c) {
    auto module = ptx::parse(contentsOf(kFolder / c.ptx), c.ptx);
    EXPECT_TRUE(module) << describe(module.error());
    Experiment e{.module = std::move(*module), .launch = {}, .buffers = {}};
    for (const ptx::Function& function : e.module.functions)
        if (function.isEntry && ptx::shortName(function.name) == c.entry) e.launch.entry = function.name;
    e.launch.grid = c.grid;
    e.launch.block = c.block;
    e.launch.dynamicSharedBytes = c.sharedBytes;
    for (const std::string& argument : c.arguments)
        e.launch.arguments.push_back(argumentOf(argument, e.buffers));
    return e;
}

}  // namespace lockstep::simt
