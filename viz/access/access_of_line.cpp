#include "viz/access/access_of_line.h"

#include "base/text/words.h"
#include "viz/phrases.h"

#include <set>

namespace lockstep::viz {
namespace {

constexpr Words kOfLine = english(" · {0} {1} of {2} of this line");
constexpr Words kElementOfLane = english(" · lane {0}: {1}");

}  // namespace

std::string accessOfLineInBrief(const ViewInput& in, const CursorContext& here) {
    if (!here.access || !here.step) return {};
    const Pc pc = here.step->pc;
    const explain::SourceLine line = explain::lineOf(*in.run.module, pc);
    if (line.line == 0) return {};
    std::set<u32> alike;  // an unrolled line has the same access several times
    for (const model::SiteReport& site : in.run.report.sites)
        if (site.launch == in.cursor.launch && site.space == here.access->space &&
            site.kind == here.access->kind && explain::lineOf(*in.run.module, site.pc) == line)
            alike.insert(site.pc.value);
    const auto own = alike.find(pc.value);
    if (alike.size() < 2 || own == alike.end()) return {};
    return say(in.language, kOfLine, wordsFor(here.access->kind).in(in.language),
               std::distance(alike.begin(), own) + 1, alike.size());
}

std::string accessOfLineText(const ViewInput& in, const CursorContext& here) {
    std::string text = accessOfLineInBrief(in, here);
    if (text.empty() || !here.access->active.has(in.cursor.lane)) return text;
    return text + say(in.language, kElementOfLane, in.cursor.lane.value,
                      addressText(in, *here.warp, *here.access, in.cursor.lane));
}

}  // namespace lockstep::viz
