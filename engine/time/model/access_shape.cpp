#include "time/model/access_shape.h"

#include "model/access/shared_wavefronts.h"
#include "trace/sector_size.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace lockstep::time {
namespace {

// The distance between neighboring lanes in 4-byte words where all 32 have the same; else none.
std::optional<s64> strideOfWords(const MemoryAccess& access) {
    if (access.lanes != ~0u || access.addresses[0] % 4) return std::nullopt;
    const u64 stride = access.addresses[1] - access.addresses[0];
    u64 different = 0;
    for (u32 i = 1; i < kWarpSize; ++i)
        different |= (access.addresses[i] - access.addresses[i - 1]) ^ stride;
    if (different || s64(stride) % 4) return std::nullopt;
    return s64(stride) / 4;
}

}  // namespace

void TouchedLines::find(const MemoryAccess& access) {
    count_ = sectors_ = whole_ = 0;
    if (access.space == MemorySpace::Local) {
        // A word of all lanes lies together.
        const u32 words = std::max<u32>(1, access.widthBytes / 4);
        if (!access.lanes) return;
        const u64 first = access.addresses[LaneMask{access.lanes}.lowest().value] / 4;
        for (u32 w = 0; w < words; ++w)
            lines_[count_++] = {.line = first + w, .sectors = 0xf, .whole = 0xf, .words = ~0u};
        sectors_ = whole_ = 4 * count_;
        return;
    }
    std::array<std::array<u32, 4>, 2 * kWarpSize> bytes;  // by line and sector: bits of bytes
    u32 at = 0;
    for (const Lane lane : LaneMask{access.lanes}) {
        const u64 address = access.addresses[lane.value], line = address / trace::kLineBytes;
        if (at >= count_ || lines_[at].line != line) {
            for (at = 0; at < count_ && lines_[at].line != line; ++at) {}
            if (at == count_) {
                lines_[count_++] = {.line = line};
                bytes[at] = {};
            }
        }
        const u32 inLine = u32(address % trace::kLineBytes), sector = inLine / trace::kSectorBytes;
        const u64 bits = access.widthBytes >= 32 ? ~u64{0} : (u64{1} << access.widthBytes) - 1;
        bytes[at][sector] |= u32(bits << (inLine % trace::kSectorBytes));
    }
    for (u32 l = 0; l < count_; ++l)
        for (u32 s = 0; s < 4; ++s) {
            const u32 covered = bytes[l][s];
            if (!covered) continue;
            lines_[l].sectors |= u8(1u << s);
            ++sectors_;
            if (covered == ~0u) lines_[l].whole |= u8(1u << s), ++whole_;
            for (u32 word = 0; word < 8; ++word)
                if ((covered >> (4 * word) & 0xf) == 0xf) lines_[l].words |= 1u << (8 * s + word);
        }
}

void TouchedLines::findCoalesced(const MemoryAccess& access) {
    find(access);
    const u32 bytes = u32(std::popcount(access.lanes)) * access.widthBytes;
    const u32 least = (bytes + trace::kLineBytes - 1) / trace::kLineBytes;
    if (count_ <= least) return;
    const u64 first = access.addresses[LaneMask{access.lanes}.lowest().value];
    const u64 place = first % trace::kLineBytes / access.widthBytes;
    MemoryAccess packed = access;
    std::array<u64, 2 * kWarpSize> chosen;
    for (u32 l = 0; l < least; ++l)
        chosen[l] = lines_[(place * least + l) % count_].line;
    u32 rank = 0;
    for (const Lane lane : LaneMask{access.lanes}) {
        const u32 at = rank++ * access.widthBytes;
        packed.addresses[lane.value] =
            chosen[at / trace::kLineBytes] * trace::kLineBytes + at % trace::kLineBytes;
    }
    find(packed);
}

u32 wavefrontsOf(const MemoryAccess& access, const model::Profile& profile) {
    if (!access.lanes) return 0;
    if (access.space == MemorySpace::Local) return std::max<u32>(1, access.widthBytes / 4);
    if (access.widthBytes == 4)
        if (const std::optional<s64> stride = strideOfWords(access))
            return *stride == 0 ? 1 : u32(std::gcd(u64(std::abs(*stride)), u64{model::kBanks}));
    trace::WarpAccess asShared{
        .pc = kNoPc,
        .active = {access.lanes},
        .space = trace::Space::Shared,
        .kind = access.action == MemoryAction::Store ? trace::AccessKind::Store : trace::AccessKind::Load,
        .widthBytes = access.widthBytes,
        .addresses = access.addresses};
    return model::sharedWavefronts(asShared, profile);
}

