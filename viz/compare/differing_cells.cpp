#include "viz/compare/differing_cells.h"

#include "explain/arrays/sheet_touches.h"
#include "explain/numbers.h"
#include "viz/cursor/lookup.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

namespace lockstep::viz {
namespace {

using explain::Sheet;

// An element whatever the run: of which array, and its row and column there; or the number of a thread.
struct Identity {
    ValueCell::Of of = ValueCell::Of::Global;
    std::string_view array;
    u64 row = 0, column = 0;
    u32 version = 0;  // ValueCell::row
    auto operator<=>(const Identity&) const = default;
};

// What a cell holds: bytes of memory, or the number that the picture shows instead. None of both: nothing is
// known to stand there.
struct Held {
    std::array<std::byte, 8> bytes{};
    u32 size = 0;
    ptx::Type type = ptx::Type::F32;
    std::optional<f64> number{};

    bool isEmpty() const { return size == 0 && !number; }
    std::string text() const {
        return isEmpty() ? std::string()
               : number  ? explain::numberText(*number, true)
                         : explain::valueText(std::span(bytes).first(size), type);
    }
    bool operator==(const Held& other) const {
        if (isEmpty() || other.isEmpty()) return isEmpty() == other.isEmpty();
        if (number && other.number)
            return *number == *other.number || (std::isnan(*number) && std::isnan(*other.number));
        if (!number && !other.number && size == other.size && bytes == other.bytes) return true;
        // Of a number and of memory what can be told apart; of two unequal ones in memory: both are no
        // number.
        return text() == other.text() && (number || other.number || text() == "NaN");
    }
};

// The arrays of a run, with what they hold at the cursor as far as its block's record tells.
class Memory {
public:
    explicit Memory(const ViewInput& in) : here_(lookUp(in.run, in.cursor)) {
        if (here_.block) touches_.emplace(in.run, in.cursor, here_);
        sheets_ = explain::sheetsOf(in.run, in.cursor.launch, none_);
    }

    std::optional<Identity> identityOf(const ValueCell& cell) const {
        if (cell.of == ValueCell::Of::Thread)
            return Identity{.of = cell.of, .array = {}, .row = 0, .column = cell.at, .version = cell.row};
        for (const Sheet& sheet : sheets_) {
            if (ofOf(sheet) != cell.of || !sheet.contains(cell.at)) continue;
            const u64 element = (cell.at - sheet.base) / sheet.bytes;
            return Identity{.of = cell.of,
                            .array = sheet.name,
                            .row = sheet.isMatrix ? element / sheet.columns : 0,
                            .column = sheet.isMatrix ? element % sheet.columns : element,
                            .version = cell.row};
        }
        return std::nullopt;
    }

    // None: this run has no such element.
    std::optional<Held> heldAt(const Identity& which) {
        for (std::size_t i = 0; i < sheets_.size(); ++i) {
            const Sheet& sheet = sheets_[i];
            if (ofOf(sheet) != which.of || sheet.name != which.array) continue;
            if (sheet.isMatrix && (which.column >= sheet.columns || which.row >= sheet.rows()))
                return std::nullopt;
            const u64 element = sheet.isMatrix ? which.row * sheet.columns + which.column : which.column;
            if (!sheet.isMatrix && which.row > 0) return std::nullopt;
            return element < sheet.elements ? std::optional(heldIn(i, element)) : std::nullopt;
        }
        return std::nullopt;
    }

private:
    using Seen = std::map<u64, explain::SheetTouches::Seen>;

    static ValueCell::Of ofOf(const Sheet& sheet) {
        return sheet.space == trace::Space::Shared ? ValueCell::Of::Shared : ValueCell::Of::Global;
    }
    Held heldIn(std::size_t number, u64 element) {
        const Sheet& sheet = sheets_[number];
        std::optional<Seen>& seen = seen_[number];
        if (!seen) seen = touches_ ? touches_->before(sheet) : Seen{};
        if (const auto found = seen->find(element); found != seen->end())
            return {.bytes = found->second.bytes, .size = found->second.size, .type = found->second.type};
        Held held{.type = sheet.type};
        if (sheet.buffer && element < sheet.buffer->count()) {
            held.size = std::min<u32>(sheet.bytes, u32(held.bytes.size()));
            std::memcpy(held.bytes.data(), &sheet.buffer->bytes[element * sheet.bytes], held.size);
        }
        return held;
    }

