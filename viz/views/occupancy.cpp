// Occupancy as an experiment: how many warps fit on an SM at other block sizes, registers and shared memory,
// on this device and on others, around the kernel on show; beside it the times that recordings have.
#include "base/text/counted.h"
#include "base/text/percent.h"
#include "base/text/quantities.h"
#include "model/occupancy/occupancy_limits.h"
#include "run/recordings/occupancy_times.h"
#include "viz/marks/fitting_text.h"
#include "viz/marks/frame.h"
#include "viz/marks/size_text.h"
#include "viz/messages.h"
#include "viz/parts/block_needs.h"
#include "viz/views/occupancy_picture.h"
#include "viz/views/views.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::viz {
namespace {

constexpr Words kTitle = english("Occupancy");
constexpr Words kThreads = english("Threads per block");
constexpr Words kRegisters = english("Registers per thread");
constexpr Words kShared = english("Shared memory per block");
constexpr Words kThreadsBrief = english("Threads"), kRegistersBrief = english("Registers"),
                kSharedBrief = english("Shared memory");
constexpr Words kAsLaunched = english("{0}, as launched");
constexpr Words kAsCompiled = english("{0}, as compiled");
constexpr Words kWhatIf = english("of a value tried", "{0} instead of {1}");
constexpr Words kWhatIfAlone = english("{0}, an assumption");
constexpr Words kNotKnown = english("not known");
constexpr Words kBarHover =
    english("{0}: {1} {1:block|blocks} per SM, {2} of {3} {3:warp|warps} ({4}%); limiting factor: {5}");
constexpr Words kBarHoverNone = english("{0}: no block fits on an SM; limiting factor: {1}");
constexpr Words kThreadsAre = english("{0} {0:thread|threads} per block");
constexpr Words kRegistersAre = english("{0} {0:register|registers} per thread");
constexpr Words kSharedIs = english("{0} per block");
constexpr Words kByWarps = english("warps"), kByBlocks = english("blocks"),
                kByShared = english("shared memory"), kByRegisters = english("registers");
constexpr Words kUpward = english("resident warps per SM");
constexpr Words kUpwardBrief = english("warps per SM");
constexpr Words kReset = english("as this kernel");
constexpr Words kResetHover = english("Back to the block size, registers and shared memory of the kernel");
constexpr Words kDeviceHover = english("Compute capability {0}: {1}");
constexpr Words kKeyKernel = english("this kernel");
constexpr Words kKeyChosen = english("chosen value");
constexpr Words kKeyOther = english("other values, all else unchanged");
constexpr Words kFits = english(
    "{0} {0:thread|threads} per block, {1}: {2} {2:block|blocks} per SM, {3} of {4} {4:warp|warps}. "
    "Limiting factor: {5}.");
constexpr Words kFitsNot = english(
    "{0} {0:thread|threads} per block, {1}: no block fits on an SM. Limiting "
    "factor: {2}.");
constexpr Words kTakes = english("{0} {0:register|registers} per thread, {1} of shared memory");
constexpr Words kTakesUnknown = english("registers not known, {0} of shared memory");
constexpr Words kAssumed = english("assumed");
constexpr Words kRecorded = english("Recorded on {0}");
constexpr Words kRecordedAt = english("Recorded on {0}, {1}");
constexpr Words kOfAnotherSize = english("Of another size than this run ({0}): blocks per SM differ.");
constexpr Words kColumnBlocks = english("blocks per SM"), kColumnWarps = english("warps"),
                kColumnRegisters = english("of a table", "registers"), kColumnTime = english("time");
constexpr Words kNeedsALaunch = english("Nothing has been launched.");

const TextStyle kChipText{.size = type::kCode, .align = Align::Centre};
const TextStyle kSmall{.size = type::kAxis, .role = role(RoleKind::TextSecond)};
constexpr f32 kChip = 24, kGap = 6, kAxis = 20, kTitles = 40;

const Words& nameOf(std::string_view limit) {
    if (limit == "warps") return kByWarps;
    if (limit == "blocks") return kByBlocks;
    return limit == "registers" ? kByRegisters : kByShared;
}

// What is asked of one of the three quantities, and how it is written.
struct Quantity {
    const Words& title;
    const Words& brief;  // where that has no room
    const Words& as;     // of the kernel's own value
    u64 step, most;      // values at which there is a bar: step, 2 * step, ...; shared memory from 0 on
    bool fromZero;
    std::optional<u64> own, chosen;
    std::function<std::string(u64)> text;      // in a title
    std::function<std::string(u64)> sentence;  // of a hover
    std::function<void(model::BlockNeeds&, u64)> set;
    std::function<void(OccupancyOptions&, u64)> choose;
};

struct Facts {
    run::KnownMeasurements measurements;
    std::optional<run::OccupancyTimes> times;
};

class Page {
public:
    Page(const ViewInput& in, const Facts& facts)
        : in_(in),
          l_(in.language),
          facts_(facts),
          options_(optionsAs<OccupancyOptions>(in.state.options)),
          device_(deviceOf(in, options_)),
          known_(needsOf(in.run, in.profile, run::measuredOn(in.profile, facts.measurements))),
          needs_(known_.needs),
          canvas_(in.size, in.metrics) {
        const u64 threads = needs_.threads * needs_.gridBlocks;
        if (options_.threads) needs_.threads = options_.threads;
        if (options_.registers) needs_.registersPerThread = options_.registers;
        if (options_.sharedBytes >= 0) needs_.sharedBytes = u64(options_.sharedBytes);
        // As many threads in all.
        if (options_.threads) needs_.gridBlocks = (threads + needs_.threads - 1) / needs_.threads;
    }

