// What a user's file offers to run: its kernels, and the launches that its own host code makes.
#pragma once

#include "app/cli/json/json.h"
#include "base/expected.h"
#include "run/own/own_kernel.h"

#include <string>
#include <vector>

namespace lockstep::cli {

struct FileListOptions {
    std::string file;  // a .cu or .ptx
    std::vector<std::string> defines, includes;
};

Expected<run::FileContents> contentsOf(const FileListOptions& options);
// {file, kernels: [{entry, signature, parameters, launches}], notes}; docs/guide/json.md has all keys.
Json fileListJson(const std::string& file, const run::FileContents& contents);
// The same to standard output, for people.
void printFileList(const std::string& file, const run::FileContents& contents, Language language);

}  // namespace lockstep::cli
