#include "witness/planted.h"

#include "witness/readers/reader.h"
#include "witness/tokens.h"

#include <algorithm>
#include <array>
#include <bit>

namespace lockstep::witness {
namespace {

using Kind = Token::Kind;

// The first token that `wanted` likes, replaced.
bool rewriteAny(Said& said, const std::function<bool(const Token&)>& wanted,
                const std::function<std::string(const Token&)>& replacement) {
    for (const Token& token : tokensOf(said.text))
        if (wanted(token)) {
            said.text.replace(token.begin, token.end - token.begin, replacement(token));
            return true;
        }
    return false;
}
bool rewrite(Said& said, const std::function<bool(const Token&)>& wanted,
             const std::function<std::string(const Token&)>& replacement) {
    return (said.isSentence || said.isCaption) && rewriteAny(said, wanted, replacement);
}
std::string plus(const Token& token, s64 by) { return std::to_string(s64(token.value) + by); }
std::function<bool(Said&)> moreOf(const std::string& noun, Kind kind) {
    return [noun, kind](Said& said) {
        return rewrite(
            said, [&](const Token& t) { return t.kind == kind && t.noun == noun; },
            [](const Token& t) { return plus(t, 1); });
    };
}
bool oneMore(Said& said, std::string_view noun, Kind kind) {
    return rewriteAny(
        said, [&](const Token& t) { return t.kind == kind && t.noun == noun; },
        [](const Token& t) { return plus(t, 1); });
}
std::function<bool(Said&)> word(const std::string& from, const std::string& to) {
    return [from, to](Said& said) {
        const std::size_t at = said.text.find(from);
        if (at == std::string::npos || (!said.isSentence && !said.isCaption)) return false;
        said.text.replace(at, from.size(), to);
        return true;
    };
}

// The texts below a head, from above, that end where it ends; only below the heading, where one is named.
std::vector<Said*> columnBelow(Picture& picture, std::initializer_list<std::string_view> names,
                               std::string_view heading) {
    f32 from = 0;
    for (const Said& said : picture.texts)
        if (said.text == heading) from = said.top;
    const Said* head = nullptr;
    for (const Said& said : picture.texts)
        if (!said.isHover && said.top > from && std::ranges::find(names, said.text) != names.end() &&
            (!head || said.top < head->top))
            head = &said;
    std::vector<Said*> cells;
    for (Said& said : picture.texts)
        if (head && !said.isHover && said.top > head->top + 4 &&
            std::abs(2 * said.at.x - said.left - (2 * head->at.x - head->left)) < 1 &&
            !tokensOf(said.text).empty())
            cells.push_back(&said);
    return cells;
}

// The same below a head that stands in the row of another one.
std::vector<Said*> columnInRowOf(Picture& picture, std::string_view name, std::string_view row) {
    const Said *beside = nullptr, *head = nullptr;
    for (const Said& said : picture.texts)
        if (!said.isHover && said.text == row) beside = &said;
    for (const Said& said : picture.texts)
        if (beside && !said.isHover && said.text == name && std::abs(said.at.y - beside->at.y) < 3)
            head = &said;
    std::vector<Said*> cells;
    for (Said& said : picture.texts)
        if (head && !said.isHover && said.top > head->top + 4 &&
            std::abs(2 * said.at.x - said.left - (2 * head->at.x - head->left)) < 1)
            cells.push_back(&said);
    return cells;
}

bool exchange(const std::vector<Said*>& a, const std::vector<Said*>& b) {
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
        std::swap(a[i]->text, b[i]->text);
    return !a.empty();
}

// Of the hovers that say `part`, the first number of the noun behind the beginning of it.
std::function<bool(Picture&)> inHovers(const std::string& part, const std::string& noun, s64 by) {
    return [part, noun, by](Picture& picture) {
        bool changed = false;
        for (Said& said : picture.texts) {
            const std::size_t at = said.text.find(part);
            if (!said.isHover || at == std::string::npos) continue;
            for (const Token& token : tokensOf(said.text)) {
                if (token.end < at || token.noun != noun) continue;
                said.text.replace(token.begin, token.end - token.begin, plus(token, by));
                changed = true;
                break;
            }
        }
        return changed;
    };
}

// The figures of a column of shares: they stand behind bars, which begin where the head does.
std::vector<Said*> columnOf(Picture& picture, std::string_view name) {
    std::vector<Said*> cells;
    for (const Said& head : picture.texts)
        if (head.text == name && !head.isHover)
            for (Said& said : picture.texts)
                if (!said.isHover && said.text.ends_with('%') && said.left > head.left &&
                    said.left < head.left + 74)
                    cells.push_back(&said);
    return cells;
}

bool replaced(Said& said, std::string_view from, std::string_view to) {
    const std::size_t at = said.text.find(from);
    if (at == std::string::npos) return false;
    return said.text.replace(at, from.size(), to), true;
}

// The number behind the mark is another one.
bool numberBehind(Said& said, std::string_view mark, s64 by) {
    return rewriteAny(
        said, [&](const Token& t) { return std::string_view(said.text).substr(0, t.begin).ends_with(mark); },
        [&](const Token& t) { return plus(t, by); });
}

void eachWarp(run::Run& run, const std::function<void(trace::WarpTrace&)>& change) {
    for (trace::FocusBlock& block : run.recording.trace.blocks)
        for (trace::WarpTrace& warp : block.warps)
            change(warp);
}

}  // namespace

std::span<const Planted> planted() {
    static const std::array<Planted, 70> kPlanted{{
        {"another lane's value",
         [](run::Run& run, viz::Cursor&) {
             eachWarp(run, [](trace::WarpTrace& warp) {
                 for (trace::StoredAccess& a : warp.accesses)
                     if (!warp.valuePool.empty())
                         std::rotate(warp.valuePool.begin() + std::ptrdiff_t(a.valuesAt),
                                     warp.valuePool.begin() + std::ptrdiff_t(a.valuesAt + a.widthBytes),
                                     warp.valuePool.begin() +
                                         std::ptrdiff_t(a.valuesAt + u64{a.values} * a.widthBytes));
             });
         },
         {}},
        {"row and column of arrays swapped",
         [](run::Run& run, viz::Cursor&) {
             for (auto* list : {&run.recording.initial, &run.recording.final})
                 for (Buffer& b : *list)
                     std::ranges::reverse(b.shape);
         },
         {}},
        {"addresses off by one element",
         [](run::Run& run, viz::Cursor&) {
             eachWarp(run, [](trace::WarpTrace& warp) {
                 for (trace::StoredAccess& a : warp.accesses)
                     a.base += a.widthBytes;
             });
         },
         {}},
        {"the next step", [](run::Run&, viz::Cursor& cursor) { ++cursor.step; }, {}},
        {"the step before",
         [](run::Run&, viz::Cursor& cursor) {
             if (cursor.step) --cursor.step;
         },
         {}},
        {"another warp",
         [](run::Run& run, viz::Cursor& cursor) {
             const auto* block = run.recording.trace.find(cursor.launch, cursor.block);
             cursor.warp.value = (cursor.warp.value + 1) % u32(block->warps.size());
             cursor.step = std::min<u32>(cursor.step, u32(block->warps[cursor.warp.value].steps.size()) - 1);
         },
         {}},
        {"an active lane forgotten",
         [](run::Run& run, viz::Cursor&) {
             eachWarp(run, [](trace::WarpTrace& warp) {
                 for (trace::Step& s : warp.steps)
                     s.active.bits &= s.active.bits - 1;
             });
         },
         {}},
        {"a lane of an access forgotten",
         [](run::Run& run, viz::Cursor&) {
             eachWarp(run, [](trace::WarpTrace& warp) {
                 for (trace::StoredAccess& a : warp.accesses)
                     if (a.active.count() > 1) a.active.bits &= ~std::bit_floor(a.active.bits);
             });
         },
         {}},
        {"a barrier not counted",
         [](run::Run& run, viz::Cursor&) {
             eachWarp(run, [](trace::WarpTrace& warp) {
                 if (!warp.barrierSteps.empty()) warp.barrierSteps.erase(warp.barrierSteps.begin());
             });
         },
         {}},
        {"lines off by one",
         [](run::Run& run, viz::Cursor&) {
             auto module = std::make_shared<ptx::Module>(*run.module);
             for (ptx::Location& l : module->locations)
                 if (l.line) ++l.line;
             run.module = module;
         },
         {}},
        {"rules of another device",
         [](run::Run& run, viz::Cursor&) { run.profile = *model::findProfile("cc10"); },
         {}},
        {"extents of the block swapped",
         [](run::Run& run, viz::Cursor&) {
             for (Launch& l : run.recording.launches) {
                 std::swap(l.block.x, l.block.y);
                 if (l.block.y == 1 || l.block.x == 1) l.block = {2, std::max(l.block.x, l.block.y) / 2, 1};
             }
         },
         {}},
        {"accesses half as wide",
         [](run::Run& run, viz::Cursor&) {
             eachWarp(run, [](trace::WarpTrace& warp) {
                 for (trace::StoredAccess& a : warp.accesses)
                     a.widthBytes = u8(std::max(1, a.widthBytes / 2));
             });
         },
         {}},
        {"the lanes twice as far apart",
         [](run::Run& run, viz::Cursor&) {
             eachWarp(run, [](trace::WarpTrace& warp) {
                 for (trace::LaneLayout& l : warp.layouts)
                     for (u64& d : l.distances)
                         d *= 2;
             });
         },
         {}},
        {"the block beside",
         {},
         [](Said& said) {
             return rewrite(
                        said, [](const Token& t) { return t.kind == Kind::Pair && t.noun == "block"; },
                        [](const Token& t) {
                            return "(" + std::to_string(t.indices[0] + 1) + "," +
                                   std::to_string(t.indices[1]) + ")";
                        }) ||
                    moreOf("block", Kind::Id)(said);
         }},
        {"wrong unit: sectors as wavefronts", {}, word(" sectors", " wavefronts")},
        {"wrong unit: words as bytes", {}, word(" words", " bytes")},
        {"one wavefront more", {}, moreOf("wavefront", Kind::Count)},
        {"one sector more", {}, moreOf("sector", Kind::Count)},
        {"one lane more", {}, moreOf("lane", Kind::Count)},
        {"the step counted from nought",
         {},
         [](Said& said) {
             return rewrite(
                 said, [](const Token& t) { return t.kind == Kind::Id && t.noun == "step"; },
                 [](const Token& t) { return plus(t, -1); });
         }},
        {"indices of an element swapped",
         {},
         [](Said& said) {
             return rewrite(
                 said,
                 [](const Token& t) {
                     return t.kind == Kind::Element && t.indices.size() == 2 && t.indices[0] != t.indices[1];
                 },
                 [](const Token& t) {
                     return t.name + "[" + std::to_string(t.indices[1]) + "][" +
                            std::to_string(t.indices[0]) + "]";
                 });
         }},
        {"a share of the wrong total",
         {},
         [](Said& said) {
             return rewrite(
                 said, [](const Token& t) { return t.noun == "%"; },
                 [](const Token& t) { return std::to_string(s64(t.value / 2)); });
         }},
        {"twice the bytes",
         {},
         [](Said& said) {
             return rewrite(
                 said,
                 [](const Token& t) { return t.noun == "byte" && t.kind == Kind::Count && t.value > 16; },
                 [](const Token& t) { return std::to_string(s64(t.value * 2)); });
         }},
        {"the thread beside",
         {},
         [](Said& said) {
             return moreOf("thread", Kind::Id)(said) ||
                    rewrite(
                        said, [](const Token& t) { return t.kind == Kind::Pair && t.noun == "thread"; },
                        [](const Token& t) {
                            return "(" + std::to_string(t.indices[0] + 1) + "," +
                                   std::to_string(t.indices[1]) + ")";
                        });
         }},
        {"memory: the row of another level",
         {},
         {},
         "memory",
         [](Picture& picture) {  // loads and stores of L1 change places
             const std::vector<Said*> cells =
                 columnBelow(picture, {"sectors"}, "Memory tables: L1, L2 and device memory");
             if (cells.size() < 2 || cells[0]->text == cells[1]->text) return false;
             std::swap(cells[0]->text, cells[1]->text);
             return true;
         }},
        {"memory: a share of the wrong total",
         {},
         {},
         "memory",
         [](Picture& picture) {
             const std::vector<Said*> cells =
                 columnBelow(picture, {"hit rate"}, "Memory tables: L1, L2 and device memory");
             if (cells.empty()) return false;
             cells[0]->text = "61.8% in L1";
             return true;
         }},
        {"times: the time of another size",
         {},
         {},
         "times",
         [](Picture& picture) {
             const std::vector<Said*> cells = columnBelow(picture, {"ms", "µs"}, "");
             if (cells.empty()) return false;
             cells[0]->text = "7.77";
             return true;
         }},
        {"times: a step from another variant",
         {},
         {},
         "times",
         [](Picture& picture) {
             const std::vector<Said*> cells = columnBelow(picture, {"step"}, "");
             for (Said* cell : cells)
                 if (tokensOf(cell->text).size() == 1) return cell->text = "3.21×", true;
             return false;
         }},
        {"findings: one more than there are",
         {},
         {},
         "findings",
         [](Picture& picture) {
             for (Said& said : picture.texts)
                 for (const Token& token : tokensOf(said.text))
                     if ((token.noun == "problem" || token.noun == "warning") && token.kind == Kind::Count) {
                         said.text.replace(token.begin, token.end - token.begin, plus(token, 1));
                         return true;
                     }
             return false;
         }},
        {"timeline: a loop's variable a round too far",
         {},
         [](Said& said) { return numberBehind(said, " = ", 1); },
         "timeline"},
        {"timeline: a band's lanes without the idle branches",
         {},
         {},
         "timeline",
         [](Picture& picture) {
             bool any = false;
             for (Said& said : picture.texts)
                 if (contains(said.text, " thread instructions"))
                     any |= oneMore(said, "instruction", Kind::Count);
             return any;
         }},
        {"timeline: the interval of the band before",
         {},
         {},
         "timeline",
         [](Picture& picture) {
             bool any = false;
             for (Said& said : picture.texts)
                 if (!said.isHover && said.text.starts_with("barrier interval "))
                     any |= oneMore(said, "phase", Kind::Id);
             return any;
         }},
        {"source: the share of another column",
         {},
         {},
         "source",
         [](Picture& picture) {  // sectors and instructions change places
             const std::vector<Said*> sectors = columnOf(picture, "sectors"),
                                      instructions = columnOf(picture, "instructions");
             for (Said* a : sectors)
                 for (Said* b : instructions)
                     if (a->hover == b->hover && a->text != b->text) return std::swap(a->text, b->text), true;
             return false;
         }},
        {"source: the costliest line but one",
         {},
         [](Said& said) { return said.text.starts_with("most ") && oneMore(said, "line", Kind::Id); },
         "source"},
        {"read: a figure that the author did not type",
         {},
         {},
         "read",
         [](Picture& picture) {
             for (Said& said : picture.texts)
                 if (!said.isHover && said.face == viz::Face::Text && said.text.size() > 60 &&
                     rewriteAny(
                         said, [](const Token& t) { return t.kind != Kind::Pair && t.kind != Kind::Element; },
                         [](const Token& t) { return plus(t, 1); }))
                     return true;
             return false;
         }},
        {"read: a line of host code that no file has",
         {},
         {},
         "read",
         [](Picture& picture) {
             for (Said& said : picture.texts)
                 if (said.face == viz::Face::Mono && !tokensOf(said.text).empty())
                     return rewriteAny(
                         said, [](const Token&) { return true; },
                         [](const Token& t) { return std::to_string(s64(t.value) + 3); });
             return false;
         }},
        {"playground: lanes one element further",
         {},
         {},
         "playground",
         {},
         [](Play& play) { play.playground.pattern.expression += " + 1"; }},
        {"playground: rules of another device",
         {},
         {},
         "playground",
         {},
         [](Play& play) {
             const bool isOld = play.profile->major == 1;
             play.profile = model::findProfile(isOld ? "cc90" : "cc12");
         }},
        {"playground: words twice as wide",
         {},
         {},
         "playground",
         {},
         [](Play& play) {
             u32& width = play.playground.pattern.widthBytes;
             width = width == 16 ? 8 : 2 * width;
         }},
        {"playground: a lane switched off",
         {},
         {},
         "playground",
         {},
         [](Play& play) { play.playground.pattern.off = play.playground.pattern.off | LaneMask{1u << 9}; }},
        {"playground: banks counted from one",
         {},
         {},
         "playground",
         [](Picture& picture) {
             for (Said& said : picture.texts)
                 if (!said.isHover && said.text == "1" && said.hover.empty()) said.text = "2";
             return true;
         }},
        {"playground: a piece beside its bank's column",
         {},
         {},
         "playground",
         [](Picture& picture) {
             for (Said& said : picture.texts)
                 if (said.isHover && said.text.find(" access") != std::string::npos)
                     return said.left += 9, said.at.x += 9, true;
             return false;
         }},
        {"playground: another number of lanes at a time",
         {},
         {},
         "playground",
         [](Picture& picture) {
             for (Said& said : picture.texts)
                 if (said.text.starts_with("All lanes of the warp, in any order: each"))
                     said.text.replace(0, 21, "16 lanes at a time"),
                         said.text.insert(said.text.size() - 1, " for them");
             return true;
         }},
        {"compare: A and B exchanged in the table",
         {},
         {},
         "compare",
         [](Picture& picture) {
             const std::vector<Said*> a = columnInRowOf(picture, "A", "whole grid"),
                                      b = columnInRowOf(picture, "B", "whole grid");
             return exchange(a, b);
         }},
        {"compare: the other cursor a step later",
         {},
         {},
         "compare",
         [](Picture& picture) {
             for (Said& said : picture.texts)
                 if (const std::size_t at = said.text.rfind(", step ");
                     at != std::string::npos && said.text.find("B: ") < at) {
                     const std::vector<Token> tokens = tokensOf(said.text.substr(at));
                     if (tokens.empty()) continue;
                     said.text.replace(at + tokens[0].begin, tokens[0].end - tokens[0].begin,
                                       plus(tokens[0], 1));
                 }
             return true;
         }},
        {"compare: a factor the other way round",
         {},
         {},
         "compare",
         [](Picture& picture) {
             for (Said& said : picture.texts)
                 for (const auto& [from, to] : {std::pair{" % more", " % fewer"},
                                                {" times as many", "% fewer"},
                                                {"twice as many", "half as many"}})
                     if (const std::size_t at = said.text.find(from); at != std::string::npos)
                         said.text.replace(at, std::string(from).size(), to);
             return true;
         }},
        {"compare: figures of another run",
         [](run::Run& run, viz::Cursor&) {
             for (auto& [metric, value] : run.report.counters)
                 if (value > 0) ++value;
         },
         {},
         "compare"},
        {"stage: the value of the cell beside",
         {},
         {},
         "stage",
         [](Picture& picture) {
             std::vector<Said*> cells;
             for (Said& said : picture.texts)
                 if (const std::size_t at = said.text.find("] = "); said.isHover && at != std::string::npos)
                     cells.push_back(&said);
             for (std::size_t i = 0; i + 1 < cells.size(); ++i) {
                 const auto value = [](const std::string& text) { return text.substr(text.find("] = ")); };
                 if (value(cells[i]->text) == value(cells[i + 1]->text)) continue;
                 std::string one = cells[i]->text.substr(0, cells[i]->text.find("] = ")),
                             other = cells[i + 1]->text.substr(0, cells[i + 1]->text.find("] = "));
                 one += value(cells[i + 1]->text), other += value(cells[i]->text);
                 cells[i]->text = one, cells[i + 1]->text = other;
                 return true;
             }
             return false;
         }},
        {"stage: a lane too many that touches it now",
         {},
         {},
         "stage",
         inHovers(" now with lane", "lane", 1)},
        {"stage: one access more at a place", {}, {}, "stage", inHovers(" more access", "access", 1)},
        {"stage: the round before", {}, {}, "stage", inHovers(" after round ", "round", -1)},
        {"stage: another block's element",
         {},
         {},
         "stage",
         [](Picture& picture) {
             for (Said& said : picture.texts)
                 if (const std::size_t at = said.text.find(" is computed by block (x 0");
                     said.isHover && at != std::string::npos)
                     return said.text.replace(at, 26, " is computed by block (x 1"), true;
             return false;
         }},
        {"stage: rows and columns exchanged",
         {},
         {},
         "stage",
         [](Picture& picture) {
             for (Said& said : picture.texts) {
                 const std::size_t at = said.text.find(" are in row");
                 if (at == std::string::npos) continue;
                 const std::size_t rows = said.text.find("row", at), columns = said.text.find("column", rows);
                 if (columns == std::string::npos) continue;
                 said.text.replace(columns, 6, "row"), said.text.replace(rows, 3, "column");
                 return true;
             }
             return false;
         }},
        {"source: an operand called old value",
         {},
         {},
         "source",
         [](Picture& picture) {
             bool any = false;
             for (Said& said : picture.texts)
                 if (said.text == "operand") any = true, said.text = "old value";
             return any;
         }},
        {"source: one number of several",
         {},
         [](Said& said) {
             const std::size_t several = said.text.find(", ", said.text.find("] = ") + 1);
             if (said.text.find(" × ") == std::string::npos || several == std::string::npos) return false;
             const std::size_t equal = said.text.find("] = ");
             if (equal == std::string::npos) return false;
             return said.text.replace(said.text.find(", ", equal), std::string::npos, "."), true;
         },
         "source"},
        {"source: an atomic said to write",
         {},
         [](Said& said) { return replaced(said, ": atomicAdd on ", " writes 1 to "); },
         "source"},
        {"banks: an atomic said to write",
         {},
         [](Said& said) { return replaced(said, " updates ", " writes "); },
         "banks"},
        {"banks: the sum of both half-warps alone",
         {},
         [](Said& said) {
             const std::size_t halves = said.text.find(": half-warp 0: "), all = said.text.rfind(", ");
             if (halves == std::string::npos || all == std::string::npos || all < halves) return false;
             return said.text.replace(halves, all - halves, ": 4-way"), true;
         },
         "banks"},
        {"memory: not said where sectors stay",
         {},
         {},
         "memory",
         [](Picture& picture) {
             return std::erase_if(picture.texts, [](const Said& said) {
                        return !said.isHover &&
                               (contains(said.text, " reached device memory before the launch ended") ||
                                contains(said.text, " are still in L2"));
                    }) > 0;
         }},
        {"memory: not said where more reads are from",
         {},
         [](Said& said) {
             const std::size_t at =
                 said.text.find(" of the predicted sectors do not come from the kernel's own loads: ");
             if (at == std::string::npos) return false;
             const std::size_t begin = said.text.rfind('\n', at), end = said.text.find('\n', at);
             const std::size_t from = begin == std::string::npos ? 0 : begin;
             return said.text.erase(from, end == std::string::npos ? end : end - from), true;
         },
         "memory"},
        {"memory: hit rates left out",
         {},
         {},
         "memory",
         [](Picture& picture) {
             const std::vector<Said*> cells =
                 columnBelow(picture, {"hit rate"}, "Memory tables: L1, L2 and device memory");
             for (Said* cell : cells)
                 cell->text = "–";
             return !cells.empty();
         }},
        {"times: another size not said to be one",
         {},
         [](Said& said) {
             const std::size_t end = said.text.find(" On the ");
             if (!said.text.starts_with("This run's size, ") || end == std::string::npos) return false;
             return said.text.erase(0, end + 1), true;
         },
         "times"},
        {"times: idle SMs not mentioned",
         {},
         {},
         "times",
         [](Picture& picture) {
             return std::erase_if(picture.texts, [](const Said& said) {
                        return contains(said.text, " instruction issue assume ");
                    }) > 0;
         }},
        {"times: a bound for all SMs",
         {},
         [](Said& said) {
             return contains(said.text, " instruction issue assume ") &&
                    numberBehind(said, " instruction issue assume ", 116);
         },
         "times"},
        {"times: a bound that says how fast it is",
         {},
         [](Said& said) {
             const bool isIt = said.text == "the lower bound: the kernel cannot take less";
             if (isIt) said.text = "binds: it cannot be faster";
             return isIt;
         },
         "times"},
        {"stage: a sentence of the step before",
         {},
         [](Said& said) {
             const std::size_t at = said.text.find(" The picture shows the last request: ");
             if (!said.isSentence || at == std::string::npos) return false;
             return said.text =
                        "Thread (x 1, y 0): M[0][0] × N[0][1] = 1.0 × 1.0; running sum after "
                        "1 product: 1.0.",
                    true;
         },
         "stage"},
        {"stage: a step that is over not named",
         {},
         [](Said& said) {
             if (!said.isCaption) return false;
             const std::size_t at = said.text.find("last request: step "), comma = said.text.find(", ", at);
             if (at == std::string::npos || comma == std::string::npos) return false;
             return said.text.erase(at, comma + 2 - at), said.text.erase(said.text.find(" · next: ")), true;
         },
         "stage"},
        {"stage: a part that ends before it begins",
         {},
         [](Said& said) {
             const bool isShape = !said.isHover && formOf(said.text) == "# × #";
             if (isShape) said.text = "[0–0][0–18446744073709551615] of " + said.text;
             return isShape;
         },
         "stage"},
        {"compare: another round than the other's",
         {},
         {},
         "compare",
         [](Picture& picture) {
             if (picture.comparedCursor && picture.comparedCursor->step > 8)
                 picture.comparedCursor->step -= 8;
             return picture.comparedCursor.has_value();
         }},
    }};
    return kPlanted;
}

}  // namespace lockstep::witness
