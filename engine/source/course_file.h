// A complete .cu file with kernels and host code: the part for the device compiler, and the launches in the
// host code. The text keeps its lines and columns; removed parts are blank.
#pragma once

#include "base/expected.h"
#include "source/launch.h"

#include <functional>
#include <string>
#include <vector>

namespace lockstep::source {

// What an #include leads to.
struct FoundInclude {
    enum class Kind : u8 {
        Compiler,  // the device compiler finds it by itself
        Unneeded,  // the device compiler has its contents built in
        HostOnly,  // a header for host code: skipped
        Missing,   // skipped
        Text,      // a file of the user's own, which may have host code too
    } kind = Kind::Missing;
    std::string path = {}, text = {};  // of Text
};

struct CourseOptions {
    std::vector<std::string> defines = {};  // NAME or NAME=VALUE
    // An #include as `from`, a file's path, writes it. None: everything is missing.
    std::function<FoundInclude(const std::string& name, bool isQuoted, const std::string& from)> find = {};
};

struct CourseHeader {
    std::string name;  // as the #include writes it
    std::string path;
    std::string original;  // the whole text
    std::string text;      // for the device compiler
};

struct CourseKernel {
    std::string name;  // "ns::mm", without template arguments
    std::string file;
    u32 line = 0;
    bool isTemplate = false;
};

struct CourseFile {
    std::string text;  // for the device compiler
    std::vector<CourseHeader> headers;
    std::vector<CourseKernel> kernels;
    std::vector<Launch> launches;  // in the order in which a run of the program makes them
    // What was skipped, or kept though it is host code: a sentence each. NotFound: a header that is not
    // there.
    std::vector<Fault> notes;
    // A function without an execution space is kept, and has to be compiled for the device.
    bool needsDeviceByDefault = false;
};

CourseFile readCourseFile(const std::string& text, const std::string& path,
                          const CourseOptions& options = {});

}  // namespace lockstep::source
