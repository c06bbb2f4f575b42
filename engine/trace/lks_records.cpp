#include "trace/lks_records.h"

#include "trace/lks_archive.h"
#include "trace/lks_check.h"

#include <algorithm>

namespace lockstep::trace {

std::vector<LksSection> sectionsOf(const Recording& recording) {
    std::vector<LksSection> sections;
    const auto add = [&](Part which) {
        Writer writer;
        part(which, writer, recording);
        sections.push_back({u32(which), std::move(writer.bytes)});
    };
    for (Part which : kParts)
        add(which);
    if (recording.check) add(Part::Check);
    return sections;
}

Expected<Recording> recordingOf(std::span<const LksSection> sections, const std::string& name) {
    auto damaged = [&](const std::string& what) {
        return fail(FaultKind::Damaged,
                    "this recording is damaged (" + what + "); copy it again or record it again",
                    {.file = name});
    };
    Recording recording;
    const auto read = [&](Part which, bool isRequired) -> std::string {
        const auto section = std::ranges::find(sections, u32(which), &LksSection::kind);
        if (section == sections.end())
            return isRequired ? "section " + std::to_string(u32(which)) + " is missing" : "";
        Reader reader(section->bytes);
        part(which, reader, recording);
        return reader.ok() ? "" : "section " + std::to_string(u32(which)) + " can not be read";
    };
    for (Part which : kParts)
        if (const std::string wrong = read(which, true); !wrong.empty()) return damaged(wrong);
    if (const std::string wrong = read(Part::Check, false); !wrong.empty()) return damaged(wrong);
    if (const std::string mistake = mistakeIn(recording); !mistake.empty()) return damaged(mistake);
    return recording;
}

}  // namespace lockstep::trace
