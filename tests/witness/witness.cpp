#include "witness.h"

#include "base/text_file.h"
#include "times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep::witness {
namespace {

using Kind = Token::Kind;
using trace::AccessKind, trace::Space;

bool says(std::string_view text, std::initializer_list<std::string_view> parts) {
    return std::ranges::any_of(parts, [&](std::string_view part) { return contains(text, part); });
}

bool holds(const std::map<std::string, std::set<f64>, std::less<>>& facts, const Token& token) {
    const auto found = facts.find(token.noun);
    if (found == facts.end()) return false;
    if (token.decimals == 0 && !token.isRounded) return found->second.contains(token.value);
    return std::ranges::any_of(found->second, [&](f64 value) { return agrees(token, value); });
}

// "#" for every number.
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

}  // namespace

std::vector<Allowed> readAllowed(const std::string& file) {
    std::vector<Allowed> rows;
    const Expected<std::string> text =
        readTextFile(file, "it is the witness's table of what need not be traced");
    if (!text) return rows;
    for (std::size_t from = 0; from < text->size();) {
        const std::size_t end = std::min(text->find('\n', from), text->size());
        const std::string line = text->substr(from, end - from);
        from = end + 1;
        if (line.empty() || line[0] == '#') continue;
        const std::size_t a = line.find(" | "), b = line.find(" | ", a + 3);
        if (a == std::string::npos || b == std::string::npos) continue;
        rows.push_back({line.substr(0, a), line.substr(a + 3, b - a - 3), line.substr(b + 3)});
    }
    return rows;
}

// Reads one picture.
class Witness::Reader {
public:
    Reader(Witness& witness, const Picture& picture)
        : w_(witness),
          picture_(picture),
          run_(witness.run_),
          cursor_(picture.cursor),
          launch_(run_.run().recording.launches[cursor_.launch.value]),
          block_(witness.block(run_, cursor_.launch, cursor_.block, false)) {
        step_ = block_.step(cursor_.warp.value, cursor_.step);
        const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
        if (cursor_.step < warp.steps.size() && warp.steps[cursor_.step].access != trace::Step::kNone)
            access_ = warp.unpack(warp.accesses[warp.steps[cursor_.step].access]);
        line_ = run_.lineOf(warp.steps[cursor_.step].pc);
    }

