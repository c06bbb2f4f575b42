#include "cuda/compiler/minimum_ptx_version.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace lockstep::cuda {
namespace {

// All versions: PTX ISA 9.0, "Release Notes" and the "PTX ISA Notes" of each instruction.
struct TargetVersion {
    u32 sm;
    PtxVersion since;
};
constexpr std::array kTargets{
    TargetVersion{75, {6, 3}},  TargetVersion{80, {7, 0}},  TargetVersion{86, {7, 1}},
    TargetVersion{87, {7, 4}},  TargetVersion{89, {7, 8}},  TargetVersion{90, {7, 8}},
    TargetVersion{100, {8, 6}}, TargetVersion{120, {8, 7}},
};

// Instructions that every target above has had since its first version, with any modifiers except those
// below.
constexpr auto kOld = std::to_array<std::string_view>({
    "abs",   "activemask", "add",   "addc",      "and",   "atom", "bar",   "barrier",  "bfe",      "bfi",
    "bfind", "bra",        "brev",  "brkpt",     "call",  "clz",  "cnot",  "copysign", "cos",      "cvt",
    "cvta",  "div",        "dp2a",  "dp4a",      "ex2",   "exit", "fence", "fma",      "isspacep", "ld",
    "ldu",   "lg2",        "lop3",  "mad",       "mad24", "madc", "match", "max",      "membar",   "min",
    "mov",   "mul",        "mul24", "nanosleep", "neg",   "not",  "or",    "popc",     "prefetch", "prmt",
    "rcp",   "red",        "rem",   "ret",       "rsqrt", "sad",  "selp",  "set",      "setp",     "shf",
    "shfl",  "shl",        "shr",   "sin",       "slct",  "sqrt", "st",    "sub",      "subc",     "testp",
    "trap",  "vote",       "wmma",  "xor",
});

struct FeatureVersion {
    std::string_view text;
    PtxVersion since;
};
// Opcodes and modifiers added later, by a part of the instruction's name.
constexpr std::array kLater{
    FeatureVersion{"cp.async", {7, 0}},
    FeatureVersion{"mbarrier", {7, 0}},
    FeatureVersion{"redux.sync", {7, 0}},
    FeatureVersion{"ldmatrix", {6, 5}},
    FeatureVersion{"mma.sync", {7, 0}},
    FeatureVersion{"tanh.approx", {7, 0}},
    FeatureVersion{"ex2.approx.f16", {7, 0}},
    FeatureVersion{"ex2.approx.ftz.bf16", {7, 8}},
    FeatureVersion{".bf16", {7, 8}},
    FeatureVersion{".f16x2", {7, 0}},
    FeatureVersion{".relu", {7, 0}},
    FeatureVersion{".NaN", {7, 0}},
    FeatureVersion{".xorsign", {7, 2}},
    FeatureVersion{"::", {7, 8}},
    FeatureVersion{".s16x2", {8, 0}},
    FeatureVersion{".u16x2", {8, 0}},
    FeatureVersion{".b128", {8, 3}},
    FeatureVersion{".v8", {8, 8}},
    FeatureVersion{"cvt.pack", {6, 5}},
    FeatureVersion{".e4m3", {7, 8}},
    FeatureVersion{".e5m2", {7, 8}},
    FeatureVersion{".tf32", {7, 0}},
    FeatureVersion{"wmma.load.a.sync.aligned.m8n8k4", {7, 0}},
};
constexpr PtxVersion kInlinedAt{7, 2};  // .loc ... function_name, inlined_at

std::string_view trimmed(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t\r{");
    return first == std::string_view::npos ? std::string_view{} : line.substr(first);
}

std::optional<u32> numberAfter(std::string_view line, std::string_view mark) {
    const std::size_t at = line.find(mark);
    if (at == std::string_view::npos) return {};
    u32 value = 0;
    const auto [end, error] =
        std::from_chars(line.data() + at + mark.size(), line.data() + line.size(), value);
    if (error != std::errc{}) return {};
    return value;
}

// The instruction's name with its modifiers, without its guard; empty for directives, labels and comments.
std::string_view opcodeOf(std::string_view line) {
    if (line.starts_with('@')) {
        const std::size_t blank = line.find_first_of(" \t");
        line = blank == std::string_view::npos ? std::string_view{} : trimmed(line.substr(blank));
    }
    if (line.empty() || line[0] < 'a' || line[0] > 'z') return {};
    return line.substr(0, line.find_first_of(" \t;"));
}

// None: not known here.
std::optional<PtxVersion> sinceOf(std::string_view opcode) {
    PtxVersion since{};
    bool known = false;
    for (const FeatureVersion& feature : kLater)
        if (opcode.find(feature.text) != std::string_view::npos) {
            since = std::max(since, feature.since);
            known = known || opcode.starts_with(feature.text);
        }
    const std::string_view base = opcode.substr(0, opcode.find('.'));
    if (!known && std::ranges::find(kOld, base) == kOld.end()) return {};
    return since;
}

// [begin, end) of the number in the .version line.
std::optional<std::pair<std::size_t, std::size_t>> versionPlace(std::string_view ptx) {
    std::size_t at = ptx.find(".version");
    while (at != std::string_view::npos && at != 0 && ptx[at - 1] != '\n')
        at = ptx.find(".version", at + 1);
    if (at == std::string_view::npos) return {};
    const std::size_t begin = ptx.find_first_of("0123456789\n", at);
    const std::size_t end = ptx.find_first_not_of("0123456789.", begin);
    if (begin == std::string_view::npos || end == std::string_view::npos) return {};
    return std::pair{begin, end};
}

}  // namespace

std::optional<PtxVersion> statedVersion(std::string_view ptx) {
    const auto place = versionPlace(ptx);
    if (!place) return {};
    const std::string_view text = ptx.substr(place->first, place->second - place->first);
    const std::optional<u32> major = numberAfter(text, ""), minor = numberAfter(text, ".");
    if (!major || !minor) return {};
    return PtxVersion{*major, *minor};
}

std::optional<PtxVersion> minimumPtxVersion(std::string_view ptx) {
    const std::optional<PtxVersion> stated = statedVersion(ptx);
    if (!stated) return {};
    PtxVersion least{};
    bool targetKnown = false;
    for (std::size_t at = 0; at < ptx.size();) {
        const std::size_t end = std::min(ptx.find('\n', at), ptx.size());
        const std::string_view line = trimmed(ptx.substr(at, end - at));
        at = end + 1;
        if (line.starts_with(".target")) {
            const std::optional<u32> sm = numberAfter(line, "sm_");
            const auto target = std::ranges::find(kTargets, sm.value_or(0), &TargetVersion::sm);
            if (target == kTargets.end()) return stated;
            least = std::max(least, target->since);
            targetKnown = true;
        } else if (line.starts_with(".loc")) {
            if (line.find("inlined_at") != std::string_view::npos) least = std::max(least, kInlinedAt);
        } else if (const std::string_view opcode = opcodeOf(line); !opcode.empty()) {
            const std::optional<PtxVersion> since = sinceOf(opcode);
            if (!since) return stated;
            least = std::max(least, *since);
        }
    }
    return targetKnown ? std::min(least, *stated) : *stated;
}

std::string withVersion(std::string ptx, PtxVersion version) {
    if (const auto place = versionPlace(ptx))
        ptx.replace(place->first, place->second - place->first,
                    fmt::format("{}.{}", version.major, version.minor));
    return ptx;
}

}  // namespace lockstep::cuda
