#include "trace/shadow/global_shadow.h"

#include "base/check.h"
#include "trace/shadow/global_epochs.h"
#include "trace/shadow/global_pages.h"
#include "trace/shadow/global_releases.h"

#include <algorithm>
#include <bit>

namespace lockstep::trace {

namespace {

// Threads have numbers of 32 bits, and a few of these are taken.
constexpr u64 kMostOwners = (u64{1} << 32) - 64;

u32 shiftOf(u32 elementBytes) { return std::min(2, std::countr_zero(std::max(elementBytes, 1u))); }

bool dependOnOrder(const GlobalEpoch& a, const GlobalEpoch& b) {
    return a.block != b.block && (a.writes() || b.writes()) && !(a.isReduction() && b.isReduction());
}

}  // namespace

GlobalShadow::GlobalShadow(LaunchId launch, Dim3 gridExtents, Dim3 blockExtents, u32 pcs,
                           std::span<const BufferSpec> buffers, Mode mode, bool guessesOwners)
    : launch_(launch),
      grid_(gridExtents),
      extents_(blockExtents),
      pcs_(pcs),
      guessesOwners_(guessesOwners && gridExtents.count() * blockExtents.count() < kMostOwners),
      mode_(mode) {
    CHECK_LE(blockExtents.count(), 1u << kThreadBits, "launches of larger blocks are refused");
    flags_ = std::make_unique<std::atomic<u16>[]>(buffers.size());
    for (const BufferSpec& spec : buffers)
        buffers_.push_back(std::make_unique<Buffer>(spec, shiftOf(spec.elementBytes)));
    restart(mode);
}

GlobalShadow::~GlobalShadow() = default;

void GlobalShadow::restart(Mode mode) {
    using Block = GlobalBlockShadow;
    mode_ = mode;
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
        BufferSpec spec = buffers_[i]->spec;
        const u16 flags = flags_[i];
        const bool readAndWritten =
            (flags & (Block::kRead | Block::kWritten)) == (Block::kRead | Block::kWritten);
        const bool hasAtomics = flags & (Block::kTaken | Block::kReduced);
        if (flags & (Block::kShared | Block::kMixed) || (readAndWritten && (hasAtomics || !guessesOwners_)))
            spec.keeps = Keeps::All;
        else if (readAndWritten && spec.keeps != Keeps::All)
            spec.keeps = Keeps::Owners;
        else if (flags & Block::kRewritten)
            spec.keeps = Keeps::Stores;
        buffers_[i] = std::make_unique<Buffer>(spec, buffers_[i]->neededShift.load());
        flags_[i] = Block::flagsOf(spec.keeps);
    }
    epochs_ = std::make_unique<GlobalEpochs>();
    releases_ = std::make_unique<GlobalReleases>();
    conflict_ = doomed_ = false;
    needsRestart_.clear();
    depends_.clear();
    claims_.clear();
    ++generation_;
}

GlobalShadow::Claims& GlobalShadow::newClaims() {
    const std::scoped_lock lock(claimsMutex_);
    const std::size_t buffers = buffers_.size();
    const bool sharesFirst = mode_ == Mode::Sequential && !claims_.empty();
    return sharesFirst ? claims_.front() : claims_.emplace_back(std::vector<u64>(buffers), OnceMap(buffers));
}

bool GlobalShadow::isReadAndWritten(u32 buffer) const {
    const Keeps keeps = buffers_[buffer]->spec.keeps;
    return keeps == Keeps::All || keeps == Keeps::Owners;
}
BufferHabit GlobalShadow::habitOf(u32 buffer) const {
    const Buffer& of = *buffers_[buffer];
    return {.elementBytes = 1u << of.neededShift.load(), .keeps = of.spec.keeps};
}
bool GlobalShadow::complete() const { return !epochs_->overflowed(); }

void GlobalShadow::finish() {
    using Block = GlobalBlockShadow;
    needsRestart_.clear();
    for (u32 i = 0; i < buffers_.size(); ++i) {
        if (isStoredToByTwo(i)) flags_[i] |= Block::kRewritten;
        if (hasLostOwners(i)) flags_[i] |= Block::kShared;
        const u16 flags = flags_[i];
        const bool readAndWritten = (flags & Block::kRead) && (flags & Block::kWritten);
        if (flags & (Block::kTooCoarse | Block::kRewritten | Block::kShared) ||
            (!(flags & (Block::kTracksReads | Block::kOwned)) && readAndWritten) ||
            (!(flags & Block::kTracksReads) && (flags & Block::kMixed)))
            needsRestart_.push_back(i);
    }
    if (mode_ == Mode::Parallel && !conflict()) findWhatThreadsMissed();
    if (conflict() || !needsRestart_.empty()) doomed_ = true;
}

