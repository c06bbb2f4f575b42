#include "explain/hints/recorded_accesses.h"

#include "base/device_addresses.h"
#include "model/access/global_sectors.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace lockstep::explain {
namespace {

using trace::AccessKind;
using trace::Space;

// More accesses of all recorded blocks together are not looked at: it would take longer than a tenth of a
// second.
constexpr u64 kMostAccesses = 100'000;

// A set of numbers that lie close together.
class DenseSet {
public:
    bool add(u64 number) {  // true: it is new
        const u64 page = number / kPage;
        if (!last_ || page != lastPage_) last_ = &pages_[page], lastPage_ = page;
        u64& word = (*last_)[number % kPage / 64];
        const u64 bit = u64{1} << number % 64;
        if (word & bit) return false;
        word |= bit;
        ++size_;
        return true;
    }
    u64 size() const { return size_; }

private:
    static constexpr u64 kPage = 4096;
    std::unordered_map<u64, std::array<u64, kPage / 64>> pages_;
    std::array<u64, kPage / 64>* last_ = nullptr;
    u64 lastPage_ = 0, size_ = 0;
};

// Which threads of a block read and wrote each word.
class WordUsers {
public:
    // True: another thread wrote the word, or this one writes what another read.
    bool use(u64 word, u32 thread, bool isWrite) {
        User& user = users_[word];
        const u32 me = thread + 1;
        const bool clashes = (user.writer && user.writer != me) ||
                             (isWrite && (user.severalReaders || (user.reader && user.reader != me)));
        if (isWrite)
            user.writer = me;
        else if (user.reader && user.reader != me)
            user.severalReaders = true;
        else
            user.reader = me;
        return clashes;
    }

private:
    struct User {
        u32 writer = 0, reader = 0;  // thread + 1
        bool severalReaders = false;
    };
    std::unordered_map<u64, User> users_;
};

bool isPlainLoad(AccessKind kind) { return kind == AccessKind::Load || kind == AccessKind::AsyncCopy; }

}  // namespace

std::optional<s64> laneDistance(LaneMask active, const trace::LaneAddresses& addresses) {
    std::array<s64, kWarpSize> gaps{};
    u32 count = 0;
    std::optional<Lane> before;
    for (const Lane lane : active) {
        if (before) {
            const s64 apart = s64(addresses[lane.value] - addresses[before->value]),
                      lanes = lane.value - before->value;
            gaps[count++] = apart % lanes == 0 ? apart / lanes : apart;
        }
        before = lane;
    }
    if (count == 0) return std::nullopt;
    std::ranges::sort(gaps.begin(), gaps.begin() + count);
    u32 most = 0, run = 0;
    s64 distance = 0;
    for (u32 i = 0; i < count; ++i) {
        run = i > 0 && gaps[i] == gaps[i - 1] ? run + 1 : 1;
        if (run > most) most = run, distance = gaps[i];
    }
    return most * 4 >= count * 3 ? std::optional(distance) : std::nullopt;
}

u32 distinctAddresses(LaneMask active, const trace::LaneAddresses& addresses) {
    std::array<u64, kWarpSize> all{};
    u32 count = 0;
    for (const Lane lane : active)
        all[count++] = addresses[lane.value];
    std::ranges::sort(all.begin(), all.begin() + count);
    return u32(std::unique(all.begin(), all.begin() + count) - all.begin());
}

bool asksForMuch(const trace::WarpAccess& access) {
    const u32 lanes = u32(access.active.count());
    return lanes >= 8 && 2 * distinctAddresses(access.active, access.addresses) >= lanes;
}

// One block, while it is gone through.
class RecordedAccesses::OfBlock {
public:
    OfBlock(RecordedAccesses& all, const trace::FocusBlock& block, const model::Profile& profile)
        : all_(all), block_(block), profile_(profile) {}

