// What a script knows of registers that are linear in the block's coordinates: no step computes them.
#include "simt/opcodes/lane_helpers.h"
#include "simt/script/script_writer.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace lockstep::simt {
namespace {

using Kind = LinearForm::Kind;
using Comparison = LinearForm::Comparison;

// Differences and bounds of values of 64 bits must not overflow: others are not looked into.
constexpr s64 kFar = s64{1} << 62;

std::optional<LinearForm> formOf(const Program& program, const Op& op) {
    if (op.execute == &narrowLanes) return LinearForm{.kind = Kind::Narrow, .is64 = true};
    if (op.execute == &widenLanes) return LinearForm{.kind = Kind::Widen};
    if (op.execute == &widenSignedLanes) return LinearForm{.kind = Kind::Widen, .isSigned = true};
    if (op.aux >= program.rows.size() || program.rows[op.aux]->execute != op.execute ||
        program.rows[op.aux]->results != 1)
        return {};
    return linearForm(program.rows[op.aux]->form);
}

// The same in all these lanes.
std::optional<s64> uniform(const std::array<s64, kWarpSize>& values, u32 active) {
    const s64 first = values[LaneMask{active}.lowest().value];
    for (Lane lane : LaneMask{active})
        if (values[lane.value] != first) return {};
    return first;
}

bool comesOut(Comparison comparison, s64 difference) {
    switch (comparison) {
        case Comparison::Equal: return difference == 0;
        case Comparison::NotEqual: return difference != 0;
        case Comparison::Less: return difference < 0;
        case Comparison::LessOrEqual: return difference <= 0;
        case Comparison::Greater: return difference > 0;
        case Comparison::GreaterOrEqual: return difference >= 0;
    }
    return false;
}

struct Range {
    s64 least, most;
};
// By how much a difference may change without a comparison with 0 coming out differently.
Range withinSame(Comparison comparison, s64 difference) {
    const bool outcome = comesOut(comparison, difference);
    const auto below = [&](s64 end) { return Range{Scalars::kLeast, end - 1 - difference}; };
    const auto from = [&](s64 begin) { return Range{begin - difference, Scalars::kMost}; };
    switch (comparison) {
        case Comparison::Equal:
        case Comparison::NotEqual: return difference == 0 ? Range{0, 0} : difference < 0 ? below(0) : from(1);
        case Comparison::Less: return outcome ? below(0) : from(0);
        case Comparison::LessOrEqual: return outcome ? below(1) : from(1);
        case Comparison::Greater: return outcome ? from(1) : below(1);
        case Comparison::GreaterOrEqual: return outcome ? from(0) : below(0);
    }
    return {0, 0};
}

}  // namespace

std::optional<ScriptWriter::Source> ScriptWriter::sourceOf(u32 warp, u32 offset, bool is64, bool isSigned,
                                                           const std::byte* frame, u32 active) {
    const Register& r = at(warp, offset);
    const u32 shifted = r.shifted & active;
    if ((r.data | r.ofBlock) & active || (shifted && shifted != active)) return {};
    Source source;
    if (shifted) source.scalar = r.scalar;
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
        if (is64) {
            std::memcpy(&source.values[lane], frame + offset + lane * sizeof(u64), sizeof(u64));
            continue;
        }
        u32 word;
        std::memcpy(&word, frame + offset + lane * sizeof word, sizeof word);
        source.values[lane] = isSigned ? s64{s32(word)} : s64{word};
    }
    return source;
}

std::optional<u32> ScriptWriter::exactly(const Source& source, bool is64, bool isSigned, u32 active) {
    if (source.scalar == Scalars::kZero) return Scalars::kZero;
    s64 least = kFar, most = -kFar;
    for (Lane lane : LaneMask{active}) {
        least = std::min(least, source.values[lane.value]);
        most = std::max(most, source.values[lane.value]);
    }
    Scalars& scalars = script_->scalars;
    if (is64) {
        // Those of an unsigned type that look negative are larger than any that are looked into.
        if (least <= (isSigned ? -kFar : -1) || most >= kFar) return {};
        scalars.bound(source.scalar, isSigned ? -kFar : -least, kFar);
        return source.scalar;
    }
    const s64 lowest = isSigned ? std::numeric_limits<s32>::min() : 0;
    const s64 highest =
        isSigned ? s64{std::numeric_limits<s32>::max()} : s64{std::numeric_limits<u32>::max()};
    const u32 change = scalars.signed32(source.scalar);
    scalars.bound(change, lowest - least, highest - most);
    return change;
}

