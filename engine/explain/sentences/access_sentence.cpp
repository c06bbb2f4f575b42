// Sentences about one access to shared or global memory.
#include "base/text/counted.h"
#include "explain/sentences/sentence.h"
#include "explain/sentences/words.h"
#include "model/access/global_sectors.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace lockstep::explain {
namespace {

using trace::AccessKind;
using trace::WarpAccess;

// "Warp 1", "Warp 1 (24 of its 32 lanes)".
Message subject(const AccessWords& words, LaneMask active) {
    const u32 lanes = u32(active.count());
    if (lanes >= words.lanesOfWarp) return words.who;
    return Message(english("{0} ({1} of its {2} {2:lane|lanes})"), words.who, lanes, words.lanesOfWarp);
}

// "32 words of Mds"; "into Mds" of what is copied there.
Message wordsOf(const AccessWords& words, u32 count, AccessKind kind) {
    if (words.array.empty()) return Message(english("{0} {0:word|words}"), count);
    if (kind == AccessKind::AsyncCopy)
        return Message(english("{0} {0:word|words} into {1}[]"), count, words.array);
    return Message(english("{0} {0:word|words} of {1}[]"), count, words.array);
}
Message bytesOf(const AccessWords& words, u64 count) {
    if (words.array.empty()) return Message(english("{0} {0:byte|bytes}"), grouped(count));
    return Message(english("{0} {0:byte|bytes} of {1}[]"), grouped(count), words.array);
}
Message elementsOf(const AccessWords& words, u64 count) {
    if (words.array.empty()) return Message(english("{0} {0:element|elements}"), grouped(count));
    return Message(english("{0} {0:element|elements} of {1}[]"), grouped(count), words.array);
}

// Which ones, of places that lie side by side.
Message firstToLast(const Message& what, const AccessWords& words, bool areTwo) {
    return Message(areTwo ? english("{0}, {1} and {2}") : english("{0}, {1} to {2}"), what,
                   firstElement(words.first), lastElement(words.last));
}

// Whether the first and the last of `places` are all elements: each place is one.
bool areAllElements(const AccessWords& words, std::size_t places) {
    return places == 2 && firstElement(words.first) == words.first && lastElement(words.last) == words.last;
}

Message wavefrontsText(u32 count) { return Message(english("{0} {0:wavefront|wavefronts}"), grouped(count)); }

// How the active lanes' words lie on the banks.
struct BankUse {
    std::set<u64> words;
    std::set<u32> banks;
    u32 mostWords = 0;  // in one bank

