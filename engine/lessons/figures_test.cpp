// What lessons ask and say, held to the record: quantities, by which answers are judged, and their clues,
// read as sentences, are counted once more from the addresses and masks of all blocks, at every place of
// every lesson.
#include "base/device_addresses.h"
#include "explain/branches.h"
#include "explain/source/source_line.h"
#include "lessons/asked_step.h"
#include "lessons/divergence_quantities.h"
#include "lessons/kinds.h"
#include "lessons/quantities.h"
#include "lessons/read_lesson.h"
#include "lessons/reduction_quantities.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <tuple>

namespace lockstep::lessons {
namespace {

using trace::AccessKind;
using trace::Space;

const run::Resources kResources{LOCKSTEP_SOURCE_DIR};

// ---- Counted from the record

// Of one instruction in all blocks.
struct Site {
    u64 requests = 0, sectors = 0, wavefronts = 0, lanes = 0, width = 0, bytes = 0;
    Space space = Space::Global;
    AccessKind kind = AccessKind::Load;
    u32 line = 0;
    bool countsWavefronts = true;  // else the rule has more to it than banks and words
};

u64 sectorsOf(const trace::WarpAccess& access) {
    std::set<u64> sectors;
    for (const Lane lane : access.active) {
        const u64 first = access.addresses[lane.value];
        for (u64 byte = first; byte < first + access.widthBytes; ++byte)
            sectors.insert(byte / 32);
    }
    return sectors.size();
}

// Of an atomic: for each sector that it touches the most lanes on one word of it.
u64 atomicSectorsOf(const trace::WarpAccess& access) {
    std::map<u64, std::map<u64, u64>> lanes;
    for (const Lane lane : access.active)
        ++lanes[access.addresses[lane.value] / 32][access.addresses[lane.value]];
    u64 sectors = 0;
    for (const auto& [sector, words] : lanes)
        sectors += std::ranges::max_element(words, {}, [](const auto& word) { return word.second; })->second;
    return sectors;
}

// Of accesses of up to 4 bytes a lane: in a wavefront each bank delivers one word.
u64 wavefrontsOf(const trace::WarpAccess& access) {
    std::map<u64, std::set<u64>> words;
    for (const Lane lane : access.active) {
        const u64 word = access.addresses[lane.value] / 4;
        words[word % 32].insert(word);
    }
    u64 most = 0;
    for (const auto& [bank, all] : words)
        most = std::max<u64>(most, all.size());
    return most;
}

class Record {
public:
    // Of this launch: its blocks, warps and threads. Accesses are those of all launches.
    Record(const run::Run& run, LaunchId launch) : run_(run) {
        for (const trace::FocusBlock& block : run.recording.trace.blocks) {
            for (const trace::WarpTrace& warp : block.warps)
                for (const trace::StoredAccess& stored : warp.accesses)
                    add(warp.unpack(stored), block.launch);
            if (block.launch != launch) continue;
            ++blocks_;
            threads_ += block.threads;
            warps_ += block.warps.size();
        }
    }
    u64 blocks() const { return blocks_; }
    u64 warps() const { return warps_; }
    u64 threads() const { return threads_; }
    u64 mostElements() const {
        u64 most = 0;
        for (const Buffer& buffer : run_.recording.initial)
            most = std::max(most, buffer.count());
        return most;
    }
    u64 globalSectors() const {
        u64 sectors = 0;
        for (const auto& [place, site] : sites_)
            if (site.space == Space::Global) sectors += site.sectors;
        return sectors;
    }
    std::set<u32> linesOf(Space space) const {
        std::set<u32> lines;
        for (const auto& [place, site] : sites_)
            if (site.space == space) lines.insert(site.line);
        return lines;
    }
    // Of the sites that pass the test.
    template <class Test> u64 sum(u64 Site::*figure, const Test& test) const {
        u64 all = 0;
        for (const auto& [place, site] : sites_)
            if (test(site)) all += site.*figure;
        return all;
    }
    bool countsWavefronts() const {
        return std::ranges::all_of(sites_, [](const auto& each) {
            return each.second.space != Space::Shared || each.second.countsWavefronts;
        });
    }
    const run::Run& run() const { return run_; }
    // Of all instructions of one kind that the line has in a launch.
    template <class Test> bool any(u32 line, const Test& test) const {
        std::map<std::tuple<u32, Space, AccessKind>, Site> ofLine;
        for (const auto& [place, site] : sites_) {
            if (site.line != line) continue;
            Site& all = ofLine[{place.first, site.space, site.kind}];
            all.space = site.space, all.kind = site.kind, all.line = line;
            all.requests += site.requests, all.sectors += site.sectors, all.wavefronts += site.wavefronts;
            all.lanes += site.lanes, all.bytes += site.lanes * site.width;
            all.countsWavefronts &= site.countsWavefronts;
        }
        return std::ranges::any_of(ofLine, [&](const auto& each) { return test(each.second); });
    }

private:
    void add(const trace::WarpAccess& access, LaunchId launch) {
        if (access.active.empty()) return;
        Site& site = sites_[{launch.value, access.pc.value}];
        site.space = access.space;
        site.kind = access.kind;
        site.line = explain::lineOf(*run_.module, access.pc).line;
        site.width = access.widthBytes;
        // The first devices make a request of each half of a warp.
        const bool isByHalves = run_.profile.globalRule != model::GlobalRule::Sectors;
        const u32 low = 0xffff & access.active.bits, high = access.active.bits >> 16;
        site.requests += isByHalves && access.space == Space::Global ? (low != 0) + (high != 0) : 1;
        site.countsWavefronts = !isByHalves && access.widthBytes <= 4 && !trace::isAtomic(access.kind);
        site.lanes += access.active.count();
        if (access.space == Space::Global)
            site.sectors += trace::isAtomic(access.kind) ? atomicSectorsOf(access) : sectorsOf(access);
        if (access.space == Space::Shared) site.wavefronts += wavefrontsOf(access);
    }

