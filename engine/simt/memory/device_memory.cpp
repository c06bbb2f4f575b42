#include "simt/memory/device_memory.h"

#include "simt/memory/address_space.h"

#include <algorithm>
#include <cstring>

namespace lockstep::simt {

DeviceMemory::DeviceMemory(const LastingMemory& lasting, bool cooperative)
    : allocations_(lasting.allocations), variableAddresses_(lasting.variableAddresses), lasting_(&lasting) {
    if (const auto heap = std::ranges::find_if(allocations_, &Allocation::isHeap);
        lasting.heap && heap != allocations_.end())
        heap_ = lasting.heap, heapAddress_ = heap->base;
    if (cooperative) addWorkspace(lasting.workspace);
}

// Its first word is its size, the second one the barrier, as cooperative_groups/details/driver_abi.h has
// them.
void DeviceMemory::addWorkspace(u64 address) {
    std::vector<std::byte>& contents = variableContents_.emplace_back(kWorkspaceBytes);
    constexpr u32 kSize = kWorkspaceBytes;
    std::memcpy(contents.data(), &kSize, sizeof kSize);
    workspace_ = address;
    allocations_.push_back(
        {.base = address, .bytes = contents.size(), .host = contents.data(), .isWorkspace = true});
}

DeviceMemory::DeviceMemory(const ptx::Module& module, std::span<Buffer> buffers, bool cooperative,
                           const KernelHeap* earlier, u32 heapBuffer) {
    for (u32 i = 0; i < buffers.size(); ++i)
        allocations_.push_back({.base = deviceAddressOf(i),
                                .bytes = buffers[i].bytes.size(),
                                .host = buffers[i].bytes.data(),
                                .buffer = s32(i)});

    variableAddresses_.resize(module.variables.size());
    for (u32 id = 0; id < module.variables.size(); ++id) {
        const ptx::Variable& variable = module.variables[id];
        if (variable.space != ptx::StateSpace::Global && variable.space != ptx::StateSpace::Const) continue;
        std::vector<std::byte>& contents = variableContents_.emplace_back(variable.sizeBytes);
        const u64 base = deviceAddressOf(u32(allocations_.size()));
        variableAddresses_[id] = base;
        allocations_.push_back({.base = base,
                                .bytes = contents.size(),
                                .host = contents.data(),
                                .variable = id,
                                .constant = variable.space == ptx::StateSpace::Const});
    }
    for (const Allocation& allocation : allocations_)
        if (allocation.buffer < 0)
            initialiseVariable(module, allocation.variable, variableAddresses_, allocation.host);
    const bool allocates = std::ranges::any_of(module.functions, [](const ptx::Function& function) {
        return heapCallOf(function) != HeapCall::None;
    });
    if (earlier && heapBuffer < buffers.size()) {
        ownHeap_ = std::make_unique<KernelHeap>(*earlier);
        allocations_[heapBuffer].isHeap = true;
        heapAddress_ = allocations_[heapBuffer].base;
    } else if (allocates) {
        ownHeap_ = std::make_unique<KernelHeap>();
        std::vector<std::byte>& contents = variableContents_.emplace_back(ownHeap_->bytes());
        heapAddress_ = deviceAddressOf(u32(allocations_.size()));
        allocations_.push_back(
            {.base = heapAddress_, .bytes = contents.size(), .host = contents.data(), .isHeap = true});
    }
    heap_ = ownHeap_.get();
    if (cooperative) addWorkspace(deviceAddressOf(u32(allocations_.size())));
}

void initialiseVariable(const ptx::Module& module, u32 number, std::span<const u64> addresses,
                        std::byte* host) {
    const ptx::Variable& variable = module.variables[number];
    std::fill_n(host, variable.sizeBytes, std::byte{0});
    std::copy_n(variable.initial.begin(), std::min<u64>(variable.initial.size(), variable.sizeBytes), host);
    for (const auto& address : variable.initialAddresses) {
        if (address.atByte + 8 > variable.sizeBytes) continue;
        const u64 target =
            address.function ? kFunctionAddress + address.function->value : addresses[address.of.value];
        const u64 value = target + u64(address.offsetBytes);
        std::memcpy(host + address.atByte, &value, std::min<u32>(8, module.addressBits / 8));
    }
}

u64 DeviceMemory::bytes() const {
    u64 sum = 0;
    for (const Allocation& allocation : allocations_)
        sum += allocation.bytes;
    return sum;
}

PiecePool::Piece PiecePool::take() {
    {
        const std::lock_guard lock(mutex_);
        if (!free_.empty()) {
            Piece last = std::move(free_.back());
            free_.pop_back();
            return last;
        }
    }
    return Piece(new std::byte[kPieceBytes]);  // which sets nothing, unlike std::make_unique
}

void PiecePool::give(Piece piece) {
    const std::lock_guard lock(mutex_);
    if (free_.size() < kMost) free_.push_back(std::move(piece));
}

struct Snapshot::Pieces {
    Pieces(u64 size, PiecePool* from)
        : contents((size + kPieceBytes - 1) / kPieceBytes), left(contents.size()), bytes(size), pool(from) {}
    ~Pieces() {
        for (u64 number = 0; number < contents.size(); ++number) {
            PiecePool::Piece piece(contents[number].load());
            if (piece && isWhole(number)) pool->give(std::move(piece));
        }
    }
    bool isWhole(u64 number) const { return pool && (number + 1) * kPieceBytes <= bytes; }
    Pieces(const Pieces&) = delete;
    Pieces& operator=(const Pieces&) = delete;

