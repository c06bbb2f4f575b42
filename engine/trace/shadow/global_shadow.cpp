#include "trace/shadow/global_shadow.h"

#include "base/check.h"
#include "trace/shadow/global_epochs.h"
#include "trace/shadow/global_pages.h"
#include "trace/shadow/global_releases.h"

#include <algorithm>
#include <bit>

namespace lockstep::trace {

namespace {

u32 shiftOf(u32 elementBytes) { return std::min(2, std::countr_zero(std::max(elementBytes, 1u))); }

bool dependOnOrder(const GlobalEpoch& a, const GlobalEpoch& b) {
    return a.block != b.block && (a.writes() || b.writes()) && !(a.isReduction() && b.isReduction());
}

}  // namespace

GlobalShadow::GlobalShadow(LaunchId launch, Dim3 gridExtents, Dim3 blockExtents, u32 pcs,
                           std::span<const BufferSpec> buffers, Mode mode)
    : launch_(launch), grid_(gridExtents), extents_(blockExtents), pcs_(pcs), mode_(mode) {
    CHECK_LE(blockExtents.count(), 1u << kThreadBits, "launches of larger blocks are refused");
    flags_ = std::make_unique<std::atomic<u8>[]>(buffers.size());
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
        const u8 flags = flags_[i];
        const bool readAndWritten =
            (flags & (Block::kRead | Block::kWritten)) == (Block::kRead | Block::kWritten);
        spec.tracksReads = spec.tracksReads || readAndWritten || (flags & Block::kMixed);
        buffers_[i] = std::make_unique<Buffer>(spec, buffers_[i]->neededShift.load());
        flags_[i] = spec.tracksReads ? Block::kTracksReads : 0;
    }
    epochs_ = std::make_unique<GlobalEpochs>();
    releases_ = std::make_unique<GlobalReleases>();
    conflict_ = doomed_ = false;
    needsRestart_.clear();
    depends_.clear();
    ++generation_;
}

bool GlobalShadow::tracksReads(u32 buffer) const { return buffers_[buffer]->spec.tracksReads; }
bool GlobalShadow::complete() const { return !epochs_->overflowed(); }

void GlobalShadow::finish() {
    using Block = GlobalBlockShadow;
    needsRestart_.clear();
    for (u32 i = 0; i < buffers_.size(); ++i) {
        const u8 flags = flags_[i];
        const bool readAndWritten = (flags & Block::kRead) && (flags & Block::kWritten);
        if ((flags & Block::kTooCoarse) ||
            (!(flags & Block::kTracksReads) && (readAndWritten || (flags & Block::kMixed))))
            needsRestart_.push_back(i);
    }
    if (mode_ == Mode::Parallel && !conflict()) findWhatThreadsMissed();
    if (conflict() || !needsRestart_.empty()) doomed_ = true;
}

// Two threads that access a granule at the same moment may each miss the other's tag. Then either both tags
// are there now, or one was lost and there are more claims than tags.
void GlobalShadow::findWhatThreadsMissed() {
    const auto depend = [&](u32 a, u32 b) {
        return a && b && epochOf(a) != epochOf(b) &&
               dependOnOrder((*epochs_)[epochOf(a)], (*epochs_)[epochOf(b)]);
    };
    for (const std::unique_ptr<Buffer>& buffer : buffers_) {
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
            const bool lostStore = page->storeClaims != stores;
            const bool lostReader = page->readClaims != readers && (stores || hasAtomics);
            if (lostStore || lostReader) conflict_ = true;
            if (conflict_) return;
        }
    }
}

u64 GlobalShadow::bytes() const {
    u64 bytes = epochs_->bytes();
    for (const std::unique_ptr<Buffer>& buffer : buffers_) {
        bytes += buffer->pageCount * sizeof(std::atomic<Page*>);
        for (u64 i = 0; i < buffer->pageCount; ++i)
            if (const Page* page = buffer->pages[i].load()) bytes += page->bytes();
    }
    return bytes;
}

}  // namespace lockstep::trace