    Scene draw() {
        Rect body = head(canvas_, in_, kTitle.in(l_), device_.card);
        body.x += space::kInset, body.width -= 2 * space::kInset;
        const f32 chips = drawDevices(body);
        body.y += chips, body.height -= chips;
        constexpr f32 kLeastPanel = 120, kBelow = kOccupancyHeight + 20, kKey = 26;
        const bool hasBelow = body.height >= kLeastPanel + kTitles + kBelow + kKey;
        const f32 high = std::min(520.0f, body.height - kKey - (hasBelow ? kBelow : 0) - 8);
        const f32 apart = 28, wide = (body.width - 2 * apart) / 3;
        f32 x = body.x;
        for (const Quantity& quantity : quantities()) {
            drawPanel(quantity, {x, body.y + 8, wide, high - 8});
            x += wide + apart;
        }
        if (high >= kLeastPanel) drawKey({body.x, body.y + high + kKey / 2}, body.width);
        if (hasBelow) drawBelow({body.x, body.y + high + kKey + 12, body.width, kOccupancyHeight});
        return std::move(canvas_).take(sentence());
    }

private:
    static const model::Profile& deviceOf(const ViewInput& in, const OccupancyOptions& options) {
        const model::Profile* chosen = options.device.empty() ? nullptr : model::findProfile(options.device);
        return chosen ? *chosen : in.profile;
    }

    std::string amount(u64 bytes) const { return capacityText(f64(bytes)); }

    std::vector<Quantity> quantities() const {
        constexpr u64 kMostBars = 64;
        u64 sharedStep = 256;
        while (device_.sharedBytesOptIn / sharedStep > kMostBars)
            sharedStep *= 2;
        const auto number = [](u64 value) { return grouped(value); };
        return {{.title = kThreads,
                 .brief = kThreadsBrief,
                 .as = kAsLaunched,
                 .step = kWarpSize,
                 .most = device_.threadsPerBlock,
                 .fromZero = false,
                 .own = known_.needs.threads,
                 .chosen = needs_.threads,
                 .text = number,
                 .sentence = [this](u64 value) { return say(l_, kThreadsAre, grouped(value)); },
                 .set = [](model::BlockNeeds& needs, u64 value) { needs.threads = value; },
                 .choose = [](OccupancyOptions& options, u64 value) { options.threads = u32(value); }},
                {.title = kRegisters,
                 .brief = kRegistersBrief,
                 .as = kAsCompiled,
                 .step = device_.registersPerWarp ? 8u : 4u,
                 .most = device_.registersPerThread,
                 .fromZero = false,
                 .own = known_.needs.registersPerThread,
                 .chosen = needs_.registersPerThread,
                 .text = number,
                 .sentence = [this](u64 value) { return say(l_, kRegistersAre, value); },
                 .set = [](model::BlockNeeds& needs, u64 value) { needs.registersPerThread = u32(value); },
                 .choose = [](OccupancyOptions& options, u64 value) { options.registers = u32(value); }},
                {.title = kShared,
                 .brief = kSharedBrief,
                 .as = kAsLaunched,
                 .step = sharedStep,
                 .most = device_.sharedBytesOptIn,
                 .fromZero = true,
                 .own = known_.needs.sharedBytes,
                 .chosen = needs_.sharedBytes,
                 .text = [this](u64 value) { return amount(value); },
                 .sentence = [this](u64 value) { return say(l_, kSharedIs, amount(value)); },
                 .set = [](model::BlockNeeds& needs, u64 value) { needs.sharedBytes = value; },
                 .choose = [](OccupancyOptions& options, u64 value) { options.sharedBytes = s64(value); }}};
    }