    void look() {
        if (picture_.view == "lanes") laneRows();
        for (const Said& said : picture_.texts)
            if (!rowTexts_.contains(&said) && isRead(said)) text(said);
        wholePicture();
    }

private:
    // Everything in three views; of the others what they say at the cursor and where they are.
    bool isRead(const Said& said) const {
        if (picture_.view == "playground") return false;  // it shows no run
        return said.isSentence || said.isCaption || picture_.view == "banks" || picture_.view == "sectors" ||
               picture_.view == "lanes";
    }
    const trace::WarpTrace& traceOf(u32 warp) const { return block_.block().warps[warp]; }
    void fail(const Said& said, std::string_view token, std::string why) {
        w_.failures.push_back({w_.trial_.name(), picture_.view, said.text, std::string(token), std::move(why),
                               picture_.language, cursor_});
    }
    bool isAllowed(const Said& said) const {
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

    void text(const Said& said) {
        if (said.text.find_first_of("0123456789") == std::string::npos) return;
        const bool isCode =
            said.face == viz::Face::Mono || said.face == viz::Face::MonoBold || picture_.view == "source";
        if (isCode && run_.isInSource(said.text)) return;
        if (run_.isInstruction(said.text)) return;
        std::string text = said.text;
        for (const std::string& name : w_.names_)
            for (std::size_t at; (at = text.find(name)) != std::string::npos;)
                text.replace(at, name.size(), std::string(name.size(), '~'));
        text_ = text;
        const std::vector<Token> tokens = tokensOf(text_);
        if (tokens.empty()) return;
        w_.read += tokens.size();
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
            w_.let += tokens.size();
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

    // "n 256, block 128": of this run, or of the other, or of one recorded run.
    void settings() {
        if (!run_.run().catalog) return;
        std::vector<std::pair<std::string, std::string>> pairs;
        std::vector<std::size_t> at;
        for (std::size_t i = 0; i < tokens_->size(); ++i) {
            const Token& token = (*tokens_)[i];
            if (token.kind == Kind::Element || token.kind == Kind::Pair) continue;
            for (const catalog::Parameter& parameter : run_.run().catalog->family->parameters) {
                const std::string head = parameter.name + " ";
                if (token.begin < head.size() ||
                    text_.compare(token.begin - head.size(), head.size(), head) != 0)
                    continue;
                if (token.begin > head.size() && std::isalnum(u8(text_[token.begin - head.size() - 1])))
                    continue;
                pairs.emplace_back(parameter.name, text_.substr(token.begin, token.end - token.begin)),
                    at.push_back(i);
            }
        }
        if (pairs.empty() || (picture_.view != "times" && picture_.view != "compare" && pairs.size() < 1))
            return;
        const auto holdsOf = [&](const catalog::Values& values) {
            return std::ranges::all_of(pairs, [&](const auto& pair) {
                const auto found = values.find(pair.first);
                return found != values.end() && std::to_string(found->second) == pair.second;
            });
        };
        bool found = holdsOf(run_.run().catalog->values) ||
                     (w_.other_ && w_.other_->run().catalog && holdsOf(w_.other_->run().catalog->values));
        if (!found && picture_.view == "times")
            found = isRecordedSize(w_.world_, w_.trial_.family->name, pairs);
        if (found)
            for (std::size_t i : at)
                done_[i] = true;
    }

    // ---- What the text is about.
    struct Scope {
        Facts facts;
        std::optional<u32> warp, step;  // named by the text
        std::vector<u64> addresses;     // that the step touches
        bool isOwn = false;             // the text names what it is about
    };
    const Token* firstId(std::string_view noun, std::size_t from = 0) const {
        for (std::size_t i = from; i < tokens_->size(); ++i)
            if ((*tokens_)[i].kind == Kind::Id && (*tokens_)[i].noun == noun) return &(*tokens_)[i];
        return nullptr;
    }
    Scope scopeOf(const Said& said) {
        Scope scope;
        const Token* warp = firstId("warp");
        const Token* step = firstId("step");
        const u32 warps = u32(block_.block().warps.size());
        if (warp && warp->value < warps) scope.warp = u32(warp->value);
        if (step) scope.step = u32(step->value - 1);
        scope.facts = step_;
        if (said.isCaption || said.isSentence) {
            if (scope.step && (!scope.warp || *scope.warp == cursor_.warp.value) &&
                *scope.step != cursor_.step)
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
    std::vector<u32> nearestAccesses() const {
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
    Facts nearest(u32 step) const {
        for (u32 s : nearestAccesses())
            if (s == step) return block_.step(cursor_.warp.value, s);
        return {};
    }

    // ---- One token.
    std::string explain(const Said& said, std::size_t i) {
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

    // Facts of the cursor's line, its block and the grid.
    const Facts& whole() {
        if (wholeKnown_) return whole_;
        whole_ = run_.grid();
        whole_.count("word",
                     run_.capability().major == 1 ? 16 : 32);  // a line of the picture of shared memory
        whole_.add(block_.whole());
        const auto addSums = [&](const PcSums& sums) {
            whole_.count("execution", f64(sums.executions)), whole_.count("wavefront", f64(sums.wavefronts)),
                whole_.count("wavefront", f64(sums.least)), whole_.count("sector", f64(sums.sectors));
            whole_.count("transaction", f64(sums.sectors)), whole_.count("request", f64(sums.requests)),
                whole_.count("instruction", f64(sums.executions)), whole_.count("byte", f64(sums.bytes));
        };
        const std::set<u32> near = run_.linesNear(traceOf(cursor_.warp.value).steps[cursor_.step].pc);
        std::set<u32> lines = near;
        for (u32 s : nearestAccesses())
            lines.insert(run_.lineOf(traceOf(cursor_.warp.value).steps[s].pc));
        for (u32 line : lines) {
            if (const auto found = run_.ofLine().find(line); found != run_.ofLine().end())
                addSums(found->second);
            // In this block; accesses apart from everything else, and shared ones apart from global ones.
            for (const auto& [space, count] : block_.executionsOf(line))
                whole_.count("execution", f64(count));
        }
        std::map<std::pair<u32, int>, PcSums> bySpace;
        for (const auto& [pc, sums] : run_.ofPc()) {
            const u32 line = run_.lineOf(Pc{pc});
            if (!lines.contains(line)) continue;
            addSums(sums);
            if (sums.wavefronts + sums.sectors == 0) continue;
            PcSums& into = bySpace[{line, sums.wavefronts > 0}];
            into.executions += sums.executions, into.wavefronts += sums.wavefronts, into.least += sums.least,
                into.sectors += sums.sectors, into.requests += sums.requests, into.bytes += sums.bytes;
        }
        for (const auto& [key, sums] : bySpace)
            addSums(sums);
        // The same of the cursor's launch alone.
        std::map<std::pair<u32, int>, PcSums> ofLaunch;
        for (const trace::SiteCounts& site : run_.run().recording.counts[cursor_.launch.value].sites) {
            if (!lines.contains(run_.lineOf(site.pc))) continue;
            PcSums& into = ofLaunch[{run_.lineOf(site.pc), int(site.space)}];
            for (const trace::Pattern& pattern : site.patterns) {
                const trace::WarpAccess access = accessOf(site, pattern);
                into.executions += pattern.times;
                if (site.space == Space::Shared) {
                    const SharedCost cost =
                        sharedCost(access, run_.capability(), run_.run().module->textOf(site.pc));
                    into.wavefronts += cost.wavefronts * pattern.times,
                        into.least += cost.least * pattern.times;
                } else if (site.space == Space::Global) {
                    const GlobalCost cost = globalCost(access, run_.capability());
                    into.sectors += cost.items * pattern.times,
                        into.requests += cost.requests * pattern.times,
                        into.bytes += cost.bytes * pattern.times;
                }
            }
        }
        for (const auto& [key, sums] : ofLaunch)
            addSums(sums);
        for (u32 w = 0; w < block_.block().warps.size(); ++w) {
            const BlockFacts::Sums& sums = block_.sums(w);
            whole_.count("instruction", f64(sums.steps));
            if (w != cursor_.warp.value) continue;
            const f64 steps = f64(std::max<u64>(1, sums.steps));
            for (u64 sum : {sums.lanes, sums.came, sums.laneSlotsOfBranches}) {
                whole_.count("lane", f64(sum)), whole_.count("lane", f64(sum) / steps);
                for (u32 of : {32u, block_.lanesOf(w)})
                    whole_.shares.emplace_back("lanes", f64(sum) / steps / of);
            }
        }
        for (const u32 half : {0u, 1u})
            whole_.id("half-warp", half);
        wholeKnown_ = true;
        return whole_;
    }

    bool inHover(const Said& said, const Token& token) const {
        if (said.hover.empty() || said.isHover) return false;
        for (const Token& other : tokensOf(said.hover)) {
            if (token.kind == Kind::Element
                    ? other.kind == Kind::Element && other.name == token.name &&
                          other.indices == token.indices && other.lastIndices == token.lastIndices
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

    std::string percent(const Said& said, const Token& token) {
        for (const auto& [what, share] : scope_.facts.shares)
            if (agrees(token, 100 * share)) return {};
        for (const auto& [what, share] : whole().shares)
            if (agrees(token, 100 * share)) return {};
        if (inHover(said, token)) return {};
        for (const auto& [line, sums] : run_.ofLine()) {
            if (!line) continue;
            const PcSums& total = run_.total();
            for (const auto& [part, all] : {std::pair{sums.sectors, total.sectors},
                                            {sums.wavefronts, total.wavefronts},
                                            {sums.executions, total.executions}})
                if (all && agrees(token, 100.0 * f64(part) / f64(all))) return {};
            if (sums.executions && agrees(token, 100.0 * f64(sums.activeLanes) / f64(32 * sums.executions)))
                return {};
        }
        return fmt::format("{}% is no share of this place", token.value);
    }

    // ---- Elements.
    std::string element(const Said& said, std::size_t i) {
        const Token& token = (*tokens_)[i];
        const Array* array = run_.array(token.name, cursor_.launch);
        if (!array)
            return run_.isInSource(token.name) ? std::string("an array that the run does not have")
                                               : std::string("no such array");
        const std::optional<u64> first = run_.addressOf(*array, token.indices),
                                 last = run_.addressOf(*array, token.lastIndices);
        if (!first || !last) return "the indices do not go with the array's shape";
        const bool isSaidToLack =
            says(said.text, {"does not exist", "do not exist", "out of bounds", "past the end",
                             "no such cell", "不存在", "越界", "越过", "末尾", "before the start", "起点之前",
                             "asks for", "想要", "would load", "outside"});
        // Inner indices stay within their extents in any case.
        if (token.indices.size() > 1 && !isSaidToLack)
            for (std::size_t d = 1; d < token.indices.size(); ++d)
                if (token.indices[d] < 0 || u64(token.indices[d]) >= array->shape[d])
                    return "an index beyond the array's shape";
        if (!isSaidToLack && array->bytes > 0 &&
            (!run_.exists(*array, *first) || !run_.exists(*array, *last))) {
            if (picture_.view == "stage" || picture_.view == "compare" || picture_.view == "findings") {
                // Drawn where it was asked for: some access of the block went there.
            }
            if (!touched(*array, *first)) return "an element that does not exist";
        }
        // "= 3.0" behind it.
        const std::string_view rest = std::string_view(text_).substr(token.end);
        if (i + 1 < tokens_->size() && (rest.starts_with(" = ") || rest.starts_with("=")) &&
            (*tokens_)[i + 1].kind != Kind::Element && (*tokens_)[i + 1].begin - token.end <= 4) {
            done_[i + 1] = true;
            std::string why = valueOf(*array, *first, *last, (*tokens_)[i + 1]);
            if (!why.empty()) return why;
        }
        if (said.isSentence || !said.isHover) {
            // A sentence names what the step at the cursor, or the one that it leads to, touches: first and
            // last by address.
            if (said.isSentence && sentenceOfAccess(i, *array, *first)) return {};
        }
        return {};
    }
    bool touched(const Array& array, u64 address) const { return !block_.valuesAt(array, address).empty(); }

    std::string valueOf(const Array& array, u64 first, u64 last, const Token& value) const {
        for (u64 at = first; at <= last; at += array.elementBytes)
            for (f64 known : block_.valuesAt(array, at))
                if (agrees(value, known) || sameText(value, known)) return {};
        return fmt::format("{} is no value that {} had", value.value, run_.nameOf(first, array.space));
    }
    static bool sameText(const Token& token, f64 value) {
        // Shortened numbers: as many digits as are written.
        if (value == 0 || token.value == 0) return value == token.value;
        return std::fabs(token.value / value - 1) < 1e-5 && token.decimals > 0;
    }

    // "in[0] to in[31]": is the range that of the step?
    bool sentenceOfAccess(std::size_t, const Array&, u64) const { return false; }

    std::string pair(const Said& said, const Token& token) {
        const bool isBlock = token.noun == "block";
        const Dim3 extents = isBlock ? launch_.grid : launch_.block;
        // Row first, as matrices are counted, unless axes are named.
        std::map<char, s64> at{{'x', 0}, {'y', 0}, {'z', 0}};
        const std::string axes = token.axes.size() == token.indices.size() ? token.axes
                                 : token.indices.size() == 3               ? "zyx"
                                                                           : "yx";
        for (std::size_t i = 0; i < axes.size(); ++i)
            at[axes[i]] = token.indices[i];
        if (at['x'] >= s64(extents.x) || at['y'] >= s64(extents.y) || at['z'] >= s64(extents.z))
            return isBlock ? "no block of the grid" : "no thread of the block";
        const Dim3 dim{u32(at['x']), u32(at['y']), u32(at['z'])};
        if (isBlock && (said.isCaption || (said.isSentence && picture_.view != "findings")) &&
            !(dim == cursor_.block))
            return "another block than the cursor's";
        if (!isBlock && token.noun == "thread")
            if (const Token* lane = firstId("lane");
                lane && lane->end < token.begin && token.begin - lane->end < 16) {
                const u64 linear = linearOf(dim, launch_.block);
                const u32 warp = scope_.warp.value_or(cursor_.warp.value);
                if (linear != u64{warp} * 32 + u64(lane->value)) return "not the thread of that lane";
            }
        return {};
    }

    // ---- Findings: one of the run must have all that the sentence says.
    static bool isFinding(std::string_view text) {
        return says(text, {"with nothing to order them", "without synchronization",
                           "relies on the warp running in lock step", "no thread has written yet",
                           "the run goes on", "the GPU stops the kernel", "二者之间没有任何同步",
                           "依赖于线程束步调一致", "没有任何线程写过", "运行继续", "warp-synchronous"});
    }
    void finding(const Said& said, const std::string& line) {
        const std::vector<Token> tokens = tokensOf(line);
        if (tokens.empty() || !isFinding(line)) return;
        std::size_t best = 0;
        std::string what = "nothing";
        for (const trace::Finding& finding : run_.run().recording.findings) {
            const Launch& launch = run_.run().recording.launches[finding.launch.value];
            std::size_t explained = 0;
            std::vector<Dim3> threads{finding.who.thread}, blocks{finding.who.block};
            std::set<u32> lines = run_.linesNear(finding.who.pc);
            if (finding.other) {
                threads.push_back(finding.other->thread), blocks.push_back(finding.other->block);
                lines.merge(run_.linesNear(finding.other->pc));
            }
            const auto is = [](const std::vector<Dim3>& places, Dim3 extents, const Token& token) {
                return std::ranges::any_of(places, [&](Dim3 at) {
                    if (token.kind != Kind::Pair) return f64(linearOf(at, extents)) == token.value;
                    const std::map<char, s64> by{{'x', at.x}, {'y', at.y}, {'z', at.z}};
                    const std::string axes = token.axes.size() == token.indices.size() ? token.axes
                                             : token.indices.size() == 3               ? "zyx"
                                                                                       : "yx";
                    for (std::size_t i = 0; i < axes.size(); ++i)
                        if (by.at(axes[i]) != token.indices[i]) return false;
                    return true;
                });
            };
            for (const Token& token : tokens) {
                bool good = false;
                if (token.kind == Kind::Element) {
                    const Array* array = run_.array(token.name, finding.launch);
                    const std::optional<u64> address =
                        array ? run_.addressOf(*array, token.indices) : std::nullopt;
                    const u64 at = finding.buffer >= 0 && array ? array->address + u64(finding.offsetBytes)
                                   : finding.strayed()          ? finding.address
                                                                : u64(finding.offsetBytes);
                    good =
                        address && (array->space == Space::Global) == (finding.buffer >= 0) && *address == at;
                } else if (token.noun == "thread")
                    good = is(threads, launch.block, token);
                else if (token.noun == "block")
                    good = is(blocks, launch.grid, token);
                else if (token.noun == "line")
                    good = lines.contains(u32(token.value));
                else if (token.noun == "element")
                    good = finding.buffer >= 0 &&
                           f64(run_.arrays()[std::size_t(finding.buffer)].bytes /
                               run_.arrays()[std::size_t(finding.buffer)].elementBytes) == token.value;
                else if (token.noun == "byte") {
                    const s64 over = finding.offsetBytes - s64(finding.sizeBytes);
                    good = token.value == f64(finding.widthBytes) || token.value == f64(finding.sizeBytes) ||
                           token.value == f64(over) || token.value == -f64(finding.offsetBytes) ||
                           token.value == f64(over + finding.widthBytes) ||
                           token.value == f64(finding.offsetBytes);
                } else if (token.noun == "times" || token.noun == "execution")
                    good = token.value == f64(finding.count);
                explained += good;
            }
            if (explained > best)
                best = explained, what = fmt::format("{} of {} numbers", explained, tokens.size());
            if (explained == tokens.size()) return;
        }
        fail(said, line.substr(0, 60), "no finding of the run has all that is said: " + what);
    }

    // ---- A number without a word that says what it is.
    std::string bare(const Said& said, std::size_t i) {
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
        return fmt::format("{} is no fact of this place", token.value);
    }

    // ---- Forms that say more than one thing at once.
    void special(const Said& said) {
        laneAndThread(said);
        laneValue(said);
        if (said.isHover && picture_.view == "banks") bankHover(said);
        itemHover(said);
        whyOff(said);
        if (says(said.text, {"old value", "旧值"}) && access_ && access_->kind == AccessKind::Reduction)
            fail(said, "old value", "what is kept of an atomic without result is its operand");
        accessRange(said);
        lineHover(said);
        wordOfLane(said);
        otherDevices(said);
    }

    // "Lane 5, thread 37": which thread of the block.
    void laneAndThread(const Said& said) {
        const Token* lane = firstId("lane");
        const Token* thread = firstId("thread");
        if (!lane || !thread || thread->begin < lane->end || thread->begin - lane->end > 16) return;
        const u32 warp = scope_.warp.value_or(cursor_.warp.value);
        mark(*thread);
        if (thread->value != warp * 32 + lane->value)
            fail(said, text_.substr(thread->begin, thread->end - thread->begin),
                 "not the thread of that lane");
    }
    void mark(const Token& token) { done_[std::size_t(&token - tokens_->data())] = true; }

    // "Lane 5, thread 5 reads in[5] = 5.0." "... writes 10.0 to out[31]." "... changes counts[1]; it held 3."
    void laneValue(const Said& said) {
        const Token* lane = firstId("lane");
        if (!lane || lane->begin > 8) return;
        const bool reads = says(said.text, {" reads ", "读取 ", "changes", "修改", "updates", "更新"}),
                   writes = says(said.text, {" writes ", "写入 "});
        if (!reads && !writes) return;
        const auto element = std::ranges::find(*tokens_, Kind::Element, &Token::kind);
        if (element == tokens_->end()) return;
        if (says(said.text, {"at step", " 步"})) return;
        if (says(said.text, {"is off", "不执行"})) return;
        const Lane of{u32(lane->value)};
        const Array* array = run_.array(element->name, cursor_.launch);
        if (!array) return;
        // Of the access at the cursor; where the view leads to another, of one that is near.
        const trace::WarpTrace& warp = traceOf(scope_.warp.value_or(cursor_.warp.value));
        std::vector<u32> steps;
        if (access_) steps.push_back(cursor_.step);
        if (!access_ ||
            (access_->space != array->space && (picture_.view == "banks" || picture_.view == "sectors" ||
                                                picture_.view == "stage" || picture_.view == "compare")))
            for (u32 s : nearestAccesses())
                steps.push_back(s);
        if (steps.empty()) return;
        const std::optional<u64> address = run_.addressOf(*array, element->indices);
        const trace::StoredAccess* found = nullptr;
        for (u32 s : steps) {
            const trace::StoredAccess& stored = warp.accesses[warp.steps[s].access];
            if (stored.space == array->space && stored.active.has(of) && address &&
                warp.address(stored, of) == *address) {
                found = &stored;
                break;
            }
        }
        if (!found)
            return fail(said, text_.substr(element->begin, element->end - element->begin),
                        "the lane accesses something else");
        const s64 span = element->lastIndices.back() - element->indices.back() + 1;
        if (u64(span) * array->elementBytes != std::max<u64>(found->widthBytes, array->elementBytes))
            fail(said, text_.substr(element->begin, element->end - element->begin),
                 "the access is as wide as another number of elements");
        // The value: the number that is left.
        const std::span<const std::byte> bytes = warp.value(*found, of);
        std::size_t at = 0;
        for (std::size_t i = 0; i < tokens_->size(); ++i) {
            const Token& token = (*tokens_)[i];
            if (token.kind == Kind::Element || token.kind == Kind::Pair || &token == lane ||
                token.noun == "thread" || token.noun == "lane")
                continue;
            if (token.kind == Kind::Id) continue;
            done_[i] = true;
            if (at + array->elementBytes > bytes.size()) {
                fail(said, text_.substr(token.begin, token.end - token.begin), "one value too many");
                continue;
            }
            const f64 value = block_.read(*array, bytes.data() + at);
            at += array->elementBytes;
            if (!agrees(token, value) && !sameText(token, value))
                fail(said, text_.substr(token.begin, token.end - token.begin),
                     fmt::format("the lane's value is {}", value));
        }
        if (at > 0 && at < bytes.size())
            fail(said, "value",
                 fmt::format("one number for {} elements", bytes.size() / array->elementBytes));
    }

    // "Lanes 0, 8 touch the same word 88: bank 24, pass 1".
    void bankHover(const Said& said) {
        const Token* word = firstId("word");
        const Token* bank = firstId("bank");
        if (!word || !bank || tokens_->front().noun != "lane") return;
        const trace::WarpAccess* access = access_ && access_->space == Space::Shared ? &*access_ : nullptr;
        std::optional<trace::WarpAccess> other;
        if (!access)
            for (u32 s : nearestAccesses()) {
                const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
                trace::WarpAccess candidate = warp.unpack(warp.accesses[warp.steps[s].access]);
                if (candidate.space != Space::Shared) continue;
                const Lane lane{u32(tokens_->front().value)};
                if (!other ||
                    (candidate.active.has(lane) && candidate.addresses[lane.value] / 4 <= u64(word->value)))
                    other = candidate;
            }
        if (!access && other) access = &*other;
        if (!access) return fail(said, "word", "there is no access to shared memory near");
        const u32 banks = run_.capability().major == 1 ? 16 : 32;
        mark(*word), mark(*bank);
        if (u64(word->value) % banks != u64(bank->value)) fail(said, "bank", "not the bank of that word");
        std::optional<u32> from;
        for (const Token& token : *tokens_) {
            if (token.noun != "lane" || token.kind != Kind::Id) continue;
            mark(token);
            const bool isRange = from && text_.substr(token.begin - 1, 1) == "-";
            for (u32 lane = isRange ? *from : u32(token.value); lane <= u32(token.value); ++lane) {
                const u64 first = access->addresses[lane] / 4,
                          last = (access->addresses[lane] + access->widthBytes - 1) / 4;
                if (!access->active.has(Lane{lane}) || u64(word->value) < first || u64(word->value) > last)
                    fail(said, fmt::format("lane {}", lane), "the lane touches another word");
            }
            from = u32(token.value);
        }
    }

    // "32 bytes from byte 0: lanes 0-7 ask for some of them", "64 bytes from byte 128, moved for lane 31".
    void itemHover(const Said& said) {
        if (!says(said.text, {" from byte ", "从第 ", "从字节 "}) || !says(said.text, {"bytes", "字节"}))
            return;
        std::optional<u64> size, from;
        std::set<u32> lanes;
        std::optional<f64> lanesCount;
        std::optional<u32> last;
        for (std::size_t i = 0; i < tokens_->size(); ++i) {
            const Token& token = (*tokens_)[i];
            if (token.noun == "byte" && (token.kind == Kind::Id || (picture_.language == Language::Chinese &&
                                                                    !from && text_.compare(0, 6, "从") == 0)))
                from = u64(token.value), done_[i] = true;
            else if (token.noun == "byte" && token.kind == Kind::Count && !size)
                size = u64(token.value), done_[i] = true;
            else if (token.noun == "lane" && token.kind == Kind::Count)
                lanesCount = token.value, done_[i] = true;
            else if ((token.noun == "lane" && token.kind == Kind::Id) ||
                     (token.kind == Kind::Bare && from && size)) {
                const bool isRange = last && text_[token.begin - 1] == '-';
                for (u32 lane = isRange ? *last : u32(token.value); lane <= u32(token.value) && lane < 64;
                     ++lane)
                    lanes.insert(lane);
                last = u32(token.value), done_[i] = true;
            }
        }
        if (!size || !from) return;
        const bool all = says(said.text, {"ask for", "asks for", "要其中", "no lane", "没有通道"});
        if (lanesCount && *lanesCount != f64(lanes.size()))
            fail(said, "lanes", "not as many lanes as are listed");
        const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
        std::vector<u32> steps =
            access_ && access_->space == Space::Global ? std::vector{cursor_.step} : nearestAccesses();
        const bool right = std::ranges::any_of(steps, [&](u32 s) {
            const trace::WarpAccess access = warp.unpack(warp.accesses[warp.steps[s].access]);
            if (access.space != Space::Global || access.active.empty()) return false;
            u64 base = 0;
            for (const Array& array : run_.arrays())
                if (array.space == Space::Global &&
                    array.address >> 40 == access.addresses[access.active.lowest().value] >> 40)
                    base = array.address;
            std::set<u32> in;
            for (Lane lane : access.active) {
                const s64 at = s64(access.addresses[lane.value] - base), end = at + access.widthBytes;
                if (at < s64(*from + *size) && end > s64(*from)) in.insert(lane.value);
            }
            return all ? in == lanes : std::ranges::includes(in, lanes);
        });
        if (!right) fail(said, "lanes", "the lanes of these bytes are others");
    }

    // "Lane 3 is off: took the other way at line 15, straight to line 73": lines of branches that the warp
    // came to before, and where they lead.
    void whyOff(const Said& said) {
        if (!says(said.text, {" off", "took the other", "jumped past", "inactive", "不执行", "走了另一路",
                              "跳过", "关闭", "do not exist", "不存在"}))
            return;
        Facts facts;
        const u32 w = scope_.warp.value_or(cursor_.warp.value);
        if (w >= block_.block().warps.size()) return;
        const trace::WarpTrace& warp = traceOf(w);
        const ptx::Module& module = *run_.run().module;
        const u32 until =
            std::min<u32>(u32(warp.steps.size()),
                          (said.isHover && scope_.step && scope_.isOwn ? *scope_.step : cursor_.step) + 64);
        for (u32 s = 0; s < until; ++s) {
            const ptx::Instruction& instruction = module.at(warp.steps[s].pc);
            if (instruction.form.starts_with("ret") || instruction.form.starts_with("exit"))
                for (u32 line : run_.linesNear(warp.steps[s].pc))
                    facts.id("line", line);
            if (!instruction.form.starts_with("bra")) continue;
            for (u32 line : run_.linesNear(warp.steps[s].pc))
                facts.id("line", line);
            for (u32 line : run_.linesNear(Pc{warp.steps[s].pc.value + 1}))
                facts.id("line", line);
            for (const ptx::Operand& operand : module.operandsOf(instruction))
                if (const auto* label = std::get_if<ptx::LabelOperand>(&operand))
                    for (u32 line : run_.linesNear(label->target))
                        facts.id("line", line);
            if (const Pc meet = module.reconvergence(warp.steps[s].pc); meet != kNoPc)
                for (u32 line : run_.linesNear(meet))
                    facts.id("line", line);
        }
        for (u32 lane = 0; lane < 32; ++lane)
            facts.id("lane", lane);
        scope_.facts.add(facts);
    }

    // "in[0] to in[31]": lowest and highest address of the access at the cursor, or of the nearest one where
    // the text leads there.
    void accessRange(const Said& said) {
        if (picture_.view == "findings" || picture_.view == "compare" || said.isHover) return;
        for (std::size_t i = 0; i + 1 < tokens_->size(); ++i) {
            const Token &a = (*tokens_)[i], &b = (*tokens_)[i + 1];
            if (a.kind != Kind::Element || b.kind != Kind::Element || a.name != b.name) continue;
            const std::string_view gap = std::string_view(text_).substr(a.end, b.begin - a.end);
            if (gap != " to " && gap != " and " && gap != " 到 " && gap != " 和 " && gap != "到" &&
                gap != " 与 ")
                continue;
            if (!says(said.text,
                      {"reads", "writes", "updates", "loads", "stores", "accesses", "读取", "写入", "更新"}))
                continue;
            if (says(said.text, {"reach for", "想要", "would load", "times", "乘"})) continue;
            const Array* array = run_.array(a.name, cursor_.launch);
            if (!array) continue;
            const std::optional<u64> first = run_.addressOf(*array, a.indices),
                                     last = run_.addressOf(*array, b.indices);
            bool found = false;
            const auto isOf = [&](const trace::WarpAccess& access) {
                u64 low = ~u64{0}, high = 0;
                for (Lane lane : access.active)
                    low = std::min(low, access.addresses[lane.value]),
                    high = std::max(high, access.addresses[lane.value]);
                return first && last && low == *first && high == *last && access.space == array->space;
            };
            if (access_) found = isOf(*access_);
            const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
            if (!found && (!access_ || scope_.step))
                for (u32 s : nearestAccesses())
                    found = found || isOf(warp.unpack(warp.accesses[warp.steps[s].access]));
            done_[i] = done_[i + 1] = true;
            if (!found)
                fail(said, text_.substr(a.begin, b.end - a.begin),
                     "not the first and last element that the warp accesses");
        }
    }

    // Rules of other devices: "Compute capability 1.0: 2 transactions." By name where there is one; else of
    // any device on show.
    void otherDevices(const Said& said) {
        if (picture_.view != "sectors" && picture_.view != "stage" && picture_.view != "compare") return;
        const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
        std::vector<u32> steps =
            access_ && access_->space == Space::Global ? std::vector{cursor_.step} : nearestAccesses();
        for (std::size_t i = 0; i < tokens_->size(); ++i) {
            const Token& token = (*tokens_)[i];
            if (done_[i] || token.kind != Kind::Count ||
                (token.noun != "transaction" && token.noun != "sector" && token.noun != "byte" &&
                 token.noun != "%" && token.noun != "line" && token.noun != "request"))
                continue;
            // The last capability that is named before it.
            std::vector<Capability> devices;
            for (const model::Profile& profile : model::profiles()) {
                const std::string number = fmt::format("{}.{}", profile.major, profile.minor);
                std::size_t last = std::string::npos;
                for (const char* before : {"capability ", "计算能力 ", "cc "})
                    if (const std::size_t at =
                            std::string_view(said.text).substr(0, token.begin).rfind(before + number);
                        at != std::string::npos && (last == std::string::npos || at > last))
                        last = at;
                if (last != std::string::npos &&
                    std::string_view(said.text).substr(last + 8, token.begin - last - 8).find("apability") ==
                        std::string_view::npos)
                    devices.push_back({profile.major, profile.minor});
            }
            const bool named = !devices.empty();
            if (!named && (said.isSentence || said.isCaption)) continue;
            if (!named) devices = {{1, 0}, {1, 2}, {2, 0}, {9, 0}};
            for (u32 s : steps) {
                const trace::WarpAccess access = warp.unpack(warp.accesses[warp.steps[s].access]);
                if (access.space != Space::Global) continue;
                std::set<u64> places;
                for (Lane lane : access.active)
                    places.insert(access.addresses[lane.value]);
                for (const Capability device : devices) {
                    const GlobalCost cost = globalCost(access, device);
                    bool holds =
                        token.noun == "byte" ? agrees(token, f64(cost.bytes))
                        : token.noun == "%"
                            ? cost.bytes && agrees(token, 100.0 * f64(places.size() * access.widthBytes) /
                                                              f64(cost.bytes))
                        : token.noun == "request" ? agrees(token, cost.requests)
                                                  : agrees(token, cost.items);
                    for (u32 half : cost.perHalf)
                        holds = holds || (token.noun != "byte" && token.noun != "%" && agrees(token, half));
                    if (token.noun == "byte")
                        for (u32 bytes : cost.itemBytes)
                            holds = holds || agrees(token, bytes);
                    if (holds) done_[i] = true;
                }
            }
            if (named && !done_[i] && token.noun == "transaction")
                done_[i] = true, fail(said, text_.substr(token.begin, token.end - token.begin),
                                      "under the rules of that device it is another number");
        }
    }

    // "word = 2·lane + 96, so bank (2·lane) mod 32", "..., so bank 5 for every lane": of every active lane of
    // an access that is near.
    void wordOfLane(const Said& said) {
        std::size_t at = std::min(text_.find("word = "), text_.find("字 = "));
        if (at == std::string::npos && text_.starts_with("每个通道都是字 ")) at = 0;
        if (at == std::string::npos) return;
        const auto linear = [&](std::size_t from, std::size_t to) {
            const std::string_view part = std::string_view(text_).substr(from, to - from);
            s64 times = (contains(part, "lane") && !contains(part, "every lane")) ||
                                (contains(part, "通道") && !contains(part, "每个通道"))
                            ? 1
                            : 0,
                plus = 0;
            for (std::size_t i = 0; i < tokens_->size(); ++i) {
                const Token& token = (*tokens_)[i];
                if (token.begin < from || token.end > to) continue;
                done_[i] = true;
                const std::string_view rest = std::string_view(text_).substr(token.end, 3);
                const bool minus = (token.begin >= from + 2 && text_[token.begin - 2] == '-') ||
                                   (token.begin >= from + 4 && text_.compare(token.begin - 4, 3, "−") == 0);
                if (rest.starts_with("·") || rest.starts_with(" ·"))
                    times = s64(token.value);
                else
                    plus = minus ? -s64(token.value) : s64(token.value);
            }
            return std::pair{times, plus};
        };
        const std::size_t comma = std::min(text_.find(',', at), text_.find("，", at));
        if (comma == std::string::npos) return;
        const auto [times, plus] = linear(at, comma);
        const std::size_t mod = text_.find(" mod ", comma);
        std::size_t end = mod;
        if (mod == std::string::npos) {  // one bank: the first number behind the comma
            const auto first =
                std::ranges::find_if(*tokens_, [&](const Token& token) { return token.begin >= comma; });
            end = first == tokens_->end() ? text_.size() : first->end;
        }
        const auto [bankTimes, bankPlus] = linear(comma, end);
        const u32 banks = run_.capability().major == 1 ? 16 : 32;
        for (std::size_t i = 0; i < tokens_->size(); ++i)
            if (mod != std::string::npos && (*tokens_)[i].begin >= mod && (*tokens_)[i].begin < mod + 6) {
                done_[i] = true;
                if ((*tokens_)[i].value != banks) fail(said, "mod", "the device has another number of banks");
            }
        const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
        std::vector<trace::WarpAccess> candidates;
        if (access_ && access_->space == Space::Shared)
            candidates.push_back(*access_);
        else
            for (u32 s : nearestAccesses())
                if (const trace::StoredAccess& stored = warp.accesses[warp.steps[s].access];
                    stored.space == Space::Shared)
                    candidates.push_back(warp.unpack(stored));
        const bool holds = std::ranges::any_of(candidates, [&](const trace::WarpAccess& access) {
            for (Lane lane : access.active) {
                const s64 word = s64(access.addresses[lane.value] / 4), said = times * s64(lane.value) + plus,
                          bank = bankTimes * s64(lane.value) + bankPlus;
                if (word != said || ((bank % s64(banks)) + s64(banks)) % s64(banks) != word % s64(banks))
                    return false;
            }
            return true;
        });
        if (!holds) fail(said, "word = ", "some lane accesses another word");
    }

    // "Line 9: 8 warp instructions, 4 sectors, ...": of that line in the grid.
    void lineHover(const Said& said) {
        if (!said.isHover || picture_.view != "source" || tokens_->front().noun != "line" ||
            tokens_->front().begin > 8)
            return;
        const u32 line = u32(tokens_->front().value);
        const auto found = run_.ofLine().find(line);
        mark(tokens_->front());
        const PcSums sums = found == run_.ofLine().end() ? PcSums{} : found->second;
        for (std::size_t i = 1; i < tokens_->size(); ++i) {
            const Token& token = (*tokens_)[i];
            const std::map<std::string_view, u64> known{
                {"instruction", sums.executions}, {"sector", sums.sectors},   {"transaction", sums.sectors},
                {"wavefront", sums.wavefronts},   {"branch", sums.divergent}, {"divergence", sums.divergent}};
            const auto fact = known.find(token.noun);
            if (fact == known.end()) continue;
            done_[i] = true;
            if (!agrees(token, f64(fact->second)))
                fail(said, text_.substr(token.begin, token.end - token.begin),
                     fmt::format("line {} has {}", line, fact->second));
        }
    }

    // The rows of the lanes view: step, line, instruction, lanes.
    void laneRows() {
        std::map<int, std::vector<const Said*>> rows;
        for (const Said& said : picture_.texts)
            if (!said.isHover && !said.isSentence && !said.isCaption)
                rows[int(std::lround(said.at.y / 6))].push_back(&said);
        const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
        const ptx::Module& module = *run_.run().module;
        for (auto& [top, texts] : rows) {
            std::ranges::sort(texts, {}, &Said::left);
            const auto number = [](const std::string& text) {
                return !text.empty() &&
                       std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
            };
            if (texts.size() < 2 || !number(texts[0]->text)) continue;
            const bool hasLine = number(texts[1]->text);  // said where it is another than above
            if (hasLine && texts.size() < 3) continue;
            const u32 step = u32(std::stoul(texts[0]->text)) - 1;
            std::string name = texts[hasLine ? 2 : 1]->text;
            if (name.ends_with("…")) name.resize(name.size() - std::string_view("…").size());
            if (name.empty() || number(name)) continue;
            if (step >= warp.steps.size()) {
                fail(*texts[0], texts[0]->text, "no step of the warp");
                continue;
            }
            const Pc pc = warp.steps[step].pc;
            rowTexts_.insert(texts[0]);
            if (hasLine) {
                rowTexts_.insert(texts[1]);
                if (!run_.linesNear(pc).contains(u32(std::stoul(texts[1]->text))))
                    fail(*texts[1], texts[1]->text,
                         fmt::format("step {} is of line {}", step + 1, run_.lineOf(pc)));
            }
            rowTexts_.insert(texts[hasLine ? 2 : 1]);
            if (!contains(squeezed(module.textOf(pc)), squeezed(name)))
                fail(*texts[hasLine ? 2 : 1], name,
                     fmt::format("step {} is {}", step + 1, module.at(pc).name));
            // The number of lanes stands last, or "a|b" at a branch that diverges.
            const std::string& last = texts.back()->text;
            if (texts.size() > (hasLine ? 3u : 2u) && number(last)) {
                rowTexts_.insert(texts.back());
                if (std::stoul(last) != u64(warp.steps[step].active.count()))
                    fail(*texts.back(), last,
                         fmt::format("step {} has {} lanes", step + 1, warp.steps[step].active.count()));
            }
        }
    }

    void wholePicture() {
        if (picture_.view == "timeline") {
            bool atomics = false;
            for (const trace::WarpTrace& warp : block_.block().warps)
                for (const trace::StoredAccess& access : warp.accesses)
                    atomics =
                        atomics || access.kind == AccessKind::Atomic || access.kind == AccessKind::Reduction;
            const bool named = std::ranges::any_of(picture_.texts, [](const Said& said) {
                return !said.isSentence && !said.isHover && says(said.text, {"atomic", "原子"});
            });
            if (atomics && !named)
                fail({}, "legend", "the block has atomics, and the legend knows loads and stores alone");
        }
    }

    Witness& w_;
    const Picture& picture_;
    const RunFacts& run_;
    viz::Cursor cursor_;
    const Launch& launch_;
    BlockFacts& block_;
    Facts step_;
    std::optional<trace::WarpAccess> access_;
    u32 line_ = 0;
    Scope scope_;
    std::string text_;
    const std::vector<Token>* tokens_ = nullptr;
    std::vector<bool> done_;
    mutable std::vector<u32> nearest_;
    mutable bool nearestKnown_ = false;
    Facts whole_;
    bool wholeKnown_ = false;
    std::set<const Said*> rowTexts_;  // that are traced already
};

namespace {
Capability capabilityOf(const run::Run& run) { return {run.profile.major, run.profile.minor}; }
}  // namespace

Witness::Witness(const World& world, const Trial& trial, const run::Run& run, const run::Run* other,
                 const std::vector<Allowed>& allowed)
    : world_(world),
      trial_(trial),
      run_(run, capabilityOf(run)),
      other_(other ? std::make_unique<RunFacts>(*other, capabilityOf(*other)) : nullptr),
      allowed_(allowed) {
    for (const catalog::Family& family : world.catalog.families()) {
        for (const std::string* title : {&family.title.en, &family.title.zh})
            names_.push_back(*title);
        for (const catalog::Variant& variant : family.variants)
            for (const std::string* title : {&variant.title.en, &variant.title.zh})
                names_.push_back(*title);
        if (!family.publishedOn.en.empty())
            names_.push_back(family.publishedOn.en), names_.push_back(family.publishedOn.zh);
    }
    for (const viz::RecordedMachine& machine : world.machines) {
        const run::HardwareRecording& recording = machine.recording;
        for (const std::string* name : {&recording.device, &recording.driver, &recording.date})
            names_.push_back(*name);
    }
    for (const model::Profile& profile : model::profiles()) {
        names_.push_back(profile.card);
        const std::string number = std::to_string(profile.major) + "." + std::to_string(profile.minor);
        for (const char* before : {"capability ", "计算能力 ", "cc "})
            names_.push_back(before + number);
    }
    for (const char* name : {"L1", "L2", "cc 1.0", "G80", "H200", "sm_90"})
        names_.emplace_back(name);
    std::erase_if(names_, [](const std::string& name) {
        return name.find_first_of("0123456789") == std::string::npos;
    });
    std::ranges::sort(names_, [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
}
Witness::~Witness() = default;

BlockFacts& Witness::block(const RunFacts& run, LaunchId launch, Dim3 at, bool other) {
    auto& known = blocks_[{other, launch.value, u64{at.z} << 42 | u64{at.y} << 21 | at.x}];
    if (!known) known = std::make_unique<BlockFacts>(run, *run.run().recording.trace.find(launch, at));
    return *known;
}

void Witness::look(const Picture& picture) { Reader(*this, picture).look(); }

}  // namespace lockstep::witness
