// The window's own texts, in both languages; views bring theirs.
#pragma once

#include "viz/words.h"

namespace lockstep::app::words {

using viz::Words;

inline constexpr Words kExperiment{"Experiment", "实验"};
inline constexpr Words kExplore{"Explore", "探索"};
inline constexpr Words kExploreHover{"One run, in all its views", "看一次运行的各个视图"};
inline constexpr Words kCompare{"Compare", "对比"};
inline constexpr Words kCompareHover{"Two variants, or two sizes, in the same view, with cursors that go together", "两个版本或两种规模并排显示在同一视图中，光标同步移动"};
inline constexpr Words kCompareWith{"Compare with", "对比对象"};
inline constexpr Words kCompareWithHover{"Set another variant, or another size, beside this run", "把另一个版本或另一种规模放在旁边对比"};
inline constexpr Words kBesideUnderWay{"B is running", "B 正在运行"};
inline constexpr Words kFamily{"Family", "类别"};
inline constexpr Words kVariant{"Variant", "版本"};
inline constexpr Words kRun{"Run", "运行"};
inline constexpr Words kRunning{"Running", "正在运行"};
inline constexpr Words kCancel{"Cancel", "取消"};
inline constexpr Words kRunsOnChange{"Runs on every change", "改动后自动运行"};
inline constexpr Words kBlockInFocus{"Block in focus", "观察的线程块"};
inline constexpr Words kGrid{"grid {0} × {1}", "网格 {0} × {1}"};
inline constexpr Words kThreads{"{0} {0:thread|threads}", "{0} 个线程"};
inline constexpr Words kWarps{"{0} {0:warp|warps}", "{0} 个线程束"};
inline constexpr Words kSharedBytes{"{0} shared", "共享内存 {0}"};
inline constexpr Words kResult{"Result", "结果"};
inline constexpr Words kEqualsCpu{"Equals the CPU, {0} {0:element|elements}", "{0} 个元素与 CPU 一致"};
inline constexpr Words kWrongElements{"{0} {0:element is|elements are} wrong", "{0} 个元素有误"};
inline constexpr Words kFirstWrong{"{0}[{1}] = {2}, not {3}", "{0}[{1}] = {2}，应为 {3}"};
inline constexpr Words kNothingToCompare{"Nothing to compare with", "没有可比对的参考结果"};
inline constexpr Words kNoFindings{"No findings", "没有发现问题"};
inline constexpr Words kFindings{"{0} {0:finding|findings}", "发现 {0} 处问题"};
inline constexpr Words kMoreFindings{"more than {0} {0:finding|findings}", "发现超过 {0} 处问题"};
inline constexpr Words kRemarks{"{0} {0:remark|remarks}, no fault", "{0} 条提示，没有错误"};
inline constexpr Words kMoreRemarks{"more than {0} {0:remark|remarks}, no fault", "超过 {0} 条提示，没有错误"};
inline constexpr Words kStopped{"Stopped before its end", "未运行完就停止了"};
inline constexpr Words kWhatToLookAt{"What to look at", "看什么"};
inline constexpr Words kEmulator{"Emulator", "模拟器"};
inline constexpr Words kEmulatorHover{"The kernel ran on the embedded emulator: no GPU is needed.", "核函数在内置模拟器上运行，不需要 GPU。"};
inline constexpr Words kRules{"Rules: cc {0}", "规则：cc {0}"};
inline constexpr Words kRulesHover{"Requests, sectors and wavefronts are counted by the rules of this compute capability.", "请求、扇区和波前按此计算能力的规则统计。"};
inline constexpr Words kThemeHover{"Dark, light or projector (white)", "深色、浅色或投影（白底）"};
inline constexpr Words kLanguageHover{"切换到中文", "Switch to English"};
inline constexpr Words kKeysHover{"Keys (F1)", "快捷键（F1）"};
inline constexpr Words kKeys{"Keys", "快捷键"};
inline constexpr Words kStepBy{"Step by", "步进单位"};
inline constexpr Words kInstruction{"instruction", "指令"};
inline constexpr Words kLine{"line", "行"};
inline constexpr Words kPhase{"phase", "阶段"};
inline constexpr Words kSpeed{"Speed", "速度"};
inline constexpr Words kStepsPerSecond{"{0} {0:step|steps}/s", "{0} 步/秒"};
inline constexpr Words kAsFastAsItGoes{"as fast as it goes", "最快"};
inline constexpr Words kCursor{"Cursor", "光标"};
inline constexpr Words kCursorText{"block ({0}) · warp {1} · lane {2} · step {3} of {4}", "线程块 ({0}) · 线程束 {1} · 通道 {2} · 第 {3}/{4} 步"};
inline constexpr Words kCursorBrief{"step {0} of {1}", "第 {0}/{1} 步"};
inline constexpr Words kCursorLine{" · line {0}", " · 第 {0} 行"};
inline constexpr Words kExport{"Export", "导出"};
inline constexpr Words kExportWhat{"What", "内容"};
inline constexpr Words kWholeWindow{"The whole window", "整个窗口"};
inline constexpr Words kExportAs{"As", "格式"};
inline constexpr Words kExportSteps{"Steps", "步"};
inline constexpr Words kExportFile{"File", "文件"};
inline constexpr Words kExportNow{"Export", "导出"};
inline constexpr Words kExportReplace{"Replace it", "覆盖"};
inline constexpr Words kExportExists{"There is such a file already.", "已有同名文件。"};
inline constexpr Words kExportWritten{"Written: {0}", "已写入：{0}"};
inline constexpr Words kCopyLine{"Copy command line", "复制命令行"};
inline constexpr Words kCopyLineHover{"One line of text that opens this experiment again, with this view and this cursor", "一行文字，可重新打开这个实验，视图和光标都相同"};
inline constexpr Words kFirstRun{"The first run is under way", "首次运行正在进行"};
inline constexpr Words kClose{"Close", "关闭"};
inline constexpr Words kPercent{"{0} % of the blocks", "已完成 {0} % 的线程块"};
inline constexpr Words kChecking{"All blocks ran; working out caches and the right result", "线程块已全部运行；正在计算缓存与正确结果"};
inline constexpr Words kRange{"{0}–{1}", "{0}–{1}"};

inline constexpr Words kOwnPattern{"A pattern of your own", "自定义的模式"};
inline constexpr Words kElementIs{"Element of lane tid", "通道 tid 的元素"};
inline constexpr Words kExpressionHover{"Which element each lane reaches for: tid is the lane's number from 0 to 31; C's operators, for example (tid & 15) * 17 + tid / 16",
                                        "每个通道访问第几个元素：tid 是通道号，0 到 31；可用 C 的运算符，例如 (tid & 15) * 17 + tid / 16"};
inline constexpr Words kPlacedByHand{"placed by hand", "手动摆放"};
inline constexpr Words kSpaceShared{"shared", "共享内存"};
inline constexpr Words kSpaceGlobal{"global", "全局内存"};
inline constexpr Words kOpLoad{"load", "读取"};
inline constexpr Words kOpStore{"store", "写入"};
inline constexpr Words kBytesOfALane{"Bytes a lane", "每通道字节"};
inline constexpr Words kRowOf{"Row of", "每行元素"};
inline constexpr Words kPaddingOf{"padding", "填充"};
inline constexpr Words kPaddingHover{"Elements left unused behind each row: tile[32][32 + 1]", "每行末尾不用的元素：tile[32][32 + 1]"};
inline constexpr Words kInOrder{"in order", "按顺序"};
inline constexpr Words kSwizzle{"column ^ row", "列 ^ 行"};
inline constexpr Words kSwitchOff{"Switch lane {0} off", "关闭通道 {0}"};
inline constexpr Words kSwitchOn{"Switch lane {0} on", "打开通道 {0}"};
inline constexpr Words kTakeAccess{"Take the access at the cursor", "取光标处的访问"};
inline constexpr Words kTakeAccessHover{"Puts the load or store that the cursor stands on into the playground (P)", "把光标所在的读取或写入放进试验场（P）"};
inline constexpr Words kReset{"Reset", "重置"};

inline constexpr Words kKeyPlay{"play, pause", "播放、暂停"};
inline constexpr Words kKeyStep{"one step on, one back", "前进一步、后退一步"};
inline constexpr Words kKeyLine{"one source line on, one back", "前进一行、后退一行"};
inline constexpr Words kKeyPhase{"one phase on, one back", "前进一个阶段、后退一个阶段"};
inline constexpr Words kKeyEnds{"first step, last step", "第一步、最后一步"};
inline constexpr Words kKeyWarp{"previous warp, next warp", "上一个线程束、下一个线程束"};
inline constexpr Words kKeyBlock{"previous block in focus, next one", "上一个、下一个观察的线程块"};
inline constexpr Words kKeyLane{"previous lane, next lane", "上一个通道、下一个通道"};
inline constexpr Words kKeyAccess{"next execution of this line's access (Shift: previous)", "此行的下一次访存（Shift：上一次）"};
inline constexpr Words kKeyConflict{"next bank conflict (Shift: previous)", "下一次存储体冲突（Shift：上一次）"};
inline constexpr Words kKeyDivergence{"next divergence (Shift: previous)", "下一次分化（Shift：上一次）"};
inline constexpr Words kKeyFinding{"next finding (Shift: previous)", "下一处问题（Shift：上一处）"};
inline constexpr Words kKeyViews{"the views, in the order of their tabs", "按标签顺序切换视图"};
inline constexpr Words kKeyTake{"take the access at the cursor into the playground", "把光标处的访问放进试验场"};
inline constexpr Words kKeyUndo{"undo, redo a change of the experiment or the playground", "撤销、重做对实验或试验场的更改"};
inline constexpr Words kKeyExport{"export the view or the window", "导出视图或窗口"};
inline constexpr Words kKeyCopy{"copy the view's texts; with Shift the command line that opens it", "复制视图的文字；加 Shift 复制打开它的命令行"};
inline constexpr Words kKeyMotion{"values travel, or states only switch", "数值移动，或只切换状态"};
inline constexpr Words kKeyTheme{"next theme", "切换主题"};
inline constexpr Words kKeyLanguage{"English or Chinese", "切换中英文"};
inline constexpr Words kKeyHelp{"this list", "显示此列表"};
inline constexpr Words kKeyQuit{"quit", "退出"};

}  // namespace lockstep::app::words
