// Looks things up in a run.
#include "viz/lookup.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "base/half.h"

namespace lockstep::viz {

Here lookUp(const run::Run& run, const Cursor& cursor) {
    Here here;
    here.block = run.recording.trace.find(cursor.launch, cursor.block);
    if (!here.block || cursor.warp.value >= here.block->warps.size()) return here;
    here.warp = &here.block->warps[cursor.warp.value];
    if (cursor.step >= here.warp->steps.size()) return here;
    here.step = &here.warp->steps[cursor.step];
    if (here.step->access != trace::Step::kNone) here.access = &here.warp->accesses[here.step->access];
    return here;
}

const Launch& launchOf(const run::Run& run, LaunchId launch) {
    static const Launch kNone{};
    return launch.value < run.recording.launches.size() ? run.recording.launches[launch.value] : kNone;
}

u32 lanesOf(const trace::FocusBlock& block, Warp warp) {
    const u32 first = warp.value * kWarpSize;
    return block.threads > first ? std::min(kWarpSize, block.threads - first) : 0;
}

Dim3 threadOf(const Launch& launch, Warp warp, Lane lane) { return coordinatesOf(u64{warp.value} * kWarpSize + lane.value, launch.block); }

SourceLine lineOf(const ptx::Module& module, Pc pc) {
    if (pc.value >= module.instructions.size()) return {};
    const auto known = [&](const ptx::Location& l) { return l.file < module.sources.size() && !module.sources[l.file].empty(); };
    const ptx::Location& innermost = module.locationOf(pc);
    const ptx::Location* location = &innermost;
    while (!known(*location) && location->inlinedAt != 0) location = &module.locations[location->inlinedAt];
    if (!known(*location)) location = &innermost;
    return {location->file, location->line};
}

std::string_view textOfLine(const ptx::Module& module, SourceLine line) {
    if (line.line == 0 || line.file >= module.sources.size()) return {};
    std::string_view text = module.sources[line.file];
    for (u32 n = 1; n < line.line; ++n) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) return {};
        text.remove_prefix(end + 1);
    }
    text = text.substr(0, text.find('\n'));
    const std::size_t first = text.find_first_not_of(" \t");
    return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

std::string_view fileName(std::string_view path) { return path.substr(path.find_last_of("/\\") + 1); }

std::string coordinates(Dim3 at, Dim3 extents) {
    if (extents.z > 1) return fmt::format("({},{},{})", at.z, at.y, at.x);
    if (extents.y > 1) return fmt::format("({},{})", at.y, at.x);
    return std::to_string(at.x);
}

namespace {

// "Mds" of "_ZZ8mm_tiledILi2EEvPKfS1_PfiE3Mds" and of "Mds": local names end in their length and themselves.
std::string shortVariableName(std::string_view name) {
    if (!name.starts_with("_Z")) return std::string(name);
    for (std::size_t length = 1; length < name.size(); ++length) {
        const std::string digits = std::to_string(length);
        const std::size_t at = name.size() - length;
        if (at >= digits.size() && name.substr(at - digits.size(), digits.size()) == digits && !std::isdigit(u8(name[at]))) return std::string(name.substr(at));
    }
    return std::string(name);
}

}  // namespace

std::vector<SharedArray> sharedArrays(const run::Run& run, LaunchId launch) {
    std::vector<SharedArray> arrays;
    const ptx::Function* entry = run.module->findEntry(launchOf(run, launch).entry);
    u64 at = 0;
    for (const bool dynamic : {false, true}) {
        for (const ptx::Variable& variable : run.module->variables) {
            const bool ours = !variable.function || (entry && &run.module->functions[variable.function->value] == entry);
            if (variable.space != ptx::StateSpace::Shared || variable.isExtern != dynamic || !ours) continue;
            const u64 align = std::max(variable.alignBytes, 1u);
            at = (at + align - 1) / align * align;
            const u64 size = dynamic ? launchOf(run, launch).dynamicSharedBytes : variable.sizeBytes;
            const u32 element = std::max(1u, ptx::bytesOf(variable.type));
            // Arrays come as bytes in PTX: their alignment tells the element.
            arrays.push_back({shortVariableName(variable.name), at, size, element == 1 ? std::clamp(variable.alignBytes, 1u, 4u) : element});
            if (!dynamic) at += size;
        }
    }
    return arrays;
}

std::vector<AccessAt> accessesOfLine(const run::Run& run, const trace::FocusBlock& block, SourceLine line, trace::Space space) {
    std::vector<AccessAt> found;
    for (u32 w = 0; w < block.warps.size(); ++w) {
        const trace::WarpTrace& warp = block.warps[w];
        for (u32 s = 0; s < warp.steps.size(); ++s) {
            if (warp.steps[s].access == trace::Step::kNone) continue;
            const trace::StoredAccess& access = warp.accesses[warp.steps[s].access];
            if (access.space == space && lineOf(*run.module, access.pc) == line) found.push_back({Warp{w}, s, &access});
        }
    }
    return found;
}

std::string lanesText(LaneMask lanes) {
    std::string text;
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
        if (!lanes.has(Lane{lane})) continue;
        u32 last = lane;
        while (last + 1 < kWarpSize && lanes.has(Lane{last + 1})) ++last;
        text += (text.empty() ? "" : ", ") + std::to_string(lane) + (last > lane ? (last > lane + 1 ? "-" : ", ") + std::to_string(last) : "");
        lane = last;
    }
    return text;
}

std::string numberText(f64 value, bool isFloat, u32 maxCharacters) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    std::string text = !isFloat ? fmt::format("{:.0f}", value) : value == std::trunc(value) && std::fabs(value) < 1e15 ? fmt::format("{:.1f}", value) : fmt::format("{:.9g}", value);
    if (text.size() > maxCharacters && isFloat && value == std::trunc(value) && std::fabs(value) < 1e15) text = fmt::format("{:.0f}", value);
    for (int digits = int(maxCharacters); text.size() > maxCharacters && digits > 0; --digits) text = fmt::format("{:.{}g}", value, digits);
    return text;
}

namespace {
template <class T> T read(std::span<const std::byte> bytes) {
    T value{};
    std::memcpy(&value, bytes.data(), std::min(sizeof(T), bytes.size()));
    return value;
}
}  // namespace

std::string valueText(std::span<const std::byte> bytes, ptx::Type type, u32 maxCharacters) {
    using ptx::Type;
    switch (type) {
        case Type::F16: return numberText(halfToFloat(read<u16>(bytes)), true, maxCharacters);
        case Type::F32: return numberText(read<f32>(bytes), true, maxCharacters);
        case Type::F64: return numberText(read<f64>(bytes), true, maxCharacters);
        case Type::S8: return numberText(read<s8>(bytes), false, maxCharacters);
        case Type::S16: return numberText(read<s16>(bytes), false, maxCharacters);
        case Type::S32: return numberText(read<s32>(bytes), false, maxCharacters);
        case Type::S64: return numberText(f64(read<s64>(bytes)), false, maxCharacters);
        default: return numberText(f64(read<u64>(bytes.subspan(0, std::min<std::size_t>(bytes.size(), 8)))), false, maxCharacters);
    }
}

ptx::Type elementType(const ptx::Module& module, Pc pc) {
    if (pc.value >= module.instructions.size()) return ptx::Type::None;
    return module.at(pc).types[0];
}

}  // namespace lockstep::viz
