#include "app/panels/editor/editor_panel.h"

#include "app/panels/editor/code_language.h"
#include "app/panels/editor/compiler_notices.h"
#include "app/panels/editor/editor_words.h"
#include "app/panels/editor/line_notes.h"
#include "app/panels/editor/typing.h"
#include "app/panels/editor/undo_words.h"
#include "app/panels/widgets.h"
#include "app/panels/words.h"
#include "app/state/indentation.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>  // which window has the keyboard
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <filesystem>
#include <string_view>
#include <utility>

namespace lockstep::app {
namespace {

using viz::RoleKind;

constexpr std::string_view kPage = "guide/editor.md";
constexpr TextLook kSecond{.role = RoleKind::TextSecond};
constexpr f32 kStatus = 28, kLineSpacing = 1.35f;

std::string nameOf(const std::string& file) { return std::filesystem::path(file).filename().string(); }

// Larger where there is room, as the views are: for some eighty columns.
f32 sizeFor(f32 width) {
    constexpr f32 kWidthOfCode = 680, kMost = 1.5f;
    return std::round(viz::type::kCode * std::clamp(width / kWidthOfCode, 1.0f, kMost));
}

Help helpOf(const PanelContext& context, const Words& words) {
    return {words.in(context.state.language), kPage};
}

// Of the window that has the keyboard: whether that is the text, or lies in it.
bool isText(const ImGuiWindow* window) {
    return window && std::string_view(window->Name).find("/##text") != std::string_view::npos;
}

// The keys are the window's again, also once what is opened next is closed.
void leave() {
    if (ImGuiWindow* window = ImGui::FindWindowByName("##transport"))
        ImGui::FocusWindow(window);
    else
        ImGui::SetWindowFocus(nullptr);
}

}  // namespace

struct EditorPanel::Page {
    TextEditor editor;
    LineNotes notes;
    SharedText text;  // as it stands in the widget
    SharedText indented;
    Indentation indentation;  // of that
    u64 revision = 0;
    bool isChanged = false;  // by the hand, since it was told
    UndoWords words;
    std::string_view theme;
};

EditorPanel::EditorPanel() = default;
EditorPanel::~EditorPanel() = default;

// What the state has that the widgets do not have yet.
void EditorPanel::takeOver(PanelContext& context) {
    const EditorState& state = context.state.editor;
    std::erase_if(pages_, [&](const auto& page) { return !state.find(page.first); });
    for (const EditedText& text : state.texts) {
        std::unique_ptr<Page>& page = pages_[text.file];
        const bool isNew = !page;
        if (isNew) {
            page = std::make_unique<Page>();
            TextEditor& editor = page->editor;
            editor.SetLanguage(&cudaLanguage());
            editor.SetInsertSpacesOnTabs(false);  // those of the file stay
            editor.SetLineSpacing(kLineSpacing);
            editor.SetWordWrapEnabled(true);
            editor.SetLineNumberLeftMargin(1);
            editor.SetDecorationLeftMargin(1);
            editor.SetTextLeftMargin(1);
            editor.SetFindReplaceEnabled(false);
            editor.SetShowScrollbarMiniMapEnabled(false);
            editor.SetShowCurrentLineHighlightEnabled(true);
            editor.SetShowSpacesEnabled(false);
            editor.SetShowTabsEnabled(false);
            editor.SetCompletePairedGlyphs(false);
            editor.SetText(*text.text);
            page->text = text.text;
            page->revision = text.revision;
            editor.SetTransactionCallback(
                [page = page.get()](const std::vector<TextEditor::Change>& changes) {
                    page->isChanged = true;
                    page->words.note(changes);
                });
        } else if (page->revision != text.revision) {
            // As a change that can be undone.
            page->revision = text.revision;
            const auto lines = page->editor.GetLineCount();
            const auto end = page->editor.GetLineText(lines - 1).size();
            page->editor.ReplaceSectionText({0, 0}, {lines - 1, end}, *text.text);
            page->text = text.text;
            page->isChanged = false;
        }
        if (page->indented != page->text) {
            page->indented = page->text;
            page->indentation = indentationOf(*page->text);
            page->editor.SetTabSize(page->indentation.columns);
        }
        if (page->theme != context.theme.name) {
            page->theme = context.theme.name;
            page->editor.SetPalette(paletteOf(context.theme));
        }
    }
}

void EditorPanel::drawTabs(PanelContext& context) {
    const State& state = context.state;
    const Language language = state.language;
    const EditedText* front = state.editor.inFront();
    const std::string_view save = words::kSave.in(language), find = words::kFind.in(language);
    const f32 buttons = widthOf(context, save) + widthOf(context, find) + 2 * 24 + viz::space::kGap;
    const f32 width = ImGui::GetWindowWidth();
    ImGui::SetCursorPos({4, top_ + (kHeadHeight - ImGui::GetFrameHeight()) / 2});
    ImGui::BeginChild("##tabs", {width - buttons - viz::space::kInset - viz::space::kGap, kHeadHeight},
                      ImGuiChildFlags_None, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoBackground);
    ImGui::PushFont(context.fonts.font(viz::Face::Text),
                    context.fonts.size(viz::Face::Text, viz::type::kBody));
    const bool turns = selected_ != state.editor.front;
    if (ImGui::BeginTabBar(
            "##files", ImGuiTabBarFlags_FittingPolicyScroll | ImGuiTabBarFlags_NoTabListScrollingButtons)) {
        for (const EditedText& text : state.editor.texts) {
            ImGuiTabItemFlags flags = ImGuiTabItemFlags_None;
            if (text.isUnsaved()) flags |= ImGuiTabItemFlags_UnsavedDocument;
            if (turns && text.file == state.editor.front) flags |= ImGuiTabItemFlags_SetSelected;
            bool stays = true;
            const bool isSelected =
                ImGui::BeginTabItem((nameOf(text.file) + "###" + text.file).c_str(), &stays, flags);
            helped(context, {text.file + "\n" + std::string(words::kTextTabHelp.in(language)), kPage});
            if (isSelected) ImGui::EndTabItem();
            if (isSelected && !turns && text.file != state.editor.front)
                context.send(EditorAction{TurnToText{text.file}});
            if (!stays) context.send(EditorAction{CloseText{text.file}});
        }
        ImGui::EndTabBar();
    }
    selected_ = state.editor.front;
    ImGui::PopFont();
    ImGui::EndChild();
    ImGui::SetCursorPos({width - buttons - viz::space::kInset, top_ + (kHeadHeight - kControlHeight) / 2});
    if (textButton(context, "find", find, helpOf(context, words::kFindHelp)))
        isFinding_ = focusesFind_ = true;
    ImGui::SameLine(0, viz::space::kGap);
    ImGui::BeginDisabled(!front || !front->isUnsaved() || front->onDisk);
    if (textButton(context, "save", save, helpOf(context, words::kSaveHelp)))
        context.send(EditorAction{SaveText{}});
    ImGui::EndDisabled();
}

// What is to be decided about the text, one thing at a time.
void EditorPanel::drawQuestion(PanelContext& context, const EditedText& text) {
    const Language language = context.state.language;
    struct Answer {
        const char* id;
        const Words *words, *help;
        EditorAction action;
    };
    const Words* question = nullptr;
    std::vector<Answer> answers;
    if (text.onDisk) {
        question = &words::kTextChanged;
        answers = {{"ours", &words::kTextOurs, &words::kTextOursHelp, ChooseText{text.file, true}},
                   {"theirs", &words::kTextTheirs, &words::kTextTheirsHelp, ChooseText{text.file, false}}};
    } else if (text.isClosing) {
        question = &words::kTextClosing;
        answers = {
            {"save first", &words::kSave, &words::kSaveHelp, CloseUnsaved{text.file, Unsaved::Save}},
            {"discard", &words::kTextDiscard, &words::kTextDiscardHelp,
             CloseUnsaved{text.file, Unsaved::Discard}},
            {"keep", &words::kTextKeep, &words::kTextKeepHelp, CloseUnsaved{text.file, Unsaved::Keep}}};
    } else if (text.isRecovered && text.isUnsaved()) {
        question = &words::kTextRecovered;
        answers = {{"accept", &words::kTextAccept, &words::kTextAcceptHelp, AcceptRecovered{text.file}},
                   {"discard", &words::kTextDiscard, &words::kTextDiscardHelp,
                    CloseUnsaved{text.file, Unsaved::Discard}}};
    }
    if (!question) return;
    const f32 top = ImGui::GetCursorPosY();
    ImGui::SetCursorPos({viz::space::kInset, top + 6});
    paragraph(context, say(language, *question, nameOf(text.file)), {.role = RoleKind::Finding},
              ImGui::GetWindowWidth() - 2 * viz::space::kInset);
    ImGui::SetCursorPosX(viz::space::kInset);
    for (const Answer& answer : answers) {
        if (&answer != &answers.front()) ImGui::SameLine(0, viz::space::kGap);
        if (textButton(context, answer.id, answer.words->in(language), helpOf(context, *answer.help)))
            context.send(answer.action);
    }
    ImGui::Dummy({1, 4});
}

void EditorPanel::count(const Page& page) {
    Counted now{page.text, wanted_, tellsCase_};
    if (counted_ == now) return;
    counted_ = std::move(now);
    places_ = placesOf(*page.text, wanted_, tellsCase_);
}

void EditorPanel::find(Page& page, int by) {
    count(page);
    if (places_.empty()) return page.editor.ClearCursors();
    const TextEditor::DocSelection from = page.editor.GetMainCursorSelection();
    const auto lies = [](const TextPlace& place, const TextEditor::DocPos& at) {
        return std::pair(std::size_t(place.line), std::size_t(place.index)) <=> std::pair(at.line, at.index);
    };
    // The first one behind the selection, or the last one before it.
    std::size_t next = 0;
    while (next < places_.size() && std::is_lt(lies(places_[next], by > 0 ? from.end : from.start)))
        ++next;
    const std::size_t at = (by > 0 ? next : next + places_.size() - 1) % places_.size();
    const TextPlace& place = places_[at];
    page.editor.SetCursor({place.line, place.index});  // it is in sight
    page.editor.SelectRegion({place.line, place.index}, {place.line, place.index + place.length});
}

void EditorPanel::findFirst(Page& page) {
    page.editor.SetCursor({0, 0});
    find(page, 1);
}

// "3 of 12": which of the places is selected, and how many there are.
void EditorPanel::drawCount(PanelContext& context, const Page& page) {
    count(page);
    if (wanted_.empty()) return;
    const Language language = context.state.language;
    const TextEditor::DocSelection on = page.editor.GetMainCursorSelection();
    const auto here = std::ranges::find_if(places_, [&](const TextPlace& place) {
        return place.line == on.start.line && place.index == on.start.index && !(on.start == on.end);
    });
    ImGui::SameLine(0, viz::space::kGap);
    if (places_.empty())
        return controlLabel(context, words::kFindNone.in(language), {.role = RoleKind::Finding});
    controlLabel(context,
                 here == places_.end()
                     ? say(language, words::kFindCount, places_.size())
                     : say(language, words::kFindPlace, here - places_.begin() + 1, places_.size()),
                 kSecond);
}

// In one row, or where there is little room in two.
void EditorPanel::drawFind(PanelContext& context, Page& page) {
    const Language language = context.state.language;
    constexpr f32 kLeastField = 120, kMostField = 260;
    const auto button = [&](const Words& words) { return widthOf(context, words.in(language)) + 24; };
    const f32 ofFind = button(words::kFindNext) + button(words::kFindCase) + 2 * kButtonWidth,
              ofCount = widthOf(context, say(language, words::kFindPlace, 100, 100)), gap = viz::space::kGap,
              ofReplace = button(words::kReplace) + button(words::kReplaceAll) + gap + ofCount;
    const f32 room = ImGui::GetWindowWidth() - 2 * viz::space::kInset;
    const bool inOne = room >= ofFind + ofReplace + 2 * kLeastField + 7 * gap;
    const f32 field =
        inOne ? std::min(kMostField, (room - ofFind - ofReplace - 7 * gap) / 2)
              : std::clamp(room - std::max(ofFind + 4 * gap, ofReplace + 2 * gap), kLeastField, kMostField);
    const auto write = [&](const char* id, const Words& hint, const Words& help, std::string& text) {
        ImGui::SetNextItemWidth(field);
        ImGui::PushFont(context.fonts.font(viz::Face::Mono),
                        context.fonts.size(viz::Face::Mono, viz::type::kBody));
        const bool isEntered = ImGui::InputTextWithHint(
            id, hint.in(language).data(), &text,
            ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
        ImGui::PopFont();
        return helped(context, helpOf(context, help)), isEntered;
    };
    const bool leaves = ImGui::IsKeyPressed(ImGuiKey_Escape);
    ImGui::SetCursorPos({viz::space::kInset, ImGui::GetCursorPosY() + 2});
    const std::string before = wanted_;
    if (std::exchange(focusesFind_, false)) ImGui::SetKeyboardFocusHere();
    const bool isEntered = write("##find", words::kFind, words::kFindHelp, wanted_);
    bool closes = leaves && ImGui::IsItemDeactivated();
    const bool goesBack = ImGui::IsItemActive() && ImGui::IsKeyChordPressed(ImGuiMod_Shift | ImGuiKey_Enter);
    if (isEntered)
        find(page, 1), focusesFind_ = true;
    else if (goesBack)
        find(page, -1);
    else if (wanted_ != before)
        findFirst(page);
    ImGui::SameLine(0, gap);
    if (iconButton(context, "previous", Icon::Up, helpOf(context, words::kFindPreviousHelp))) find(page, -1);
    ImGui::SameLine(0, gap);
    if (textButton(context, "next", words::kFindNext.in(language), helpOf(context, words::kFindNextHelp)))
        find(page, 1);
    ImGui::SameLine(0, gap);
    const std::array<std::string_view, 1> cases{words::kFindCase.in(language)};
    if (segments(context, "case", cases, tellsCase_ ? 0 : -1, {helpOf(context, words::kFindCaseHelp)}) == 0)
        tellsCase_ = !tellsCase_, findFirst(page);
    ImGui::SameLine(0, gap);
    if (iconButton(context, "close find", Icon::Cross, helpOf(context, words::kFindClose))) closes = true;
    if (inOne)
        ImGui::SameLine(0, gap);
    else
        ImGui::SetCursorPosX(viz::space::kInset);
    (void)write("##replace", words::kReplaceWith, words::kReplaceWithHelp, replacement_);
    closes |= leaves && ImGui::IsItemDeactivated();
    ImGui::SameLine(0, gap);
    ImGui::BeginDisabled(wanted_.empty());
    if (textButton(context, "replace", words::kReplace.in(language), helpOf(context, words::kReplaceHelp))) {
        if (!page.editor.CurrentCursorHasSelection()) find(page, 1);
        if (page.editor.CurrentCursorHasSelection()) page.editor.ReplaceTextInCurrentCursor(replacement_);
        page.text = std::make_shared<const std::string>(page.editor.GetText());
        find(page, 1);
    }
    ImGui::SameLine(0, gap);
    if (textButton(context, "replace all", words::kReplaceAll.in(language),
                   helpOf(context, words::kReplaceAllHelp))) {
        page.editor.SelectAllOccurrencesOf(wanted_, tellsCase_);
        if (page.editor.AnyCursorHasSelection()) page.editor.ReplaceTextInAllCursors(replacement_);
        page.editor.ClearCursors();
    }
    ImGui::EndDisabled();
    drawCount(context, page);
    if (!closes) return;
    isFinding_ = false;
    page.editor.SetFocus();
}

void EditorPanel::drawText(PanelContext& context, const EditedText& text, Page& page, f32 height) {
    TextEditor& editor = page.editor;
    const State& state = context.state;
    page.notes.update(context, text, editor);
    const u32 cursorLine = page.notes.movedTo();
    if (cursorLine > 0 && !hasKeyboard_) editor.ScrollToLine(cursorLine - 1);
    if (timesTurnedTo_ != state.editor.timesTurnedTo) {
        timesTurnedTo_ = state.editor.timesTurnedTo;
        if (state.editor.line > 0) editor.SetCursor({state.editor.line - 1, 0});
    }
    if (timesFocused_ != state.editor.timesFocused) {
        timesFocused_ = state.editor.timesFocused;
        editor.SetFocus();
    }
    // A click on a tab, on what is said below or beside a control leaves the keys with the text.
    constexpr ImGuiFocusedFlags kHereOrWithin =
        ImGuiFocusedFlags_ChildWindows | ImGuiFocusedFlags_NoPopupHierarchy;  // an open list keeps them
    const bool isReached = ImGui::IsWindowFocused(kHereOrWithin) &&
                           !isText(ImGui::GetCurrentContext()->NavWindow) && !ImGui::IsAnyItemActive() &&
                           !focusesFind_;
    if (isReached && !context.hasFocus && !ImGui::IsMouseDown(ImGuiMouseButton_Left)) editor.SetFocus();
    ImGui::SetCursorPosX(0);
    ImGui::PushFont(context.fonts.font(viz::Face::Mono),
                    context.fonts.size(viz::Face::Mono, sizeFor(ImGui::GetWindowWidth())));
    const bool severalCursors = editor.GetNumberOfCursors() > 1;
    page.words.begin(editor);
    if (hasKeyboard_) typeIndented(editor, page.indentation);
    editor.Render("##text", {0, height}, ImGuiChildFlags_None,
                  ImGuiWindowFlags_NoMove | ImGuiWindowFlags_HorizontalScrollbar);
    ImGui::PopFont();
    page.words.end(editor);
    page.notes.hover(context, editor);
    const bool hasFocus = isText(ImGui::GetCurrentContext()->NavWindow);
    if (page.isChanged) {
        page.isChanged = false;
        page.text = std::make_shared<const std::string>(editor.GetText());
        context.send(EditorAction{TypeText{text.file, page.text}});
    }
    if (!hasFocus || !hasKeyboard_) return;
    if (ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_F)) {
        const std::string selected = editor.GetCursorText(0);
        if (!selected.empty() && selected.find('\n') == std::string::npos) wanted_ = selected;
        isFinding_ = focusesFind_ = true;
    }
    if (isFinding_ && ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_G)) find(page, 1);
    if (isFinding_ && ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_G)) find(page, -1);
    if (ImGui::IsKeyPressed(ImGuiKey_Escape) && !severalCursors) {
        if (!std::exchange(isFinding_, false)) leave();
    }
}