    void add() {
        for (u32 warp = 0; warp < block_.warps.size(); ++warp) {
            before_.clear();
            const trace::WarpTrace& trace = block_.warps[warp];
            for (const trace::StoredAccess& stored : trace.accesses)
                if (!stored.active.empty()) add(trace.unpack(stored), warp);
        }
        for (auto& [buffer, loads] : loads_) {
            Loads& sum = all_.loads_[{block_.launch, buffer}];
            sum.laneWords += loads.sum.laneWords, sum.requestWords += loads.sum.requestWords;
            sum.sectors += loads.sum.sectors, sum.irregular += loads.sum.irregular;
            sum.requests += loads.sum.requests;
            sum.words += loads.words.size(), sum.distinctSectors += loads.sectors.size();
            ++sum.blocks;
        }
        for (auto& [buffer, stores] : stores_) {
            Stores& sum = all_.stores_[{block_.launch, buffer}];
            sum.words += stores.words.size(), sum.sectors += stores.sectors.size();
            sum.laneWords += stores.laneWords;
        }
        for (const auto& [pc, addresses] : atomicAddresses_)
            all_.atomics_[{block_.launch, pc}].addresses += addresses.size();
        u64& touched = all_.sharedTouched_[block_.launch];
        touched = std::max(touched, u64{kWordBytes} * sharedWords_.size());
        addBarriers();
    }

private:
    static constexpr u32 kWordBytes = 4;
    struct LoadsOfBlock {
        Loads sum;
        DenseSet words, sectors;
    };
    struct StoresOfBlock {
        u64 laneWords = 0;
        DenseSet words, sectors;
    };
    struct Before {
        LaneMask active;
        trace::LaneAddresses addresses{};
    };

    void add(const trace::WarpAccess& access, u32 warp) {
        if (access.space == Space::Shared) {
            for (const Lane lane : access.active)
                for (u32 byte = 0; byte < access.widthBytes; byte += kWordBytes)
                    sharedWords_.add((access.addresses[lane.value] + byte) / kWordBytes);
            exchange(access, warp, u64{1} << 62);
        }
        if (access.space != Space::Global && access.space != Space::Shared) return;
        Site& site = all_.sites_[{block_.launch, access.pc}];
        const u64 lowest = access.addresses[access.active.lowest().value];
        if (site.requests == 0) {
            site.space = access.space, site.kind = access.kind, site.widthBytes = access.widthBytes;
            site.first = lowest;
            if (access.space == Space::Global) site.buffer = bufferOfAddress(lowest);
        }
        const std::optional<s64> distance = laneDistance(access.active, access.addresses);
        const bool isRegular = distance || access.active.count() == 1;
        const u64 lanes = u64(access.active.count());
        ++site.requests;
        site.lanes += lanes;
        for (const Lane lane : access.active)
            site.addressBits |= access.addresses[lane.value];
        site.regular += isRegular;
        const u32 sectors = access.space == Space::Global ? model::globalItems(access, profile_) : 0;
        site.sectors += sectors;
        all_.globalSectors_ += sectors;
        follow(access, site);
        if (access.space != Space::Global) return;
        exchange(access, warp, 0);
        if (trace::isAtomic(access.kind)) {
            Atomics& atomics = all_.atomics_[{block_.launch, access.pc}];
            ++atomics.requests;
            atomics.updates += lanes;
            for (const Lane lane : access.active)
                atomicAddresses_[access.pc].add(access.addresses[lane.value] / kWordBytes);
        }
        if (isPlainLoad(access.kind)) load(access, sectors, isRegular);
        if (access.kind == AccessKind::Store) store(access);
    }

    // Beside the same instruction's last access in this warp.
    void follow(const trace::WarpAccess& access, Site& site) {
        Before& before = before_[access.pc];
        for (const Lane lane : access.active& before.active) {
            const s64 moved = s64(access.addresses[lane.value] - before.addresses[lane.value]);
            constexpr s64 kShort = 64;
            ++site.pairs;
            site.walking += moved > 0 && moved <= kShort;
            site.again += moved == 0;
        }
        before = {access.active, access.addresses};
    }

    void load(const trace::WarpAccess& access, u32 sectors, bool isRegular) {
        const std::optional<u32> buffer = bufferOfAddress(access.addresses[access.active.lowest().value]);
        if (!buffer) return;
        LoadsOfBlock& loads = loads_[*buffer];
        const u64 words = std::max<u32>(1, access.widthBytes / kWordBytes);
        loads.sum.laneWords += words * u64(access.active.count());
        loads.sum.requestWords += words * distinctAddresses(access.active, access.addresses);
        // What uncoalesced accesses cost besides is another rule's.
        const u32 least = model::leastGlobalItems(access, profile_);
        loads.sum.sectors += sectors >= 2 * least && asksForMuch(access) ? least : sectors;
        ++loads.sum.requests;
        loads.sum.irregular += !isRegular;
        for (const Lane lane : access.active) {
            const u64 address = access.addresses[lane.value];
            for (u64 word = 0; word < words; ++word)
                loads.words.add(address / kWordBytes + word);
            for (u64 sector = address / model::kSectorBytes;
                 sector <= (address + access.widthBytes - 1) / model::kSectorBytes; ++sector)
                loads.sectors.add(sector);
        }
    }

