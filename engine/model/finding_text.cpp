// Findings in words: what happened, where, and what to do about it.
#include "model/finding_text.h"

#include "model/words.h"
#include "ptx/barrier_paths.h"

#include <fmt/format.h>

namespace lockstep::model {
namespace {

using trace::AccessKind;
using trace::Culprit;
using trace::Finding;
using trace::FindingKind;
using trace::Space;

class Describer {
public:
    Describer(const Finding& finding, const ptx::Module& module, const trace::Recording& recording,
              std::span<const ArrayShape> shapes)
        : finding_(finding), module_(module), recording_(recording), shapes_(shapes) {
        if (finding.launch.value >= recording.launches.size()) return;
        launch_ = &recording.launches[finding.launch.value];
        grid_ = launch_->grid, block_ = launch_->block;
    }

    Text describe() const {
        Text text = ofKind();
        if (finding_.count > 1 && finding_.kind != FindingKind::Truncated) {
            text.en += fmt::format(" This happened {} times.", grouped(finding_.count));
            text.zh += fmt::format("这种情况共出现 {} 次。", grouped(finding_.count));
        }
        text.zh = spaced(text.zh);
        return text;
    }

private:
    Text ofKind() const {
        switch (finding_.kind) {
            case FindingKind::OutOfBounds: return outOfBounds();
            case FindingKind::Misaligned: return misaligned();
            case FindingKind::UninitializedRead: return uninitialized();
            case FindingKind::Race: return race();
            case FindingKind::DivergentBarrier: return divergentBarrier();
            case FindingKind::WarpSynchronous: return warpSynchronous();
            case FindingKind::InvalidAddress: return invalidAddress();
            case FindingKind::DivisionByZero: return divisionByZero();
            case FindingKind::Limit: return limit();
            case FindingKind::Truncated: return truncated();
        }
        return {};
    }

    // ---- Who and where.
    Text thread(const Culprit& culprit) const {
        if (culprit.pc == kNoPc) return {"a thread", "某个线程"};
        return threadOfBlock(culprit.thread, block_, culprit.block, grid_);
    }
    // The other thread, seen from the first: of the same block, or of the same warp where that is known.
    Text otherThread(bool sameWarp) const {
        const Culprit& other = *finding_.other;
        if (other.block != finding_.who.block || other.pc == kNoPc) return thread(other);
        const std::string at = coordinates(other.thread, block_);
        return {fmt::format("thread {} of the same {}", at, sameWarp ? "warp" : "block"),
                fmt::format("同一{}的线程 {}", sameWarp ? "线程束" : "线程块", at)};
    }
    Text subject() const {
        Text text = thread(finding_.who);
        text.en = capitalised(text.en);
        return text;
    }
    Text line(const Culprit& culprit) const {
        if (culprit.pc.value >= module_.instructions.size()) return {};
        const Text name = lineName(culprit);
        return {fmt::format(" ({})", name.en), fmt::format("（{}）", name.zh)};
    }
    std::string opcode() const {
        if (finding_.who.pc.value >= module_.instructions.size()) return {};
        return std::string(module_.at(finding_.who.pc).name);
    }
    bool onGpu() const { return recording_.backend == "gpu"; }