    const run::Run& run_;
    std::map<std::pair<u32, u32>, Site> sites_;  // by launch and pc
    u64 blocks_ = 0, warps_ = 0, threads_ = 0;
};

// Lanes that come to a conditional branch, and those that take it; from the warp's masks alone.
struct Split {
    u32 step = 0, line = 0;
    LaneMask came, taken;
    bool divides() const { return !taken.empty() && taken != came; }
};
std::vector<Split> branchesOf(const ptx::Module& module, const trace::WarpTrace& warp) {
    std::vector<Split> all;
    for (u32 s = 1; s < warp.steps.size(); ++s) {
        const trace::Step& step = warp.steps[s];
        if (!explain::isConditionalBranch(module, step.pc)) continue;
        // What stands before it in the text and is executed by whoever comes here.
        for (u32 before = s; before-- > 0;)
            if (const Pc pc = warp.steps[before].pc;
                pc.value < step.pc.value && !module.instructions[pc.value].guard.present) {
                all.push_back(
                    {s, explain::lineOf(module, step.pc).line, warp.steps[before].active, step.active});
                break;
            }
    }
    return all;
}
u64 divergencesOf(const ptx::Module& module, const trace::WarpTrace& warp) {
    return u64(std::ranges::count_if(branchesOf(module, warp), &Split::divides));
}

std::map<u32, u32> barriersOf(const ptx::Module& module, const trace::WarpTrace& warp) {
    std::map<u32, u32> times;  // by line
    for (const trace::Step& step : warp.steps)
        if (const std::string_view form = module.instructions[step.pc.value].form;
            form.starts_with("bar.sync") || form.starts_with("barrier.sync") || form.starts_with("bar.red"))
            ++times[explain::lineOf(module, step.pc).line];
    return times;
}

// ---- Sentences

struct At {
    const PlaceOnShow& place;
    const Record& record;

