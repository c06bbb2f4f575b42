#include "app/panels/scene_panel.h"

#include "app/panels/lesson/answer_in_view.h"
#include "app/panels/lesson/lesson_column.h"
#include "app/panels/lesson/lesson_words.h"
#include "app/panels/terms.h"
#include "app/panels/widgets.h"
#include "base/text/percent.h"
#include "model/profiles/profile.h"
#include "viz/cursor/presentation.h"
#include "viz/issues_on_show.h"
#include "viz/noted.h"
#include "viz/orders_on_show.h"
#include "viz/painters/imgui/imgui_painter.h"
#include "viz/parts/zoomed.h"
#include "viz/scene/wheel.h"

#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace lockstep::app {
namespace {

using viz::RoleKind;

constexpr f64 kEnoughForAFrameMs = 2;
constexpr f32 kNotch = 60;         // of the wheel: three lines of text
constexpr u32 kMostPostponed = 4;  // frames

viz::ViewState stateOf(const PanelContext& context, std::string_view view) {
    const auto found = context.state.views.find(view);
    return found == context.state.views.end() ? viz::ViewState{} : found->second;
}

// Progress of the current run's cache simulation, if still running.
std::optional<u32> percentOfCaches(const Job& job) {
    if (!job.running || !job.isShown || !job.progress || job.progress->activity != run::Activity::Caches)
        return std::nullopt;
    const u64 total = job.progress->total, done = job.progress->done;
    return wholePercentOf(done, total);
}

// Progress of what is worked out besides the run: the block's time, other orders.
std::optional<u32> percentOf(bool isUnderWay, const std::shared_ptr<Progress>& progress) {
    if (!isUnderWay || !progress) return std::nullopt;
    const u64 total = progress->total, done = progress->done;
    return wholePercentOf(std::min(done, total), total);
}

// both: also of the run that it is compared with.
bool needsIssues(const State& state, viz::Modeled what, bool both) {
    if (what == viz::Modeled::None || !state.run || state.job.running || state.issues.isUnderWay)
        return false;
    return both ? !state.issues.hasBoth(state.run, state.cursor, state.compared)
                : !state.issues.has(what, state.run, state.cursor);
}

// Without being asked. A lecturer with a remote cannot click.
u32 ordersToTry(const State& state, const SceneLook& look) {
    if (!state.run || state.orders.of == state.run || state.job.running || !viz::canTryOrders(*state.run))
        return 0;
    return look.presenting ? std::max(viz::kOrdersShown, state.orders.atOnce) : state.orders.atOnce;
}

// Where the wheel moves a pane that goes on beyond its edges: with Shift along what is cut, rows first; a
// touchpad across.
viz::Point scrolledBy(const viz::Pane& pane) {
    const ImGuiIO& io = ImGui::GetIO();
    const f32 turned = io.KeyShift ? io.MouseWheel * kNotch : 0;
    const bool isDown = pane.beyond.isDown();
    return {(pane.beyond.isAcross() ? io.MouseWheelH * kNotch : 0) +
                (!isDown && pane.beyond.isAcross() ? turned : 0),
            isDown ? turned : 0};
}

viz::Rect areaOf(const viz::Scene& scene, const viz::Hit& hit) {
    const auto area = std::ranges::find(scene.hits, &hit, [](const viz::HitArea& area) { return &area.hit; });
    return area == scene.hits.end() ? viz::Rect{} : area->rect;
}

// A large panel scales its scene up, up to a limit; in steps, so that resizing the window needs no new
// glyphs.
f32 comfortableScale(ImVec2 size) {
    constexpr f32 kWide = 1000, kHigh = 640, kLargest = 2, kStep = 0.125f;
    return std::clamp(std::floor(std::min(size.x / kWide, size.y / kHigh) / kStep) * kStep, 1.0f, kLargest);
}

}  // namespace

