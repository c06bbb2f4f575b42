#include "viz/parts/magnified_values.h"

#include "explain/numbers.h"
#include "viz/facts/cell_memory.h"
#include "viz/marks/cell.h"
#include "viz/scene/canvas.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace lockstep::viz {
namespace {

constexpr f32 kLeastCell = 26, kLargestText = 22;

struct Place {
    const ValueCell* cell = nullptr;
    Role fill = role(RoleKind::Ground);  // that is drawn there
    bool hasText = false;
};

bool isLarge(const ValueCell& cell, const Rect& whole) {
    return std::min(cell.rect.width, cell.rect.height) >= kLeastCell && whole.contains(cell.rect.centre());
}

// Of places from the top down, those whose middles lie between two heights.
std::span<Place> between(std::span<Place> places, f32 top, f32 bottom) {
    const auto middle = [](const Place& place) { return place.cell->rect.centre().y; };
    const auto first = std::ranges::lower_bound(places, top, {}, middle),
               end = std::ranges::upper_bound(places, bottom, {}, middle);
    return first < end ? std::span(first, end) : std::span<Place>();
}

// What is drawn over the middles of places: the last fill, and whether there is a text.
void lookAt(const Scene& scene, std::span<Place> places) {
    std::optional<Rect> clip;
    for (const Mark& mark : scene.marks) {
        if (const auto* cut = std::get_if<ClipMark>(&mark)) clip = cut->rect;
        if (const auto* rect = std::get_if<RectMark>(&mark)) {
            if (rect->fill.kind == RoleKind::None || rect->fill.alpha < 0.5f) continue;
            for (Place& place : between(places, rect->rect.y, rect->rect.bottom()))
                if (const Point at = place.cell->rect.centre();
                    rect->rect.contains(at) && (!clip || clip->contains(at)))
                    place.fill = rect->fill;
        } else if (const auto* text = std::get_if<TextMark>(&mark)) {
            for (Place& place : between(places, text->at.y - 2 * text->size, text->at.y + 2 * text->size))
                place.hasText |= place.cell->rect.contains({text->at.x, text->at.y - text->size * 0.3f});
        }
    }
}

}  // namespace

void writeMagnifiedValues(Scene& scene, const ViewInput& in) {
    const Rect whole{0, 0, scene.size.width, scene.size.height};
    std::vector<Place> places;
    for (const ValueCell& cell : scene.cells)
        if (isLarge(cell, whole)) places.push_back({.cell = &cell});
    if (places.empty()) return;
    std::ranges::sort(places, {}, [](const Place& place) { return place.cell->rect.centre().y; });
    lookAt(scene, places);
    std::erase_if(places, [](const Place& place) { return place.hasText; });
    if (places.empty()) return;
    CellMemory memory(in);
    Canvas canvas(scene.size, in.metrics);
    for (const Place& place : places) {
        const std::optional<CellIdentity> which = memory.identityOf(*place.cell);
        std::string text;
        if (place.cell->value)
            text = explain::numberText(*place.cell->value, true);
        else if (const auto held = which ? memory.heldAt(*which) : std::nullopt)
            text = held->text();
        if (text.empty()) continue;
        const Rect& cell = place.cell->rect;
        const bool isPlain = place.fill.kind == RoleKind::Ground || place.fill.kind == RoleKind::Raised ||
                             place.fill.kind == RoleKind::Inactive || place.fill.kind == RoleKind::Panel;
        TextStyle style{
            .mono = true, .align = Align::Centre, .role = isPlain ? role(RoleKind::Text) : inkOn(place.fill)};
        style.size =
            fittingSize(canvas, text, cell.width - 4, style, std::min(kLargestText, cell.height * 0.6f));
        if (style.size > 0) canvas.text(cell.centre(), text, style);
    }
    Scene written = std::move(canvas).take({});
    std::ranges::move(written.marks, std::back_inserter(scene.marks));
}

}  // namespace lockstep::viz
