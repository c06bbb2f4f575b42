// Every text of the views, in both languages. {0}, {1} are values; the two languages name the same ones.
#pragma once

#include "base/text/words.h"

namespace lockstep::viz::message {

// ---- Names
inline constexpr Words kWarp = english("Warp {0}");
inline constexpr Words kWarpLower = english("warp {0}");
inline constexpr Words kLane = english("lane {0}");
inline constexpr Words kBlock = english("Block {0}");
inline constexpr Words kLine = english("line {0}");
inline constexpr Words kStepOf = english("step {0} of {1}");
inline constexpr Words kGoToStep = english("Go to step {0}");
inline constexpr Words kGlobal = english("global");
inline constexpr Words kShared = english("shared");
inline constexpr Words kLocal = english("local");
inline constexpr Words kConstant = english("constant");
inline constexpr Words kParam = english("parameter");
inline constexpr Words kLoad = english("load");
inline constexpr Words kStore = english("store");
inline constexpr Words kAtomic = english("atomic");
inline constexpr Words kReduction = english("atomic (RED)");
inline constexpr Words kSharedReduction = english("shared atomic (result unused)");
inline constexpr Words kAsyncFromGlobal = english("asynchronous copy from global"),
                       kAsyncToShared = english("asynchronous copy to shared");
inline constexpr Words kAsyncCopy = english("asynchronous copy");
inline constexpr Words kBytesALane = english("{0} {0:byte|bytes} per lane");
inline constexpr Words kInactiveLanes = english("inactive: {0:lane|lanes} {1}");
inline constexpr Words kAccessKind = english("{0} {1}");

// ---- Why there is nothing to show
inline constexpr Words kNotRecorded =
    english("Block {0} was not recorded. Choose it as the block in focus to see what it did.");
inline constexpr Words kNoSuchStep = english("Warp {0} of block {1} has no step {2}.");
inline constexpr Words kNothingRecorded = english("Nothing was recorded: this run kept figures only.");

// ---- Banks
inline constexpr Words kBanksTitle = english("Banks");
inline constexpr Words kNoSharedAccess =
    english("The instruction at the cursor does not access shared memory.");
inline constexpr Words kNoSharedAccessAtAll = english("Warp {0} does not use shared memory at all.");
inline constexpr Words kNoActiveLane =
    english("No active lanes: the instruction was issued but accessed nothing.");
inline constexpr Words kWavefronts = english("{0} {0:wavefront|wavefronts}");
inline constexpr Words kBank = english("bank");
inline constexpr Words kPass = english("wavefront {0}");
inline constexpr Words kMemoryLines = english("Shared memory in rows of {0} {0:word|words}: every bank once");
inline constexpr Words kOrderIsOurs =
    english("Wavefront order is chosen for display; NVIDIA does not document it.");
inline constexpr Words kAtomicsNote = english(
    "Lanes that update the same word take a wavefront each, unless all add 1 and the result is unused: then "
    "they are merged.");
inline constexpr Words kMergedNote = english(
    "The compiler merges this access with neighboring ones: {0} {0:access|accesses} in the source "
    "{0:becomes|become} one of {1} {1:byte|bytes}. {2} Drawn here as written.");
inline constexpr Words kRemovedNote =
    english("The compiler removed this access: SASS does not have it. {0} Drawn here as written.");
// Who says what the compiler did.
inline constexpr Words kFromMachineCodeSo = english("(From the machine code, SASS.)");
inline constexpr Words kModelledSo = english("(According to the compiler model.)");
inline constexpr Words kOneModelledSo =
    english("({0} according to the compiler model, the other as in SASS.)");
inline constexpr Words kFromMachineCode = english("from SASS");
inline constexpr Words kModelled = english("modeled");
inline constexpr Words kHatchedUnused = english("Hatched: words this block never accesses.");
inline constexpr Words kWordOf = english("word {0}");
inline constexpr Words kExecutionsHere =
    english("Wavefronts of line {1} in this block ({0} {0:request|requests})");
inline constexpr Words kWholeGridWavefronts =
    english("whole grid: {0} {0:request|requests}, {1} {1:wavefront|wavefronts}");
inline constexpr Words kSampleWavefronts =
    english("sample: {0} {0:request|requests}, {1} {1:wavefront|wavefronts}");
inline constexpr Words kLaneTouchesWord = english("Lane {0} accesses word {1}: bank {2}, wavefront {3}.");
inline constexpr Words kLanesShareWord =
    english("Lanes {0} access the same word {1}: bank {2}, wavefront {3}, served together.");
inline constexpr Words kLanesUpdateWord =
    english("Lanes {0} update the same word {1}: bank {2}, wavefront {3}, counted and added in one step.");
inline constexpr Words kExecutionHover = english("Warp {0}, step {1}: {2} {2:wavefront|wavefronts}.");
inline constexpr Words kReads = english("reads");
inline constexpr Words kWrites = english("writes");
inline constexpr Words kUpdates = english("updates");
inline constexpr Words kBanksConflict = english(
    "Warp {0} {1} {2} {2:word|words}, up to {3} of them in one bank, served one after another: {4} "
    "{4:wavefront|wavefronts} instead of {5}.");
inline constexpr Words kBanksOneBank = english(
    "Warp {0} {1} {2} {2:word|words}, all in bank {3}, served one after another: {4} "
    "{4:wavefront|wavefronts} instead of {5}.");
inline constexpr Words kBanksFree =
    english("Warp {0} {1} {2} {2:word|words} in {3} {3:bank|different banks}: no conflict, {4}.");
// Wide accesses: words of one bank, but of different groups of lanes.
inline constexpr Words kBanksFreeInGroups = english(
    "Warp {0} {1} {2} {2:word|words}, {3} in each of {4} {4:bank|banks}, each for a different group of "
    "lanes: no conflict, {5}.");
inline constexpr Words kBanksFreeUpTo = english(
    "Warp {0} {1} {2} {2:word|words}, up to {3} in one of {4} {4:bank|banks}, each for a different group of "
    "lanes: no conflict, {5}.");
inline constexpr Words kBanksBroadcast =
    english("Warp {0} {1} one word for all {2} {2:lane|lanes}: a broadcast, {3}.");
inline constexpr Words kBanksHalfWarps = english("Warp {0} {1} {2} {2:word|words}: {3}.");
inline constexpr Words kBanksGroups = english(
    "At {2} {2:byte|bytes} per lane, {3} {3:lane is|lanes are} served at a time: {1} "
    "{1:group|groups}, at least {0} {0:wavefront|wavefronts}.");
inline constexpr Words kBanksNeighbors = english(
    "At {2} {2:byte|bytes} per lane, with the same address in neighboring lanes, {3} {3:lane is|lanes are} "
    "served "
    "at a time: {1} {1:group|groups}, at least {0} {0:wavefront|wavefronts}.");

// ---- Timeline
inline constexpr Words kTimelineTitle = english("Timeline");
inline constexpr Words kTooSmall = english("There is not enough room here; make this panel larger.");
inline constexpr Words kPhases = english("Phases");
inline constexpr Words kLanesOn = english("Active lanes");
inline constexpr Words kLanesOnBrief = english("active");
inline constexpr Words kLanesOnAt = english("Step {0}: {1} of {2} {2:lane|lanes} active");
inline constexpr Words kLanesOnGap = english("Warp {0} waits here for others");
inline constexpr Words kMoreSteps = english("and {0} more {0:step|steps} nearby");
inline constexpr Words kStepHover = english("Warp {0}, step {1}: {2}, line {3}, {4} {4:lane|lanes} active.");
inline constexpr Words kStepHoverCost =
    english("Warp {0}, step {1}: {2}, line {3}, {4} {4:lane|lanes} active: {5}.");
inline constexpr Words kBandHover = english("{0}; warp {3}, steps {1} to {2}");
inline constexpr Words kGoToWarp = english("Show warp {0} at the same moment");
inline constexpr Words kRulerHover = english(
    "Step {0}. Drag along the numbers, or Shift-drag over the rows, to select a range of steps and total its "
    "counters.");
inline constexpr Words kRangeHead = english("Steps {0}–{1}: ");
inline constexpr Words kRangeHeadOfAll = english("Steps {0}–{1}, {2} {2:warp|warps}: ");
inline constexpr Words kRangeWarp = english("warp {0}: ");
inline constexpr Words kRangeWarpWaits = english("warp {0}: waits all that time");
inline constexpr Words kRangeInstructions =
    english("{0} {0:instruction|instructions}, {1}% of the lanes active");
inline constexpr Words kRangeSectors = english("{0} global {0:sector|sectors}");
inline constexpr Words kRangeTransactions = english("{0} global {0:transaction|transactions}");
inline constexpr Words kRangeWavefronts = english("{0} shared {0:wavefront|wavefronts}");
inline constexpr Words kRangeMoreWarps = english("and {0} {0:warp|warps} more");
inline constexpr Words kRangeClears = english("Esc clears the selection.");
inline constexpr Words kWarpsAbove = english("{0} more {0:warp|warps} above");
inline constexpr Words kWarpsBelow = english("{0} more {0:warp|warps} below");
inline constexpr Words kKeyGlobalLoad = english("global load");
inline constexpr Words kKeyGlobalStore = english("global store");
inline constexpr Words kKeySharedLoad = english("shared load");
inline constexpr Words kKeySharedStore = english("shared store");
inline constexpr Words kKeyArithmetic = english("arithmetic");
inline constexpr Words kKeyBarrier = english("key", "barrier");

// ---- Lanes
inline constexpr Words kLanesTitle = english("Lanes");
inline constexpr Words kDivergenceNote = english(
    "Branches as written in PTX. The compiler often predicates a short one, so a profiler may count no "
    "divergence.");
inline constexpr Words kPredicatedNote = english(
    "A branch in PTX that runs as predicated instructions ({0}): a path this short is not branched around; "
    "lanes that skip it are predicated off.");
inline constexpr Words kLeavesNote = english(
    "A PTX branch that becomes an exit ({0}): SASS has a predicated EXIT instead; lanes with "
    "nothing left to do leave here. The trace follows PTX, where they return last.");
inline constexpr Words kJumpsNote = english(
    "A real branch ({0}): the warp executes one side, then the other, each with the other's lanes inactive.");
inline constexpr Words kLoopsNote = english(
    "A real branch ({0}), around a loop: lanes that skip it or are done with it are inactive until the "
    "others are "
    "done as well.");
inline constexpr Words kLanesHere =
    english("{0} of {1} {1:lane|lanes} of warp {2} {0:executes|execute} {3}.");
inline constexpr Words kAllLanesHere =
    english("All {0} {0:lane|lanes} of warp {1} {0:executes|execute} {2}.");
inline constexpr Words kOnlyLaneHere = english("The only lane of warp {0} executes {1}.");
inline constexpr Words kNoLaneHere =
    english("No lane of warp {0} executes {1}: its predicate is false in all of them.");
inline constexpr Words kNoLaneTakesIt =
    english("No lane of warp {0} takes the branch: they all fall through.");
inline constexpr Words kSplitHere = english(
    "Warp {0} diverges: {1} {1:lane takes|lanes take} the branch, {2} {2:falls|fall} through; they "
    "reconverge at {3}.");
inline constexpr Words kSplitToEnd = english(
    "Warp {0} diverges: {1} {1:lane takes|lanes take} the branch, {2} {2:falls|fall} through; they do not "
    "reconverge before the end.");
inline constexpr Words kLaneOn = english("Lane {0}, thread {1}: {2}.");
inline constexpr Words kLaneReads = english("Lane {0}, thread {1} reads {2} = {3}.");
inline constexpr Words kLaneWrites = english("Lane {0}, thread {1} writes {2} = {3}.");
inline constexpr Words kLaneUpdates = english("Lane {0}, thread {1}: {2}");
inline constexpr Words kColumnStep = english("step");
inline constexpr Words kColumnLine = english("line");
inline constexpr Words kColumnInstruction = english("instruction");
inline constexpr Words kKeyOn = english("executes");
inline constexpr Words kKeyHeldBack = english("predicated off");
inline constexpr Words kKeyOff = english("inactive");
inline constexpr Words kJumpOrStay = english("m|n: m lanes take the branch, n fall through");
inline constexpr Words kJumpsHover =
    english("{0} of {1} {1:lane|lanes} {0:takes|take} the branch, {2} {2:falls|fall} through.");
inline constexpr Words kNoneJumpsHover =
    english("{0} of {0} {0:lane falls|lanes fall} through; none takes the branch.");
inline constexpr Words kGuardHover = english("The predicate is true in {0} of {1} {1:lane|lanes} here.");

// ---- Source
inline constexpr Words kSourceTitle = english("Source");
inline constexpr Words kNoSource =
    english("The source text of this kernel is not known; PTX shows what ran.");
inline constexpr Words kShares =
    english("S = sectors: {0}   W = shared wavefronts: {1}   I = instructions: {2}");
inline constexpr Words kSharesTransactions =
    english("T = transactions: {0}   W = shared wavefronts: {1}   I = instructions: {2}");
inline constexpr Words kSharesInWords = english(
    "of {0} {0:sector|sectors}, {1} shared-memory {1:wavefront|wavefronts} and {2} "
    "{2:instruction|instructions} in the whole grid");
inline constexpr Words kSharesInWordsTransactions = english(
    "of {0} {0:transaction|transactions}, {1} shared-memory {1:wavefront|wavefronts} and {2} "
    "{2:instruction|instructions} in the whole grid");
inline constexpr Words kSharesOfSample = english(
    "of {0} {0:sector|sectors}, {1} shared-memory {1:wavefront|wavefronts} and {2} "
    "{2:instruction|instructions} in the blocks that ran");
inline constexpr Words kSharesOfSampleTransactions = english(
    "of {0} {0:transaction|transactions}, {1} shared-memory {1:wavefront|wavefronts} and {2} "
    "{2:instruction|instructions} in the blocks that ran");
inline constexpr Words kShareOfSectors = english("sectors");
inline constexpr Words kShareOfTransactions = english("transactions");
inline constexpr Words kShareOfWavefronts = english("wavefronts");
inline constexpr Words kShareOfInstructions = english("instructions");
inline constexpr Words kLineHover = english(
    "Line {0}: {1} warp {1:instruction|instructions}, {2} {2:sector|sectors}, {3} shared-memory "
    "{3:wavefront|wavefronts}, {4} divergent {4:branch|branches}.");
inline constexpr Words kLineHoverTransactions = english(
    "Line {0}: {1} warp {1:instruction|instructions}, {2} {2:transaction|transactions}, {3} shared-memory "
    "{3:wavefront|wavefronts}, {4} divergent {4:branch|branches}.");
inline constexpr Words kLineIdle = english("Line {0}: no instructions.");
inline constexpr Words kMachineTabName = english("SASS (machine code)");
inline constexpr Words kMachineHead = english(
    "{0} for sm_{1}: {2} {2:instruction|instructions}, {3} {3:register|registers} per thread; lit: what the "
    "current source line became");
inline constexpr Words kMachineHover =
    english("Machine instruction at {0}: from PTX instruction {1}, line {2}.");
inline constexpr Words kMachineOfNone =
    english("Machine instruction at {0}: from no instruction of the PTX.");
inline constexpr Words kMachineFunction = english("Function {0}");
inline constexpr Words kMachineToCome = english("SASS is being made; the run is shown meanwhile.");
inline constexpr Words kPtxHover =
    english("Instruction {0}: issued {1} {1:time|times}, {2} thread {2:instruction|instructions}.");
inline constexpr Words kValuesAtCursor = english("Values");
inline constexpr Words kRowAddress = english("address");
inline constexpr Words kRowRead = english("values", "reads");
inline constexpr Words kRowWritten = english("writes");
inline constexpr Words kRowOperand = english("operand");
inline constexpr Words kRowCompare = english("compares with");
inline constexpr Words kRowSwap = english("stores if equal");
inline constexpr Words kRowOld = english("old value");
inline constexpr Words kRowNew = english("new value");
inline constexpr Words kLineSentence = english("Cursor on line {0}: {1}");

// ---- Sectors
inline constexpr Words kSectorsTitle = english("Sectors");
inline constexpr Words kNoGlobalAccess =
    english("The instruction at the cursor does not access global memory.");
inline constexpr Words kNoGlobalAccessAtAll = english("Warp {0} does not use global memory at all.");
inline constexpr Words kCapability = english("Compute capability {0}.{1}");
inline constexpr Words kMeasuredOn = english("rule measured on an {0}");
inline constexpr Words kDocumented = english("rule as documented");
inline constexpr Words kRuleInOrder = english(
    "By half-warps: lane k of the half must access word k of the segment, or each lane is served alone.");
inline constexpr Words kRuleSegments = english(
    "By half-warps, in any order: one transaction per segment of up to 128 bytes, halved while one half is "
    "unused, down to 32 bytes.");
inline constexpr Words kRuleLines = english("Whole warp, any order: the distinct lines of 128 bytes.");
inline constexpr Words kRuleSectors =
    english("All lanes of the warp, in any order: each sector of 32 bytes is transferred once.");
inline constexpr Words kTransactions = english("{0} {0:transaction|transactions}");
inline constexpr Words kSectorsFigure = english("{0} {0:sector|sectors}");
inline constexpr Words kUsed = english("{0}% used");
inline constexpr Words kWritten = english("{0}% written");
inline constexpr Words kMoved = english("{0} {0:byte|bytes} transferred, {1} used");
inline constexpr Words kMovedAndLeast =
    english("{0} {0:byte|bytes} transferred, {1} used; aligned and consecutive: {2}");
// The same of a store, whose sectors may come from device memory for what it leaves.
inline constexpr Words kStoredOf = english("{0} {0:byte|bytes} in all, {1} written");
inline constexpr Words kStoredAndLeast =
    english("{0} {0:byte|bytes} in all, {1} written; aligned and consecutive: {2}");
inline constexpr Words kRowIsTransactionStored = english("one row = one transaction; gray = not written");
inline constexpr Words kGreyNotWritten = english("gray = not written");
inline constexpr Words kItemHover =
    english("{0} {0:byte|bytes} from byte {1}, transferred for {3:lane|lanes} {2}.");
inline constexpr Words kItemOfOthers =
    english("{0} {0:byte|bytes} from byte {1}: no lane of the part shown uses them.");
inline constexpr Words kElementHere = english("Element {0}");
inline constexpr Words kSideBySide = english("Side by side, up to three");
inline constexpr Words kPutBeside = english("Add compute capability {0}.{1}");
inline constexpr Words kPutBesideInstead =
    english("Show compute capability {0}.{1} in place of the one chosen first");
inline constexpr Words kTakeAway = english("Remove compute capability {0}.{1}");
inline constexpr Words kLastOne =
    english("The rules of compute capability {0}.{1}; click another capability to add it");
inline constexpr Words kSectorsSentence = english(
    "Warp {0} {1} {2} {2:byte|bytes} with {3} {3:lane|lanes}: {5}, {4} {4:byte|bytes} transferred, {6}% of "
    "them used.");
// Of an atomic, whose sectors the hardware counts once per access.
inline constexpr Words kAtomicSentence = english(
    "Warp {0} updates {1} {1:byte|bytes} atomically with {2} {2:lane|lanes}: {3} {3:sector access|sector "
    "accesses} to {4} {4:sector|sectors}.");
inline constexpr Words kSectorAccesses = english("{0} {0:sector access|sector accesses}");
inline constexpr Words kOnDevice = english("Compute capability {0}.{1}: {2}.");
inline constexpr Words kNoAtomicsOn = english("Compute capability {0}.{1}: no atomics on global memory.");

// ---- Stage
inline constexpr Words kStageTitle = english("Stage");
inline constexpr Words kTileOf = english("tile {0} of {1}");
inline constexpr Words kDoingSetUp = english("setup");
inline constexpr Words kDoingLoad = english("load from {0}");
inline constexpr Words kDoingKeep = english("store the tile of {0}");
inline constexpr Words kDoingKeepPart =
    english("store the block's part of {0}");  // that is all of what it needs
inline constexpr Words kDoingMultiply = english("multiply");
inline constexpr Words kDoingResult = english("store to {0}");
inline constexpr Words kMarks = english("Marks");
inline constexpr Words kKeyValue = english("value, its lane");
inline constexpr Words kKeyOutside = english("no such element: outside the matrix");
inline constexpr Words kKeyRead = english("read from memory");
inline constexpr Words kKeyUnread = english("nothing read");
inline constexpr Words kKeyNext = english("next load");
inline constexpr Words kKeyTile = english("tile of the block");
inline constexpr Words kKeyTileNext = english("next tile to load");
inline constexpr Words kKeyStale = english("stale, from a previous tile");
inline constexpr Words kKeyAstray = english("reads the wrong element");
inline constexpr Words kKeyCursor = english("cursor");
inline constexpr Words kSharedOfBlock = english("Shared memory of the block");
inline constexpr Words kTileBeingWritten = english("being written");
inline constexpr Words kTileNext = english("next");
inline constexpr Words kTileInUse = english("in use");
inline constexpr Words kTileHolds = english("{0} = {1}, stored by lane {2} of warp {3}, tile {4} of {5}.");
inline constexpr Words kStoredByLane = english("{0} = {1}, stored by lane {2} of warp {3}.");
inline constexpr Words kTileEmpty = english("{0}: not written yet");
inline constexpr Words kCellIs = english("{0} = {1}");
inline constexpr Words kCellRead = english("{0} = {1}, read by lane {2} of warp {3}.");
inline constexpr Words kCellReadByLanes = english("{0} is read by {3:lane|lanes} {1} of warp {2}.");
inline constexpr Words kCellOutside = english("{0} does not exist: it lies outside of {1}.");
inline constexpr Words kElementOfBlock = english("{0} is computed by block {1}.");
inline constexpr Words kThreadOwns = english("Thread {0} computes {1}.");
inline constexpr Words kThreadOwnsNothing = english(
    "Thread {0} has no element to store: {1} is out of bounds; but other threads need what it loads.");
inline constexpr Words kThreadsWithoutElement =
    english("{0} of the {1} {1:thread|threads} {0:owns|own} no {2} element");
inline constexpr Words kSum = english("sum");
inline constexpr Words kMemoryRows = english("{0} in memory, row after row");
inline constexpr Words kPastEnd = english("past end");
inline constexpr Words kLanesOfWarp = english("Lanes of warp {0}");
inline constexpr Words kLanesExist = english("{0} of 32 exist");
inline constexpr Words kColumnLane = english("lane");
inline constexpr Words kColumnThread = english("thread");
inline constexpr Words kColumnAsks = english("requested");
inline constexpr Words kColumnReads = english("reads");
inline constexpr Words kColumnWrites = english("writes");
inline constexpr Words kColumnGets = english("gets");
inline constexpr Words kColumnFactors = english("factors");
inline constexpr Words kColumnElement = english("element");
inline constexpr Words kColumnValue = english("value");
inline constexpr Words kAnd = english(" and ");
inline constexpr Words kComma = english(", ");
inline constexpr Words kAndOthers = english(" and others");
inline constexpr Words kSentenceGhost = english(
    "Thread {0} would load {1}, which is out of bounds; its bounds check fails, so it loads nothing here and "
    "stores {2} to {3}.");
inline constexpr Words kSentenceGhosts = english(
    "Threads {0} would load {1}, which are out of bounds; their bounds checks fail, so they load nothing "
    "here and store {2} to {3}.");
inline constexpr Words kSentenceAlias = english(
    "Without a bounds check, thread {0} loads {1} and gets {2}. The address is inside the array, so no "
    "error is raised.");
inline constexpr Words kSentenceOutside = english(
    "Without a bounds check, thread {0} loads {1}, past the end of {2}: here it gets {3}, on a GPU an "
    "indeterminate value.");
inline constexpr Words kSentenceLoad =
    english("Warp {0} reads {1} {1:element|elements} of {2} into registers, one per thread.");
inline constexpr Words kSentenceMultiply =
    english("Thread {0}: {1} × {3} = {2} × {4}; running sum after {6} {6:product|products}: {5}.");
inline constexpr Words kTransferGhost =
    english("Thread {0} loads nothing for {1}, which is out of bounds; it stores {2}.");
inline constexpr Words kTransferRead = english("Thread {0} moves {1} = {2} to {3}.");
inline constexpr Words kNoBuffers = english("This kernel has no buffers to show.");
inline constexpr Words kTouchedNow = english("accessed now");
inline constexpr Words kTouchedByBlock = english("accessed by this block");
inline constexpr Words kTouchHover = english("{0} = {1}");
inline constexpr Words kTouchHoverLanes = english("{0} = {1}; warp {3} {4} it now ({5:lane|lanes} {2}).");
inline constexpr Words kTouchHoverUnknown = english("{0}; warp {3} {4} it now ({5:lane|lanes} {2}).");
inline constexpr Words kElements = english("{0} {0:element|elements}");
// Rows and columns: one, neighbors, a few, or so many of a range.
inline constexpr Words kOneRow = english("row {0}"), kOneColumn = english("column {0}");
inline constexpr Words kRowsTo = english("rows {0} to {1}"), kColumnsTo = english("columns {0} to {1}");
inline constexpr Words kFewRows = english("rows {0}"), kFewColumns = english("columns {0}");
inline constexpr Words kRowsAmong = english("{2} of rows {0} to {1}"),
                       kColumnsAmong = english("{2} of columns {0} to {1}"),
                       kRowsEvery = english("rows {0}, {1}, …, {2}"),
                       kColumnsEvery = english("columns {0}, {1}, …, {2}");
inline constexpr Words kTheyBelong = english("{2:This element belongs|These elements belong} in {1} of {0}.");
inline constexpr Words kTheyLie = english("{2:This element is|These elements are} in {1} of {0}.");
inline constexpr Words kDoingKeepIn = english("store to {0}");
inline constexpr Words kDoingTake = english("load from {0}");
inline constexpr Words kPartOf = english("{0}, {1} of {2}");
inline constexpr Words kPartOfSize = english("part of {0}");  // where there is no room to say which
inline constexpr Words kElementsOfBytes =
    english("{0} {0:element|elements} of {1} {1:byte|bytes}");  // of vectors and structures
inline constexpr Words kRowsPart = english("rows {0}–{1}"), kColumnsPart = english("columns {0}–{1}");
inline constexpr Words kElementOfLane = english("{0}[{1}][{2}] = {3}: lane {4} moves it.");
inline constexpr Words kRegistersOf = english("Registers of warp {0}");
inline constexpr Words kKeyMovedNow = english("copied now");
inline constexpr Words kKeySameElement = english("other places of these elements");
inline constexpr Words kKeyMovedBefore = english("copied earlier");
inline constexpr Words kKeyTileHolds = english("in the tile");
inline constexpr Words kKeyPadding = english("never used");
inline constexpr Words kRequestOf = english("Warp {0} {1} {2}[]");
inline constexpr Words kRequestAhead = english("next request: step {0}");
inline constexpr Words kRequestBehind = english("last request: step {0}");
inline constexpr Words kWholeBuffer =
    english("All of {0}[], from its first byte to its last; marked: accessed by this block");
inline constexpr Words kKeyLaneBytes = english("bytes that a lane reads");
inline constexpr Words kKeyLaneBytesStored = english("bytes that a lane writes");
inline constexpr Words kKeyNotWritten = english("not written");
inline constexpr Words kKeySegment = english("segment transferred"),
                       kKeySector = english("sector transferred"), kKeyLine = english("line transferred");
inline constexpr Words kKeyUnused = english("transferred, not used");
inline constexpr Words kTreeRound = english("round {0}");
inline constexpr Words kTreeStart = english("{0} as loaded");
inline constexpr Words kTreeWorking = english("{0} of {1} {0:adds|add}");
inline constexpr Words kTreeSplit = english("{0} {0:warp|warps} diverged");
inline constexpr Words kTreeHover = english("{0}[{1}] = {2} after round {3}.");
inline constexpr Words kTreeSentence = english(
    "Round {0}: {1} {1:thread adds|threads add} and {2} {2:is|are} idle; {3} of {4} {4:warp|warps} "
    "{3:diverges|diverge}.");
inline constexpr Words kTreeSentenceAll = english(
    "Round {0}: {1} {1:thread adds|threads add} and {2} {2:is|are} idle; all {3} {3:warp|warps} "
    "{3:diverges|diverge}.");
inline constexpr Words kTreeSentenceOnly = english(
    "Round {0}: {1} {1:thread adds|threads add} and {2} {2:is|are} idle; the block's only warp diverges.");
inline constexpr Words kTreeSentenceWhole =
    english("Round {0}: {1} {1:thread adds|threads add} and {2} {2:is|are} idle; no warp diverges.");
inline constexpr Words kLanesThatAdd = english("active lanes");
inline constexpr Words kWarpSitsOut =
    english("Round {0}: none of the {2} {2:lane|lanes} of warp {3} adds; the whole warp is idle.");
inline constexpr Words kWarpAddsWhole =
    english("Round {0}: {2:the|all} {2} {2:lane|lanes} of warp {3} {2:adds|add}: the warp does not diverge.");
inline constexpr Words kWarpAddsInPart = english(
    "Round {0}: {1} of {2} {2:lane|lanes} of warp {3} {1:adds|add}; the others are idle: the warp diverges.");
inline constexpr Words kKeyDivides = english("diverges: some lanes add");
inline constexpr Words kKeyAdds = english("new sum, in its warp's color");
inline constexpr Words kKeyAddsNext = english("next sum");
inline constexpr Words kKeyIdle = english("unchanged");
inline constexpr Words kKeyToCome = english("later round");
inline constexpr Words kKeyAdded = english("addend");
inline constexpr Words kKeyWarpEdge = english("a line every 32 elements");

// ---- Findings
inline constexpr Words kFindingsTitle = english("Findings");
inline constexpr Words kNoFindings = english(
    "No findings: no out-of-bounds accesses, data races, uninitialized reads or divergent barriers, and "
    "nothing "
    "that assumes warp-synchronous execution.");
inline constexpr Words kNoFindingsInSample =
    english("No findings in the blocks that ran; the others were not checked.");
inline constexpr Words kNoFindingsInPart =
    english("No findings in what the emulator ran; it did not complete the run.");
inline constexpr Words kMoreAlike =
    english("{0} more {0:case|cases} at this place: other threads or addresses");
inline constexpr Words kMoreBrief = english("{0} more {0:case|cases} here");
inline constexpr Words kMoreListedBrief = english("{0} more {0:case|cases} listed here");
inline constexpr Words kMoreAlikeListed =
    english("{0} more {0:case|cases} listed at this place: other threads or addresses");
inline constexpr Words kMoreBelow = english("{0} more below: scroll, or make the picture taller");

// ---- Memory
inline constexpr Words kMemoryTitle = english("Memory");
inline constexpr Words kNoMemory = english("This run counted no memory accesses.");
inline constexpr Words kWholeGrid = english("whole grid, rules of compute capability {0}.{1}");
inline constexpr Words kSampleOfGrid = english("blocks that ran, rules of compute capability {0}.{1}");
inline constexpr Words kColumnInstructions = english("instructions");
inline constexpr Words kColumnRequests = english("requests");
inline constexpr Words kColumnSectors = english("sectors");
inline constexpr Words kColumnTransactions = english("transactions");
inline constexpr Words kColumnPerRequest = english("per request");
inline constexpr Words kColumnWavefronts = english("wavefronts");
inline constexpr Words kColumnLeast = english("minimum");
inline constexpr Words kOccupancy = english(
    "Theoretical occupancy: {0}% ({1} of {2} {2:warp|warps} on an SM, in {3} {3:block|blocks}), limited by "
    "{4}{5}");
inline constexpr Words kOfRegisters = english(" ({0} {0:register|registers} per thread, {1})");
inline constexpr Words kWithoutRegisters = english(" (an upper bound: registers are not known)");
inline constexpr Words kSaidByGpu = english("reported by the driver");
inline constexpr Words kAsRun = english("merged by the compiler, {0}");
inline constexpr Words kAsRunHover = english(
    "What the hardware executes in place of what was written: the compiler merges neighboring accesses, and "
    "removes those that are not needed.");
inline constexpr Words kOneWave =
    english("The grid runs in one wave: it has {0} {0:block|blocks}, and {1} could be resident.");
inline constexpr Words kWaves =
    english("The grid runs in {0} {0:wave|waves} of up to {1} {1:block|blocks}; the last one has {2}.");
inline constexpr Words kMemorySentence = english(
    "The grid makes {0} {0:request|requests} to global memory, {1} {1:sector|sectors}, and as written needs "
    "{2} shared-memory {2:wavefront|wavefronts}; the minimum is {3}.");
inline constexpr Words kMemorySentenceTransactions = english(
    "The grid makes {0} {0:request|requests} to global memory, {1} {1:transaction|transactions}, and as "
    "written needs {2} shared-memory {2:wavefront|wavefronts}; the minimum is {3}.");
inline constexpr Words kByGrid = english("the grid size");
inline constexpr Words kByWarps = english("warps");
inline constexpr Words kByBlocks = english("blocks");
inline constexpr Words kBySharedMemory = english("shared memory");
inline constexpr Words kByRegisters = english("registers");
inline constexpr Words kHalfWarp = english("half-warp {0}");

// ---- Times
inline constexpr Words kTimesTitle = english("Times");
inline constexpr Words kMeasuredNow = english("Measured just now on this machine's {0}.");
inline constexpr Words kMeasuredIn = english("Measured on an {0}, CUDA {1}, {2} (recorded).");
inline constexpr Words kRecordedOn = english("Recorded on an {0}, CUDA {1}, {2}");
inline constexpr Words kShowSize = english("Times for {0}");
inline constexpr Words kStepFaster = english("speed", "speedup");
inline constexpr Words kTotalFaster = english("total");
inline constexpr Words kBarsAreRates = english("longer is faster");
inline constexpr Words kBarsAreTimes = english("longer is slower");
inline constexpr Words kProcessorLoop = english("CPU: a loop on all cores");
inline constexpr Words kNoTimeAtThisSize = english("not recorded at this size");
inline constexpr Words kCopyReaches = english("a plain copy reaches {0} GB/s");
inline constexpr Words kBeyondTheBars = english("; the longest bar is {0} GB/s");
inline constexpr Words kSizeShown = english("All at {0}.");
inline constexpr Words kNotTheRunsSize = english("The current run uses a different size.");
inline constexpr Words kRowsLeftOut =
    english("{0} more {0:variant|variants}: scroll, or make the picture taller.");
inline constexpr Words kTimeHover =
    english("\"{0}\": {1}; interquartile range of {4} {4:measurement|measurements}: {2} to {3}");
inline constexpr Words kColdCache = english("; L2 flushed before each.");
inline constexpr Words kWarmCache = english("; L2 warm.");
inline constexpr Words kLoopHover = english("CPU: a loop on all cores ({1} {1:thread|threads}): {0}");
inline constexpr Words kFastestSentence = english("On the {0} this is the fastest: \"{1}\", {2}.");
inline constexpr Words kAsFastSentence =
    english("On the {0} this variant took {1}, as little as the fastest, \"{2}\".");
inline constexpr Words kTimesSentence =
    english("On the {0} this variant took {1}; the fastest, \"{2}\", is {3} times as fast.");
inline constexpr Words kNoTimes =
    english("No recording has this kernel. On a machine with a GPU, lockstep record makes one.");
inline constexpr Words kTimesNeedTheCatalogue = english(
    "Only kernels of the catalog have recorded times. On a machine with a GPU, lockstep run times your own.");

// ---- Compare
inline constexpr Words kCompareTitle = english("Compare");
inline constexpr Words kNothingBeside = english(
    "There is nothing beside this run yet: choose another variant, or another size, to compare it with.");
inline constexpr Words kTiedBy = english("Sync cursors by");
inline constexpr Words kTiedByPhase = english("phase");
inline constexpr Words kTiedByPhaseHover = english(
    "Both cursors stay in the same barrier interval, at the same request: at the third global load, for "
    "example");
inline constexpr Words kTiedByStep = english("step");
inline constexpr Words kTiedByStepHover =
    english("Both cursors stay at the same number of issued instructions");
inline constexpr Words kShowBoth = english("Show {0} for both");
inline constexpr Words kSameInEveryFigure = english("All values are the same in both.");
inline constexpr Words kChangeColumn = english("B against A");
inline constexpr Words kTimesFaster = english("{0} times as fast");
inline constexpr Words kTimesSlower = english("takes {0} times as long");
inline constexpr Words kTimeOn = english("time on an {0}");
inline constexpr Words kPublishedTime = english("time published for {0}");

}  // namespace lockstep::viz::message