// One granule, by blocks of two threads.
bool GlobalShadow::isStoredToByTwo(u32 buffer) const {
    std::vector<u64> all;
    for (const Claims& claims : claims_) {
        const std::span<const u64> words = claims.once.known(buffer);
        if (all.size() < words.size()) all.resize(words.size());
        u64 both = 0;
        for (std::size_t i = 0; i < words.size(); ++i) {
            both |= all[i] & words[i];
            all[i] |= words[i];
        }
        if (both) return true;
    }
    return false;
}

u64 GlobalShadow::claimedTags(u32 buffer) const {
    u64 tags = 0;
    for (const Claims& claims : claims_)
        tags += claims.tags[buffer];
    return tags;
}

// Two threads that claimed one granule at the same moment.
bool GlobalShadow::hasLostOwners(u32 number) const {
    const Buffer& buffer = *buffers_[number];
    if (buffer.spec.keeps != Keeps::Owners) return false;
    u64 owned = 0;
    for (u64 i = 0; i < buffer.pageCount; ++i) {
        Page* const page = buffer.pages[i];
        if (!page) continue;
        if (page->isInPieces())
            owned += u64(std::count_if(&page->stores[0], &page->stores[0] + Page::kGranules,
                                       [](const Page::Tag& tag) { return tag != 0; }));
        else
            for (u32 line = 0; line < Page::kLines; ++line)
                owned += page->line(Page::Stores, line).load().tag ? Page::kLine : 0;
    }
    return owned != claimedTags(number);
}

// Two threads that access a granule at the same moment may each miss the other's tag. Then either both tags
// are there now, or one was lost and there are more claims than tags.
void GlobalShadow::findWhatThreadsMissed() {
    const auto depend = [&](u32 a, u32 b) {
        return a && b && epochOf(a) != epochOf(b) &&
               dependOnOrder((*epochs_)[epochOf(a)], (*epochs_)[epochOf(b)]);
    };
    for (std::size_t number = 0; number < buffers_.size(); ++number) {
        const std::unique_ptr<Buffer>& buffer = buffers_[number];
        if (buffer->spec.keeps == Keeps::Owners) continue;
        u64 missingStores = claimedTags(u32(number));
        for (u64 i = 0; i < buffer->pageCount; ++i) {
            Page* page = buffer->pages[i];
            if (!page) continue;
            u32 stores = 0, readers = 0;
            bool hasAtomics = false;
            u64 seen = 0;  // the last pair of epochs checked: neighbors mostly have the same
            const auto look = [&](u32 granules, u32 store, u32 reader, u32 another) {
                stores += store ? granules : 0;
                readers += reader ? granules : 0;
                if (!reader) return;
                const u64 pair = u64{epochOf(store)} << 32 | epochOf(reader);
                if (pair == seen && !another) return;
                seen = pair;
                hasAtomics = hasAtomics || (*epochs_)[epochOf(reader)].writes();
                if (depend(store, reader) || depend(store, another) || depend(reader, another))
                    conflict_ = true;
            };
            const bool hasReaders = page->planes > 1;
            if (page->isInPieces()) {
                for (u32 g = 0; g < Page::kGranules; ++g)
                    look(1, page->stores[g], hasReaders ? page->readers[g].load() : 0,
                         hasReaders ? page->readers[Page::kGranules + g].load() : 0);
            } else {
                const auto tagOf = [&](Page::Plane plane, u32 line) {
                    return page->line(plane, line).load().tag;
                };
                for (u32 line = 0; line < Page::kLines; ++line)
                    look(Page::kLine, tagOf(Page::Stores, line), hasReaders ? tagOf(Page::Reader, line) : 0,
                         hasReaders ? tagOf(Page::AnotherReader, line) : 0);
            }
            missingStores -= stores;
            if (page->readClaims != readers && (stores || hasAtomics)) conflict_ = true;
            if (conflict_) return;
        }
        if (missingStores) conflict_ = true;
    }
}

u64 GlobalShadow::bytes() const {
    u64 bytes = epochs_->bytes();
    for (const Claims& claims : claims_)
        bytes += claims.once.bytes();
    for (const std::unique_ptr<Buffer>& buffer : buffers_) {
        bytes += buffer->pageCount * sizeof(std::atomic<Page*>);
        for (u64 i = 0; i < buffer->pageCount; ++i)
            if (const Page* page = buffer->pages[i].load()) bytes += page->bytes();
    }
    return bytes;
}

}  // namespace lockstep::trace
