#include "app/panels/playlist/notes_page.h"

#include "app/panels/commands.h"
#include "app/panels/lesson/markdown_text.h"
#include "app/panels/playlist/playlist_words.h"
#include "app/panels/widgets.h"
#include "playlists/answer_in_words.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockstep::app {
namespace {

using playlists::EntryOnShow, playlists::Part;
using viz::RoleKind;

constexpr std::string_view kPage = "guide/playlists.md";
constexpr f32 kInset = viz::space::kInset, kHead = 74, kFoot = 44, kTwoColumns = 620, kNextShare = 0.34f;
constexpr TextLook kBold{.face = viz::Face::TextBold}, kSecond{.role = RoleKind::TextSecond},
    kTitle{.size = viz::type::kTitle, .face = viz::Face::TextBold},
    kTime{.size = viz::type::kFigure, .face = viz::Face::MonoBold};

void send(PanelContext& context, PlaylistAction action) { context.send(std::move(action)); }

// The keys that go through the lecture work here, too: a remote's go to the window that was clicked last.
void handleNotesKeys(PanelContext& context) {
    for (const Command& command : commands()) {
        const bool isOfLecture = command.when == Command::When::Lecturing || command.id == "present.black";
        if (!isOfLecture || !isOffered(command, context.state)) continue;
        for (const int chord : command.chords)
            if (chord && ImGui::IsKeyChordPressed(chord)) context.send(command.action(context.state));
    }
}

std::string minutesText(f64 seconds) {
    const u64 whole = u64(std::max(0.0, seconds));
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

// Where the lecture stands against its plan: nothing is said where it is within a minute of it.
std::string planText(const State& state, f64 seconds) {
    const playlists::Playlist& list = *state.playlists.playlist->list;
    const u32 from = list.minutesBefore(state.playlists.number),
              to = from + list.entries[state.playlists.number].minutes;
    const Language language = state.language;
    std::string plan = say(language, words::kNotesPlan, from, to, list.minutes());
    const f64 minutes = seconds / 60;
    const s64 late = s64(std::floor(minutes - to)), early = s64(std::floor(from - minutes));
    if (late >= 1) return plan + " · " + say(language, words::kNotesLate, late);
    if (early >= 1) return plan + " · " + say(language, words::kNotesEarly, early);
    return plan;
}

// "Picture 2 of 5", with its name where it has one.
std::string pictureText(const PlaylistState& state, std::size_t picture, Language language) {
    return state.entry->pictures[picture].named(
        say(language, words::kPlaylistPicture, picture + 1, state.entry->pictures.size()), language);
}

std::string entryText(const PlaylistState& state, Language language) {
    std::string text = say(language, words::kNotesEntry, state.number + 1, state.count());
    if (!state.entry || state.entry->pictures.size() < 2) return text;
    return text + " · " + pictureText(state, state.picture, language);
}

void drawHead(PanelContext& context, const NotesClock& clock) {
    const State& state = context.state;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetWindowPos();
    const f32 width = ImGui::GetWindowWidth();
    const std::string time = minutesText(clock.seconds), plan = planText(state, clock.seconds);
    drawText(context, list, {at.x + width - kInset - widthOf(context, time, kTime), at.y + 28}, time, kTime);
    drawText(context, list, {at.x + kInset, at.y + 20}, state.playlists.text()->title(state.language), kBold);
    drawText(context, list, {at.x + kInset, at.y + 40}, entryText(state.playlists, state.language), kSecond);
    drawText(context, list, {at.x + kInset, at.y + 60}, plan, kSecond);
    list.AddLine({at.x, at.y + kHead - 0.5f}, {at.x + width, at.y + kHead - 0.5f},
                 ink(context, RoleKind::Line));
}

void section(PanelContext& context, const Words& title) {
    ImGui::Dummy({1, viz::space::kGrid});
    label(context, title.in(context.state.language), {.face = viz::Face::TextBold, .role = RoleKind::Load});
}

void drawQuestion(PanelContext& context, const EntryOnShow& entry, f32 width) {
    if (!entry.question) return;
    const Language language = context.state.language;
    section(context, words::kNotesAnswer);
    drawMarkdown(context, playlists::answerInWords(*entry.question, language), width);
    drawMarkdown(context, entry.question->in(language).reveal, width);
    if (!entry.usual.empty()) section(context, words::kNotesUsual);
    for (const playlists::UsualAnswer& usual : entry.usual)
        drawMarkdown(context,
                     "- " + say(language, words::kNotesUsualAnswer,
                                playlists::answerInOneLine(*entry.question, usual.answer, language),
                                usual.why.at(language)),
                     width);
    // Last, because it is on the projector.
    section(context, words::kNotesQuestion);
    drawMarkdown(context, playlists::questionInWords(*entry.question, language), width);
}

// Each entry is read from its top.
void scrollToTopOfNewEntry(std::size_t number) {
    int& last = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("entry"), -1);
    if (std::exchange(last, int(number)) != int(number)) ImGui::SetScrollY(0);
}

void drawNotes(PanelContext& context) {
    const PlaylistState& state = context.state.playlists;
    const Language language = context.state.language;
    const f32 width = ImGui::GetContentRegionAvail().x;
    scrollToTopOfNewEntry(state.number);
    if (!state.entry)
        return paragraph(context,
                         state.fault ? describe(*state.fault, language)
                                     : std::string(words::kPlaylistPreparing.in(language)),
                         kSecond, width);
    const EntryOnShow& entry = *state.entry;
    const lessons::StepWords& said = entry.step->in(language);
    paragraph(context, said.title, kTitle, width);
    if (said.notes.empty())
        paragraph(context, words::kNotesNone.in(language), kSecond, width);
    else
        drawMarkdown(context, said.notes, width);
    drawQuestion(context, entry, width);
    if (said.body.empty() && said.reveal.empty()) return;
    section(context, words::kNotesText);
    drawMarkdown(context, said.body, width);
    drawMarkdown(context, said.reveal, width, RoleKind::TextSecond);
}

bool isToBeRevealed(const PlaylistState& state) {
    return state.entry && !state.revealed && state.entry->hides();
}
bool staysInEntry(const PlaylistState& state) {
    return isToBeRevealed(state) || (state.entry && state.picture + 1 < state.entry->pictures.size());
}

void drawNext(PanelContext& context) {
    const PlaylistState& state = context.state.playlists;
    const Language language = context.state.language;
    const f32 width = ImGui::GetContentRegionAvail().x;
    const std::string next = whatComesNext(context.state);
    label(context, words::kNotesNext.in(language), {.face = viz::Face::TextBold, .role = RoleKind::Load});
    paragraph(context, next.empty() ? std::string(words::kNotesEnd.in(language)) : next, kBold, width);
    // Behind what comes next, which may be an entry itself.
    const std::size_t later = state.number + (staysInEntry(state) ? 1 : 2);
    if (later >= state.count()) return;
    ImGui::Dummy({1, viz::space::kGap});
    label(context, words::kNotesThen.in(language), kSecond);
    for (std::size_t i = later; i < state.count(); ++i)
        paragraph(context,
                  say(language, words::kNotesLater, i + 1, state.text()->steps[i].text(language).title,
                      state.playlist->list->entries[i].minutes),
                  kSecond, width);
}

void drawFoot(PanelContext& context, NotesClock& clock) {
    const Language language = context.state.language;
    const f32 y = (kFoot - kControlHeight) / 2, width = ImGui::GetWindowWidth();
    const ImVec2 at = ImGui::GetWindowPos();
    ImGui::GetWindowDrawList()->AddLine({at.x, at.y + 0.5f}, {at.x + width, at.y + 0.5f},
                                        ink(context, RoleKind::Line));
    ImGui::SetCursorPos({kInset, y});
    if (textButton(context, "back", words::kPlaylistBack.in(language),
                   {words::kPlaylistBackHelp.in(language), kPage}))
        send(context, PlaylistOn{true});
    ImGui::SameLine();
    clock.isReset = textButton(context, "clock", words::kNotesClock.in(language),
                               {words::kNotesClockHelp.in(language), kPage});
    const std::string_view next = words::kPlaylistNext.in(language);
    ImGui::SetCursorPos({width - kInset - widthOf(context, next) - 24, y});
    if (textButton(context, "next", next, {words::kPlaylistNextHelp.in(language), kPage}))
        send(context, PlaylistOn{});
}

template <class Draw> void part(const char* id, viz::Rect place, ImGuiWindowFlags flags, Draw&& draw) {
    ImGui::SetCursorPos({place.x, place.y});
    if (ImGui::BeginChild(id, {place.width, place.height}, ImGuiChildFlags_AlwaysUseWindowPadding, flags))
        draw();
    ImGui::EndChild();
}

}  // namespace

