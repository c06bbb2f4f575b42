// What there is to read about a kernel: what to look at, what it fixes and what is still wrong, the family's
// story, where in this run something happens, and the questions that its figures raise. Words lead to the
// step, the line or the view they speak of.
#include "base/text/counted.h"
#include "base/text/words.h"
#include "catalog/cpu/cpu_loop_source.h"
#include "catalog/host_code.h"
#include "explain/sentences/finding_groups.h"
#include "viz/cursor/links.h"
#include "viz/cursor/lookup.h"
#include "viz/cursor/presentation.h"
#include "viz/marks/frame.h"
#include "viz/marks/linked_paragraph.h"
#include "viz/notes/notes.h"
#include "viz/scene/canvas.h"
#include "viz/scene/wheel.h"
#include "viz/views/views.h"

#include <algorithm>
#include <array>

namespace lockstep::viz {
namespace {

constexpr Words kLook = english("What to look at");
constexpr Words kFixes = english("What it fixes");
constexpr Words kWrong = english("What remains");
constexpr Words kWhere = english("Where it happens in this run");
constexpr Words kFirstFinding = english("first finding");
constexpr Words kFirstDivergence = english("first divergence");
constexpr Words kFirstConflict = english("first bank conflict");
constexpr Words kFirstBarrier = english("after the first barrier");
constexpr Words kSeeView = english("{0} view");
constexpr Words kOwnKernel = english(
    "No text comes with this file. Where something happens in its run stands below; the other views show the "
    "rest.");
constexpr Words kHostCode = english("Host code, to use it in a program");
constexpr Words kCpuLoop = english("The loop, split among all CPU cores, timed for comparison");
constexpr Words kMoreToRead = english("Scroll to read on.");

const TextStyle kHeading{.size = type::kBody, .bold = true};
const TextStyle kBody{.size = type::kBody, .role = role(RoleKind::Text)};
const TextStyle kCodeText{.size = type::kCode, .mono = true, .role = role(RoleKind::Text)};
const TextStyle kBrief{.size = type::kTitle, .bold = true};
constexpr f32 kFoot = 24;
constexpr f32 kMostWidth = 760;  // a line that is longer is hard to follow

f32 lineOf(const TextStyle& style) { return style.size * type::kLineHeight; }

// What stays while the run does: kept in Kept::parts.
struct Lasting {
    LinkPlaces places;
    std::optional<std::array<std::string, 2>> code{};  // of the host and of the CPU, read from files
};

// Draws from the top down, and knows how far it got.
class Page {
public:
    Page(Canvas& canvas, const ViewInput& in, LinkPlaces& places, f32 width)
        : canvas_(canvas), in_(in), places_(places), x_(space::kInset), width_(width) {}

    void heading(std::string_view text) {
        y_ += 8;
        canvas_.text({x_, y_ + lineOf(kHeading) / 2}, std::string(text), kHeading);
        y_ += lineOf(kHeading) + 2;
    }
    void paragraph(std::string_view text, const TextStyle& style = kBody,
                   std::span<const catalog::TextLink> links = {}) {
        std::vector<LinkedWords> words;
        for (const catalog::TextLink& link : links)
            if (std::optional<Hit> hit = hitOf(in_, link.target, places_))
                words.push_back({link.begin, link.end, std::move(*hit)});
        y_ += f32(linkedParagraph(canvas_, {x_, y_ + lineOf(style) / 2}, width_, text, words, style)) *
              lineOf(style);
    }
    void paragraph(const catalog::LinkedText& text) {
        paragraph(text.in(in_.language), kBody, text.linksIn(in_.language));
    }
    // Words that lead somewhere, one behind the other.
    void links(const std::vector<std::pair<std::string, Hit>>& items) {
        std::string text;
        std::vector<LinkedWords> words;
        for (const auto& [said, hit] : items) {
            if (!text.empty()) text += " · ";
            words.push_back({u32(text.size()), u32(text.size() + said.size()), hit});
            text += said;
        }
        y_ += f32(linkedParagraph(canvas_, {x_, y_ + lineOf(kBody) / 2}, width_, text, words, kBody)) *
              lineOf(kBody);
    }
    // As it stands, line by line; a line that is too long goes on below, as far in as it began.
    void code(std::string_view text) {
        const f32 letter = canvas_.width("0", kCodeText);
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find('\n', at), text.size());
            const std::string_view line = text.substr(at, end - at);
            const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
            const f32 in = f32(indent) * letter;
            const u32 lines = line.empty()
                                  ? 1
                                  : u32(linkedParagraph(canvas_, {x_ + in, y_ + lineOf(kCodeText) / 2},
                                                        width_ - in, line.substr(indent), {}, kCodeText));
            y_ += f32(lines) * lineOf(kCodeText);
            at = end + 1;
        }
    }
    void gap(f32 height) { y_ += height; }
    f32 bottom() const { return y_; }

private:
    Canvas& canvas_;
    const ViewInput& in_;
    LinkPlaces& places_;
    f32 x_, y_ = 0, width_;
};

