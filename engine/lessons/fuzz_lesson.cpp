// Fuzz target: no lesson and no answer may crash, hang or exhaust memory. The text is read as both languages.
#include "lessons/answer_text.h"
#include "lessons/prose.h"
#include "lessons/read_lesson.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace lockstep;
    using namespace lockstep::lessons;
    const std::string text(reinterpret_cast<const char*>(data), size);
    const LessonFile files[] = {{Language::English,
                                 "x/en"
                                 ".md",
                                 text},
                                {Language::Chinese,
                                 "x/zh-CN"
                                 ".md",
                                 text}};
    const ReadLesson read = parseLesson("x", files);
    std::size_t length = 0;
    for (const Stretch& stretch : stretchesOf(text))
        length += stretch.text.size();
    if (length != text.size()) std::abort();
    (void)typedFigures(text);
    (void)numberIn(text);
    (void)groupsIn(text);
    (void)wordsIn(text);
    (void)read;
    return 0;
}
