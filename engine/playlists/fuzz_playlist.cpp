// Fuzz target: no playlist may crash, hang or exhaust memory. The text is read as both languages.
#include "playlists/read_playlist.h"
#include "playlists/write_playlist.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace lockstep;
    using namespace lockstep::playlists;
    const std::string text(reinterpret_cast<const char*>(data), size);
    Questions none("");
    const lessons::LessonFile files[] = {{Language::English, "x.playlist.md", text},
                                         {Language::Chinese, "x.zh-CN.playlist.md", text}};
    const ReadPlaylist read = parsePlaylist("x", files, none);
    if (read.playlist.entries.size() != read.playlist.text.steps.size()) std::abort();
    (void)read.playlist.minutes();
    (void)nameOfPlaylist(text);
    lessons::Place place{.kernel = text};
    place.settings.emplace_back("n", text);
    (void)withEntry(text, {.place = place, .title = text});
    return 0;
}
