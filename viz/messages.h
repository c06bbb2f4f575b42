// Every text of the views, in both languages. {0}, {1} are values; the two languages name the same ones.
#pragma once

#include "viz/words.h"

namespace lockstep::viz::message {

// ---- Names
inline constexpr Words kWarp{"Warp {0}", "线程束 {0}"};
inline constexpr Words kWarpLower{"warp {0}", "线程束 {0}"};
inline constexpr Words kLane{"lane {0}", "lane {0}"};
inline constexpr Words kBlock{"Block {0}", "线程块 {0}"};
inline constexpr Words kLine{"line {0}", "第 {0} 行"};
inline constexpr Words kStepOf{"step {0} of {1}", "第 {0} 步，共 {1} 步"};
inline constexpr Words kGoToStep{"Go to step {0}", "跳到第 {0} 步"};
inline constexpr Words kPhase{"phase {0}", "阶段 {0}"};
inline constexpr Words kGlobal{"global", "全局"};
inline constexpr Words kShared{"shared", "共享"};
inline constexpr Words kLocal{"local", "局部"};
inline constexpr Words kConstant{"constant", "常量"};
inline constexpr Words kParam{"parameter", "参数"};
inline constexpr Words kLoad{"load", "读取"};
inline constexpr Words kStore{"store", "写入"};
inline constexpr Words kAtomic{"atomic", "原子操作"};
inline constexpr Words kReduction{"reduction", "归约"};
inline constexpr Words kAsyncCopy{"asynchronous copy", "异步拷贝"};
inline constexpr Words kBytesALane{"{0} bytes a lane", "每个 lane {0} 字节"};
inline constexpr Words kAccessKind{"{0} {1}", "{0}内存{1}"};

// ---- Why there is nothing to show
inline constexpr Words kNotRecorded{"Block {0} was not recorded. Choose it as the block in focus to see what it did.", "线程块 {0} 没有被记录。把它设为关注的线程块，就能看到它做了什么。"};
inline constexpr Words kNoSuchStep{"Warp {0} of block {1} has no step {2}.", "线程块 {1} 的线程束 {0} 没有第 {2} 步。"};
inline constexpr Words kNothingRecorded{"Nothing was recorded: this run kept figures only.", "没有记录：这次运行只保留了统计数字。"};

// ---- Banks
inline constexpr Words kBanksTitle{"Banks", "存储体"};
inline constexpr Words kNoSharedAccess{"The instruction at the cursor does not touch shared memory.", "光标处的指令没有访问共享内存。"};
inline constexpr Words kNoSharedAccessAtAll{"Warp {0} does not use shared memory at all.", "线程束 {0} 完全没有使用共享内存。"};
inline constexpr Words kNoActiveLane{"No lane was on: the instruction was issued, but nothing was touched.", "没有 lane 在执行：指令发出了，但没有访问任何内存。"};
inline constexpr Words kOneWavefront{"1 wavefront", "1 次 wavefront"};
inline constexpr Words kWavefronts{"{0} wavefronts", "{0} 次 wavefront"};
inline constexpr Words kBank{"bank", "存储体"};
inline constexpr Words kPass{"pass {0}", "第 {0} 趟"};
inline constexpr Words kMemoryLines{"Shared memory, {0} words a line", "共享内存，每行 {0} 个字"};
inline constexpr Words kOrderIsOurs{"The order of the passes is ours; the hardware does not tell its own.", "各趟的先后是我们定的，硬件不公开它的顺序。"};
inline constexpr Words kHatchedUnused{"Hatched: words this block never touches.", "斜线：这个线程块从不访问的字。"};
inline constexpr Words kWordOf{"word {0}", "字 {0}"};
inline constexpr Words kExecutionsHere{"Wavefronts of the {0} executions of line {1} in this block", "本线程块执行第 {1} 行 {0} 次，各次的 wavefront 数"};
inline constexpr Words kWholeGridWavefronts{"whole grid: {0} executions, {1} wavefronts", "整个网格：{0} 次执行，{1} 次 wavefront"};
inline constexpr Words kLaneTouchesWord{"Lane {0} touches word {1}: bank {2}, pass {3}.", "lane {0} 访问字 {1}：存储体 {2}，第 {3} 趟。"};
inline constexpr Words kLanesShareWord{"Lanes {0} touch the same word {1}: bank {2}, pass {3}, served together.", "lane {0} 访问同一个字 {1}：存储体 {2}，第 {3} 趟，一次送达。"};
inline constexpr Words kLanesOneByOne{"Lanes {0} change the same word {1} one after another: bank {2}, pass {3}.", "lane {0} 依次修改同一个字 {1}：存储体 {2}，第 {3} 趟。"};
inline constexpr Words kExecutionHover{"Warp {0}, step {1}: {2} wavefronts.", "线程束 {0}，第 {1} 步：{2} 次 wavefront。"};
inline constexpr Words kReads{"reads", "读取"};
inline constexpr Words kWrites{"writes", "写入"};
inline constexpr Words kChanges{"changes", "修改"};
inline constexpr Words kBanksConflict{"Warp {0} {1} {2} words, up to {3} of them in one bank, served one after another: {4} wavefronts instead of {5}.",
                                      "线程束 {0} {1} {2} 个字，同一存储体里最多有 {3} 个，只能一个接一个处理：{4} 次 wavefront，而不是 {5} 次。"};
inline constexpr Words kBanksOneBank{"Warp {0} {1} {2} words, all in bank {3}, served one after another: {4} wavefronts instead of {5}.",
                                     "线程束 {0} {1} {2} 个字，全在存储体 {3}，只能一个接一个处理：{4} 次 wavefront，而不是 {5} 次。"};
inline constexpr Words kBanksFree{"Warp {0} {1} {2} words in {3} different banks: no conflict, {4}.", "线程束 {0} {1} {2} 个字，落在 {3} 个不同的存储体：没有冲突，{4}。"};
inline constexpr Words kBanksBroadcast{"Warp {0} {1} one word for all {2} lanes: a broadcast, {3}.", "线程束 {0} 的 {2} 个 lane 都{1}同一个字：广播，{3}。"};
inline constexpr Words kBanksGroups{"Wide accesses go in groups of lanes: at least {0} wavefronts.", "宽访问按 lane 分组进行：至少 {0} 次 wavefront。"};

}  // namespace lockstep::viz::message
