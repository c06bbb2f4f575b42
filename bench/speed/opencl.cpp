// Times kernels.cl on every OpenCL platform of this machine: a line "family/variant platform seconds" each,
// the median of nine. Run as `oclgrind build/release/bench/speed_opencl 1`, it times that simulator (1: once
// each). Each result is checked.
#define CL_TARGET_OPENCL_VERSION 120
#include "base/integers.h"
#include "base/median.h"

#include <CL/cl.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using lockstep::f64, lockstep::u64;

constexpr std::size_t kTile = 16, kWidth = 256, kRows = 512, kColumns = 1024, kWords = 1 << 20, kBlock = 128;

void need(cl_int status, const char* what) {
    if (status == CL_SUCCESS) return;
    std::fprintf(stderr, "speed_opencl: %s failed with %d\n", what, int(status));
    std::exit(1);
}

// One platform's first device.
class Device {
public:
    Device(cl_platform_id platform, cl_device_id device) {
        cl_int status = 0;
        const cl_context_properties properties[]{CL_CONTEXT_PLATFORM, cl_context_properties(platform), 0};
        context_ = clCreateContext(properties, 1, &device, nullptr, nullptr, &status);
        need(status, "clCreateContext");
        queue_ = clCreateCommandQueue(context_, device, 0, &status);
        need(status, "clCreateCommandQueue");
        std::ostringstream text;
        text << std::ifstream(LOCKSTEP_SOURCE_DIR "/bench/speed/kernels.cl").rdbuf();
        const std::string source = text.str();
        const char* line = source.c_str();
        program_ = clCreateProgramWithSource(context_, 1, &line, nullptr, &status);
        need(status, "clCreateProgramWithSource");
        need(clBuildProgram(program_, 1, &device, "-DT=16", nullptr, nullptr), "clBuildProgram");
    }

    template <class T> cl_mem buffer(const std::vector<T>& contents) {
        cl_int status = 0;
        cl_mem made = clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                     contents.size() * sizeof(T), const_cast<T*>(contents.data()), &status);
        need(status, "clCreateBuffer");
        return made;
    }
    template <class T> void read(cl_mem from, std::vector<T>& to) {
        need(clEnqueueReadBuffer(queue_, from, CL_TRUE, 0, to.size() * sizeof(T), to.data(), 0, nullptr,
                                 nullptr),
             "clEnqueueReadBuffer");
    }
    cl_kernel kernel(const char* name) {
        cl_int status = 0;
        cl_kernel made = clCreateKernel(program_, name, &status);
        need(status, name);
        return made;
    }
    f64 secondsOf(cl_kernel kernel, std::vector<std::size_t> global, std::vector<std::size_t> local,
                  int times) {
        using Clock = std::chrono::steady_clock;
        std::vector<f64> seconds;
        for (int i = 0; i < times; ++i) {
            const auto begun = Clock::now();
            need(clEnqueueNDRangeKernel(queue_, kernel, cl_uint(global.size()), nullptr, global.data(),
                                        local.data(), 0, nullptr, nullptr),
                 "clEnqueueNDRangeKernel");
            need(clFinish(queue_), "clFinish");
            seconds.push_back(std::chrono::duration<f64>(Clock::now() - begun).count());
        }
        return lockstep::median(std::move(seconds));
    }

private:
    cl_context context_ = nullptr;
    cl_command_queue queue_ = nullptr;
    cl_program program_ = nullptr;
};

void set(cl_kernel kernel, cl_uint index, cl_mem buffer) {
    need(clSetKernelArg(kernel, index, sizeof(void*), &buffer), "clSetKernelArg");
}
void set(cl_kernel kernel, cl_uint index, cl_int number) {
    need(clSetKernelArg(kernel, index, sizeof number, &number), "clSetKernelArg");
}

void expect(bool isRight, const std::string& what) {
    if (isRight) return;
    std::fprintf(stderr, "speed_opencl: the result of %s is wrong\n", what.c_str());
    std::exit(1);
}

void timeAll(Device& device, const std::string& platform, int times) {
    const auto say = [&](const char* name, f64 seconds) {
        std::printf("%s %s %.9f\n", name, platform.c_str(), seconds);
        std::fflush(stdout);
    };
    for (const auto& [name, entry] :
         {std::pair{"matmul/naive", "mm_naive"}, std::pair{"matmul/tiled", "mm_tiled"}}) {
        std::vector<float> ones(kWidth * kWidth, 1.0f), result(kWidth * kWidth);
        cl_kernel kernel = device.kernel(entry);
        cl_mem m = device.buffer(ones), n = device.buffer(ones), p = device.buffer(result);
        set(kernel, 0, m), set(kernel, 1, n), set(kernel, 2, p), set(kernel, 3, cl_int(kWidth));
        const f64 seconds = device.secondsOf(kernel, {kWidth, kWidth}, {kTile, kTile}, times);
        device.read(p, result);
        expect(std::ranges::count(result, float(kWidth)) == std::ptrdiff_t(result.size()), name);
        say(name, seconds);
    }
    {
        std::vector<float> in(kRows * kColumns), out(in.size());
        for (std::size_t i = 0; i < in.size(); ++i)
            in[i] = float(i);
        cl_kernel kernel = device.kernel("transpose_naive");
        cl_mem from = device.buffer(in), to = device.buffer(out);
        set(kernel, 0, from), set(kernel, 1, to), set(kernel, 2, cl_int(kRows)),
            set(kernel, 3, cl_int(kColumns));
        const f64 seconds = device.secondsOf(kernel, {kColumns, kRows}, {kTile, kTile}, times);
        device.read(to, out);
        expect(out[1] == float(kColumns) && out[kRows] == 1.0f, "the transpose");
        say("transpose/naive", seconds);
    }
    std::vector<cl_int> words(kWords, 1), sums(kWords / kBlock);
    cl_kernel kernel = device.kernel("reduce_v0");
    cl_mem in = device.buffer(words), out = device.buffer(sums);
    set(kernel, 0, in), set(kernel, 1, out), set(kernel, 2, cl_int(kWords));
    need(clSetKernelArg(kernel, 3, kBlock * sizeof(cl_int), nullptr), "clSetKernelArg");
    const f64 seconds = device.secondsOf(kernel, {kWords}, {kBlock}, times);
    device.read(out, sums);
    expect(std::ranges::count(sums, cl_int(kBlock)) == std::ptrdiff_t(sums.size()), "the reduction");
    say("reduction/v0", seconds);
}

}  // namespace

int main(int argc, char** argv) {
    const int times = argc > 1 ? std::max(1, std::atoi(argv[1])) : 9;
    cl_uint count = 0;
    if (clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS || count == 0) {
        std::fprintf(stderr, "speed_opencl: no OpenCL platform; install one (Debian: pocl-opencl-icd)\n");
        return 1;
    }
    std::vector<cl_platform_id> platforms(count);
    need(clGetPlatformIDs(count, platforms.data(), nullptr), "clGetPlatformIDs");
    for (cl_platform_id platform : platforms) {
        std::string name(256, '\0');
        std::size_t length = 0;
        need(clGetPlatformInfo(platform, CL_PLATFORM_NAME, name.size(), name.data(), &length),
             "clGetPlatformInfo");
        name.resize(std::min(name.find('\0'), name.find(' ')));
        if (name == "Portable") name = "PoCL";  // "Portable Computing Language"
        cl_device_id device = nullptr;
        if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) != CL_SUCCESS) continue;
        Device opened(platform, device);
        timeAll(opened, name, times);
    }
}
