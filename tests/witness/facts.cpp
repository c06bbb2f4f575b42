#include "facts.h"

#include "base/device_addresses.h"
#include "base/half.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>

namespace lockstep::witness {
namespace {

using trace::AccessKind, trace::Space;
constexpr u64 kSharedMark = u64{1} << 63;

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && std::isspace(u8(text.front())))
        text.remove_prefix(1);
    while (!text.empty() && std::isspace(u8(text.back())))
        text.remove_suffix(1);
    return text;
}

struct ElementKind {
    char type;
    u32 bytes;
};
ElementKind kindOf(ElementType type) {
    switch (type) {
        case ElementType::I8: return {'i', 1};
        case ElementType::U8: return {'u', 1};
        case ElementType::I16: return {'i', 2};
        case ElementType::U16: return {'u', 2};
        case ElementType::I32: return {'i', 4};
        case ElementType::U32: return {'u', 4};
        case ElementType::I64: return {'i', 8};
        case ElementType::U64: return {'u', 8};
        case ElementType::F16: return {'f', 2};
        case ElementType::F32: return {'f', 4};
        case ElementType::F64: return {'f', 8};
    }
    return {'f', 4};
}
ElementKind kindOf(std::string_view type) {
    static const std::map<std::string_view, ElementKind> kKinds{
        {"float", {'f', 4}},  {"int", {'i', 4}},           {"double", {'f', 8}}, {"long long", {'i', 8}},
        {"float2", {'f', 8}}, {"float4", {'f', 16}},       {"bool", {'u', 1}},   {"unsigned", {'u', 4}},
        {"char", {'i', 1}},   {"unsigned char", {'u', 1}}, {"short", {'i', 2}}};
    const auto found = kKinds.find(type);
    return found == kKinds.end() ? ElementKind{'i', 4} : found->second;
}

f64 readNumber(char type, u32 bytes, const std::byte* from) {
    const auto as = [&]<class T>(T value) {
        std::memcpy(&value, from, sizeof value);
        return value;
    };
    if (type == 'f')
        return bytes == 2 ? f64(halfToFloat(as(u16{}))) : bytes == 8 ? as(f64{}) : f64(as(f32{}));
    if (type == 'i')
        return bytes == 1   ? f64(as(s8{}))
               : bytes == 2 ? f64(as(s16{}))
               : bytes == 8 ? f64(as(s64{}))
                            : f64(as(s32{}));
    return bytes == 1   ? f64(as(u8{}))
           : bytes == 2 ? f64(as(u16{}))
           : bytes == 8 ? f64(as(u64{}))
                        : f64(as(u32{}));
}

// "T + 2", "Threads / 32": names by what they stand for.
class Arithmetic {
public:
    Arithmetic(std::string_view text, const std::map<std::string, std::string>& names)
        : text_(text), names_(names) {}
    std::optional<s64> value() {
        const std::optional<s64> sum = sums();
        return trimmed(text_).empty() ? sum : std::nullopt;
    }

private:
    std::optional<s64> sums() {
        std::optional<s64> value = products();
        while (value) {
            text_ = trimmed(text_);
            if (text_.empty() || (text_[0] != '+' && text_[0] != '-')) break;
            const bool plus = text_[0] == '+';
            text_.remove_prefix(1);
            const std::optional<s64> next = products();
            if (!next) return next;
            *value += plus ? *next : -*next;
        }
        return value;
    }
    std::optional<s64> products() {
        std::optional<s64> value = one();
        while (value) {
            text_ = trimmed(text_);
            if (text_.empty() || (text_[0] != '*' && text_[0] != '/')) break;
            const bool times = text_[0] == '*';
            text_.remove_prefix(1);
            const std::optional<s64> next = one();
            if (!next || (!times && *next == 0)) return std::nullopt;
            *value = times ? *value * *next : *value / *next;
        }
        return value;
    }
    std::optional<s64> one() {
        text_ = trimmed(text_);
        if (text_.empty()) return std::nullopt;
        std::size_t end = 0;
        while (end < text_.size() && (std::isalnum(u8(text_[end])) || text_[end] == '_'))
            ++end;
        std::string word(text_.substr(0, end));
        if (word.empty()) return std::nullopt;
        text_.remove_prefix(end);
        if (const auto named = names_.find(word); named != names_.end()) word = named->second;
        if (word.empty() || !std::isdigit(u8(word[0]))) return std::nullopt;
        return std::stoll(word);
    }
    std::string_view text_;
    const std::map<std::string, std::string>& names_;
};

