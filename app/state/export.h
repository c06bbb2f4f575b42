// What the user exports: a view or the whole window, as a picture or as an animation of steps.
#pragma once

#include "base/fault.h"
#include "base/integers.h"

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep::app {

enum class ExportFormat : u8 { Png, Svg, Gif, Apng };
struct ExportFormatRow {
    ExportFormat format;
    std::string_view name, extension;
    bool moves;
};
inline constexpr std::array<ExportFormatRow, 4> kExportFormats{{{ExportFormat::Png, "PNG", ".png", false},
                                                                {ExportFormat::Svg, "SVG", ".svg", false},
                                                                {ExportFormat::Gif, "GIF", ".gif", true},
                                                                {ExportFormat::Apng, "APNG", ".apng", true}}};
constexpr const ExportFormatRow& rowOf(ExportFormat format) { return kExportFormats[std::size_t(format)]; }

struct ExportSettings {
    std::string view = "stage";  // empty: the whole window
    ExportFormat format = ExportFormat::Png;
    std::string file;         // as typed; a path from the folder that the program was started in
    u32 first = 1, last = 1;  // steps of the cursor's warp, from 1; of an animation
    f32 stepsPerSecond = 2;
    f32 scale = 2;  // pixels a logical pixel
    bool operator==(const ExportSettings&) const = default;
};

// The dialog, and the export in progress.
struct Export {
    bool open = false;
    ExportSettings settings;
    std::optional<Fault> fault;  // why writing failed; until something is changed
    std::string mayReplace;      // chosen in the desktop's dialog, which has asked already
    bool asksToReplace = false;  // the file exists; exporting again replaces it
    bool running = false;
    f64 progress = 0;     // of the pictures to draw
    std::string written;  // the file that was written last; shown until something is changed
};

}  // namespace lockstep::app
