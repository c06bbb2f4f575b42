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

Expected<lessons::Progress> progressIn(const std::filesystem::path& file) {
    const Expected<std::string> text =
        readTextFile(file.string(), english("give a file with the progress of lessons"), kMostBytes);
    if (!text) return Unexpected{text.error()};
    return lessons::Progress::parse(*text, file.string());
}

KeptProgress readProgress(const std::filesystem::path& file) {
    std::error_code error;
    if (file.empty() || !std::filesystem::is_regular_file(file, error)) return {};
    if (const Expected<lessons::Progress> progress = progressIn(file)) return {*progress};
    KeptProgress kept{.progress = {}, .setAside = nameAside(file)};
    std::filesystem::rename(file, kept.setAside, error);
    if (error) kept.setAside.clear();
    return kept;
}

bool writeProgress(const std::filesystem::path& file, lessons::Progress progress) {
    std::error_code error;
    if (std::filesystem::is_regular_file(file, error))
        if (const Expected<lessons::Progress> other = progressIn(file)) progress.add(*other);
    return replaceFile(file, progress.text());
}

}  // namespace lockstep::shell
