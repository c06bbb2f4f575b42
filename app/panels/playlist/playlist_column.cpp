#include "app/panels/playlist/playlist_column.h"

#include "app/panels/lesson/lesson_look.h"
#include "app/panels/lesson/markdown_text.h"
#include "app/panels/playlist/lecture_screen.h"
#include "app/panels/playlist/playlist_words.h"
#include "app/panels/terms.h"
#include "playlists/answer_in_words.h"
#include "viz/view.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace lockstep::app {
namespace {

using playlists::EntryOnShow;
using viz::RoleKind;

constexpr std::string_view kPage = "guide/playlists.md";
constexpr TextLook kTitle{.size = viz::type::kTitle, .face = viz::Face::TextBold};
constexpr f32 kFoot = 44;

void send(PanelContext& context, PlaylistAction action) { context.send(std::move(action)); }
Help help(const PanelContext& context, const Words& words) {
    return {words.in(context.state.language), kPage};
}
bool button(PanelContext& context, const char* id, const Words& text, const Words& explained) {
    return textButton(context, id, text.in(context.state.language), help(context, explained));
}

// A row that can be clicked: a title, and a text below it.
bool drawRow(PanelContext& context, const std::string& id, std::string title, std::string text,
             const Help& explained, bool isHere = false) {
    std::vector<ListText> texts{{std::move(title), kBoldLook}};
    if (!text.empty()) texts.push_back({std::move(text), kSecondLook});
    const ListRow row = listRow(context, id.c_str(), texts, 0, explained);
    if (isHere)
        ImGui::GetWindowDrawList()->AddRect({row.box.x, row.box.y}, {row.box.right(), row.box.bottom()},
                                            ink(context, RoleKind::Cursor), viz::radius::kControl);
    return row.isPressed;
}

void drawList(PanelContext& context) {
    const Language language = context.state.language;
    const PlaylistState& state = context.state.playlists;
    paragraph(context, words::kPlaylistsIntro.in(language), kSecondLook);
    std::size_t number = 0;
    for (const PlaylistName& name : state.all)
        if (drawRow(context, "playlist " + std::to_string(++number), name.title(language),
                    say(language, words::kPlaylistRow, name.entries, name.minutes),
                    help(context, words::kPlaylistRowHelp)))
            send(context, OpenPlaylist{name.file});
    ImGui::Dummy({1, viz::space::kGap});
    label(context, words::kPlaylistOwn.in(language), kBoldLook);
    std::string path = state.path;
    ImGui::SetNextItemWidth(-1);
    ImGui::PushFont(context.fonts.font(viz::Face::Text),
                    context.fonts.size(viz::Face::Text, viz::type::kBody));
    const bool entered = ImGui::InputTextWithHint("##path", words::kPlaylistPath.in(language).data(), &path,
                                                  ImGuiInputTextFlags_EnterReturnsTrue);
    ImGui::PopFont();
    helped(context, help(context, words::kPlaylistPathHelp));
    if (path != state.path) send(context, TypePlaylistPath{path});
    const bool opens = button(context, "open", words::kPlaylistOpen, words::kPlaylistPathHelp);
    if ((entered || opens) && !path.empty()) send(context, OpenPlaylist{path});
    ImGui::SameLine();
    if (button(context, "add", words::kPlaylistAdd, words::kPlaylistAddHelp)) send(context, AddToPlaylist{});
}

void drawMistakes(PanelContext& context) {
    const std::vector<Fault>& mistakes = context.state.playlists.playlist->mistakes;
    if (mistakes.empty()) return;
    const Language language = context.state.language;
    label(context, say(language, words::kPlaylistMistakes, mistakes.size()),
          {.face = viz::Face::TextBold, .role = RoleKind::Finding});
    for (const Fault& fault : mistakes)
        paragraph(context, describe(fault, language), kSecondLook);
}

void drawRevealed(PanelContext& context, const EntryOnShow& entry, f32 width) {
    const Language language = context.state.language;
    const ImVec2 low = ImGui::GetCursorScreenPos();
    if (entry.question) {
        drawMarkdown(context, playlists::answerInWords(*entry.question, language), width, RoleKind::Load);
        drawMarkdown(context, entry.question->in(language).reveal, width);
    }
    drawMarkdown(context, entry.step->in(language).reveal, width);
    const f32 bottom = ImGui::GetCursorScreenPos().y - viz::space::kGap;
    if (bottom > low.y)
        ImGui::GetWindowDrawList()->AddRectFilled({low.x - 10, low.y}, {low.x - 7, bottom},
                                                  ink(context, RoleKind::Load), 1);
}

void drawEntry(PanelContext& context, f32 width) {
    const PlaylistState& state = context.state.playlists;
    const Language language = context.state.language;
    if (state.fault) {
        paragraph(context, words::kPlaylistCannot.in(language),
                  {.face = viz::Face::TextBold, .role = RoleKind::Finding});
        return paragraph(context, describe(*state.fault, language), kSecondLook);
    }
    if (!state.entry) {
        if (state.isUnderWay) paragraph(context, words::kPlaylistPreparing.in(language), kSecondLook);
        return;
    }
    const EntryOnShow& entry = *state.entry;
    const lessons::StepWords& said = entry.step->in(language);
    paragraph(context, said.title, kTitle, width);
    drawMarkdown(context, said.body, width);
    // Without a field: the audience answers.
    if (entry.question) drawMarkdown(context, playlists::questionInWords(*entry.question, language), width);
    if (state.tellsAnswer()) drawRevealed(context, entry, width);
    if (!state.revealed && entry.hides() &&
        button(context, "reveal", words::kPlaylistReveal, words::kPlaylistRevealHelp))
        send(context, RevealEntry{});
    if (!context.state.job.running && standsElsewhere(context.state) &&
        button(context, "place", words::kPlaylistPlace, words::kPlaylistPlaceHelp))
        send(context, BackToEntry{});
}

// Folded while one is on show: titles of later entries would say too much to an audience.
void drawEntries(PanelContext& context) {
    const PlaylistState& state = context.state.playlists;
    const Language language = context.state.language;
    const playlists::Playlist& list = *state.playlist->list;
    if (state.entry) {
        // No reference is kept: what widgets store moves the others.
        ImGuiStorage& stored = *ImGui::GetStateStorage();
        const ImGuiID key = ImGui::GetID("unfolded");
        bool isUnfolded = stored.GetBool(key);
        if (button(context, "entries", isUnfolded ? words::kPlaylistFold : words::kPlaylistUnfold,
                   words::kPlaylistUnfoldHelp))
            stored.SetBool(key, isUnfolded = !isUnfolded);
        if (!isUnfolded) return;
    }
    for (std::size_t i = 0; i < list.entries.size(); ++i) {
        const std::string title = list.text.steps[i].text(language).title;
        const std::string row = std::to_string(i + 1) + ". " + title;
        // A question's place, and so its view, is the lesson's.
        const viz::ViewRow* view =
            list.entries[i].question.empty() ? viz::findView(list.text.steps[i].place.view) : nullptr;
        const std::string below = say(language, words::kPlaylistEntryRow,
                                      view ? view->title.in(language) : words::kPlaylistQuestion.in(language),
                                      list.entries[i].minutes);
        if (drawRow(context, "entry " + std::to_string(i + 1), row, below,
                    {say(language, words::kPlaylistGoHelp, i + 1, title, list.entries[i].minutes), kPage},
                    i == state.number && state.entry))
            send(context, GoToEntry{i});
    }
}

// What has become of the file, and what can be done with it.
void drawFile(PanelContext& context) {
    const PlaylistState& state = context.state.playlists;
    const Language language = context.state.language;
    const std::string name = std::filesystem::path(state.playlist->file).filename().string();
    if (state.playlist->isOwn)
        paragraph(context,
                  say(language, state.isSaving() ? words::kPlaylistSaving : words::kPlaylistSaved, name),
                  kSecondLook);
    if (button(context, "add", words::kPlaylistAdd, words::kPlaylistAddHelp)) send(context, AddToPlaylist{});
    ImGui::SameLine();
    if (textButton(context, "again", words::kPlaylistAgain.in(language),
                   {say(language, words::kPlaylistAgainHelp, state.playlist->file), kPage}))
        send(context, ReadPlaylistAgain{});
    if (!state.playlist->isOwn) return;
    if (textButton(context, "text", words::kPlaylistText.in(language),
                   {say(language, words::kPlaylistTextHelp, state.playlist->file), kPage}))
        context.send(EditorAction{EditElsewhere{.file = state.playlist->file}});
}

}  // namespace