// Events of the run that a click goes to, and the views that show most of it.
std::vector<std::pair<std::string, Hit>> placesOf(const ViewInput& in, LinkPlaces& known) {
    using Target = catalog::LinkTarget;
    struct Event {
        const Words& words;
        Target target;
    };
    const std::array events{Event{kFirstFinding, {Target::Kind::Next, "finding"}},
                            Event{kFirstDivergence, {Target::Kind::Next, "divergence"}},
                            Event{kFirstConflict, {Target::Kind::Next, "conflict"}},
                            Event{kFirstBarrier, {Target::Kind::Phase, {}, 1}}};
    std::vector<std::pair<std::string, Hit>> places;
    for (const Event& event : events) {
        // From its beginning: "first" is the same wherever the cursor stands.
        ViewInput from = in;
        from.cursor.step = 0;
        if (std::optional<Hit> hit = hitOf(from, event.target, known))
            places.emplace_back(std::string(event.words.in(in.language)), std::move(*hit));
    }
    for (const std::string_view view : {"findings", "memory", "times"}) {
        if (view == "findings" && in.run.recording.findings.empty()) continue;
        if (view == "times" && !(in.run.catalog && in.machines && !in.machines->empty())) continue;
        const ViewRow* row = findView(view);
        places.emplace_back(say(in.language, kSeeView, row->title.in(in.language)),
                            *hitOf(in, {Target::Kind::View, std::string(view)}, known));
    }
    return places;
}

void drawNotes(Page& page, const ViewInput& in) {
    const std::vector<Note> notes = notesOf(in);
    if (notes.empty()) return;
    page.gap(4);
    for (const Note& note : notes) {
        page.heading(note.question);
        page.paragraph(note.answer);
    }
}

// What a program needs around the kernel, and what the kernel is measured against: where there is such code.
void drawCode(Page& page, const ViewInput& in, Lasting& lasting) {
    const catalog::Family& family = *in.run.catalog->family;
    const catalog::Variant& variant = *in.run.catalog->variant;
    if (!lasting.code)
        lasting.code = {catalog::hostCode(family, variant), catalog::cpuLoopSource(family.name, variant)};
    for (std::size_t i = 0; i < lasting.code->size(); ++i) {
        if ((*lasting.code)[i].empty()) continue;
        page.heading((i == 0 ? kHostCode : kCpuLoop).in(in.language));
        page.code((*lasting.code)[i]);
    }
}

// All of it from the top of the canvas on; returns where it ends.
f32 drawAll(Canvas& canvas, const ViewInput& in, Lasting& lasting) {
    const bool presented =
        in.isPresented;  // what comes with the kernel, in letters as large as all of it has room for
    const f32 width = presented ? in.size.width - 2 * space::kInset
                                : std::min(in.size.width - 2 * space::kInset, kMostWidth);
    Page page(canvas, in, lasting.places, width);
    const catalog::Variant* variant = in.run.catalog ? in.run.catalog->variant : nullptr;
    // Of a kernel of the catalog, there is enough to read in a presentation.
    const auto places =
        presented && variant ? std::vector<std::pair<std::string, Hit>>() : placesOf(in, lasting.places);
    if (!variant) page.paragraph(kOwnKernel.in(in.language));
    if (variant) {
        if (const std::string& brief = variant->brief.in(in.language); !brief.empty())
            page.paragraph(brief, kBrief), page.gap(2);
        const auto section = [&](const Words& heading, const catalog::LinkedText& text) {
            if (text.in(in.language).empty()) return;
            page.heading(heading.in(in.language));
            page.paragraph(text);
        };
        section(kLook, variant->look);
        section(kFixes, variant->fixes);
        section(kWrong, variant->wrong);
    }
    if (!places.empty()) {
        page.heading(kWhere.in(in.language));
        page.links(places);
    }
    if (variant) {
        page.heading(in.run.catalog->family->title.in(in.language));
        page.paragraph(in.run.catalog->family->story);
    }
    if (presented) return page.bottom();
    if (variant) drawCode(page, in, lasting);
    drawNotes(page, in);
    return page.bottom();
}

}  // namespace

Scene buildRead(const ViewInput& in) {
    Canvas canvas(in.size, in.metrics);
    const catalog::Variant* variant = in.run.catalog ? in.run.catalog->variant : nullptr;
    const Rect body = head(canvas, in, findView("read")->title.in(in.language), "");
    Lasting own;
    Lasting* lasting = in.cache ? std::any_cast<Lasting>(&in.cache->lasting) : &own;
    if (!lasting) lasting = &in.cache->lasting.emplace<Lasting>();
    Canvas text(in.size, in.metrics);
    const f32 end = drawAll(text, in, *lasting), all = end + 2 * space::kGap;
    const bool scrolls = all > body.height;
    const f32 foot = scrolls ? kFoot : 0;
    Rect page = body;
    page.height -= foot;
    const f32 scrolled = std::clamp(in.state.pan.y, std::min(0.0f, page.height - all), 0.0f);
    keepScrolled(in, scrolled);
    // Lines are seen whole or not at all, and what is out of sight answers no mouse.
    Scene lines = std::move(text).take({});
    const f32 top = space::kGap + scrolled;
    const auto isCut = [&](f32 from, f32 to) { return from + top < 0 || to + top > page.height; };
    std::erase_if(lines.marks, [&](const Mark& mark) {
        const auto* words = std::get_if<TextMark>(&mark);
        return words && isCut(words->at.y - words->size, words->at.y + words->size * 0.3f);
    });
    std::erase_if(lines.hits, [&](const HitArea& area) { return isCut(area.rect.y, area.rect.bottom()); });
    Canvas sheet({page.width, page.height}, in.metrics);
    sheet.include(std::move(lines), {0, top, page.width, end});
    canvas.include(std::move(sheet).take({}), page);
    if (scrolls && scrolled > page.height - all)
        canvas.textWithin({space::kInset, body.bottom() - foot / 2}, body.width - 2 * space::kInset,
                          kMoreToRead.in(in.language),
                          {.size = type::kCode, .role = role(RoleKind::TextThird)});
    Scene scene = std::move(canvas).take(variant ? variant->brief.in(in.language) : std::string());
    scene.textHeight = all;
    return scene;
}

}  // namespace lockstep::viz
