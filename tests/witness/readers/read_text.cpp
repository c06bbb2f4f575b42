// The general course: which texts are read, what each is about, and what an ordinary number in it may be.
#include "viz/view_options.h"
#include "witness/readers/reader.h"
#include "witness/record/times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep::witness {

using Kind = Token::Kind;
using trace::AccessKind, trace::Space;

namespace {

bool holds(const std::map<std::string, std::set<f64>, std::less<>>& facts, const Token& token) {
    const auto found = facts.find(token.noun);
    if (found == facts.end()) return false;
    if (token.decimals == 0 && !token.isRounded) return found->second.contains(token.value);
    return std::ranges::any_of(found->second, [&](f64 value) { return agrees(token, value); });
}

}  // namespace

bool says(std::string_view text, std::initializer_list<std::string_view> parts) {
    return std::ranges::any_of(parts, [&](std::string_view part) { return contains(text, part); });
}

std::string formOf(std::string_view text) {
    std::string form;
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] >= '0' && text[i] <= '9') {
            while (i < text.size() && ((text[i] >= '0' && text[i] <= '9') ||
                                       ((text[i] == '.' || text[i] == ',') && i + 1 < text.size() &&
                                        text[i + 1] >= '0' && text[i + 1] <= '9')))
                ++i;
            form += '#';
        } else
            form += text[i++];
    }
    return form;
}

Reader::Reader(Witness& witness, const Picture& picture)
    : w_(witness),
      picture_(picture),
      run_(witness.run_),
      cursor_(picture.cursor),
      launch_(run_.run().recording.launches[cursor_.launch.value]),
      block_(witness.block(cursor_.launch, cursor_.block)) {
    step_ = block_.step(cursor_.warp.value, cursor_.step);
    const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
    if (cursor_.step < warp.steps.size() && warp.steps[cursor_.step].access != trace::Step::kNone)
        access_ = warp.unpack(warp.accesses[warp.steps[cursor_.step].access]);
    line_ = run_.lineOf(warp.steps[cursor_.step].pc);
}

void Reader::look() {
    if (picture_.view == "lanes") laneRows();
    if (picture_.view == "memory") memoryPicture(), levelsAddUp(), occupancyPicture();
    if (picture_.view == "occupancy") occupancyPicture(), occupancyTable();
    if (picture_.view == "times") timesPicture(), boundsPicture();
    if (picture_.view == "findings") findingsPicture();
    if (picture_.view == "source") {
        picture_.tab == viz::SourceTab::Machine ? machinePicture() : sourcePicture();
        valueRows();
    }
    if (picture_.view == "stage") requestOfStage();
    if (picture_.view == "read") authoredWhole();
    if (picture_.view == "timeline") timelinePicture();
    for (const Said& said : picture_.texts)
        if (!rowTexts_.contains(&said)) text(said);
    if (picture_.view == "timeline" || picture_.view == "source") hoversOfTexts();
}

void Reader::fail(const Said& said, std::string_view token, std::string why) {
    w_.failures.push_back({w_.trial_.name(), picture_.countedAs(), said.text, std::string(token),
                           std::move(why), picture_.language, cursor_});
}

bool Reader::isAllowed(const Said& said) const {
    std::string form;
    for (const Allowed& row : w_.allowed_) {
        if (row.view != "*" && row.view != picture_.view) continue;
        if (row.part == "^#$" && !said.hover.empty())
            continue;  // a number alone: a tick, unless the mouse is told what it is
        if (form.empty()) form = "^" + formOf(text_) + "$";
        if (contains(form, row.part)) return ++row.uses, true;
    }
    return false;
}