// Size of a scene drawn at scale_.
ScenePanel::Key ScenePanel::keyFor(const PanelContext& context, viz::Size size, const SceneLook& look) const {
    const Playback& playback = context.state.playback;
    Key key{context.state.run,
            context.state.cursor,
            size.width / scale_,
            size.height / scale_,
            playback.backwards && playback.motion < 1 ? f32(1 - playback.motion) : f32(playback.motion),
            context.state.language,
            context.state.profile,
            context.state.devices,
            stateOf(context, view_.name),
            {}};
    if (!view_.needsRun)
        key.run = nullptr, key.cursor = {}, key.motion = 1, key.playground = context.state.playground.shown;
    if (view_.followsRange) key.range = context.state.range;
    if (view_.followsCaches) key.cachesPercent = percentOfCaches(context.state.job);
    if (view_.followsSweeps) key.sweeps = context.state.sweeps.shown;
    if (view_.modeled != viz::Modeled::None) {
        // A view that asks by itself replaces what is there; others must not show what was said of another
        // run.
        if (!view_.asksModel || context.state.issues.of == context.state.run)
            key.issues = context.state.issues.shown;
        key.issuesPercent = percentOf(context.state.issues.isUnderWay, context.state.issues.progress);
    }
    if (const Orders& orders = context.state.orders; view_.followsOrders && orders.of == context.state.run) {
        key.orders = orders.shown;
        key.ordersPercent = percentOf(orders.isUnderWay, orders.progress);
    }
    if (view_.followsProgram) key.program = context.state.programOnShow();
    const Comparison& beside = context.state.compared;
    key.presenting = look.presenting;
    key.canFetchToolkit =
        context.state.canFetchToolkit && !context.state.fetching && !look.presenting && view_.needsRun;
    key.underlinesTerms = context.state.underlineTerms && !look.presenting;
    if (view_.showsBoth)
        key.comparedRun = beside.run, key.comparedCursor = beside.cursor, key.comparedMoved = beside.moved;
    return key;
}

// A block's record or arrays so large that following its values takes longer than a frame has.
bool ScenePanel::isLarge(const Key& key) {
    constexpr u64 kManySteps = 8192, kManyBytes = 1 << 20;
    const auto largeAt = [](const run::Run* run, const viz::Cursor& cursor) {
        if (!run) return false;
        u64 bytes = 0, steps = 0;
        for (const Buffer& buffer : run->recording.initial)
            bytes += buffer.bytes.size();
        if (const trace::FocusBlock* block = run->recording.trace.find(cursor.launch, cursor.block))
            for (const trace::WarpTrace& warp : block->warps)
                steps += warp.steps.size();
        return bytes >= kManyBytes || steps >= kManySteps;
    };
    return largeAt(key.run.get(), key.cursor) || largeAt(key.comparedRun.get(), key.comparedCursor);
}

// The largest of these scales at which a whole page is visible; its text does not depend on the cursor's
// step.
f32 ScenePanel::scaleThatFits(PanelContext& context, viz::Size size, const SceneLook& look) {
    constexpr f32 kStep = 0.125f;
    scale_ = 1;
    Key of = keyFor(context, size, look);
    of.cursor = {};
    of.motion = 1;
    of.state = {};
    if (fitted_ == of || (context.builder && context.builder->isBusy())) return fittedScale_;
    for (scale_ = look.scale; scale_ > look.least; scale_ -= kStep) {
        build(context, keyFor(context, size, look));
        if (scene_.textHeight * scale_ <= size.height) break;
    }
    fitted_ = of;
    return fittedScale_ = std::max(scale_, look.least);
}

void ScenePanel::update(PanelContext& context, viz::Size size, SceneLook look) {
    scale_ = look.least > 0   ? scaleThatFits(context, size, look)
             : look.scale > 0 ? look.scale
                              : comfortableScale({size.width, size.height});
    const Key key = keyFor(context, size, look);
    if (coming_ && coming_->isDone) takeBuilt(context);
    const bool isLater = context.builder && key != key_ && needsNewFacts(key) && isLarge(key);
    // While it is at work, the facts of the block may be in use.
    isBehind_ = isLater || (context.builder && (key.run || key_.run) && context.builder->isBusy());
    if (isLater && !coming_) buildInBackground(context, key), context.builder->waitALittle();
    if (coming_ && coming_->isDone && !context.builder->isBusy()) takeBuilt(context), isBehind_ = false;
    if (isBehind_) return;
    // A scene without animation does not change during a step.
    Key moved = key;
    moved.motion = key_.motion;
    if (key != key_ && (moved != key_ || scene_.animating)) {
        // A new run renews all panels at once: those that would delay the frame are built a frame later.
        const bool waits =
            key.run != key_.run && context.buildingMs > kEnoughForAFrameMs && postponed_ < kMostPostponed;
        if (!waits) build(context, key);
        postponed_ = waits ? postponed_ + 1 : 0;
    }
}

