// Fuzz target: no exercise.toml may crash, hang or exhaust memory, and a valid one can be launched.
#include "exercises/exercise.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace lockstep;
    const Expected<exercises::Exercise> exercise =
        exercises::parseExercise({reinterpret_cast<const char*>(data), size}, "exercise.toml");
    if (!exercise) return 0;
    catalog::Variant launchesOnly = exercise->variant();
    launchesOnly.reference.clear();
    launchesOnly.buffers.clear();  // a buffer may be large: its bytes are not under test here
    for (const exercises::Size& one : exercise->sizes)
        (void)catalog::makeExperiment(*exercise->family, launchesOnly, one.values);
    return 0;
}