u32 leastWavefronts(const MemoryAccess& access) {
    if (!access.lanes) return 0;
    std::array<u64, std::size_t{kWarpSize} * 4> words;
    std::size_t count = 0;
    for (const Lane lane : LaneMask{access.lanes})
        for (u64 word = access.addresses[lane.value] / model::kBankBytes;
             word <= (access.addresses[lane.value] + access.widthBytes - 1) / model::kBankBytes; ++word)
            words[count++] = word;
    std::ranges::sort(words.begin(), words.begin() + std::ptrdiff_t(count));
    const auto end = std::unique(words.begin(), words.begin() + std::ptrdiff_t(count));
    return (u32(end - words.begin()) + model::kBanks - 1) / model::kBanks;
}

u32 atomicPasses(const MemoryAccess& access) {
    std::array<u32, model::kBanks> lanes{};
    u32 most = 0;
    for (const Lane lane : LaneMask{access.lanes})
        most = std::max(most, ++lanes[access.addresses[lane.value] / model::kBankBytes % model::kBanks]);
    return most;
}

namespace {

void findPasses(TouchedLine& line, const MemoryAccess& access) {
    constexpr u32 kWords = trace::kLineBytes / 4, kWordsOfSector = trace::kSectorBytes / 4;
    std::array<u8, kWords> lanes{};
    for (const Lane lane : LaneMask{access.lanes})
        if (const u64 address = access.addresses[lane.value]; address / trace::kLineBytes == line.line)
            ++lanes[address % trace::kLineBytes / 4];
    u8 sum = 0, all = 0;
    for (u32 first = 0; first < kWords; first += kWordsOfSector) {
        const u8 most = *std::max_element(lanes.begin() + first, lanes.begin() + first + kWordsOfSector);
        sum = u8(sum + most);
        all = std::max(all, most);
    }
    line.mostLanes = all > 1 ? all : u8(0);
    line.passes = all > 1 ? sum : u8(0);
}

}  // namespace

AccessShapes::AccessShapes(const model::Profile& profile, Change change, std::size_t instructions)
    : profile_(profile), change_(change), instructions_(instructions) {}

void AccessShapes::work(const MemoryAccess& access, bool merges, AccessShape& shape) {
    const bool isShared = access.space == MemorySpace::Shared;
    const bool isAtomic = access.action == MemoryAction::Atomic || access.action == MemoryAction::Reduction;
    if (isShared && isAtomic && !merges) {
        shape.wavefronts = atomicPasses(access);
        return;
    }
    const bool isLeast = access.space != MemorySpace::Local &&
                         change_ == (isShared ? Change::NoBankConflicts : Change::Coalesced);
    shape.wavefronts = isLeast ? leastWavefronts(access) : wavefrontsOf(access, profile_);
    if (isShared) return;
    if (isLeast)
        touched_.findCoalesced(access);
    else
        touched_.find(access);
    shape.lines.assign(touched_.lines().begin(), touched_.lines().end());
    shape.sectors = touched_.sectors();
    shape.wholeSectors = touched_.wholeSectors();
    for (TouchedLine& line : shape.lines)
        if (isAtomic) findPasses(line, access);
}

FoundShape AccessShapes::of(u32 instruction, const MemoryAccess& access, bool merges) {
    if (access.space == MemorySpace::Local) {
        work(access, merges, local_);
        return {.shape = &local_, .firstLine = 0};
    }
    const u64 first = access.addresses[LaneMask{access.lanes}.lowest().value];
    const u32 offset = u32(first % kPeriodBytes);
    const u64 firstLine = first / kPeriodBytes * (kPeriodBytes / trace::kLineBytes);
    std::array<u64, kWarpSize> distances;
    if (access.lanes == ~0u) {
        for (u32 i = 0; i < kWarpSize; ++i)
            distances[i] = access.addresses[i] - first;
    } else {
        for (u32 i = 0; i < kWarpSize; ++i)
            distances[i] = access.lanes >> i & 1 ? access.addresses[i] - first : 0;
    }
    std::unique_ptr<Instruction>& own = instructions_[instruction];
    if (!own) own = std::make_unique<Instruction>();
    for (const Kept& kept : own->kept) {
        if (kept.lanes != access.lanes || kept.offset != offset) continue;
        u64 different = 0;
        for (u32 i = 0; i < kWarpSize; ++i)
            different |= kept.distances[i] ^ distances[i];
        if (!different) return {.shape = &kept.shape, .firstLine = firstLine};
    }
    Kept& kept = own->kept[own->next];
    own->next = (own->next + 1) % kKept;
    kept.lanes = access.lanes;
    kept.offset = offset;
    kept.distances = distances;
    work(access, merges, kept.shape);
    for (TouchedLine& touched : kept.shape.lines)
        touched.line -= firstLine;
    return {.shape = &kept.shape, .firstLine = firstLine};
}

}  // namespace lockstep::time