// A button that counts what the compiler says, and its list. Returns the width that it takes from the right.
f32 EditorPanel::drawNotices(PanelContext& context, const EditedText& text, f32 right) {
    const Language language = context.state.language;
    const std::vector<CompilerNotice> notices = noticesOf(context.state, text);
    if (notices.empty()) return 0;
    const Words& words = notices.front().isWarning ? words::kTextWarnings : words::kTextErrors;
    std::string told;
    for (const CompilerNotice& notice : notices)
        told += say(language, words::kTextFault, notice.line, notice.text) + "\n";
    const std::string count = say(language, words, notices.size());
    const f32 taken = widthOf(context, count) + 24;
    ImGui::SetCursorPosX(right - taken);
    if (textButton(context, "notices", count,
                   {told + std::string(words::kTextNoticesHelp.in(language)), kPage}))
        ImGui::OpenPopup("notices menu");
    ImGui::SetNextWindowSizeConstraints({240, 0}, {720, 420});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(12, 10));
    const bool isOpen = beginMenu("notices menu");
    ImGui::PopStyleVar();
    if (!isOpen) return taken;
    for (std::size_t i = 0; i < notices.size(); ++i) {
        const CompilerNotice& notice = notices[i];
        const std::string row = say(language, words::kTextFault, notice.line, notice.text);
        if (ImGui::Selectable(fmt::format("{}##{}", row, i).c_str()))
            context.send(EditorAction{EditFile{text.file, notice.line}});
        helped(context, helpOf(context, words::kTextFaultHelp));
    }
    ImGui::EndPopup();
    return taken;
}

