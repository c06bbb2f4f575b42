// Every text of the views, in both languages. {0}, {1} are values; the two languages name the same ones.
#pragma once

#include "viz/words.h"

namespace lockstep::viz::message {

// ---- Names
inline constexpr Words kWarp{"Warp {0}", "线程束 {0}"};
inline constexpr Words kWarpLower{"warp {0}", "线程束 {0}"};
inline constexpr Words kLane{"lane {0}", "通道 {0}"};
inline constexpr Words kBlock{"Block {0}", "线程块 {0}"};
inline constexpr Words kLine{"line {0}", "第 {0} 行"};
inline constexpr Words kStepOf{"step {0} of {1}", "第 {0} 步，共 {1} 步"};
inline constexpr Words kGoToStep{"Go to step {0}", "跳到第 {0} 步"};
inline constexpr Words kGlobal{"global", "全局"};
inline constexpr Words kShared{"shared", "共享"};
inline constexpr Words kLocal{"local", "本地"};
inline constexpr Words kConstant{"constant", "常量"};
inline constexpr Words kParam{"parameter", "参数"};
inline constexpr Words kLoad{"load", "读取"};
inline constexpr Words kStore{"store", "写入"};
inline constexpr Words kAtomic{"atomic", "原子操作"};
inline constexpr Words kReduction{"atomic, result unused", "原子操作（不取返回值）"};
inline constexpr Words kAsyncCopy{"asynchronous copy", "异步复制"};
inline constexpr Words kBytesALane{"{0} {0:byte|bytes} per lane", "每个通道 {0} 字节"};
inline constexpr Words kLanesOff{"inactive: {0:lane|lanes} {1}", "{0} 个非活动通道：{1}"};
inline constexpr Words kAccessKind{"{0} {1}", "{0}内存{1}"};

// ---- Why there is nothing to show
inline constexpr Words kNotRecorded{
    "Block {0} was not recorded. Choose it as the block in focus to see what it did.",
    "线程块 {0} 没有被记录。把它设为观察的线程块，就能看到它做了什么。"};
inline constexpr Words kNoSuchStep{"Warp {0} of block {1} has no step {2}.",
                                   "线程块 {1} 的线程束 {0} 没有第 {2} 步。"};
inline constexpr Words kNothingRecorded{"Nothing was recorded: this run kept figures only.",
                                        "没有记录：这次运行只保留了统计数字。"};

// ---- Banks
inline constexpr Words kBanksTitle{"Banks", "存储体"};
inline constexpr Words kNoSharedAccess{"The instruction at the cursor does not access shared memory.",
                                       "光标处的指令没有访问共享内存。"};
inline constexpr Words kNoSharedAccessAtAll{"Warp {0} does not use shared memory at all.",
                                            "线程束 {0} 完全没有使用共享内存。"};
inline constexpr Words kNoActiveLane{"No active lanes: the instruction was issued but accessed nothing.",
                                     "没有活动通道：指令发出了，但没有访问任何内存。"};
inline constexpr Words kWavefronts{"{0} {0:wavefront|wavefronts}", "{0} 个波前"};
inline constexpr Words kBank{"bank", "存储体"};
inline constexpr Words kPass{"wavefront {0}", "波前 {0}"};
inline constexpr Words kMemoryLines{"Shared memory, {0} {0:word|words} per line", "共享内存，每行 {0} 个字"};
inline constexpr Words kOrderIsOurs{
    "Wavefront order is chosen for display; the hardware does not document it.",
    "图中波前的先后只是为了显示，硬件没有公开实际顺序。"};
inline constexpr Words kAtomicsNote{
    "Atomics on one word are not merged: each lane takes a wavefront of its own.",
    "对同一个字的原子操作不会合并：每个通道各占一个波前。"};
inline constexpr Words kMergedNote{
    "The compiler merges this with its neighbors: {0} {0:access|accesses} of the source run as one of {1} "
    "{1:byte|bytes}. Drawn here as written. {2}",
    "编译器把它与相邻的访问合并：源代码中的 {0} 次访问合成一次 {1} 字节的访问。这里按源代码的写法画。{2}"};
inline constexpr Words kRemovedNote{
    "The compiler removed this access from the machine code. Drawn here as written. {0}",
    "编译器去掉了这次访问，机器码里没有它。这里按源代码的写法画。{0}"};
// Who says what the compiler did.
inline constexpr Words kFromMachineCodeSo{"(From machine code.)", "（来自机器码。）"};
inline constexpr Words kModelledSo{"(Modeled.)", "（由模型推断。）"};
inline constexpr Words kOneModelledSo{"({0} modeled, the other from machine code.)",
                                      "（{0} 由模型推断，另一个来自机器码。）"};
inline constexpr Words kFromMachineCode{"from machine code", "来自机器码"};
inline constexpr Words kModelled{"modeled", "由模型推断"};
inline constexpr Words kHatchedUnused{"Hatched: words this block never accesses.",
                                      "斜线：这个线程块从不访问的字。"};
inline constexpr Words kWordOf{"word {0}", "字 {0}"};
inline constexpr Words kExecutionsHere{
    "Wavefronts of the {0} {0:execution|executions} of line {1} in this block",
    "第 {1} 行在本线程块中执行 {0} 次，每次的波前数"};
inline constexpr Words kWholeGridWavefronts{
    "whole grid: {0} {0:execution|executions}, {1} {1:wavefront|wavefronts}",
    "整个网格：{0} 次执行，{1} 个波前"};
inline constexpr Words kLaneTouchesWord{"Lane {0} accesses word {1}: bank {2}, wavefront {3}.",
                                        "通道 {0} 访问字 {1}：存储体 {2}，第 {3} 个波前。"};
inline constexpr Words kLanesShareWord{
    "Lanes {0} access the same word {1}: bank {2}, wavefront {3}, served together.",
    "通道 {0} 访问同一个字 {1}：存储体 {2}，第 {3} 个波前，一次送达。"};
inline constexpr Words kExecutionHover{"Warp {0}, step {1}: {2} {2:wavefront|wavefronts}.",
                                       "线程束 {0}，第 {1} 步：{2} 个波前。"};
inline constexpr Words kReads{"reads", "读取"};
inline constexpr Words kWrites{"writes", "写入"};
inline constexpr Words kUpdates{"updates", "原子更新"};
inline constexpr Words kBanksConflict{
    "Warp {0} {1} {2} {2:word|words}, up to {3} of them in one bank, served one after another: {4} "
    "{4:wavefront|wavefronts} instead of {5}.",
    "线程束 {0} {1} {2} 个字，同一存储体里最多有 {3} 个，只能一个接一个处理：{4} 个波前，而不是 {5} 个。"};
inline constexpr Words kBanksOneBank{
    "Warp {0} {1} {2} {2:word|words}, all in bank {3}, served one after another: {4} "
    "{4:wavefront|wavefronts} instead of {5}.",
    "线程束 {0} {1} {2} 个字，全在存储体 {3}，只能一个接一个处理：{4} 个波前，而不是 {5} 个。"};
inline constexpr Words kBanksFree{
    "Warp {0} {1} {2} {2:word|words} in {3} {3:bank|different banks}: no conflict, {4}.",
    "线程束 {0} {1} {2} 个字，落在 {3} 个不同的存储体：没有冲突，{4}。"};
inline constexpr Words kBanksBroadcast{"Warp {0} {1} one word for all {2} {2:lane|lanes}: a broadcast, {3}.",
                                       "线程束 {0} 的 {2} 个通道都{1}同一个字：广播，{3}。"};
inline constexpr Words kBanksHalfWarps{"Warp {0} {1} {2} {2:word|words}: {3}.",
                                       "线程束 {0} {1} {2} 个字：{3}。"};
inline constexpr Words kBanksGroups{
    "Wide accesses go in groups of lanes: at least {0} {0:wavefront|wavefronts}.",
    "宽访问按通道分组进行：至少 {0} 个波前。"};

// ---- Timeline
inline constexpr Words kTimelineTitle{"Timeline", "时间线"};
inline constexpr Words kTooSmall{"There is not enough room here; make this panel larger.",
                                 "这里空间不够，请把面板拉大。"};
inline constexpr Words kPhases{"Phases", "阶段"};
inline constexpr Words kLanesOn{"Active lanes", "活动通道"};
inline constexpr Words kLanesOnAt{"Step {0}: {1} of {2} {2:lane|lanes} active",
                                  "第 {0} 步：{2} 个通道中有 {1} 个活动"};
inline constexpr Words kLanesOnGap{"Warp {0} waits here for others", "线程束 {0} 在此等待其他线程束"};
inline constexpr Words kMoreSteps{"and {0} more {0:step|steps} nearby", "附近另有 {0} 步"};
inline constexpr Words kStepHover{"Warp {0}, step {1}: {2}, line {3}, {4} {4:lane|lanes} active.",
                                  "线程束 {0}，第 {1} 步：{2}，第 {3} 行，{4} 个通道活动。"};
inline constexpr Words kBandHover{"{0}: steps {1} to {2}", "{0}：第 {1} 到 {2} 步"};
inline constexpr Words kGoToWarp{"Show warp {0} at the same moment", "看线程束 {0} 的同一时刻"};
inline constexpr Words kRulerHover{
    "Step {0}. Drag along the numbers, or hold Shift over the rows, to sum up a range of steps.",
    "第 {0} 步。沿数字拖动，或按住 Shift 在各行上拖动，可选择一段步骤并求和。"};
inline constexpr Words kRangeHead{"Steps {0}–{1}: ", "第 {0}–{1} 步："};
inline constexpr Words kRangeHeadOfAll{"Steps {0}–{1}, {2} {2:warp|warps}: ",
                                       "第 {0}–{1} 步，{2} 个线程束："};
inline constexpr Words kRangeWarp{"warp {0}: ", "线程束 {0}："};
inline constexpr Words kRangeWarpWaits{"warp {0}: waits all that time", "线程束 {0}：一直在等待"};
inline constexpr Words kRangeInstructions{"{0} {0:instruction|instructions}, {1}% of the lanes active",
                                          "{0} 条指令，{1}% 的通道活动"};
inline constexpr Words kRangeSectors{"{0} global {0:sector|sectors}", "全局内存 {0} 个扇区"};
inline constexpr Words kRangeTransactions{"{0} global {0:transaction|transactions}", "全局内存 {0} 次事务"};
inline constexpr Words kRangeWavefronts{"{0} shared {0:wavefront|wavefronts}", "共享内存 {0} 个波前"};
inline constexpr Words kRangeMoreWarps{"and {0} {0:warp|warps} more", "以及另外 {0} 个线程束"};
inline constexpr Words kRangeClears{"Esc clears the selection.", "按 Esc 取消选择。"};
inline constexpr Words kWarpsAbove{"{0} more {0:warp|warps} above", "上面还有 {0} 个线程束"};
inline constexpr Words kWarpsBelow{"{0} more {0:warp|warps} below", "下面还有 {0} 个线程束"};
inline constexpr Words kBandWhole{"whole kernel, no barriers", "整个核函数，没有屏障"};
inline constexpr Words kBandSetUp{"set-up", "准备"};
inline constexpr Words kBandStore{"store", "写回"};
inline constexpr Words kKeyGlobalLoad{"global load", "全局读取"};
inline constexpr Words kKeyGlobalStore{"global store", "全局写入"};
inline constexpr Words kKeySharedLoad{"shared load", "共享读取"};
inline constexpr Words kKeySharedStore{"shared store", "共享写入"};
inline constexpr Words kKeyArithmetic{"arithmetic", "运算"};
inline constexpr Words kKeyBarrier{"barrier", "同步屏障"};

// ---- Lanes
inline constexpr Words kLanesTitle{"Lanes", "通道"};
inline constexpr Words kDivergenceNote{
    "Branches as written in PTX. The GPU often predicates a short one instead, so its divergence counter may "
    "say 0.",
    "图中的分支取自 PTX；短分支在 GPU 上常改为谓词执行，硬件的分化计数可能是 0。"};
inline constexpr Words kPredicatedNote{
    "A branch in PTX that runs as predicated instructions ({0}): a path this short is not branched around; "
    "the lanes "
    "that do not take it are predicated off.",
    "PTX 中是分支，机器码中改为谓词执行（{0}）：这条路径很短，不值得跳转，不走它的通道由谓词屏蔽。"};
inline constexpr Words kLeavesNote{
    "A branch in PTX that runs as an exit ({0}): the machine does not jump; lanes with nothing left to do "
    "leave at the "
    "branch, with a predicated EXIT. The trace follows PTX, where they return last.",
    "PTX 中是分支，机器码中改为退出（{0}）：没有跳转，无事可做的通道在分支处就用带谓词的 EXIT "
    "退出。轨迹按 PTX 记录，那里它们最后才返回。"};
inline constexpr Words kJumpsNote{
    "A real branch ({0}): the machine runs one side, then the other, each with the other's lanes inactive.",
    "真正的分支（{0}）：硬件先执行一侧，再执行另一侧；执行一侧时，另一侧的通道处于非活动状态。"};
inline constexpr Words kLoopsNote{
    "A real branch ({0}), around a loop: lanes that skip it or are done with it are inactive until the "
    "others are "
    "done as well.",
    "真正的分支（{0}），绕过一个循环：跳过循环或已循环完毕的通道处于非活动状态，直到其余通道也循环完毕。"};
inline constexpr Words kLanesHere{"{0} of {1} {1:lane|lanes} of warp {2} {0:executes|execute} {3}.",
                                  "线程束 {2} 的 {1} 个通道中有 {0} 个执行 {3}。"};
inline constexpr Words kAllLanesHere{"Warp {1} executes {2} in all its {0} {0:lane|lanes}.",
                                     "线程束 {1} 的 {0} 个通道全部执行 {2}。"};
inline constexpr Words kNoLaneHere{"No lane of warp {0} executes {1}: its predicate is false in all of them.",
                                   "线程束 {0} 的所有通道都不执行 {1}：谓词全为假。"};
inline constexpr Words kSplitHere{
    "Warp {0} diverges: {1} {1:lane takes|lanes take} the branch, {2} {2:falls|fall} through; they "
    "reconverge at {3}.",
    "线程束 {0} 在这里分化：{1} 个通道跳转，{2} 个顺序执行；到{3}重新汇合。"};
inline constexpr Words kSplitToEnd{
    "Warp {0} diverges: {1} {1:lane takes|lanes take} the branch, {2} {2:falls|fall} through; they do not "
    "reconverge before the end.",
    "线程束 {0} 在这里分化：{1} 个通道跳转，{2} 个顺序执行；直到结束都不再汇合。"};
inline constexpr Words kLaneOn{"Lane {0}, thread {1}: {2}.", "通道 {0}，线程 {1}：{2}。"};
inline constexpr Words kLaneReads{"Lane {0}, thread {1} reads {2} = {3}.",
                                  "通道 {0}，线程 {1} 读取 {2} = {3}。"};
inline constexpr Words kLaneWrites{"Lane {0}, thread {1} writes {3} to {2}.",
                                   "通道 {0}，线程 {1} 把 {3} 写入 {2}。"};
inline constexpr Words kLaneUpdates{"Lane {0}, thread {1}: {2}", "通道 {0}，线程 {1}：{2}"};
inline constexpr Words kColumnStep{"step", "步"};
inline constexpr Words kColumnLine{"line", "行"};
inline constexpr Words kColumnInstruction{"instruction", "指令"};
inline constexpr Words kKeyOn{"executes", "执行"};
inline constexpr Words kKeyHeldBack{"predicated off", "谓词为假"};
inline constexpr Words kKeyOff{"inactive", "非活动"};
inline constexpr Words kJumpOrStay{"a|b: a branch, b fall through", "a|b：a 个跳转，b 个顺序执行"};
inline constexpr Words kJumpsHover{"{0} of {1} {1:lane|lanes} take the branch, {2} fall through.",
                                   "{1} 个通道中 {0} 个跳转，{2} 个顺序执行。"};
inline constexpr Words kGuardHover{"The predicate is true in {0} of {1} {1:lane|lanes} here.",
                                   "这里 {1} 个通道中有 {0} 个谓词为真。"};
inline constexpr Words kOfLine{"line {0}", "第 {0} 行"};
inline constexpr Words kOfInstruction{"instruction {0}", "指令 {0}"};

// ---- Source
inline constexpr Words kSourceTitle{"Source", "源码"};
inline constexpr Words kNoSource{"The source text of this kernel is not known; PTX shows what ran.",
                                 "没有这个核函数的源码；PTX 里可以看到执行了什么。"};
inline constexpr Words kShares{"S sectors {0}   W shared wavefronts {1}   I instructions {2}",
                               "S 扇区 {0}   W 共享内存波前 {1}   I 指令 {2}"};
inline constexpr Words kSharesTransactions{
    "T transactions {0}   W shared wavefronts {1}   I instructions {2}",
    "T 事务 {0}   W 共享内存波前 {1}   I 指令 {2}"};
inline constexpr Words kSharesInWords{
    "of {0} {0:sector|sectors}, {1} shared-memory {1:wavefront|wavefronts} and {2} "
    "{2:instruction|instructions} in the whole grid",
    "占整个网格 {0} 个扇区、{1} 个共享内存波前、{2} 条指令的比例"};
inline constexpr Words kSharesInWordsTransactions{
    "of {0} {0:transaction|transactions}, {1} shared-memory {1:wavefront|wavefronts} and {2} "
    "{2:instruction|instructions} in the whole grid",
    "占整个网格 {0} 个事务、{1} 个共享内存波前、{2} 条指令的比例"};
inline constexpr Words kShareOfSectors{"sectors", "扇区"};
inline constexpr Words kShareOfTransactions{"transactions", "事务"};
inline constexpr Words kShareOfWavefronts{"wavefronts", "波前"};
inline constexpr Words kShareOfInstructions{"instructions", "指令"};
inline constexpr Words kLineHover{
    "Line {0}: {1} warp {1:instruction|instructions}, {2} {2:sector|sectors}, {3} shared-memory "
    "{3:wavefront|wavefronts}, {4} divergent {4:branch|branches}.",
    "第 {0} 行：{1} 条线程束指令，{2} 个扇区，{3} 个共享内存波前，{4} 次分化。"};
inline constexpr Words kLineHoverTransactions{
    "Line {0}: {1} warp {1:instruction|instructions}, {2} {2:transaction|transactions}, {3} shared-memory "
    "{3:wavefront|wavefronts}, {4} divergent {4:branch|branches}.",
    "第 {0} 行：{1} 条线程束指令，{2} 个事务，{3} 个共享内存波前，{4} 次分化。"};
inline constexpr Words kLineIdle{"Line {0}: no instruction came from it.", "第 {0} 行：没有产生指令。"};
inline constexpr Words kMachineTabName{"Machine code", "机器码"};
inline constexpr Words kMachineHead{
    "{0} for sm_{1}: {2} {2:instruction|instructions}, {3} {3:register|registers} per thread; lit: what the "
    "current source line became",
    "{0}，sm_{1}：{2} 条指令，每线程 {3} 个寄存器；亮起的行来自当前源码行"};
inline constexpr Words kMachineHover{"Machine instruction at {0}: from PTX instruction {1}, line {2}.",
                                     "位于 {0} 的机器指令：来自 PTX 指令 {1}，第 {2} 行。"};
inline constexpr Words kMachineOfNone{"Machine instruction at {0}: from no instruction of the PTX.",
                                      "位于 {0} 的机器指令：不来自任何 PTX 指令。"};
inline constexpr Words kMachineFunction{"Function {0}", "函数 {0}"};
inline constexpr Words kMachineToCome{"The machine code is being made; the run is shown meanwhile.",
                                      "正在生成机器码，运行结果已先行显示。"};
inline constexpr Words kPtxHover{"Instruction {0}: issued {1} {1:time|times}, {2} {2:lane|lanes} in all.",
                                 "指令 {0}：发出 {1} 次，共 {2} 个通道执行。"};
inline constexpr Words kValuesAtCursor{"Values", "值"};
inline constexpr Words kRowAddress{"address", "地址"};
inline constexpr Words kRowRead{"reads", "读到"};
inline constexpr Words kRowWritten{"writes", "写入"};
inline constexpr Words kRowOperand{"operand", "操作数"};
inline constexpr Words kRowCompare{"compares with", "比较值"};
inline constexpr Words kRowSwap{"stores if equal", "相等则写入"};
inline constexpr Words kRowOld{"old value", "旧值"};
inline constexpr Words kRowNew{"new value", "新值"};
inline constexpr Words kLineSentence{"Line {0} is at the cursor: {1}", "光标在第 {0} 行：{1}"};

// ---- Sectors
inline constexpr Words kSectorsTitle{"Sectors", "扇区"};
inline constexpr Words kNoGlobalAccess{"The instruction at the cursor does not access global memory.",
                                       "光标处的指令没有访问全局内存。"};
inline constexpr Words kNoGlobalAccessAtAll{"Warp {0} does not use global memory at all.",
                                            "线程束 {0} 完全没有使用全局内存。"};
inline constexpr Words kCapability{"Compute capability {0}.{1}", "计算能力 {0}.{1}"};
inline constexpr Words kMeasuredOn{"rule measured on {0}", "规则在 {0} 上实测"};
inline constexpr Words kDocumented{"rule as documented", "规则来自文档"};
inline constexpr Words kRuleInOrder{
    "By half-warps: lane k must access word k of the segment, or each lane is served alone.",
    "按半线程束：通道 k 必须取段里的第 k 个字，否则各自单独访问。"};
inline constexpr Words kRuleSegments{
    "By half-warps, in any order: a segment of up to 128 bytes, halved while one half is idle.",
    "按半线程束，顺序不限：最多 128 字节的段，有一半闲着就减半。"};
inline constexpr Words kRuleLines{"Whole warp, any order: the distinct lines of 128 bytes.",
                                  "整个线程束，顺序不限：不同的 128 字节行各算一次。"};
inline constexpr Words kRuleSectors{
    "All lanes of the warp, in any order: each sector of 32 bytes is transferred once.",
    "整个线程束，顺序不限：每个 32 字节扇区只传输一次。"};
inline constexpr Words kTransactions{"{0} {0:transaction|transactions}", "{0} 次事务"};
inline constexpr Words kSectorsFigure{"{0} {0:sector|sectors}", "{0} 个扇区"};
inline constexpr Words kUsed{"{0}% used", "利用率 {0}%"};
inline constexpr Words kWritten{"{0}% written", "写入 {0}%"};
inline constexpr Words kMoved{"{0} {0:byte|bytes} transferred, {1} used", "传输 {0} 字节，用到 {1} 字节"};
inline constexpr Words kMovedAndLeast{
    "{0} {0:byte|bytes} transferred, {1} used; if these were consecutive, {2} would be transferred",
    "传输 {0} 字节，用到 {1} 字节；用到的若连续存放，只需传输 {2} 字节"};
// The same of a store, whose sectors may come from device memory for what it leaves.
inline constexpr Words kStoredOf{"{0} {0:byte|bytes} of sectors, {1} written",
                                 "扇区共 {0} 字节，写入 {1} 字节"};
inline constexpr Words kStoredAndLeast{
    "{0} {0:byte|bytes} of sectors, {1} written; if these were consecutive, {2} would do",
    "扇区共 {0} 字节，写入 {1} 字节；写入的若连续存放，只需 {2} 字节"};
inline constexpr Words kRowIsTransactionStored{"one row = one transaction; gray = not written",
                                               "一行 = 一次事务；灰色 = 未写入"};
inline constexpr Words kGreyNotWritten{"gray = not written", "灰色 = 未写入"};
inline constexpr Words kLaneAt{"Lane {0}: {1}.", "通道 {0}：{1}。"};
inline constexpr Words kItemHover{"{0} {0:byte|bytes} from byte {1}: serves {3:lane|lanes} {2}.",
                                  "从第 {1} 字节起 {0} 字节：供 {3} 个通道使用：{2}。"};
inline constexpr Words kElementHere{"Element {0}", "元素 {0}"};
inline constexpr Words kSideBySide{"Side by side, up to three", "并排对比，最多三种"};
inline constexpr Words kPutBeside{"Add compute capability {0}.{1}", "添加计算能力 {0}.{1}"};
inline constexpr Words kPutBesideInstead{"Show compute capability {0}.{1} in place of the one chosen first",
                                         "用计算能力 {0}.{1} 的规则换下最先选的那一种"};
inline constexpr Words kTakeAway{"Remove compute capability {0}.{1}", "移除计算能力 {0}.{1}"};
inline constexpr Words kLastOne{"The rules of compute capability {0}.{1}; click another to add it",
                                "计算能力 {0}.{1} 的规则；点击另一个可添加"};
inline constexpr Words kSectorsSentence{
    "Warp {0} {1} {2} {2:byte|bytes} with {3} {3:lane|lanes}; {4} {4:byte|bytes} are transferred in {5}, "
    "{6}% of them used.",
    "线程束 {0} 用 {3} 个通道{1} {2} 字节；{5}共传输 {4} 字节，利用率 {6}%。"};
inline constexpr Words kOnDevice{"Compute capability {0}.{1}: {2}.", "计算能力 {0}.{1}：{2}。"};

// ---- Stage
inline constexpr Words kStageTitle{"Stage", "图示"};
inline constexpr Words kTileOf{"tile {0} of {1}", "分块 {0}（共 {1} 个）"};
inline constexpr Words kDoingSetUp{"set-up", "准备"};
inline constexpr Words kDoingLoad{"load {0}", "装载 {0}"};
inline constexpr Words kDoingKeep{"store the tile of {0}", "写入 {0} 的分块"};
inline constexpr Words kDoingMultiply{"multiply", "相乘"};
inline constexpr Words kDoingResult{"store {0}", "写回 {0}"};
inline constexpr Words kMarks{"Marks", "图例"};
inline constexpr Words kKeyValue{"value, its lane", "值及其通道"};
inline constexpr Words kKeyOutside{"ghost: outside the matrix", "越界单元：在矩阵之外"};
inline constexpr Words kKeyRead{"read from memory", "从内存读取"};
inline constexpr Words kKeyUnread{"nothing read", "没有读取"};
inline constexpr Words kKeyNext{"next load", "下一次装载"};
inline constexpr Words kKeyTile{"tile of the block", "线程块的分块"};
inline constexpr Words kKeyTileNext{"tile it loads next", "接下来装载的分块"};
inline constexpr Words kKeyStale{"stale, from a previous tile", "之前的分块留下的旧值"};
inline constexpr Words kKeyAstray{"reads the wrong element", "读到了错误的元素"};
inline constexpr Words kKeyCursor{"cursor", "光标"};
inline constexpr Words kSharedOfBlock{"Shared memory of the block", "线程块的共享内存"};
inline constexpr Words kTileBeingWritten{"being written", "正在写入"};
inline constexpr Words kTileNext{"next", "接下来"};
inline constexpr Words kTileInUse{"in use", "使用中"};
inline constexpr Words kTileHolds{"{0} = {1}, stored by lane {2} of warp {3}, tile {4} of {5}.",
                                  "{0} = {1}，由线程束 {3} 的通道 {2} 写入，属于分块 {4}（共 {5} 个）。"};
inline constexpr Words kTileEmpty{"{0} has no value of this tile yet.", "{0} 还没有当前分块的值。"};
inline constexpr Words kCellIs{"{0} = {1}", "{0} = {1}"};
inline constexpr Words kCellRead{"{0} = {1}, read by lane {2} of warp {3}.",
                                 "{0} = {1}，由线程束 {3} 的通道 {2} 读取。"};
inline constexpr Words kCellReadByLanes{"{0} is read by {3:lane|lanes} {1} of warp {2}.",
                                        "{0} 由线程束 {2} 的 {3} 个通道读取：{1}。"};
inline constexpr Words kCellOutside{"{0} does not exist: it lies outside of {1}.",
                                    "{0} 不存在：它在 {1} 之外。"};
inline constexpr Words kElementOfBlock{"{0} is computed by block {1}.", "{0} 由线程块 {1} 计算。"};
inline constexpr Words kThreadOwns{"Thread {0} computes {1}.", "线程 {0} 计算 {1}。"};
inline constexpr Words kThreadOwnsNothing{
    "Thread {0} computes nothing, {1} does not exist; but others need what it loads.",
    "线程 {0} 不计算任何元素，{1} 不存在；但别的线程要用它装载的值。"};
inline constexpr Words kThreadsWithoutElement{"{0} of the {1} {1:thread|threads} {0:owns|own} no {2} element",
                                              "{1} 个线程中有 {0} 个没有对应的 {2} 元素"};
inline constexpr Words kSum{"sum", "累加和"};
inline constexpr Words kMemoryRows{"{0} in memory, row after row", "{0} 在内存中按行存放"};
inline constexpr Words kPastEnd{"past end", "越过末尾"};
inline constexpr Words kLanesOfWarp{"Lanes of warp {0}", "线程束 {0} 的通道"};
inline constexpr Words kLanesExist{"{0} of 32 exist", "32 个中有 {0} 个"};
inline constexpr Words kColumnLane{"lane", "通道"};
inline constexpr Words kColumnThread{"thread", "线程"};
inline constexpr Words kColumnAsks{"asks for", "要读"};
inline constexpr Words kColumnReads{"reads", "读取"};
inline constexpr Words kColumnWrites{"writes", "写入"};
inline constexpr Words kColumnGets{"gets", "得到"};
inline constexpr Words kColumnFactors{"factors", "因子"};
inline constexpr Words kColumnElement{"element", "元素"};
inline constexpr Words kColumnValue{"value", "值"};
inline constexpr Words kAnd{" and ", " 和 "};
inline constexpr Words kComma{", ", "、"};
inline constexpr Words kAndOthers{" and others", "等"};
inline constexpr Words kSentenceGhost{
    "Thread {0} would load {1}, which is out of bounds; its bounds check fails, so it loads nothing here and "
    "stores {2} to {3}.",
    "线程 {0} 本应读取 {1}，但它越界：边界检查不通过，所以这里什么也不读，而把 {2} 写入 {3}。"};
inline constexpr Words kSentenceGhosts{
    "Threads {0} would load {1}, which are out of bounds; their bounds checks fail, so they load nothing "
    "here and store {2} to {3}.",
    "线程 {0} 本应读取 {1}，但它们越界：边界检查不通过，所以这里什么也不读，而把 {2} 写入 {3}。"};
inline constexpr Words kSentenceAlias{
    "Without a bounds check, thread {0} asks for {1} and gets {2}. The address is inside the array, so no "
    "error is raised.",
    "没有边界检查，线程 {0} 要读 {1}，读到的却是 {2}。这个地址在数组之内，所以不会报错。"};
inline constexpr Words kSentenceOutside{
    "Without a bounds check, thread {0} asks for {1}, past the end of {2}: here it gets {3}, on a GPU an "
    "indeterminate value.",
    "没有边界检查，线程 {0} 要读 {1}，已越过 {2} 的末尾：这里得到 {3}，在 GPU 上则是不确定的值。"};
inline constexpr Words kSentenceLoad{
    "Warp {0} reads {1} {1:element|elements} of {2} into registers, one per thread.",
    "线程束 {0} 把 {2} 的 {1} 个元素读入寄存器，每个线程一个。"};
inline constexpr Words kSentenceKeep{
    "Warp {0} stores its {1} {1:element|elements} of {2} to {3}, where the whole block can use them.",
    "线程束 {0} 把 {2} 的 {1} 个元素写入 {3}，供整个线程块使用。"};
inline constexpr Words kSentenceMultiply{
    "Thread {0}: {1} = {2} times {3} = {4}; with it, the sum of {6} {6:product|products} is {5}.",
    "线程 {0}：{1} = {2} 乘 {3} = {4}；加上它，前 {6} 个乘积之和为 {5}。"};
inline constexpr Words kTransferGhost{
    "Thread {0} reads nothing for {1}, which does not exist; what it stores is {2}.",
    "线程 {0} 没有读取不存在的 {1}，它存入的是 {2}。"};
inline constexpr Words kTransferRead{"Thread {0} moves {1} = {2} to {3}.",
                                     "线程 {0} 把 {1} = {2} 搬到 {3}。"};
inline constexpr Words kNoBuffers{"This kernel has no buffers to show.", "这个核函数没有可显示的缓冲区。"};
inline constexpr Words kTouchedNow{"accessed now", "正在访问"};
inline constexpr Words kTouchedByBlock{"accessed by this block", "本线程块访问过"};
inline constexpr Words kTouchHover{"{0} = {1}", "{0} = {1}"};
inline constexpr Words kTouchHoverLanes{"{0} = {1}; warp {3} {4} it now with {5:lane|lanes} {2}.",
                                        "{0} = {1}；线程束 {3} 的 {5} 个通道正在{4}：{2}。"};
inline constexpr Words kElements{"{0} {0:element|elements}", "{0} 个元素"};
// Rows and columns: one, neighbors, a few, or so many of a range.
inline constexpr Words kOneRow{"row {0}", "第 {0} 行"}, kOneColumn{"column {0}", "第 {0} 列"};
inline constexpr Words kRowsTo{"rows {0} to {1}", "第 {0} 到 {1} 行"},
    kColumnsTo{"columns {0} to {1}", "第 {0} 到 {1} 列"};
inline constexpr Words kFewRows{"rows {0}", "第 {0} 行"}, kFewColumns{"columns {0}", "第 {0} 列"};
inline constexpr Words kRowsAmong{"{2} of rows {0} to {1}", "第 {0} 到 {1} 行中的 {2} 行"},
    kColumnsAmong{"{2} of columns {0} to {1}", "第 {0} 到 {1} 列中的 {2} 列"};
inline constexpr Words kTheyLie{"{2:This element lies|These elements lie} in {1} of {0}.",
                                "在 {0} 中，这 {2} 个元素位于{1}。"};
inline constexpr Words kDoingKeepIn{"write to {0}", "写入 {0}"};
inline constexpr Words kDoingTake{"read from {0}", "从 {0} 读取"};
inline constexpr Words kPartOf{"{0}, {1} of {2}", "{2} 中的{0}、{1}"};
inline constexpr Words kPartOfSize{"part of {0}", "{0} 的一部分"};  // where there is no room to say which
inline constexpr Words kElementsOfBytes{"{0} {0:element|elements} of {1} {1:byte|bytes}",
                                        "{0} 个元素，每个 {1} 字节"};  // of vectors and structures
inline constexpr Words kRowsPart{"rows {0}–{1}", "第 {0}–{1} 行"},
    kColumnsPart{"columns {0}–{1}", "第 {0}–{1} 列"};
inline constexpr Words kElementOfLane{"{0}[{1}][{2}] = {3}: lane {4} moves it.",
                                      "{0}[{1}][{2}] = {3}：由通道 {4} 搬动。"};
inline constexpr Words kRegistersOf{"Registers of warp {0}", "线程束 {0} 的寄存器"};
inline constexpr Words kKeyMovedNow{"moved now", "正在搬动"};
inline constexpr Words kKeySameElement{"other places of these elements", "这些元素的其他位置"};
inline constexpr Words kKeyMovedBefore{"moved before", "此前搬动过"};
inline constexpr Words kKeyTileHolds{"in the tile", "已在分块中"};
inline constexpr Words kKeyPadding{"never used", "从未使用"};
inline constexpr Words kRequestOf{"Warp {0} {1} {2}[]", "线程束 {0} {1} {2}[]"};
inline constexpr Words kRequestAhead{"next request: step {0}", "下一次请求：第 {0} 步"};
inline constexpr Words kRequestBehind{"last request: step {0}", "上一次请求：第 {0} 步"};
inline constexpr Words kWholeBuffer{
    "All of {0}[], from its first byte to its last: gray has been accessed by this block",
    "整个 {0}[]，从第一个字节到最后一个：灰色是本线程块访问过的"};
inline constexpr Words kKeyLaneBytes{"bytes that a lane reads", "通道读取的字节"};
inline constexpr Words kKeyLaneBytesStored{"bytes that a lane writes", "通道写入的字节"};
inline constexpr Words kKeyNotWritten{"not written", "未写入"};
inline constexpr Words kKeySegment{"segment transferred", "传输的内存段"};
inline constexpr Words kKeyUnused{"transferred, not used", "传输了但没用到"};
inline constexpr Words kTreeRound{"round {0}", "第 {0} 轮"};
inline constexpr Words kTreeStart{"{0} as loaded", "读取后的 {0}"};
inline constexpr Words kTreeWorking{"{0} of {1} {0:adds|add}", "{1} 个中 {0} 个相加"};
inline constexpr Words kTreeSplit{"{0} {0:warp|warps} diverged", "{0} 个线程束分化"};
inline constexpr Words kTreeHover{"{0}[{1}] = {2} after round {3}.", "第 {3} 轮之后，{0}[{1}] = {2}。"};
inline constexpr Words kTreeSentence{
    "Round {0}: {1} {1:thread adds|threads add} and {2} {2:is|are} idle; in {3} of {4} {4:warp|warps} some "
    "lanes add and some do not.",
    "第 {0} 轮：{1} 个线程相加，{2} 个空闲；{4} 个线程束中有 {3} 个是一部分通道相加，一部分空闲。"};
inline constexpr Words kTreeSentenceAll{
    "Round {0}: {1} {1:thread adds|threads add} and {2} {2:is|are} idle; in all {3} {3:warp|warps} "
    "some lanes add and some do not.",
    "第 {0} 轮：{1} 个线程相加，{2} 个空闲；全部 {3} 个线程束都是一部分通道相加，一部分空闲。"};
inline constexpr Words kTreeSentenceOnly{
    "Round {0}: {1} {1:thread adds|threads add} and {2} {2:is|are} idle; the block's only warp diverges.",
    "第 {0} 轮：{1} 个线程相加，{2} 个空闲；线程块只有一个线程束，它发生分化。"};
inline constexpr Words kTreeSentenceWhole{
    "Round {0}: {1} {1:thread adds|threads add} and {2} {2:is|are} idle; no warp diverges.",
    "第 {0} 轮：{1} 个线程相加，{2} 个空闲；没有线程束分化。"};
inline constexpr Words kLanesThatAdd{"active lanes", "活动通道"};
inline constexpr Words kWarpSitsOut{
    "Round {0}: none of the {2} {2:lane|lanes} of warp {3} adds; the whole warp is idle.",
    "第 {0} 轮：线程束 {3} 的 {2} 个通道都不相加，整个线程束空闲。"};
inline constexpr Words kWarpAddsWhole{
    "Round {0}: {2:the|all} {2} {2:lane|lanes} of warp {3} {2:adds|add}: the warp does not diverge.",
    "第 {0} 轮：线程束 {3} 的 {2} 个通道全部相加，没有分化。"};
inline constexpr Words kWarpAddsInPart{
    "Round {0}: {1} of {2} {2:lane|lanes} of warp {3} {1:adds|add}; the others are idle: the warp diverges.",
    "第 {0} 轮：线程束 {3} 的 {2} 个通道中有 {1} 个相加，其余空闲：线程束分化。"};
inline constexpr Words kKeyDivides{"some lanes add, some do not", "一部分通道相加，其余空闲"};
inline constexpr Words kKeyAdds{"new sum, in its warp's color", "新的和，颜色表示线程束"};
inline constexpr Words kKeyAddsNext{"next sum", "即将写入的和"};
inline constexpr Words kKeyIdle{"unchanged", "不变"};
inline constexpr Words kKeyToCome{"round to come", "尚未执行的轮"};
inline constexpr Words kKeyAdded{"addend", "加数"};
inline constexpr Words kKeyWarpEdge{"every 32", "每 32 个元素"};

// ---- Findings
inline constexpr Words kFindingsTitle{"Findings", "问题"};
inline constexpr Words kNoFindings{"No findings: no out-of-bounds accesses, no data races.",
                                   "没有发现问题：没有越界访问，没有数据竞争。"};
inline constexpr Words kOutOfBounds{"Out of bounds", "越界访问"};
inline constexpr Words kMisaligned{"Misaligned", "未对齐"};
inline constexpr Words kUninitialized{"Uninitialized read", "读取未初始化的值"};
inline constexpr Words kRace{"Data race", "数据竞争"};
inline constexpr Words kDivergentBarrier{"Divergent barrier", "有线程未到屏障"};
inline constexpr Words kWarpSynchronous{"Assumes warp-synchronous execution", "依赖隐式线程束同步"};
inline constexpr Words kInvalidAddress{"Invalid address", "无效地址"};
inline constexpr Words kDivisionByZero{"Division by zero", "除以零"};
inline constexpr Words kLimit{"Stopped", "被中止"};
inline constexpr Words kTruncated{"Not listed", "其余未列出"};
inline constexpr Words kMoreAlike{"{0} more at this place: other threads or addresses",
                                  "此位置另有 {0} 处：其他线程或地址"};
inline constexpr Words kMoreAlikeListed{"{0} more listed at this place: other threads or addresses",
                                        "列出的问题中，此位置另有 {0} 处：其他线程或地址"};
inline constexpr Words kMoreBelow{"{0} more below: scroll", "下面还有 {0} 处，请滚动"};

// ---- Memory
inline constexpr Words kMemoryTitle{"Memory", "内存"};
inline constexpr Words kNoMemory{"This run counted no memory accesses.", "这次运行没有内存访问的统计。"};
inline constexpr Words kWholeGrid{"whole grid, rules of compute capability {0}.{1}",
                                  "整个网格，按计算能力 {0}.{1} 的规则"};
inline constexpr Words kColumnInstructions{"instructions", "指令"};
inline constexpr Words kColumnRequests{"requests", "请求"};
inline constexpr Words kColumnSectors{"sectors", "扇区"};
inline constexpr Words kColumnTransactions{"transactions", "事务"};
inline constexpr Words kColumnPerRequest{"per request", "每个请求"};
inline constexpr Words kColumnWavefronts{"wavefronts", "波前"};
inline constexpr Words kColumnLeast{"at least", "最少"};
inline constexpr Words kOccupancy{
    "Occupancy: {0} {0:block|blocks} and {1} {1:warp|warps} on a multiprocessor, limited by {2}{3}",
    "占用率：每个多处理器 {0} 个线程块、{1} 个线程束，受限于{2}{3}"};
inline constexpr Words kOfRegisters{" ({0} {0:register|registers} per thread, {1})",
                                    "（每线程 {0} 个寄存器，{1}）"};
inline constexpr Words kWithoutRegisters{" (an upper bound: registers are not known)",
                                         "（上限：寄存器数未知）"};
inline constexpr Words kSaidByGpu{"by a GPU", "由 GPU 给出"};
inline constexpr Words kAsRun{"as run, {0}", "实际执行，{0}"};
inline constexpr Words kAsRunHover{
    "What the machine runs in place of what was written: the compiler merges neighboring accesses, and "
    "removes those that are not needed.",
    "机器实际执行的访问：编译器会合并相邻的访问，并去掉没有用处的访问。"};
inline constexpr Words kOneWave{
    "The grid runs in one wave: {0} of the {1} {1:block|blocks} that can be resident.",
    "整个网格一波执行完：最多可驻留 {1} 个线程块，只有 {0} 个。"};
inline constexpr Words kWaves{
    "The grid runs in {0} {0:wave|waves} of up to {1} {1:block|blocks}; the last one has {2}.",
    "整个网格分 {0} 波执行，每波最多 {1} 个线程块；最后一波有 {2} 个。"};
inline constexpr Words kMemorySentence{
    "The grid makes {0} {0:request|requests} to global memory, {1} {1:sector|sectors}, and as written needs "
    "{2} {2:wavefront|wavefronts} in shared memory, {3} at least.",
    "整个网格向全局内存发出 {0} 个请求，共 {1} 个扇区；按源代码的写法，共享内存用了 {2} 个波前，最少需要 {3} "
    "个。"};
inline constexpr Words kMemorySentenceTransactions{
    "The grid makes {0} {0:request|requests} to global memory, {1} {1:transaction|transactions}, and as "
    "written needs {2} {2:wavefront|wavefronts} in shared memory, {3} at least.",
    "整个网格向全局内存发出 {0} 个请求，共 {1} 个事务；按源代码的写法，共享内存用了 {2} 个波前，最少需要 {3} "
    "个。"};
inline constexpr Words kByGrid{"the grid's few blocks", "网格的线程块数"};
inline constexpr Words kByWarps{"warps", "线程束数"};
inline constexpr Words kByBlocks{"blocks", "线程块数"};
inline constexpr Words kBySharedMemory{"shared memory", "共享内存"};
inline constexpr Words kByRegisters{"registers", "寄存器"};
inline constexpr Words kHalfWarp{"half-warp {0}", "半线程束 {0}"};

// ---- Times
inline constexpr Words kTimesTitle{"Times", "时间"};
inline constexpr Words kMeasuredNow{"Measured: just now, on this machine's {0}.",
                                    "实测：刚才在本机的 {0} 上。"};
inline constexpr Words kMeasuredIn{"Measured: on an {0}, CUDA {1}, {2} (a recording).",
                                   "实测：{0}，CUDA {1}，{2}（记录）。"};
inline constexpr Words kRecordedOn{"Recorded on an {0}, CUDA {1}, {2}", "记录自 {0}，CUDA {1}，{2}"};
inline constexpr Words kShowSize{"The times at {0}", "{0} 时的用时"};
inline constexpr Words kMilliseconds{"ms", "ms"};
inline constexpr Words kStepFaster{"step", "比上一版"};
inline constexpr Words kTotalFaster{"total", "比第一版"};
inline constexpr Words kBarsAreRates{"longer is faster", "越长越快"};
inline constexpr Words kBarsAreTimes{"longer is slower", "越长越慢"};
inline constexpr Words kProcessorLoop{"CPU: the plain loop, on all cores", "CPU：普通循环，用上所有核"};
inline constexpr Words kNoTimeAtThisSize{"not recorded at this size", "没有这个规模的记录"};
inline constexpr Words kCopyReaches{"a plain copy reaches {0} GB/s", "单纯的复制可达 {0} GB/s"};
inline constexpr Words kBeyondTheBars{"; the longest bar is {0} GB/s", "；最长的条形为 {0} GB/s"};
inline constexpr Words kSizeShown{"All at {0}.", "规模均为 {0}。"};
inline constexpr Words kNotTheRunsSize{"The current run uses a different size.", "当前运行的规模与此不同。"};
inline constexpr Words kRowsLeftOut{"{0} more {0:variant|variants}: scroll.", "还有 {0} 个版本，请滚动。"};
inline constexpr Words kTimeHover{"{0}: {1} ms, half of {4} {4:measurement|measurements} between {2} and {3}",
                                  "{0}：{1} ms，{4} 次测量的一半在 {2} 到 {3} 之间"};
inline constexpr Words kColdCache{"; L2 flushed before each.", "；每次之前清空 L2。"};
inline constexpr Words kWarmCache{"; L2 as the previous run left it.", "；L2 保留上一次运行的内容。"};
inline constexpr Words kLoopHover{
    "The course's loop on that machine's processor: {0} ms on {1} {1:thread|threads}.",
    "课程中的循环在那台机器的 CPU 上：{0} ms，{1} 个线程。"};
inline constexpr Words kFastestSentence{"On the {0} this is the fastest: {1}, {2} ms.",
                                        "在 {0} 上最快的是“{1}”：{2} ms。"};
inline constexpr Words kAsFastSentence{"On the {0} this variant took {1} ms, as little as the fastest: {2}.",
                                       "在 {0} 上这一版用了 {1} ms，与最快的“{2}”相同。"};
inline constexpr Words kTimesSentence{
    "On the {0} this variant took {1} ms; the fastest, {2}, is {3} times as fast.",
    "在 {0} 上这一版用了 {1} ms；最快的“{2}”速度是它的 {3} 倍。"};
inline constexpr Words kNoTimes{
    "No recording has this kernel. On a machine with a GPU, `lockstep record` makes one.",
    "还没有这个核函数的实测记录。在有 GPU 的机器上可以用 lockstep record 生成一份。"};
inline constexpr Words kTimesNeedTheCatalogue{
    "Only kernels of the catalog have recorded times. On a machine with a GPU, `lockstep run` times your "
    "own.",
    "只有目录里的核函数有记录的用时。在有 GPU 的机器上，lockstep run 会给你自己的核函数计时。"};

// ---- Compare
inline constexpr Words kCompareTitle{"Compare", "对比"};
inline constexpr Words kNothingBeside{
    "There is nothing beside this run yet: choose another variant, or another size, to compare it with.",
    "还没有可对比的运行：请选择另一个版本或另一种规模。"};
inline constexpr Words kTiedBy{"Sync cursors by", "光标同步方式"};
inline constexpr Words kTiedByPhase{"phase", "阶段"};
inline constexpr Words kTiedByPhaseHover{
    "Both stand in the same phase (between the same two barriers), at the same access of its kind",
    "两侧停在同一阶段（同样的两个屏障之间），并且是同类访存中的同一次"};
inline constexpr Words kTiedByStep{"step", "步"};
inline constexpr Words kTiedByStepHover{"Both have issued the same number of instructions",
                                        "两侧发出的指令数相同"};
inline constexpr Words kShowBoth{"Show {0} for both", "两侧都看“{0}”"};
inline constexpr Words kSameInEveryFigure{"The two are the same in every figure.", "两者的各项数字都相同。"};
inline constexpr Words kChangeColumn{"B against A", "B 与 A 相比"};
inline constexpr Words kMillisecondsOf{"{0} ms", "{0} ms"};
inline constexpr Words kTimesFaster{"{0} times as fast", "速度为 {0} 倍"};
inline constexpr Words kTimesSlower{"takes {0} times as long", "用时为 {0} 倍"};
inline constexpr Words kTimeOn{"time on an {0}", "在 {0} 上的用时"};
inline constexpr Words kPublishedTime{"time published for {0}", "公布的用时：{0}"};

}  // namespace lockstep::viz::message
