// Global and constant memory of a run: the experiment's buffers and the module's variables, each in its own
// slot.
#pragma once

#include "base/buffer.h"
#include "base/device_addresses.h"
#include "ptx/module.h"
#include "simt/images/image.h"
#include "simt/memory/kernel_heap.h"
#include "trace/shadow/buffer_habit.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace lockstep::simt {

struct Allocation {
    u64 base = 0, bytes = 0;
    std::byte* host = nullptr;
    s32 buffer = -1;   // index into the experiment's buffers; -1: a variable of the module
    u32 variable = 0;  // VariableId, if so
    bool constant = false;
    bool isWorkspace = false;  // of the barriers of a cooperative launch; of nobody's
    bool isWatched = false;    // which of its bytes are written is told
    bool isHeap = false;       // of malloc() in kernels
};

// Bytes of an allocation.
struct WrittenBytes {
    u64 first = 0, end = 0;
};

// Of one allocation, by its index: bytes that a launch wrote.
struct WrittenRange {
    u32 allocation = 0;
    WrittenBytes bytes;
};

// Memory that outlives a run: that of a program which allocates and launches by itself.
// Memory of what launches have saved, for those that follow: fresh pages cost more than the copy.
// Thread-safe.
class PiecePool {
public:
    using Piece = std::unique_ptr<std::byte[]>;
    static constexpr u64 kPieceBytes = u64{64} << 10;

    Piece take();
    void give(Piece piece);

private:
    static constexpr std::size_t kMost = (u64{256} << 20) / kPieceBytes;
    std::mutex mutex_;
    std::vector<Piece> free_;
};

struct LastingMemory {
    std::vector<Allocation> allocations;  // ascending base; a variable of the module, too, is one of them
    std::vector<u64> variableAddresses;   // by VariableId; 0: it lies in neither global nor constant memory
    u32 placeShift = 0;                   // each allocation has places of its own, 2^placeShift bytes each,
    u64 firstPlace = 0;                   // numbered from here,
    std::vector<u32> allocationAt{};      // which say whose they are: its index, plus 1; 0: nobody's
    const Allocation* find(u64 address) const {
        const u64 place = (address >> placeShift) - firstPlace;
        const u32 number = place < allocationAt.size() ? allocationAt[place] : 0;
        return number ? &allocations[number - 1] : findElsewhere(address);
    }

    std::vector<WrittenRange>* written = nullptr;  // receives what the last launch wrote to watched ones
    std::vector<u32>* changed = nullptr;           // receives the allocations that the last launch wrote to
    u64 workspace = 0;                             // where the one of a cooperative launch lies
    std::vector<trace::BufferHabit> habits{};      // of allocations, as far as known
    std::vector<Image> images{};  // textures and surfaces: handles are consecutive, from the first
    u64 firstImage = 0;
    KernelHeap* heap = nullptr;    // of the allocation that isHeap, if there is one
    PiecePool* pool = nullptr;     // may be null
    std::vector<u32> elsewhere{};  // allocations outside these places, which a look through them finds
    const Allocation* findElsewhere(u64 address) const {
        for (u32 index : elsewhere)
            if (address - allocations[index].base < allocations[index].bytes) return &allocations[index];
        return nullptr;
    }
};

class DeviceMemory {
public:
    // The caller owns the buffers, which must outlive this. cooperative: there is a workspace, too.
    // earlier: of one of the buffers, if there is one.
    DeviceMemory(const ptx::Module& module, std::span<Buffer> buffers, bool cooperative = false,
                 const KernelHeap* earlier = nullptr, u32 heapBuffer = 0);
    explicit DeviceMemory(const LastingMemory& lasting, bool cooperative = false);
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;