    void store(const trace::WarpAccess& access) {
        const std::optional<u32> buffer = bufferOfAddress(access.addresses[access.active.lowest().value]);
        if (!buffer) return;
        StoresOfBlock& stores = stores_[*buffer];
        for (const Lane lane : access.active)
            for (u32 byte = 0; byte < access.widthBytes; byte += kWordBytes) {
                ++stores.laneWords;
                stores.words.add((access.addresses[lane.value] + byte) / kWordBytes);
                stores.sectors.add((access.addresses[lane.value] + byte) / model::kSectorBytes);
            }
    }

    void exchange(const trace::WarpAccess& access, u32 warp, u64 space) {
        if (exchanges_ || !hasBarriers_) return;
        for (const Lane lane : access.active)
            for (u32 byte = 0; byte < access.widthBytes; byte += kWordBytes) {
                const u64 word = space + (access.addresses[lane.value] + byte) / kWordBytes;
                const u32 thread = warp * kWarpSize + lane.value;
                exchanges_ |= trace::reads(access.kind) && users_.use(word, thread, false);
                exchanges_ |= access.kind == AccessKind::AsyncCopy ||
                              (trace::writes(access.kind) && users_.use(word, thread, true));
            }
    }

    // Barriers with no access to memory of any warp since the last one.
    void addBarriers() {
        Barriers& barriers = all_.barriers_[block_.launch];
        barriers.exchanges |= exchanges_;
        u32 phases = block_.phases();
        std::vector<bool> accesses(phases);
        for (const trace::WarpTrace& warp : block_.warps) {
            u32 phase = 0;
            for (u32 step = 0; step < warp.steps.size(); ++step) {
                if (warp.steps[step].access != trace::Step::kNone && phase < phases) accesses[phase] = true;
                if (phase < warp.barrierSteps.size() && warp.barrierSteps[phase] == step) ++phase;
            }
        }
        for (const trace::WarpTrace& warp : block_.warps)
            for (u32 phase = 0; phase < warp.barrierSteps.size(); ++phase) {
                const Pc pc = warp.steps[warp.barrierSteps[phase]].pc;
                ++barriers.all, ++barriers.byPc[pc];
                if (phase > 0 && !accesses[phase])
                    ++barriers.empty[pc];
                else
                    needed_.push_back(pc);
            }
        all_.needed_[block_.launch].insert(needed_.begin(), needed_.end());
    }

    RecordedAccesses& all_;
    const trace::FocusBlock& block_;
    const model::Profile& profile_;
    std::unordered_map<Pc, Before> before_;  // of the warp
    std::map<u32, LoadsOfBlock> loads_;
    std::map<u32, StoresOfBlock> stores_;
    std::map<Pc, DenseSet> atomicAddresses_;
    DenseSet sharedWords_;
    WordUsers users_;
    bool exchanges_ = false, hasBarriers_ = block_.phases() > 1;  // exchanges_ counts only with barriers
    std::vector<Pc> needed_;
};

RecordedAccesses::RecordedAccesses(const ptx::Module&, const trace::Recording& recording,
                                   const model::Profile& profile) {
    u64 accesses = 0;
    for (const trace::FocusBlock& block : recording.trace.blocks) {
        if (block.truncated) return;
        for (const trace::WarpTrace& warp : block.warps)
            accesses += warp.accesses.size();
    }
    isWhole_ = accesses > 0 && accesses <= kMostAccesses && recording.complete;
    if (!isWhole_) return;
    for (const trace::FocusBlock& block : recording.trace.blocks)
        OfBlock(*this, block, profile).add();
    // The instruction to name for each buffer.
    for (const auto& [key, site] : sites_) {
        if (!isPlainLoad(site.kind) || !site.buffer || site.space != Space::Global) continue;
        Loads& loads = loads_[{key.launch, *site.buffer}];
        const Site* most = loads.most == kNoPc ? nullptr : this->site(key.launch, loads.most);
        if (!most || site.sectors > most->sectors) loads.most = key.pc;
    }
    for (auto& [launch, barriers] : barriers_)
        for (const Pc pc : needed_[launch])
            barriers.empty.erase(pc);
}

const RecordedAccesses::Site* RecordedAccesses::site(LaunchId launch, Pc pc) const {
    const auto found = sites_.find({launch, pc});
    return found == sites_.end() ? nullptr : &found->second;
}

u64 RecordedAccesses::sharedBytesTouched(LaunchId launch) const {
    const auto found = sharedTouched_.find(launch);
    return found == sharedTouched_.end() ? 0 : found->second;
}

}  // namespace lockstep::explain
