// Reads the header of a step: TOML between two lines "+++". docs/guide/lessons.md explains every key.
#pragma once

#include "lessons/lesson.h"

namespace lockstep::lessons {

struct StepHeader {
    LessonStep step;
    std::vector<Fault> mistakes{};
};
// text: with as many line breaks before it as the file has lines there. idAlone: of a translation, whose
// header has nothing but the id.
StepHeader readHeader(std::string_view text, const std::string& file, u32 fileLine, bool idAlone);

}  // namespace lockstep::lessons