    // The allocation whose slot contains the address, in bounds or not; nullptr: none.
    const Allocation* find(u64 address) const {
        if (lasting_) {
            if (const Allocation* const found = lasting_->find(address))
                return &allocations_[std::size_t(found - lasting_->allocations.data())];
            return workspace_ && address - workspace_ < kWorkspaceBytes ? &allocations_.back() : nullptr;
        }
        const u64 slot = address >> kSlotShift;
        return slot - 1 < allocations_.size() ? &allocations_[slot - 1] : nullptr;
    }
    bool mayHaveImages() const { return lasting_ != nullptr; }
    // Destroyed ones, too; nullptr: no texture or surface object.
    const Image* findImage(u64 handle) const {
        return lasting_ && handle - lasting_->firstImage < lasting_->images.size()
                   ? &lasting_->images[handle - lasting_->firstImage]
                   : nullptr;
    }
    std::span<const Allocation> allocations() const { return allocations_; }
    u64 addressOf(ptx::VariableId variable) const { return variableAddresses_[variable.value]; }
    u64 bytes() const;
    u64 workspace() const { return workspace_; }  // 0: there is none
    KernelHeap* heap() const { return heap_; }    // null: there is none
    PiecePool* pool() const { return lasting_ ? lasting_->pool : nullptr; }
    u64 heapAddress() const { return heapAddress_; }
    // allocation: negative: none
    bool isHeap(s32 allocation) const {
        return heap_ && allocation >= 0 && allocations_[u32(allocation)].isHeap;
    }
    // The heap of malloc() and what it says of an address there.
    bool heapHolds(u64 address, u32 width) const { return heap_->holds(address - heapAddress_, width); }

private:
    static constexpr u64 kWorkspaceBytes = 256;
    void addWorkspace(u64 address);

    std::vector<Allocation> allocations_;
    std::vector<u64> variableAddresses_;
    std::vector<std::vector<std::byte>> variableContents_;
    const LastingMemory* lasting_ = nullptr;
    u64 workspace_ = 0;
    std::unique_ptr<KernelHeap> ownHeap_;
    KernelHeap* heap_ = nullptr;
    u64 heapAddress_ = 0;
};

// What a variable of global or constant memory holds at first, into `host`. addresses: by VariableId.
void initialiseVariable(const ptx::Module& module, u32 variable, std::span<const u64> addresses,
                        std::byte* host);

// Saves what a launch writes to before it does, so that the launch can restart: allocations piece by piece,
// since a launch may write to little of a large one. Thread-safe.
class Snapshot {
public:
    static constexpr u64 kPieceBytes = PiecePool::kPieceBytes;

    // initial: the buffers' current contents, if the caller keeps them; empty: they are copied.
    Snapshot(const DeviceMemory& memory, std::span<const Buffer> initial);
    ~Snapshot();

    // Call before each write. written() is asked where not all of the allocation is saved.
    template <class Written> void beforeWrite(u32 allocation, const Written& written) {
        if (!kept_[allocation].load(std::memory_order_acquire)) [[unlikely]]
            keep(allocation, written());
    }
    void restore();
    // Calls visit(allocation, first byte, its contents before) for each saved piece: all that was written is
    // in one.
    template <class Visit> void visitSaved(const Visit& visit) const {
        for (u32 i = 0; i < pieces_.size(); ++i)
            for (u64 number = 0; number < piecesSaved(i); ++number)
                if (const std::span<const std::byte> before = savedPiece(i, number); !before.empty())
                    visit(i, number * kPieceBytes, before);
    }

    // Call once the launch is done.
    bool isChanged(u32 allocation) const { return kept_[allocation] || pieces_[allocation]; }
    bool isWatched(u32 allocation) const { return !written_.empty() && written_[allocation] != nullptr; }
    // Of a watched one: each byte is a bit.
    void mark(u32 allocation, WrittenBytes written);
    // Neighbors together, ascending.
    std::vector<WrittenRange> written() const;

private:
    struct Pieces;
    using Bits = std::vector<std::atomic<u64>>;

    void keep(u32 allocation, WrittenBytes written);
    u64 piecesSaved(u32 allocation) const;  // at most: some of them may not be
    std::span<const std::byte> savedPiece(u32 allocation, u64 number) const;
    Pieces& piecesOf(u32 allocation);

    bool isKeptElsewhere(const Allocation& allocation) const {
        return allocation.buffer >= 0 && u32(allocation.buffer) < initial_.size();
    }

    const DeviceMemory& memory_;
    std::span<const Buffer> initial_;
    std::vector<std::atomic<bool>> kept_;  // all of it
    std::vector<std::atomic<Pieces*>> pieces_;
    std::vector<std::unique_ptr<Bits>> written_;  // empty: none is watched
    std::mutex mutex_;
    std::array<std::mutex, 16> savingMutexes_;  // by piece
};

}  // namespace lockstep::simt
