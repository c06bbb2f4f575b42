// The window's own texts, in both languages; views bring theirs.
#pragma once

#include "viz/words.h"

namespace lockstep::app::words {

using viz::Words;

inline constexpr Words kExperiment{"Experiment", "实验"};
inline constexpr Words kExplore{"Explore", "探索"};
inline constexpr Words kCompare{"Compare", "对比"};
inline constexpr Words kCompareWithHover{"Set another variant, or another size, beside this run",
                                         "把另一个版本或另一种规模放在旁边对比"};
inline constexpr Words kBesideUnderWay{"B is running", "B 正在运行"};
inline constexpr Words kFamily{"Family", "类别"};
inline constexpr Words kVariant{"Variant", "版本"};
inline constexpr Words kRun{"Run", "运行"};
inline constexpr Words kRunning{"Running", "正在运行"};
inline constexpr Words kCancel{"Cancel", "取消"};
inline constexpr Words kBlockInFocus{"Block in focus", "观察的线程块"};
// Rows first, as blocks and matrices are counted.
inline constexpr Words kGridLine{"grid of {0} {0:block|blocks}", "网格：{0} 个线程块"};
inline constexpr Words kGridLineBrief{"{0} {0:block|blocks}", "{0} 个线程块"};  // where "grid of" has no room
inline constexpr Words kGridExtents{"grid {0}", "网格 {0}"};
inline constexpr Words kThreads{"{0} {0:thread|threads}", "{0} 个线程"};
inline constexpr Words kWarps{"{0} {0:warp|warps}", "{0} 个线程束"};
inline constexpr Words kSharedBytes{"{0} shared", "共享内存 {0}"};
inline constexpr Words kResult{"Result", "结果"};
inline constexpr Words kMatchesCpu{"Matches the CPU reference", "与 CPU 参考结果一致"};
inline constexpr Words kElementsCompared{"{0} {0:element|elements} compared", "比较了 {0} 个元素"};
inline constexpr Words kWrongElements{"{0} {0:element is|elements are} wrong", "{0} 个元素有误"};
inline constexpr Words kMatchesReference{"Matches {0}", "与 {0} 一致"};
inline constexpr Words kWrongAgainst{"{0} {0:element is|elements are} wrong against {1}",
                                     "对照 {1}，{0} 个元素有误"};
inline constexpr Words kFirstWrong{"{0}[{1}] = {2}, not {3}", "{0}[{1}] = {2}，应为 {3}"};
inline constexpr Words kNoFindings{"No findings", "没有发现问题"};
inline constexpr Words kRemarks{"{0}; no errors", "{0}；没有错误"};
inline constexpr Words kStopped{"Stopped before its end", "未运行完就停止了"};
inline constexpr Words kStoppedByLimit{"Stopped by the time limit", "因时间限制而停止"};
inline constexpr Words kStoppedByHand{"Stopped by hand", "已手动停止"};
inline constexpr Words kBlockIsWhole{"block {0} is complete", "线程块 {0} 已运行完"};
inline constexpr Words kStoppedHover{
    "What is shown is what ran until then. On the command line --limit gives a run more seconds.",
    "显示的是到那时为止运行的内容。命令行上用 --limit 可给出更多秒数。"};
inline constexpr Words kWhatToLookAt{"What to look at", "观察要点"};
inline constexpr Words kEmulator{"Emulator", "模拟器"};
inline constexpr Words kEmulatorHover{"The kernel ran on the embedded emulator: no GPU is needed.",
                                      "核函数在内置模拟器上运行，不需要 GPU。"};
inline constexpr Words kGpu{"GPU", "GPU"};
inline constexpr Words kColdTimes{"Flush L2 before each timed run", "每次计时运行前清空 L2"};
inline constexpr Words kColdTimesHelp{
    "Times are taken with none of the kernel's data in L2, as in a single run of the kernel; otherwise L2 "
    "holds what the previous run left there. The kernel is run again.",
    "计时前先把 L2 中的数据清空，相当于核函数只执行一次的情形；否则 L2 里留有上一次执行的数据。会重新运行。"};
inline constexpr Words kGpuNumber{"GPU {0}", "GPU {0}"};
inline constexpr Words kGpuHover{
    "The kernel runs on {0}, which is timed and counted; the model's figures stand beside.",
    "核函数在 {0} 上运行并计时、计数，与模型的数值并列。"};
inline constexpr Words kLookingForGpu{"Looking for a GPU", "正在查找 GPU"};
inline constexpr Words kTraceBy{"trace: {0}", "轨迹：{0}"};
inline constexpr Words kTraceEmulator{"emulator", "模拟器"};
inline constexpr Words kTraceRecording{"recording", "记录文件"};
inline constexpr Words kTraceHover{"Source of the execution trace.", "执行轨迹的来源。"};
inline constexpr Words kTimeNow{"{0} ms on {1}", "{1} 上实测 {0} ms"};
inline constexpr Words kTimeRecorded{"{0} ms on {1}, from a recording", "{0} ms（{1} 的实测记录）"};
// A time that is for the most part that of the launch itself.
inline constexpr Words kLaunchNow{"{0} ms, mostly launch, on {1}", "{1} 上实测 {0} ms，主要是启动开销"};
inline constexpr Words kLaunchRecorded{"{0} ms, mostly launch, recorded on {1}",
                                       "{0} ms，主要是启动开销（{1} 实测记录）"};
inline constexpr Words kTimeNowHover{"Measured just now: median of {0} runs, CUDA {1}.",
                                     "刚才实测：{0} 次运行的中位数，CUDA {1}。"};
inline constexpr Words kTimeRecordedHover{"Recorded on {2}, on an {3}: median of {0} runs, CUDA {1}.",
                                          "{2} 记录于 {3}：{0} 次运行的中位数，CUDA {1}。"};
inline constexpr Words kOnGpu{"On the GPU: {0}", "在 GPU 上：{0}"};
inline constexpr Words kOnGpuPercent{"On the GPU: {0}, {1}%", "在 GPU 上：{0}，{1}%"};
inline constexpr Words kGpuStarting{"starting", "启动"};
inline constexpr Words kGpuCompiling{"compiling", "编译"};
inline constexpr Words kGpuRunning{"running", "运行"};
inline constexpr Words kGpuTiming{"timing", "计时"};
inline constexpr Words kGpuCounting{"counting", "计数"};
inline constexpr Words kGpuRecording{"recording the trace", "记录轨迹"};
inline constexpr Words kRules{"Rules: cc {0}", "规则：cc {0}"};
inline constexpr Words kRulesHover{
    "Requests, sectors and wavefronts are counted by the rules of this compute capability.",
    "请求、扇区和波前按此计算能力的规则统计。"};
inline constexpr Words kThemeHover{"Dark, light or projector (white)", "深色、浅色或投影（白底）"};
inline constexpr Words kLanguageHover{"切换到中文", "Switch to English"};
inline constexpr Words kKeysHover{"Keys (F1)", "快捷键（F1）"};
inline constexpr Words kKeys{"Keys", "快捷键"};
// Where a step by hand finds no further place.
inline constexpr Words kNoConflictOn{"No more bank conflicts in this warp.",
                                     "这个线程束后面没有存储体冲突了。"};
inline constexpr Words kNoConflictBack{"No earlier bank conflicts in this warp.",
                                       "这个线程束前面没有存储体冲突了。"};
inline constexpr Words kNoFindingOn{"No more findings.", "后面没有其他问题了。"};
inline constexpr Words kNoFindingBack{"No earlier findings.", "前面没有其他问题了。"};
inline constexpr Words kNoFindingAtAll{"This run has no findings.", "这次运行没有发现任何问题。"};
inline constexpr Words kNoDivergenceOn{"No more divergence in this warp.", "这个线程束后面不再分化。"};
inline constexpr Words kNoDivergenceBack{"No earlier divergence in this warp.", "这个线程束前面没有分化过。"};
inline constexpr Words kNoSameLineOn{"No more accesses of this line in this warp.",
                                     "这个线程束后面没有这一行的内存访问了。"};
inline constexpr Words kNoSameLineBack{"No earlier accesses of this line in this warp.",
                                       "这个线程束前面没有这一行的内存访问。"};
inline constexpr Words kNoStepOn{"End of this warp.", "这个线程束到此结束。"};
inline constexpr Words kNoStepBack{"Start of this warp.", "这是这个线程束的开头。"};
inline constexpr Words kStepBy{"Step by", "步进单位"};
inline constexpr Words kInstruction{"instruction", "指令"};
inline constexpr Words kLine{"line", "行"};
inline constexpr Words kPhase{"phase", "阶段"};
inline constexpr Words kSpeed{"Speed", "速度"};
inline constexpr Words kStepsPerSecond{"{0} {0:step|steps}/s", "{0} 步/秒"};
inline constexpr Words kAsFastAsItGoes{"max", "最快"};
inline constexpr Words kCursor{"Cursor", "光标"};
inline constexpr Words kCursorText{"block {0} · warp {1} · lane {2} · step {3} of {4}",
                                   "线程块 {0} · 线程束 {1} · 通道 {2} · 第 {3}/{4} 步"};
inline constexpr Words kCursorBrief{"step {0} of {1}", "第 {0}/{1} 步"};
inline constexpr Words kCursorLine{" · line {0}", " · 第 {0} 行"};
inline constexpr Words kExport{"Export", "导出"};
inline constexpr Words kExportWhat{"What", "内容"};
inline constexpr Words kWholeWindow{"The whole window", "整个窗口"};
inline constexpr Words kExportAs{"As", "格式"};
inline constexpr Words kExportSteps{"Steps", "步"};
inline constexpr Words kExportFile{"File", "文件"};
inline constexpr Words kBrowse{"Browse …", "浏览 …"};
inline constexpr Words kBrowseHelp{"Chooses the place in the desktop's own dialog",
                                   "在桌面自带的对话框里选择位置"};
inline constexpr Words kSaveTitle{"Export the picture", "导出图片"};
inline constexpr Words kExportButtonHelp{
    "The view used last, or the whole window, as a picture or an animation (Ctrl E)",
    "把最近看的视图或整个窗口导出为图片或动画（Ctrl E）"};
inline constexpr Words kPaletteButton{"Ctrl P", "Ctrl P"};
inline constexpr Words kPaletteButtonHelp{
    "Command palette: commands, views, kernels, sizes, devices (Ctrl P)",
    "命令面板：命令、视图、核函数、规模、设备（Ctrl P）"};
inline constexpr Words kExportNow{"Export", "导出"};
inline constexpr Words kExportReplace{"Replace it", "覆盖"};
inline constexpr Words kExportExists{"A file of that name exists already.", "已有同名文件。"};
inline constexpr Words kExportWritten{"Written: {0}", "已写入：{0}"};
inline constexpr Words kCopyLine{"Copy command line", "复制命令行"};
inline constexpr Words kCopyLineHover{
    "One line of text that opens this experiment again, with this view and this cursor",
    "一行文字，可重新打开这个实验，视图和光标都相同"};
inline constexpr Words kFirstRun{"The first run is under way", "首次运行正在进行"};
inline constexpr Words kClose{"Close", "关闭"};
inline constexpr Words kPercent{"{0}% of the blocks", "已完成 {0}% 的线程块"};
inline constexpr Words kChecking{"All blocks have run; computing the reference result",
                                 "线程块已全部运行；正在计算参考结果"};
inline constexpr Words kSimulatingCaches{"Simulating the caches: {0}%", "正在模拟缓存：{0}%"};
inline constexpr Words kRange{"{0}–{1}", "{0}–{1}"};

inline constexpr Words kOwnPattern{"A pattern of your own", "自定义的模式"};
inline constexpr Words kElementIs{"Element of lane tid", "通道 tid 的元素"};
inline constexpr Words kExpressionHover{
    "Which element each lane accesses: tid is the lane's number from 0 to 31; C's operators, for example "
    "(tid & 15) * 17 + tid / 16",
    "每个通道访问第几个元素：tid 是通道号，0 到 31；可用 C 的运算符，例如 (tid & 15) * 17 + tid / 16"};
inline constexpr Words kPlacedByHand{"placed by hand", "手动摆放"};
inline constexpr Words kSpaceShared{"shared", "共享内存"};
inline constexpr Words kSpaceGlobal{"global", "全局内存"};
inline constexpr Words kOpLoad{"load", "读取"};
inline constexpr Words kOpStore{"store", "写入"};
inline constexpr Words kRowOf{"Row of", "每行元素"};
inline constexpr Words kPaddingOf{"padding", "填充"};
inline constexpr Words kPaddingHover{"Elements left unused behind each row: tile[32][32 + 1]",
                                     "每行末尾不用的元素：tile[32][32 + 1]"};
inline constexpr Words kInOrder{"linear", "线性"};
inline constexpr Words kSwizzle{"XOR swizzle", "异或重排"};
inline constexpr Words kSwitchOff{"Deactivate lane {0}", "停用通道 {0}"};
inline constexpr Words kSwitchOn{"Activate lane {0}", "激活通道 {0}"};
inline constexpr Words kTakeAccess{"Take the access at the cursor", "取用光标处的访问"};
inline constexpr Words kTakeAccessHover{
    "Puts the load or store that the cursor stands on into the playground (P)",
    "把光标所在的读取或写入放进实验台（P）"};
inline constexpr Words kReset{"Reset", "重置"};

// Help on controls: a word of what each means.
inline constexpr Words kMorePage{"More in docs/{0} (right click opens it)", "详见 docs/{0}（右键打开）"};
inline constexpr Words kFamilyHelp{
    "What is computed. The variants of a family compute the same in different ways.",
    "计算什么。同一类别的各个版本用不同方式计算同样的结果。"};
inline constexpr Words kVariantHelp{"How it is computed: each variant fixes or introduces one problem.",
                                    "怎样计算：每个版本解决一个问题，或引入一个问题。"};
inline constexpr Words kBlockHelp{
    "The block whose threads all views show. Others are counted, this one is recorded event by event. Blocks "
    "and threads are named by their axes, as blockIdx and threadIdx have them.",
    "各视图显示的线程块。其他线程块只计数，这一个逐事件记录。线程块和线程都标明坐标轴，与 blockIdx 和 "
    "threadIdx 一致。"};
inline constexpr Words kResultHelp{"The result checked against the CPU's, and what the run did wrong.",
                                   "与 CPU 结果的比对，以及运行中发现的问题。"};
inline constexpr Words kStepByHelp{
    "What one step means: an instruction of the warp, a line of the source, or everything up to the next "
    "barrier.",
    "一步的大小：线程束的一条指令、源码的一行，或到下一个同步屏障为止。"};
inline constexpr Words kSpeedHelp{
    "Steps per second while playing. Above 8 nothing is animated: only states change.",
    "播放时每秒的步数。超过 8 步不再显示移动，只切换状态。"};
inline constexpr Words kRunHelp{"Runs automatically on every change; click to rerun.",
                                "每次更改都会自动运行；点击可重新运行。"};
inline constexpr Words kFirstHelp{"First step (Home)", "第一步（Home）"};
inline constexpr Words kLastHelp{"Last step (End)", "最后一步（End）"};
inline constexpr Words kPhaseBackHelp{"Previous phase: back to the barrier before (Shift ←)",
                                      "上一个阶段：回到前一个同步屏障（Shift ←）"};
inline constexpr Words kPhaseHelp{"Next phase: on to the next barrier (Shift →)",
                                  "下一个阶段：到下一个同步屏障（Shift →）"};
inline constexpr Words kStepBackHelp{"Step back (←)", "后退一步（←）"};
inline constexpr Words kStepHelp{"Step forward (→)", "前进一步（→）"};
inline constexpr Words kPlayHelp{"Play or pause (Space)", "播放或暂停（空格）"};

inline constexpr Words kCancelRunHelp{"Stops what is under way; the last picture stays.",
                                      "停止正在进行的运行；保留上一幅画面。"};
inline constexpr Words kExperimentHelp{"Kernel, sizes and result, over the views",
                                       "在视图上方显示核函数、规模与结果"};
inline constexpr Words kDismissHelp{"Dismisses the message; nothing else changes.",
                                    "收起这条消息，其他不变。"};
inline constexpr Words kCloseHelp{"Closes this (Esc).", "关闭（Esc）。"};
inline constexpr Words kCompareFirstHelp{"The variant on the left", "左边的版本"};
inline constexpr Words kCompareSecondHelp{"The variant on the right, compared with the left one",
                                          "右边的版本，与左边对比"};
inline constexpr Words kExportWhatHelp{
    "One view, drawn on a slide of 1280 × 720, or the whole window as it is",
    "单个视图（按 1280 × 720 的幻灯片绘制），或整个窗口的原样"};
inline constexpr Words kExportAsHelp{
    "PNG: pixels. SVG: stays sharp, text stays text. GIF plays anywhere; APNG keeps every color.",
    "PNG：像素图。SVG：放大不模糊，文字仍是文字。GIF 到处能播放；APNG 保留全部颜色。"};
inline constexpr Words kExportStepsHelp{
    "First and last step of the animation; to begin with, those chosen on the timeline",
    "动画的第一步与最后一步；默认取时间线上选中的步骤"};
inline constexpr Words kExportSpeedHelp{"Steps per second of the animation", "动画每秒的步数"};
inline constexpr Words kExportFileHelp{
    "Where it is written; without a folder, in the one that the program was started in",
    "写到哪里；不写文件夹时，写入启动程序时所在的文件夹"};
inline constexpr Words kExportCancelHelp{"Stops drawing; no file is written.", "停止绘制，不写入文件。"};
inline constexpr Words kExportNowHelp{"Writes the file: whole, or not at all",
                                      "写入文件：要么完整，要么不写"};
inline constexpr Words kHintTakenHelp{"The hint does not come back; F1 and Ctrl P are always there.",
                                      "不再显示此提示；F1 与 Ctrl P 随时可用。"};
inline constexpr Words kPaletteHelp{
    "Type part of a name, in either language; ↑ ↓ select, Enter confirms, Esc closes.",
    "输入名称的一部分，中英文都行；↑ ↓ 选择，回车确定，Esc 关闭。"};
inline constexpr Words kOpenHelp{"A .cu or .ptx is compiled and run, a .lks is a recording that was saved.",
                                 ".cu 或 .ptx 会被编译并运行，.lks 是保存的记录。"};
inline constexpr Words kRecentRowHelp{"Runs it again, as it was last set", "按上次的设置再次运行"};
inline constexpr Words kPresetHelp{"Common access patterns: a row, a column, a padded tile, a broadcast …",
                                   "常见的访问模式：一行、一列、带填充的分块、广播 …"};
inline constexpr Words kSpaceHelp{
    "Shared memory counts wavefronts, global memory the sectors that are transferred.",
    "共享内存按波前计数，全局内存按传输的扇区计数。"};
inline constexpr Words kOperationHelp{"Whether the lanes read or write", "各通道是读取还是写入"};
inline constexpr Words kWidthHelp{"Bytes per lane: 4 is a float, 16 a float4",
                                  "每个通道的字节数：4 是 float，16 是 float4"};
inline constexpr Words kOrderHelp{
    "Linear: element by element. XOR swizzle: column ^ row, which spreads a column over the banks without "
    "padding.",
    "线性：逐个元素。异或重排：column ^ row，不加填充就能把一列分散到各存储体。"};
inline constexpr Words kRowHelp{"Elements in a row of the array", "数组一行的元素个数"};
inline constexpr Words kSwitchLaneHelp{
    "An inactive lane accesses nothing: as in a branch that it does not take",
    "非活动的通道什么也不访问：就像没有走进某个分支"};
inline constexpr Words kResetHelp{"Back to the first pattern; Ctrl Z takes it back",
                                  "回到最初的模式；Ctrl Z 可撤销"};

// The tasks.
inline constexpr Words kMeasure{"Measure", "测量"};
inline constexpr Words kPresent{"Present", "演示"};
inline constexpr Words kExploreHelp{"Stage and source: what the kernel does, step by step",
                                    "图示与源码：一步一步看核函数做了什么"};
inline constexpr Words kMeasureHelp{"Memory tables, times and findings: what it costs",
                                    "内存表、时间与问题：看开销"};
inline constexpr Words kCompareHelp{"Two kernels or two sizes side by side", "两个版本或两种规模并排对比"};
inline constexpr Words kPresentHelp{"Full screen and large type, for a lecture (F11)",
                                    "全屏大字，适合课堂（F11）"};
inline constexpr Words kRecent{"Recent", "最近"};
inline constexpr Words kRecentHelp{"Recent experiments, and files to open (Ctrl O)",
                                   "最近的实验，以及打开文件（Ctrl O）"};
inline constexpr Words kOpen{"Open a file …", "打开文件 …"};
inline constexpr Words kNoRecent{"Nothing yet: experiments appear here once they have run.",
                                 "暂无：运行过的实验会出现在这里。"};

// The first visit.
inline constexpr Words kHint{
    "Space plays, → and ← step. Ctrl P finds everything by name, F1 lists the keys. A .cu, .ptx or .lks "
    "dropped here is opened.",
    "空格播放，→ 和 ← 单步。Ctrl P 按名称查找一切，F1 列出快捷键。把 .cu、.ptx 或 .lks "
    "文件拖到这里即可打开。"};
inline constexpr Words kHintTaken{"Got it", "知道了"};

// The palette.
inline constexpr Words kPaletteHint{"A command, a view, a kernel, a size, a theme …",
                                    "命令、视图、核函数、规模、主题 …"};
inline constexpr Words kPaletteNothing{"No matches", "没有匹配项"};
inline constexpr Words kEntryRecent{"Recent: {0}", "最近：{0}"};
inline constexpr Words kEntryView{"View: {0}", "视图：{0}"};
inline constexpr Words kEntryKernel{"{0}: {1}", "{0}：{1}"};
inline constexpr Words kEntrySet{"Set {0} = {1}", "设 {0} = {1}"};
inline constexpr Words kEntryTheme{"Theme: {0}", "主题：{0}"};
inline constexpr Words kEntryRules{"Rules: cc {0}", "规则：cc {0}"};

// A kernel of the user's own.
inline constexpr Words kOwnFile{"Your kernel", "你的核函数"};
inline constexpr Words kOwnLaunch{"Launch …", "启动设置 …"};
inline constexpr Words kOwnLaunchHelp{"Kernel, grid, block and arguments of this file",
                                      "此文件的核函数、网格、线程块与参数"};
inline constexpr Words kOwnEntryHelp{"The kernels that the file has, with their parameters",
                                     "文件中的核函数及其参数"};
inline constexpr Words kOwnLookHelp{"Compiles this instance to see what it takes",
                                    "编译这个实例，看它需要哪些参数"};
inline constexpr Words kOwnRunHelp{"Compiles and runs it (Enter); from then on whenever the file is saved",
                                   "编译并运行（回车）；此后文件每次保存都会重新运行"};
inline constexpr Words kOwnCancelHelp{"Leaves what is shown as it is (Esc)", "保持当前显示的内容不变（Esc）"};
inline constexpr Words kOwnWatched{"It runs again whenever the file is saved.",
                                   "文件每次保存后都会重新运行。"};
inline constexpr Words kOwnTitle{"Launch configuration for {0}", "{0} 的启动配置"};
inline constexpr Words kOwnKernel{"kernel", "核函数"};
inline constexpr Words kOwnLaunchAt{"line {0}: {1}", "第 {0} 行：{1}"};
inline constexpr Words kOwnEntryLaunchHelp{
    "The kernels that the file has, and the launches that its host code makes",
    "文件中的核函数，以及其主机代码中的启动"};
inline constexpr Words kOwnFromFile{"Filled from line {0} of {1}.", "取自 {1} 第 {0} 行。"};
inline constexpr Words kOwnTemplate{"The file has templates only: name an instance, as in C++.",
                                    "文件里只有模板：请像 C++ 那样写出一个实例。"};
inline constexpr Words kOwnLook{"Find its parameters", "查找参数"};
inline constexpr Words kOwnGrid{"grid", "网格"};
inline constexpr Words kOwnGridHelp{"Blocks in x, y and z: 4 or 4,4 or 4,4,2",
                                    "x、y、z 方向的线程块数：4 或 4,4 或 4,4,2"};
inline constexpr Words kOwnBlock{"block", "线程块"};
inline constexpr Words kOwnBlockHelp{"Threads of a block in x, y and z: 256 or 16,16",
                                     "一个线程块在 x、y、z 方向的线程数：256 或 16,16"};
inline constexpr Words kOwnShared{"shared (bytes)", "共享内存（字节）"};
inline constexpr Words kOwnSharedHelp{
    "Dynamic shared memory of a block; 0 where the kernel declares what it needs",
    "每个线程块的动态共享内存；核函数自己声明时为 0"};
inline constexpr Words kOwnArgument{"argument {0}", "参数 {0}"};
inline constexpr Words kOwnArgumentHelp{
    "A buffer: f32[1024]=random, zero, iota, const:2.5 or FILE.npy. A value: i32:96, f32:1.5. A struct: "
    "hex:0a00…",
    "缓冲区：f32[1024]=random、zero、iota、const:2.5 或 FILE.npy。数值：i32:96、f32:1.5。结构体：hex:0a00…"};
inline constexpr Words kOwnDefines{"macros", "宏"};
inline constexpr Words kOwnDefinesHelp{"For the compiler, with spaces between: TILE=16 DEBUG",
                                       "给编译器的宏，用空格分开：TILE=16 DEBUG"};
inline constexpr Words kOwnReference{"check result against", "检查结果对照"};
inline constexpr Words kOwnReferenceHelp{
    "What the results should be: a reference of the catalog (matmul:M=0,N=1,P=2,width=64), another kernel "
    "(kernel:NAME) or a file (2=expected.npy); several with ; between. Choose a proposal, then change it as "
    "you like; empty: not checked",
    "结果应该是什么：目录中的参考（matmul:M=0,N=1,P=2,width=64）、另一个核函数（kernel:NAME）或文件（2="
    "expected.npy）；多个之间用 ; 隔开。可以先选一个建议再修改；留空则不检查"};
inline constexpr Words kOwnReferenceText{"reference", "参考"};
inline constexpr Words kOwnNoReference{"nothing", "不检查"};
inline constexpr Words kOwnPath{"path of a .cu, .ptx or .lks", ".cu、.ptx 或 .lks 文件的路径"};

// Opening files.
inline constexpr Words kOpenTitle{"Open a kernel or a recording", "打开核函数或记录"};
inline constexpr Words kOpenKinds{"Kernels and recordings", "核函数与记录"};

// What a key, or a row of the palette, does.
inline constexpr Words kKeyPlay{"Play or pause", "播放或暂停"};
inline constexpr Words kKeyStep{"Step forward", "前进一步"};
inline constexpr Words kKeyStepBack{"Step back", "后退一步"};
inline constexpr Words kKeyLine{"Next source line", "下一行源码"};
inline constexpr Words kKeyLineBack{"Previous source line", "上一行源码"};
inline constexpr Words kKeyPhase{"Next phase", "下一个阶段"};
inline constexpr Words kKeyPhaseBack{"Previous phase", "上一个阶段"};
inline constexpr Words kKeyFirst{"First step", "第一步"};
inline constexpr Words kKeyLast{"Last step", "最后一步"};
inline constexpr Words kKeyWarp{"Next warp", "下一个线程束"};
inline constexpr Words kKeyWarpBack{"Previous warp", "上一个线程束"};
inline constexpr Words kKeyBlock{"Next block in focus", "下一个观察的线程块"};
inline constexpr Words kKeyBlockBack{"Previous block in focus", "上一个观察的线程块"};
inline constexpr Words kKeyLane{"Next lane", "下一个通道"};
inline constexpr Words kKeyLaneBack{"Previous lane", "上一个通道"};
inline constexpr Words kKeySelect{"Extend selection right", "向右扩展选择"};
inline constexpr Words kKeySelectBack{"Extend selection left", "向左扩展选择"};
inline constexpr Words kKeySelectNone{"Clear selection, or restore the view", "清除选择，或还原视图"};
inline constexpr Words kKeyAccess{"Next access of this line", "此行的下一次访存"};
inline constexpr Words kKeyAccessBack{"Previous access of this line", "此行的上一次访存"};
inline constexpr Words kKeyConflict{"Next bank conflict", "下一次存储体冲突"};
inline constexpr Words kKeyConflictBack{"Previous bank conflict", "上一次存储体冲突"};
inline constexpr Words kKeyDivergence{"Next divergence", "下一次分化"};
inline constexpr Words kKeyDivergenceBack{"Previous divergence", "上一次分化"};
inline constexpr Words kKeyFinding{"Next finding", "下一处问题"};
inline constexpr Words kKeyFindingBack{"Previous finding", "上一处问题"};
inline constexpr Words kKeyViews{"The views, in the order of their tabs", "按标签顺序切换视图"};
inline constexpr Words kKeyRun{"Run again", "重新运行"};
inline constexpr Words kKeyUndo{"Undo a change of the experiment", "撤销对实验的更改"};
inline constexpr Words kKeyRedo{"Redo a change of the experiment", "重做对实验的更改"};
inline constexpr Words kKeyExport{"Export the view or the window", "导出视图或窗口"};
inline constexpr Words kKeyCopy{"Copy the view's texts (Shift: the command line that opens it)",
                                "复制视图的文字（加 Shift：打开它的命令行）"};
inline constexpr Words kKeyCopyPicture{"Copy the view as a picture", "把视图复制为图片"};
inline constexpr Words kCopyPicture{"Copy picture", "复制图片"};
inline constexpr Words kCopyPictureHover{
    "Puts the picture on the clipboard, to be pasted into a slide (Ctrl Alt C)",
    "把图片放到剪贴板，可粘贴到幻灯片里（Ctrl Alt C）"};
inline constexpr Words kKeyTheme{"Next theme", "切换主题"};
inline constexpr Words kKeyLanguage{"English or Chinese", "切换中英文"};
inline constexpr Words kKeyMotion{"Reduce motion, or show it again", "减少动画，或恢复动画"};
inline constexpr Words kKeyPresent{"Present: full screen, large type", "演示：全屏、大字"};
inline constexpr Words kKeyTake{"Take the access at the cursor into the playground",
                                "把光标处的访问放进实验台"};
inline constexpr Words kKeyPalette{"Command palette", "命令面板"};
inline constexpr Words kKeyOpen{"Open a kernel or a recording", "打开核函数或记录"};
inline constexpr Words kKeyRead{"Read about this kernel", "阅读这个核函数的说明"};
inline constexpr Words kKeyExplore{"Views for exploring", "探索用的视图布局"};
inline constexpr Words kKeyMeasure{"Views for measuring", "测量用的视图布局"};
inline constexpr Words kKeyCompare{"Compare with another kernel or size", "与另一个版本或规模对比"};
inline constexpr Words kKeyEnlarge{"Maximize or restore the view", "最大化或还原视图"};
inline constexpr Words kEnlargeHelp{"Maximizes this view (Z, or a double click on its tab)",
                                    "最大化此视图（Z，或双击标签）"};
inline constexpr Words kRestoreHelp{"Restores this view (Z or Esc)", "还原此视图（Z 或 Esc）"};
inline constexpr Words kKeyReset{"Reset the layout", "恢复默认布局"};
inline constexpr Words kKeyHelp{"This list of keys", "显示快捷键列表"};
inline constexpr Words kKeyQuit{"Quit", "退出"};
inline constexpr Words kPresentNext{"Next event", "下一个事件"};
inline constexpr Words kPresentBack{"Previous event", "上一个事件"};
inline constexpr Words kPresentLens{"Next lens in the stage's place", "换一个视图（代替图示）"};
inline constexpr Words kPresentLensBack{"Previous lens beside the stage", "换回上一个视图（图示旁）"};
inline constexpr Words kPresentBlack{"Black screen", "黑屏"};
inline constexpr Words kPresentEnd{"End the presentation", "结束演示"};

}  // namespace lockstep::app::words
