#include "app/cli/json/register_json.h"

#include "base/device_addresses.h"
#include "explain/numbers.h"
#include "viz/access/line_registers.h"
#include "viz/view_options.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace lockstep::cli {
namespace {

Json lanesJson(LaneMask lanes) {
    Json list = Json::array();
    for (const Lane lane : lanes)
        list.push_back(lane.value);
    return list;
}

Json floatJson(f64 value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    return value;
}

// What no number says (packed halves and the like) as text.
Json valueJson(const explain::LaneRegister& r, u32 lane, std::span<const Buffer> buffers) {
    const u64 bits = r.values.bits[lane];
    if (r.type == ptx::Type::Pred) return bits != 0;
    if (r.isAddress) {
        const u32 buffer = *bufferOfAddress(bits);
        return {{"buffer", buffers[buffer].name}, {"offset_bytes", s64(bits - deviceAddressOf(buffer))}};
    }
    if (r.type == ptx::Type::F32) return floatJson(std::bit_cast<f32>(u32(bits)));
    if (r.type == ptx::Type::F64) return floatJson(std::bit_cast<f64>(bits));
    const u32 bytes = ptx::bytesOf(r.type);
    if (!ptx::isFloat(r.type) && bytes <= 8) {
        const u32 unused = 64 - 8 * bytes;
        return s64(bits << unused) >> unused;
    }
    std::array<std::byte, 8> raw;
    std::memcpy(raw.data(), &bits, raw.size());
    return explain::valueText(std::span(raw).first(std::min<std::size_t>(bytes, raw.size())), r.type, 40);
}

Json registerJson(const explain::LaneRegister& r, u32 lanes, std::span<const Buffer> buffers) {
    Json values = Json::array();
    for (u32 lane = 0; lane < lanes; ++lane)
        values.push_back(r.values.known.has(Lane{lane}) ? valueJson(r, lane, buffers) : Json(nullptr));
    return {{"name", r.name},
            {"meaning", r.meaning.empty() ? Json(nullptr) : Json(r.meaning)},
            {"type", ptx::nameOf(r.type)},
            {"written", lanesJson(r.values.written)},
            {"known", lanesJson(r.values.known)},
            {"values", values}};
}

}  // namespace

Expected<Json> registerJson(const run::Run& run, const viz::Cursor& cursor, viz::SourceTab tab) {
    const viz::CursorContext here = viz::lookUp(run, cursor);
    if (!here.step) return fail(FaultKind::NotFound, english("this step was not recorded"));
    const viz::CodePlace place = viz::placeAtCursor(run, here, tab);
    viz::RegisterCache cache;
    const std::vector<Pc> instructions = viz::instructionsAt(run, place);
    const Expected<std::vector<explain::LaneRegister>> registers =
        viz::registersOfLine(run, cursor, instructions, cache);
    if (!registers) return Unexpected{registers.error()};
    const u32 lanes = explain::lanesOf(*here.block, cursor.warp);
    Json list = Json::array();
    for (const explain::LaneRegister& r : *registers)
        list.push_back(registerJson(r, lanes, run.recording.initial));
    const Json file = place.tab == viz::SourceTab::Cuda ? Json(run.module->files[place.file]) : Json(nullptr),
               line = place.tab == viz::SourceTab::Machine ? Json(nullptr) : Json(place.line);
    return Json{
        {"launch", cursor.launch.value},
        {"block", triple(cursor.block)},
        {"warp", cursor.warp.value},
        {"lanes", lanes},
        {"step", cursor.step + 1},
        {"steps", here.warp->steps.size()},
        {"pc", here.step->pc.value},
        {"active", lanesJson(here.step->active)},
        {"function", ptx::shortName(run.module->functions[run.module->functionOf(here.step->pc).value].name)},
        {"tab", viz::nameOf(place.tab)},
        {"file", file},
        {"line", line},
        {"registers", list}};
}

}  // namespace lockstep::cli
