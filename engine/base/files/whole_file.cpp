#include "base/files/whole_file.h"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <memory>
#include <system_error>
#if __has_include(<unistd.h>)
#include <unistd.h>
#endif

namespace lockstep {
namespace {

namespace fs = std::filesystem;

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

// To the disk itself, where the system can do that: after a power cut there is the old file or the new one.
// Pipes and terminals have no disk.
bool flush(std::FILE* file, bool toDisk) {
    if (std::fflush(file) != 0) return false;
#if __has_include(<unistd.h>)
    return !toDisk || fsync(fileno(file)) == 0;
#else
    return true;
#endif
}

// 0, or what the system says.
int write(const fs::path& path, std::span<const std::byte> bytes, bool toDisk) {
    errno = 0;
    File file(std::fopen(path.string().c_str(), "wb"));
    const bool wrote = file && std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size() &&
                       flush(file.get(), toDisk);
    if (wrote && std::fclose(file.release()) == 0) return 0;
    return errno ? errno : EIO;
}

// A name beside the file that two programs saving at once do not share.
fs::path temporaryBeside(const fs::path& file) {
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    fs::path path = file;
    return path += "." + std::to_string(now) + ".part";
}

Unexpected refuse(const fs::path& file, const std::error_code& why) {
    return fail(
        FaultKind::System,
        Message(
            english("cannot be written: {0}; check the folder, its permissions and the space on the disk"),
            why.message()),
        {.file = file.string()});
}

}  // namespace

Expected<void> canBeWritten(const fs::path& file) {
    std::error_code ignored;
    if (fs::is_directory(file, ignored))
        return fail(FaultKind::System, english("cannot be written: it is a folder; name a file in it"),
                    {.file = file.string()});
    const fs::path folder = file.parent_path();
    if (!folder.empty() && !fs::is_directory(folder, ignored))
        return fail(
            FaultKind::System,
            Message(english("cannot be written: there is no folder {0}; make it first"), folder.string()),
            {.file = file.string()});
    return {};
}

Expected<void> writeWholeFile(const fs::path& file, std::span<const std::byte> bytes) {
    if (Expected<void> place = canBeWritten(file); !place) return place;
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        if (const int why = write(file, bytes, false))
            return refuse(file, std::error_code(why, std::generic_category()));
        return {};
    }

    const fs::path target = fs::exists(status) ? fs::canonical(file, error) : file;
    const fs::path temporary = temporaryBeside(error ? file : target);
    if (const int why = write(temporary, bytes, true))
        error = std::error_code(why, std::generic_category());
    else
        fs::rename(temporary, target, error);
    if (!error) return {};
    std::error_code ignored;
    fs::remove(temporary, ignored);
    return refuse(file, error);
}

}  // namespace lockstep
