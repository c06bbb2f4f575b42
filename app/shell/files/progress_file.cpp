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

}  // namespace

KeptProgress readProgress(const std::filesystem::path& file) {
    std::error_code error;
    if (file.empty() || !std::filesystem::is_regular_file(file, error)) return {};
    const Expected<std::string> text = readTextFile(file, {}, kMostBytes);
    const Expected<lessons::Progress> progress =
        text ? lessons::Progress::parse(*text, file.string()) : Unexpected{text.error()};
    if (progress) return {*progress};
    KeptProgress kept{.progress = {}, .setAside = nameAside(file)};
    std::filesystem::rename(file, kept.setAside, error);
    if (error) kept.setAside.clear();
    return kept;
}

bool writeProgress(const std::filesystem::path& file, lessons::Progress progress) {
    std::error_code error;
    if (std::filesystem::is_regular_file(file, error))
        if (const Expected<std::string> text = readTextFile(file, {}, kMostBytes))
            if (const auto other = lessons::Progress::parse(*text, file.string())) progress.add(*other);
    return replaceFile(file, progress.text());
}

}  // namespace lockstep::shell
