#include "viz/stages/matmul/patch_text.h"

#include "base/device_addresses.h"
#include "explain/numbers.h"
#include "explain/sentences/sentence.h"
#include "viz/messages.h"
#include "viz/phrases.h"

#include <algorithm>

namespace lockstep::viz {
namespace {

using namespace message;
using explain::Activity, explain::CellIndex, explain::Matrix, explain::PatchBlock, explain::PatchFacts,
    explain::PatchOperand, explain::ThreadSums, explain::Transfer;

constexpr Words kComputesPatch =
    english("Thread {0} computes {1} {1:element|elements} of {2}: {3} × {4}, from {5} to {6}.");
constexpr Words kComputesPieces =
    english("Thread {0} computes {1} {1:element|elements} of {2}: {3} × {4}, in pieces between {5} and {6}.");
constexpr Words kComputesSome =
    english("Thread {0} computes {1} {1:element|elements} of {2}, from {3} to {4}.");
constexpr Words kComputesNone = english("Thread {0} computes no element of {1}.");
constexpr Words kAddsProduct = english(
    "Thread {0} adds {1} × {2} = {3} × {4} to its sum for {5}; running sum after {7} {7:product|products}: "
    "{6}.");
constexpr Words kAddsForNothing =
    english("Thread {0} adds {1} × {2} = {3} × {4} to a sum that it does not store: {5} is out of bounds.");
constexpr Words kColumnElements = english("elements"), kColumnSums = english("sums");

// Both factors by their matrices, or, where the kernel made one of them (a zero), by the tiles that they lie
// in.
struct FactorNames {
    std::string m, n;
};
FactorNames factorNames(const PatchFacts& facts, const ViewInput& in, const ThreadSums::Product& product) {
    const PatchOperand &m = facts.operand(false), &n = facts.operand(true);
    const std::optional<CellIndex> ofM = facts.block->sourceOf(m, in.cursor.warp, product.m),
                                   ofN = facts.block->sourceOf(n, in.cursor.warp, product.n);
    const bool byTiles = (!ofM || !ofN) && m.tile && n.tile;
    const auto nameOf = [&](const PatchOperand& operand, const std::optional<CellIndex>& source,
                            const ThreadSums::Factor& factor) {
        return source && !byTiles ? cellName(operand.matrix, *source)
                                  : placeName(operand, operand.placeOf(factor.address));
    };
    return {nameOf(m, ofM, product.m), nameOf(n, ofN, product.n)};
}

bool isFloat(const ViewInput& in, const Matrix& matrix) {
    return explain::isFloatElement(in.run.recording.initial[matrix.buffer].type);
}

std::string productSentence(const ViewInput& in, const PatchFacts& facts) {
    const ThreadSums::Product& product = *facts.product;
    const ThreadSums::Sum& sum = facts.sums->sums[product.sum];
    const ThreadSums::Now& now = facts.now[product.sum];
    const Matrix& p = facts.block->p;
    const auto value = [&](f64 number, const Matrix& of) {
        return explain::numberText(number, isFloat(in, of));
    };
    const auto [m, n] = factorNames(facts, in, product);
    const std::string thread = threadName(in, in.cursor.warp, in.cursor.lane),
                      mValue = value(product.m.value, facts.block->m.matrix),
                      nValue = value(product.n.value, facts.block->n.matrix);
    if (!p.contains(sum.cell))
        return say(in.language, kAddsForNothing, thread, m, n, mValue, nValue, cellName(p, sum.cell));
    if (!now.sum) return {};
    return say(in.language, kAddsProduct, thread, m, n, mValue, nValue, cellName(p, sum.cell),
               value(*now.sum, p), now.products);
}

// The element of M, N or P that a lane reads or stores, of a vector the first; of a tile what was put there.
std::string elementsRead(const ViewInput& in, const PatchFacts& facts, const trace::WarpTrace& warp,
                         const trace::StoredAccess& access, Lane lane) {
    const PatchBlock& block = *facts.block;
    const u64 address = warp.address(access, lane);
    const bool isResult = facts.activity == Activity::Result;
    const PatchOperand& operand = facts.operand(facts.onN);
    const Matrix& matrix = isResult ? block.p : operand.matrix;
    const u32 bytes = info(in.run.recording.initial[matrix.buffer].type).bytes;
    std::optional<CellIndex> cell;
    if (access.space == trace::Space::Global)
        cell = matrix.cellOf((address - deviceAddressOf(matrix.buffer)) / bytes);
    else if (operand.holds(address))
        cell = block.sourceOf(operand, in.cursor.warp,
                              {.step = facts.actStep, .lane = lane, .address = address, .cell = {}});
    if (!cell) return {};  // zeros that the kernel made
    const u32 each = access.space == trace::Space::Global ? bytes : operand.tile->elementBytes;
    return cellName(matrix, *cell) + (access.widthBytes > each ? " …" : "");
}

// What the step says is of an access, and that is over.
bool isOver(const PatchFacts& facts) { return facts.between && facts.activity != Activity::SetUp; }

ProductMoment momentOf(const PatchFacts& facts) {
    return {.m = facts.block->m.matrix.name,
            .n = facts.block->n.matrix.name,
            .p = facts.block->p.name,
            .doing = {facts.activity, facts.onN},
            .next = facts.next,
            .tile = facts.round(),
            .tiles = facts.tiles(),
            .lastAccess = isOver(facts) ? std::optional(facts.accessStep) : std::nullopt};
}

std::string movesSentence(const ViewInput& in, const PatchFacts& facts, const trace::WarpTrace& warp) {
    const PatchOperand& operand = facts.operand(facts.onN);
    u32 moved = 0;
    LaneMask lanes;
    for (const Transfer& t : facts.transfers(facts.onN)) {
        if (t.warp != in.cursor.warp) continue;
        const bool isNow =
            facts.activity == Activity::Load ? t.loadStep == facts.actStep : t.storeStep == facts.actStep;
        if (!isNow) continue;
        if (!t.loadStep || t.outside || !t.asked || t.isAlias() || t.isCopy()) return {};
        ++moved, lanes = lanes | LaneMask::of(t.lane);
    }
    if (moved == 0 || moved != u32(lanes.count())) return {};
    return facts.activity == Activity::Load
               ? say(in.language, kSentenceLoad, in.cursor.warp.value, moved, operand.matrix.name)
               : keepSentence(in, warp, facts.actStep, moved, operand.matrix.name, operand.tile->name);
}

}  // namespace

std::string placeName(const PatchOperand& operand, u64 place) { return operand.tile->nameOf(place); }

std::string patchOfThread(const ViewInput& in, const PatchBlock& block, Warp warp, Lane lane) {
    std::vector<CellIndex> cells;
    for (const ThreadSums::Sum& sum : block.sumsOf(warp, lane).sums)
        if (block.p.contains(sum.cell)) cells.push_back(sum.cell);
    const std::string thread = threadName(in, warp, lane);
    if (cells.empty()) return say(in.language, kComputesNone, thread, block.p.name);
    const std::string first = cellName(block.p, cells.front()), last = cellName(block.p, cells.back());
    if (cells.size() == 1) return say(in.language, kThreadOwns, thread, first);
    const explain::PatchExtents extents = explain::extentsOf(cells);
    const auto isGapless = [](const std::vector<s64>& of) {
        return of.back() - of.front() + 1 == s64(of.size());
    };
    const Words& patch =
        isGapless(extents.rows) && isGapless(extents.columns) ? kComputesPatch : kComputesPieces;
    return extents.isWhole ? say(in.language, patch, thread, cells.size(), block.p.name, extents.rows.size(),
                                 extents.columns.size(), first, last)
                           : say(in.language, kComputesSome, thread, cells.size(), block.p.name, first, last);
}

std::string patchCaption(const ViewInput& in, const PatchFacts& facts) {
    return productCaption(in, momentOf(facts));
}

std::string patchSentence(const ViewInput& in, const PatchFacts& facts, const CursorContext& here) {
    const std::string own =
        explain::sentenceAt(*in.run.module, in.run.recording, *here.block, in.cursor.warp, in.cursor.step,
                            in.profile, explain::arrayShapes(in.run, in.cursor.launch))
            .in(in.language);
    if (isOver(facts)) return own + pictureOf(momentOf(facts), in.language);
    std::string text;
    if (facts.product)
        text = productSentence(in, facts);
    else if (!facts.between && (facts.activity == Activity::Load || facts.activity == Activity::Keep))
        text = movesSentence(in, facts, *here.warp);
    else if (facts.activity == Activity::SetUp && !facts.sums->sums.empty())
        return own + (own.ends_with("。") ? "" : " ") +
               patchOfThread(in, *facts.block, in.cursor.warp, in.cursor.lane);
    return text.empty() ? own : text;
}

void drawPatchTable(Canvas& canvas, const ViewInput& in, const PatchFacts& facts, const CursorContext& here,
                    const Rect& area) {
    const PatchBlock& block = *facts.block;
    const u32 step = facts.actStep;
    const auto accessOf = [&](Lane lane) -> const trace::StoredAccess* {
        const trace::StoredAccess* access = explain::accessOf(*here.warp, step);
        return access && access->active.has(lane) ? access : nullptr;
    };
    const bool isMove = facts.activity == Activity::Load || facts.activity == Activity::Keep;
    const auto rowOf = [&](Lane lane) {
        LaneTable::Row row{.first = {}, .last = {}, .mark = {}};
        if (isMove) {
            const Transfer* first = nullptr;
            u32 count = 0;
            for (const Transfer& t : facts.transfers(facts.onN))
                if (t.warp == in.cursor.warp && t.lane == lane &&
                    (facts.activity == Activity::Load ? t.loadStep == step : t.storeStep == step))
                    first = first ? first : &t, ++count;
            if (!first) return row;
            const std::optional<CellIndex> cell = first->read ? first->read : first->asked;
            if (cell) row.first = cellName(facts.operand(facts.onN).matrix, *cell) + (count > 1 ? " …" : "");
            row.mark = first->loadStep.has_value();
            row.last = first->value;
            return row;
        }
        if (facts.activity == Activity::Multiply && facts.product) {
            // Those that have done this step.
            const ThreadSums& sums = block.sumsOf(in.cursor.warp, lane);
            const auto product = std::ranges::find(sums.products, step, &ThreadSums::Product::step);
            if (product == sums.products.end()) return row;
            row.first = explain::numberText(product->m.value, isFloat(in, block.m.matrix), 5) + " × " +
                        explain::numberText(product->n.value, isFloat(in, block.n.matrix), 5);
            if (const auto now = sums.after(step + 1)[product->sum].sum)
                row.last = explain::numberText(*now, isFloat(in, block.p), 7);
            return row;
        }
        if (const trace::StoredAccess* access = accessOf(lane);
            access && (facts.activity == Activity::Multiply || facts.activity == Activity::Result)) {
            const ptx::Type type = explain::elementType(*in.run.module, here.warp->steps[step].pc);
            row.first = elementsRead(in, facts, *here.warp, *access, lane);
            row.last =
                explain::valueText(here.warp->value(*access, lane).subspan(0, ptx::bytesOf(type)), type, 7);
            row.mark = true;
            return row;
        }
        if (facts.activity == Activity::Result) return row;
        const auto stored = block.stored.find({in.cursor.warp.value, lane.value});
        if (stored == block.stored.end()) return row;
        row.first = cellName(block.p, stored->second.front().cell) + (stored->second.size() > 1 ? " …" : "");
        row.last = std::to_string(stored->second.size());
        return row;
    };
    const bool isResult = facts.activity == Activity::Result, isProduct = facts.product != nullptr,
               isRead = facts.activity == Activity::Multiply && !isProduct;
    const LaneTable table{.first = isMove               ? kColumnAsks
                                   : isProduct          ? kColumnFactors
                                   : isRead || isResult ? kColumnElement
                                                        : kColumnElements,
                          .last = isMove               ? kColumnGets
                                  : isProduct          ? kSum
                                  : isRead || isResult ? kColumnValue
                                                       : kColumnSums,
                          .marks = isMove     ? &kColumnReads
                                   : isResult ? &kColumnWrites
                                              : nullptr,
                          .rowOf = rowOf};
    drawLaneTable(canvas, in, here, area, table);
}

}  // namespace lockstep::viz