std::vector<std::string> splitAt(std::string_view text, char at) {
    std::vector<std::string> parts;
    std::size_t from = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i < text.size() && (text[i] == '<' || text[i] == '(')) ++depth;
        if (i < text.size() && (text[i] == '>' || text[i] == ')')) --depth;
        if (i == text.size() || (text[i] == at && depth == 0)) {
            parts.emplace_back(trimmed(text.substr(from, i - from)));
            from = i + 1;
        }
    }
    return parts;
}

struct Declared {
    std::string name, type;
    std::vector<std::string> dims;
    u32 line = 0;
};
std::optional<Declared> declaredShared(std::string_view line) {
    const std::size_t at = line.find("__shared__");
    if (at == std::string_view::npos) return std::nullopt;
    std::string_view rest = trimmed(line.substr(at + 10));
    if (rest.starts_with("alignas")) rest = trimmed(rest.substr(rest.find(')') + 1));
    const std::size_t end = rest.find_first_of("[;");
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view before = trimmed(rest.substr(0, end));
    const std::size_t space = before.find_last_of(' ');
    if (space == std::string_view::npos) return std::nullopt;
    Declared declared{
        std::string(before.substr(space + 1)), std::string(trimmed(before.substr(0, space))), {}, 0};
    rest = rest.substr(end);
    while (rest.starts_with('[')) {
        const std::size_t close = rest.find(']');
        if (close == std::string_view::npos) break;
        declared.dims.emplace_back(trimmed(rest.substr(1, close - 1)));
        rest = rest.substr(close + 1);
    }
    return declared;
}

}  // namespace

std::string squeezed(std::string_view text) {
    std::string out;
    for (char c : text) {
        if (c == '\t' || c == '\n') c = ' ';
        if (c == ' ' && (out.empty() || out.back() == ' ')) continue;
        out += c;
    }
    while (!out.empty() && (out.back() == ' ' || out.back() == ';'))
        out.pop_back();
    return out;
}