void Reader::text(const Said& said) {
    if (said.text.find_first_of("0123456789") == std::string::npos) return;
    const bool isCode =
        said.face == viz::Face::Mono || said.face == viz::Face::MonoBold || picture_.view == "source";
    if (isCode && run_.isInSource(said.text)) return;
    if (run_.isInstruction(said.text)) return;
    std::string text = said.text;
    for (const std::string& name : w_.names_)
        for (std::size_t at; (at = text.find(name)) != std::string::npos;)
            text.replace(at, name.size(), std::string(name.size(), '~'));
    // "word = float4" in a head: the label that this run chose.
    if (run_.run().catalog && contains(text, " · "))
        for (const catalog::Parameter& parameter : run_.run().catalog->family->parameters) {
            const auto value = run_.run().catalog->values.find(parameter.name);
            if (!parameter.isChoice() || value == run_.run().catalog->values.end()) continue;
            const std::string chosen = parameter.name + " = " + parameter.shown(value->second);
            if (const std::size_t at = text.find(chosen); at != std::string::npos)
                text.replace(at, chosen.size(), std::string(chosen.size(), '~'));
        }
    text_ = text, form_ = formOf(said.text);
    const std::vector<Token> tokens = tokensOf(text_);
    if (tokens.empty()) return;
    w_.of(picture_.countedAs()).read += tokens.size();
    if (picture_.view == "read" && authoredText(said)) return;
    done_.assign(tokens.size(), false);
    tokens_ = &tokens;
    if (isFinding(said.text)) {
        for (std::size_t from = 0; from < text_.size();) {
            const std::size_t end = std::min(text_.find('\n', from), text_.size());
            finding(said, text_.substr(from, end - from));
            from = end + 1;
        }
        return;
    }
    if (isAllowed(said)) {
        w_.of(picture_.countedAs()).let += tokens.size();
        return;
    }
    settings();
    scope_ = scopeOf(said);
    special(said);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (done_[i]) continue;
        const Token& token = tokens[i];
        std::string why = explain(said, i);
        if (!why.empty()) fail(said, text_.substr(token.begin, token.end - token.begin), std::move(why));
    }
}

// "n 256, block 128", "n = 256, block = 128": of this run, or of the other, or of one recorded run.
void Reader::settings() {
    if (!run_.run().catalog) return;
    std::vector<std::pair<std::string, std::string>> pairs;
    std::vector<std::size_t> at;
    for (std::size_t i = 0; i < tokens_->size(); ++i) {
        const Token& token = (*tokens_)[i];
        if (token.kind == Kind::Element || token.kind == Kind::Pair) continue;
        for (const catalog::Parameter& parameter : run_.run().catalog->family->parameters) {
            const auto stands = [&](const std::string& head) {
                return token.begin >= head.size() &&
                       text_.compare(token.begin - head.size(), head.size(), head) == 0 &&
                       (token.begin == head.size() ||
                        !std::isalnum(u8(text_[token.begin - head.size() - 1])));
            };
            if (!stands(parameter.name + " ") && !stands(parameter.name + " = ")) continue;
            pairs.emplace_back(parameter.name, text_.substr(token.begin, token.end - token.begin)),
                at.push_back(i);
        }
    }
    if (pairs.empty()) return;
    const auto holdsOf = [&](const catalog::Values& values) {
        return std::ranges::all_of(pairs, [&](const auto& pair) {
            const auto found = values.find(pair.first);
            return found != values.end() && std::to_string(found->second) == pair.second;
        });
    };
    bool found = holdsOf(run_.run().catalog->values);
    if (!found && picture_.view == "times") found = isRecordedSize(w_.world_, w_.trial_.family->name, pairs);
    if (found)
        for (std::size_t i : at)
            done_[i] = true;
}

const Token* Reader::firstId(std::string_view noun, std::size_t from) const {
    for (std::size_t i = from; i < tokens_->size(); ++i)
        if ((*tokens_)[i].kind == Kind::Id && (*tokens_)[i].noun == noun) return &(*tokens_)[i];
    return nullptr;
}

