// A folder of our own in the system's temporary one, removed with all that is in it when this goes.
#pragma once

#include "base/expected.h"

#include <filesystem>
#include <string>
#include <utility>

namespace lockstep {

class TemporaryFolder {
public:
    static Expected<TemporaryFolder> make();
    TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
    TemporaryFolder& operator=(TemporaryFolder&&) = delete;
    ~TemporaryFolder();

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path operator/(const char* name) const { return path_ / name; }

private:
    explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}
    std::filesystem::path path_;  // empty: moved from
};

}  // namespace lockstep