    // ---- What was touched: the array as a whole, and the place in it.
    const Buffer* buffer() const {
        const bool known = finding_.buffer >= 0 && std::size_t(finding_.buffer) < recording_.initial.size();
        return known ? &recording_.initial[std::size_t(finding_.buffer)] : nullptr;
    }
    // The array whose end is meant; "shared memory" and "local memory" are whole spaces.
    Text array() const {
        if (buffer()) return {buffer()->name, buffer()->name};
        if (finding_.space == Space::Shared && !finding_.strayed())
            return {"the block's shared memory", "线程块的共享内存"};
        if (finding_.space == Space::Local) return {"the thread's local memory", "线程的本地内存"};
        if (finding_.space == Space::Param) return {"the kernel's parameters", "核函数参数"};
        const std::string name = variableName(finding_.detail);
        return name.empty() ? Text{"memory", "内存"} : Text{name, name};
    }
    Text size() const {
        if (const Buffer* b = buffer()) {
            const u64 elements = finding_.sizeBytes / info(b->type).bytes;
            return {fmt::format(" ({})", counted(elements, "element")),
                    fmt::format("（{} 个元素）", grouped(elements))};
        }
        return {fmt::format(" ({})", counted(finding_.sizeBytes, "byte")),
                fmt::format("（{} 字节）", grouped(finding_.sizeBytes))};
    }
    Text place() const {
        if (buffer()) {
            return placeText(nameOfBufferBytes(*buffer(), finding_.offsetBytes, finding_.widthBytes));
        }
        if (finding_.space == Space::Shared) {
            const LaunchedEntry launched = launchedEntryOf(finding_.who.pc, module_, recording_);
            const u64 dynamic = launch_ ? launch_->dynamicSharedBytes : 0;
            std::string name;
            if (launched.entry)
                name = nameOfSharedBytes(finding_.strayed() ? finding_.address : u64(finding_.offsetBytes),
                                         finding_.widthBytes, module_, *launched.entry, dynamic, shapes_);
            if (!name.empty()) return placeText(name);
        }
        const Text whole = array();
        return {fmt::format("byte {} of {}", finding_.offsetBytes, whole.en),
                fmt::format("{}的第 {} 字节", whole.zh, finding_.offsetBytes)};
    }
    // "4 bytes past the end of M (9 elements)"
    Text distance() const {
        const s64 offset = finding_.offsetBytes, end = s64(finding_.sizeBytes);
        const Text whole = array(), extent = size();
        const std::string en = whole.en + extent.en, zh = whole.zh + extent.zh;
        if (offset < 0) {
            const u64 bytes = 0 - u64(offset);
            return {fmt::format("{} before the start of {}", counted(bytes, "byte"), en),
                    fmt::format("位于{}起点之前 {} 字节", zh, grouped(bytes))};
        }
        if (offset == end) return {"just past the end of " + en, fmt::format("紧接在{}末尾之后", zh)};
        if (offset > end)
            return {fmt::format("{} past the end of {}", counted(u64(offset - end), "byte"), en),
                    fmt::format("超出{}末尾 {} 字节", zh, grouped(u64(offset - end)))};
        const u64 over = u64(offset + finding_.widthBytes - end);
        return {fmt::format("of which {} lie past the end of {}", counted(over, "byte"), en),
                fmt::format("其中 {} 字节超出{}的末尾", grouped(over), zh)};
    }
    // What became of an access that could not be done.
    Text consequence() const {
        if (onGpu())
            return {"on the GPU it accesses whatever lies there", "在 GPU 上会访问那里碰巧存放的数据"};
        if (finding_.strayed()) {
            if (finding_.who.kind == AccessKind::Load)
                return {"as on a GPU, it gets what lies there", "与在 GPU 上一样，读到的是那里原有的内容"};
            return {"as on a GPU, it changes what lies there", "与在 GPU 上一样，那里的内容会被改动"};
        }
        switch (finding_.who.kind) {
            case AccessKind::Load:
                return {"it gets poison (all bits one) and the run goes on",
                        "读到的是毒值（所有位为 1），运行继续"};
            case AccessKind::Store:
                return {"the store is dropped and the run goes on", "这次写入被丢弃，运行继续"};
            case AccessKind::AsyncCopy:
                return {"it copies poison (all bits one) and the run goes on",
                        "复制到的是毒值（所有位为 1），运行继续"};
            default:
                return {
                    "nothing is changed, the old value it gets is poison (all bits one), and the run goes on",
                    "内存不变，得到的旧值是毒值（所有位为 1），运行继续"};
        }
    }

