// The bytes of a large file that is installed with the program, read where and when they are looked at:
// opening it costs neither the time nor the memory of reading it. For files that nobody writes to in place;
// what users give is read as a whole.
#pragma once

#include "base/integers.h"

#include <filesystem>
#include <optional>
#include <span>
#include <utility>

namespace lockstep {

class MappedFile {
public:
    // Nothing where the file cannot be read, is empty, or is no file.
    static std::optional<MappedFile> open(const std::filesystem::path& path);

    MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
    MappedFile& operator=(MappedFile&& other) noexcept {
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~MappedFile();

    // Where they are stays the same when the object moves.
    std::span<const u8> bytes() const { return bytes_; }

private:
    explicit MappedFile(std::span<const u8> bytes) : bytes_(bytes) {}

    std::span<const u8> bytes_;
};

}  // namespace lockstep
