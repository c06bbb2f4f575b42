// A memory-mapped file: a large file installed with the program, whose pages are read on first access. Only
// for files that are never written in place; users' files are read in full.
#pragma once

#include "base/integers.h"

#include <filesystem>
#include <optional>
#include <span>
#include <utility>

namespace lockstep {

class MappedFile {
public:
    // Nothing if the file cannot be read, is empty, or is not a file.
    static std::optional<MappedFile> open(const std::filesystem::path& path);

    MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
    MappedFile& operator=(MappedFile&& other) noexcept {
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~MappedFile();

    // The address stays the same when the object moves.
    std::span<const u8> bytes() const { return bytes_; }

private:
    explicit MappedFile(std::span<const u8> bytes) : bytes_(bytes) {}

    std::span<const u8> bytes_;
};

}  // namespace lockstep