void ScriptWriter::becomesShifted(u32 warp, u32 offset, Storage storage, const std::byte* frame, u32 active,
                                  u32 scalar) {
    if (scalar == Scalars::kZero) return becomesKnown(warp, offset, active);
    Register& r = at(warp, offset);
    if (const u32 others = r.shifted & ~active; others && r.scalar != scalar) {
        bring(warp, offset, storage, frame, others);
        r.ofBlock |= others;
        r.shifted = 0;
    }
    becomesKnown(warp, offset, active);
    r.shifted |= active;
    r.scalar = scalar;
}

bool ScriptWriter::compares(const LinearForm& form, const Source& a, const Source& b, u32 active) {
    for (const Source* source : {&a, &b})
        if (form.is64 && source->scalar == Scalars::kZero)
            for (Lane lane : LaneMask{active})
                if (source->values[lane.value] >= kFar ||
                    source->values[lane.value] <= (form.isSigned ? -kFar : -1))
                    return false;
    const std::optional<u32> ofA = exactly(a, form.is64, form.isSigned, active),
                             ofB = exactly(b, form.is64, form.isSigned, active);
    if (!ofA || !ofB) return false;
    Scalars& scalars = script_->scalars;
    const u32 change = *ofA == *ofB ? Scalars::kZero : scalars.sum(*ofA, scalars.product(*ofB, -1));
    if (change == Scalars::kZero) return true;
    for (Lane lane : LaneMask{active}) {
        const Range range = withinSame(form.comparison, a.values[lane.value] - b.values[lane.value]);
        scalars.bound(change, range.least, range.most);
    }
    return true;
}

bool ScriptWriter::becomesLinear(u32 warp, const Op& op, const OpOperands& operands, const std::byte* frame,
                                 u32 active) {
    const std::optional<LinearForm> form = formOf(program_, op);
    if (!form) return false;
    const bool isWideSum = form->kind == Kind::MultiplyAddWide;
    std::array<Source, 3> sources;
    u32 count = 0;
    for (const OpOperand& operand : operands) {
        if (!operand.isRead) continue;
        if (count == sources.size() || operand.isWritten) return false;
        const bool is64 = form->is64 || (isWideSum && count == 2);
        if ((operand.storage == Storage::Lanes64) != is64 && form->kind != Kind::ShiftLeft) return false;
        std::optional<Source> source = sourceOf(
            warp, op.at[operand.place], operand.storage == Storage::Lanes64, form->isSigned, frame, active);
        if (!source) return false;
        sources[count++] = *source;
    }
    Scalars& scalars = script_->scalars;
    // A product of one that changes and one that does not, which is the same in all lanes.
    const auto product = [&](bool isWide) -> std::optional<u32> {
        const bool isFirst = sources[0].scalar != Scalars::kZero;
        const Source &changing = sources[isFirst ? 0 : 1], &factor = sources[isFirst ? 1 : 0];
        if (changing.scalar == Scalars::kZero) return Scalars::kZero;
        const std::optional<s64> times = uniform(factor.values, active);
        if (factor.scalar != Scalars::kZero || !times) return {};
        const std::optional<u32> change =
            isWide ? exactly(changing, false, form->isSigned, active) : changing.scalar;
        if (!change) return {};
        return scalars.product(*change, *times);
    };
    std::optional<u32> result;
    switch (form->kind) {
        case Kind::Move:
        case Kind::Narrow: result = sources[0].scalar; break;
        case Kind::Add: result = scalars.sum(sources[0].scalar, sources[1].scalar); break;
        case Kind::Subtract:
            result = sources[0].scalar == sources[1].scalar
                         ? Scalars::kZero
                         : scalars.sum(sources[0].scalar, scalars.product(sources[1].scalar, -1));
            break;
        case Kind::Multiply: result = product(false); break;
        case Kind::MultiplyWide: result = product(true); break;
        case Kind::MultiplyAdd:
        case Kind::MultiplyAddWide:
            result = product(isWideSum);
            if (result) result = scalars.sum(*result, sources[2].scalar);
            break;
        case Kind::ShiftLeft: {
            const std::optional<s64> by = uniform(sources[1].values, active);
            if (sources[1].scalar == Scalars::kZero && by && *by >= 0 && *by < (form->is64 ? 63 : 32))
                result = scalars.product(sources[0].scalar, s64{1} << *by);
            break;
        }
        case Kind::Widen: result = exactly(sources[0], false, form->isSigned, active); break;
        case Kind::Compare:
            if (compares(*form, sources[0], sources[1], active)) result = Scalars::kZero;
            break;
    }
    if (!result) return false;
    for (const OpOperand& operand : operands)
        if (operand.isWritten)
            becomesShifted(warp, op.at[operand.place], operand.storage, frame, active, *result);
    return true;
}