void EditorPanel::drawStatus(PanelContext& context, const EditedText& text, Page& page) {
    const State& state = context.state;
    const Language language = state.language;
    const f32 top = ImGui::GetCursorPosY(), width = ImGui::GetWindowWidth();
    ImGui::GetWindowDrawList()->AddLine(
        ImGui::GetCursorScreenPos(), {ImGui::GetCursorScreenPos().x + width, ImGui::GetCursorScreenPos().y},
        ink(context, RoleKind::Line));
    const TextEditor::DocPos at = page.editor.GetMainCursorPosition();
    const std::string place = say(language, words::kTextPlace, at.line + 1, at.index + 1);
    const f32 ofPlace = widthOf(context, place, kSecond);
    ImGui::SetCursorPosY(top + (kStatus - kControlHeight) / 2);
    const f32 ofNotices = drawNotices(context, text, width - ofPlace - 2 * viz::space::kInset);
    f32 room = width - ofPlace - ofNotices - 3 * viz::space::kInset;
    const auto middle = [&](f32 high) { return top + (kStatus - high) / 2; };
    const auto tell = [&](std::string_view what, RoleKind role) {
        ImGui::SetCursorPos({viz::space::kInset, middle(kControlHeight)});
        const ImVec2 from = ImGui::GetCursorScreenPos();
        ImGui::PushClipRect(from, {from.x + room, from.y + kControlHeight}, true);
        controlLabel(context, what, {.role = role});
        ImGui::PopClipRect();
    };
    const bool isExperiment = state.editedExperiment() == &text;
    if (!isExperiment) {
        tell(words::kTextElsewhere.in(language), RoleKind::TextSecond);
        ImGui::SameLine(0, viz::space::kGap);
        if (textButton(context, "open", words::kTextOpen.in(language), helpOf(context, words::kTextOpenHelp)))
            context.send(OpenFile{text.file});
    } else if (!state.hasCompiler && std::filesystem::path(text.file).extension() != ".ptx") {
        const f32 button = widthOfFetchButton(context);
        room -= button;
        tell(words::kTextNoCompiler.in(language), RoleKind::TextSecond);
        if (button > 0) {
            ImGui::SetCursorPos({viz::space::kInset + room, middle(kControlHeight)});
            drawFetchButton(context);
        }
    } else if (state.job.running || state.editor.sinceKey) {
        tell(words::kTextRunning.in(language), RoleKind::TextSecond);
    } else if (state.fault && isSameText(state.editor.failed, text.text)) {
        const std::string said = state.fault->message.in(language);
        const std::string first = said.substr(0, said.find('\n'));
        const u32 line = state.fault->place.line;
        tell(line ? say(language, words::kTextFault, line, first) : first, RoleKind::Finding);
        if (line > 0) {
            ImGui::SetCursorPos({viz::space::kInset, middle(kControlHeight)});
            if (ImGui::InvisibleButton("##fault", {room, kControlHeight}))
                context.send(EditorAction{EditFile{text.file, line}});
            helped(context, {said + "\n" + std::string(words::kTextFaultHelp.in(language)), kPage});
        }
    } else if (!state.isOfText(text)) {
        tell((state.isOfEarlierText() ? words::kTextWaiting : words::kTextOfAnother).in(language),
             RoleKind::Finding);
    } else {
        tell(words::kTextUpToDate.in(language), RoleKind::TextSecond);
    }
    ImGui::SetCursorPos({width - ofPlace - viz::space::kInset, middle(kControlHeight)});
    controlLabel(context, place, kSecond);
}

void EditorPanel::draw(PanelContext& context) {
    takeOver(context);
    const EditedText* text = context.state.editor.inFront();
    const auto page = text ? pages_.find(text->file) : pages_.end();
    if (page == pages_.end()) {
        hasKeyboard_ = false;
        return;
    }
    const f32 height = ImGui::GetWindowHeight(), bottom = height - kStatus;
    top_ = ImGui::GetCursorPosY();  // below the tabs of the dock
    drawTabs(context);
    ImGui::SetCursorPos({0, top_ + kHeadHeight});
    drawQuestion(context, *text);
    if (isFinding_) drawFind(context, *page->second);
    const f32 top = ImGui::GetCursorPosY();
    drawText(context, *text, *page->second, std::max(20.0f, bottom - top));
    ImGui::SetCursorPos({0, bottom});
    drawStatus(context, *text, *page->second);
    hasKeyboard_ = isText(ImGui::GetCurrentContext()->NavWindow);
}

}  // namespace lockstep::app
