#include "trace/lks/lks.h"

#include "base/files/whole_file.h"
#include "trace/lks/lks_container.h"
#include "trace/lks/lks_records.h"

#include <cstdio>
#include <memory>

namespace lockstep::trace {
namespace {

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

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
                    Message(english("this recording has {0} MiB and a file holds at most {1}; record fewer "
                                    "focus blocks or smaller buffers"),
                            bytes >> 20, kMostLksBytes >> 20),
                    {.file = file.string()});

    return writeWholeFile(file, packSections(sections));
}

Expected<Recording> load(const std::filesystem::path& file) {
    const std::string name = file.string();
    std::error_code error;
    const u64 size = std::filesystem::file_size(file, error);
    File handle(error ? nullptr : std::fopen(name.c_str(), "rb"));
    if (!handle)
        return fail(FaultKind::NotFound,
                    english("there is no such recording, or it may not be read; check the name"),
                    {.file = name});
    if (size > kMostLksBytes)
        return fail(
            FaultKind::Damaged,
            english(
                "this file is larger than any recording; open a .lks file that 'lockstep run --save' wrote"),
            {.file = name});
    std::vector<std::byte> bytes(size);
    if (std::fread(bytes.data(), 1, size, handle.get()) != size)
        return fail(FaultKind::System, english("the recording could not be read to its end; try again"),
                    {.file = name});
    return unpack(bytes, name);
}

}  // namespace lockstep::trace