    f32 chip(f32 x, f32 y, const std::string& text, Hit hit, bool isOn) {
        const f32 wide = canvas_.width(text, kChipText) + 16;
        const Rect box{x, y, wide, kChip};
        canvas_.rect(box,
                     {.fill = role(isOn ? RoleKind::Wasted : RoleKind::Raised), .radius = radius::kControl});
        canvas_.text(box.centre(), text, kChipText);
        canvas_.hit(box, std::move(hit));
        return x + wide + kGap;
    }

    bool isChanged() const { return options_.threads || options_.registers || options_.sharedBytes >= 0; }

    // What computes, and back to the kernel; one line. Returns its height.
    f32 drawDevices(const Rect& body) {
        const f32 y = body.y + 10;
        f32 x = body.x;
        if (isChanged()) {
            const OccupancyOptions back{.device = options_.device};
            x = chip(x, y, say(l_, kReset), {.hover = say(l_, kResetHover), .options = back}, false) + 12;
        }
        std::vector<const model::Profile*> devices;
        for (const model::Profile& profile : model::profiles())
            if (profile.mode.empty()) devices.push_back(&profile);
        const auto wideOf = [&](const model::Profile* profile) {
            return canvas_.width(model::capabilityOf(*profile), kChipText) + 16 + kGap;
        };
        // The newest ones that have room, and the one that is shown.
        const auto isShown = [&](const model::Profile* profile) { return profile->name == device_.name; };
        f32 room = body.right() - x - wideOf(&device_);
        std::vector<const model::Profile*> shown;
        for (auto at = devices.rbegin(); at != devices.rend(); ++at) {
            if (!isShown(*at) && room < wideOf(*at)) continue;
            if (!isShown(*at)) room -= wideOf(*at);
            shown.push_back(*at);
        }
        for (auto at = shown.rbegin(); at != shown.rend(); ++at) {
            OccupancyOptions choice = options_;
            choice.device =
                (*at)->name == in_.profile.name ? std::string_view() : std::string_view((*at)->name);
            x = chip(
                x, y, model::capabilityOf(**at),
                {.hover = say(l_, kDeviceHover, model::capabilityOf(**at), (*at)->card), .options = choice},
                isShown(*at));
        }
        return 10 + kChip + 8;
    }

    std::string valueText(const Quantity& quantity) const {
        if (!quantity.chosen) return say(l_, kNotKnown);
        const std::string chosen = quantity.text(*quantity.chosen);
        if (!quantity.own) return say(l_, kWhatIfAlone, chosen);
        return *quantity.own == *quantity.chosen ? say(l_, quantity.as, chosen)
                                                 : say(l_, kWhatIf, chosen, quantity.text(*quantity.own));
    }

    std::string hoverOf(const Quantity& quantity, u64 value, const model::Occupancy& at) const {
        const std::string what = quantity.sentence(value);
        if (at.possibleBlocksPerSm == 0) return say(l_, kBarHoverNone, what, nameOf(at.possibleLimit).in(l_));
        return say(l_, kBarHover, what, at.possibleBlocksPerSm, at.possibleWarpsPerSm, device_.warpsPerSm,
                   percentOf(u64(at.possibleWarpsPerSm), device_.warpsPerSm),
                   nameOf(at.possibleLimit).in(l_));
    }

