#include "app/cli/pages/playlist_pictures.h"

#include "app/cli/commands/ask_model.h"
#include "app/cli/commands/try_orders.h"
#include "app/cli/options/view_options.h"
#include "viz/compare/comparison.h"
#include "viz/cursor/command_line.h"
#include "viz/painters/svg/svg.h"
#include "viz/scene/captioned.h"
#include "viz/view.h"

#include <algorithm>

namespace lockstep::cli {
namespace {

constexpr viz::Size kPicture{760, 470};  // wide enough for 32 lanes in letters that print well

// Of a kernel of a file, in the words of the command line.
std::vector<std::string> launchOf(const playlists::Picture& picture) {
    if (!picture.own) return {};
    const run::LaunchText& launch = picture.own->launch;
    std::vector<std::string> words;
    const auto add = [&](const char* option, const std::string& value) {
        if (value.empty()) return;
        words.emplace_back(option);
        words.push_back(value);
    };
    add("--entry", picture.own->entry);
    add("--grid", launch.grid);
    add("--block-size", launch.block);
    if (launch.dynamicSharedBytes > 0) add("--shared", std::to_string(launch.dynamicSharedBytes));
    for (const std::string& define : launch.defines)
        add("--define", define);
    for (const std::string& argument : launch.arguments)
        add("--arg", argument);
    return words;
}

}  // namespace

Expected<PlaylistPictures> PlaylistPictures::open(Session& session, Language language) {
    const Expected<const run::Resources*> resources = session.resources();
    if (!resources) return Unexpected{resources.error()};
    Expected<viz::Fonts> fonts = viz::Fonts::load(fontFolder(**resources));
    if (!fonts) return Unexpected{fonts.error()};
    auto machines = session.machines();
    if (!machines) return Unexpected{machines.error()};
    return PlaylistPictures(session, language, std::move(*fonts), std::move(*machines));
}

Expected<playlists::DrawnPicture> PlaylistPictures::draw(const playlists::Picture& picture) {
    const viz::ViewRow* view = viz::findView(picture.view);
    const viz::Theme* theme = viz::findTheme("light");
    if (!view || !theme)
        return fail(FaultKind::NotFound, Message(english("there is no view '{0}'"), picture.view));
    if (of_ != picture.run) {
        auto run = std::make_shared<run::Run>(*picture.run);
        if (const Expected<void> attached = session_->attachRecorded(*run, {}); !attached)
            return Unexpected{attached.error()};
        of_ = picture.run;
        shown_ = std::move(run);
    }
    const Expected<viz::IssuesOnShow> issues =
        askModel(viz::modeledBy(*view, {}), *shown_, picture.cursor, *session_);
    if (!issues) return Unexpected{issues.error()};
    const viz::OrdersOnShow orders = ordersFor(*view, *shown_, {}, *session_);
    const run::Run* const other = picture.beside ? picture.beside->run.get() : nullptr;
    std::optional<viz::ComparedRun> beside;
    if (other)
        beside.emplace(*other, viz::tied(*shown_, picture.cursor, *other, viz::Tie::Phase), other->profile);
    viz::Scene scene = viz::buildCaptioned(*view, {.run = *shown_,
                                                   .cursor = picture.cursor,
                                                   .profile = shown_->profile,
                                                   .size = {std::max(kPicture.width, view->least.width),
                                                            std::max(kPicture.height, view->leastCaptioned)},
                                                   .language = language_,
                                                   .metrics = fonts_,
                                                   .machines = machines_.get(),
                                                   .compared = beside ? &*beside : nullptr,
                                                   .issues = &*issues,
                                                   .orders = &orders});
    scene.hits.clear();  // what the mouse tells in the window is half of a picture's size
    return playlists::DrawnPicture{viz::toSvg(scene, *theme),
                                   viz::commandLine({.run = *shown_,
                                                     .cursor = picture.cursor,
                                                     .view = picture.view,
                                                     .profile = shown_->profile.name,
                                                     .compared = other,
                                                     .file = picture.kernel,
                                                     .launch = launchOf(picture)})};
}

}  // namespace lockstep::cli