bool ScenePanel::draw(PanelContext& context, SceneLook look) {
    const ImVec2 origin = ImGui::GetCursorScreenPos(), size = ImGui::GetContentRegionAvail();
    if (size.x < 1 || size.y < 1 || (!context.state.run && view_.needsRun)) return false;

    const viz::Modeled asked = viz::modeledBy(view_, stateOf(context, view_.name).options);
    if (needsIssues(context.state, asked, view_.showsBoth)) context.send(WantIssues{asked, view_.showsBoth});
    if (const u32 orders = ordersToTry(context.state, look); view_.followsOrders && orders)
        context.send(TryOrders{orders});
    update(context, {size.x, size.y}, look);
    area_ = {origin.x, origin.y, size.x, size.y};
    drawnAt_ = ImGui::GetFrameCount();
    ImGui::InvisibleButton(view_.name.data(), size,
                           ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle);
    viz::paint(scene_, context.theme, context.fonts, *ImGui::GetWindowDrawList(), {origin.x, origin.y},
               scale_);
    viz::paint(underlines_, context.theme, context.fonts, *ImGui::GetWindowDrawList(), {origin.x, origin.y},
               scale_);
    markAnswer(context);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const viz::Point at{(mouse.x - origin.x) / scale_, (mouse.y - origin.y) / scale_};
    // What stands under the mouse is still that of another run.
    if (!isBehind_ && (ImGui::IsItemHovered() || ImGui::IsItemActive())) {
        hover(context, at);
        if (selecting_) selectSteps(context, at);
        if (scrubbedAt_) scrub(context, at.x);
        dragLane(context, {origin.x, origin.y}, at);
        panAndZoom(context, at);
        explain(context, at);
    }
    if (!isBehind_) magnify(context, ImGui::IsItemHovered() ? std::optional(at) : std::nullopt);
    return scene_.animating || postponed_ > 0;
}

viz::Rect ScenePanel::onScreen(const viz::Rect& ofScene) const {
    return {area_.x + ofScene.x * scale_, area_.y + ofScene.y * scale_, ofScene.width * scale_,
            ofScene.height * scale_};
}

std::optional<ScenePanel::Place> ScenePanel::place() const {
    return drawnAt_ == ImGui::GetFrameCount() ? std::optional(Place{area_, scale_}) : std::nullopt;
}

// The block that it shows, or the run it is compared with, is another one.
bool ScenePanel::needsNewFacts(const Key& key) const {
    return key.run != key_.run || key.cursor.launch != key_.cursor.launch ||
           key.cursor.block != key_.cursor.block || key.comparedRun != key_.comparedRun;
}

void ScenePanel::buildInto(Built& built, const viz::ViewRow& view, const Machines& machines,
                           const viz::TextMetrics& metrics) {
    const Key& key = built.key;
    const model::Profile* profile = model::findProfile(key.profile);
    std::vector<const model::Profile*> devices;
    for (const std::string& name : key.devices)
        if (const model::Profile* device = model::findProfile(name)) devices.push_back(device);
    static const run::Run kNone{};
    std::optional<viz::ComparedRun> beside;
    if (key.comparedRun)
        beside.emplace(*key.comparedRun, key.comparedCursor, profile ? *profile : model::defaultProfile(),
                       key.comparedMoved ? key.motion : 1, key.issues ? key.issues->beside.get() : nullptr);
    const viz::ViewInput in{.run = key.run ? *key.run : kNone,
                            .cursor = key.cursor,
                            .profile = profile ? *profile : model::defaultProfile(),
                            .size = {key.width, key.height},
                            .language = key.language,
                            .metrics = metrics,
                            .motion = key.motion,
                            .state = key.state,
                            .cache = built.kept.get(),
                            .machines = machines.get(),
                            .compared = beside ? &*beside : nullptr,
                            .devices = std::move(devices),
                            .playground = &key.playground,
                            .range = key.range,
                            .cachesPercent = key.cachesPercent,
                            .sweeps = key.sweeps.get(),
                            .issues = key.issues.get(),
                            .issuesPercent = key.issuesPercent,
                            .orders = key.orders.get(),
                            .ordersPercent = key.ordersPercent,
                            .program = key.program.get(),
                            .canFetchToolkit = key.canFetchToolkit,
                            .titled = false};
    built.scene = key.presenting ? viz::presented(view, in) : viz::buildNoted(view, in);
    built.terms = key.underlinesTerms ? viz::markTerms(built.scene, metrics, key.language)
                                      : std::vector<viz::TermMark>();
    built.underlines = viz::underlines(built.terms, built.scene.size);
}

