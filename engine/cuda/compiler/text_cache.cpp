#include "cuda/compiler/text_cache.h"

#include "base/files/whole_file.h"
#include "cuda/user_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

namespace lockstep::cuda {
namespace {

namespace fs = std::filesystem;

// Header of a text of so many bytes; does not match if the file was truncated, or has another key with the
// same name.
std::string headOf(std::string_view key, std::size_t bytes) {
    return fmt::format("lockstep text 1: {:08x}\n{}\n", bytes, key);
}

}  // namespace

std::optional<TextCache> TextCache::ofUser(std::string_view name) {
    const std::optional<fs::path> folder = userCacheFolder();
    return folder ? std::optional(TextCache(*folder / name)) : std::nullopt;
}

// If the hash changes with the standard library, only the cache is lost.
fs::path TextCache::fileOf(std::string_view key) const {
    return folder_ / fmt::format("{:016x}.text", std::hash<std::string_view>()(key));
}

std::optional<std::string> TextCache::find(std::string_view key) const {
    const fs::path file = fileOf(key);
    std::error_code error;
    const auto size = fs::file_size(file, error);
    if (error || size > kMostBytes) return std::nullopt;
    std::ifstream in(file, std::ios::binary);
    std::string text(std::size_t(size), '\0');
    if (!in.read(text.data(), std::streamsize(size))) return std::nullopt;
    const std::size_t head = headOf(key, 0).size();
    if (text.size() < head || !text.starts_with(headOf(key, text.size() - head))) return std::nullopt;
    fs::last_write_time(file, fs::file_time_type::clock::now(), error);  // time of last use
    return text.substr(head);
}

void TextCache::keep(std::string_view key, std::string_view text) const {
    const std::string file = headOf(key, text.size()) + std::string(text);
    if (file.size() > kMostBytes) return;
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) return;
    makeRoom();
    (void)writeWholeFile(fileOf(key), std::as_bytes(std::span(file)));
}

void TextCache::makeRoom() const {
    std::error_code error;
    std::vector<std::pair<fs::file_time_type, fs::path>> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_, error))
        if (entry.is_regular_file(error)) files.emplace_back(entry.last_write_time(error), entry.path());
    if (files.size() < kMostFiles) return;
    const auto kept =
        files.begin() +
        std::ptrdiff_t(files.size() - kMostFiles / 2);  // half of them, so that it is seldom done
    std::ranges::nth_element(files, kept);
    for (auto old = files.begin(); old != kept; ++old)
        fs::remove(old->second, error);
}

}  // namespace lockstep::cuda