    CursorContext here_;
    explain::BlockParts none_;
    std::optional<explain::SheetTouches> touches_;
    std::vector<Sheet> sheets_;
    std::map<std::size_t, std::optional<Seen>> seen_;
};

// What the cells of a picture hold, by element; of several for one the first.
std::map<Identity, Held> heldIn(const Scene& scene, Memory& memory) {
    std::map<Identity, Held> all;
    for (const ValueCell& cell : scene.cells)
        if (const auto which = memory.identityOf(cell)) {
            if (cell.value)
                all.try_emplace(*which, Held{.number = cell.value});
            else if (const auto held = memory.heldAt(*which))
                all.try_emplace(*which, *held);
        }
    return all;
}

std::vector<Rect> differing(const Scene& scene, Memory& own, const std::map<Identity, Held>& mine,
                            const std::map<Identity, Held>& theirs, Memory& other) {
    std::vector<Rect> cells;
    for (const ValueCell& cell : scene.cells) {
        const auto which = own.identityOf(cell);
        const auto held = which ? mine.find(*which) : mine.end();
        if (held == mine.end()) continue;
        const auto drawn = theirs.find(*which);
        // An element that the other picture does not show is compared as its memory has it; a number that is
        // none of memory's only with another one.
        const std::optional<Held> there = drawn != theirs.end()                       ? drawn->second
                                          : held->second.number || which->version > 0 ? std::nullopt
                                                                                      : other.heldAt(*which);
        if (there && !(held->second == *there)) cells.push_back(cell.rect);
    }
    return cells;
}

}  // namespace

DifferingCells differingCells(const Scene& first, const ViewInput& a, const Scene& second,
                              const ViewInput& b) {
    if (first.cells.empty() || second.cells.empty()) return {};
    Memory ofA(a), ofB(b);
    const std::map<Identity, Held> inA = heldIn(first, ofA), inB = heldIn(second, ofB);
    return {differing(first, ofA, inA, inB, ofB), differing(second, ofB, inB, inA, ofA)};
}

std::vector<LineMark> outlinesOf(const std::vector<Rect>& cells, const Stroke& stroke) {
    // Edges on a grid of half pixels: across or not, where the line lies, from where to where on it.
    using Edge = std::tuple<bool, s32, s32, s32>;
    const auto half = [](f32 place) { return s32(std::lround(2 * place)); };
    std::map<Edge, u32> edges;
    for (const Rect& r : cells) {
        const s32 left = half(r.x), right = half(r.right()), top = half(r.y), bottom = half(r.bottom());
        ++edges[{true, top, left, right}], ++edges[{true, bottom, left, right}];
        ++edges[{false, left, top, bottom}], ++edges[{false, right, top, bottom}];
    }
    std::vector<LineMark> lines;
    for (const auto& [edge, count] : edges) {
        if (count > 1) continue;
        const auto [across, at, from, to] = edge;
        const f32 line = f32(at) / 2, begin = f32(from) / 2, end = f32(to) / 2;
        // On with the one before it, where that ends here.
        LineMark* last = lines.empty() ? nullptr : &lines.back();
        if (last && across && last->from.y == line && last->to.y == line && last->to.x == begin)
            last->to.x = end;
        else if (last && !across && last->from.x == line && last->to.x == line && last->to.y == begin)
            last->to.y = end;
        else
            lines.push_back({.from = across ? Point{begin, line} : Point{line, begin},
                             .to = across ? Point{end, line} : Point{line, end},
                             .stroke = stroke});
    }
    return lines;
}

}  // namespace lockstep::viz