void ScenePanel::build(PanelContext& context, const Key& key) {
    const auto begun = std::chrono::steady_clock::now();
    auto built = std::make_shared<Built>();
    built->key = key;
    if (needsNewFacts(key) && isLarge(key)) ++largeInFrames_;
    if (!needsNewFacts(key))
        built->kept = std::move(kept_);
    else if (key.run)
        built->kept->block = blocks_.of(key.run, key.cursor);
    buildInto(*built, view_, context.state.machines, context.metrics);
    coming_ = std::move(built);
    takeBuilt(context);
    context.buildingMs +=
        std::chrono::duration<f64, std::milli>(std::chrono::steady_clock::now() - begun).count();
}

void ScenePanel::buildInBackground(PanelContext& context, const Key& key) {
    coming_ = std::make_shared<Built>();
    coming_->key = key;
    if (key.run) coming_->kept->block = blocks_.of(key.run, key.cursor);
    context.builder->begin(
        [built = coming_, &view = view_, machines = context.state.machines, &metrics = context.metrics] {
            buildInto(*built, view, machines, metrics);
            built->isDone = true;
        });
}

// What was shown before is released by the builder: no frame waits for that.
void ScenePanel::takeBuilt(PanelContext& context) {
    const std::shared_ptr<Built> built = std::move(coming_);
    std::swap(key_, built->key);
    std::swap(scene_, built->scene);
    std::swap(terms_, built->terms);
    std::swap(underlines_, built->underlines);
    std::swap(kept_, built->kept);
    boxed_ = nullptr;
    markedAnswer_.clear(), answered_.clear();
    if (context.builder) context.builder->dispose(built);
}

void ScenePanel::hover(PanelContext& context, viz::Point mouse) {
    const viz::Hit* hit = scene_.hitAt(mouse);
    if (!hit) return;
    // What comes of a click is not covered by what explains the place: until the mouse moves on.
    constexpr f32 kMoved = 4;
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) clickedAt_ = mouse;
    if (clickedAt_ && std::hypot(mouse.x - clickedAt_->x, mouse.y - clickedAt_->y) > kMoved)
        clickedAt_.reset();
    if (const std::string hover = dragged_ || clickedAt_ ? "" : hit->text();
        !hover.empty() && hidesResult(context.state)) {
        // It may name what is asked for.
        tooltip(context, words::kLessonNoSentence.in(context.state.language), onScreen(areaOf(scene_, *hit)),
                scale_);
    } else if (!hover.empty()) {
        if (hit->box && boxed_ != hit) box_ = hit->box(), boxed_ = hit;
        const viz::Size box = hit->box ? box_.size : viz::Size{};
        const viz::Rect explained = onScreen(areaOf(scene_, *hit));
        placeTooltip(
            context, explained,
            {std::max(kTooltip.width, box.width + 24) * scale_, (kTooltip.height + box.height) * scale_});
        tooltip(context, hover, explained, scale_);
        if (hit->box) showBox(context);
    }
    if (ImGui::IsItemActivated()) {
        const bool selects =
            hit->go && (hit->select == viz::Hit::Select::Dragging ||
                        (hit->select == viz::Hit::Select::WithShift && ImGui::GetIO().KeyShift));
        if (selects)
            selecting_ = Selecting{*hit->go, mouse.y};
        else if (hit->scrub)
            scrubbedAt_ = mouse.y;
    }
    if (hit->grip && ImGui::IsItemActivated()) held_ = hit->grip;
    const std::optional<std::string> answer = answerByClick(context.state, view_.name, *hit);
    const bool clickable = answer || hit->go || hit->devices || hit->options || hit->grip || hit->variant ||
                           hit->beside || hit->view || hit->sweep || hit->orders || hit->fetchesToolkit;
    if (clickable) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (!clickable || !ImGui::IsMouseReleased(ImGuiMouseButton_Left) || dragged_ || !ImGui::IsItemHovered())
        return;
    // The lesson's question is what a click is about until it is answered.
    if (answer) return context.send(LessonAction{MakeAnswer{*answer}});
    if (hit->go) {
        const viz::Cursor& to = hit->click ? *hit->click : *hit->go;
        context.send(hit->compared ? Action(MoveCompared{to}) : Action(MoveCursor{to}));
    }
    if (hit->grip) context.send(SelectLane{*hit->grip});
    if (hit->devices) context.send(SetDevices{*hit->devices});
    if (hit->variant) {
        const std::size_t slash = hit->variant->find('/');
        const bool isOfOther = slash != std::string::npos;
        context.send(ChooseVariant{isOfOther ? hit->variant->substr(0, slash) : context.state.choice.family,
                                   isOfOther ? hit->variant->substr(slash + 1) : *hit->variant});
    }
    if (hit->beside) {
        Choice beside = context.state.choice;
        beside.variant = *hit->beside;
        context.send(CompareWith{std::move(beside)});
        context.send(CompareWithAnother{});  // shows the two, since one is chosen
    }
    if (hit->view) context.send(BringUp{*hit->view});
    if (hit->sweep)
        context.send(hit->sweep->empty() ? Action(CancelSweep{})
                                         : Action(StartSweep{*hit->sweep, hit->modeled}));
    if (hit->orders) context.send(TryOrders{*hit->orders});
    if (hit->fetchesToolkit) context.send(FetchCompiler{Fetched::Toolkit});
    if (hit->options) {
        viz::ViewState state = stateOf(context, view_.name);
        // A different stage, or another zoom, is a different picture: with its own pan and zoom.
        if (std::holds_alternative<viz::StageOptions>(*hit->options) ||
            std::holds_alternative<viz::IssueOptions>(*hit->options))
            state = {};
        state.options = *hit->options;
        context.send(SetView{std::string(view_.name), state});
    }
}

