// What can be run from a user's file: its kernels, and the launches in its host code.
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
// The same as text on standard output.
void printFileList(const std::string& file, const run::FileContents& contents, Language language);

}  // namespace lockstep::cli
