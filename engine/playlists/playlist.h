// A lecture as its file has it: entries that each show a place of an experiment, perhaps ask a question of a
// lesson, and hide something until it is revealed. Nothing here has been run. docs/guide/playlists.md
// explains every key.
#pragma once

#include "lessons/lesson.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::playlists {

// A part of the window that an entry may hide until it is revealed.
enum class Part : u8 { View, Sentence, Source };
struct PartRow {
    Part part;
    std::string_view name;  // in the file
};
inline constexpr std::array kParts{PartRow{Part::View, "view"}, PartRow{Part::Sentence, "sentence"},
                                   PartRow{Part::Source, "source"}};

// What an entry has besides the step that it is in the text.
struct Entry {
    u32 minutes = 0;  // planned
    std::vector<Part> hides{};
    u32 events = 0;          // that it goes on through from its place, as a presenter's remote does
    std::string with{};      // "banks/padded": what its kernel is compared with; empty: with nothing
    std::string question{};  // "banks#stride", of a lesson; empty: it asks nothing
    u32 fileLine = 0;

    bool isHidden(Part part) const;
};

inline constexpr u32 kMostMinutes = 600, kMostEvents = 200;

struct Playlist {
    lessons::Lesson text;          // a step for each entry
    std::vector<Entry> entries{};  // one for each step
    u32 plannedMinutes = 0;        // that the file says for all of it; 0: nothing

    u32 minutes() const;                         // of all entries
    u32 minutesBefore(std::size_t entry) const;  // of those before it
};

}  // namespace lockstep::playlists