    std::vector<std::atomic<std::byte*>> contents;  // null: not saved
    std::atomic<u64> left;                          // that are not
    const u64 bytes;
    PiecePool* const pool;  // of whole pieces; may be null
};

Snapshot::Snapshot(const DeviceMemory& memory, std::span<const Buffer> initial)
    : memory_(memory),
      initial_(initial),
      kept_(memory.allocations().size()),
      pieces_(memory.allocations().size()) {
    const std::span<const Allocation> all = memory.allocations();
    if (std::ranges::none_of(all, &Allocation::isWatched)) return;
    for (const Allocation& allocation : all)
        written_.push_back(allocation.isWatched ? std::make_unique<Bits>(allocation.bytes / 64 + 1)
                                                : nullptr);
}

Snapshot::~Snapshot() {
    for (std::atomic<Pieces*>& pieces : pieces_)
        delete pieces.load();
}

Snapshot::Pieces& Snapshot::piecesOf(u32 allocation) {
    if (Pieces* const known = pieces_[allocation].load(std::memory_order_acquire)) return *known;
    const std::lock_guard lock(mutex_);
    if (!pieces_[allocation])
        pieces_[allocation].store(new Pieces(memory_.allocations()[allocation].bytes, memory_.pool()),
                                  std::memory_order_release);
    return *pieces_[allocation];
}

void Snapshot::keep(u32 allocation, WrittenBytes written) {
    const Allocation& a = memory_.allocations()[allocation];
    if (isKeptElsewhere(a)) {
        kept_[allocation].store(true, std::memory_order_release);
        return;
    }
    Pieces& pieces = piecesOf(allocation);
    const u64 end = std::min(written.end, a.bytes);
    for (u64 number = written.first / kPieceBytes; number * kPieceBytes < end; ++number) {
        std::atomic<std::byte*>& piece = pieces.contents[number];
        if (piece.load(std::memory_order_acquire)) continue;
        const std::lock_guard lock(savingMutexes_[number % savingMutexes_.size()]);
        if (piece.load(std::memory_order_relaxed)) continue;
        const u64 first = number * kPieceBytes, bytes = std::min(kPieceBytes, a.bytes - first);
        PiecePool::Piece copy =
            pieces.isWhole(number) ? pieces.pool->take() : PiecePool::Piece(new std::byte[bytes]);
        std::copy_n(a.host + first, bytes, copy.get());
        piece.store(copy.release(), std::memory_order_release);
        if (--pieces.left == 0) kept_[allocation].store(true, std::memory_order_release);
    }
}

u64 Snapshot::piecesSaved(u32 allocation) const {
    const Pieces* const pieces = pieces_[allocation].load(std::memory_order_acquire);
    return pieces ? pieces->contents.size() : 0;
}

std::span<const std::byte> Snapshot::savedPiece(u32 allocation, u64 number) const {
    const Pieces& pieces = *pieces_[allocation].load(std::memory_order_acquire);
    const std::byte* const piece = pieces.contents[number].load(std::memory_order_acquire);
    if (!piece) return {};
    const u64 first = number * kPieceBytes;
    return {piece, std::min(kPieceBytes, memory_.allocations()[allocation].bytes - first)};
}

void Snapshot::mark(u32 allocation, WrittenBytes written) {
    Bits& bits = *written_[allocation];
    for (u64 at = written.first; at < written.end;) {
        const u64 word = at / 64, end = std::min(written.end, (word + 1) * 64), count = end - at;
        const u64 wanted = (count == 64 ? ~u64{0} : (u64{1} << count) - 1) << (at % 64);
        if ((bits[word].load(std::memory_order_relaxed) & wanted) != wanted)
            bits[word].fetch_or(wanted, std::memory_order_relaxed);
        at = end;
    }
}

std::vector<WrittenRange> Snapshot::written() const {
    std::vector<WrittenRange> ranges;
    for (u32 i = 0; i < written_.size(); ++i) {
        if (!written_[i]) continue;
        bool isOpen = false;  // the last range may go on
        for (u64 word = 0; word < written_[i]->size(); ++word) {
            const u64 bits = (*written_[i])[word].load(std::memory_order_relaxed);
            if (!bits || (isOpen && bits == ~u64{0})) {
                isOpen &= bits != 0;
                if (isOpen) ranges.back().bytes.end += 64;
                continue;
            }
            for (u64 bit = 0; bit < 64; ++bit) {
                const bool isWritten = bits >> bit & 1;
                if (isWritten && !isOpen) ranges.push_back({i, {word * 64 + bit, word * 64 + bit}});
                if (isWritten) ++ranges.back().bytes.end;
                isOpen = isWritten;
            }
        }
    }
    return ranges;
}

void Snapshot::restore() {
    for (const std::unique_ptr<Bits>& bits : written_)
        if (bits) std::fill(bits->begin(), bits->end(), 0);
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
        const Allocation& a = memory_.allocations()[i];
        if (isKeptElsewhere(a)) {
            if (kept_[i].load(std::memory_order_relaxed))
                std::ranges::copy(initial_[u32(a.buffer)].bytes, a.host);
            continue;
        }
        const Pieces* const pieces = pieces_[i].load(std::memory_order_relaxed);
        for (u64 number = 0; pieces && number < pieces->contents.size(); ++number)
            if (const std::byte* const piece = pieces->contents[number].load(std::memory_order_relaxed)) {
                const u64 first = number * kPieceBytes;
                std::copy_n(piece, std::min(kPieceBytes, a.bytes - first), a.host + first);
            }
    }
}

}  // namespace lockstep::simt
