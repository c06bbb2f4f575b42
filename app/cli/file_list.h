// What a user's file offers to run: its kernels, and the launches that its own host code makes.
#pragma once

#include "app/cli/output.h"
#include "base/expected.h"

#include <string>
#include <vector>

namespace lockstep::cli {

struct FileListOptions {
    std::string file;  // a .cu or .ptx
    std::vector<std::string> defines, includes;
};

// {file, kernels: [{entry, signature, parameters, launches}], notes}; docs/guide/json.md has all keys.
Expected<Json> fileListJson(const FileListOptions& options);
// The same to standard output, for people.
void printFileList(const Json& list);

}  // namespace lockstep::cli
