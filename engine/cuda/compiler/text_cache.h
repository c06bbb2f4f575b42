// On-disk cache of what compilers answer, kept between starts of the program: nvdisasm takes most of a second
// even for the smallest kernel, NVRTC as long for one that includes cub or cooperative groups.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep::cuda {

class TextCache {
public:
    // The user's cache: a folder of this name in userCacheFolder(). None if that is unknown.
    static std::optional<TextCache> ofUser(std::string_view name);
    // folder: created on first write.
    explicit TextCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

    // key: everything the text depends on; stored and compared. A damaged file counts as not found.
    std::optional<std::string> find(std::string_view key) const;
    // Write errors are ignored. Beyond kMostFiles, the least recently used are deleted.
    void keep(std::string_view key, std::string_view text) const;

    static constexpr std::size_t kMostFiles = 256,
                                 kMostBytes = 4u << 20;  // of a file; a larger text is not cached

private:
    std::filesystem::path fileOf(std::string_view key) const;
    void makeRoom() const;

    std::filesystem::path folder_;
};

}  // namespace lockstep::cuda