Reader::Scope Reader::scopeOf(const Said& said) {
    Scope scope;
    const Token* warp = firstId("warp");
    const Token* step = firstId("step");
    const u32 warps = u32(block_.block().warps.size());
    if (warp && warp->value < warps) scope.warp = u32(warp->value);
    if (step) scope.step = u32(step->value - 1);
    scope.facts = step_;
    if (said.isCaption || said.isSentence) {
        if (scope.step && (!scope.warp || *scope.warp == cursor_.warp.value) && *scope.step != cursor_.step)
            scope.facts.add(nearest(*scope.step));
    } else if (said.isHover || step) {
        if (step && scope.step) {
            const u32 ofWarp = scope.warp.value_or(cursor_.warp.value);
            Facts own = block_.step(ofWarp, *scope.step);
            if (scope.warp && said.isHover)
                scope.facts = std::move(own), scope.isOwn = true;
            else
                scope.facts.add(own);
        }
        scope.facts.add(block_.whole());
        for (u32 s : nearestAccesses())
            scope.facts.add(block_.step(cursor_.warp.value, s));
    } else {
        scope.facts.add(block_.whole());
        for (u32 s : nearestAccesses())
            scope.facts.add(block_.step(cursor_.warp.value, s));
    }
    return scope;
}

// The accesses next to the cursor in its warp, of shared and of global memory, ahead and behind.
std::vector<u32> Reader::nearestAccesses() const {
    if (nearestKnown_) return nearest_;
    const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
    for (const Space space : {Space::Shared, Space::Global})
        for (int by : {1, -1})
            for (s64 s = s64(cursor_.step) + by; s >= 0 && s < s64(warp.steps.size()); s += by)
                if (const u32 access = warp.steps[std::size_t(s)].access;
                    access != trace::Step::kNone && warp.accesses[access].space == space &&
                    !warp.accesses[access].active.empty()) {
                    nearest_.push_back(u32(s));
                    break;
                }
    nearestKnown_ = true;
    return nearest_;
}

Facts Reader::nearest(u32 step) const {
    for (u32 s : nearestAccesses())
        if (s == step) return block_.step(cursor_.warp.value, s);
    return {};
}

std::string Reader::explain(const Said& said, std::size_t i) {
    const Token& token = (*tokens_)[i];
    switch (token.kind) {
        case Kind::Element: return element(said, i);
        case Kind::Pair: return pair(said, token);
        case Kind::Id:
        case Kind::Count: break;
        case Kind::Bare: return bare(said, i);
    }
    if (holds(token.kind == Kind::Id ? scope_.facts.ids : scope_.facts.counts, token)) return {};
    if (token.noun == "%") return percent(said, token);
    if (picture_.view == "memory" && holds(whole().counts, token)) return {};
    if (!said.isSentence && !said.isCaption) {
        if (holds(token.kind == Kind::Id ? whole().ids : whole().counts, token)) return {};
        if (inHover(said, token)) return {};
    }
    return fmt::format("{} {} is no fact of this place",
                       token.kind == Kind::Id ? token.noun + " number" : "number of " + token.noun,
                       token.value);
}

bool Reader::inHover(const Said& said, const Token& token) const {
    if (said.hover.empty() || said.isHover) return false;
    for (const Token& other : tokensOf(said.hover)) {
        if (token.kind == Kind::Element
                ? other.kind == Kind::Element && other.name == token.name && other.indices == token.indices &&
                      other.lastIndices == token.lastIndices
                : other.kind != Kind::Element && other.kind != Kind::Pair &&
                      (token.noun.empty() || token.noun == other.noun) &&
                      (agrees(token, other.value) || (other.isRounded && agrees(other, token.value))))
            return true;
        if (token.kind == Kind::Bare && (other.kind == Kind::Element || other.kind == Kind::Pair))
            for (s64 index : other.indices)
                if (f64(index) == token.value) return true;
    }
    return false;
}

