#include "app/cli/commands/draw_program.h"

#include "app/cli/terminal/output.h"
#include "base/text/counted.h"
#include "operations/sentences.h"
#include "operations/stretches.h"
#include "viz/painters/raster/raster.h"
#include "viz/painters/svg/svg.h"
#include "viz/program/program_picture.h"
#include "viz/scene/fonts.h"

#include <cstdio>
#include <filesystem>
#include <vector>

namespace lockstep::cli {
namespace {

constexpr viz::Size kLeast{480, 120};

void print(const std::string& line) { std::fputs((line + "\n").c_str(), stderr); }

}  // namespace

Expected<void> checkPicture(const std::string& out, const ViewOptions& look) {
    if (!out.ends_with(".svg") && !out.ends_with(".png"))
        return fail(FaultKind::Usage,
                    Message(english("--timeline {0}: end the file's name in .svg or .png"), out));
    const Expected<viz::Size> size = sizeOf(look.size, kLeast);
    if (!size) return Unexpected{size.error()};
    if (const auto theme = themeOf(look); !theme) return Unexpected{theme.error()};
    if (const auto language = languageOf(look); !language) return Unexpected{language.error()};
    return canBeWritten(out);
}

Expected<void> drawProgram(const operations::Operations& all, const std::string& program,
                           std::optional<u32> followed, const std::string& out, const ViewOptions& look,
                           Session& session) {
    const Expected<const run::Resources*> resources = session.resources();
    if (!resources) return Unexpected{resources.error()};
    const Expected<viz::Fonts> fonts = viz::Fonts::load(fontFolder(**resources));
    if (!fonts) return Unexpected{fonts.error()};
    const viz::Theme& theme = **themeOf(look);
    const viz::Scene scene = viz::buildProgram({.operations = all,
                                                .program = std::filesystem::path(program).filename().string(),
                                                .size = *sizeOf(look.size, kLeast),
                                                .language = *languageOf(look),
                                                .metrics = *fonts,
                                                .followed = followed});
    if (out.ends_with(".svg")) return writeFile(out, viz::toSvg(scene, theme));
    if (const Expected<void> pixels = checkPixels(look, scene.size, out); !pixels)
        return Unexpected{pixels.error()};
    return viz::writePng(viz::RasterPainter(*fonts).paint(scene, theme, look.scale), out);
}

void printFollowed(const operations::Operations& all, u32 buffer, Language language) {
    print("lockstep: " + operations::describe(all.buffers[buffer], all).in(language));
    std::vector<operations::Operation> list;
    for (const u64 use : operations::usesOf(buffer, all))
        list.push_back(all.list[use]);
    for (const operations::Stretch& stretch : operations::stretchesOf(list, all))
        for (u64 i = 0; i < stretch.length; ++i)
            print("  " + operations::describe(list[stretch.first + i], all).in(language) +
                  (stretch.times > 1
                       ? " " + say(language, english("The same {0} times."), grouped(stretch.times))
                       : std::string()));
    print("  " + operations::historyOf(all.buffers[buffer], all).in(language));
}

}  // namespace lockstep::cli
