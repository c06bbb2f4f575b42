// Listings of machine code, kept in a folder from one start of the program to the next: nvdisasm takes most
// of a second to read the smallest kernel.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep::cuda {

class ListingCache {
public:
    // Of one user: machine-code/ in userCacheFolder(). None where nobody knows it.
    static std::optional<ListingCache> ofUser();
    // folder: made when something is kept.
    explicit ListingCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

    // key: all that the listing depends on; it is kept, too, and compared. What is damaged is not found.
    std::optional<std::string> find(std::string_view key) const;
    // What cannot be written is not kept. Of more than kMostFiles, those not asked for longest go.
    void keep(std::string_view key, std::string_view listing) const;

    static constexpr std::size_t kMostFiles = 256,
                                 kMostBytes = 4u << 20;  // of a file; a larger listing is not kept

private:
    std::filesystem::path fileOf(std::string_view key) const;
    void makeRoom() const;

    std::filesystem::path folder_;
};

}  // namespace lockstep::cuda
