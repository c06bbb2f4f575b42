// Sentences about one access to shared or global memory.
#include "model/access_kind.h"
#include "model/global_sectors.h"
#include "model/sentence.h"
#include "model/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace lockstep::model {
namespace {

using trace::AccessKind;
using trace::WarpAccess;

// "Warp 1", "Warp 1 (24 of its 32 lanes)".
Text subject(const AccessWords& words, LaneMask active) {
    const u32 lanes = u32(active.count());
    if (lanes >= words.lanesOfWarp) return words.who;
    return {fmt::format("{} ({} of its {} lanes)", words.who.en, lanes, words.lanesOfWarp),
            fmt::format("{}（{} 个通道中的 {} 个）", words.who.zh, words.lanesOfWarp, lanes)};
}

Text ofArray(const AccessWords& words) {
    return words.array.empty() ? Text{} : Text{" of " + words.array, words.array + " 的 "};
}

// Which ones, of places that lie side by side.
Text firstToLast(const AccessWords& words) {
    const std::string first = firstElement(words.first), last = lastElement(words.last);
    return {fmt::format(", {} to {}", first, last), fmt::format("（{} 到 {}）", first, last)};
}

std::string wavefrontsEn(u32 count) { return counted(count, "wavefront"); }
std::string wavefrontsZh(u32 count) { return fmt::format("{} 个波前", count); }

// How the active lanes' words lie on the banks.
struct BankUse {
    std::set<u64> words;
    std::set<u32> banks;
    u32 mostWords = 0;  // in one bank