RunFacts::RunFacts(const run::Run& run, Capability capability) : run_(run), capability_(capability) {
    const ptx::Module& module = *run.module;
    // Lines: of inlined code the innermost whose text is known.
    lines_.resize(module.instructions.size());
    u32 ownFile = 0;
    for (u32 file = 0; file < module.sources.size(); ++file)
        if (!module.sources[file].empty()) ownFile = file;
    for (std::size_t pc = 0; pc < lines_.size(); ++pc)
        for (u32 at = module.instructions[pc].location; at != 0; at = module.locations[at].inlinedAt) {
            const ptx::Location& location = module.locations[at];
            if (location.line == 0 || location.file >= module.sources.size() ||
                module.sources[location.file].empty())
                continue;
            lines_[pc] = location.line;
            break;
        }
    for (u32 pc = 0; pc < module.instructions.size(); ++pc)
        instructions_.insert(squeezed(module.textOf(Pc{pc})));
    if (ownFile < module.sources.size()) {
        const std::string& text = module.sources[ownFile];
        for (std::size_t from = 0; from <= text.size();) {
            const std::size_t end = std::min(text.find('\n', from), text.size());
            source_.push_back(text.substr(from, end - from));
            from = end + 1;
        }
    }

    // Arrays.
    const trace::Recording& recording = run.recording;
    for (u32 b = 0; b < recording.initial.size(); ++b) {
        const Buffer& buffer = recording.initial[b];
        const ElementKind kind = kindOf(buffer.type);
        u64 elements = 1;
        for (u64 extent : buffer.shape)
            elements *= extent;
        arrays_.push_back({buffer.name, Space::Global, deviceAddressOf(b), elements * kind.bytes,
                           buffer.shape, kind.bytes, kind.type, s32(b)});
    }
    // Names of template parameters and constants, and what they stand for in this entry.
    std::map<std::string, std::string> names;
    for (const std::string& line : source_) {
        if (const std::size_t at = line.find("constexpr int "); at != std::string::npos)
            if (const std::size_t equals = line.find('=', at); equals != std::string::npos)
                names[std::string(trimmed(std::string_view(line).substr(at + 14, equals - at - 14)))] =
                    std::string(
                        trimmed(std::string_view(line).substr(equals + 1, line.find(';') - equals - 1)));
        if (const std::size_t at = line.find("template <");
            at != std::string::npos && line.find('>', at) != std::string::npos) {
            const std::size_t open = recording.entry.find('<');
            if (open == std::string::npos) continue;
            const std::vector<std::string> parameters =
                splitAt(std::string_view(line).substr(at + 10, line.find('>', at) - at - 10), ',');
            const std::vector<std::string> arguments = splitAt(
                std::string_view(recording.entry).substr(open + 1, recording.entry.rfind('>') - open - 1),
                ',');
            if (parameters.size() == arguments.size())
                for (std::size_t i = 0; i < parameters.size(); ++i)
                    names[parameters[i].substr(parameters[i].find_last_of(' ') + 1)] = arguments[i];
        }
    }
    std::vector<Declared> declared;
    for (const std::string& line : source_)
        if (std::optional<Declared> one = declaredShared(line)) declared.push_back(std::move(*one));
    if (!recording.launches.empty()) {
        const std::string& entry = recording.launches.front().entry;
        u64 offset = 0;
        const auto place = [&](const ptx::Variable& variable) {
            offset = (offset + variable.alignBytes - 1) / variable.alignBytes * variable.alignBytes;
            for (const Declared& one : declared) {
                const bool mangled = variable.name.find(std::to_string(one.name.size()) + one.name) !=
                                         std::string_view::npos ||
                                     variable.name.ends_with("_" + one.name);
                if (variable.name != one.name && !mangled) continue;
                std::string type = one.type;
                if (const auto named = names.find(type); named != names.end()) type = named->second;
                const ElementKind kind = kindOf(type);
                Array array{one.name, Space::Shared, offset,    variable.sizeBytes,
                            {},       kind.bytes,    kind.type, -1};
                for (const std::string& dim : one.dims) {
                    const std::optional<s64> extent = Arithmetic(dim, names).value();
                    if (!extent) {
                        array.shape.clear();
                        break;
                    }
                    array.shape.push_back(u64(*extent));
                }
                arrays_.push_back(std::move(array));
                break;
            }
            offset += variable.sizeBytes;
        };
        for (const bool dynamic : {false, true})
            for (const ptx::Variable& variable : module.variables) {
                if (variable.space != ptx::StateSpace::Shared || variable.isExtern != dynamic) continue;
                if (variable.function && module.functions[variable.function->value].name != entry) continue;
                if (variable.name.starts_with("_ZZ") && entry.starts_with("_Z") &&
                    !variable.name.substr(3).starts_with(std::string_view(entry).substr(2)))
                    continue;
                place(variable);
            }
    }

    // Sums of the grid.
    std::map<std::pair<u32, u32>, bool> met;
    for (const trace::GridCounts& counts : recording.counts) {
        for (u32 pc = 0; pc < counts.perPc.size(); ++pc) {
            const trace::PcCounts& one = counts.perPc[pc];
            PcSums& sums = ofPc_[pc];
            sums.executions += one.executions, sums.activeLanes += one.activeLanes,
                sums.divergent += one.divergent;
        }
        for (const trace::SiteCounts& site : counts.sites) {
            PcSums sums;
            const std::string_view text = module.textOf(site.pc);
            for (const trace::Pattern& pattern : site.patterns) {
                const trace::WarpAccess access = accessOf(site, pattern);
                if (site.space == Space::Global) {
                    const GlobalCost cost = globalCost(access, capability);
                    sums.requests += cost.requests * pattern.times,
                        sums.sectors += cost.items * pattern.times, sums.bytes += cost.bytes * pattern.times;
                } else if (site.space == Space::Shared) {
                    const SharedCost cost = sharedCost(access, capability, text);
                    sums.wavefronts += cost.wavefronts * pattern.times,
                        sums.least += cost.least * pattern.times;
                }
                sums.executions += pattern.times;
                sums.activeLanes += u64(pattern.active.count()) * pattern.times;
            }
            PcSums& ofPc = ofPc_[site.pc.value];
            ofPc.sectors += sums.sectors, ofPc.bytes += sums.bytes, ofPc.requests += sums.requests,
                ofPc.wavefronts += sums.wavefronts, ofPc.least += sums.least;
            PcSums& group = bySpace_[{int(site.space), int(site.kind)}];
            group.executions += sums.executions, group.activeLanes += sums.activeLanes;
            group.sectors += sums.sectors, group.bytes += sums.bytes, group.requests += sums.requests,
                group.wavefronts += sums.wavefronts, group.least += sums.least;
        }
    }
    for (const auto& [pc, sums] : ofPc_)
        for (PcSums* into : {&ofLine_[lineOf(Pc{pc})], &total_}) {
            into->executions += sums.executions, into->activeLanes += sums.activeLanes,
                into->divergent += sums.divergent;
            into->sectors += sums.sectors, into->bytes += sums.bytes, into->requests += sums.requests,
                into->wavefronts += sums.wavefronts, into->least += sums.least;
        }

    Facts& g = grid_;
    g.count("sector", f64(total_.sectors)), g.count("wavefront", f64(total_.wavefronts)),
        g.count("instruction", f64(total_.executions));
    g.count("request", f64(total_.requests)), g.count("wavefront", f64(total_.least)),
        g.count("divergence", f64(total_.divergent));
    g.count("transaction", f64(total_.sectors)), g.count("lane", f64(total_.activeLanes)),
        g.count("byte", f64(total_.bytes));
    for (u32 l = 0; l < recording.launches.size(); ++l) {
        const Launch& launch = recording.launches[l];
        const u64 threads = launch.block.count(), warps = (threads + 31) / 32;
        g.count("block", f64(launch.grid.count())), g.count("thread", f64(threads)),
            g.count("thread", f64(threads * launch.grid.count()));
        g.count("warp", f64(warps)), g.count("warp", f64(warps * launch.grid.count())),
            g.id("launch", l + 1.0);
    }
    g.count("launch", f64(recording.launches.size()));
    g.count("finding", f64(recording.findings.size()));
    for (const Array& array : arrays_)
        g.count("element", f64(array.bytes / array.elementBytes)), g.count("byte", f64(array.bytes));
    if (run.catalog)
        for (const auto& [name, value] : run.catalog->values)
            g.count(name, f64(value)), g.id(name, f64(value));
}

