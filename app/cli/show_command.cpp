// lockstep show: one view of one moment, drawn without a display by the same scene code as the window.
#include <memory>

#include "app/cli/output.h"
#include "app/cli/view_options.h"
#include "viz/fonts.h"
#include "viz/painters/raster/raster.h"
#include "viz/painters/svg/svg.h"
#include "viz/view.h"

namespace lockstep::cli {
namespace {

struct Arguments {
    ViewOptions view;
    std::string name, out;
};

Expected<const viz::ViewRow*> viewNamed(const std::string& name) {
    if (const viz::ViewRow* row = viz::findView(name)) return row;
    std::string known;
    for (const viz::ViewRow& row : viz::views()) known += (known.empty() ? "" : ", ") + std::string(row.name);
    return fail(FaultKind::Usage, "--view " + name + ": the views are " + known);
}

// One block is asked for by --block: it must be among those whose events are kept.
Expected<void> focusOnTheBlock(ViewOptions& options) {
    if (options.block.empty()) return {};
    if (const Expected<Dim3> block = dimensions(options.block, "--block", 0); !block) return Unexpected{block.error()};
    if (options.run.focus.empty()) options.run.focus = options.block;
    return {};
}

Expected<int> execute(Arguments arguments, Session& session) {
    const bool svg = arguments.out.ends_with(".svg");
    if (!svg && !arguments.out.ends_with(".png"))
        return fail(FaultKind::Usage, "--out " + arguments.out + ": name a file that ends in .svg or .png");
    const Expected<const viz::ViewRow*> view = viewNamed(arguments.name);
    if (!view) return Unexpected{view.error()};
    const Expected<viz::Size> size = sizeOf(arguments.view.size);
    if (!size) return Unexpected{size.error()};
    const Expected<const viz::Theme*> theme = themeOf(arguments.view);
    if (!theme) return Unexpected{theme.error()};
    const Expected<Language> language = languageOf(arguments.view);
    if (!language) return Unexpected{language.error()};
    const Expected<const run::Resources*> resources = session.resources();
    if (!resources) return Unexpected{resources.error()};
    const Expected<viz::Fonts> fonts = viz::Fonts::load(fontFolder(**resources));
    if (!fonts) return Unexpected{fonts.error()};

    if (const Expected<void> place = canBeWritten(arguments.out); !place) return Unexpected{place.error()};
    if (const Expected<void> focused = focusOnTheBlock(arguments.view); !focused) return Unexpected{focused.error()};
    const Expected<run::Run> run = openRun(arguments.view, session);
    if (!run) return Unexpected{run.error()};
    const Expected<viz::Cursor> cursor = cursorOf(arguments.view, *run, *view);
    if (!cursor) return Unexpected{cursor.error()};

    const auto machines = session.machines();
    if (!machines) return Unexpected{machines.error()};
    const viz::Scene scene = (*view)->build({.run = *run, .cursor = *cursor, .profile = run->profile,
                                             .size = *size, .language = *language, .metrics = *fonts, .machines = machines->get()});
    const Expected<void> written =
        svg ? writeFile(arguments.out, viz::toSvg(scene, **theme))
            : viz::writePng(viz::RasterPainter(*fonts).paint(scene, **theme, arguments.view.scale), arguments.out);
    if (!written) return Unexpected{written.error()};
    return kDone;
}

}  // namespace

Action addShow(CLI::App& command, Session& session) {
    const auto arguments = std::make_shared<Arguments>();
    addViewOptions(command, arguments->view, "960x640");
    command.add_option("--view", arguments->name, "stage, banks, sectors, lanes, timeline, source, memory, findings")->required();
    command.add_option("--out", arguments->out, "the picture: FILE.svg or FILE.png")->required();
    return [arguments, &session] { return execute(*arguments, session); };
}

}  // namespace lockstep::cli