    // ---- One for each kind.
    Text outOfBounds() const {
        const Text who = subject(), does = verb(finding_.who.kind), what = place(), where = distance(),
                   then = consequence();
        return {fmt::format("{} {} {}, {}; {}. Check the index against the size before the access.", who.en,
                            does.en, what.en, where.en, then.en),
                fmt::format("{}{}{}，{}；{}。请在访问之前检查下标是否越界。", who.zh, does.zh, what.zh,
                            where.zh, then.zh)};
    }

    Text misaligned() const {
        const Text who = subject(), does = verb(finding_.who.kind), what = place(), then = consequence();
        const std::string ends = onGpu() ? "" : fmt::format(" Here {}.", then.en);
        return {fmt::format("{} {} {} at {}, which is not a multiple of {}: a GPU aborts the kernel there "
                            "(misaligned address).{} "
                            "Start wide accesses at whole elements of their own size.",
                            who.en, does.en, counted(finding_.widthBytes, "byte"), what.en,
                            finding_.widthBytes, ends),
                fmt::format("{}在{}处{} {} 字节，而该地址不是 {} 的倍数：GPU "
                            "会在此中止核函数（地址未对齐）。{}宽访问的起点必须是自身宽度的整数倍。",
                            who.zh, what.zh, does.zh, finding_.widthBytes, finding_.widthBytes,
                            onGpu() ? "" : fmt::format("在这里，{}。", then.zh))};
    }

    Text uninitialized() const {
        const Text who = subject(), what = place();
        const bool shared = finding_.space == Space::Shared;
        return {
            fmt::format(
                "{} reads {}, which no thread has written yet: the value is indeterminate. {}", who.en,
                what.en,
                shared ? "Make sure that the write comes first, with __syncthreads() between it and the read."
                       : "Give it a value first."),
            fmt::format("{}读取{}，而此前没有任何线程写过它：读到的是不确定的值。{}", who.zh, what.zh,
                        shared ? "请保证先写后读，并在二者之间加上 __syncthreads()。" : "请先给它赋值。")};
    }