    const ptx::Module& module() const { return *place.run->module; }
    const trace::WarpAccess* access() const { return place.access ? &*place.access : nullptr; }
    u64 address(u64 lane) const { return place.access->addresses[lane]; }
};
using Groups = std::vector<std::string>;  // of a sentence: what stands in its groups

u64 number(std::string text) {
    std::erase(text, ',');
    return std::stoull(text);
}
// "0–7, 12 and 14"
LaneMask lanes(const std::string& text) {
    static const std::regex part("([0-9]+)(?:–([0-9]+))?");
    LaneMask all;
    for (std::sregex_iterator it(text.begin(), text.end(), part), end; it != end; ++it)
        for (u64 lane = number((*it)[1]); lane <= number((*it)[2].matched ? (*it)[2] : (*it)[1]); ++lane)
            all = all | LaneMask::of(Lane{u32(lane)});
    return all;
}
std::set<u32> numbers(const std::string& text) {
    static const std::regex part("[0-9]+");
    std::set<u32> all;
    for (std::sregex_iterator it(text.begin(), text.end(), part), end; it != end; ++it)
        all.insert(u32(number(it->str())));
    return all;
}
// "2 sectors", "4.35 sectors on average": within the digits that are told.
bool isRatio(const std::string& text, u64 all, u64 each) {
    if (each == 0) return false;
    const f64 told = std::stod(std::regex_replace(text, std::regex(","), ""));
    return std::abs(told - f64(all) / f64(each)) <= 0.005 * std::max(1.0, told);
}

bool isKind(const Site& site, const std::string& name) {
    if (name == "atomic") return trace::isAtomic(site.kind);
    return (name == "store") == (site.kind == AccessKind::Store) && !trace::isAtomic(site.kind);
}
bool isGlobal(const Site& site) { return site.space == Space::Global; }

// The words of 4 bytes that a lane requests.
std::set<u64> wordsOf(const trace::WarpAccess& access, u64 lane) {
    std::set<u64> words;
    if (access.active.has(Lane{u32(lane)}))
        for (u64 byte = 0; byte < access.widthBytes; ++byte)
            words.insert((access.addresses[lane] + byte) / 4);
    return words;
}
std::set<u64> banksOf(const trace::WarpAccess& access, u64 lane) {
    std::set<u64> banks;
    for (const u64 word : wordsOf(access, lane))
        banks.insert(word % 32);
    return banks;
}
bool isShared(const Site& site) { return site.space == Space::Shared; }
bool areInConflict(const trace::WarpAccess& access, const Groups& w) {
    const u64 a = number(w[1]), b = number(w[2]), bank = number(w[3]), first = number(w[4]),
              second = number(w[5]);
    return access.space == Space::Shared && first != second && first % 32 == bank && second % 32 == bank &&
           wordsOf(access, a).contains(first) && wordsOf(access, b).contains(second);
}
LaneMask lanesIn(const trace::WarpAccess& access, u64 sector) {
    LaneMask all;
    for (const Lane lane : access.active)
        if (access.addresses[lane.value] / 32 <= sector &&
            sector <= (access.addresses[lane.value] + access.widthBytes - 1) / 32)
            all = all | LaneMask::of(lane);
    return all;
}
std::pair<u64, u64> outerSectors(const trace::WarpAccess& access) {
    u64 first = ~u64{0}, last = 0;
    for (const Lane lane : access.active) {
        first = std::min(first, access.addresses[lane.value] / 32);
        last = std::max(last, (access.addresses[lane.value] + access.widthBytes - 1) / 32);
    }
    return {first, last};
}
bool lieTogether(const trace::WarpAccess& access, LaneMask some, u64 bytes) {
    std::set<u64> segments;
    for (const Lane lane : some)
        segments.insert(access.addresses[lane.value] / bytes);
    return segments.size() == 1 && (some & ~access.active).empty();
}

struct Form {
    const char* sentence;  // # a number, @ a list of numbers, * anything
    std::function<bool(const At&, const Groups&)> holds;
};

const std::vector<Form>& forms() {
    static const std::vector<Form> all{
        {"A request of the (load|store|atomic) at line # (?:touches|sends) # sectors?(?: on average)?(?: to "
         "L2)?.",
         [](const At& at, const Groups& w) {
             return at.record.any(u32(number(w[2])), [&](const Site& site) {
                 return isGlobal(site) && isKind(site, w[1]) && isRatio(w[3], site.sectors, site.requests);
             });
         }},
        {"At line # the grid makes # requests?; (?:it|each of them) (?:touches|sends) # sectors?(?: on "
         "average)?(?: to L2)?.",
         [](const At& at, const Groups& w) {
             return at.record.any(u32(number(w[1])), [&](const Site& site) {
                 return isGlobal(site) && site.requests == number(w[2]) &&
                        isRatio(w[3], site.sectors, site.requests);
             });
         }},
        {"At line # each of the # warps? of the grid makes # requests?.",
         [](const At& at, const Groups& w) {
             if (number(w[2]) != at.record.warps()) return false;
             std::map<bool, u64> requests;  // of the loads, all others, and all
             at.record.any(u32(number(w[1])), [&](const Site& site) {
                 if (isGlobal(site)) requests[site.kind == trace::AccessKind::Load] += site.requests;
                 return false;
             });
             const u64 said = number(w[2]) * number(w[3]);
             return said == requests[true] || said == requests[false] ||
                    said == requests[true] + requests[false];
         }},
        {"There are requests at # other lines?, too.",
         [](const At& at, const Groups& w) {
             const std::set<u32> lines = at.record.linesOf(Space::Global);
             return number(w[1]) >= 1 && number(w[1]) < lines.size();
         }},
        {"At line # a block updates words of (shared|global) memory (?:about )?# times?.",
         [](const At& at, const Groups& w) {
             return at.record.any(u32(number(w[1])), [&](const Site& site) {
                 return trace::isAtomic(site.kind) && isGlobal(site) == (w[2] == "global") &&
                        (site.lanes + at.record.blocks() / 2) / at.record.blocks() == number(w[3]);
             });
         }},
        {"At line # the grid makes # requests? to shared memory; (?:it|each of them) takes # "
         "wavefronts?(?: on average)?.",
         [](const At& at, const Groups& w) {
             return at.record.any(u32(number(w[1])), [&](const Site& site) {
                 return site.space == Space::Shared && site.requests == number(w[2]) &&
                        (!site.countsWavefronts || isRatio(w[3], site.wavefronts, site.requests));
             });
         }},
        {"A request of the load at line # needs all of each sector that it touches.",
         [](const At& at, const Groups& w) {
             return at.record.any(u32(number(w[1])), [&](const Site& site) {
                 return isGlobal(site) && site.bytes >= site.sectors * 32;
             });
         }},
        {"Of a sector, 32 bytes, a request of the load at line # needs # B: the rest is of use only if a "
         "later request finds it.",
         [](const At& at, const Groups& w) {
             return at.record.any(u32(number(w[1])), [&](const Site& site) {
                 const f64 bytes = f64(site.bytes) / f64(std::max<u64>(site.sectors, 1));
                 return isGlobal(site) && std::abs(bytes - f64(number(w[2]))) <= 0.5;
             });
         }},
        {"Shared memory is accessed at lines? @.",
         [](const At& at, const Groups& w) { return at.record.linesOf(Space::Shared) == numbers(w[1]); }},
        {"Of the # warps? of this block # diverges?.",
         [](const At& at, const Groups& w) {
             const auto& warps = at.place.here.block->warps;
             return number(w[1]) == warps.size() &&
                    number(w[2]) == u64(std::ranges::count_if(warps, [&](const trace::WarpTrace& warp) {
                        return divergencesOf(at.module(), warp) > 0;
                    }));
         }},
        {"Warp # of this block diverges # times?.",
         [](const At& at, const Groups& w) {
             return number(w[2]) == divergencesOf(at.module(), at.place.here.block->warps[number(w[1])]);
         }},
        {"In this run the kernel moves # sectors? of global memory per element of the largest array.",
         [](const At& at, const Groups& w) {
             return isRatio(w[1], at.record.globalSectors(), at.record.mostElements());
         }},
        {"For each block there are # elements? of the largest array.",
         [](const At& at, const Groups& w) {
             return number(w[1]) * at.record.blocks() == at.record.mostElements();
         }},
        {"A block has # threads?, and the largest array has # elements?.",
         [](const At& at, const Groups& w) {
             return number(w[1]) * at.record.blocks() == at.record.threads() &&
                    number(w[2]) == at.record.mostElements();
         }},
        {"For each thread there (?:is|are) # elements? of the largest array.",
         [](const At& at, const Groups& w) {
             return number(w[1]) * at.record.threads() == at.record.mostElements();
         }},
        {"Lanes # and # both request bank #, but different words: # and #. A bank delivers one word per "
         "wavefront.",
         [](const At& at, const Groups& w) {
             if (at.access() && areInConflict(*at.access(), w)) return true;
             const trace::WarpTrace& warp = at.place.warp();
             return std::ranges::any_of(warp.accesses, [&](const trace::StoredAccess& stored) {
                 return areInConflict(warp.unpack(stored), w);
             });
         }},
        {"With # bytes? per lane, # lanes? are served together, and no two of these request different words "
         "of one bank.",
         [](const At& at, const Groups& w) {
             return at.access()->widthBytes == number(w[1]) && number(w[1]) * number(w[2]) == 128;
         }},
        {"No two lanes request different words of one bank: lanes @ share word #.",
         [](const At& at, const Groups& w) {
             return wavefrontsOf(*at.access()) == 1 && std::ranges::all_of(numbers(w[1]), [&](u64 lane) {
                        return wordsOf(*at.access(), lane) == std::set<u64>{number(w[2])};
                    });
         }},
        {"Lanes @ request the same word, #.",
         [](const At& at, const Groups& w) {
             return std::ranges::all_of(numbers(w[1]), [&](u64 lane) {
                 return wordsOf(*at.access(), lane) == std::set<u64>{number(w[2])};
             });
         }},
        {"The addresses of lanes # and # lie # bytes? apart.",
         [](const At& at, const Groups& w) {
             const u64 a = at.address(number(w[1])), b = at.address(number(w[2]));
             return std::max(a, b) - std::min(a, b) == number(w[3]);
         }},
        {"All of it lies in one sector of 32 bytes, which serves lanes? @.",
         [](const At& at, const Groups& w) {
             return sectorsOf(*at.access()) == 1 && at.access()->active == lanes(w[1]);
         }},
        {"A sector is 32 bytes: the first one serves lanes? @, the last one lanes? @.",
         [](const At& at, const Groups& w) {
             const auto [first, last] = outerSectors(*at.access());
             return lanesIn(*at.access(), first) == lanes(w[1]) && lanesIn(*at.access(), last) == lanes(w[2]);
         }},
        {"The first transaction moves # bytes? for lanes? @, the last one # bytes? for lanes? @.",
         [](const At& at, const Groups& w) {
             return lieTogether(*at.access(), lanes(w[2]), number(w[1])) &&
                    lieTogether(*at.access(), lanes(w[4]), number(w[3]));
         }},
        {"The word of lane # lies # bytes? past an address at which a segment may begin.",
         [](const At& at, const Groups& w) {
             return at.address(number(w[1])) % (16 * at.access()->widthBytes) == number(w[2]);
         }},
        {"Lane # does not access word # of the segment of its half-warp.",
         [](const At& at, const Groups& w) {
             const u64 lane = number(w[1]), word = number(w[2]), width = at.access()->widthBytes;
             return lane % 16 == word && at.address(lane) / width % 16 != word;
         }},
        {"A block has # threads? in # warps?; a request is of one warp.",
         [](const At& at, const Groups& w) {
             return at.place.here.block->threads == number(w[1]) && (number(w[1]) + 31) / 32 == number(w[2]);
         }},
        {"This warp passes the barrier at line # # times?.",
         [](const At& at, const Groups& w) {
             const auto times = barriersOf(at.module(), at.place.warp());
             const auto at1 = times.find(u32(number(w[1])));
             return at1 != times.end() && at1->second == number(w[2]);
         }},
        {"This warp passes (?:a barrier at line|barriers at lines) @.",
         [](const At& at, const Groups& w) {
             const auto times = barriersOf(at.module(), at.place.warp());
             return times.size() == numbers(w[1]).size() && std::ranges::all_of(times, [&](const auto& line) {
                        return numbers(w[1]).contains(line.first) && line.second == 1;
                    });
         }},
        {"Each time around its loop this warp passes (?:a barrier at line|barriers at lines) @.",
         [](const At& at, const Groups& w) {
             const auto times = barriersOf(at.module(), at.place.warp());
             return std::ranges::all_of(times, [&](const auto& line) {
                 return numbers(w[1]).contains(line.first) == (line.second > 1);
             });
         }},
        {"At lines? @ it passes one once.",
         [](const At& at, const Groups& w) {
             const auto times = barriersOf(at.module(), at.place.warp());
             return std::ranges::all_of(times, [&](const auto& line) {
                 return numbers(w[1]).contains(line.first) == (line.second == 1);
             });
         }},
        {"Lane # is active here.",
         [](const At& at, const Groups& w) { return at.place.active().has(Lane{u32(number(w[1]))}); }},
        {"Lane # is inactive here(?: \\(*\\))?.",
         [](const At& at, const Groups& w) { return !at.place.active().has(Lane{u32(number(w[1]))}); }},
        {"Which lanes come here is decided by the branch at line #.",
         [](const At& at, const Groups& w) {
             return std::ranges::any_of(branchesOf(at.module(), at.place.warp()), [&](const Split& split) {
                 return split.line == number(w[1]) && split.divides() &&
                        (at.place.active() & ~split.came).empty();
             });
         }},
        {"Lanes # and # take different paths at line #.",
         [](const At& at, const Groups& w) {
             const auto part = [&](const Split& split) {
                 const Lane a{u32(number(w[1]))}, b{u32(number(w[2]))};
                 return split.line == number(w[3]) && split.came.has(a) && split.came.has(b) &&
                        split.taken.has(a) != split.taken.has(b);
             };
             return std::ranges::any_of(branchesOf(at.module(), at.place.warp()), part);
         }},
        {"All lanes that come to line # take the same path there.",
         [](const At& at, const Groups& w) {
             return std::ranges::any_of(branchesOf(at.module(), at.place.warp()), [&](const Split& split) {
                 return split.line == number(w[1]) && !split.divides();
             });
         }},
        {"Lanes # and # execute the same instructions: they are on one path.",
         [](const At& at, const Groups& w) {
             const Lane a{u32(number(w[1]))}, b{u32(number(w[2]))};
             const auto parting = partingAt(at.place);
             const trace::WarpTrace& warp = at.place.warp();
             for (u32 step = parting ? parting->branch : 0; parting && step < parting->end; ++step)
                 if (warp.steps[step].active.has(a) != warp.steps[step].active.has(b)) return false;
             return parting.has_value() && a != b;
         }},
        {"Lanes # and # request the same word: one wavefront serves both.",
         [](const At& at, const Groups& w) {
             return wordsOf(*at.access(), number(w[1])) == wordsOf(*at.access(), number(w[2]));
         }},
        {"Lanes # and # request different banks, # and #: one wavefront serves both.",
         [](const At& at, const Groups& w) {
             return number(w[3]) != number(w[4]) &&
                    banksOf(*at.access(), number(w[1])).contains(number(w[3])) &&
                    banksOf(*at.access(), number(w[2])).contains(number(w[4]));
         }},
        {"At none of them do two lanes of a warp request different words of one bank at the same time.",
         [](const At& at, const Groups&) {
             return !at.record.countsWavefronts() ||
                    at.record.sum(&Site::wavefronts, isShared) == at.record.sum(&Site::requests, isShared);
         }},
        {"* is updated by lanes @, and takes # turns. Another word is updated by more.",
         [](const At& at, const Groups& w) {
             const LaneMask told = lanes(w[2]);
             std::map<u64, LaneMask> words;
             for (const Lane lane : at.access()->active) {
                 LaneMask& same = words[at.address(lane.value)];
                 same = same | LaneMask::of(lane);
             }
             return words[at.address(told.lowest().value)] == told && u64(told.count()) == number(w[3]) &&
                    std::ranges::any_of(words,
                                        [&](const auto& word) { return word.second.count() > told.count(); });
         }},
        {"Lanes # and # update different words.",
         [](const At& at, const Groups& w) {
             return trace::isAtomic(at.access()->kind) &&
                    at.address(number(w[1])) != at.address(number(w[2]));
         }},
        {"Lanes # and # update the same word.",
         [](const At& at, const Groups& w) {
             return trace::isAtomic(at.access()->kind) &&
                    at.address(number(w[1])) == at.address(number(w[2]));
         }},
        {"Here lanes # and # store to the same element, both what they loaded before and changed.",
         [](const At& at, const Groups& w) {
             return at.access()->kind == AccessKind::Store &&
                    at.address(number(w[1])) == at.address(number(w[2]));
         }},
        {"A block has # threads?, and an SM has room for # threads?.",
         [](const At& at, const Groups& w) {
             return at.place.here.block->threads == number(w[1]) &&
                    at.place.run->profile.threadsPerSm == number(w[2]);
         }},
        {"An SM keeps # blocks? at most, however small they are.",
         [](const At& at, const Groups& w) { return at.place.run->profile.blocksPerSm == number(w[1]); }},
        {"A block takes # bytes? of shared memory and # more for the system, and an SM has # bytes?.",
         [](const At& at, const Groups& w) {
             return number(w[1]) >= at.place.run->recording.launches[0].dynamicSharedBytes &&
                    at.place.run->profile.sharedReservedPerBlock == number(w[2]) &&
                    at.place.run->profile.sharedBytesPerSm == number(w[3]);
         }},
        {"A block takes # bytes? of shared memory, and an SM has # bytes?.",
         [](const At& at, const Groups& w) {
             return number(w[1]) >= at.place.run->recording.launches[0].dynamicSharedBytes &&
                    at.place.run->profile.sharedBytesPerSm == number(w[2]);
         }},
        {"A block has # threads? with # registers? each, and an SM has # registers.",
         [](const At& at, const Groups& w) {
             return at.place.here.block->threads == number(w[1]) && number(w[2]) >= 8 &&
                    number(w[2]) <= 255 && at.place.run->profile.registersPerSm == number(w[3]);
         }},
        {"An SM keeps # blocks? of this kernel at the same time; the device has # SMs?, and the grid has # "
         "blocks?.",
         [](const At& at, const Groups& w) {
             return number(w[1]) * at.place.here.block->threads <= at.place.run->profile.threadsPerSm &&
                    at.place.run->profile.multiprocessors == number(w[2]) &&
                    at.place.run->recording.launches[at.place.cursor.launch.value].grid.count() ==
                        number(w[3]);
         }},
        {"# threads?: halved # times?, one is left.",
         [](const At&, const Groups& w) {
             u64 left = number(w[1]);
             for (u64 round = 0; round < number(w[2]); ++round)
                 left = (left + 1) / 2;
             return left == 1;
         }},
        {"Words # and # lie in the same bank.",
         [](const At&, const Groups& w) {
             return number(w[1]) != number(w[2]) && number(w[1]) % 32 == number(w[2]) % 32;
         }},
        {"A block has # threads?.",
         [](const At& at, const Groups& w) { return at.place.here.block->threads == number(w[1]); }},
        {"Lane # touches sectors? @ of the array.",
         [](const At& at, const Groups& w) {
             const u64 address = at.address(number(w[1])), start = deviceAddressOf(*bufferOfAddress(address));
             return (address - start) / 32 == *numbers(w[2]).begin() &&
                    (address - start + at.access()->widthBytes - 1) / 32 == *numbers(w[2]).rbegin();
         }},
        {"The word of lane # is #, in bank #.",
         [](const At& at, const Groups& w) {
             return at.address(number(w[1])) / 4 == number(w[2]) && number(w[2]) % 32 == number(w[3]);
         }},
        {"Each active lane accesses # bytes?.",
         [](const At& at, const Groups& w) { return at.access()->widthBytes == number(w[1]); }},
        {"Each lane requests # bytes?; the banks deliver # at a time.",
         [](const At& at, const Groups& w) {
             return at.access()->widthBytes == number(w[1]) && number(w[2]) == 32 * 4;
         }},
        {"Lane # accesses word # of shared memory, lane # word #.",
         [](const At& at, const Groups& w) {
             return at.access()->space == Space::Shared && at.address(number(w[1])) / 4 == number(w[2]) &&
                    at.address(number(w[3])) / 4 == number(w[4]);
         }},
        {"Lane # accesses byte # of shared memory.",
         [](const At& at, const Groups& w) {
             return at.access()->space == Space::Shared && at.address(number(w[1])) == number(w[2]);
         }},
        {"The PTX instruction of this step is (\\S+).",
         [](const At& at, const Groups& w) { return at.module().at(at.place.here.step->pc).name == w[1]; }},
        {"The first PTX instruction of this line is (\\S+).",
         [](const At& at, const Groups& w) {
             const u32 line = explain::lineOf(at.module(), at.place.here.step->pc).line;
             for (Pc pc{0}; pc.value < at.module().instructions.size(); pc = Pc{pc.value + 1})
                 if (explain::lineOf(at.module(), pc).line == line && at.module().at(pc).name == w[1])
                     return true;
             return false;
         }},
        {"The step is shown for thread (?:\\(*\\)|#) of its block.",
         [](const At& at, const Groups& w) {
             const u64 thread = u64{at.place.cursor.warp.value} * 32 + at.place.cursor.lane.value;
             return w[2].empty() || number(w[2]) == thread;
         }},
        {"Lane # accesses word # of shared memory.",
         [](const At& at, const Groups& w) {
             return at.access()->space == Space::Shared && at.address(number(w[1])) / 4 == number(w[2]);
         }},
        {"The threads of a warp take # registers, and an SM has #.",
         [](const At& at, const Groups& w) {
             return number(w[1]) % 32 == 0 && number(w[1]) / 32 >= 8 && number(w[1]) / 32 <= 255 &&
                    number(w[2]) == at.place.run->profile.registersPerSm;
         }},
        {"The grid has # threads?: # are left after the first halving.",
         [](const At& at, const Groups& w) {
             return number(w[1]) == at.record.threads() && number(w[2]) * 2 - number(w[1]) <= 1;
         }},
        {"([A-Za-z_]+)\\[*\\] is (\\S+), the last of # elements?.",
         [](const At& at, const Groups& w) {
             return at.place.run->recording.final.back().count() == number(w[4]) &&
                    at.place.run->recording.final.back().name == w[1];
         }},
        {"The warp issues # instructions? in all.",
         [](const At& at, const Groups& w) { return at.place.warp().steps.size() == number(w[1]); }},
        {"The grid has # blocks? of # warps?.",
         [](const At& at, const Groups& w) {
             return number(w[1]) == at.record.blocks() && number(w[1]) * number(w[2]) == at.record.warps();
         }},
        {"The kernel has # warps?, and this one issues # instructions?.",
         [](const At& at, const Groups& w) {
             return number(w[1]) == at.record.warps() && at.place.warp().steps.size() == number(w[2]);
         }},
        {"It is a property of devices of compute capability #.#, not of the kernel.",
         [](const At& at, const Groups& w) {
             return at.place.run->profile.major == number(w[1]) &&
                    at.place.run->profile.minor == number(w[2]);
         }},
        {"The arrays have # bytes? together.",
         [](const At& at, const Groups& w) {
             u64 bytes = 0;
             for (const Buffer& buffer : at.place.run->recording.final)
                 bytes += buffer.count() * info(buffer.type).bytes;
             return bytes == number(w[1]);
         }},
        {"The registers of an SM are enough for # blocks? of this kernel.",
         [](const At& at, const Groups& w) {
             return number(w[1]) * at.place.here.block->threads <= at.place.run->profile.registersPerSm;
         }},
        {"Line # has most of them: #.",
         [](const At& at, const Groups& w) {
             bool exists = false;
             for (Pc pc{0}; pc.value < at.module().instructions.size(); pc = Pc{pc.value + 1})
                 exists = exists || explain::lineOf(at.module(), pc).line == number(w[1]);
             return exists && number(w[2]) > 0;
         }},
        {"The first round makes # new values?, the last one #.",
         [](const At& at, const Groups& w) {
             return number(w[1]) > 0 && number(w[2]) > 0 && number(w[1]) <= at.place.here.block->threads;
         }},
        {"The round before makes # new values?.",
         [](const At& at, const Groups& w) { return number(w[1]) <= at.place.here.block->threads; }},
        {"Before the first round # places? holds? a value.",
         [](const At& at, const Groups& w) { return number(w[1]) <= 2 * at.place.here.block->threads; }},
        {"*, line #.",
         [](const At& at, const Groups& w) {
             return std::ranges::any_of(at.place.run->recording.findings, [&](const trace::Finding& finding) {
                 return explain::lineOf(at.module(), finding.who.pc).line == number(w[2]);
             });
         }},
    };
    return all;
}

std::string patternOf(std::string_view sentence) {
    std::string pattern;
    for (const char c : sentence)
        if (c == '#')
            pattern += "([0-9][0-9,]*(?:\\.[0-9]+)?)";
        else if (c == '@')
            pattern += "([0-9][0-9–, and]*)";
        else if (c == '*')
            pattern += "(.*)";
        else if (c == '.')
            pattern += "\\.";
        else
            pattern += c;
    return pattern;
}

// What other tests hold: sentences of findings, exchanges among lanes (their values are not in the record),
// names of elements, and what was recorded on a GPU.
bool isHeldElsewhere(const std::string& clue) {
    static const std::regex others(
        "Device memory delivers what L2 does not have.*|Thread .*|In __.*|In .*\\(\\) lane.*|Lane [0-9]+ "
        "updates .*|Each thread takes .*|"
        "Lane [0-9]+ votes .*|.*instead of.*|Lane [0-9]+ brings .*|The driver allowed .*|On the GPU .*|"
        "A later launch takes .*|Below lane .*");
    return std::regex_match(clue, others);
}

// The longest beginning that is a known sentence; the rest is another one.
bool holds(const At& at, std::string clue, std::string& why) {
    while (!clue.empty()) {
        std::size_t taken = 0;
        bool isTrue = false;
        for (const Form& form : forms()) {
            std::smatch match;
            const std::regex pattern("(?:" + patternOf(form.sentence) + ")(?: |$)");
            if (!std::regex_search(clue, match, pattern, std::regex_constants::match_continuous)) continue;
            taken = std::size_t(match.length());
            isTrue = form.holds(at, Groups(match.begin(), match.end()));
            break;
        }
        if (taken == 0) {
            const std::size_t end = clue.find(". ");
            const std::string one = clue.substr(0, end == std::string::npos ? end : end + 1);
            if (std::ranges::any_of(one, [](char c) { return c >= '0' && c <= '9'; }) &&
                !isHeldElsewhere(clue)) {
                why = "no known form: " + clue;
                return false;
            }
            if (isHeldElsewhere(clue)) return true;
            taken = end == std::string::npos ? clue.size() : end + 2;
        } else if (!isTrue) {
            why = "not so: " + clue;
            return false;
        }
        clue.erase(0, taken);
    }
    return true;
}

class AllBlocks {
public:
    // The same experiment with all of its blocks recorded.
    const Record* of(const Place& place, const PlaceOnShow& on) {
        if (on.run->recording.launches.empty()) return nullptr;
        const std::string key = fmt::format("{}", fmt::ptr(on.run.get()));
        if (const auto known = known_.find(key); known != known_.end()) return known->second.record.get();
        Kept& kept = known_[key];
        kept.keep = on.run;
        kept.run = runWhole(place, on);
        if (kept.run) kept.record = std::make_unique<Record>(*kept.run, on.cursor.launch);
        return kept.record.get();
    }

private:
    struct Kept {
        std::shared_ptr<const run::Run> keep;
        std::optional<run::Run> run;
        std::unique_ptr<Record> record;
    };
    static std::optional<run::Run> runWhole(const Place& place, const PlaceOnShow& on) {
        static const catalog::Catalog catalog = *catalog::Catalog::read(kResources.kernels());
        Expected<run::Experiment> experiment = Unexpected{Fault{}};
        if (place.own) {
            LessonRuns runs(kResources, catalog);
            const Expected<OwnExperiment> own = runs.ownOf(place);
            if (!own) return {};
            const Expected<run::FileRequest> request = run::requestOf(own->file, own->entry, own->launch);
            if (!request) return {};
            experiment = run::open(*request);
        } else {
            const auto found = catalog.lookUp(place.kernel);
            experiment = run::open(kResources, *found->first, *found->second, on.run->catalog->values);
        }
        if (!experiment) return {};
        run::Options options;
        options.backend = "emulator";
        options.profile = place.profile;
        options.emulator.focusAll = true;
        auto run = run::run(std::move(*experiment), options);
        return run ? std::optional<run::Run>(std::move(*run)) : std::nullopt;
    }
    std::map<std::string, Kept> known_;
};

// Each place of each lesson, with the same experiment recorded as a whole.
template <class Visit> void visitPlaces(const Visit& visit) {
    const catalog::Catalog catalog = *catalog::Catalog::read(kResources.kernels());
    LessonRuns runs(kResources, catalog);
    AllBlocks whole;
    for (const Lesson& lesson : lessonsIn(kResources.assets() / "lessons"))
        for (const LessonStep& step : lesson.steps) {
            const Expected<AskedStep> asked = AskedStep::ask(step, runs, 0);
            ASSERT_TRUE(asked) << describe(asked.error());
            const auto at = [&](const Place& place, const PlaceOnShow& on) {
                SCOPED_TRACE(fmt::format("{} {} {}", lesson.name, step.id, place.kernel));
                const Record* const record = whole.of(place, on);
                ASSERT_NE(record, nullptr);
                visit(At{on, *record});
            };
            at(asked->place(), asked->on());
            for (const auto& [name, place] : step.others)
                at(*asked->otherPlace(name), *asked->other(name));
        }
}

TEST(LessonFigures, EveryFigureHasAClue) {
    for (const Quantity& quantity : quantities()) {
        const bool isFigure =
            std::holds_alternative<NumberOf>(quantity.of) || std::holds_alternative<LanesOf>(quantity.of);
        EXPECT_TRUE(!isFigure || quantity.clue.all[0] || quantity.ofLane) << quantity.name;
    }
}

// Figures that have a clue which may be told, as it does not tell the answer.
struct ClueCount {
    u64 all = 0, told = 0;
    std::map<std::string, u64> without;

