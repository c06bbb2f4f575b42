// Reads a playlist, NAME.playlist.md and its translations NAME.CODE.playlist.md, by the rules of a lesson's
// files: "+++" lines fence the header of an entry (TOML), what follows is its text, with the sections
// "::: reveal" and "::: notes". The headers stand in the first of the files; a translation has the ids alone.
#pragma once

#include "lessons/read_lesson.h"
#include "playlists/playlist.h"

#include <filesystem>
#include <functional>

namespace lockstep::playlists {

inline constexpr std::string_view kExtension = ".playlist.md";

// The mistakes are the files', each with file:line; the playlist is what could be read of them.
struct ReadPlaylist {
    Playlist playlist;
    std::vector<Fault> mistakes{};
};

// The lessons whose questions a playlist may ask: the program's, read once, and a lecturer's own.
class Questions {
public:
    explicit Questions(std::filesystem::path lessonFolder) : folder_(std::move(lessonFolder)) {}
    struct Found {
        std::shared_ptr<const lessons::Lesson> lesson;
        std::size_t number = 0;  // of the step
        const lessons::LessonStep& step() const { return lesson->steps[number]; }
    };
    // "banks#stride", or "my-lesson#one" of a folder, by its path from `beside`. Fault, with no place in a
    // file: there is no such lesson or step, or it asks nothing.
    Expected<Found> find(std::string_view question, const std::filesystem::path& beside = {});

private:
    Expected<std::shared_ptr<const lessons::Lesson>> lessonNamed(const std::string& name,
                                                                 const std::filesystem::path& beside);

    std::filesystem::path folder_;
    std::map<std::string, std::shared_ptr<const lessons::Lesson>, std::less<>> lessons_;
};

ReadPlaylist parsePlaylist(std::string name, std::span<const lessons::LessonFile> files,
                           Questions& questions);
// file: any of its files. Fault: there is no such file.
Expected<ReadPlaylist> readPlaylist(const std::filesystem::path& file, Questions& questions);

// "banks" of banks.playlist.md and of banks.zh-CN.playlist.md; empty: it is not called like a playlist.
std::string nameOfPlaylist(const std::filesystem::path& file);
// Of a name in a folder, in this language.
std::filesystem::path fileOfPlaylist(const std::filesystem::path& folder, std::string_view name,
                                     Language language);
// The names of those in a folder, in alphabetical order.
std::vector<std::string> playlistsIn(const std::filesystem::path& folder);

}  // namespace lockstep::playlists