std::string whatComesNext(const State& of) {
    const PlaylistState& state = of.playlists;
    const Language language = of.language;
    if (isToBeRevealed(state)) {
        const auto hides = [&](Part part) { return state.entry->entry().isHidden(part); };
        if (hides(Part::View) || hides(Part::Sentence) || hides(Part::Source))
            return say(language, state.entry->answerPicture > 0 ? words::kNotesRevealsFirst
                                                                : words::kNotesRevealsPicture);
        return say(language, words::kNotesReveals);
    }
    if (staysInEntry(state)) {
        const std::string next = pictureText(state, state.picture + 1, language);
        const bool hasAnswer = state.entry->question && state.picture + 1 == state.entry->answerPicture;
        return hasAnswer ? say(language, words::kNotesWithAnswer, next) : next;
    }
    if (state.number + 1 >= state.count()) return {};
    return say(language, words::kNotesLater, state.number + 2,
               state.text()->steps[state.number + 1].text(language).title,
               state.playlist->list->entries[state.number + 1].minutes);
}

void drawNotesPage(PanelContext& context, NotesClock& clock) {
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    const f32 width = viewport.WorkSize.x, height = viewport.WorkSize.y;
    clock.isReset = false;
    handleNotesKeys(context);
    ImGui::SetNextWindowPos(viewport.WorkPos);
    ImGui::SetNextWindowSize(viewport.WorkSize);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    constexpr ImGuiWindowFlags kPlain = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
    ImGui::Begin("##notes", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus);
    if (context.state.playlists.isOn()) {
        part("head", {0, 0, width, kHead}, kPlain, [&] { drawHead(context, clock); });
        ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(kInset, 12));
        const f32 room = height - kHead - kFoot;
        const bool isBeside = width >= kTwoColumns;
        const f32 next = isBeside ? std::floor(width * kNextShare) : width,
                  nextHigh = isBeside ? room : std::floor(room * kNextShare);
        part("notes", {0, kHead, isBeside ? width - next : width, isBeside ? room : room - nextHigh},
             ImGuiWindowFlags_None, [&] { drawNotes(context); });
        part("next", {width - next, kHead + room - nextHigh, next, nextHigh}, ImGuiWindowFlags_None,
             [&] { drawNext(context); });
        ImGui::PopStyleVar();
        part("foot", {0, height - kFoot, width, kFoot}, kPlain, [&] { drawFoot(context, clock); });
    }
    ImGui::End();
    ImGui::PopStyleVar();
}

}  // namespace lockstep::app
