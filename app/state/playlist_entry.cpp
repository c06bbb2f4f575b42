#include "app/state/playlist_entry.h"

#include "app/state/update.h"
#include "app/state/whole_path.h"
#include "viz/view.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace lockstep::app {
namespace {

// Of the kernel's parameters, as they are typed.
std::vector<std::pair<std::string, std::string>> settingsOf(const State& state, const catalog::Family& family,
                                                            const catalog::Variant& variant) {
    std::vector<std::pair<std::string, std::string>> settings;
    for (const std::string& name : variant.parameters)
        if (const auto value = state.choice.values.find(name); value != state.choice.values.end())
            settings.emplace_back(name, family.findParameter(name)->shown(value->second));
    return settings;
}

// That a lesson asks just now; empty: none does.
std::string questionOnShow(const LessonState& lessons) {
    const LessonEntry* lesson = lessons.open ? lessons.current() : nullptr;
    if (!lesson || !lessons.step || !lessons.step->asks()) return {};
    const std::string name =
        lesson->isOwn ? wholePath(lesson->lesson->folder.string()).string() : lesson->key;
    return name + "#" + lessons.step->step().id;
}

// A kernel of a file, with its launch as it is on show.
lessons::Place placeOfFile(const OwnKernel& kernel) {
    lessons::Place place{.kernel = wholePath(kernel.file).string()};
    u32 shared = 0;
    std::from_chars(kernel.shared.data(), kernel.shared.data() + kernel.shared.size(), shared);
    place.own = lessons::FileLaunch{.file = place.kernel,
                                    .entry = kernel.entry,
                                    .grid = kernel.grid,
                                    .block = kernel.block,
                                    .sharedBytes = shared,
                                    .arguments = kernel.arguments,
                                    .references = kernel.references};
    for (const std::string& define : kernel.defines) {
        const std::size_t mark = std::min(define.find('='), define.size());
        place.settings.emplace_back(define.substr(0, mark),
                                    mark < define.size() ? define.substr(mark + 1) : "1");
    }
    return place;
}

std::string pathFrom(const std::filesystem::path& folder, const std::string& path) {
    const std::filesystem::path from = std::filesystem::path(path).lexically_relative(folder);
    return from.empty() ? path : from.generic_string();
}

bool isAtTheSameSizes(const Choice& beside, const Choice& choice) {
    return !beside.own && std::ranges::all_of(beside.values, [&](const auto& value) {
        const auto own = choice.values.find(value.first);
        return own == choice.values.end() || own->second == value.second;
    });
}

}  // namespace

Expected<playlists::NewEntry> entryOnShow(const State& state) {
    const std::optional<OwnKernel>& own = state.choice.own;
    const catalog::Family* family = own ? nullptr : state.catalog->find(state.choice.family);
    const catalog::Variant* variant = family ? family->find(state.choice.variant) : nullptr;
    if ((!variant && !own) || !state.file.empty())
        return fail(FaultKind::Usage, english("a playlist has kernels of the catalog and of .cu and .ptx "
                                              "files, but no recordings and no launches of programs"));
    if (!state.run || state.job.running || state.isOfAnother())
        return fail(FaultKind::Usage, english("wait for the run, then add it to the playlist"));
    const std::string lens = state.presenting.lens.empty() ? "stage" : state.presenting.lens,
                      view = state.presenting.on ? lens : viewInHand(state);
    if (!mayBeInPlaylist(view))
        return fail(
            FaultKind::Usage,
            Message(english("a playlist cannot show the view '{0}'; bring another one to the front"), view));
    const viz::Cursor& cursor = state.cursor;
    playlists::NewEntry entry;
    const std::optional<Choice>& beside = state.compared.choice;
    if (viz::findView(view)->showsBoth) {
        if (own)
            return fail(FaultKind::Usage, english("a playlist compares kernels of the catalog; the one of "
                                                  "this entry is a file"));
        if (!beside || !isAtTheSameSizes(*beside, state.choice))
            return fail(FaultKind::Usage, english("a playlist compares two kernels at the same sizes; choose "
                                                  "one to compare with"));
        entry.with = beside->family + "/" + beside->variant;
    }
    if (own)
        entry.place = placeOfFile(*own);
    else
        entry.place = {.kernel = family->name + "/" + variant->name,
                       .settings = settingsOf(state, *family, *variant)};
    entry.place.profile = state.profile;
    entry.place.view = view;
    entry.place.launch = cursor.launch.value;
    entry.place.block = cursor.block;
    entry.place.warp = cursor.warp.value;
    entry.place.lane = cursor.lane.value;
    entry.place.step = cursor.step + 1;
    entry.question = questionOnShow(state.lessons);
    const std::string nameOfFile = own ? std::filesystem::path(own->file).filename().string() : std::string();
    entry.title = !own                 ? std::string(variant->title.in(state.language))
                  : own->entry.empty() ? nameOfFile
                                       : own->entry;
    return entry;
}

void nameFrom(const std::string& playlistFile, playlists::NewEntry& entry) {
    const std::filesystem::path folder = wholePath(playlistFile).parent_path();
    if (entry.place.own) entry.place.kernel = pathFrom(folder, entry.place.own->file.string());
    const std::size_t mark = entry.question.find('#');
    if (mark == std::string::npos || !entry.question.starts_with('/')) return;
    // A name alone may be that of one of the program's lessons.
    std::string path = pathFrom(folder, entry.question.substr(0, mark));
    if (path.find('/') == std::string::npos) path = "./" + path;
    entry.question = path + entry.question.substr(mark);
}

}  // namespace lockstep::app