    // Warps that fit, by one quantity, all else as chosen. A click chooses.
    void drawPanel(const Quantity& quantity, const Rect& area) {
        const TextStyle name{.bold = true}, second{.size = type::kCode, .role = role(RoleKind::TextSecond)};
        const std::string title = say(l_, quantity.title), value = valueText(quantity);
        const bool fits = canvas_.width(title, name) <= area.width;
        canvas_.textWithin({area.x, area.y + 8}, area.width, fits ? title : say(l_, quantity.brief), name);
        const bool isWhole = canvas_.width(value, second) <= area.width;
        canvas_.textWithin({area.x, area.y + 26}, area.width,
                           isWhole || !quantity.chosen ? value : quantity.text(*quantity.chosen), second);
        TextStyle upward = kSmall;
        upward.align = Align::Right;
        const f32 room = area.width - canvas_.width(value, second) - 16;
        if (const std::string axis =
                firstFitting(canvas_, room, upward, {say(l_, kUpward), say(l_, kUpwardBrief)});
            isWhole && canvas_.width(axis, upward) <= room)
            canvas_.text({area.right(), area.y + 26}, axis, upward);
        if (!fits || !isWhole)
            canvas_.hit({area.x, area.y, area.width, kTitles}, {.hover = title + "\n" + value});
        const f32 left = canvas_.width(std::to_string(device_.warpsPerSm), kSmall) + 8;
        const Rect field{area.x + left, area.y + kTitles + 6, area.width - left,
                         area.height - kTitles - 6 - kAxis};
        if (field.height < 30 || field.width < 60) return;
        drawWarpsAxis(field, left);
        const u64 first = quantity.fromZero ? 0 : 1, count = quantity.most / quantity.step + 1 - first;
        const f32 pitch = field.width / f32(count);
        const auto barOf = [&](u64 value) {  // the bar whose value allocates as much
            const u64 unit = (value + quantity.step - 1) / quantity.step;
            return std::min(std::max(unit, first) - first, count - 1);
        };
        for (u64 bar = 0; bar < count; ++bar) {
            const u64 value = (bar + first) * quantity.step;
            const bool isChosen = quantity.chosen && barOf(*quantity.chosen) == bar;
            const u64 shownValue = isChosen ? *quantity.chosen : value;
            model::BlockNeeds needs = needs_;
            quantity.set(needs, shownValue);
            const model::Occupancy at = model::occupancy(needs, device_);
            const f32 tall = field.height * f32(at.possibleWarpsPerSm) / f32(device_.warpsPerSm);
            const Rect box{field.x + f32(bar) * pitch, field.bottom() - tall,
                           std::max(1.0f, pitch - (pitch > 4 ? 1 : 0)), tall};
            if (tall > 0) canvas_.rect(box, {.fill = role(isChosen ? RoleKind::Load : RoleKind::Wasted)});
            OccupancyOptions choice = options_;
            quantity.choose(choice, shownValue);
            canvas_.hit({box.x, field.y, pitch, field.height},
                        {.hover = hoverOf(quantity, shownValue, at), .options = choice});
            if (isChosen && tall == 0)
                canvas_.line({box.x, field.bottom() - 1.5f}, {box.x + pitch, field.bottom() - 1.5f},
                             {role(RoleKind::Load), 3});
            if (isChanged() && quantity.own && barOf(*quantity.own) == bar)
                drawOwn({box.x + box.width / 2, field.bottom()});
        }
        drawAcross(quantity, field, pitch, first, count);
    }

    // A triangle below the axis, which points at the kernel's own value.
    void drawOwn(Point at) {
        canvas_.polygon({{at.x, at.y + 1}, {at.x + 5, at.y + 8}, {at.x - 5, at.y + 8}}, role(RoleKind::Text));
    }

    void drawWarpsAxis(const Rect& field, f32 left) {
        constexpr u32 kParts = 4;
        for (u32 part = 0; part <= kParts; ++part) {
            const u32 warps = device_.warpsPerSm * part / kParts;
            const f32 y = field.bottom() - field.height * f32(part) / kParts;
            canvas_.line({field.x, y}, {field.right(), y}, {role(RoleKind::Line)});
            canvas_.text({field.x - 6, y}, std::to_string(warps),
                         {.size = type::kAxis, .align = Align::Right, .role = role(RoleKind::TextSecond)});
        }
        canvas_.hit({field.x - left, field.y, left, field.height}, {.hover = say(l_, kUpward)});
    }

