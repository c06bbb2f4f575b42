#include "app/cli/options/access_options.h"

namespace lockstep::cli {
namespace {

// Byte offsets become lanes placed by hand; a lane without one is inactive.
Expected<void> placeByHand(model::AccessPattern& pattern, const std::string& text) {
    const Expected<model::LaneOffsets> offsets = model::parseOffsets(text);
    if (!offsets) return Unexpected{offsets.error()};
    if (Expected<void> checked = model::checkQuery({.space = pattern.space,
                                                    .operation = pattern.operation,
                                                    .widthBytes = pattern.widthBytes,
                                                    .offsets = *offsets});
        !checked)
        return checked;
    pattern.expression.clear();
    pattern.off = {};
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        if (const std::optional<s64> offset = (*offsets)[lane])
            pattern.moved[lane] = *offset / s64{pattern.widthBytes};
        else
            pattern.off = pattern.off | LaneMask::of(Lane{lane});
    return {};
}

}  // namespace

void addAccessOptions(const Command& command, AccessOptions& options) {
    std::vector<std::string> presets;
    std::string listed;
    for (const model::AccessPreset& preset : model::accessPresets()) {
        presets.emplace_back(preset.name);
        listed += (listed.empty() ? "" : ", ") + std::string(preset.name);
    }
    command.add("--preset", options.preset, english("a classic pattern to begin with: {0}"), listed)
        .takesOneOf(presets);
    command.add("--space", options.space, english("the memory that is accessed"))
        .takesOneOf({"shared", "global"});
    command.add("--op", options.operation, english("what the lanes do")).takesOneOf({"load", "store"});
    command.add("--width", options.width, english("bytes of a lane: 1, 2, 4, 8 or 16"))
        .takesOneOf({"1", "2", "4", "8", "16"})
        .type("N");
    command
        .add("--offsets", options.offsets,
             english("byte offset of each lane: 32 numbers with commas; - is an inactive lane"))
        .type("B0,...,B31");
    command
        .add("--expr", options.expression,
             english("element index of each lane: an expression of tid (0 to 31) with the operators of C"))
        .type("EXPRESSION");
    command.add("--row", options.row, english("with --expr: elements of a row (default: 32)")).takesWhole();
    command.add("--padding", options.padding, english("with --expr: elements left unused after each row"))
        .takesWhole();
    command.add("--swizzle", options.swizzled, english("with --expr: column ^ row instead of the column"));
}

Expected<model::AccessPattern> patternOf(const AccessOptions& options) {
    const model::AccessPreset* preset = model::findAccessPreset(options.preset);
    model::AccessPattern pattern = preset ? preset->pattern : model::AccessPattern{};
    if (!options.space.empty())
        pattern.space = options.space == "global" ? trace::Space::Global : trace::Space::Shared;
    if (!options.operation.empty())
        pattern.operation = options.operation == "store" ? trace::AccessKind::Store : trace::AccessKind::Load;
    if (options.width) pattern.widthBytes = *options.width;
    if (!options.offsets.empty() && !options.expression.empty())
        return fail(FaultKind::Usage,
                    english("say where the lanes reach: either --offsets B0,B1,...,B31 or --expr \"tid*2\""));
    if (!options.offsets.empty()) {
        if (options.row || options.padding || options.swizzled)
            return fail(
                FaultKind::Usage,
                english(
                    "--row, --padding and --swizzle go with --expr; --offsets are bytes in memory already"));
        if (const Expected<void> placed = placeByHand(pattern, options.offsets); !placed)
            return Unexpected{placed.error()};
        return pattern;
    }
    if (!options.expression.empty()) pattern.expression = options.expression;
    if (options.row) pattern.rows.elements = *options.row;
    if (options.padding) pattern.rows.padding = *options.padding;
    if (options.swizzled) pattern.rows.swizzled = true;
    if (const Expected<model::AccessQuery> query = model::queryOf(pattern); !query)
        return Unexpected{query.error()};
    return pattern;
}

}  // namespace lockstep::cli
