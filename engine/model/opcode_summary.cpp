// The opcode table's summaries, and in Chinese those that are more than a formula.
#include "model/sentence.h"
#include "ptx/opcodes.h"

#include <algorithm>
#include <array>

namespace lockstep::model {
namespace {

struct Row {
    std::string_view name, zh;
};

// Sorted by name.
constexpr auto kChinese = std::to_array<Row>({
    {"activemask", "d = 在此一起执行的通道"},
    {"addc", "d = a + b + 进位"},
    {"alloca", "d = 线程栈上新分配的 n 个字节的地址"},
    {"applypriority", "提示：缓存行的逐出优先级"},
    {"atom", "d = 该地址的旧值，并用 op(旧值, b) 替换它"},
    {"bar", "等待线程块的线程到齐"},
    {"barrier", "barrier.cluster：等待线程块簇的线程到齐"},
    {"bfe", "d = a 从第 b 位起的 c 位"},
    {"bfi", "d = b，其中从第 c 位起的 d 位换成 a"},
    {"bfind", "d = 最高有效位的位置"},
    {"bmsk", "d = 从第 a 位起的 b 个 1"},
    {"bra", "从标号处继续"},
    {"brev", "d = a 的各位倒序"},
    {"brkpt", "在调试器中停下"},
    {"brx", "从该编号的标号处继续"},
    {"call", "调用函数"},
    {"clusterlaunchcontrol", "取消或查询尚未开始的线程块簇"},
    {"clz", "d = 前导零的个数"},
    {"copysign", "d = b，符号取自 a"},
    {"cp", "复制到共享内存，不等待"},
    {"createpolicy", "建立缓存策略"},
    {"cvt", "d = a 转换成另一种类型"},
    {"cvta", "d = 地址 a 转换到另一地址空间"},
    {"discard", "该地址的数据不再需要"},
    {"dp2a", "d = c + 两个 16 位与 8 位的乘积"},
    {"dp4a", "d = c + 四个字节的乘积"},
    {"elect", "p = 本通道被选中"},
    {"exit", "线程结束"},
    {"fence", "给内存访问定序"},
    {"fma", "d = a*b + c，只舍入一次"},
    {"fns", "d = 第 n 个置位的位置"},
    {"getctarank", "d = 该地址所属线程块的序号"},
    {"griddepcontrol", "给相互依赖的网格定序"},
    {"isspacep", "p = 该地址在那个空间里"},
    {"istypep", "p = 该变量是纹理、采样器或表面"},
    {"ld", "d = 该地址的内存"},
    {"ldmatrix", "d = 共享内存中 8x8 矩阵的片段"},
    {"ldu", "d = 各通道相同的地址处的内存"},
    {"lop3", "d = a、b、c 各位的任意函数"},
    {"mad24", "d = a*b + c（24 位）"},
    {"madc", "d = a*b + c + 进位"},
    {"mapa", "d = 簇中另一个线程块里的同一共享变量"},
    {"match", "d = 值相同的通道"},
    {"max", "d = a 与 b 中较大的"},
    {"mbarrier", "共享内存中的屏障"},
    {"membar", "给内存访问定序"},
    {"min", "d = a 与 b 中较小的"},
    {"mma", "d = a*b + c，矩阵分布在线程束中"},
    {"movmatrix", "d = 线程束持有的 8x8 矩阵的转置"},
    {"mul24", "d = a * b（24 位）"},
    {"multimem", "访问多个设备的内存"},
    {"nanosleep", "等待大约这么多纳秒"},
    {"pmevent", "触发性能监视器"},
    {"popc", "d = 置位的个数"},
    {"prefetch", "提示：预取一个缓存行"},
    {"prefetchu", "提示：预取一个缓存行"},
    {"prmt", "d = 由 c 选出的 a、b 的字节"},
    {"red", "该地址的内存 = op(旧值, a)"},
    {"redux", "d = 所有通道的 a 合并的结果"},
    {"rem", "d = a 除以 b 的余数"},
    {"ret", "返回调用者；没有调用者时线程结束"},
    {"set", "d = a 与 b 比较，成立则全 1 或 1.0，否则 0"},
    {"setmaxnreg", "改变寄存器数量"},
    {"setp", "p = a 与 b 的比较结果"},
    {"shf", "d = 64 位的 b:a 移位后的一半"},
    {"shfl", "d = 另一个通道的 a"},
    {"st", "该地址的内存 = a"},
    {"stackrestore", "归还栈内存"},
    {"stacksave", "d = 栈指针"},
    {"stmatrix", "共享内存 = 8x8 矩阵的片段"},
    {"subc", "d = a - b - 借位"},
    {"suld", "d = 表面的一部分"},
    {"suq", "d = 表面的某个属性"},
    {"sured", "表面的一部分 = op(原值, b)"},
    {"sust", "表面的一部分 = a"},
    {"szext", "d = a 的低 b 位，扩展到整个宽度"},
    {"tcgen05", "cc 10 的张量核心"},
    {"testp", "p = a 属于那一类数"},
    {"tex", "d = 坐标处的纹理值"},
    {"tld4", "d = 纹理中相邻的四个值"},
    {"trap", "核函数出错结束"},
    {"txq", "d = 纹理的某个属性"},
    {"vabsdiff", "d = 寄存器各部分的 |a - b|"},
    {"vabsdiff2", "d = 两个半字的 |a - b|"},
    {"vabsdiff4", "d = 四个字节的 |a - b|"},
    {"vadd", "d = 寄存器各部分的 a + b"},
    {"vadd2", "d = 两个半字的 a + b"},
    {"vadd4", "d = 四个字节的 a + b"},
    {"vavrg2", "d = 两个半字的 (a + b) / 2"},
    {"vavrg4", "d = 四个字节的 (a + b) / 2"},
    {"vmad", "d = 寄存器各部分的 a*b + c"},
    {"vmax", "d = 寄存器各部分中较大的"},
    {"vmax2", "d = 两个半字中较大的"},
    {"vmax4", "d = 四个字节中较大的"},
    {"vmin", "d = 寄存器各部分中较小的"},
    {"vmin2", "d = 两个半字中较小的"},
    {"vmin4", "d = 四个字节中较小的"},
    {"vote", "d = 各通道谓词的合并结果"},
    {"vset", "d = 寄存器各部分比较的结果"},
    {"vset2", "d = 两个半字比较的结果"},
    {"vset4", "d = 四个字节比较的结果"},
    {"vshl", "d = 寄存器各部分的 a << b"},
    {"vshr", "d = 寄存器各部分的 a >> b"},
    {"vsub", "d = 寄存器各部分的 a - b"},
    {"vsub2", "d = 两个半字的 a - b"},
    {"vsub4", "d = 四个字节的 a - b"},
    {"wgmma", "d = a*b + d，矩阵在共享内存中"},
    {"wmma", "线程束持有的矩阵"},
});
static_assert(std::ranges::is_sorted(kChinese, {}, &Row::name));

}  // namespace

Text opcodeSummary(const ptx::Instruction& instruction) {
    if (instruction.opcode >= ptx::opcodeTable().size()) return {};
    const ptx::OpcodeRow& opcode = ptx::opcodeTable()[instruction.opcode];
    const auto row = std::ranges::lower_bound(kChinese, opcode.name, {}, &Row::name);
    const bool found = row != kChinese.end() && row->name == opcode.name;
    return {std::string(opcode.summary), std::string(found ? row->zh : opcode.summary)};
}

}  // namespace lockstep::model