    // Values below the bars: as many as have room, the triangle's place left free.
    void drawAcross(const Quantity& quantity, const Rect& field, f32 pitch, u64 first, u64 count) {
        const TextStyle style{
            .size = type::kAxis, .align = Align::Centre, .role = role(RoleKind::TextSecond)};
        u64 every = 1;
        const auto textOf = [&](u64 bar) { return quantity.text((bar + first) * quantity.step); };
        const f32 widest = std::max(canvas_.width(textOf(count - 1), style), 20.0f) + 14;
        while (f32(every) * pitch < widest)
            every *= 2;
        for (u64 bar = first == 0 ? 0 : every - 1; bar < count; bar += every) {
            const f32 x = field.x + (f32(bar) + 0.5f) * pitch, wide = canvas_.width(textOf(bar), style);
            if (x + wide / 2 > field.right() + 10) break;
            canvas_.text({x, field.bottom() + 15}, textOf(bar), style);
        }
    }

    void drawKey(Point at, f32 wide) {
        const auto square = [](Role fill) {
            return [=](Canvas& c, Point p) { c.rect({p.x - 6, p.y - 6, 12, 12}, {.fill = fill}); };
        };
        const std::vector<KeyRow> keys{
            {square(role(RoleKind::Load)), say(l_, isChanged() ? kKeyChosen : kKeyKernel)},
            {square(role(RoleKind::Wasted)), say(l_, kKeyOther)},
            {[](Canvas& c, Point p) {
                 c.polygon({{p.x, p.y - 4}, {p.x + 5, p.y + 4}, {p.x - 5, p.y + 4}}, role(RoleKind::Text));
             },
             say(l_, kKeyKernel)}};
        keyRow(canvas_, at, wide, drawnOf(canvas_, keys));
    }

    std::string_view registersFrom() const {
        if (options_.registers) return kAssumed.in(l_);
        return (known_.registers && known_.registers->fromMachineCode ? message::kFromMachineCode
                                                                      : message::kSaidByGpu)
            .in(l_);
    }

    // An SM with what fits, and what was recorded.
    void drawBelow(const Rect& area) {
        constexpr f32 kLeastLeft = 420, kApart = 36;
        const f32 table = facts_.times ? tableWidth() : 0;
        const bool hasTable = table > 0 && area.width - table - kApart >= kLeastLeft;
        const Rect left{area.x, area.y, std::min(860.0f, hasTable ? area.width - table - kApart : area.width),
                        area.height};
        if (!drawOccupancy(canvas_, left, needs_, registersFrom(), device_, l_))
            canvas_.paragraph({left.x, left.y + 10}, left.width, sentence(),
                              {.role = role(RoleKind::TextSecond)});
        if (hasTable) drawTable({area.right() - table, area.y, table, area.height});
    }

    std::array<std::string, 5> heads() const {
        return {facts_.times->parameter, say(l_, kColumnBlocks), say(l_, kColumnWarps),
                say(l_, kColumnRegisters), say(l_, kColumnTime)};
    }
    std::array<std::string, 5> cellsOf(const run::OccupancyTime& row) const {
        return {row.value, std::to_string(row.blocksPerSm), std::to_string(row.warpsPerSm()),
                std::to_string(row.registers), timeText(row.milliseconds)};
    }
    std::array<f32, 5> columns() const {
        std::array<f32, 5> wide{};
        const auto take = [&](const std::array<std::string, 5>& texts, const TextStyle& style) {
            for (std::size_t i = 0; i < wide.size(); ++i)
                wide[i] = std::max(wide[i], canvas_.width(texts[i], style) + 18);
        };
        take(heads(), kSmall);
        for (const run::OccupancyTime& row : facts_.times->rows)
            take(cellsOf(row), {.size = type::kCode, .bold = true, .mono = true});
        return wide;
    }
    f32 tableWidth() const {
        f32 sum = 0;
        for (const f32 wide : columns())
            sum += wide;
        return sum;
    }

