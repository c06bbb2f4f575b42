#include "trace/lks.h"

#include <chrono>
#include <cstdio>
#include <memory>
#if __has_include(<unistd.h>)
#include <unistd.h>
#endif

#include "trace/lks_container.h"
#include "trace/lks_records.h"

namespace lockstep::trace {
namespace {

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

// To the disk itself, where the system can do that: after a power cut there is the old file or the new one.
bool flush(std::FILE* file) {
    if (std::fflush(file) != 0) return false;
#if __has_include(<unistd.h>)
    return fsync(fileno(file)) == 0;
#else
    return true;
#endif
}

bool write(const std::filesystem::path& path, std::span<const std::byte> bytes) {
    File file(std::fopen(path.string().c_str(), "wb"));
    if (!file || std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size() || !flush(file.get()))
        return false;
    return std::fclose(file.release()) == 0;
}

// A name beside the file that two programs saving at once do not share.
std::filesystem::path temporaryBeside(const std::filesystem::path& file) {
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    std::filesystem::path path = file;
    return path += "." + std::to_string(now) + ".part";
}

}  // namespace

std::vector<std::byte> pack(const Recording& recording) { return packSections(sectionsOf(recording)); }

Expected<Recording> unpack(std::span<const std::byte> bytes, const std::string& name) {
    const Expected<std::vector<LksSection>> sections = unpackSections(bytes, name);
    if (!sections) return Unexpected{sections.error()};
    return recordingOf(*sections, name);
}

Expected<void> save(const Recording& recording, const std::filesystem::path& file) {
    const std::vector<LksSection> sections = sectionsOf(recording);
    u64 bytes = 0;
    for (const LksSection& section : sections)
        bytes += section.bytes.size();
    if (bytes > kMostLksBytes)
        return fail(FaultKind::Usage,
                    "this recording has " + std::to_string(bytes >> 20) + " MiB and a file holds at most " +
                        std::to_string(kMostLksBytes >> 20) +
                        "; record fewer focus blocks or smaller buffers",
                    {.file = file.string()});

    const std::filesystem::path temporary = temporaryBeside(file);
    std::error_code error;
    if (write(temporary, packSections(sections))) {
        std::filesystem::rename(temporary, file, error);
        if (!error) return {};
    }
    std::filesystem::remove(temporary, error);
    return fail(
        FaultKind::System,
        "the recording could not be written; check the folder, its permissions and the space on the disk",
        {.file = file.string()});
}

Expected<Recording> load(const std::filesystem::path& file) {
    const std::string name = file.string();
    std::error_code error;
    const u64 size = std::filesystem::file_size(file, error);
    File handle(error ? nullptr : std::fopen(name.c_str(), "rb"));
    if (!handle)
        return fail(FaultKind::NotFound, "there is no such recording, or it may not be read; check the name",
                    {.file = name});
    if (size > kMostLksBytes)
        return fail(
            FaultKind::Damaged,
            "this file is larger than any recording; open a .lks file that 'lockstep run --save' wrote",
            {.file = name});
    std::vector<std::byte> bytes(size);
    if (std::fread(bytes.data(), 1, size, handle.get()) != size)
        return fail(FaultKind::System, "the recording could not be read to its end; try again",
                    {.file = name});
    return unpack(bytes, name);
}

}  // namespace lockstep::trace
