#include "cuda/driver_error.h"

#include <algorithm>
#include <array>

namespace lockstep::cuda {
namespace {

// What is wrong, and what to do; {} stands for what was being done, with the driver's name of the error
// behind it.
struct Sentence {
    DriverResult result;
    const char *english, *chinese;
};

constexpr std::array kSentences{
    Sentence{2,
             "the GPU has not enough free memory {}; choose a smaller size, or end other programs that use "
             "the GPU",
             "GPU 的设备内存不足{}；请选择较小的规模，或结束其他占用 GPU 的程序"},
    Sentence{3, "the NVIDIA driver is not started {}; restart the computer if it stays so",
             "NVIDIA 驱动没有启动{}；若一直如此，请重启电脑"},
    Sentence{34,
             "libcuda is the toolkit's stub, not a driver {}; install the NVIDIA driver, or take the stubs "
             "folder out of LD_LIBRARY_PATH",
             "libcuda 是工具包里的空壳，不是驱动{}；请安装 NVIDIA 驱动，或把 stubs 文件夹从 LD_LIBRARY_PATH "
             "中去掉"},
    Sentence{46,
             "the GPU is taken by another program {}; end that program, or choose another GPU with --device",
             "GPU 正被其他程序独占{}；请结束该程序，或用 --device 选择另一块 GPU"},
    Sentence{
        100,
        "the NVIDIA driver finds no GPU {}; if there is one, look at nvidia-smi and CUDA_VISIBLE_DEVICES",
        "NVIDIA 驱动没有找到 GPU{}；如果装有 GPU，请查看 nvidia-smi 和 CUDA_VISIBLE_DEVICES"},
    Sentence{200,
             "the driver cannot read the compiled kernel {}; this is a mistake of ours or of the driver's",
             "驱动无法读取编译好的核函数{}；这是本程序或驱动的错误"},
    Sentence{209,
             "the PTX was made for a newer GPU than this one {}; compile it for an older architecture, or "
             "use the emulator",
             "这段 PTX 面向比本机更新的 GPU{}；请为较旧的架构编译，或使用模拟器"},
    Sentence{
        214,
        "the GPU's memory has an error that cannot be corrected {}; reset the GPU or restart the computer",
        "GPU 的设备内存出现无法纠正的错误{}；请重置 GPU 或重启电脑"},
    Sentence{218, "the driver's compiler refuses the PTX {}", "驱动的编译器拒绝这段 PTX{}"},
    Sentence{
        221,
        "the driver has no PTX compiler {}; install the whole driver (libnvidia-ptxjitcompiler is missing)",
        "驱动缺少 PTX 编译器{}；请安装完整的驱动（缺少 libnvidia-ptxjitcompiler）"},
    Sentence{222, "the driver is older than the PTX {}; update the NVIDIA driver, or use the emulator",
             "驱动比这段 PTX 旧{}；请更新 NVIDIA 驱动，或使用模拟器"},
    Sentence{500, "the compiled kernel has no such name {}", "编译好的核函数里没有这个名字{}"},
    Sentence{700,
             "the kernel accessed an address that belongs to no allocation {}; run it with --backend "
             "emulator to see "
             "which line and thread",
             "核函数访问了不属于任何分配的地址{}；用 --backend emulator 运行可以看到是哪一行、哪个线程"},
    Sentence{701,
             "the launch needs more registers, threads or shared memory than a multiprocessor has {}; choose "
             "smaller blocks",
             "这次启动需要的寄存器、线程或共享内存超过一个多处理器所有{}；请选择较小的块"},
    Sentence{702,
             "the kernel ran longer than the display's watchdog allows {}; choose a smaller size, or a GPU "
             "without a display",
             "核函数运行时间超过了显示器看门狗的限制{}；请选择较小的规模，或没有接显示器的 GPU"},
    Sentence{710, "the kernel's assert() failed {}", "核函数中的 assert() 失败{}"},
    Sentence{714, "the kernel ran out of stack {}; its calls go too deep", "核函数的栈用尽{}；调用层次太深"},
    Sentence{715, "the kernel met an instruction that this GPU does not have {}",
             "核函数遇到本 GPU 没有的指令{}"},
    Sentence{716,
             "the kernel accessed an address that is not a multiple of the access's size {}; run it with "
             "--backend emulator to see where",
             "核函数访问的地址不是访问宽度的整数倍{}；用 --backend emulator 运行可以看到位置"},
    Sentence{717,
             "the kernel used an address of the wrong memory space {}; run it with --backend emulator to see "
             "where",
             "核函数使用了错误存储空间的地址{}；用 --backend emulator 运行可以看到位置"},
    Sentence{719, "the kernel failed {}; run it with --backend emulator to see what it does",
             "核函数执行失败{}；用 --backend emulator 运行可以看到它做了什么"},
    Sentence{800, "the system does not permit this {}; ask the administrator",
             "系统不允许此操作{}；请询问管理员"},
    Sentence{802,
             "the GPU's system is not ready yet {}; on machines with NVSwitch the fabric manager has to run",
             "GPU 系统尚未就绪{}；带 NVSwitch 的机器需要运行 fabric manager"},
    Sentence{803,
             "the driver's library and its kernel module are of different versions {}; restart the computer",
             "驱动库与内核模块的版本不一致{}；请重启电脑"},
    Sentence{804,
             "the CUDA compatibility package does not support this GPU {}; take it out of LD_LIBRARY_PATH",
             "CUDA 兼容包不支持这块 GPU{}；请把它从 LD_LIBRARY_PATH 中去掉"},
    Sentence{999,
             "the GPU does not answer {}; it may be lost (look at nvidia-smi), and the computer may need a "
             "restart",
             "GPU 没有响应{}；它可能已掉线（请看 nvidia-smi），可能需要重启电脑"},
};
constexpr const char* kOtherEnglish = "the NVIDIA driver refuses {}";
constexpr const char* kOtherChinese = "NVIDIA 驱动拒绝{}";

std::string filled(std::string_view sentence, const std::string& place) {
    const std::size_t at = sentence.find("{}");
    return std::string(sentence.substr(0, at)) + place + std::string(sentence.substr(at + 2));
}

std::string nameOf(const DriverLibrary& driver, DriverResult result) {
    const char* name = nullptr;
    driver.getErrorName(result, &name);
    return name ? name : "error " + std::to_string(result);
}

}  // namespace

Fault gpuFault(std::string english, std::string chinese) {
    Fault fault;
    fault.kind = FaultKind::Gpu;
    fault.message = std::move(english);
    fault.chinese = std::move(chinese);
    return fault;
}

Fault driverFault(const DriverLibrary& driver, DriverResult result, std::string_view doing) {
    const auto row = std::ranges::find(kSentences, result, &Sentence::result);
    const bool known = row != kSentences.end();
    const std::string name = nameOf(driver, result);
    return gpuFault(
        filled(known ? row->english : kOtherEnglish, "(" + name + " while " + std::string(doing) + ")"),
        filled(known ? row->chinese : kOtherChinese, "（" + name + "）"));
}

Expected<void> check(const DriverLibrary& driver, DriverResult result, std::string_view doing) {
    if (result == kDriverSuccess) return {};
    return Unexpected{driverFault(driver, result, doing)};
}

}  // namespace lockstep::cuda
