// Reads the header of a step: TOML between two lines "+++". docs/guide/lessons.md explains every key.
#pragma once

#include "lessons/lesson.h"

#include <functional>

namespace lockstep::catalog {
class TomlReader;  // catalog/toml_reader.h
}

namespace lockstep::lessons {

// Which keys a header has besides those of its places.
struct StepKeys {
    bool asks = true;           // a question of its own, and values that vary
    bool takesAnyFile = false;  // kernels of files elsewhere, by their path from the header's own file
    // Read before the place, which may begin with another one.
    std::function<void(LessonStep&, catalog::TomlReader&)> read{};
};

struct StepHeader {
    LessonStep step;
    std::vector<Fault> mistakes{};
};
// text: with as many line breaks before it as the file has lines there. idAlone: of a translation, whose
// header has nothing but the id.
StepHeader readHeader(std::string_view text, const std::string& file, u32 fileLine, bool idAlone,
                      const StepKeys& keys = {});

}  // namespace lockstep::lessons
