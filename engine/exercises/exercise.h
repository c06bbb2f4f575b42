// An exercise: a folder with exercise.toml (task, data, launch, sizes and rules) and the kernel to begin
// with. docs/guide/exercises.md explains every key.
#pragma once

#include "base/expected.h"
#include "base/text/text.h"
#include "catalog/catalog.h"
#include "exercises/rules.h"

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::exercises {

// In an exercise's folder.
inline constexpr const char* kFileName = "exercise.toml";

struct Size {
    catalog::Values values;
    std::string text;  // "rows=40 columns=72"
};

struct Exercise {
    std::string name;  // of its folder
    std::filesystem::path folder;
    Text title, task;
    std::vector<std::string> topics;  // "transpose", "banks"
    std::string start;                // file name of the kernel to begin with
    // The data and the launches, with one variant, which the student's file takes the place of. Shared, since
    // runs point to it.
    std::shared_ptr<const catalog::Family> family;
    std::vector<Rule> rules;
    std::vector<Size> sizes;
    u32 sizesLine = 0, launchLine = 0, resultLine = 0;  // of exercise.toml

    std::filesystem::path startFile() const { return folder / start; }
    std::filesystem::path file() const { return folder / kFileName; }
    const catalog::Variant& variant() const { return family->variants.front(); }
};

// `file`: for messages, and of which the folder has the exercise's name.
Expected<Exercise> parseExercise(std::string_view text, const std::string& file);
// Of a folder with an exercise.toml. A mistake in it is a Fault with file:line.
Expected<Exercise> readExercise(const std::filesystem::path& folder);
bool isExercise(const std::filesystem::path& folder);

// All exercises of a folder, by name; those with a mistake are left out, and named.
struct Shelf {
    std::vector<Exercise> exercises;
    std::vector<Fault> mistakes;
};
Shelf readShelf(const std::filesystem::path& folder);

}  // namespace lockstep::exercises