    Text race() const {
        if (!finding_.other)
            return {
                fmt::format("{} and another thread conflict at {} without synchronization.", subject().en,
                            place().en),
                fmt::format("{}与另一个线程在{}处冲突，二者之间没有任何同步。", subject().zh, place().zh)};
        const Culprit &a = finding_.who, &b = *finding_.other;
        const Text first = subject(), second = otherThread(false), what = place();
        const bool bothWrite = trace::writes(a.kind) && trace::writes(b.kind);
        const Text why = bothWrite ? Text{"which value stays differs from run to run",
                                          "最后留下哪个值，每次运行都可能不同"}
                                   : Text{"whether the old or the new value is read differs from run to run",
                                          "读到旧值还是新值，每次运行都可能不同"};
        const Text advice = adviceAgainstRace();
        return {
            fmt::format("{}{} {} {}, and {}{} {} it without synchronization: {}. {}", first.en, line(a).en,
                        verb(a.kind).en, what.en, second.en, line(b).en, verb(b.kind).en, why.en, advice.en),
            fmt::format("{}{}{}{}，而{}{}{}它，二者之间没有任何同步：{}。{}", first.zh, line(a).zh,
                        verb(a.kind).zh, what.zh, second.zh, line(b).zh, verb(b.kind).zh, why.zh, advice.zh)};
    }
    // "line 21", as in the message.
    Text lineName(const Culprit& culprit) const {
        if (const u32 line = sourceLineOf(culprit.pc, module_).line)
            return {fmt::format("line {}", line), fmt::format("第 {} 行", line)};
        const u32 line = module_.at(culprit.pc).line;
        return {fmt::format("line {} of the PTX", line), fmt::format("PTX 第 {} 行", line)};
    }
    u32 lineNumber(const Culprit& culprit) const {
        const u32 line = sourceLineOf(culprit.pc, module_).line;
        return line ? line : module_.at(culprit.pc).line;
    }
    // The barrier belongs behind the access from which a thread comes to the other one without waiting.
    Text whereTheBarrierBelongs(const Culprit& a, const Culprit& b) const {
        const Text between = {"Put __syncthreads() between the two.", "请在二者之间加上 __syncthreads()。"};
        if (std::max(a.pc.value, b.pc.value) >= module_.instructions.size()) return between;
        const bool forward = ptx::reachesWithoutBarrier(a.pc, b.pc, module_),
                   back = ptx::reachesWithoutBarrier(b.pc, a.pc, module_);
        const bool aFirst = forward != back ? forward : lineNumber(a) <= lineNumber(b);
        const Culprit &first = aFirst ? a : b, &second = aFirst ? b : a;
        const Text one = lineName(first), other = lineName(second);
        if (one.en == other.en) {
            if (forward == back || trace::writes(first.kind)) return between;
            return {"Read it into a variable, then __syncthreads(), then write.",
                    "请先读入变量，再执行 __syncthreads()，然后才写入。"};
        }
        if (forward == back) {
            if (!forward) return between;
            return {fmt::format("Put __syncthreads() after {} and after {}.", one.en, other.en),
                    fmt::format("请在{}之后和{}之后各加上 __syncthreads()。", one.zh, other.zh)};
        }
        if (lineNumber(first) < lineNumber(second))
            return {fmt::format("Put __syncthreads() after {} and before {}.", one.en, other.en),
                    fmt::format("请在{}之后、{}之前加上 __syncthreads()。", one.zh, other.zh)};
        return {
            fmt::format("Put __syncthreads() after {}, before the loop comes to {} again.", one.en, other.en),
            fmt::format("请在{}之后、循环再次执行到{}之前加上 __syncthreads()。", one.zh, other.zh)};
    }
    Text adviceAgainstRace() const {
        const Culprit &a = finding_.who, &b = *finding_.other;
        if (a.block != b.block)
            return {
                "No barrier reaches across blocks: let one block own the element, use an atomic, or start a "
                "second kernel.",
                "屏障管不到其他线程块：请让每个元素只归一个线程块所有，或使用原子操作，或拆成两次核函数启动"
                "。"};
        if (a.pc == b.pc && trace::writes(a.kind))
            return {"Let one thread do it, or use an atomic.", "请只让一个线程来写，或使用原子操作。"};
        if (changesInPlace(a, b))
            return {
                "No barrier helps where one statement reads, changes and writes: use an atomic such as "
                "atomicAdd(), or let each thread have a copy of its own and "
                "add the copies up.",
                "同一条语句里先读、再改、再写，屏障不起作用：请使用 atomicAdd() "
                "之类的原子操作，或让每个线程用自己的副本，最后再合并。"};
        return whereTheBarrierBelongs(a, b);
    }
    // One statement that loads and stores the very same place: counts[i] += 1.
    bool changesInPlace(const Culprit& a, const Culprit& b) const {
        if (std::max(a.pc.value, b.pc.value) >= module_.instructions.size() ||
            trace::writes(a.kind) == trace::writes(b.kind))
            return false;
        const auto address = [&](Pc pc) {
            const std::string_view text = module_.textOf(pc);
            const std::size_t open = text.find('['), close = text.find(']', open);
            return open == std::string_view::npos ? std::string_view() : text.substr(open, close - open);
        };
        return lineName(a).en == lineName(b).en && !address(a.pc).empty() && address(a.pc) == address(b.pc);
    }

    Text warpSynchronous() const {
        const Text who = subject(), what = place();
        const Text does = verb(finding_.who.kind);
        const Text other = finding_.other ? otherThread(true)
                                          : Text{"another thread of the same warp", "同一线程束的另一个线程"};
        const Text otherLine = finding_.other ? line(*finding_.other) : Text{};
        const Text otherDid = finding_.other && !trace::writes(finding_.other->kind) ? Text{"read", "读取"}
                                                                                     : Text{"wrote", "写入"};
        return {fmt::format(
                    "{}{} {} {}, which {} {}{} with no __syncwarp() between: this "
                    "assumes warp-synchronous execution, "
                    "which devices since compute capability 7.0 do not guarantee. Put __syncwarp() between "
                    "the two.",
                    who.en, line(finding_.who).en, does.en, what.en, other.en, otherDid.en, otherLine.en),
                fmt::format("{}{}{}{}，而{}{}刚刚{}过它，中间没有 "
                            "__syncwarp()：这依赖隐式线程束同步，"
                            "而计算能力 7.0 起的设备并不保证这一点。请在二者之间加上 __syncwarp()。",
                            who.zh, line(finding_.who).zh, does.zh, what.zh, other.zh, otherLine.zh,
                            otherDid.zh)};
    }

