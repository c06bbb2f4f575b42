// The window's own texts, in both languages; views have their own.
#pragma once

#include "base/text/words.h"

namespace lockstep::app::words {

inline constexpr Words kExperiment = english("Experiment");
inline constexpr Words kExplore = english("Explore");
inline constexpr Words kCompare = english("Compare");
inline constexpr Words kCompareWithHover = english("Set another variant, or another size, beside this run");
inline constexpr Words kBesideUnderWay = english("B is running");
inline constexpr Words kFamily = english("Family");
inline constexpr Words kVariant = english("Variant");
inline constexpr Words kPrebuilt =
    english("Prebuilt: {0}; any other value needs NVRTC: run scripts/get-nvrtc or install the CUDA toolkit");
inline constexpr Words kRun = english("Run");
inline constexpr Words kTooLarge = english("Too large for the emulator: {0}.");
inline constexpr Words kRunSample = english("Run a sample of {0} {0:block|blocks}");
inline constexpr Words kRunAllBlocks = english("Run all blocks");
inline constexpr Words kRunSampleHelp = english(
    "Runs whole blocks at corners and edges of the grid, inside it and at random. Counts and findings are "
    "then "
    "of these blocks alone.");
inline constexpr Words kRunning = english("Running");
// What is shown is not of the experiment that is chosen: of which it is.
inline constexpr Words kOnScreen = english("Still on screen: {0}");
inline constexpr Words kCancel = english("Cancel");
inline constexpr Words kBlockInFocus = english("Block in focus");
// Rows first, as blocks and matrices are counted.
inline constexpr Words kGridLine = english("grid of {0} {0:block|blocks}");
inline constexpr Words kGridLineBrief = english("{0} {0:block|blocks}");  // if "grid of" does not fit
inline constexpr Words kGridExtents = english("grid {0}");
inline constexpr Words kThreads = english("{0} {0:thread|threads}");
inline constexpr Words kWarps = english("{0} {0:warp|warps}");
inline constexpr Words kSharedBytes = english("{0} shared");
inline constexpr Words kResult = english("Result");
inline constexpr Words kWhatToLookAt = english("What to look at");
inline constexpr Words kEmulator = english("Emulator");
inline constexpr Words kEmulatorHover = english("The kernel ran on the embedded emulator: no GPU is needed.");
inline constexpr Words kGpu = english("GPU");
inline constexpr Words kColdTimes = english("Flush L2 before each timed run");
inline constexpr Words kColdTimesHelp = english(
    "Times are taken with none of the kernel's data in L2, as in a single run of the kernel; otherwise L2 "
    "holds what the previous run left there. The kernel is run again.");
inline constexpr Words kGpuNumber = english("GPU {0}");
inline constexpr Words kGpuHover =
    english("The kernel runs on {0}, which is timed and counted; the model's figures stand beside.");
inline constexpr Words kLookingForGpu = english("Looking for a GPU");
inline constexpr Words kTraceBy = english("trace: {0}");
inline constexpr Words kTraceEmulator = english("emulator");
inline constexpr Words kTraceRecording = english("recording");
inline constexpr Words kTraceHover = english("Source of the execution trace.");
inline constexpr Words kOnGpu = english("On the GPU: {0}");
inline constexpr Words kOnGpuPercent = english("On the GPU: {0}, {1}%");
inline constexpr Words kGpuStarting = english("starting");
inline constexpr Words kGpuCompiling = english("compiling");
inline constexpr Words kGpuRunning = english("running");
inline constexpr Words kGpuTiming = english("timing");
inline constexpr Words kGpuCounting = english("counting");
inline constexpr Words kGpuRecording = english("recording the trace");
inline constexpr Words kRules = english("Rules: cc {0}");
inline constexpr Words kRulesHover =
    english("Requests, sectors and wavefronts are counted by the rules of this compute capability.");
inline constexpr Words kThemeHover = english("Dark, light or projector (white)");
inline constexpr Words kLanguageHover = english("Switch to {0}");  // in that language
inline constexpr Words kKeysHover = english("Keys (F1)");
inline constexpr Words kKeys = english("Keys");
// When a manual step finds no further event.
inline constexpr Words kNoConflictOn = english("No more bank conflicts in this warp.");
inline constexpr Words kNoConflictBack = english("No earlier bank conflicts in this warp.");
inline constexpr Words kNoFindingOn = english("No more findings.");
inline constexpr Words kNoFindingBack = english("No earlier findings.");
inline constexpr Words kNoFindingAtAll = english("This run has no findings.");
inline constexpr Words kNoDivergenceOn = english("This warp does not diverge again after this step.");
inline constexpr Words kNoDivergenceBack = english("No earlier divergence in this warp.");
inline constexpr Words kNoSameLineOn = english("No more accesses of this line in this warp.");
inline constexpr Words kNoSameLineBack = english("No earlier accesses of this line in this warp.");
inline constexpr Words kNoStepOn = english("End of this warp.");
inline constexpr Words kNoStepBack = english("Start of this warp.");
inline constexpr Words kNoEventOn = english(
    "No further memory access, barrier or divergence in this warp; the full stop (.) steps by instruction.");
inline constexpr Words kNoEventBack = english(
    "No memory access, barrier or divergence before this in this warp; the comma (,) steps back by "
    "instruction.");
inline constexpr Words kStepBy = english("Step by");
inline constexpr Words kEvent = english("a unit to step by", "event");
inline constexpr Words kInstruction = english("instruction");
inline constexpr Words kLine = english("line");
inline constexpr Words kPhase = english("phase");
inline constexpr Words kSpeed = english("Speed");
inline constexpr Words kStepsPerSecond = english("{0} {0:step|steps}/s");
inline constexpr Words kAsFastAsItGoes = english("max");
inline constexpr Words kCursor = english("Cursor");
inline constexpr Words kCursorText = english("block {0} · warp {1} · lane {2} · step {3} of {4}");
inline constexpr Words kCursorBrief = english("in brief", "step {0} of {1}");
inline constexpr Words kCursorTextSoFar = english("block {0} · warp {1} · lane {2} · step {3}");
inline constexpr Words kCursorBriefSoFar = english("in brief", "step {0}");
inline constexpr Words kCursorLine = english(" · line {0}");
inline constexpr Words kExport = english("Export");
inline constexpr Words kExportWhat = english("What");
inline constexpr Words kWholeWindow = english("The whole window");
inline constexpr Words kExportAs = english("As");
inline constexpr Words kExportSteps = english("Steps");
inline constexpr Words kExportFile = english("File");
inline constexpr Words kBrowse = english("Browse …");
inline constexpr Words kBrowseHelp = english("Chooses the place in the desktop's own dialog");
inline constexpr Words kSaveTitle = english("Export the picture");
inline constexpr Words kExportButtonHelp =
    english("The view used last, or the whole window, as a picture or an animation (Ctrl E)");
inline constexpr Words kPaletteButton = english("Ctrl P");
inline constexpr Words kMoreHelp = english("What there is no room for beside it");
inline constexpr Words kPaletteButtonHelp =
    english("Command palette: commands, views, kernels, sizes, devices (Ctrl P)");
inline constexpr Words kExportNow = english("Export");
inline constexpr Words kExportReplace = english("Replace it");
inline constexpr Words kExportExists = english("A file of that name exists already.");
inline constexpr Words kExportWritten = english("Written: {0}");
inline constexpr Words kExportFolder = english("Open the folder");
inline constexpr Words kExportFolderHelp =
    english("Shows the folder with the file, in the desktop's own program");
inline constexpr Words kCopyLine = english("Copy command line");
inline constexpr Words kCopyLineHover =
    english("One line of text that opens this experiment again, with this view and this cursor");
inline constexpr Words kCopiedText = english("Copied from {1}: {0} {0:line|lines} of text");
inline constexpr Words kCopiedPicture = english("Copied: a picture of {0}");
inline constexpr Words kFetchCompiler = english("Fetch the CUDA compiler"),
                       kFetchCompilerHelp = english(
                           "Downloads NVRTC and the CUDA headers (150 MB) from the Python package index into "
                           "Lockstep's cache, for sizes that are not prebuilt and for your own .cu files. "
                           "Needs CMake and pip; no CUDA toolkit and no account"),
                       kFetchingCompiler = english("Fetching the CUDA compiler, {0} s"),
                       kFetchingToolkit = english("Fetching ptxas and nvdisasm, {0} s"),
                       kFetchingPackage = english("{0}: {1}"),
                       kStopFetchingHelp = english("Ends it; what has been downloaded so far is not kept"),
                       kCompilerFetched = english("The CUDA compiler is here: NVRTC {0}.{1}"),
                       kToolkitFetched = english("ptxas and nvdisasm are here");
inline constexpr Words kCopiedLine = english("Copied: {0}");
inline constexpr Words kFirstRun = english("The first run is under way");
inline constexpr Words kClose = english("Close");
inline constexpr Words kVerdictView = english("A click shows the view {0}");
inline constexpr Words kExperimentProblems = english("{0} · {1} {1:problem|problems}");
inline constexpr Words kPreparingRun = english("Preparing the run");
inline constexpr Words kChecking = english("All blocks have run; computing the reference result");
inline constexpr Words kSimulatingCaches = english("Simulating the caches: {0}%");
inline constexpr Words kRange = english("{0}–{1}");

inline constexpr Words kOwnPattern = english("A pattern of your own");
inline constexpr Words kElementIs = english("Element of lane tid");
inline constexpr Words kExpressionHover = english(
    "Which element each lane accesses: tid is the lane's number from 0 to 31; C's operators, for example "
    "(tid & 15) * 17 + tid / 16");
inline constexpr Words kPlacedByHand = english("placed by hand");
inline constexpr Words kSpaceShared = english("memory", "shared");
inline constexpr Words kSpaceGlobal = english("memory", "global");
inline constexpr Words kOpLoad = english("load");
inline constexpr Words kOpStore = english("store");
inline constexpr Words kRowOf = english("Row of");
inline constexpr Words kPaddingOf = english("padding");
inline constexpr Words kPaddingHover = english("Elements left unused behind each row: tile[32][32 + 1]");
inline constexpr Words kInOrder = english("linear");
inline constexpr Words kSwizzle = english("XOR swizzle");
inline constexpr Words kSwitchOff = english("Deactivate lane {0}");
inline constexpr Words kSwitchOn = english("Activate lane {0}");
inline constexpr Words kTakeAccess = english("Take the access at the cursor");
inline constexpr Words kTakeAccessHover =
    english("Puts the load or store that the cursor stands on into the playground (P)");
inline constexpr Words kReset = english("Reset");

// Help on controls.
inline constexpr Words kMorePage = english("More in docs/{0} (right click opens it)");
inline constexpr Words kFamilyHelp =
    english("What is computed. The variants of a family compute the same in different ways.");
inline constexpr Words kVariantHelp =
    english("How it is computed: each variant fixes or introduces one problem.");
inline constexpr Words kBlockHelp = english(
    "The block whose threads all views show. Others are counted, this one is recorded event by event. Blocks "
    "and threads are named by their axes, as blockIdx and threadIdx have them.");
inline constexpr Words kResultHelp =
    english("The result checked against the CPU's, and what the run did wrong.");
inline constexpr Words kStepByHelp = english(
    "What one step of → and Space means: an event (an access to memory, a barrier, a divergence), a line of "
    "the source, an instruction of the warp, or everything up to the next barrier. Page ↓ steps by line and "
    "the full stop by instruction at any time. Step numbers count instructions.");
inline constexpr Words kSpeedHelp =
    english("Steps per second while playing. Above 8 nothing is animated: only states change.");
inline constexpr Words kRunHelp = english("Runs automatically on every change; click to rerun.");
inline constexpr Words kFirstHelp = english("First step (Home)");
inline constexpr Words kLastHelp = english("Last step (End)");
inline constexpr Words kPhaseBackHelp = english("Previous phase: back to the barrier before (Shift ←)");
inline constexpr Words kPhaseHelp = english("Next phase: on to the next barrier (Shift →)");
inline constexpr Words kStepBackHelp = english("Step back (←)");
inline constexpr Words kStepHelp = english("Step forward (→)");
inline constexpr Words kPlayHelp = english("Play or pause (Space)");

inline constexpr Words kCancelRunHelp = english("Stops what is under way; the last picture stays.");
inline constexpr Words kExperimentHelp = english("Kernel, sizes and result, over the views");
inline constexpr Words kDismissHelp = english("Dismisses the message; nothing else changes.");
inline constexpr Words kCloseHelp = english("Closes this (Esc).");
inline constexpr Words kCompareFirstHelp = english("The variant on the left");
inline constexpr Words kCompareSecondHelp = english("The variant on the right, compared with the left one");
inline constexpr Words kExportWhatHelp =
    english("One view, drawn on a slide of 1280 × 720, or the whole window as it is");
inline constexpr Words kExportAsHelp =
    english("PNG: pixels. SVG: stays sharp, text stays text. GIF plays anywhere; APNG keeps every color.");
inline constexpr Words kExportStepsHelp =
    english("First and last step of the animation; to begin with, those chosen on the timeline");
inline constexpr Words kExportSpeedHelp = english("Steps per second of the animation");
inline constexpr Words kExportFileHelp =
    english("Where it is written: to begin with, in the folder used last");
inline constexpr Words kExportCancelHelp = english("Stops drawing; no file is written.");
inline constexpr Words kExportNowHelp = english("Writes the file: whole, or not at all");
inline constexpr Words kHintTakenHelp =
    english("The hint does not come back; F1 and Ctrl P are always there.");
inline constexpr Words kPaletteHelp =
    english("Type part of a name, in either language; ↑ ↓ select, Enter confirms, Esc closes.");
inline constexpr Words kOpenHelp =
    english("A .cu or .ptx is compiled and run, a .lks is a recording that was saved.");
inline constexpr Words kRecentRowHelp = english("Runs it again, as it was last set");
inline constexpr Words kPresetHelp =
    english("Common access patterns: a row, a column, a padded tile, a broadcast …");
inline constexpr Words kSpaceHelp =
    english("Shared memory counts wavefronts, global memory the sectors that are transferred.");
inline constexpr Words kOperationHelp = english("Whether the lanes read or write");
inline constexpr Words kWidthHelp = english("Bytes per lane: 4 is a float, 16 a float4");
inline constexpr Words kOrderHelp = english(
    "Linear: element by element. XOR swizzle: column ^ row, which spreads a column over the banks without "
    "padding.");
inline constexpr Words kRowHelp = english("Elements in a row of the array");
inline constexpr Words kSwitchLaneHelp =
    english("An inactive lane accesses nothing: as in a branch that it does not take");
inline constexpr Words kResetHelp = english("Back to the first pattern; Ctrl Z takes it back");

// The tasks.
inline constexpr Words kMeasure = english("Measure");
inline constexpr Words kPresent = english("Present");
inline constexpr Words kExploreHelp = english("Stage and source: what the kernel does, step by step");
inline constexpr Words kMeasureHelp = english("Memory tables, times and findings: what it costs");
inline constexpr Words kCompareHelp = english("Two kernels or two sizes side by side");
inline constexpr Words kPresentHelp = english("Full screen and large type, for a lecture (F11)");
inline constexpr Words kRecent = english("Recent");
inline constexpr Words kRecentHelp = english("Recent experiments, and files to open (Ctrl O)");
inline constexpr Words kOpen = english("Open a file …");
inline constexpr Words kBrowserField = english("part of a name, or a path");
inline constexpr Words kBrowserHelp =
    english("Lists what has this in its name; with a / it is a path. ↑ ↓ select, Enter opens.");
inline constexpr Words kBrowserNew = english("New kernel from a template");
inline constexpr Words kBrowserRowHelp = english("Opens the file, or goes to the folder");
inline constexpr Words kNoRecent = english("Nothing yet: experiments appear here once they have run.");

// The first visit.
inline constexpr Words kHint = english(
    "Space plays, → and ← step. Ctrl P finds everything by name, F1 lists the keys. A .cu, .ptx or .lks "
    "dropped here is opened.");
inline constexpr Words kHintTaken = english("Got it");
inline constexpr Words kKeyWelcome = english("Welcome: the doors to start from");
inline constexpr Words kKeyTour = english("Tour of the window, in 4 steps");

// The palette.
inline constexpr Words kPaletteHint = english("A command, a view, a kernel, a size, a theme …");
inline constexpr Words kPaletteNothing = english("No matches");
inline constexpr Words kEntryRecent = english("Recent: {0}");
inline constexpr Words kEntryView = english("View: {0}");
inline constexpr Words kEntryKernel = english("{0}: {1}");
inline constexpr Words kEntrySet = english("Set {0} = {1}");
inline constexpr Words kEntryLanguage = english("Language: {0}");
inline constexpr Words kEntryTheme = english("Theme: {0}");
inline constexpr Words kEntryRules = english("Rules: cc {0}");

// A user's own kernel.
inline constexpr Words kOwnFile = english("Your kernel");
inline constexpr Words kOwnLaunch = english("Launch …");
inline constexpr Words kOwnLaunchHelp = english("Kernel, grid, block and arguments of this file");
inline constexpr Words kOwnEntryHelp = english("The kernels that the file has, with their parameters");
inline constexpr Words kOwnLookHelp = english("Compiles this instantiation to see what it takes");
inline constexpr Words kOwnRunHelp =
    english("Compiles and runs it (Enter); from then on whenever the file is saved");
inline constexpr Words kOwnCancelHelp = english("Leaves what is shown as it is (Esc)");
inline constexpr Words kOwnWatched =
    english("It runs again as you edit it here, and when another program saves the file.");
inline constexpr Words kOwnTitle = english("Launch configuration for {0}");
inline constexpr Words kOwnKernel = english("kernel");
inline constexpr Words kOwnLaunchAt = english("line {0}: {1}");
inline constexpr Words kOwnEntryLaunchHelp =
    english("The kernels that the file has, and the launches that its host code makes");
inline constexpr Words kOwnFromFile = english("Filled from line {0} of {1}.");
inline constexpr Words kOwnTemplate =
    english("The file has templates only: name an instantiation, as in C++.");
inline constexpr Words kOwnLook = english("Find its parameters");
inline constexpr Words kOwnGrid = english("grid");
inline constexpr Words kOwnGridHelp = english("Blocks in x, y and z: 4 or 4,4 or 4,4,2");
inline constexpr Words kOwnBlock = english("block");
inline constexpr Words kOwnBlockHelp = english("Threads of a block in x, y and z: 256 or 16,16");
inline constexpr Words kOwnShared = english("shared (bytes)");
inline constexpr Words kOwnSharedHelp =
    english("Dynamic shared memory of a block; 0 where the kernel declares what it needs");
inline constexpr Words kOwnArgument = english("argument {0}");
inline constexpr Words kOwnArgumentHelp = english(
    "A buffer: f32[1024]=random, zero, iota, const:2.5 or FILE.npy; with rows and columns "
    "f32[32][48]=random. "
    "A value: i32:96, f32:1.5. A struct: hex:0a00…");
inline constexpr Words kOwnThen = english("of a launch", "then");
inline constexpr Words kOwnThenHelp = english(
    "A further launch on the same buffers, in CUDA's form: add<<<4, 256>>>(buffer:1, f32[4]=zero, i32:1000). "
    "buffer:0 is the first buffer of the launches before. Empty: none");
inline constexpr Words kOwnDefines = english("macros");
inline constexpr Words kOwnDefinesHelp = english("For the compiler, with spaces between: TILE=16 DEBUG");
inline constexpr Words kOwnReference = english("check result against");
inline constexpr Words kOwnReferenceHelp = english(
    "What the results should be: a reference of the catalog (matmul:M=0,N=1,P=2,width=64), another kernel "
    "(kernel:NAME) or a file (2=expected.npy); several with ; between. Choose a proposal, then change it as "
    "you like; empty: not checked");
inline constexpr Words kOwnReferenceText = english("reference");
inline constexpr Words kOwnNoReference = english("nothing");
inline constexpr Words kOwnPath = english("path of a .cu, .ptx or .lks");

// Opening files.
inline constexpr Words kOpenTitle = english("Open a kernel or a recording");
inline constexpr Words kOpenKinds = english("Kernels and recordings");

// What a key, or a palette row, does.
inline constexpr Words kKeyPlay = english("Play or pause");
inline constexpr Words kKeyStep = english("Step forward");
inline constexpr Words kKeyStepBack = english("Step back");
inline constexpr Words kKeyInstruction = english("Next instruction");
inline constexpr Words kKeyInstructionBack = english("Previous instruction");
inline constexpr Words kKeyLine = english("Next source line");
inline constexpr Words kKeyLineBack = english("Previous source line");
inline constexpr Words kKeyPhase = english("Next phase");
inline constexpr Words kKeyPhaseBack = english("Previous phase");
inline constexpr Words kKeyFirst = english("First step");
inline constexpr Words kKeyLast = english("Last step");
inline constexpr Words kKeyWarp = english("Next warp");
inline constexpr Words kKeyWarpBack = english("Previous warp");
inline constexpr Words kKeyBlock = english("Next block in focus");
inline constexpr Words kKeyBlockBack = english("Previous block in focus");
inline constexpr Words kKeyLane = english("Next lane");
inline constexpr Words kKeyLaneBack = english("Previous lane");
inline constexpr Words kKeySelect = english("Extend selection right");
inline constexpr Words kKeySelectBack = english("Extend selection left");
inline constexpr Words kKeySelectNone = english("Clear selection, or restore the view");
inline constexpr Words kKeyAccess = english("Next access of this line");
inline constexpr Words kKeyAccessBack = english("Previous access of this line");
inline constexpr Words kKeyConflict = english("Next bank conflict");
inline constexpr Words kKeyConflictBack = english("Previous bank conflict");
inline constexpr Words kKeyDivergence = english("Next divergence");
inline constexpr Words kKeyDivergenceBack = english("Previous divergence");
inline constexpr Words kKeyFinding = english("Next finding");
inline constexpr Words kKeyFindingBack = english("Previous finding");
inline constexpr Words kKeyViews =
    english("Views: {0}. Ctrl P finds the others by their names, and the tour of the window by \"tour\".");
inline constexpr Words kKeyRun = english("Run again");
inline constexpr Words kKeySweep = english("Sweep the size of this kernel and chart it");
inline constexpr Words kKeyUndo = english("Undo a change of the experiment");
inline constexpr Words kKeyRedo = english("Redo a change of the experiment");
inline constexpr Words kKeyExport = english("Export the view or the window");
inline constexpr Words kKeyCopy = english("Copy the view's texts (Shift: the command line that opens it)");
inline constexpr Words kKeyCopyPicture = english("Copy the view as a picture");
inline constexpr Words kCopyPicture = english("Copy picture");
inline constexpr Words kCopyPictureHover =
    english("Puts the picture on the clipboard, to be pasted into a slide (Ctrl Alt C)");
inline constexpr Words kKeyTheme = english("Next theme");
inline constexpr Words kKeyLanguage = english("English or Chinese");
inline constexpr Words kKeyMotion = english("Reduce motion, or show it again");
inline constexpr Words kKeyPresent = english("Present: full screen, large type");
inline constexpr Words kKeyTake = english("Take the access at the cursor into the playground");
inline constexpr Words kKeyPalette = english("Command palette");
inline constexpr Words kKeyOpen = english("Open a kernel or a recording");
inline constexpr Words kKeyRead = english("Read about this kernel");
inline constexpr Words kKeyExplore = english("Views for exploring");
inline constexpr Words kKeyMeasure = english("Views for measuring");
inline constexpr Words kKeyCompare = english("Compare with another kernel or size");
inline constexpr Words kKeyStage = english("Draw the stage another way");
inline constexpr Words kKeyEnlarge = english("Maximize or restore the view");
inline constexpr Words kEnlargeHelp = english("Maximizes this view (Z, or a double click on its tab)");
inline constexpr Words kRestoreHelp = english("Restores this view (Z or Esc)");
inline constexpr Words kKeyReset = english("Reset the layout");
inline constexpr Words kKeyZoomIn = english("Make everything larger");
inline constexpr Words kKeyZoomOut = english("Make everything smaller");
inline constexpr Words kKeyZoomNone = english("Show everything at its normal size");
inline constexpr Words kKeyMagnify = english("Magnify the view at the cursor, or under the mouse");
inline constexpr Words kKeyShrink = english("Show more of a magnified view");
inline constexpr Words kKeyWhole = english("Show the whole view again");
inline constexpr Words kKeyHelp = english("This list of keys");
inline constexpr Words kKeyQuit = english("Quit");
inline constexpr Words kPresentNext = english("Next event");
inline constexpr Words kPresentBack = english("Previous event");
inline constexpr Words kPresentLens = english("Next view in the stage's place");
inline constexpr Words kPresentLensBack = english("Previous view in the stage's place");
inline constexpr Words kPresentBlack = english("Black screen");
inline constexpr Words kPresentEnd = english("End the presentation");

}  // namespace lockstep::app::words