void drawPlaylistHead(PanelContext& context) {
    const Language language = context.state.language;
    const PlaylistState& state = context.state.playlists;
    const std::string title =
        state.playlist ? state.text()->title(language) : std::string(words::kPlaylists.in(language));
    const Help all = help(context, words::kPlaylistAllHelp);
    const PressedInHead pressed =
        columnHead(context, title, state.playlist ? &all : nullptr, help(context, words::kPlaylistCloseHelp));
    if (pressed.back) send(context, ListPlaylists{});
    if (pressed.close) send(context, ShowPlaylists{false});
    if (state.count() == 0) return;
    const ImVec2 at = ImGui::GetWindowPos();
    drawText(context, *ImGui::GetWindowDrawList(), {at.x + viz::space::kInset, at.y + 54},
             say(language, words::kPlaylistEntryOf, state.number + 1, state.count(),
                 state.playlist->list->minutesBefore(state.number), state.playlist->list->minutes()),
             kSecondLook);
}

void drawPlaylistBody(PanelContext& context) {
    const PlaylistState& state = context.state.playlists;
    if (!state.playlist) return drawList(context);
    const UnderlinesTerms underlined(context);
    drawMistakes(context);
    if (state.count() == 0) paragraph(context, words::kPlaylistEmpty.in(context.state.language), kSecondLook);
    drawEntry(context, ImGui::GetContentRegionAvail().x);
    ImGui::Dummy({1, viz::space::kGap});
    drawEntries(context);
    drawFile(context);
}

void drawPlaylistFoot(PanelContext& context) {
    const PlaylistState& state = context.state.playlists;
    const Language language = context.state.language;
    const f32 y = (kFoot - kControlHeight) / 2;
    ImGui::SetCursorPos({viz::space::kInset, y});
    if (button(context, "back", words::kPlaylistBack, words::kPlaylistBackHelp))
        send(context, PlaylistOn{true});
    const std::string_view next = words::kPlaylistNext.in(language);
    const f32 width = ImGui::GetWindowWidth();
    ImGui::SetCursorPos({width - viz::space::kInset - widthOf(context, next) - 24, y});
    if (button(context, "next", words::kPlaylistNext, words::kPlaylistNextHelp)) send(context, PlaylistOn{});
    if (!state.entry || state.entry->pictures.size() < 2) return;
    const std::string number =
        say(language, words::kPlaylistPicture, state.picture + 1, state.entry->pictures.size());
    const ImVec2 at = ImGui::GetWindowPos();
    drawText(context, *ImGui::GetWindowDrawList(),
             {at.x + (width - widthOf(context, number, kSecondLook)) / 2, at.y + kFoot / 2}, number,
             kSecondLook);
}

}  // namespace lockstep::app
