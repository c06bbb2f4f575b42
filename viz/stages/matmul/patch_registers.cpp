// Of the stage of patches: the registers of the cursor's thread. Its sums as the patch of P that they become,
// at their left the elements of M and above them those of N that it holds for the products of one k.
#include "explain/numbers.h"
#include "viz/marks/cell.h"
#include "viz/marks/cursor_box.h"
#include "viz/messages.h"
#include "viz/stages/matmul/patch_drawing.h"

#include <algorithm>
#include <cmath>

namespace lockstep::viz {

using namespace message;

namespace {

constexpr Words kSumsOfThread = english("Thread {0}: {1} × {2} sums");
constexpr Words kManySums = english("Thread {0}: {1} {1:sum|sums}");
constexpr u32 kInRegister = 1;  // ValueCell::row
constexpr Words kSumSoFar = english("{0}: running sum after {1} {1:product|products}: {2}.");

}  // namespace

RectStyle PatchStage::sumToCome() const {
    return {.stroke = {warpColor(), 1, Dash::Dashed}, .radius = radius::kCell};
}

void PatchStage::drawRegisters() {
    const Rect& area = layout_.registers;
    if (patch_.empty()) return;
    const explain::PatchBlock& block = *facts_.block;
    const u32 rows = u32(extents_.rows.size()), columns = u32(extents_.columns.size());
    const std::string thread = threadName(in_, in_.cursor.warp, in_.cursor.lane);
    const std::string title = extents_.isWhole && patch_.size() > 1
                                  ? say(in_.language, kSumsOfThread, thread, rows, columns)
                                  : say(in_.language, kManySums, thread, patch_.size());
    canvas_.textWithin({area.x, area.y + 9}, area.width, title, {.bold = true});
    // Names of rows and columns stand outside, the factors between them and the sums.
    const auto isFloat = [&](const Matrix& m) {
        return explain::isFloatElement(in_.run.recording.initial[m.buffer].type);
    };
    const TextStyle axis{.size = type::kAxis, .mono = true, .role = role(RoleKind::TextSecond)};
    const f32 indexWide = canvas_.width(std::to_string(extents_.rows.back()), axis) + 6, indexTall = 16;
    const f32 top = area.y + 26;
    const auto cellFor = [&](f32 wide, f32 tall) {
        return std::min(
            {(wide - indexWide - 6) / f32(columns + 1), (tall - indexTall - 6) / f32(rows + 1), 48.0f});
    };
    // Cells are wider than tall where that gives the digits room.
    const f32 tall = std::floor(std::min(cellFor(1e6f, area.bottom() - top), kTallestRegister));
    const f32 wide = std::floor(std::min((area.width - indexWide - 8) / f32(columns + 1), 54.0f));
    if (tall < 4 || wide < 4) return;
    const Point factorsM{area.x + indexWide, top + indexTall + tall + 4},
        factorsN{area.x + indexWide + wide + 4, top + indexTall};
    const Point sums{factorsN.x, factorsM.y};
    // The factors that the thread has loaded last, of each row and column.
    std::map<s64, const ThreadSums::Factor*> m, n;
    const auto latest = [&](std::map<s64, const ThreadSums::Factor*>& all, s64 line,
                            const ThreadSums::Factor& f) {
        if (f.step > in_.cursor.step) return;
        const ThreadSums::Factor*& known = all[line];
        if (!known || std::pair(known->step, known->part) < std::pair(f.step, f.part)) known = &f;
    };
    for (const ThreadSums::Product& product : facts_.sums->products) {
        latest(m, facts_.sums->sums[product.sum].cell.row, product.m);
        latest(n, facts_.sums->sums[product.sum].cell.column, product.n);
    }
    const auto write = [&](const Rect& box, const std::string& text, const TextStyle& base,
                           std::size_t characters) {
        TextStyle style = base;
        style.size =
            fittingSize(canvas_, std::string(std::max(characters, text.size()), '0'), box.width - 3, style,
                        std::min(in_.isPresented ? type::kName : type::kCode, box.height * 0.7f));
        if (style.size > 0) canvas_.text(box.centre(), text, style);
    };
    const bool hasNumbers = wide >= 26 && tall >= 13, hasIndices = tall >= 9 && wide >= 14;
    const u32 characters = wide >= 40 ? 6 : wide >= 32 ? 5 : 4;
    std::size_t longestFactor = 0;
    for (const auto& [all, matrix] : {std::pair(&m, &block.m.matrix), std::pair(&n, &block.n.matrix)})
        for (const auto& [line, factor] : *all)
            longestFactor = std::max(longestFactor,
                                     explain::numberText(factor->value, isFloat(*matrix), characters).size());
    const auto drawFactor = [&](const Rect& cell, const Matrix& matrix, bool isN,
                                const ThreadSums::Factor* factor, bool isUsed) {
        const Rect box = cell.inset(wide > 14 ? 1 : 0.5f);
        canvas_.rect(
            box, {.fill = role(RoleKind::Panel), .stroke = {role(RoleKind::Edge)}, .radius = radius::kCell});
        if (!factor) return;
        if (hasNumbers)
            write(box, explain::numberText(factor->value, isFloat(matrix), characters),
                  {.bold = isUsed, .mono = true, .align = Align::Centre}, longestFactor);
        const auto source = block.sourceOf(facts_.operand(isN), in_.cursor.warp, *factor);
        // What the thread holds of an element, which memory may hold otherwise by now.
        if (source && matrix.contains(*source))
            canvas_.cell({.rect = cell,
                          .at = addressOf(matrix, u64(source->row) * matrix.columns + u64(source->column)),
                          .row = kInRegister,
                          .value = factor->value});
        canvas_.hit(cell, {.hover = say(in_.language, kCellIs,
                                        source ? cellName(matrix, *source)
                                               : placeName(facts_.operand(isN),
                                                           facts_.operand(isN).placeOf(factor->address)),
                                        explain::numberText(factor->value, isFloat(matrix))),
                           .go = at(in_.cursor.warp, in_.cursor.lane, factor->step)});
        if (isUsed) cursorBox(canvas_, box, 2);
    };
    const CellIndex* used = facts_.product ? &facts_.sums->sums[facts_.product->sum].cell : nullptr;
    const auto writeIndex = [&](Point at, s64 index, Align align) {
        TextStyle style = axis;
        style.align = align;
        canvas_.text(at, std::to_string(index), style);
    };
    std::map<s64, u32> rowAt, columnAt;
    for (u32 r = 0; r < rows; ++r) {
        const s64 row = extents_.rows[r];
        rowAt[row] = r;
        const Rect cell{factorsM.x, factorsM.y + f32(r) * tall, wide, tall};
        if (hasIndices) writeIndex({cell.x - 5, cell.centre().y}, row, Align::Right);
        const auto found = m.find(row);
        drawFactor(cell, block.m.matrix, false, found == m.end() ? nullptr : found->second,
                   used && used->row == row);
    }
    for (u32 c = 0; c < columns; ++c) {
        const s64 column = extents_.columns[c];
        columnAt[column] = c;
        const Rect cell{factorsN.x + f32(c) * wide, factorsN.y, wide, tall};
        if (hasIndices && canvas_.width(std::to_string(column), axis) < wide - 2)
            writeIndex({cell.centre().x, cell.y - 9}, column, Align::Centre);
        const auto found = n.find(column);
        drawFactor(cell, block.n.matrix, true, found == n.end() ? nullptr : found->second,
                   used && used->column == column);
    }
    std::vector<std::string> texts;
    std::size_t longest = 0;
    u32 most = 0;
    for (const ThreadSums::Now& now : facts_.now) {
        const auto value = now.stored ? now.stored : now.sum;
        texts.push_back(value ? explain::numberText(*value, isFloat(block.p), characters) : std::string());
        longest = std::max(longest, texts.back().size()), most = std::max(most, now.products);
    }
    for (std::size_t i = 0; i < patch_.size(); ++i) {
        const ThreadSums::Now& now = facts_.now[i];
        const CellIndex& index = patch_[i];
        const Rect cell{sums.x + f32(columnAt[index.column]) * wide, sums.y + f32(rowAt[index.row]) * tall,
                        wide, tall};
        const Rect box = cell.inset(wide > 14 ? 1 : 0.5f);
        const bool exists = block.p.contains(index);
        // Strong: it has this k's product already; stored: full; dashed: the product is to come.
        const bool isDone = now.stored || (now.products == most && most > 0);
        const Role fill = laneColor(in_.cursor.warp, in_.cursor.lane, now.stored ? 1.0f : 0.75f);
        if (!exists)
            ghostCell(canvas_, box, now.products > 0);
        else
            canvas_.rect(box, isDone ? RectStyle{.fill = fill, .radius = radius::kCell} : sumToCome());
        if (hasNumbers && exists)
            write(box, texts[i],
                  {.bold = true,
                   .mono = true,
                   .align = Align::Centre,
                   .role = isDone ? inkOn(fill) : role(RoleKind::Text)},
                  longest);
        drawSumCell(cell, i);
        const std::string name = cellName(block.p, index);
        Hit hit{.hover = !exists      ? say(in_.language, kCellOutside, name, block.p.name)
                         : now.stored ? say(in_.language, kCellIs, name,
                                            explain::numberText(*now.stored, isFloat(block.p)))
                         : now.sum    ? say(in_.language, kSumSoFar, name, now.products,
                                            explain::numberText(*now.sum, isFloat(block.p)))
                                      : name};
        if (exists && facts_.sums->sums[i].storeStep)
            hit.go = at(in_.cursor.warp, in_.cursor.lane, *facts_.sums->sums[i].storeStep);
        canvas_.hit(cell, std::move(hit));
        if (used && *used == index) cursorBox(canvas_, box, 2);
    }
}

}  // namespace lockstep::viz