std::set<u32> RunFacts::linesNear(Pc pc) const {
    std::set<u32> lines;
    if (pc.value >= lines_.size()) return lines;
    for (u32 back = pc.value + 1; back-- > 0;)
        if (lines_[back]) {
            lines.insert(lines_[back]);
            break;
        }
    for (u32 on = pc.value; on < lines_.size(); ++on)
        if (lines_[on]) {
            lines.insert(lines_[on]);
            break;
        }
    return lines;
}

bool RunFacts::isInSource(std::string_view code) const {
    for (std::string_view end : {std::string_view("…")})
        if (code.ends_with(end)) code.remove_suffix(end.size());
    if (code.starts_with("…")) code.remove_prefix(std::string_view("…").size());
    code = trimmed(code);
    if (code.empty()) return true;
    return std::ranges::any_of(source_,
                               [&](const std::string& line) { return line.find(code) != std::string::npos; });
}

bool RunFacts::isInstruction(std::string_view text) const {
    constexpr std::string_view kDots = "…";
    const bool isCut = text.ends_with(kDots);
    std::string wanted = squeezed(isCut ? text.substr(0, text.size() - kDots.size()) : text);
    const auto at = instructions_.lower_bound(wanted);
    return at != instructions_.end() && (isCut ? at->starts_with(wanted) : *at == wanted);
}

const Array* RunFacts::array(std::string_view name, LaunchId) const {
    const auto found = std::ranges::find(arrays_, name, &Array::name);
    return found == arrays_.end() ? nullptr : &*found;
}

