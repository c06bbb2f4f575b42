#include "app/panels/editor/line_notes.h"

#include "app/panels/editor/compiler_notices.h"
#include "app/panels/editor/editor_words.h"
#include "app/panels/widgets.h"
#include "app/state/whole_path.h"
#include "base/text/counted.h"
#include "explain/source/source_line.h"
#include "model/profiles/profile.h"
#include "viz/cursor/lookup.h"
#include "viz/facts/findings_on_show.h"
#include "viz/messages.h"
#include "viz/phrases.h"
#include "viz/views/source_page.h"

#include <TextEditor.h>
#include <imgui.h>
#include <imgui_internal.h>  // whether the mouse is over the text

#include <algorithm>

namespace lockstep::app {
namespace {

using viz::RoleKind;

// The number of the module's file that is the text's; none: its text is not known there.
std::optional<u32> fileIn(const ptx::Module& module, const std::string& file) {
    for (u32 number = 0; number < module.files.size() && number < module.sources.size(); ++number)
        if (!module.sources[number].empty() &&
            wholePath(std::string(module.files[number])) == wholePath(file))
            return number;
    return std::nullopt;
}

}  // namespace

LineNotes::Note& LineNotes::noteAt(TextEditor& editor, u32 line) {
    if (auto* note = static_cast<Note*>(editor.GetUserData(line - 1))) return *note;
    notes_.push_back(std::make_unique<Note>());
    editor.SetUserData(line - 1, notes_.back().get());
    return *notes_.back();
}

// From what the source view has in its margin.
void LineNotes::addCosts(PanelContext& context, const viz::ViewInput& in, u32 file, TextEditor& editor) {
    const viz::SourcePage page = viz::cudaPage(in, file, {});
    viz::LineCost total;
    for (const viz::LineCost& cost : page.costs)
        total.sectors += cost.sectors, total.wavefronts += cost.wavefronts, total.divergent += cost.divergent;
    const auto share = [](u64 part, u64 whole) { return whole ? f32(f64(part) / f64(whole)) : 0.0f; };
    const std::size_t lines = std::min(page.costs.size(), editor.GetLineCount());
    for (std::size_t i = 0; i < lines; ++i) {
        const viz::LineCost& cost = page.costs[i];
        if (cost.executions == 0) continue;
        Note& note = noteAt(editor, u32(i) + 1);
        note.cost = say(in.language,
                        viz::countsSectors(in.profile) ? viz::message::kLineHover
                                                       : viz::message::kLineHoverTransactions,
                        i + 1, grouped(cost.executions), grouped(cost.sectors), grouped(cost.wavefronts),
                        grouped(cost.divergent)) +
                    "\n" + std::string(words::kMarginBars.in(in.language));
        note.shares = {share(cost.sectors, total.sectors), share(cost.wavefronts, total.wavefronts),
                       share(cost.divergent, total.divergent)};
    }
    ground_ = ink(context, RoleKind::Inactive);
    bar_ = ink(context, RoleKind::TextSecond);
}

// Each kind in a form of its own.
void LineNotes::drawMark(const Note& note, f32 x, f32 y) const {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    switch (note.kind) {
        case Kind::Error: list.AddCircleFilled({x, y}, 4.5f, problem_); break;
        case Kind::Finding: drawIcon(list, Icon::Warning, {x, y}, problem_); break;
        case Kind::Warning:
            list.AddQuad({x, y - 5.5f}, {x + 5.5f, y}, {x, y + 5.5f}, {x - 5.5f, y}, remark_, 1.5f);
            break;
        case Kind::Remark: list.AddCircle({x, y}, 4, remark_, 0, 1.5f); break;
    }
}

// The mark of what was found, then the bars side by side, none where the line has nothing of it.
void LineNotes::drawMargin(const Note& note, f32 left, f32 y, f32 width, f32 height) const {
    constexpr f32 kHigh = 10, kBetween = 3, kMark = 18;
    if (!note.text.empty()) drawMark(note, left + kMark / 2 - 1, y + height / 2);
    const f32 from = left + kMark;
    const f32 pitch = (width - kMark) / f32(note.shares.size()), bar = pitch - kBetween;
    const f32 top = y + (height - kHigh) / 2;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (std::size_t i = 0; i < note.shares.size(); ++i) {
        if (note.shares[i] <= 0) continue;
        const f32 x = from + f32(i) * pitch;
        list.AddRectFilled({x, top}, {x + bar, top + kHigh}, ground_);
        list.AddRectFilled({x, top}, {x + std::max(1.0f, bar * note.shares[i]), top + kHigh}, bar_);
    }
}

void LineNotes::update(PanelContext& context, const EditedText& text, TextEditor& editor) {
    constexpr std::size_t kMarginColumns = 8;
    const State& state = context.state;
    movedTo_ = 0;
    if (!editor.HasLineDecorator())
        // Of a line that goes on in further rows, at the first one.
        editor.SetLineDecorator(kMarginColumns, [this, &editor](TextEditor::Decorator& line) {
            if (const auto* note = static_cast<const Note*>(editor.GetUserData(line.line)))
                drawMargin(*note, ImGui::GetCursorScreenPos().x, editor.DocPos2ScreenPos({line.line, 0}).y,
                           line.width, line.height);
        });
    const bool isExperiment = state.editedExperiment() == &text;
    const std::optional<Fault>& fault = state.fault;
    const bool isOfFault =
        fault && fault->place.line > 0 && wholePath(fault->place.file) == wholePath(text.file);
    std::optional<u32> file;
    u32 line = 0;
    const bool isOnShow = isExperiment && state.run && !state.isOfAnother();
    if (isOnShow) {
        file = fileIn(*state.run->module, text.file);
        const viz::CursorContext here = viz::lookUp(*state.run, state.cursor);
        if (file && here.step)
            if (const explain::SourceLine at = explain::lineOf(*state.run->module, here.step->pc);
                at.file == *file)
                line = at.line;
    }
    Key key{.run = isOnShow ? state.run : nullptr,
            .shown = state.editor.shown,
            .failed = isOfFault ? state.editor.failed : nullptr,
            .faultLine = isOfFault ? std::optional(fault->place.line) : std::nullopt,
            .fault = isOfFault ? fault->message.in(state.language) : std::string(),
            .line = line,
            .theme = std::string(context.theme.name),
            .profile = state.profile,
            .language = state.language};
    if (key == key_) return;
    // What is of another text than this has no line in it: the notes stay where they are until there is more.
    const bool isOfThis = !state.isOfEarlierText();
    const bool isFaultOfThis =
        !isOfFault || !state.editor.failed || isSameText(state.editor.failed, text.text);
    if (isExperiment && ((!isOfThis && !isOfFault) || !isFaultOfThis)) return;
    if (key.line != key_.line && isOfThis) movedTo_ = key.line;
    key_ = std::move(key);
    editor.ClearMarkers();
    if (isOfThis) {
        for (std::size_t i = 0; i < editor.GetLineCount(); ++i)
            editor.SetUserData(i, nullptr);
        notes_.clear();
    }
    for (const std::unique_ptr<Note>& note : notes_)
        note->text.clear(), note->kind = Kind::Remark;
    const u32 lines = u32(editor.GetLineCount());
    const auto add = [&](u32 at, const std::string& sentence, Kind kind) {
        if (at == 0 || at > lines) return;
        Note& note = noteAt(editor, at);
        note.text += (note.text.empty() ? "" : "\n") + sentence;
        note.kind = std::max(note.kind, kind);
    };
    if (file && isOfThis) {
        const model::Profile* profile = model::findProfile(state.profile);
        const viz::ViewInput in{.run = *state.run,
                                .cursor = state.cursor,
                                .profile = profile ? *profile : model::defaultProfile(),
                                .size = {},
                                .language = state.language,
                                .metrics = context.metrics,
                                .program = state.programOnShow().get()};
        for (const viz::FoundOnLine& found : viz::findingsOfLines(in, *file))
            add(found.line, found.hover, found.isRemark ? Kind::Remark : Kind::Finding);
        addCosts(context, in, *file, editor);
    }
    for (const CompilerNotice& notice : noticesOf(state, text))
        if (notice.isWarning)
            add(notice.line, say(state.language, words::kTextWarning, notice.text), Kind::Warning);
        else
            add(notice.line, notice.text, Kind::Error);
    problem_ = ink(context, RoleKind::Finding);
    remark_ = ink(context, RoleKind::TextSecond);
    for (u32 at = 1; at <= lines; ++at) {
        const auto* note = static_cast<const Note*>(editor.GetUserData(at - 1));
        const bool isFound = note && !note->text.empty(), isCursors = at == line && isOfThis;
        if (!isFound && !isCursors) continue;
        const bool isProblem = isFound && note->kind >= Kind::Finding;
        const RoleKind kind = isProblem ? RoleKind::Finding : RoleKind::TextThird;
        const u32 across = isCursors                   ? ink(context, RoleKind::Edge, 0.35f)
                           : kind == RoleKind::Finding ? ink(context, kind, 0.14f)
                                                       : 0;
        editor.AddMarker(at - 1, isFound ? ink(context, kind, 0.55f) : ink(context, RoleKind::Edge, 0.5f),
                         across, "", "");
    }
}

void LineNotes::hover(PanelContext& context, const TextEditor& editor) const {
    if (!ImGui::IsItemHovered(ImGuiHoveredFlags_None)) return;
    const ImVec2 mouse = ImGui::GetMousePos();
    const std::size_t line = editor.GetDocPosAtMousePos(mouse).line;
    if (line >= editor.GetLineCount()) return;
    const auto* note = static_cast<const Note*>(editor.GetUserData(line));
    const ImVec2 at = editor.DocPos2ScreenPos({line, 0});
    const f32 bottom =
        editor.DocPos2ScreenPos({line, editor.GetLineText(line).size()}).y + editor.GetLineHeight();
    if (!note || mouse.y < at.y || mouse.y > bottom) return;
    std::string said = note->text;
    if (mouse.x < at.x && !note->cost.empty()) said += (said.empty() ? "" : "\n") + note->cost;
    if (said.empty()) return;
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    tooltip(context, said, viz::Rect{low.x, at.y, high.x - low.x, bottom - at.y});
}

}  // namespace lockstep::app