    // How the barrier is written in CUDA; as in PTX where it is no plain one.
    std::string barrierName() const {
        const std::string name = opcode();
        if (name.starts_with("bar.warp")) return "__syncwarp()";
        if (name.empty()) return "__syncthreads()";
        const auto operands = module_.operandsOf(module_.at(finding_.who.pc));
        const auto* number =
            operands.size() == 1 ? std::get_if<ptx::ImmediateOperand>(&operands[0]) : nullptr;
        const bool isBlocks = name.starts_with("bar.") || name.starts_with("barrier.");
        const bool isPlain =
            isBlocks && name.find(".sync") != std::string::npos && number && number->bits == 0;
        return isPlain ? "__syncthreads()" : name;
    }

    Text divergentBarrier() const {
        const std::string name = opcode(), barrier = barrierName();
        const bool warpWide =
            !name.starts_with("bar.sync") && !name.starts_with("barrier.sync") && !name.empty();
        if (finding_.detail == "mask")
            return {
                fmt::format(
                    "{} reaches {} with a member mask that its own lane is not in: the result is undefined. "
                    "Put every lane "
                    "that gets here into the mask, for instance by __ballot_sync() before the branch.",
                    subject().en, barrier),
                fmt::format("{}执行 {} "
                            "时，成员掩码里没有它自己的通道：结果未定义。请让掩码包含所有会执行到这里的通道，"
                            "例如在分支之前用 __ballot_sync() 求出。",
                            subject().zh, barrier)};
        const std::string otherWarp = finding_.detail.starts_with("warp ") ? finding_.detail.substr(5) : "";
        const Text missing =
            finding_.lanes.empty()
                ? Text{fmt::format("some threads of its {} never arrive", warpWide ? "warp" : "block"),
                       warpWide ? "线程束中有线程始终没有到达" : "线程块中有线程始终没有到达"}
            : !otherWarp.empty()
                ? Text{laneList(finding_.lanes).en + " of warp " + otherWarp +
                           (finding_.lanes.count() == 1 ? " does not wait there" : " do not wait there"),
                       "线程束 " + otherWarp + " 的" + laneList(finding_.lanes).zh + " 没有在此等待"}
                : Text{laneList(finding_.lanes).en + " of its warp " +
                           (finding_.lanes.count() == 1 ? "does" : "do") + " not wait there",
                       "所在线程束的" + laneList(finding_.lanes).zh + " 没有在此等待"};
        return {
            fmt::format("{} waits at {}, but {}: that is undefined behavior. A GPU may hang there or go on "
                        "with wrong data, even if the result is right here. Move it out of the branch, so "
                        "that every thread reaches it.",
                        subject().en, barrier, missing.en),
            fmt::format("{}在 {} 处等待，但{}：这是未定义行为，即使这里结果正确，GPU "
                        "也可能在此挂起，或带着错误的数据继续。请把它移出分支，让所有线程都能到达。",
                        subject().zh, barrier, missing.zh)};
    }