std::optional<u64> RunFacts::addressOf(const Array& array, const std::vector<s64>& indices) const {
    if (indices.size() > 1 && indices.size() != array.shape.size()) return std::nullopt;
    s64 linear = 0;
    for (std::size_t i = 0; i < indices.size(); ++i)
        linear = linear * (i > 0 ? s64(array.shape[i]) : 1) + indices[i];
    return array.address + u64(linear * s64(array.elementBytes));
}

std::string RunFacts::nameOf(u64 address, Space space) const {
    for (const Array& array : arrays_) {
        if (array.space != space) continue;
        const s64 offset = s64(address - array.address);
        if (space == Space::Global ? (address >> kSlotShift) != (array.address >> kSlotShift)
                                   : offset < 0 || (array.bytes > 0 && u64(offset) >= array.bytes))
            continue;
        std::vector<s64> indices(std::max<std::size_t>(1, array.shape.size()));
        s64 left = offset >= 0 ? offset / s64(array.elementBytes)
                               : -((-offset + s64(array.elementBytes) - 1) / s64(array.elementBytes));
        for (std::size_t i = indices.size(); i-- > 1;) {
            const s64 extent = s64(array.shape[i]);
            indices[i] = ((left % extent) + extent) % extent;
            left = (left - indices[i]) / extent;
        }
        indices[0] = left;
        std::string text = array.name;
        for (s64 index : indices)
            text += fmt::format("[{}]", index);
        return text;
    }
    return {};
}

std::optional<f64> RunFacts::initial(const Array& array, u64 address) const {
    if (array.buffer < 0) return std::nullopt;
    const auto& bytes = run_.recording.initial[std::size_t(array.buffer)].bytes;
    const u64 offset = address - array.address;
    if (offset + array.elementBytes > bytes.size()) return std::nullopt;
    return readNumber(array.type, array.elementBytes, bytes.data() + offset);
}
std::optional<f64> RunFacts::final(const Array& array, u64 address) const {
    if (array.buffer < 0 || std::size_t(array.buffer) >= run_.recording.final.size()) return std::nullopt;
    const auto& bytes = run_.recording.final[std::size_t(array.buffer)].bytes;
    const u64 offset = address - array.address;
    if (offset + array.elementBytes > bytes.size()) return std::nullopt;
    return readNumber(array.type, array.elementBytes, bytes.data() + offset);
}

const PcSums& RunFacts::of(Space space, AccessKind kind) const {
    static const PcSums kNone;
    const auto found = bySpace_.find({int(space), int(kind)});
    return found == bySpace_.end() ? kNone : found->second;
}

// ---- A block

BlockFacts::BlockFacts(const RunFacts& run, const trace::FocusBlock& block) : run_(run), block_(block) {
    const auto arrayAt = [&](u64 address, Space space) -> const Array* {
        for (const Array& array : run.arrays())
            if (array.space == space && address >= array.address &&
                (array.bytes == 0 || address < array.address + array.bytes) &&
                (space == Space::Shared || (address >> kSlotShift) == (array.address >> kSlotShift)))
                return &array;
        return nullptr;
    };
    for (const trace::WarpTrace& warp : block.warps)
        for (const trace::StoredAccess& access : warp.accesses) {
            if (access.space != Space::Global && access.space != Space::Shared) continue;
            for (Lane lane : access.active) {
                const u64 address = warp.address(access, lane);
                const Array* array = arrayAt(address, access.space);
                if (!array) continue;
                const std::span<const std::byte> bytes = warp.value(access, lane);
                for (u32 at = 0; at + array->elementBytes <= access.widthBytes; at += array->elementBytes) {
                    std::vector<f64>& values =
                        seen_[(address + at) | (access.space == Space::Shared ? kSharedMark : 0)];
                    const f64 value = readNumber(array->type, array->elementBytes, bytes.data() + at);
                    if (access.kind == AccessKind::Reduction)
                        values.push_back((values.empty() ? 0 : values.back()) + value);  // the operand
                    else if (values.empty() || std::memcmp(&values.back(), &value, sizeof value) != 0)
                        values.push_back(value);
                }
            }
        }
    sums_.resize(block.warps.size());
    for (u32 w = 0; w < block.warps.size(); ++w) {
        const trace::WarpTrace& warp = block.warps[w];
        Sums& sums = sums_[w];
        sums.steps = warp.steps.size();
        for (u32 s = 0; s < warp.steps.size(); ++s) {
            const trace::Step& step = warp.steps[s];
            sums.lanes += u64(step.active.count()), sums.came += path(w, s);
            const bool isBranch = run.run().module->at(step.pc).form.starts_with("bra");
            sums.laneSlotsOfBranches += isBranch ? path(w, s) : u64(step.active.count());
            std::map<int, u64>& executions = executions_[run.lineOf(step.pc)];
            ++executions[-1];
            if (step.access != trace::Step::kNone) ++executions[int(warp.accesses[step.access].space)];
        }
    }
    whole_.count("thread", block.threads), whole_.count("warp", f64(block.warps.size())),
        whole_.count("phase", block.phases());
    for (u32 w = 0; w < block.warps.size(); ++w)
        whole_.id("warp", w), whole_.count("lane", lanesOf(w)),
            whole_.count("step", f64(block.warps[w].steps.size()));
}

