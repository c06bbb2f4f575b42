#include "viz/stages/matmul/patch_stage.h"

#include "base/device_addresses.h"
#include "viz/marks/cell.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/key_columns.h"
#include "viz/messages.h"
#include "viz/stages/matmul/patch_drawing.h"

#include <algorithm>
#include <set>
#include <utility>

namespace lockstep::viz {

using namespace message;
using explain::Activity;

namespace {

constexpr Words kKeyInTile = english("value");
constexpr Words kKeyByWarps = english("value, in its warp's color");
constexpr Words kKeySumToCome = english("sum before this product");
constexpr Words kKeyBlocksTile = english("block's tile");
constexpr Words kKeyPatch = english("thread's elements of {0}");
constexpr Words kKeyOtherElements = english("other lanes' elements");
constexpr Words kKeyReadNow = english("read now");
constexpr Words kKeyMadeUp = english("0.0, filled in by the kernel");
constexpr Words kKeyLinesOfThread = english("thread's rows, columns");
constexpr Words kKeyOutsideInBrief = english("ghost cell");
// The same where the key has little room.
constexpr Words kPatchInBrief = english("thread's");
constexpr Words kToComeInBrief = english("sum before");
constexpr Words kOthersInBrief = english("other lanes'");
constexpr Words kMadeUpInBrief = english("0.0 filled in");
constexpr Words kLinesInBrief = english("its rows, columns");
constexpr Words kStaleInBrief = english("stale");
constexpr Words kReadInBrief = english("load");

}  // namespace

PatchStage::PatchStage(const ViewInput& in, const explain::PatchFacts& facts, const CursorContext& here)
    : in_(in),
      facts_(facts),
      here_(here),
      canvas_(in.size, in.metrics),
      launch_(launchOf(in.run, in.cursor.launch)),
      accesses_(accessesOfBlock(in)) {
    for (const ThreadSums::Sum& sum : facts.sums->sums)
        patch_.push_back(sum.cell);
    extents_ = explain::extentsOf(patch_);
}

u64 PatchStage::addressOf(const Matrix& m, u64 element) const {
    return deviceAddressOf(m.buffer) + element * info(in_.run.recording.initial[m.buffer].type).bytes;
}

Hit PatchStage::linkToElement(const Matrix& m, u64 element, std::string said) const {
    return linkTo(in_, *accesses_, trace::Space::Global, addressOf(m, element), facts_.order,
                  std::move(said));
}

Hit PatchStage::linkToPlace(const PatchOperand& operand, u64 place, std::string said) const {
    return linkTo(in_, *accesses_, trace::Space::Shared,
                  operand.tile->base + place * operand.tile->elementBytes, facts_.order, std::move(said));
}

Scene PatchStage::build() {
    const Rect body = head(canvas_, in_, kStageTitle.in(in_.language), patchCaption(in_, facts_));
    layout_ = layoutPatches(facts_, body, in_);
    if (!layout_.fits) return emptyScene(in_, kStageTitle, say(in_.language, kTooSmall));
    drawBands();
    for (const PatchOperand* operand : {&facts_.block->m, &facts_.block->n}) {
        if (operand->tile)
            drawTile(*operand);
        else if (!facts_.block->isTiled())
            drawOperand(*operand);
    }
    drawProduct();
    for (const PatchOperand* operand : {&facts_.block->m, &facts_.block->n})
        drawLines(*operand);
    drawReads();
    drawFactors();
    drawNames();
    if (layout_.map.cell > 0) drawMap();
    drawMoves();
    if (layout_.registers.width > 0) drawRegisters();
    drawLoupe();
    if (layout_.side.width > 0) {
        const f32 table = laneTableHeight(in_, here_, layout_.side);
        drawPatchTable(canvas_, in_, facts_, here_,
                       {layout_.side.x, layout_.side.bottom() - table, layout_.side.width, table});
        const std::vector<KeyRow> drawn = drawnOf(canvas_, marks(false));
        canvas_.textWithin({layout_.side.x, layout_.side.y + 8}, layout_.side.width, kMarks.in(in_.language),
                           {.bold = true});
        keyInColumns(
            canvas_,
            {layout_.side.x, layout_.side.y + 22, layout_.side.width, layout_.side.height - table - 34},
            drawn, drawnOf(canvas_, marks(true)));
    }
    if (layout_.key.width > 0) {
        constexpr std::size_t kMostLines = 2;  // a key that leaves something out explains nothing
        std::vector<KeyRow> drawn = drawnOf(canvas_, marks(false));
        if (keyLines(canvas_, layout_.key.width, drawn).size() > kMostLines)
            drawn = drawnOf(canvas_, marks(true));
        if (keyLines(canvas_, layout_.key.width, drawn).size() <= kMostLines)
            keyRow(canvas_, {layout_.key.x, layout_.key.centre().y}, layout_.key.width, drawn);
    }
    Scene scene = std::move(canvas_).take(patchSentence(in_, facts_, here_));
    scene.animating = in_.motion < 1 && facts_.activity == Activity::Load && !facts_.between;
    return scene;
}

std::optional<KeyRow> PatchStage::markOfValues(bool inBrief) const {
    if (!facts_.block->isTiled()) return std::nullopt;
    std::set<u32> warps;
    for (const bool isN : {false, true})
        for (const auto& [place, t] : keptIn(isN))
            if (t->loadStep && t->round >= facts_.round(isN)) warps.insert(t->warp.value);
    if (warps.empty()) return std::nullopt;
    std::vector<Role> colors;
    for (const u32 warp : warps)
        colors.push_back(warpRole(Warp{warp}));
    constexpr std::size_t kMost = 8;  // what can be told apart in a sign
    colors.resize(std::min(colors.size(), kMost));
    const bool isOne = colors.size() == 1;
    return KeyRow{[colors = std::move(colors)](Canvas& c, Point at) {
                      const f32 wide = 24 / f32(colors.size());
                      for (std::size_t i = 0; i < colors.size(); ++i)
                          c.rect({at.x - 12 + f32(i) * wide, at.y - 8, wide, 16},
                                 {.fill = colors[i], .radius = colors.size() == 1 ? radius::kCell : 0});
                  },
                  say(in_.language, isOne || inBrief ? kKeyInTile : kKeyByWarps)};
}

std::vector<KeyRow> PatchStage::marks(bool inBrief) const {
    const Language l = in_.language;
    const auto words = [&](const Words& whole, const Words& brief) {
        return say(l, inBrief ? brief : whole);
    };
    const Role color = warpColor();
    const std::string& p = facts_.block->p.name;
    const auto box = [](Point at) { return Rect{at.x - 12, at.y - 8, 24, 16}; };
    std::vector<KeyRow> rows;
    if (std::optional<KeyRow> values = markOfValues(inBrief)) rows.push_back(std::move(*values));
    rows.push_back({[fill = laneColor(in_.cursor.warp, in_.cursor.lane, 0.75f), box](Canvas& c, Point at) {
                        c.rect(box(at), {.fill = fill});
                    },
                    inBrief ? say(l, kPatchInBrief) : say(l, kKeyPatch, p)});
    rows.push_back({[style = sumToCome(), box](Canvas& c, Point at) { c.rect(box(at).inset(1), style); },
                    words(kKeySumToCome, kToComeInBrief)});
    rows.push_back({[fill = warpColor(0.3f), box](Canvas& c, Point at) { c.rect(box(at), {.fill = fill}); },
                    words(kKeyOtherElements, kOthersInBrief)});
    rows.push_back({[color, box](Canvas& c, Point at) {
                        c.rect(box(at).inset(2), {.fill = color, .stroke = {role(RoleKind::Text), 1}});
                    },
                    say(l, kKeyReadNow)});
    rows.push_back(
        {[madeUp = madeUpStyle(warpColor()), box](Canvas& c, Point at) { c.rect(box(at), madeUp); },
         words(kKeyMadeUp, kMadeUpInBrief)});
    rows.push_back(
        {[box](Canvas& c, Point at) {
             c.rect(box(at).inset(2), {.stroke = {role(RoleKind::TextSecond), line::kTile}, .radius = 1});
         },
         words(kKeyLinesOfThread, kLinesInBrief)});
    rows.push_back(
        {[box](Canvas& c, Point at) { ghostCell(c, box(at), false); }, say(l, kKeyOutsideInBrief)});
    rows.push_back({[box](Canvas& c, Point at) {
                        c.rect(box(at), {.fill = role(RoleKind::Inactive), .radius = radius::kCell});
                    },
                    words(kKeyStale, kStaleInBrief)});
    rows.push_back({[color, box](Canvas& c, Point at) {
                        c.rect(box(at), {.stroke = {color, line::kTile}, .radius = radius::kCell});
                    },
                    say(l, kKeyBlocksTile)});
    rows.push_back({[color](Canvas& c, Point at) {
                        c.line({at.x - 12, at.y}, {at.x + 12, at.y}, {color, line::kRead});
                    },
                    words(kKeyRead, kReadInBrief)});
    rows.push_back({[](Canvas& c, Point at) {
                        cursorBox(c, {at.x - 9, at.y - 6, 18, 12}, 3);
                    },
                    say(l, kKeyCursor)});
    return rows;
}

Scene buildPatchStage(const ViewInput& in, const explain::PatchFacts& facts) {
    const CursorContext here = lookUp(in.run, in.cursor);
    return PatchStage(in, facts, here).build();
}

}  // namespace lockstep::viz