    BankUse(const WarpAccess& access, const Profile& profile) {
        std::array<u32, kBanks> perBank{};
        for (Lane lane : access.active) {
            const u64 word = access.addresses[lane.value] / kBankBytes;
            const u32 bank = u32(word / wordsOfABank(profile) % profile.banks);
            if (!words.insert(word).second) continue;
            banks.insert(bank);
            mostWords = std::max(mostWords, ++perBank[bank]);
        }
    }
};

Text costOfPasses(u32 wavefronts, u32 ideal) {
    if (wavefronts == ideal)
        return {"no conflict, " + wavefrontsEn(wavefronts), "没有冲突，" + wavefrontsZh(wavefronts)};
    return {fmt::format("{} instead of {}", wavefrontsEn(wavefronts), ideal),
            fmt::format("需要 {}，而不是 {} 个", wavefrontsZh(wavefronts), ideal)};
}

Text wideSentence(const WarpAccess& access, const Profile& profile, const AccessWords& words) {
    const Text who = subject(words, access.active), does = verb(access.kind), array = ofArray(words);
    const u32 groups = u32(sharedGroups(access, profile).size());
    const Text cost = costOfPasses(sharedWavefronts(access, profile), idealWavefronts(access, profile));
    const int lanes = access.active.count();
    const Text served = groups == 1
                            ? Text{"served as one group", "作为一组一次处理"}
                            : Text{fmt::format("served in {} groups of lanes, one after another", groups),
                                   fmt::format("分成 {} 组通道依次处理", groups)};
    return {fmt::format("{} {} {} × {} bytes{}, {}: {}.", who.en, does.en, lanes, access.widthBytes, array.en,
                        served.en, cost.en),
            fmt::format("{}{} {}{} × {} 字节，{}：{}。", who.zh, does.zh, array.zh, lanes, access.widthBytes,
                        served.zh, cost.zh)};
}

Text atomicSentence(const WarpAccess& access, const Profile& profile, const AccessWords& words,
                    SharedAtomicForm form) {
    const Text who = subject(words, access.active), array = ofArray(words);
    const SharedAtomicCost cost = sharedAtomicCost(access, form, profile);
    const u32 wordCount = u32(BankUse(access, profile).words.size());
    const Text how =
        form == SharedAtomicForm::Loop
            ? Text{fmt::format("a loop of loads ({}) and compare-and-swap",
                               wavefrontsEn(cost.loadWavefronts)),
                   fmt::format("由读取（{}）与比较交换构成的循环", wavefrontsZh(cost.loadWavefronts))}
        : form == SharedAtomicForm::CountsLanes
            ? Text{"counting the lanes that access each word and adding them in one step, as all add 1",
                   "都加 1，所以先数出更新同一个字的通道，再一次加上"}
        : form == SharedAtomicForm::CompareAndSwap
            ? Text{"one lane per bank at a time, two wavefronts each",
                   "每个存储体一次只处理一个通道，每个通道两个波前"}
            : Text{"one lane per bank in each wavefront", "每个波前里每个存储体只处理一个通道"};
    const Text passes = costOfPasses(cost.atomicWavefronts, cost.idealAtomicWavefronts);
    return {fmt::format("{} updates {}{} atomically, {}: {}.", who.en, counted(wordCount, "word"), array.en,
                        how.en, passes.en),
            fmt::format("{}原子更新 {}{} 个字，{}：{}。", who.zh, array.zh, wordCount, how.zh, passes.zh)};
}

// cc 1.x, where each half-warp is a request of its own: their sum alone would hide how many lanes wait for
// each other.
Text byHalfWarps(const WarpAccess& access, const Profile& profile, const AccessWords& words,
                 const Text& halves) {
    const Text who = subject(words, access.active), does = verb(access.kind), array = ofArray(words);
    const u32 count = u32(BankUse(access, profile).words.size()) *
                      (access.widthBytes > kBankBytes ? access.widthBytes / kBankBytes : 1);
    return {fmt::format("{} {} {}{}: {}.", who.en, does.en, counted(count, "word"), array.en, halves.en),
            fmt::format("{}{} {}{} 个字：{}。", who.zh, does.zh, array.zh, count, halves.zh)};
}

Text plainSharedSentence(const WarpAccess& access, const Profile& profile, const AccessWords& words,
                         SharedAtomicForm form) {
    if (access.active.empty())
        return {words.who.en + " has no active lane here: no wavefront.",
                words.who.zh + "在这里没有活动的通道：没有波前。"};
    if (isAtomic(access.kind)) return atomicSentence(access, profile, words, form);
    if (const Text halves = halfWarpsText(access, profile); !halves.en.empty())
        return byHalfWarps(access, profile, words, halves);
    if (access.widthBytes > kBankBytes) return wideSentence(access, profile, words);

    const Text who = subject(words, access.active), does = verb(access.kind), array = ofArray(words);
    const BankUse use(access, profile);
    const u32 lanes = u32(access.active.count()), wordCount = u32(use.words.size());
    const u32 wavefronts = sharedWavefronts(access, profile), ideal = idealWavefronts(access, profile);
    const Text cost = costOfPasses(wavefronts, ideal);

    if (wordCount == 1 && lanes > 1) {
        const std::string place = words.first.empty() ? "" : words.first;
        const bool load = access.kind == AccessKind::Load;
        const Text shared =
            load ? Text{"one read serves them all (broadcast)", "一次读取供所有通道共用（广播）"}
                 : Text{"one of the values stays", "只有其中一个值会留下"};
        return {fmt::format("{} {} one word{} {} all {} lanes: {}, {}.", who.en, does.en,
                            place.empty() ? "" : ", " + place + ",", load ? "for" : "from", lanes, shared.en,
                            wavefrontsEn(wavefronts)),
                fmt::format("{}的 {} 个通道都{}同一个字{}：{}，{}。", who.zh, lanes, does.zh,
                            place.empty() ? "" : " " + place, shared.zh, wavefrontsZh(wavefronts))};
    }
    const bool areSideBySide = *use.words.rbegin() - *use.words.begin() + 1 == wordCount && wordCount > 1;
    const bool areNamed =
        areSideBySide && !words.array.empty() && words.first.ends_with(']') && words.last.ends_with(']');
    const Text which = areNamed ? firstToLast(words) : Text{};
    const std::string wordsEn = counted(wordCount, "word") + array.en + which.en,
                      wordsZh = fmt::format("{}{} 个字{}", array.zh, wordCount, which.zh);
    if (use.banks.size() == 1 && wavefronts > ideal)
        return {fmt::format("{} {} {}, all in bank {}: served one after another, {}.", who.en, does.en,
                            wordsEn, *use.banks.begin(), cost.en),
                fmt::format("{}{} {}，全部落在存储体 {}：只能一个接一个地处理，{}。", who.zh, does.zh,
                            wordsZh, *use.banks.begin(), cost.zh)};
    if (wavefronts > ideal)
        return {fmt::format("{} {} {}, up to {} in one bank: {}.", who.en, does.en, wordsEn, use.mostWords,
                            cost.en),
                fmt::format("{}{} {}，同一个存储体中最多有 {} 个：{}。", who.zh, does.zh, wordsZh,
                            use.mostWords, cost.zh)};
    if (wordCount == 1)
        return {fmt::format("{} {} {}: {}.", who.en, does.en, wordsEn, wavefrontsEn(wavefronts)),
                fmt::format("{}{} {}：{}。", who.zh, does.zh, wordsZh, wavefrontsZh(wavefronts))};
    const bool eachItsOwn = use.banks.size() == wordCount;
    return {fmt::format("{} {} {}{}: {}.", who.en, does.en, wordsEn,
                        eachItsOwn ? ", each in a bank of its own" : "", cost.en),
            fmt::format("{}{} {}{}：{}。", who.zh, does.zh, wordsZh, eachItsOwn ? "，各在不同的存储体" : "",
                        cost.zh)};
}

// The bytes that the lanes access, each once, how far they reach and how they lie.
struct Extent {
    u64 bytes = 0, first = ~u64{0}, end = 0;
    u64 stride = 0;  // from each place to the next, where it is the same for all
    u32 pieces = 0;  // of consecutive bytes, where all are as long and have more than one place; else 0
    explicit Extent(const WarpAccess& access) {
        std::set<u64> places;
        for (Lane lane : access.active) {
            const u64 address = access.addresses[lane.value];
            if (places.insert(address).second) bytes += access.widthBytes;
            first = std::min(first, address), end = std::max(end, address + access.widthBytes);
        }
        layOut({places.begin(), places.end()}, access.widthBytes);
    }
    bool contiguous() const { return bytes == end - first; }

private:
    void layOut(const std::vector<u64>& places, u64 width) {
        std::set<u64> strides, lengths;
        u64 begin = first;
        for (std::size_t i = 0; i < places.size(); ++i) {
            const u64 after = i + 1 < places.size() ? places[i + 1] : 0;
            if (after) strides.insert(after - places[i]);
            if (after == places[i] + width) continue;
            lengths.insert(places[i] + width - begin);
            begin = after, ++pieces;
        }
        if (strides.size() == 1) stride = *strides.begin();
        if (lengths.size() != 1 || *lengths.begin() == width) pieces = 0;
    }
};

// Where the places lie that are not side by side, between the first and the last.
Text placesApart(const Extent& extent, const AccessWords& words) {
    const std::string first = firstElement(words.first), last = lastElement(words.last);
    if (extent.stride)
        return {fmt::format(", with a stride of {}, {} to {}", counted(extent.stride, "byte"), first, last),
                fmt::format("（步长 {} 字节，{} 到 {}）", grouped(extent.stride), first, last)};
    if (extent.pieces)
        return {fmt::format(", in {} between {} and {}", counted(extent.pieces, "piece"), first, last),
                fmt::format("（{} 到 {} 之间的 {} 段）", first, last, extent.pieces)};
    return {fmt::format(", scattered between {} and {}", first, last),
            fmt::format("（离散分布在 {} 到 {} 之间）", first, last)};
}

Text requestsText(u32 requests) { return {counted(requests, "request"), fmt::format("{} 个请求", requests)}; }

// What became of the bytes that a request transfers.
Text allBytes(bool isStore) {
    return isStore ? Text{"all bytes written", "字节全部写入"} : Text{"all bytes used", "字节全部用上"};
}
Text someBytes(bool isStore, u64 moved, u64 wanted) {
    if (isStore)
        return {fmt::format("{} bytes in these sectors, {} written", grouped(moved), grouped(wanted)),
                fmt::format("扇区共 {} 字节，写入 {} 字节", grouped(moved), grouped(wanted))};
    return {fmt::format("{} bytes transferred, {} used", grouped(moved), grouped(wanted)),
            fmt::format("传输 {} 字节，用到 {} 字节", grouped(moved), grouped(wanted))};
}

// "4 sectors, all bytes used"; "32 sectors instead of 4, ..."
Text sectorsText(const GlobalCost& cost, const Extent& extent, bool isStore) {
    const u64 moved = u64{cost.sectors} * kSectorBytes;
    const u64 least = (extent.bytes + kSectorBytes - 1) / kSectorBytes;
    if (moved == extent.bytes)
        return {fmt::format("{}, {}", counted(cost.sectors, "sector"), allBytes(isStore).en),
                fmt::format("{} 个扇区，{}", cost.sectors, allBytes(isStore).zh)};
    if (cost.sectors <= least)
        return {counted(cost.sectors, "sector"), fmt::format("{} 个扇区", cost.sectors)};
    if (extent.contiguous() && cost.sectors == least + 1 && cost.requests == 1 &&
        extent.first % kSectorBytes != 0)
        return {fmt::format("{} instead of {}, because the first byte is not {}-byte aligned",
                            counted(cost.sectors, "sector"), least, kSectorBytes),
                fmt::format("{} 个扇区而不是 {} 个，因为起始地址不是 {} 的倍数", cost.sectors, least,
                            kSectorBytes)};
    const Text bytes = someBytes(isStore, moved, extent.bytes);
    return {fmt::format("{} instead of {}, {}", counted(cost.sectors, "sector"), least, bytes.en),
            fmt::format("{} 个扇区而不是 {} 个，{}", cost.sectors, least, bytes.zh)};
}

Text transactionsText(const GlobalCost& cost, const Extent& extent, const Profile& profile, bool isStore) {
    u64 moved = 0;
    for (const MemoryItem& item : cost.items)
        moved += item.bytes;
    const bool lines = profile.globalRule == GlobalRule::Sectors;
    const Text name =
        lines ? Text{counted(cost.transactions, "line of 128 bytes", "lines of 128 bytes"),
                     fmt::format("{} 条 128 字节的缓存行", cost.transactions)}
              : Text{counted(cost.transactions, "transaction"), fmt::format("{} 个事务", cost.transactions)};
    const Text bytes = moved == extent.bytes ? allBytes(isStore) : someBytes(isStore, moved, extent.bytes);
    return {name.en + ", " + bytes.en, name.zh + "，" + bytes.zh};
}

// Why an atomic accesses a sector more than once: lanes on one word take turns, and a sector is accessed as
// often as the word of it that most lanes share. Empty: each sector is accessed once, or the device counts
// otherwise.
Text sharedWordsText(const WarpAccess& access, u64 accesses) {
    std::map<u64, std::map<u64, u64>> lanesOn;  // of each word of each sector
    for (Lane lane : access.active) {
        const u64 address = access.addresses[lane.value];
        ++lanesOn[address / kSectorBytes][address];
    }
    u64 turns = 0;
    for (const auto& [sector, words] : lanesOn) {
        u64 most = 0;
        for (const auto& [word, lanes] : words)
            most = std::max(most, lanes);
        turns += most;
    }
    if (turns != accesses || turns == lanesOn.size()) return {};
    return {
        fmt::format(" to {}: lanes that access the same word take turns", counted(lanesOn.size(), "sector")),
        fmt::format("（共 {} 个扇区）：落在同一个字上的通道要轮流", grouped(lanesOn.size()))};
}

Text plainGlobalSentence(const WarpAccess& access, const Profile& profile, const AccessWords& words) {
    if (access.active.empty())
        return {words.who.en + " has no active lane here: no request.",
                words.who.zh + "在这里没有活动的通道：没有请求。"};
    const Text who = subject(words, access.active), does = verb(access.kind), array = ofArray(words);
    const Extent extent(access);
    const GlobalCost cost = globalCost(access, profile);
    const Text requests = requestsText(cost.requests);
    const u32 lanes = u32(access.active.count());

    if (isAtomic(access.kind)) {
        const u64 places = extent.bytes / std::max<u64>(access.widthBytes, 1);
        const Text why = cost.countsSectors ? sharedWordsText(access, cost.sectors) : Text{};
        const Text sectors = {counted(cost.sectors, "sector access", "sector accesses"),
                              fmt::format("{} 次扇区访问", cost.sectors)};
        return {
            fmt::format("{} updates {}{} atomically: {}, {}{}.", who.en, counted(places, "element"), array.en,
                        requests.en,
                        cost.countsSectors ? sectors.en : counted(cost.transactions, "transaction"), why.en),
            fmt::format("{}原子更新 {}{} 个元素：{}，{}{}。", who.zh, array.zh, grouped(places), requests.zh,
                        cost.countsSectors ? sectors.zh : fmt::format("{} 个事务", cost.transactions),
                        why.zh)};
    }
    const bool isStore = access.kind == AccessKind::Store;
    const Text moved = cost.countsSectors ? sectorsText(cost, extent, isStore)
                                          : transactionsText(cost, extent, profile, isStore);
    if (extent.bytes == access.widthBytes) {
        const Text named = placesText(words.first);
        const std::string place = words.first.empty() ? counted(extent.bytes, "byte") + array.en : named.en;
        const std::string placeZh =
            words.first.empty() ? fmt::format("{}{} 字节", array.zh, extent.bytes) : named.zh;
        const std::string forAll =
            lanes > 1
                ? fmt::format(" {} all {} lanes", access.kind == AccessKind::Store ? "from" : "for", lanes)
                : "";
        const std::string forAllZh = lanes > 1 ? fmt::format("（{} 个通道同一地址）", lanes) : "";
        return {
            fmt::format("{} {} {}{}: {}, {}.", who.en, does.en, place, forAll, requests.en, moved.en),
            fmt::format("{}{} {}{}：{}，{}。", who.zh, does.zh, placeZh, forAllZh, requests.zh, moved.zh)};
    }
    const bool named = !words.first.empty() && !words.last.empty();
    const Text where = !named                ? Text{}
                       : extent.contiguous() ? firstToLast(words)
                                             : placesApart(extent, words);
    return {fmt::format("{} {} {}{}{}: {}, {}.", who.en, does.en, counted(extent.bytes, "byte"), array.en,
                        where.en, requests.en, moved.en),
            fmt::format("{}{} {}{} 字节{}：{}，{}。", who.zh, does.zh, array.zh, grouped(extent.bytes),
                        where.zh, requests.zh, moved.zh)};
}

Text typeset(Text text) {
    text.zh = spaced(text.zh);
    return text;
}

}  // namespace

Text sharedSentence(const WarpAccess& access, const Profile& profile, const AccessWords& words,
                    SharedAtomicForm form) {
    return typeset(plainSharedSentence(access, profile, words, form));
}

Text globalSentence(const WarpAccess& access, const Profile& profile, const AccessWords& words) {
    return typeset(plainGlobalSentence(access, profile, words));
}

}  // namespace lockstep::model