f64 BlockFacts::read(const Array& array, const std::byte* bytes) const {
    return readNumber(array.type, array.elementBytes, bytes);
}

std::vector<f64> BlockFacts::valuesAt(const Array& array, u64 address) const {
    std::vector<f64> values;
    if (const auto seen = seen_.find(address | (array.space == Space::Shared ? kSharedMark : 0));
        seen != seen_.end())
        values = seen->second;
    if (const std::optional<f64> first = run_.initial(array, address)) values.push_back(*first);
    if (const std::optional<f64> last = run_.final(array, address)) values.push_back(*last);
    return values;
}

u32 BlockFacts::lanesOf(u32 warp) const {
    return u32(std::min<u64>(32, block_.threads > u64{warp} * 32 ? block_.threads - u64{warp} * 32 : 0));
}

u32 BlockFacts::phaseOf(u32 warp, u32 step) const {
    u32 phase = 0;
    for (u32 barrier : block_.warps[warp].barrierSteps)
        phase += barrier < step;
    return phase;
}

u32 BlockFacts::path(u32 w, u32 s) const {
    const trace::WarpTrace& warp = block_.warps[w];
    const ptx::Module& module = *run_.run().module;
    if (!module.at(warp.steps[s].pc).guard.present) return u32(warp.steps[s].active.count());
    for (s64 at = s64(s) - 1; at >= 0; --at) {
        const s64 back = s64(s) - at;
        if (s64(warp.steps[std::size_t(at)].pc.value) != s64(warp.steps[s].pc.value) - back) break;
        if (!module.at(warp.steps[std::size_t(at)].pc).guard.present)
            return u32(warp.steps[std::size_t(at)].active.count());
    }
    for (std::size_t at = s + 1; at < warp.steps.size(); ++at) {
        if (warp.steps[at].pc.value != warp.steps[s].pc.value + (at - s)) break;
        if (!module.at(warp.steps[at].pc).guard.present) return u32(warp.steps[at].active.count());
    }
    return u32(warp.steps[s].active.count());
}

const Facts& BlockFacts::step(u32 w, u32 s) const {
    const u64 key = u64{w} << 32 | s;
    const auto known = steps_.find(key);
    if (known != steps_.end()) return known->second;
    if (steps_.size() > 4096) steps_.clear();
    return steps_[key] = made(w, s);
}
const std::map<int, u64>& BlockFacts::executionsOf(u32 line) const {
    static const std::map<int, u64> kNone;
    const auto found = executions_.find(line);
    return found == executions_.end() ? kNone : found->second;
}