// A frame around what the answer to a lesson's question names, where this view shows it.
void ScenePanel::markAnswer(PanelContext& context) {
    const LessonState& lessons = context.state.lessons;
    const std::string now = lessons.hidesAnswer() ? lessons.attempt.answer : std::string();
    if (now != markedAnswer_ && !isBehind_) {  // texts of hits look into facts that may be in use
        answered_.clear();
        for (const viz::HitArea& area : scene_.hits)
            if (isInAnswer(context.state, view_.name, area.hit)) answered_.push_back(area.rect);
        markedAnswer_ = now;
    }
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (const viz::Rect& ofScene : answered_) {
        const viz::Rect frame = onScreen(ofScene).inset(0.5f);
        list.AddRect({frame.x, frame.y}, {frame.right(), frame.bottom()}, ink(context, RoleKind::Cursor),
                     viz::radius::kCell, 2);
    }
}

// The meaning of a term under the mouse, after the scene's tooltip; clicks go to the scene.
void ScenePanel::explain(PanelContext& context, viz::Point mouse) const {
    if (dragged_ || !ImGui::IsItemHovered()) return;
    const auto under =
        std::ranges::find_if(terms_, [&](const viz::TermMark& mark) { return mark.word.contains(mouse); });
    if (under != terms_.end()) explainTerm(context, *under->term, onScreen(under->word));
}

// Below the sentence, in the same tooltip. Redrawn when the mouse moves away or the scene changes.
void ScenePanel::showBox(PanelContext& context) const {
    if (box_.size.height <= 0 || explainsNothing(context) || !ImGui::BeginTooltip()) return;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::Dummy({box_.size.width * scale_, box_.size.height * scale_});
    viz::paint(box_, context.theme, context.fonts, *ImGui::GetWindowDrawList(), {at.x, at.y}, scale_);
    ImGui::EndTooltip();
}

void ScenePanel::scrub(PanelContext& context, f32 x) {
    if (!ImGui::IsItemActive()) return scrubbedAt_.reset();
    const viz::Hit* hit = scene_.hitAt({x, *scrubbedAt_});  // the mouse may leave the row it began in
    if (!hit || !hit->scrub || !hit->go || (hit->click && !dragged_)) return;
    if (*hit->go != context.state.cursor) context.send(MoveCursor{*hit->go});
}

