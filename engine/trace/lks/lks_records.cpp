#include "trace/lks/lks_records.h"

#include "trace/lks/lks_check.h"
#include "trace/lks/lks_fields.h"

#include <algorithm>

namespace lockstep::trace {

namespace {

bool hasSums(const Recording& recording) {
    return std::ranges::any_of(recording.counts, [](const GridCounts& counts) {
        return std::ranges::any_of(counts.sites,
                                   [](const SiteCounts& s) { return s.overflowExecutions > 0; });
    });
}

// Of a file of before there were sums: a request for each access.
void guessSums(Recording& recording) {
    for (GridCounts& counts : recording.counts)
        for (SiteCounts& site : counts.sites)
            if (site.space == Space::Global) site.overflow.requests = site.overflowExecutions;
}

}  // namespace

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
    if (hasSums(recording)) add(Part::Sums);
    if (recording.sample) add(Part::Sample);
    return sections;
}

Expected<Recording> recordingOf(std::span<const LksSection> sections, const std::string& name) {
    auto damaged = [&](const Message& what) {
        return fail(
            FaultKind::Damaged,
            Message(english("this recording is damaged ({0}); copy it again or record it again"), what),
            {.file = name});
    };
    Recording recording;
    const auto read = [&](Part which, bool isRequired) -> Message {
        const auto section = std::ranges::find(sections, u32(which), &LksSection::kind);
        if (section == sections.end())
            return isRequired ? Message(english("section {0} is missing"), u32(which)) : Message();
        Reader reader(section->bytes);
        part(which, reader, recording);
        return reader.ok() ? Message() : Message(english("section {0} cannot be read"), u32(which));
    };
    for (Part which : kParts)
        if (const Message wrong = read(which, true); !wrong.empty()) return damaged(wrong);
    if (const Message wrong = read(Part::Check, false); !wrong.empty()) return damaged(wrong);
    guessSums(recording);
    if (const Message wrong = read(Part::Sums, false); !wrong.empty()) return damaged(wrong);
    if (const Message wrong = read(Part::Sample, false); !wrong.empty()) return damaged(wrong);
    if (const Words mistake = mistakeIn(recording); !mistake.empty()) return damaged(mistake);
    return recording;
}

}  // namespace lockstep::trace
