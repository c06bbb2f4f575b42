#include "viz/facts/findings_on_show.h"

#include "explain/findings/finding_at.h"
#include "explain/findings/finding_places.h"
#include "explain/sentences/finding_groups.h"
#include "operations/report.h"
#include "viz/marks/frame.h"
#include "viz/marks/glyphs.h"
#include "viz/scene/canvas.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace lockstep::viz {
namespace {

constexpr std::size_t kMostTold = 4;  // sentences in one box
constexpr Words kKeyFinding = english("problem"), kKeyRemark = english("warning");

// Both threads of a collision.
template <class Use> void eachCulprit(const trace::Finding& finding, Use&& use) {
    use(finding.who);
    if (finding.other) use(*finding.other);
}

}  // namespace

Cursor FoundAt::go(const Cursor& cursor) const {
    Cursor to = cursor;
    to.step = step;
    if (!lanes.has(to.lane)) to.lane = lanes.lowest();
    return to;
}

std::string FoundAt::hover(const ViewInput& in) const {
    std::string text;
    for (std::size_t i = 0; i < std::min(findings.size(), kMostTold); ++i)
        text += (i ? "\n" : "") + explain::textOf(in.run, *findings[i]).in(in.language);
    return text;
}

std::vector<FoundAt> findingsOfWarp(const run::Run& run, const Cursor& cursor) {
    const CursorContext here = lookUp(run, cursor);
    if (!here.warp || run.recording.findings.empty()) return {};
    std::map<u32, FoundAt> found;  // by step
    explain::FindingPlaces places(run);
    std::set<const trace::Finding*> ofProblems;  // as the tally counts them
    for (const explain::FindingGroup& group : explain::groupFindings(run.recording.findings, *run.module))
        if (!trace::isRemark(group.first().kind))
            ofProblems.insert(group.findings.begin(), group.findings.end());
    for (const trace::Finding& finding : run.recording.findings) {
        if (finding.launch != cursor.launch || explain::isStop(finding)) continue;
        eachCulprit(finding, [&](const trace::Culprit& culprit) {
            if (!(culprit.block == cursor.block)) return;
            const std::optional<Cursor> place = places.of(finding, culprit);
            if (!place || place->warp != cursor.warp) return;
            FoundAt& at =
                found.try_emplace(place->step, FoundAt{.step = place->step, .lanes = {}, .findings = {}})
                    .first->second;
            at.lanes = at.lanes | LaneMask::of(place->lane);
            at.hasProblem |= ofProblems.contains(&finding);
            if (std::ranges::find(at.findings, &finding) == at.findings.end())
                at.findings.push_back(&finding);
        });
    }
    std::vector<FoundAt> all;
    for (auto& [step, at] : found)
        all.push_back(std::move(at));
    return all;
}

namespace {

// What was found in the host code of the program that the launch is of.
void addHostFindings(const ViewInput& in, u32 file, std::vector<FoundOnLine>& lines) {
    if (!in.program || file >= in.run.module->files.size()) return;
    const std::filesystem::path shown = std::filesystem::path(in.run.module->files[file]).filename();
    for (const operations::ProgramFinding& finding : in.program->findings) {
        if (!finding.kernel.empty() || !finding.place.line ||
            std::filesystem::path(finding.place.file).filename() != shown)
            continue;
        auto known = std::ranges::find(lines, finding.place.line, &FoundOnLine::line);
        if (known == lines.end()) known = lines.insert(known, {.line = finding.place.line, .hover = {}});
        known->hover += (known->hover.empty() ? "" : "\n") + finding.message.in(in.language);
        known->isRemark = known->isRemark && finding.isRemark;
    }
}

}  // namespace

std::vector<FoundOnLine> findingsOfLines(const ViewInput& in, u32 file) {
    const ptx::Module& module = *in.run.module;
    std::vector<FoundOnLine> lines;
    explain::FindingPlaces places(in.run);
    for (const explain::FindingGroup& group : explain::groupFindings(in.run.recording.findings, module)) {
        const trace::Finding& first = group.first();
        if (explain::isStop(first)) continue;
        std::vector<u32> told;  // lines that this group has been noted at
        eachCulprit(first, [&](const trace::Culprit& culprit) {
            if (culprit.pc.value >= module.instructions.size()) return;
            const explain::SourceLine at = explain::lineOf(module, culprit.pc);
            if (file != kPtxLines && at.file != file) return;
            const u32 line = file == kPtxLines ? module.at(culprit.pc).line : at.line;
            if (line == 0 || std::ranges::find(told, line) != told.end()) return;
            told.push_back(line);
            auto known = std::ranges::find(lines, line, &FoundOnLine::line);
            if (known == lines.end()) known = lines.insert(known, {.line = line, .hover = {}});
            known->hover +=
                (known->hover.empty() ? "" : "\n") + explain::textOf(in.run, first).in(in.language);
            if (!known->go) known->go = places.of(first, culprit);
            known->isRemark = known->isRemark && trace::isRemark(first.kind);
        });
    }
    addHostFindings(in, file, lines);
    return lines;
}

Role roleOfFound(bool isRemark) { return role(isRemark ? RoleKind::TextThird : RoleKind::Finding); }

void drawFound(Canvas& canvas, Point centre, f32 size, bool isRemark) {
    warning(canvas, centre, size, roleOfFound(isRemark));
}

std::vector<KeyRow> keysOfFound(const ViewInput& in, f32 size) {
    std::vector<KeyRow> keys;
    const std::vector<FoundAt> found = findingsOfWarp(in.run, in.cursor);
    for (const bool isRemark : {false, true})
        if (std::ranges::any_of(found, [&](const FoundAt& one) { return one.isRemark() == isRemark; }))
            keys.push_back({[size, isRemark](Canvas& c, Point p) { drawFound(c, p, size, isRemark); },
                            say(in.language, isRemark ? kKeyRemark : kKeyFinding)});
    return keys;
}

}  // namespace lockstep::viz