// From where the button was pressed to the mouse position, clamped to the same row.
void ScenePanel::selectSteps(PanelContext& context, viz::Point mouse) {
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) return selecting_.reset();
    if (!dragged_) return;
    f32 least = mouse.x, most = mouse.x;
    bool isFirst = true;
    for (const viz::HitArea& area : scene_.hits) {
        if (area.hit.select == viz::Hit::Select::Never || selecting_->y < area.rect.y ||
            selecting_->y >= area.rect.bottom())
            continue;
        least = isFirst ? area.rect.x : std::min(least, area.rect.x);
        most = isFirst ? area.rect.right() : std::max(most, area.rect.right());
        isFirst = false;
    }
    const viz::Hit* hit =
        scene_.hitAt({std::clamp(mouse.x, least, std::max(least, most - 0.5f)), selecting_->y});
    if (!hit || !hit->go || hit->select == viz::Hit::Select::Never || hit->go->warp != selecting_->from.warp)
        return;
    const auto [first, last] = std::minmax(selecting_->from.step, hit->go->step);
    const StepRange range{.launch = hit->go->launch,
                          .block = hit->go->block,
                          .warp = hit->go->warp,
                          .first = first,
                          .last = last};
    if (context.state.range != range) context.send(SelectSteps{range});
}

// The lane under the mouse while the button is held, then where it was released.
void ScenePanel::dragLane(PanelContext& context, viz::Point origin, viz::Point mouse) {
    if (!held_ || !dragged_) {
        if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) held_.reset();
        return;
    }
    const viz::Hit* under = scene_.hitAt(mouse);
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
        if (ImGui::IsMouseReleased(ImGuiMouseButton_Left) && under && under->place)
            context.send(PlaceLane{*held_, *under->place});
        held_.reset();
        return;
    }
    const std::string number = std::to_string(held_->value);
    const TextLook look{.size = viz::type::kCode, .face = viz::Face::MonoBold, .role = RoleKind::CursorInk};
    const f32 half = widthOf(context, number, look) / 2 + 6;
    const viz::Point at{origin.x + mouse.x, origin.y + mouse.y - 16};
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    list.AddRectFilled({at.x - half, at.y - 10}, {at.x + half, at.y + 10},
                       ink(context, under && under->place ? RoleKind::Cursor : RoleKind::Edge),
                       viz::radius::kToken);
    drawText(context, list, {at.x - half + 6, at.y}, number, look);
    if (under && under->place) tooltip(context, under->text(), onScreen(areaOf(scene_, *under)));
}

// The point stays where it is. Notches of a wheel; of a touchpad, and where a system sends a pinch as
// scrolling with Ctrl, parts of one.
void ScenePanel::zoom(PanelContext& context, viz::Point at, f32 notches) {
    viz::ViewState state = stateOf(context, view_.name);
    const auto pane =
        std::ranges::find_if(scene_.panes, [&](const viz::Pane& one) { return one.contains(at); });
    const auto limited = [&](viz::Point pan, f32 zoom) {
        return pane == scene_.panes.end() ? pan : viz::Zoomed::limited(pan, zoom, *pane);
    };
    // A cell that fills the pane has nothing more to show; what is the most for the smallest cells of a
    // picture would leave its edges out of sight.
    constexpr f32 kFills = 0.6f;
    const bool isFilled =
        pane != scene_.panes.end() && std::ranges::any_of(scene_.cells, [&](const viz::ValueCell& cell) {
            return cell.rect.contains(at) &&
                   (cell.rect.width >= kFills * pane->width || cell.rect.height >= kFills * pane->height);
        });
    if (notches > 0 && isFilled) return;
    const f32 before = state.zoom > 0 ? state.zoom : 1,
              after = std::clamp(before * std::exp2(notches / 4), 1.0f, scene_.mostZoom),
              ratio = after / before;
    const viz::Point pan = limited(state.pan, before);
    if (pane != scene_.panes.end()) at = {at.x - pane->x, at.y - pane->y};
    state.pan = after == 1 ? viz::Point{}
                           : limited({at.x - (at.x - pan.x) * ratio, at.y - (at.y - pan.y) * ratio}, after);
    state.zoom = after == 1 ? 0 : after;
    context.send(SetView{std::string(view_.name), state});
}

