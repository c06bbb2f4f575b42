#include "app/panels/commands.h"

#include "app/panels/editor/editor_words.h"
#include "app/panels/glossary_words.h"
#include "app/panels/lesson/lesson_words.h"
#include "app/panels/playlist/playlist_words.h"
#include "app/panels/program/program_words.h"
#include "app/panels/words.h"
#include "app/state/update.h"
#include "viz/scene/theme.h"
#include "viz/views/stage.h"

#include <imgui.h>

#include <algorithm>

namespace lockstep::app {
namespace {

using explain::Stride;
using When = Command::When;

constexpr int kShift = ImGuiMod_Shift, kCtrl = ImGuiMod_Ctrl;

template <Stride stride, bool isBack> Action step(const State&) { return Step{stride, isBack}; }
template <bool isBack> Action stepByUnit(const State& state) { return Step{state.playback.unit, isBack}; }
template <class Plain> Action plain(const State&) { return Plain{}; }
template <class By, int by> Action change(const State&) { return By{by}; }

Action nextTheme(const State& state) {
    const auto themes = viz::themes();
    std::size_t now = 0;
    while (now < themes.size() && themes[now].name != themeShown(state))
        ++now;
    return SetTheme{std::string(themes[(now + 1) % themes.size()].name)};
}

constexpr Words kKeySaid = english("Messages shown so far");
constexpr Words kKeyElsewhere = english("Open the file in your own editor ($VISUAL, $EDITOR)");

// Presenters' remotes send Page Down and Page Up, and B or a full stop for a black screen.
const std::array kCommands{
    Command{"playlist.next",
            &words::kKeyPlaylistNext,
            "Page ↓",
            {ImGuiKey_PageDown},
            [](const State&) -> Action { return PlaylistAction{PlaylistOn{}}; },
            When::Lecturing},
    Command{"playlist.back",
            &words::kKeyPlaylistBack,
            "Page ↑",
            {ImGuiKey_PageUp},
            [](const State&) -> Action { return PlaylistAction{PlaylistOn{true}}; },
            When::Lecturing},
    Command{"playlist.reveal",
            &words::kKeyPlaylistReveal,
            "",
            {},
            [](const State&) -> Action { return PlaylistAction{RevealEntry{}}; },
            When::Lecturing},
    Command{"playlist.notes",
            &words::kKeyPlaylistNotes,
            "Shift F3",
            {kShift | ImGuiKey_F3},
            [](const State& s) -> Action { return PlaylistAction{ShowNotes{!s.playlists.hasNotes}}; },
            When::Lecturing},
    Command{"present.next",
            &words::kPresentNext,
            "Page ↓  →  N",
            {ImGuiKey_PageDown, ImGuiKey_RightArrow, ImGuiKey_N},
            step<Stride::Event, false>,
            When::Presenting},
    Command{"present.back",
            &words::kPresentBack,
            "Page ↑  ←  P",
            {ImGuiKey_PageUp, ImGuiKey_LeftArrow, ImGuiKey_P},
            step<Stride::Event, true>,
            When::Presenting},
    Command{"present.lens", &words::kPresentLens, "V", {ImGuiKey_V}, plain<NextLens>, When::Presenting},
    Command{"present.lens.back",
            &words::kPresentLensBack,
            "Shift V",
            {kShift | ImGuiKey_V},
            [](const State&) -> Action { return NextLens{.back = true}; },
            When::Presenting},
    Command{"present.black",
            &words::kPresentBlack,
            "B  .",
            {ImGuiKey_B, ImGuiKey_Period},
            [](const State& s) -> Action { return BlackOut{!s.presenting.black}; },
            When::Presenting},
    Command{"present.end",
            &words::kPresentEnd,
            "Esc",
            {ImGuiKey_Escape},
            [](const State&) -> Action { return Present{false}; },
            When::Presenting},
    Command{"play", &words::kKeyPlay, "Space", {ImGuiKey_Space}, plain<TogglePlay>},
    Command{"step.on", &words::kKeyStep, "→", {ImGuiKey_RightArrow}, stepByUnit<false>, When::Exploring},
    Command{"step.back", &words::kKeyStepBack, "←", {ImGuiKey_LeftArrow}, stepByUnit<true>, When::Exploring},
    Command{"instruction.on",
            &words::kKeyInstruction,
            ".",
            {ImGuiKey_Period},
            step<Stride::Instruction, false>,
            When::Exploring},
    Command{"instruction.back",
            &words::kKeyInstructionBack,
            ",",
            {ImGuiKey_Comma},
            step<Stride::Instruction, true>,
            When::Exploring},
    Command{"line.on",
            &words::kKeyLine,
            "Page ↓",
            {ImGuiKey_PageDown},
            step<Stride::Line, false>,
            When::Exploring},
    Command{"line.back",
            &words::kKeyLineBack,
            "Page ↑",
            {ImGuiKey_PageUp},
            step<Stride::Line, true>,
            When::Exploring},
    Command{
        "phase.on", &words::kKeyPhase, "Shift →", {kShift | ImGuiKey_RightArrow}, step<Stride::Phase, false>},
    Command{"phase.back",
            &words::kKeyPhaseBack,
            "Shift ←",
            {kShift | ImGuiKey_LeftArrow},
            step<Stride::Phase, true>},
    Command{"step.first",
            &words::kKeyFirst,
            "Home",
            {ImGuiKey_Home},
            [](const State&) -> Action { return ToEnd{.back = true}; }},
    Command{"step.last",
            &words::kKeyLast,
            "End",
            {ImGuiKey_End},
            [](const State&) -> Action { return ToEnd{.back = false}; }},
    Command{"select.on",
            &words::kKeySelect,
            "Ctrl →",
            {kCtrl | ImGuiKey_RightArrow},
            plain<SelectOn>,
            When::Exploring},
    Command{"select.back",
            &words::kKeySelectBack,
            "Ctrl ←",
            {kCtrl | ImGuiKey_LeftArrow},
            [](const State&) -> Action { return SelectOn{.back = true}; },
            When::Exploring},
    Command{"select.none",
            &words::kKeySelectNone,
            "Esc",
            {ImGuiKey_Escape},
            [](const State& s) -> Action {
                if (s.tour) return LeaveTour{};
                if (s.program.open) return ProgramAction{ShowProgram{false}};
                if (s.lessons.open && s.lessons.key.empty()) return LessonAction{ShowLessons{false}};
                // What is not saved is not put out of sight by a key that is pressed once more.
                if (s.editor.open && !isEnlarged(s) && !s.range && !s.editor.hasUnsaved())
                    return EditorAction{ShowEditor{false}};
                return isEnlarged(s) && !s.range ? Action(Enlarge{}) : Action(SelectSteps{});
            },
            When::Exploring},
    Command{"enlarge",
            &words::kKeyEnlarge,
            "Z",
            {ImGuiKey_Z},
            [](const State& s) -> Action {
                return Enlarge{isEnlarged(s) ? std::string() : s.compared.open ? viewInHand(s) : s.toEnlarge};
            },
            When::Exploring},
    Command{"view.magnify",
            &words::kKeyMagnify,
            "+",
            {ImGuiKey_Equal, kShift | ImGuiKey_Equal, ImGuiKey_KeypadAdd},
            [](const State&) -> Action { return Magnify{1}; }},
    Command{"view.shrink",
            &words::kKeyShrink,
            "−",
            {ImGuiKey_Minus, ImGuiKey_KeypadSubtract},
            [](const State&) -> Action { return Magnify{-1}; }},
    Command{"view.whole",
            &words::kKeyWhole,
            "0",
            {ImGuiKey_0, ImGuiKey_Keypad0},
            [](const State&) -> Action { return Magnify{}; }},
    Command{"warp.back", &words::kKeyWarpBack, "[", {ImGuiKey_LeftBracket}, change<ChangeWarp, -1>},
    Command{"warp.on", &words::kKeyWarp, "]", {ImGuiKey_RightBracket}, change<ChangeWarp, 1>},
    Command{
        "block.back", &words::kKeyBlockBack, "{", {kShift | ImGuiKey_LeftBracket}, change<ChangeBlock, -1>},
    Command{"block.on", &words::kKeyBlock, "}", {kShift | ImGuiKey_RightBracket}, change<ChangeBlock, 1>},
    Command{"lane.back", &words::kKeyLaneBack, "↑", {ImGuiKey_UpArrow}, change<ChangeLane, -1>},
    Command{"lane.on", &words::kKeyLane, "↓", {ImGuiKey_DownArrow}, change<ChangeLane, 1>},
    Command{"access.on", &words::kKeyAccess, "A", {ImGuiKey_A}, step<Stride::SameLine, false>},
    Command{"access.back",
            &words::kKeyAccessBack,
            "Shift A",
            {kShift | ImGuiKey_A},
            step<Stride::SameLine, true>},
    Command{"conflict.on", &words::kKeyConflict, "C", {ImGuiKey_C}, step<Stride::Conflict, false>},
    Command{"conflict.back",
            &words::kKeyConflictBack,
            "Shift C",
            {kShift | ImGuiKey_C},
            step<Stride::Conflict, true>},
    Command{"divergence.on", &words::kKeyDivergence, "D", {ImGuiKey_D}, step<Stride::Divergence, false>},
    Command{"divergence.back",
            &words::kKeyDivergenceBack,
            "Shift D",
            {kShift | ImGuiKey_D},
            step<Stride::Divergence, true>},
    Command{"finding.on", &words::kKeyFinding, "F", {ImGuiKey_F}, step<Stride::Finding, false>},
    Command{"finding.back",
            &words::kKeyFindingBack,
            "Shift F",
            {kShift | ImGuiKey_F},
            step<Stride::Finding, true>},
    Command{"stage.next",
            &words::kKeyStage,
            "S",
            {ImGuiKey_S},
            [](const State& s) -> Action {
                const auto view = s.views.find("stage");
                const u8 now = view == s.views.end()
                                   ? u8{0}
                                   : viz::optionsAs<viz::StageOptions>(view->second.options).stage;
                return SetView{"stage", {.options = viz::StageOptions{viz::nextStage(now)}}};
            },
            When::Exploring},
    Command{"read",
            &words::kKeyRead,
            "R",
            {ImGuiKey_R},
            [](const State&) -> Action { return BringUp{"read"}; },
            When::Exploring},
    Command{"run", &words::kKeyRun, "Ctrl R", {kCtrl | ImGuiKey_R}, plain<RunAgain>},
    Command{"program.run",
            &words::kKeyRunProgram,
            "F5",
            {ImGuiKey_F5},
            [](const State&) -> Action { return ProgramAction{RunProgram{}}; },
            When::Exploring},
    Command{"program.show",
            &words::kKeyProgram,
            "F4",
            {ImGuiKey_F4},
            [](const State& s) -> Action { return ProgramAction{ShowProgram{!s.program.open}}; },
            When::Exploring},
    Command{"edit",
            &words::kKeyEdit,
            "F6",
            {ImGuiKey_F6},
            [](const State&) -> Action { return EditorAction{EditFile{}}; },
            When::Exploring},
    Command{"edit.save",
            &words::kKeySave,
            "Ctrl S",
            {kCtrl | ImGuiKey_S},
            [](const State&) -> Action { return EditorAction{SaveText{}}; },
            When::Exploring},
    Command{"edit.copy",
            &words::kKeyEditCopy,
            "",
            {},
            [](const State&) -> Action { return EditorAction{EditCopy{}}; },
            When::Exploring},
    Command{"edit.elsewhere",
            &kKeyElsewhere,
            "F8",
            {ImGuiKey_F8},
            [](const State&) -> Action { return EditorAction{EditElsewhere{}}; },
            When::Exploring},
    Command{"edit.new",
            &words::kKeyNewKernel,
            "",
            {},
            [](const State&) -> Action { return EditorAction{NewKernel{}}; },
            When::Exploring},
    Command{"sweep",
            &words::kKeySweep,
            "",
            {},
            [](const State&) -> Action { return StartSweep{}; },
            When::Exploring},
    Command{"playground.take", &words::kKeyTake, "P", {ImGuiKey_P}, plain<TakeAccess>, When::Exploring},
    Command{"undo", &words::kKeyUndo, "Ctrl Z", {kCtrl | ImGuiKey_Z}, plain<Undo>},
    Command{
        "redo", &words::kKeyRedo, "Ctrl Y", {kCtrl | ImGuiKey_Y, kCtrl | kShift | ImGuiKey_Z}, plain<Redo>},
    Command{"theme.next", &words::kKeyTheme, "T", {ImGuiKey_T}, nextTheme},
    Command{"language.next",
            &words::kKeyLanguage,
            "L",
            {ImGuiKey_L},
            [](const State& s) -> Action { return SetLanguage{nextLanguage(s.language)}; }},
    Command{"motion",
            &words::kKeyMotion,
            "",
            {},
            [](const State& s) -> Action { return SetReduceMotion{!s.reduceMotion}; }},
    Command{"glossary.underline",
            &words::kGlossaryUnderline,
            "",
            {},
            [](const State& s) -> Action { return UnderlineTerms{!s.underlineTerms}; },
            When::Exploring},
    Command{"present",
            &words::kKeyPresent,
            "F11",
            {ImGuiKey_F11},
            [](const State& s) -> Action { return Present{!s.presenting.on}; }},
    Command{"palette",
            &words::kKeyPalette,
            "Ctrl P",
            {kCtrl | ImGuiKey_P},
            [](const State& s) -> Action { return ShowPalette{!s.showPalette}; }},
    Command{"open", &words::kKeyOpen, "Ctrl O", {kCtrl | ImGuiKey_O}, plain<ChooseFile>},
    Command{"export",
            &words::kKeyExport,
            "Ctrl E",
            {},
            [](const State& s) -> Action {
                return OpenExport{viewInHand(s)};
            }},  // its key is in MainWindow, because it also works while text is being edited
    Command{"copy.picture",
            &words::kKeyCopyPicture,
            "Ctrl Alt C",
            {},
            [](const State& s) -> Action { return CopyPicture{viewInHand(s)}; }},  // likewise
    Command{"task.explore",
            &words::kKeyExplore,
            "Ctrl 1",
            {kCtrl | ImGuiKey_1},
            [](const State&) -> Action { return SetTask{"explore"}; }},
    Command{"task.measure",
            &words::kKeyMeasure,
            "Ctrl 2",
            {kCtrl | ImGuiKey_2},
            [](const State&) -> Action { return SetTask{"measure"}; }},
    Command{"task.compare", &words::kKeyCompare, "Ctrl 3", {kCtrl | ImGuiKey_3}, plain<CompareWithAnother>},
    Command{"lessons",
            &words::kKeyLessons,
            "F2",
            {ImGuiKey_F2},
            [](const State& s) -> Action { return LessonAction{ShowLessons{!s.lessons.open}}; },
            When::Exploring},
    Command{"playlists",
            &words::kKeyPlaylists,
            "F3",
            {ImGuiKey_F3},
            [](const State& s) -> Action { return PlaylistAction{ShowPlaylists{!s.playlists.open}}; },
            When::Exploring},
    Command{"playlist.add",
            &words::kKeyPlaylistAdd,
            "Ctrl D",
            {kCtrl | ImGuiKey_D},
            [](const State&) -> Action { return PlaylistAction{AddToPlaylist{}}; }},
    Command{
        "tour", &words::kKeyTour, "", {}, [](const State&) -> Action { return TakeTour{}; }, When::Exploring},
    Command{"welcome", &words::kKeyWelcome, "", {}, plain<ShowHint>, When::Exploring},
    Command{"layout.reset", &words::kKeyReset, "", {}, plain<ResetLayout>},
    Command{"zoom.in",
            &words::kKeyZoomIn,
            "Ctrl +",
            {kCtrl | ImGuiKey_Equal, kCtrl | kShift | ImGuiKey_Equal, kCtrl | ImGuiKey_KeypadAdd},
            [](const State&) -> Action { return SetZoom{1}; }},
    Command{"zoom.out",
            &words::kKeyZoomOut,
            "Ctrl −",
            {kCtrl | ImGuiKey_Minus, kCtrl | ImGuiKey_KeypadSubtract},
            [](const State&) -> Action { return SetZoom{-1}; }},
    Command{"zoom.none",
            &words::kKeyZoomNone,
            "Ctrl 0",
            {kCtrl | ImGuiKey_0, kCtrl | ImGuiKey_Keypad0},
            [](const State&) -> Action { return SetZoom{}; }},
    Command{"said",
            &kKeySaid,
            "F7",
            {ImGuiKey_F7},
            [](const State& s) -> Action { return ShowSaid{!s.showSaid}; }},
    Command{"keys",
            &words::kKeyHelp,
            "F1",
            {ImGuiKey_F1},
            [](const State& s) -> Action { return ShowKeys{!s.showKeys}; }},
    Command{"quit", &words::kKeyQuit, "Ctrl Q", {kCtrl | ImGuiKey_Q}, plain<Quit>},
};

}  // namespace

std::span<const Command> commands() { return kCommands; }

bool isAsked(const State& state) {
    return state.exporting.open || state.dialog || state.showPalette || state.browsing;
}

namespace {

// It moves a cursor, or changes a view, that the page of a program covers.
bool isOfViews(std::string_view id) {
    constexpr std::array kOfViews{"play",        "step.",       "instruction.", "line.",     "phase.",
                                  "select.on",   "select.back", "enlarge",      "view.",     "warp.",
                                  "block.",      "lane.",       "access.",      "conflict.", "finding.",
                                  "divergence.", "stage.next"};
    return std::ranges::any_of(
        kOfViews, [&](std::string_view one) { return one.back() == '.' ? id.starts_with(one) : id == one; });
}

}  // namespace

bool isOffered(const Command& command, const State& state) {
    if (state.program.open && !state.presenting.on && isOfViews(command.id)) return false;
    if (command.id == "edit.save" && !state.editor.open) return false;
    if (command.id == "edit.copy" && state.choice.family.empty()) return false;
    if (command.when == When::Lecturing) return state.playlists.isOn();
    return command.when == When::Always || (command.when == When::Presenting) == state.presenting.on;
}

bool isTaken(int chord, const Command& command, const State& state) {
    return command.when != When::Lecturing && std::ranges::any_of(kCommands, [&](const Command& other) {
               return other.when == When::Lecturing && isOffered(other, state) &&
                      std::ranges::find(other.chords, chord) != other.chords.end();
           });
}

}  // namespace lockstep::app