    BankUse(const WarpAccess& access, const model::Profile& profile) {
        std::array<u32, model::kBanks> perBank{};
        for (Lane lane : access.active) {
            const u64 word = access.addresses[lane.value] / model::kBankBytes;
            const u32 bank = u32(word / wordsOfABank(profile) % profile.banks);
            if (!words.insert(word).second) continue;
            banks.insert(bank);
            mostWords = std::max(mostWords, ++perBank[bank]);
        }
    }
};

Message costOfPasses(u32 wavefronts, u32 ideal) {
    if (wavefronts == ideal)
        return Message(english("no conflict, {0} {0:wavefront|wavefronts}"), grouped(wavefronts));
    return Message(english("the cost", "{0} {0:wavefront|wavefronts} instead of {1}"), grouped(wavefronts),
                   ideal);
}

Message wideSentence(const WarpAccess& access, const model::Profile& profile, const AccessWords& words) {
    const u32 groups = u32(sharedGroups(access, profile).size());
    const Words wide = words.array.empty() ? english("{0} × {1} {1:byte|bytes}")
                       : access.kind == AccessKind::AsyncCopy ? english("{0} × {1} {1:byte|bytes} into {2}[]")
                                                              : english("{0} × {1} {1:byte|bytes} of {2}[]");
    return Message(groups == 1
                       ? english("{0} {1} {2}, served as one group: {3}.")
                       : english("{0} {1} {2}, served in {4} groups of lanes, one after another: {3}."),
                   subject(words, access.active), verb(access.kind),
                   Message(wide, access.active.count(), access.widthBytes, words.array),
                   costOfPasses(sharedWavefronts(access, profile), idealWavefronts(access, profile)), groups);
}

Message atomicSentence(const WarpAccess& access, const model::Profile& profile, const AccessWords& words,
                       model::SharedAtomicForm form) {
    if (!hasSharedAtomics(profile))
        return Message(
            english("{0} updates {1} atomically, which compute capability {2} cannot: shared memory "
                    "has atomics from 1.2 on."),
            subject(words, access.active),
            wordsOf(words, u32(BankUse(access, profile).words.size()), access.kind), capabilityOf(profile));
    const model::SharedAtomicCost cost = sharedAtomicCost(access, form, profile);
    const Words sentence =
        form == model::SharedAtomicForm::Loop
            ? english("{0} updates {1} atomically, a loop of loads ({3}) and compare-and-swap: {2}.")
        : form == model::SharedAtomicForm::CountsLanes
            ? english(
                  "{0} updates {1} atomically. All lanes add 1, so the lanes at each word are counted and "
                  "the count is added in one step: {2}.")
        : form == model::SharedAtomicForm::CompareAndSwap
            ? english("{0} updates {1} atomically, one lane per bank at a time, two wavefronts each: {2}.")
            : english("{0} updates {1} atomically, one lane per bank in each wavefront: {2}.");
    return Message(sentence, subject(words, access.active),
                   wordsOf(words, u32(BankUse(access, profile).words.size()), access.kind),
                   costOfPasses(cost.atomicWavefronts, cost.idealAtomicWavefronts),
                   wavefrontsText(cost.loadWavefronts));
}

// One read for all lanes that want the word; of what they write one stays.
Message oneWordSentence(const WarpAccess& access, const AccessWords& words, u32 cost) {
    const Words sentence =
        access.kind == AccessKind::Load ? words.first.empty()
                                              ? english(
                                                    "{0} {1} one word for all {2} {2:lane|lanes}: one read "
                                                    "serves them all (broadcast), {3}.")
                                              : english(
                                                    "{0} {1} one word, {4}, for all {2} {2:lane|lanes}: one "
                                                    "read serves them all (broadcast), {3}.")
        : words.first.empty()
            ? english("{0} {1} one word from all {2} {2:lane|lanes}: one of the values stays, {3}.")
            : english("{0} {1} one word, {4}, from all {2} {2:lane|lanes}: one of the values stays, {3}.");
    return Message(sentence, subject(words, access.active), verb(access.kind), access.active.count(),
                   wavefrontsText(cost), words.first);
}

// The bytes that the lanes access, each once, how far they reach and how they lie.
struct Extent {
    u64 bytes = 0, first = ~u64{0}, end = 0;
    u64 stride = 0;          // from each place to the next, where it is the same for all
    std::size_t places = 0;  // different ones
    u32 pieces = 0;  // of consecutive bytes, where all are as long and have more than one place; else 0
    explicit Extent(const WarpAccess& access) {
        std::set<u64> places;
        for (Lane lane : access.active) {
            const u64 address = access.addresses[lane.value];
            if (places.insert(address).second) bytes += access.widthBytes;
            first = std::min(first, address), end = std::max(end, address + access.widthBytes);
        }
        this->places = places.size();
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
Message placesApart(const Message& what, const Extent& extent, const AccessWords& words) {
    const std::string first = firstElement(words.first), last = lastElement(words.last);
    if (extent.stride)
        return Message(areAllElements(words, extent.places)
                           ? english("{0}, with a stride of {1} {1:byte|bytes}, {2} and {3}")
                           : english("{0}, with a stride of {1} {1:byte|bytes}, {2} to {3}"),
                       what, grouped(extent.stride), first, last);
    if (extent.pieces)
        return Message(english("{0}, in {1} {1:piece|pieces} between {2} and {3}"), what, extent.pieces,
                       first, last);
    return Message(english("{0}, scattered between {1} and {2}"), what, first, last);
}

// What became of the bytes that a request transfers: "4 sectors, all bytes used".
Message withAllBytes(const Message& what, bool isStore) {
    return Message(isStore ? english("{0}, all bytes written") : english("{0}, all bytes used"), what);
}
Message withBytes(const Message& what, bool isStore, u64 moved, u64 wanted) {
    return Message(isStore ? english("{0}, {1} {1:byte|bytes} in all, {2} written")
                           : english("{0}, {1} {1:byte|bytes} transferred, {2} used"),
                   what, grouped(moved), grouped(wanted));
}

// "4 sectors, all bytes used"; "32 sectors instead of 4, ..."
Message sectorsText(const model::GlobalCost& cost, const Extent& extent, bool isStore) {
    const u64 moved = u64{cost.sectors} * model::kSectorBytes;
    const u64 least = model::leastSectors(extent.bytes);
    Message sectors(english("{0} {0:sector|sectors}"), grouped(cost.sectors));
    if (moved == extent.bytes) return withAllBytes(sectors, isStore);
    if (cost.sectors <= least) return sectors;
    if (extent.contiguous() && least == 1 && cost.sectors == 2 && cost.requests == 1)
        return Message(english("{0} {0:sector|sectors} instead of {1}, because they cross a sector boundary"),
                       grouped(cost.sectors), least);
    if (extent.contiguous() && cost.sectors == least + 1 && cost.requests == 1 &&
        extent.first % model::kSectorBytes != 0)
        return Message(
            english("{0} {0:sector|sectors} instead of {1}, because the first byte is not {2}-byte "
                    "aligned"),
            grouped(cost.sectors), least, model::kSectorBytes);
    return withBytes(Message(english("{0} {0:sector|sectors} instead of {1}"), grouped(cost.sectors), least),
                     isStore, moved, extent.bytes);
}

Message transactionsText(const model::GlobalCost& cost) {
    return Message(english("of a request", "{0} {0:transaction|transactions}"), grouped(cost.transactions));
}
Message transactionsText(const model::GlobalCost& cost, const Extent& extent, const model::Profile& profile,
                         bool isStore) {
    u64 moved = 0;
    for (const model::MemoryItem& item : cost.items)
        moved += item.bytes;
    const Message name = profile.globalRule == model::GlobalRule::Sectors
                             ? Message(english("{0} {0:line|lines} of 128 bytes"), grouped(cost.transactions))
                             : transactionsText(cost);
    return moved == extent.bytes ? withAllBytes(name, isStore)
                                 : withBytes(name, isStore, moved, extent.bytes);
}

// Of an atomic, and why it accesses a sector more than once: lanes that access a word take turns; a sector is
// accessed as often as the word of it that most lanes share. No reason: each sector is accessed once, or the
// device counts otherwise.
Message sectorAccesses(const WarpAccess& access, u64 accesses) {
    std::map<u64, std::map<u64, u64>> lanesOn;  // of each word of each sector
    for (Lane lane : access.active) {
        const u64 address = access.addresses[lane.value];
        ++lanesOn[address / model::kSectorBytes][address];
    }
    u64 turns = 0;
    for (const auto& [sector, words] : lanesOn) {
        u64 most = 0;
        for (const auto& [word, lanes] : words)
            most = std::max(most, lanes);
        turns += most;
    }
    if (accesses == lanesOn.size()) return Message(english("{0} {0:sector|sectors}"), grouped(accesses));
    if (turns != accesses)
        return Message(english("{0} {0:sector access|sector accesses}"), grouped(accesses));
    return Message(english("{0} {0:sector access|sector accesses} to {1} {1:sector|sectors}, since lanes "
                           "that access the same word take turns"),
                   grouped(accesses), grouped(lanesOn.size()));
}

// All lanes at the same address.
Message onePlaceSentence(const WarpAccess& access, const AccessWords& words, const Message& requests,
                         const Message& moved) {
    const Message who = subject(words, access.active),
                  place = words.first.empty() ? bytesOf(words, access.widthBytes) : placesText(words.first);
    const u32 lanes = u32(access.active.count());
    return Message(lanes <= 1 ? english("{0} {1} {2}: {3}, {4}.")
                   : access.kind == AccessKind::Store
                       ? english("{0} {1} {2} from all {5} {5:lane|lanes}: {3}, {4}.")
                       : english("{0} {1} {2} for all {5} {5:lane|lanes}: {3}, {4}."),
                   who, verb(access.kind), place, requests, moved, lanes);
}

}  // namespace

Message sharedSentence(const WarpAccess& access, const model::Profile& profile, const AccessWords& words,
                       model::SharedAtomicForm form) {
    if (access.active.empty())
        return Message(english("{0} has no active lane here: no wavefront."), words.who);
    if (trace::isAtomic(access.kind)) return atomicSentence(access, profile, words, form);
    const Message who = subject(words, access.active);
    const Words does = verb(access.kind);
    const BankUse use(access, profile);
    const u32 wordCount = u32(use.words.size());
    // cc 1.x, where each half-warp is a request of its own: their sum alone would hide how many lanes wait
    // for each other.
    if (const Message halves = halfWarpsText(access, profile); !halves.empty())
        return Message(
            english("{0} {1} {2}: {3}."), who, does,
            wordsOf(words, wordCount * std::max(1u, access.widthBytes / model::kBankBytes), access.kind),
            halves);
    if (access.widthBytes > model::kBankBytes) return wideSentence(access, profile, words);

    const u32 count = sharedWavefronts(access, profile), ideal = idealWavefronts(access, profile);
    if (wordCount == 1 && access.active.count() > 1) return oneWordSentence(access, words, count);
    const Message cost = costOfPasses(count, ideal);
    const bool areSideBySide = *use.words.rbegin() - *use.words.begin() + 1 == wordCount && wordCount > 1;
    const bool areNamed =
        areSideBySide && !words.array.empty() && words.first.ends_with(']') && words.last.ends_with(']');
    const Message count_ = wordsOf(words, wordCount, access.kind),
                  what = areNamed ? firstToLast(count_, words, areAllElements(words, wordCount)) : count_;
    if (use.banks.size() == 1 && count > ideal)
        return Message(english("{0} {1} {2}, all in bank {3}: served one after another, {4}."), who, does,
                       what, *use.banks.begin(), cost);
    if (count > ideal)
        return Message(english("{0} {1} {2}, up to {3} in one bank: {4}."), who, does, what, use.mostWords,
                       cost);
    if (wordCount == 1) return Message(english("{0} {1} {2}: {3}."), who, does, what, wavefrontsText(count));
    return Message(use.banks.size() == wordCount ? english("{0} {1} {2}, each in a bank of its own: {3}.")
                                                 : english("{0} {1} {2}: {3}."),
                   who, does, what, cost);
}

Message globalSentence(const WarpAccess& access, const model::Profile& profile, const AccessWords& words) {
    if (access.active.empty()) return Message(english("{0} has no active lane here: no request."), words.who);
    const Message who = subject(words, access.active);
    const Extent extent(access);
    const model::GlobalCost cost = globalCost(access, profile);
    const Message requests(english("{0} {0:request|requests}"), grouped(cost.requests));
    if (trace::isAtomic(access.kind) && !hasGlobalAtomics(profile))
        return Message(
            english("{0} updates {1} atomically, which compute capability {2} cannot: global memory "
                    "has atomics from 1.1 on."),
            who, elementsOf(words, extent.bytes / std::max<u64>(access.widthBytes, 1)),
            capabilityOf(profile));
    if (trace::isAtomic(access.kind))
        return Message(english("{0} updates {1} atomically: {2}, {3}."), who,
                       elementsOf(words, extent.bytes / std::max<u64>(access.widthBytes, 1)), requests,
                       cost.countsSectors ? sectorAccesses(access, cost.sectors) : transactionsText(cost));
    const bool isStore = access.kind == AccessKind::Store;
    const Message moved = cost.countsSectors ? sectorsText(cost, extent, isStore)
                                             : transactionsText(cost, extent, profile, isStore);
    if (extent.bytes == access.widthBytes) return onePlaceSentence(access, words, requests, moved);
    Message what = bytesOf(words, extent.bytes);
    if (!words.first.empty() && !words.last.empty())
        what = extent.contiguous() ? firstToLast(what, words, areAllElements(words, extent.places))
                                   : placesApart(what, extent, words);
    return Message(english("{0} {1} {2}: {3}, {4}."), who, verb(access.kind), what, requests, moved);
}

}  // namespace lockstep::explain
