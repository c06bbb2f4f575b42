// What a whole run comes to, under the rules of its device.
#include "base/device_addresses.h"
#include "base/text/trimmed.h"
#include "witness/record/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace lockstep::witness {
namespace {

using trace::AccessKind, trace::Space;

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
    ownLines_ = lines_;
    lines_ = filledLines(module, ownLines_);
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

    constants_ = constantsOf(run, source_);
    arrays_ = arraysOf(run, source_);

    const trace::Recording& recording = run.recording;
    // Sums of the grid.
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
                } else if (site.space == Space::Shared && site.kind != AccessKind::AsyncCopy) {
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
    for (std::string_view text = module.text(); !text.empty();) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        ptx_.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    for (const auto& [pc, ofGuard] : ofPc_) {
        PcSums sums = ofGuard;
        // A lane that does not jump has executed the branch, too.
        if (module.at(Pc{pc}).guard.present && module.at(Pc{pc}).form.starts_with("bra"))
            sums.activeLanes = lanesComingTo(Pc{pc});
        for (PcSums* into : {&ofLine_[lineOf(Pc{pc})], &ofPtxLine_[module.at(Pc{pc}).line], &total_}) {
            into->executions += sums.executions, into->activeLanes += sums.activeLanes,
                into->divergent += sums.divergent;
            into->sectors += sums.sectors, into->bytes += sums.bytes, into->requests += sums.requests,
                into->wavefronts += sums.wavefronts, into->least += sums.least;
        }
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
        g.count("element", f64(array.elements())), g.count("byte", f64(array.bytes));
    if (run.catalog)
        for (const auto& [name, value] : run.catalog->values)
            g.count(name, f64(value)), g.id(name, f64(value));
}

std::optional<s64> RunFacts::constant(const std::string& name) const {
    const auto found = constants_.find(name);
    if (found == constants_.end() || found->second.empty() || !std::isdigit(u8(found->second[0])))
        return std::nullopt;
    return std::stoll(found->second);
}

std::set<u32> RunFacts::linesNear(Pc pc) const {
    std::set<u32> lines;
    if (pc.value >= ownLines_.size()) return lines;
    if (lines_[pc.value]) lines.insert(lines_[pc.value]);
    for (u32 back = pc.value + 1; back-- > 0;)
        if (ownLines_[back]) {
            lines.insert(ownLines_[back]);
            break;
        }
    for (u32 on = pc.value; on < ownLines_.size(); ++on)
        if (ownLines_[on]) {
            lines.insert(ownLines_[on]);
            break;
        }
    return lines;
}

bool RunFacts::isInSource(std::string_view code) const {
    for (std::string_view end : {std::string_view("…")})
        if (code.ends_with(end)) code.remove_suffix(end.size());
    if (code.starts_with("…")) code.remove_prefix(std::string_view("…").size());
    code = trimmed(code, kAllBlanks);
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
    if (offset + array.componentBytes() > bytes.size()) return std::nullopt;
    return readNumber(array.type, array.componentBytes(), bytes.data() + offset);
}
std::optional<f64> RunFacts::final(const Array& array, u64 address) const {
    if (array.buffer < 0 || std::size_t(array.buffer) >= run_.recording.final.size()) return std::nullopt;
    const auto& bytes = run_.recording.final[std::size_t(array.buffer)].bytes;
    const u64 offset = address - array.address;
    if (offset + array.componentBytes() > bytes.size()) return std::nullopt;
    return readNumber(array.type, array.componentBytes(), bytes.data() + offset);
}

const PcSums& RunFacts::of(Space space, AccessKind kind) const {
    static const PcSums kNone;
    const auto found = bySpace_.find({int(space), int(kind)});
    return found == bySpace_.end() ? kNone : found->second;
}

}  // namespace lockstep::witness
