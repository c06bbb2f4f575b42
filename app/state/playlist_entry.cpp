#include "app/state/playlist_entry.h"

#include "app/state/update.h"
#include "viz/view.h"

#include <algorithm>

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
    if (!lesson || lesson->isOwn || !lessons.step || !lessons.step->asks()) return {};
    return lesson->key + "#" + lessons.step->step().id;
}

bool isAtTheSameSizes(const Choice& beside, const Choice& choice) {
    return !beside.own && std::ranges::all_of(beside.values, [&](const auto& value) {
        const auto own = choice.values.find(value.first);
        return own == choice.values.end() || own->second == value.second;
    });
}

}  // namespace

Expected<playlists::NewEntry> entryOnShow(const State& state) {
    const catalog::Family* family = state.choice.own ? nullptr : state.catalog->find(state.choice.family);
    const catalog::Variant* variant = family ? family->find(state.choice.variant) : nullptr;
    if (!variant || !state.file.empty())
        return fail(FaultKind::Usage, english("a playlist has kernels of the catalog; this one is a file"));
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
        if (!beside || !isAtTheSameSizes(*beside, state.choice))
            return fail(FaultKind::Usage, english("a playlist compares two kernels at the same sizes; choose "
                                                  "one to compare with"));
        entry.with = beside->family + "/" + beside->variant;
    }
    entry.place = {.kernel = family->name + "/" + variant->name,
                   .settings = settingsOf(state, *family, *variant),
                   .profile = state.profile,
                   .view = view,
                   .launch = cursor.launch.value,
                   .block = cursor.block,
                   .warp = cursor.warp.value,
                   .lane = cursor.lane.value,
                   .step = cursor.step + 1};
    entry.question = questionOnShow(state.lessons);
    entry.title = std::string(variant->title.in(state.language));
    return entry;
}

}  // namespace lockstep::app