    // Of what the table's rows have in common: the run's own values where they are others.
    std::string settingsThatDiffer() const {
        std::vector<run::Setting> own;
        for (const run::Setting& setting : run::settingsOf(*in_.run.catalog))
            if (std::ranges::any_of(facts_.times->fixed, [&](const run::Setting& fixed) {
                    return fixed.first == setting.first && fixed.second != setting.second;
                }))
                own.push_back(setting);
        return sizeText(own, l_);
    }

    void drawTable(const Rect& area) {
        const run::OccupancyTimes& times = *facts_.times;
        constexpr f32 kRow = 20;
        const std::string fixed = sizeText(times.fixed, l_);
        const std::string& device = times.machine->recording.device;
        const std::string title =
            fixed.empty() ? say(l_, kRecorded, device) : say(l_, kRecordedAt, device, fixed);
        canvas_.textWithin({area.x, area.y + 8}, area.width, title, {.size = type::kCode, .bold = true});
        canvas_.hit({area.x, area.y, area.width, 18}, {.hover = title});
        const std::array<f32, 5> wide = columns();
        const auto row = [&](f32 y, const std::array<std::string, 5>& texts, TextStyle style) {
            style.align = Align::Right;
            f32 x = area.x;
            for (std::size_t i = 0; i < wide.size(); ++i) {
                x += wide[i];
                canvas_.text({x, y}, texts[i], style);
            }
        };
        f32 y = area.y + 32;
        if (const std::string own = settingsThatDiffer(); !own.empty()) {
            constexpr f32 kLine = 16;
            y += kLine * f32(canvas_.paragraph({area.x, area.y + 26}, area.width,
                                               say(l_, kOfAnotherSize, own), kSmall, kLine / kSmall.size));
        }
        row(y, heads(), kSmall);
        const std::size_t room = std::size_t((area.bottom() - y - kRow / 2) / kRow);
        for (std::size_t i = 0; i < std::min(room, times.rows.size()); ++i) {
            y += kRow;
            const run::OccupancyTime& time = times.rows[i];
            if (time.isTheRuns)
                canvas_.rect({area.x, y - kRow / 2, area.width + 6, kRow},
                             {.fill = role(RoleKind::Raised), .radius = radius::kControl});
            row(y, cellsOf(time), {.size = type::kCode, .bold = time.isTheRuns, .mono = true});
        }
    }

    std::string sentence() const {
        const model::Occupancy at = model::occupancy(needs_, device_);
        const std::string takes =
            needs_.registersPerThread
                ? say(l_, kTakes, *needs_.registersPerThread, amount(needs_.sharedBytes))
                : say(l_, kTakesUnknown, amount(needs_.sharedBytes));
        if (at.possibleBlocksPerSm == 0)
            return say(l_, kFitsNot, grouped(needs_.threads), takes, nameOf(at.possibleLimit).in(l_));
        return say(l_, kFits, grouped(needs_.threads), takes, at.possibleBlocksPerSm, at.possibleWarpsPerSm,
                   device_.warpsPerSm, nameOf(at.possibleLimit).in(l_));
    }

    const ViewInput& in_;
    Language l_;
    const Facts& facts_;
    OccupancyOptions options_;
    const model::Profile& device_;
    KnownNeeds known_;
    model::BlockNeeds needs_;
    Canvas canvas_;
};

}  // namespace

Scene buildOccupancy(const ViewInput& in) {
    if (in.run.recording.launches.empty()) return emptyScene(in, kTitle, say(in.language, kNeedsALaunch));
    Facts anew;
    Facts* kept = in.cache ? std::any_cast<Facts>(&in.cache->facts) : nullptr;
    if (!kept) {
        kept = in.cache ? &in.cache->facts.emplace<Facts>() : &anew;
        const auto machines = in.machines ? std::span(*in.machines) : std::span<const run::RecordedMachine>();
        kept->measurements = run::measurementsOf(in.run, machines);
        if (in.run.catalog) kept->times = run::occupancyTimes(*in.run.catalog, machines);
    }
    return Page(in, *kept).draw();
}

}  // namespace lockstep::viz