std::string Reader::percent(const Said& said, const Token& token) {
    for (const auto& [what, share] : scope_.facts.shares)
        if (rounds(token, 100 * share)) return {};
    for (const auto& [what, share] : whole().shares)
        if (rounds(token, 100 * share)) return {};
    if (inHover(said, token)) return {};
    for (const auto& [line, sums] : run_.ofLine()) {
        if (!line) continue;
        const PcSums& total = run_.total();
        for (const auto& [part, all] : {std::pair{sums.sectors, total.sectors},
                                        {sums.wavefronts, total.wavefronts},
                                        {sums.executions, total.executions}})
            if (all && rounds(token, 100.0 * f64(part) / f64(all))) return {};
        if (sums.executions && rounds(token, 100.0 * f64(sums.activeLanes) / f64(32 * sums.executions)))
            return {};
    }
    return fmt::format("{}% is no share of this place", token.value);
}

std::string Reader::bare(const Said& said, std::size_t i) {
    const Token& token = (*tokens_)[i];
    if (inHover(said, token)) return {};
    for (const auto* facts : {&scope_.facts.counts, &scope_.facts.ids})
        for (const auto& [noun, values] : *facts)
            for (f64 value : values)
                if (agrees(token, value)) return {};
    if (!said.isSentence && !said.isCaption)
        for (const auto& [noun, values] : whole().counts)
            for (f64 value : values)
                if (agrees(token, value)) return {};
    return fmt::format("{} is no fact of this place{}{}", token.value,
                       said.hover.empty() ? "" : ", where the mouse is told: ", said.hover);
}

void Reader::special(const Said& said) {
    laneAndThread(said);
    laneValue(said);
    if (said.isHover && picture_.view == "banks") bankHover(said);
    itemHover(said);
    lanesAtATime(said);
    whyOff(said);
    branchText(said);
    wordOfHalfWarp(said);
    halfWarps(said);
    halfWarpsLeftOut(said);
    lanesOfGroup(said);
    verbText(said);
    variantText(said);
    atomicLane(said);
    if (picture_.view == "source" || picture_.view == "timeline" || picture_.view == "lanes")
        branchSentence(said), issueSentence(said), accessSentence(said), captionText(said);
    if (picture_.view == "source") sourceText(said), ptxHover(said), machineText(said);
    if (says(said.text, {"old value", "旧值"}) && !says(said.text, {"is unused", "不取"}) && access_ &&
        access_->kind == AccessKind::Reduction)
        fail(said, "old value", "what is kept of an atomic without result is its operand");
    accessRange(said);
    accessLayout(said);
    accessOfLine(said);
    if (picture_.view == "banks") sharedWord(said);
    shuffleText(said);
    lineHover(said);
    if (picture_.view == "read") readLink(said);
    if (said.isHover || picture_.view == "read") noteText(said);
    if (picture_.view == "memory" || picture_.view == "times" || picture_.view == "read") boundText(said);
    if (picture_.view == "stage") stageText(said), momentText(said), partExists(said), cutArray(said);
    if (picture_.view == "memory") memoryText(said), occupancyText(said);
    if (picture_.view == "occupancy") occupancyText(said), occupancyBars(said);
    if (picture_.view == "times" || picture_.view == "chart" || picture_.view == "findings" ||
        picture_.view == "waits")
        modeledText(said);
    if (picture_.view == "waits") recordedBeside(said);
    if (picture_.view == "times") timesText(said);
    if (picture_.view == "chart") chartText(said);
    if (picture_.view == "timeline") timelineText(said);
    if (picture_.view == "issue") picture_.isHiding ? hidingText(said) : issueText(said);
    if (picture_.view == "waits") waitsText(said);
    if (picture_.view == "orders") ordersText(said);
    if (picture_.view == "findings") findingsText(said), hintText(said);
    if (said.isHover) firstAccessText(said);
    wordOfLane(said);
    otherDevices(said);
}

}  // namespace lockstep::witness