    void add(const At& at, const Quantity& quantity, const std::vector<std::string>& clues) {
        const auto* const of = std::get_if<NumberOf>(&quantity.of);
        const std::optional<s64> value = of ? (*of)(at.place) : std::nullopt;
        const bool hasRounds = quantity.name != "round" || additionsOf(at.place);
        if (!value || value == 0 || !hasRounds) return;  // of nothing there is little to say
        ++all;
        if (std::ranges::any_of(clues, [&](const std::string& clue) { return !namesNumber(clue, *value); }))
            ++told;
        else
            ++without[std::string(quantity.name)];
    }
};

// Simulated or run again for this alone, which takes long; the model and the search have tests of their own.
bool isRunAgain(const Quantity& quantity) {
    return quantity.name.starts_with("cycles_") || quantity.name.starts_with("modeled_") ||
           quantity.name.ends_with("_percent") || quantity.name.ends_with("orders");
}

// And a figure that is answered wrong gets more than that it is too large.
TEST(LessonFigures, CluesSayWhatTheRecordHas) {
    ClueCount count;
    std::map<ClueOf, std::string> known;
    visitPlaces([&](const At& at) {
        known.clear();
        for (const Quantity& quantity : quantities()) {
            if (isRunAgain(quantity)) continue;
            std::vector<std::string> clues;
            for (const ClueOf clueOf : quantity.clue.all) {
                if (!clueOf) continue;
                const auto [found, isNew] = known.try_emplace(clueOf);
                if (isNew) found->second = clueOf(at.place).english();
                if (!found->second.empty()) clues.push_back(found->second);
            }
            for (const Clues& some : {quantity.notMore, quantity.notLess})
                for (const ClueOf clueOf : some.all)
                    if (clueOf && !known.contains(clueOf)) known[clueOf] = clueOf(at.place).english();
            count.add(at, quantity, clues);
        }
        for (const auto& [clueOf, clue] : known) {
            std::string why;
            EXPECT_TRUE(clue.empty() || holds(at, clue, why)) << why;
        }
    });
    EXPECT_GT(count.all, 10000u);
    EXPECT_GE(count.told, count.all * 98 / 100);
    for (const auto& [name, places] : count.without)
        EXPECT_LE(places, 20u) << name;
}

// ---- Quantities

bool isLoad(const Site& site) {
    return isGlobal(site) && (site.kind == AccessKind::Load || site.kind == AccessKind::AsyncCopy);
}
bool isStore(const Site& site) { return isGlobal(site) && site.kind == AccessKind::Store; }
bool isGlobalAtomic(const Site& site) { return isGlobal(site) && trace::isAtomic(site.kind); }

using Counted = std::optional<s64>;
struct Row {
    const char* name;
    std::function<Counted(const At&)> count;
};

// Lanes that touch the same words, sectors or banks as the cursor's lane.
template <class Of> Counted lanesWithMine(const At& at, const Of& of) {
    const std::set<u64> mine = of(at.place.cursor.lane.value);
    s64 lanes = 0;
    for (const Lane lane : at.access()->active) {
        const std::set<u64> others = of(lane.value);
        lanes += std::ranges::any_of(others, [&](u64 one) { return mine.contains(one); });
    }
    return lanes;
}
bool isSharedAccess(const At& at) { return at.access() && at.access()->space == Space::Shared; }
bool isGlobalAccess(const At& at) { return at.access() && at.access()->space == Space::Global; }
bool hasSectors(const At& at) { return at.place.run->profile.globalRule == model::GlobalRule::Sectors; }

std::map<u64, std::set<u64>> wordsByBank(const trace::WarpAccess& access) {
    std::map<u64, std::set<u64>> banks;
    for (const Lane lane : access.active)
        for (const u64 word : wordsOf(access, lane.value))
            banks[word % 32].insert(word);
    return banks;
}
u64 mostWordsOf(const std::map<u64, std::set<u64>>& banks) {
    u64 most = 0;
    for (const auto& [bank, words] : banks)
        most = std::max<u64>(most, words.size());
    return most;
}
std::map<u64, s64> lanesByAddress(const trace::WarpAccess& access) {
    std::map<u64, s64> lanes;
    for (const Lane lane : access.active)
        ++lanes[access.addresses[lane.value]];
    return lanes;
}
const Split* splitHere(const At& at, std::vector<Split>& all) {
    all = branchesOf(at.module(), at.place.warp());
    const Pc pc = at.place.here.step->pc;
    for (Split& split : all)
        if (split.step == at.place.cursor.step && explain::isConditionalBranch(at.module(), pc))
            return &split;
    return nullptr;
}

// Of the lanes that come to a branch those that execute what stands first in the source behind it, up to
// where both kinds are together again; of a loop's those that jump back.
LaneMask firstInSource(const At& at, const Split& split) {
    const std::vector<trace::Step>& steps = at.place.warp().steps;
    const LaneMask others = split.came & ~split.taken;
    u32 ofTaken = ~0u, ofOthers = ~0u;
    for (u32 s = split.step + 1; s < steps.size(); ++s) {
        const u32 line = explain::lineOf(at.module(), steps[s].pc).line;
        const bool isTaken = !(steps[s].active & split.taken).empty(),
                   isOther = !(steps[s].active & others).empty();
        if (isTaken && isOther) break;
        if (line <= split.line) continue;
        if (isTaken) ofTaken = std::min(ofTaken, line);
        if (isOther) ofOthers = std::min(ofOthers, line);
    }
    const std::optional<Pc> target = explain::targetOf(at.module(), steps[split.step].pc);
    if (target && *target <= steps[split.step].pc) return split.taken;
    return ofTaken < ofOthers ? split.taken : others;
}

const std::vector<Row>& rows() {
    const auto ofAccess = [](auto test, auto count) {
        return [test, count](const At& at) -> Counted {
            return test(at) ? Counted(s64(count(at))) : std::nullopt;
        };
    };
    const auto sumOf = [](u64 Site::*figure, bool (*test)(const Site&)) {
        return [figure, test](const At& at) -> Counted {
            return hasSectors(at) ? Counted(s64(at.record.sum(figure, test))) : std::nullopt;
        };
    };
    const auto isSimpleShared = [](const At& at) {
        return isSharedAccess(at) && hasSectors(at) && at.access()->widthBytes <= 4 &&
               !trace::isAtomic(at.access()->kind);
    };
    const auto isPlainGlobal = [](const At& at) {
        return isGlobalAccess(at) && hasSectors(at) && !trace::isAtomic(at.access()->kind);
    };
    const auto isAtomicAccess = [](const At& at) {
        return at.access() && trace::isAtomic(at.access()->kind);
    };
    const auto always = [](const At&) { return true; };
    static const std::vector<Row> all{
        {"words", ofAccess(isSimpleShared,
                           [](const At& at) {
                               std::set<u64> words;
                               for (const auto& [bank, some] : wordsByBank(*at.access()))
                                   words.insert(some.begin(), some.end());
                               return words.size();
                           })},
        {"banks_used",
         ofAccess(isSimpleShared, [](const At& at) { return wordsByBank(*at.access()).size(); })},
        {"worst_bank_words",
         ofAccess(isSimpleShared, [](const At& at) { return mostWordsOf(wordsByBank(*at.access())); })},
        {"wavefronts",
         ofAccess(isSimpleShared, [](const At& at) { return mostWordsOf(wordsByBank(*at.access())); })},
        {"my_word",
         ofAccess(isSimpleShared, [](const At& at) { return at.address(at.place.cursor.lane.value) / 4; })},
        {"my_bank", ofAccess(isSimpleShared,
                             [](const At& at) { return at.address(at.place.cursor.lane.value) / 4 % 32; })},
        {"my_word_lanes",
         [=](const At& at) -> Counted {
             if (!isSimpleShared(at)) return {};
             return lanesWithMine(at, [&](u64 lane) { return wordsOf(*at.access(), lane); });
         }},
        {"my_bank_lanes",
         [=](const At& at) -> Counted {
             if (!isSimpleShared(at)) return {};
             return lanesWithMine(at, [&](u64 lane) { return std::set<u64>{at.address(lane) / 4 % 32}; });
         }},
        {"my_sector_lanes",
         [=](const At& at) -> Counted {
             if (!isPlainGlobal(at)) return {};
             return lanesWithMine(at, [&](u64 lane) {
                 return std::set<u64>{at.address(lane) / 32,
                                      (at.address(lane) + at.access()->widthBytes - 1) / 32};
             });
         }},
        {"sectors", ofAccess(isPlainGlobal, [](const At& at) { return sectorsOf(*at.access()); })},
        {"bytes_transferred",
         ofAccess(isPlainGlobal, [](const At& at) { return 32 * sectorsOf(*at.access()); })},
        {"bytes_requested",
         ofAccess(isPlainGlobal,
                  [](const At& at) { return u64{at.access()->widthBytes} * at.access()->active.count(); })},
        {"lane_bytes", ofAccess(isPlainGlobal, [](const At& at) { return at.access()->widthBytes; })},
        {"lanes", ofAccess(isGlobalAccess, [](const At& at) { return at.access()->active.count(); })},
        {"updated_words",
         ofAccess(isAtomicAccess, [](const At& at) { return lanesByAddress(*at.access()).size(); })},
        {"queue_lanes", ofAccess(isAtomicAccess,
                                 [](const At& at) {
                                     const auto lanes = lanesByAddress(*at.access());
                                     return std::ranges::max_element(
                                                lanes, {}, [](const auto& word) { return word.second; })
                                         ->second;
                                 })},
        {"path_lanes",
         [](const At& at) -> Counted {
             std::vector<Split> splits;
             const Split* split = splitHere(at, splits);
             return split ? Counted(split->came.count()) : std::nullopt;
         }},
        {"taken_lanes",
         [](const At& at) -> Counted {
             std::vector<Split> splits;
             const Split* split = splitHere(at, splits);
             return split ? Counted(firstInSource(at, *split).count()) : std::nullopt;
         }},
        {"total_sectors",
         [](const At& at) -> Counted {
             return hasSectors(at) ? Counted(s64(at.record.globalSectors())) : std::nullopt;
         }},
        {"total_requests", sumOf(&Site::requests, isGlobal)},
        {"load_requests", sumOf(&Site::requests, isLoad)},
        {"load_sectors", sumOf(&Site::sectors, isLoad)},
        {"store_requests", sumOf(&Site::requests, isStore)},
        {"store_sectors", sumOf(&Site::sectors, isStore)},
        {"atomic_requests", sumOf(&Site::requests, isGlobalAtomic)},
        {"atomic_sectors", sumOf(&Site::sectors, isGlobalAtomic)},
        {"global_updates", sumOf(&Site::lanes, isGlobalAtomic)},
        {"shared_updates",
         sumOf(&Site::lanes, [](const Site& site) { return isShared(site) && trace::isAtomic(site.kind); })},
        {"total_wavefronts",
         [](const At& at) -> Counted {
             if (!hasSectors(at) || !at.record.countsWavefronts()) return {};
             return at.record.sum(&Site::wavefronts, isShared);
         }},
        {"line_sectors",
         [](const At& at) -> Counted {
             const u32 line = explain::lineOf(at.module(), at.place.here.step->pc).line;
             if (!hasSectors(at)) return {};
             return at.record.sum(&Site::sectors,
                                  [&](const Site& site) { return isGlobal(site) && site.line == line; });
         }},
        {"divergent",
         [](const At& at) -> Counted {
             s64 all = 0;
             for (const trace::FocusBlock& block : at.record.run().recording.trace.blocks)
                 for (const trace::WarpTrace& warp : block.warps)
                     all += s64(divergencesOf(at.module(), warp));
             return all;
         }},
        {"warp_instructions", ofAccess(always, [](const At& at) { return at.place.warp().steps.size(); })},
        {"threads", ofAccess(always, [](const At& at) { return at.place.here.block->threads; })},
        {"warps", ofAccess(always, [](const At& at) { return (at.place.here.block->threads + 31) / 32; })},
        {"blocks", ofAccess(always, [](const At& at) { return at.record.blocks(); })},
        {"all_lanes", ofAccess(always,
                               [](const At& at) {
                                   return std::min(
                                       32u, at.place.here.block->threads - 32 * at.place.cursor.warp.value);
                               })},
        {"active_lanes", ofAccess(always, [](const At& at) { return at.place.active().count(); })},
    };
    return all;
}

TEST(LessonFigures, QuantitiesAreWhatTheRecordHas) {
    std::map<std::string, u64> compared;
    visitPlaces([&](const At& at) {
        for (const Row& row : rows()) {
            const Quantity* const quantity = findQuantity(row.name);
            ASSERT_NE(quantity, nullptr) << row.name;
            const Counted counted = row.count(at);
            const std::optional<s64> told = numberOf(*quantity, at.place);
            if (!counted || !told) continue;
            EXPECT_EQ(*told, *counted) << row.name;
            ++compared[row.name];
        }
    });
    for (const Row& row : rows())
        EXPECT_GT(compared[row.name], 0u) << row.name << " was found nowhere";
}

}  // namespace
}  // namespace lockstep::lessons
