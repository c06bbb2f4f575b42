// Fuzz target: no text may crash, hang or exhaust memory, and what is left of it has the same lines.
#include "source/course_file.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace lockstep::source;
    const std::string text(reinterpret_cast<const char*>(data), size);
    const CourseFile file = readCourseFile(
        text, "a.cu", {.defines = {}, .find = [&](const std::string& name, bool, const std::string&) {
                           return name == "self.h" ? FoundInclude{FoundInclude::Kind::Text, "self.h", text}
                                                   : FoundInclude{};
                       }});
    if (file.text.size() != text.size() ||
        std::ranges::count(file.text, '\n') != std::ranges::count(text, '\n'))
        std::abort();
    return 0;
}