    Text invalidAddress() const {
        constexpr u64 kNearNull = 4096;
        const Text who = subject(), does = verb(finding_.who.kind);
        if (opcode().starts_with("call"))
            return {fmt::format("{} calls {:#x}, which is not a function: a GPU aborts the kernel there. "
                                "Check that the function "
                                "pointer was set before the call.",
                                who.en, finding_.address),
                    fmt::format("{}调用 {:#x}，而那里不是函数：GPU "
                                "会在此中止核函数。请检查调用之前是否已给函数指针赋值。",
                                who.zh, finding_.address)};
        const Text what =
            finding_.address == 0 ? Text{"address 0, a null pointer", "地址 0（空指针）"}
            : finding_.address < kNearNull
                ? Text{fmt::format("address {}, a null pointer and an offset", finding_.address),
                       fmt::format("地址 {}（空指针加偏移）", finding_.address)}
                : Text{fmt::format("address {:#x}, which belongs to no buffer", finding_.address),
                       fmt::format("地址 {:#x}，那里没有任何缓冲区", finding_.address)};
        return {
            fmt::format("{} {} {}: a GPU aborts the kernel there (illegal address). Check that the "
                        "pointer was passed to the kernel and that the index is not far off.",
                        who.en, does.en, what.en),
            fmt::format(
                "{}{}{}：GPU 会在此中止核函数（非法地址）。请检查指针是否已传给核函数、下标是否超出太多。",
                who.zh, does.zh, what.zh)};
    }

    Text divisionByZero() const {
        return {fmt::format("{} divides an integer by zero ({}): a GPU reports nothing and gives a "
                            "meaningless result. Check the divisor first.",
                            subject().en, opcode()),
                fmt::format(
                    "{}做了除数为零的整数除法（{}）：GPU 不会报错，只会给出没有意义的结果。请先检查除数。",
                    subject().zh, opcode())};
    }

    Text limit() const {
        struct Row {
            std::string_view detail;
            const char *en, *zh;
        };
        constexpr Row rows[] = {
            {"",
             "The time limit stopped the run here; --limit gives it longer. If it should have ended by then, "
             "look "
             "for a loop that does not end or a wait for something that never comes.",
             "时间限制使运行停在这里；用 --limit "
             "可以放宽。如果它本该已经结束，请检查是否有不会结束的循环，或永远等不到的条件。"},
            {"cancelled", "The run was canceled; this is how far it had come.",
             "运行被取消，当时执行到这里。"},
            {"trap", "The kernel stopped itself here (trap), as a failed assertion does.",
             "核函数在这里自行中止（trap），断言失败时就会这样。"},
            {"calls nested too deeply",
             "Functions call each other too deeply here: the thread's stack is full. Look for a recursion "
             "that does not end.",
             "函数调用在这里嵌套过深，线程的栈已用完。请检查是否有不会结束的递归。"},
        };
        if (constexpr std::string_view kAssertion = "assertion "; finding_.detail.starts_with(kAssertion)) {
            const std::string condition = finding_.detail.substr(kAssertion.size());
            return {fmt::format(
                        "{} reaches assert({}), which does not hold: a GPU aborts the whole kernel there.",
                        subject().en, condition),
                    fmt::format("{}执行到这里，而 assert({}) 不成立：GPU 会在此中止整个核函数。",
                                subject().zh, condition)};
        }
        for (const Row& row : rows)
            if (row.detail == finding_.detail) return {row.en, row.zh};
        return {fmt::format("The run was stopped: {}.", finding_.detail),
                fmt::format("运行已被停止：{}。", finding_.detail)};
    }

    Text truncated() const {
        return {fmt::format("{} not listed.", finding_.count == 1
                                                  ? "1 more finding is"
                                                  : grouped(finding_.count) + " more findings are"),
                fmt::format("另有 {} 个问题未列出。", grouped(finding_.count))};
    }

    const Finding& finding_;
    const ptx::Module& module_;
    const trace::Recording& recording_;
    std::span<const ArrayShape> shapes_;
    const Launch* launch_ = nullptr;
    Dim3 grid_, block_;
};

}  // namespace

Text describe(const Finding& finding, const ptx::Module& module, const trace::Recording& recording,
              std::span<const ArrayShape> shapes) {
    return Describer(finding, module, recording, shapes).describe();
}

}  // namespace lockstep::model