// Under the mouse, else where the cursor is drawn.
void ScenePanel::magnify(PanelContext& context, std::optional<viz::Point> mouse) {
    constexpr f32 kNotches = 2;  // of a key
    const State::Magnifying& wanted = context.state.magnifying;
    if (wanted.view != view_.name || wanted.steps == 0) return;
    const viz::HitArea* cursor = nullptr;
    for (const viz::HitArea& area : scene_.hits)
        if (area.hit.go == context.state.cursor && area.rect.width > 0 &&
            (!cursor || area.rect.width * area.rect.height < cursor->rect.width * cursor->rect.height))
            cursor = &area;
    const bool hasPane = !scene_.panes.empty();
    const viz::Point middle =
        hasPane ? scene_.panes.front().centre() : viz::Point{scene_.size.width / 2, scene_.size.height / 2};
    zoom(context, mouse ? *mouse : cursor ? cursor->rect.centre() : middle, kNotches * f32(wanted.steps));
}

void ScenePanel::panAndZoom(PanelContext& context, viz::Point mouse) {
    const ImGuiIO& io = ImGui::GetIO();
    viz::ViewState state = stateOf(context, view_.name);
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left) && !ImGui::IsMouseDown(ImGuiMouseButton_Middle))
        dragged_ = false;
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 4)) dragged_ = true;
    const viz::Wheel wheel = view_.wheel;
    if (wheel == viz::Wheel::Nothing) return;
    const bool scrolls = wheel == viz::Wheel::Scrolls;
    const auto pane =
        std::ranges::find_if(scene_.panes, [&](const viz::Pane& one) { return one.contains(mouse); });
    // The drawn value, clamped to its limits.
    const auto limited = [&](viz::Point pan, f32 zoom) {
        return pane == scene_.panes.end() ? pan : viz::Zoomed::limited(pan, zoom, *pane);
    };
    const viz::Scrolled* scrolled = std::any_cast<viz::Scrolled>(&kept_->facts);
    const bool isWide = scrolled && scrolled->x;
    viz::Point pan = scrolled ? viz::Point{scrolled->x.value_or(0), scrolled->y}
                              : limited(state.pan, std::max(1.0f, state.zoom));
    // For a page that is one pane, no further than its end.
    if (scrolls && !scrolled && !scene_.panes.empty())
        pan = {0, std::clamp(state.pan.y, std::min(0.0f, scene_.size.height - scene_.panes.front().bottom()),
                             0.0f)};
    if (dragged_ && !scrubbedAt_ && !selecting_ && !held_ && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0)) {
        state.pan = {pan.x + (scrolls && !isWide ? 0 : io.MouseDelta.x / scale_),
                     pan.y + io.MouseDelta.y / scale_};
        context.send(SetView{std::string(view_.name), state});
    }
    // Horizontal: a touchpad or tilting wheel, or Shift with any other.
    const bool turned = isWide && io.KeyShift;
    const f32 along = turned ? 0 : io.MouseWheel,
              across = !isWide ? 0 : io.MouseWheelH + (turned ? io.MouseWheel : 0);
    if (scrolls && (along != 0 || across != 0)) {
        state.pan = {pan.x + across * kNotch, pan.y + along * kNotch};
        context.send(SetView{std::string(view_.name), state});
    } else if (const viz::Point by = pane == scene_.panes.end() ? viz::Point{} : scrolledBy(*pane);
               by != viz::Point{}) {
        state.pan = {pan.x + by.x, pan.y + by.y};
        context.send(SetView{std::string(view_.name), state});
    } else if (io.MouseWheel != 0 && scene_.lanes && scene_.lanes->area.contains(mouse)) {
        const s64 first = s64(scene_.lanes->first) + (io.MouseWheel < 0 ? 1 : -1);
        state.lanes = {u32(std::clamp<s64>(first, 0, scene_.lanes->most)), context.state.cursor.lane};
        context.send(SetView{std::string(view_.name), state});
    } else if (io.MouseWheel != 0) {
        zoom(context, mouse, io.MouseWheel);
    }
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
        state.pan = {};
        state.zoom = 0;
        context.send(SetView{std::string(view_.name), state});
    }
}

}  // namespace lockstep::app