u32 ScriptWriter::distancesOf(const std::array<u64, kWarpSize>& distances) {
    constexpr std::size_t kLatest = 16;  // that are looked through: mostly there are few
    std::vector<std::array<u64, kWarpSize>>& all = script_->distances;
    const auto latest = all.end() - std::ptrdiff_t(std::min(all.size(), kLatest));
    const auto known = std::find(latest, all.end(), distances);
    if (known != all.end()) return u32(known - all.begin());
    memoBytes_ += sizeof distances;
    all.push_back(distances);
    return u32(all.size() - 1);
}

// At addresses that are known but for a number.
bool ScriptWriter::accessesAt(u32 warp, ScriptStep::Kind kind, const Op& op, const std::byte* frame,
                              u32 active) {
    const MemoryOperation& operation = program_.memory[op.aux];
    std::array<u64, kWarpSize> at;
    u32 scalar = Scalars::kZero;
    if (kind == ScriptStep::Kind::LoadIndexed) {
        const MemoryOperation::Index& index = operation.index;
        const std::optional<Source> indices = sourceOf(warp, index.at, false, index.isSigned, frame, active),
                                    base = sourceOf(warp, index.baseAt, true, false, frame, active);
        if (!indices || !base || base->scalar != Scalars::kZero) return false;
        const std::optional<u32> change = exactly(*indices, false, index.isSigned, active);
        if (!change) return false;
        const s64 scale = index.isSigned ? s64{s32(index.scale)} : s64{index.scale};
        scalar = script_->scalars.product(*change, scale);
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            at[lane] = u64(base->values[lane]) + u64(indices->values[lane]) * u64(scale);
    } else if (kind == ScriptStep::Kind::AccessGlobal) {
        const std::optional<Source> source = sourceOf(warp, operation.address, true, false, frame, active);
        if (!source) return false;
        scalar = source->scalar;
        std::ranges::copy(source->values, at.begin());
    } else {
        return false;
    }
    const bool isLoad = operation.kind == trace::AccessKind::Load;
    for (u32 i = 0; i < operation.elements && !isLoad; ++i)
        bringSlot(warp, operation.registers[i], frame, active);
    ScriptStep& step = add(ScriptStep::Kind::AccessAt, warp, op, active);
    step.at = at[LaneMask{active}.lowest().value];
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        at[lane] = active >> lane & 1 ? at[lane] - step.at : 0;
    step.value = distancesOf(at);
    step.to = operation.registers[0].at;
    step.scalar = scalar;
    // Where the addresses are written after all, they are right.
    for (u32 i = 0; i < operation.elements && isLoad; ++i)
        if (operation.registers[i].at != ElementSlot::kDiscard)
            becomesData(warp, operation.registers[i].at, active);
    return true;
}

}  // namespace lockstep::simt
