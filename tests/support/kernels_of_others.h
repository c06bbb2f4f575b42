// For tests: the kernels of other hands (tests/shapes), as shapes.toml has them.
#pragma once

#include "base/files/toml.h"
#include "run/run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

namespace lockstep {

struct KernelOfOthers {
    run::FileRequest request;
    std::string shape, found;  // deserved; what is said
};

inline std::vector<KernelOfOthers> kernelsOfOthers() {
    const std::filesystem::path folder = std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "tests" / "shapes";
    const toml::parse_result table = toml::parse_file((folder / "shapes.toml").string());
    std::vector<KernelOfOthers> all;
    EXPECT_TRUE(table) << "shapes.toml";
    if (!table) return all;
    for (const toml::node& node : *table["kernels"].as_array()) {
        const toml::table& row = *node.as_table();
        KernelOfOthers kernel{.request = {.file = folder / row["file"].value_or(""),
                                          .entry = row["entry"].value_or(""),
                                          .grid = {},
                                          .block = {},
                                          .defines = {},
                                          .arguments = {},
                                          .includeFolders = {}},
                              .shape = row["shape"].value_or(""),
                              .found = row["found"].value_or(row["shape"].value_or(""))};
        const auto extents = [&](const char* key) {
            Dim3 dim{1, 1, 1};
            std::sscanf(row[key].value_or("1"), "%u,%u,%u", &dim.x, &dim.y, &dim.z);
            return dim;
        };
        kernel.request.grid = extents("grid");
        kernel.request.block = extents("block");
        kernel.request.dynamicSharedBytes = row["shared"].value_or(0u);
        for (const toml::node& argument : *row["args"].as_array())
            kernel.request.arguments.push_back(argument.value_or(""));
        all.push_back(std::move(kernel));
    }
    return all;
}

inline Expected<run::Run> runOf(const KernelOfOthers& kernel) {
    Expected<run::Experiment> experiment = run::open(kernel.request);
    if (!experiment) return Unexpected{experiment.error()};
    return run::run(std::move(*experiment), {});
}

// One of them by its file's name, run.
inline Expected<run::Run> runOfOthers(std::string_view file) {
    const std::vector<KernelOfOthers> all = kernelsOfOthers();
    const auto found = std::ranges::find_if(
        all, [&](const KernelOfOthers& kernel) { return kernel.request.file.filename() == file; });
    return runOf(found == all.end() ? KernelOfOthers{} : *found);
}

}  // namespace lockstep