Facts BlockFacts::made(u32 w, u32 s) const {
    Facts facts;
    if (w >= block_.warps.size() || s >= block_.warps[w].steps.size()) return facts;
    const trace::WarpTrace& warp = block_.warps[w];
    const trace::Step& step = warp.steps[s];
    const ptx::Module& module = *run_.run().module;
    const u32 exist = lanesOf(w), active = u32(step.active.count());
    facts.id("warp", w), facts.id("step", s + 1.0), facts.count("step", f64(warp.steps.size()));
    facts.id("phase", phaseOf(w, s)), facts.count("phase", f64(warp.barrierSteps.size() + 1)),
        facts.id("instruction", step.pc.value);
    for (u32 line : run_.linesNear(step.pc))
        facts.id("line", line);
    facts.count("lane", active), facts.count("lane", exist), facts.count("lane", exist - active),
        facts.count("lane", kWarpSize), facts.count("lane", kWarpSize - exist), facts.count("thread", exist),
        facts.count("thread", block_.threads);
    if (step.pc.value < module.instructions.size() && module.at(step.pc).guard.present) {
        const u32 came = path(w, s);
        facts.count("lane", came);
        if (came >= active) facts.count("lane", came - active);
        if (s + 1 < warp.steps.size()) {
            const u32 next = u32(warp.steps[s + 1].active.count());
            facts.count("lane", next), facts.count("lane", next + active);
        }
        for (const ptx::Operand& operand : module.operandsOf(module.at(step.pc)))
            if (const auto* label = std::get_if<ptx::LabelOperand>(&operand)) {
                for (u32 line : run_.linesNear(label->target))
                    facts.id("line", line);
                for (u32 line : run_.linesNear(Pc{step.pc.value + 1}))
                    facts.id("line", line);
                const Pc meet = module.reconvergence(step.pc);
                if (meet != kNoPc)
                    for (u32 line : run_.linesNear(meet))
                        facts.id("line", line);
            }
    }
    for (u32 lane = 0; lane < exist; ++lane)
        facts.id("lane", lane), facts.id("thread", w * 32 + lane);
    facts.id("block", block_.block.x);
    if (step.access == trace::Step::kNone) return facts;
    const trace::WarpAccess access = warp.unpack(warp.accesses[step.access]);
    facts.count("byte", access.widthBytes), facts.count("byte", f64(access.widthBytes) * active);
    u64 first = ~u64{0}, end = 0;
    std::set<u64> places;
    for (Lane lane : access.active) {
        places.insert(access.addresses[lane.value]);
        first = std::min(first, access.addresses[lane.value]),
        end = std::max(end, access.addresses[lane.value] + access.widthBytes);
    }
    const u64 wanted = places.size() * access.widthBytes;
    facts.count("byte", f64(wanted));
    facts.count("element", f64(places.size())), facts.count("element", active);
    if (access.space == Space::Global) {
        const GlobalCost cost = globalCost(access, run_.capability());
        facts.count("sector", cost.items), facts.count("transaction", cost.items),
            facts.count("request", cost.requests), facts.count("byte", f64(cost.bytes));
        const u64 least = (wanted + 31) / 32;
        facts.count("sector", f64(least)), facts.count("byte", f64(least * 32));
        for (u32 bytes : cost.itemBytes)
            facts.count("byte", bytes);
        for (u32 half : cost.perHalf)
            facts.count("transaction", half), facts.count("sector", half);
        if (cost.bytes) facts.shares.emplace_back("used", f64(wanted) / f64(cost.bytes));
    } else if (access.space == Space::Shared) {
        const SharedCost cost = sharedCost(access, run_.capability(), module.textOf(step.pc));
        facts.count("wavefront", cost.wavefronts), facts.count("wavefront", cost.least),
            facts.count("word", cost.words), facts.count("bank", cost.banks);
        facts.count("word", cost.mostInOneBank), facts.count("way", cost.mostInOneBank),
            facts.count("way", cost.wavefronts), facts.count("group", cost.groups);
        for (u32 group : cost.perGroup)
            facts.count("wavefront", group), facts.count("way", group);
        const u32 banks = run_.capability().major == 1 ? 16 : 32;
        for (Lane lane : access.active)
            for (u64 word = access.addresses[lane.value] / 4;
                 word <= (access.addresses[lane.value] + access.widthBytes - 1) / 4; ++word)
                facts.id("word", f64(word)), facts.id("bank", f64(word % banks));
        for (u32 pass = 1; pass <= cost.wavefronts; ++pass)
            facts.id("wavefront", pass);
    }
    return facts;
}

}  // namespace lockstep::witness
