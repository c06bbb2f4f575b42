#include "app/shell/files/progress_file.h"

#include "app/shell/files/replace_file.h"
#include "base/files/text_file.h"

#include <string>
#include <system_error>

namespace lockstep::shell {
namespace {

constexpr u64 kMostBytes = 1 << 20;

// A name that no file has yet, so that an earlier one that was set aside stays.
std::filesystem::path nameAside(const std::filesystem::path& file) {
    std::error_code error;
    for (u32 number = 1;; ++number) {
        std::filesystem::path aside = file;
        aside += number == 1 ? std::string(".damaged") : ".damaged-" + std::to_string(number);
        if (!std::filesystem::exists(aside, error)) return aside;
    }
}

// Copied: the file itself stays. Empty: it could not be.
std::filesystem::path copyAside(const std::filesystem::path& file) {
    std::error_code error;
    std::filesystem::path aside = nameAside(file);
    std::filesystem::copy_file(file, aside, error);
    return error ? std::filesystem::path() : aside;
}

}  // namespace

Expected<lessons::ParsedProgress> progressIn(const std::filesystem::path& file) {
    const Expected<std::string> text =
        readTextFile(file.string(), english("give a file with the progress of lessons"), kMostBytes);
    if (!text) return Unexpected{text.error()};
    return lessons::parseProgress(*text, file.string());
}

KeptProgress readProgress(const std::filesystem::path& file) {
    std::error_code error;
    if (file.empty() || !std::filesystem::is_regular_file(file, error)) return {};
    Expected<lessons::ParsedProgress> read = progressIn(file);
    KeptProgress kept;
    if (!read) {
        kept.setAside = nameAside(file);
        std::filesystem::rename(file, kept.setAside, error);
        if (error) kept.setAside.clear();
        return kept;
    }
    kept.progress = std::move(read->progress);
    kept.leftOut = std::move(read->leftOut);
    if (kept.leftOut.empty()) return kept;
    kept.setAside = copyAside(file);
    if (kept.setAside.empty()) return kept;
    for (Fault& fault : kept.leftOut)
        fault.place.file = kept.setAside.string();
    replaceFile(file, kept.progress.text());
    return kept;
}

bool writeProgress(const std::filesystem::path& file, lessons::Progress progress) {
    std::error_code error;
    if (std::filesystem::is_regular_file(file, error)) {
        const Expected<lessons::ParsedProgress> other = progressIn(file);
        if ((!other || !other->leftOut.empty()) && copyAside(file).empty()) return false;
        if (other) progress.add(other->progress);
    }
    return replaceFile(file, progress.text());
}

}  // namespace lockstep::shell
