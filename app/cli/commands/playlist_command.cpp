// lockstep playlist: lists and checks a lecturer's playlists, makes handouts of them, opens them in the
// window.
#include "app/cli/commands/commands.h"
#include "app/cli/pages/mistake_list.h"
#include "app/cli/pages/playlist_pictures.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/progress_line.h"
#include "app/state/playlist_state.h"
#include "base/nearest.h"
#include "playlists/answer_in_words.h"
#include "playlists/check_playlist.h"
#include "viz/view_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>

namespace lockstep::cli {
namespace {

using playlists::ReadPlaylist;

struct Arguments {
    std::vector<std::string> words;
    std::string out, json, entry;
};

std::vector<std::string> viewsOfPlaylists() {
    std::vector<std::string> views = viz::namesOfViews();
    std::erase_if(views, [](const std::string& view) { return !app::mayBeInPlaylist(view); });
    return views;
}

// What reading and running playlists takes.
struct Desk {
    std::filesystem::path folder;  // of the program's own
    playlists::Questions questions;
    lessons::LessonRuns runs;
};
Expected<Desk> deskOf(Session& session) {
    const Expected<const run::Resources*> resources = session.resources();
    if (!resources) return Unexpected{resources.error()};
    const Expected<const catalog::Catalog*> catalog = session.catalog();
    if (!catalog) return Unexpected{catalog.error()};
    return Desk{(*resources)->assets() / "playlists",
                playlists::Questions((*resources)->assets() / "lessons"),
                lessons::LessonRuns(**resources, **catalog)};
}

// Of our own by its name, of others by their file.
Expected<std::filesystem::path> fileOf(const std::string& word, const Desk& desk) {
    if (!playlists::nameOfPlaylist(word).empty()) return std::filesystem::path(word);
    const std::vector<std::string> names = playlists::playlistsIn(desk.folder);
    if (std::ranges::find(names, word) != names.end())
        return playlists::fileOfPlaylist(desk.folder, word, Language::English);
    return fail(
        FaultKind::NotFound,
        Message(english("there is no playlist '{0}'{1} (lockstep playlist list has the program's; one "
                        "of your own is a file NAME{2})"),
                word, didYouMean(word, names), playlists::kExtension));
}

Expected<ReadPlaylist> readNamed(const std::string& word, Desk& desk) {
    const Expected<std::filesystem::path> file = fileOf(word, desk);
    if (!file) return Unexpected{file.error()};
    return playlists::readPlaylist(*file, desk.questions);
}

Expected<int> list(const Arguments& arguments, Session& session) {
    Expected<Desk> desk = deskOf(session);
    if (!desk) return Unexpected{desk.error()};
    Json rows = Json::array();
    for (const std::string& name : playlists::playlistsIn(desk->folder)) {
        const Expected<ReadPlaylist> read = readNamed(name, *desk);
        if (!read) return Unexpected{read.error()};
        const playlists::Playlist& playlist = read->playlist;
        if (arguments.json.empty())
            printOut("{:<14} {}  {}\n", name, playlist.text.title(session.language()),
                     say(session.language(), english("({0} {0:entry|entries}, {1} {1:minute|minutes})"),
                         playlist.entries.size(), playlist.minutes()));
        rows.push_back({{"name", name},
                        {"file", playlist.text.mainFile()},
                        {"entries", playlist.entries.size()},
                        {"minutes", playlist.minutes()}});
    }
    if (!arguments.json.empty())
        if (const Expected<void> written = writeJson({{"playlists", rows}}, arguments.json); !written)
            return Unexpected{written.error()};
    return kDone;
}

Expected<int> check(const Arguments& arguments, Session& session) {
    Expected<Desk> desk = deskOf(session);
    if (!desk) return Unexpected{desk.error()};
    std::vector<std::string> words(arguments.words.begin() + 1, arguments.words.end());
    if (words.empty()) words = playlists::playlistsIn(desk->folder);
    std::size_t entries = 0;
    MistakeList mistakes(arguments.json, session.language());
    for (const std::string& word : words) {
        const Expected<ReadPlaylist> read = readNamed(word, *desk);
        if (!read) return Unexpected{read.error()};
        entries += read->playlist.entries.size();
        for (const Fault& fault :
             playlists::checkPlaylist(*read, desk->runs, desk->questions, viewsOfPlaylists()))
            mistakes.add(fault);
    }
    return mistakes.finish(
        say(session.language(),
            english("{0} {0:playlist|playlists}, {1} {1:entry|entries}, {2} {2:mistake|mistakes}"),
            words.size(), entries, mistakes.count()));
}

// The entries that can be shown; a sentence says each mistake, and the rest works.
std::vector<std::shared_ptr<const playlists::EntryOnShow>> shownEntries(ReadPlaylist read, Desk& desk,
                                                                        Session& session) {
    for (const Fault& mistake : read.mistakes)
        session.tell(describe(mistake, session.language()));
    const auto playlist = std::make_shared<const playlists::Playlist>(std::move(read.playlist));
    std::vector<std::shared_ptr<const playlists::EntryOnShow>> entries;
    for (std::size_t i = 0; i < playlist->entries.size(); ++i)
        if (const lessons::Place& place = playlist->text.steps[i].place; !app::mayBeInPlaylist(place.view))
            session.tell(english("{0}:{1}: there is no view '{2}' that shows one run"),
                         playlist->text.mainFile(), place.fileLine, place.view);
        else if (auto entry = playlists::showEntry(playlist, i, desk.runs, desk.questions))
            entries.push_back(std::move(*entry));
        else
            session.tell(describe(entry.error(), session.language()));
    return entries;
}

Expected<int> handOut(const Arguments& arguments, Session& session) {
    if (arguments.words.size() != 2 || arguments.out.empty())
        return fail(FaultKind::Usage, Message(english("give the playlist and the file to write: {0}"),
                                              "lockstep playlist handout banks --out banks.html"));
    Expected<Desk> desk = deskOf(session);
    if (!desk) return Unexpected{desk.error()};
    Expected<ReadPlaylist> read = readNamed(arguments.words[1], *desk);
    if (!read) return Unexpected{read.error()};
    const auto entries = shownEntries(std::move(*read), *desk, session);
    Expected<PlaylistPictures> pictures = PlaylistPictures::open(session, session.language());
    if (!pictures) return Unexpected{pictures.error()};
    Expected<playlists::Handout> handout = [&] {
        std::atomic<u32> drawn = 0;
        const ProgressLine line(session.language(), [&] {
            return say(session.language(), english("drawing the handout, picture {0}"), drawn.load() + 1);
        });
        return playlists::makeHandout(entries, session.language(), [&](const playlists::Picture& picture) {
            ++drawn;
            return pictures->draw(picture);
        });
    }();
    if (!handout) return Unexpected{handout.error()};
    if (const Expected<void> written = writeFile(arguments.out, handout->html); !written)
        return Unexpected{written.error()};
    constexpr std::size_t kKilobyte = 1000;
    printLine(session.language(), english("{0}: {1} {1:entry|entries}, {2} {2:picture|pictures}, {3} kB"),
              arguments.out, entries.size(), handout->pictures,
              (handout->html.size() + kKilobyte - 1) / kKilobyte);
    if (handout->leftOut > 0)
        printLine(session.language(), english("{0} {0:picture|pictures} not in it: an entry has at most {1}"),
                  handout->leftOut, playlists::kMostPictures);
    return kDone;
}

// What the lecturer has beside the screen, to be printed: each entry with its minutes, answer and notes.
Expected<int> writeNotes(const Arguments& arguments, Session& session) {
    if (arguments.words.size() != 2)
        return fail(FaultKind::Usage,
                    Message(english("give one playlist: {0}"), "lockstep playlist notes banks"));
    Expected<Desk> desk = deskOf(session);
    if (!desk) return Unexpected{desk.error()};
    Expected<ReadPlaylist> read = readNamed(arguments.words[1], *desk);
    if (!read) return Unexpected{read.error()};
    const Language language = session.language();
    std::string page = "# " + read->playlist.text.title(language) + "\n";
    for (const auto& entry : shownEntries(std::move(*read), *desk, session)) {
        const lessons::StepWords& words = entry->step->in(language);
        page +=
            "\n## " +
            say(language, english("{0}. {1} ({2} {2:minute|minutes}, from minute {3})"), entry->number + 1,
                words.title, entry->entry().minutes, entry->playlist->minutesBefore(entry->number)) +
            "\n\n";
        if (entry->question) page += playlists::answerInWords(*entry->question, language) + "\n\n";
        const std::string& reveal =
            words.reveal.empty() && entry->question ? entry->question->in(language).reveal : words.reveal;
        if (!reveal.empty()) page += reveal + "\n\n";
        if (!words.notes.empty()) page += words.notes + "\n";
    }
    const Expected<void> written = writeText(page, arguments.out.empty() ? "-" : arguments.out);
    if (!written) return Unexpected{written.error()};
    return kDone;
}

Expected<int> openIt(const Arguments& arguments, Session& session) {
    if (arguments.words.size() > 1)
        return fail(FaultKind::Usage, Message(english("'{0}' is one word too many; an entry is chosen with "
                                                      "--entry"),
                                              arguments.words[1]));
    const Expected<Desk> desk = deskOf(session);
    if (!desk) return Unexpected{desk.error()};
    const Expected<std::filesystem::path> file = fileOf(arguments.words[0], *desk);
    if (!file) return Unexpected{file.error()};
    return openPlaylistWindow(file->string(), arguments.entry, session);
}

}  // namespace

Action addPlaylist(const Command& command, Session& session) {
    const auto arguments = std::make_shared<Arguments>();
    command
        .add("what", arguments->words,
             english("list, check [NAME ...], handout NAME, notes NAME, or a playlist to open in the window: "
                     "its name, or "
                     "the file of one of your own"))
        .type("NAME|list|check|handout|notes")
        .required();
    command.add("--entry", arguments->entry, english("entry to begin with (default the first)")).type("ID");
    command
        .add("--out", arguments->out,
             english("of handout: the page to write, FILE.html; of notes: FILE.md (default standard output)"))
        .type("FILE");
    command.addJson(arguments->json, english("write what is listed or found as JSON to this file"));
    return [arguments, &session]() -> Expected<int> {
        if (arguments->words[0] == "list") return list(*arguments, session);
        if (arguments->words[0] == "check") return check(*arguments, session);
        if (arguments->words[0] == "notes") return writeNotes(*arguments, session);
        if (arguments->words[0] == "handout") return handOut(*arguments, session);
        return openIt(*arguments, session);
    };
}

}  // namespace lockstep::cli
