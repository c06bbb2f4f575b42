#include "program/device_heap.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>

namespace lockstep::program {
namespace {

using cudart::kFirstAddress;
using cudart::kPlaceShift;
using cudart::Memory;

constexpr u64 kPlaceBytes = u64{1} << kPlaceShift,
              kPlaces = (cudart::kEndAddress - kFirstAddress) >> kPlaceShift,
              kSkewBytes =
                  17 * 512,     // so that allocations do not begin in the same cache sets; textures need 512
    kFileBytes = u64{1} << 60;  // more than all allocations of a program will ever need

u64 pageBytes() { return u64(sysconf(_SC_PAGESIZE)); }
u64 placesFor(u64 bytes) { return (bytes >> kPlaceShift) + 2; }
u64 pageOf(u64 address) { return address / pageBytes() * pageBytes(); }
u64 wholePages(u64 bytes) { return (bytes + pageBytes() - 1) / pageBytes() * pageBytes(); }

// Of one size from the start: pages that lockstep has mapped cannot be cut off by the program.
int sealedFile() {
    const int file = memfd_create("lockstep-device", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) return -1;
    if (ftruncate(file, off_t(kFileBytes)) == 0 &&
        fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        return file;
    close(file);
    return -1;
}

}  // namespace

DeviceHeap::DeviceHeap(u64 mostBytes)
    : file_(sealedFile()), most_(mostBytes), mostOfHost_(u64(sysconf(_SC_PHYS_PAGES)) * pageBytes()) {}

DeviceHeap::~DeviceHeap() {
    for (const HeapBlock& block : blocks_)
        if (block.host && block.mappedBytes) munmap(block.host, block.mappedBytes);
    if (file_ >= 0) close(file_);
}

std::byte* DeviceHeap::map(u64 offset, u64 bytes) const {
    void* const at =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file_, off_t(offset));
    return at == MAP_FAILED ? nullptr : static_cast<std::byte*>(at);
}

std::string DeviceHeap::pendingQuestions() const {
    u64 bytes = 0;
    if (pread(file_, &bytes, sizeof bytes, 0) != ssize_t(sizeof bytes)) return {};
    std::string questions(std::min<u64>(bytes, sizeof cudart::Pending::questions), '\0');
    const ssize_t read =
        pread(file_, questions.data(), questions.size(), offsetof(cudart::Pending, questions));
    questions.resize(std::size_t(std::max<ssize_t>(read, 0)));
    return questions;
}

std::optional<u64> DeviceHeap::takePlaces(u64 count) {
    if (count <= kPlaces - blockAt_.size()) {
        blockAt_.resize(blockAt_.size() + count);
        return blockAt_.size() - count;
    }
    const auto fits = [&](const Places& places) { return places.count >= count; };
    auto found = std::ranges::find_if(freed_, fits);
    if (found == freed_.end()) {  // neighbors together
        std::ranges::sort(freed_, {}, &Places::first);
        std::deque<Places> joined;
        for (const Places& places : freed_)
            if (!joined.empty() && joined.back().first + joined.back().count == places.first)
                joined.back().count += places.count;
            else
                joined.push_back(places);
        freed_ = std::move(joined);
        found = std::ranges::find_if(freed_, fits);
        if (found == freed_.end()) return {};
    }
    const u64 first = found->first;
    found->first += count;
    found->count -= count;
    if (!found->count) freed_.erase(found);
    return first;
}

HeapBlock* DeviceHeap::allocate(u64 bytes, Memory memory, u64 caller) {
    const bool isOfHost = memory == Memory::Host;
    if (bytes > (isOfHost ? mostOfHost_ - usedOfHost_ : freeBytes()) || file_ < 0) return nullptr;
    const u64 whole = wholePages(std::max<u64>(bytes, 1)), places = placesFor(bytes);
    if (whole > kFileBytes - fileEnd_) return nullptr;
    std::byte* const host = map(fileEnd_, whole);
    if (!host) return nullptr;
    const std::optional<u64> first = takePlaces(places);
    if (!first) {
        munmap(host, whole);
        return nullptr;
    }
    // In the middle of its places. The host maps what it sees in whole pages.
    const u64 skew = memory == Memory::Device ? blocks_.size() * kSkewBytes % (1 << 20) : 0;
    std::fill_n(blockAt_.begin() + s64(*first), places, u32(blocks_.size() + 1));
    blocks_.push_back({.address = kFirstAddress + (*first << kPlaceShift) + kPlaceBytes / 2 + skew,
                       .bytes = bytes,
                       .caller = caller,
                       .fileOffset = fileEnd_,
                       .mappedBytes = whole,
                       .host = host,
                       .memory = memory});
    fileEnd_ += whole;
    (isOfHost ? usedOfHost_ : used_) += bytes;
    return &blocks_.back();
}

bool DeviceHeap::isFitForHost(u64 address, u64 bytes, u64 fileOffset) const {
    const u64 end = address + bytes;
    const bool isInFile = fileOffset <= fileEnd_ && bytes <= fileEnd_ - fileOffset,
               isOutside = end >= address && (end <= kFirstAddress || address >= cudart::kEndAddress);
    return bytes && isInFile && isOutside && address % pageBytes() == fileOffset % pageBytes() &&
           std::ranges::none_of(blocks_, [&](const HeapBlock& block) {
               return block.memory == Memory::Registered && !block.isFreed &&
                      address < block.address + block.bytes && block.address < end;
           });
}

std::optional<u64> DeviceHeap::reserve(u64 bytes) {
    if (!bytes || bytes > mostOfHost_ - usedOfHost_ || file_ < 0) return {};
    const u64 whole = wholePages(bytes), offset = fileEnd_;
    if (whole > mostOfHost_ - usedOfHost_ || whole > kFileBytes - fileEnd_) return {};
    fileEnd_ += whole;
    usedOfHost_ += whole;
    return offset;
}

void DeviceHeap::punch(u64 fileOffset, u64 bytes) {
    fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, off_t(fileOffset), off_t(bytes));
}

void DeviceHeap::unshare(u64 begin, u64 end) {
    auto at = shared_.upper_bound(begin);
    if (at != shared_.begin()) --at;
    while (at != shared_.end() && at->first < end) {
        const auto [first, pages] = *at;
        if (pages.end <= begin) {
            ++at;
            continue;
        }
        at = shared_.erase(at);
        const u64 from = std::max(first, begin), to = std::min(pages.end, end);
        punch(pages.fileOffset + (from - first), to - from);
        usedOfHost_ -= std::min(usedOfHost_, to - from);
        if (first < from) shared_[first] = {from, pages.fileOffset};
        if (to < pages.end) shared_[to] = {pages.end, pages.fileOffset + (to - first)};
    }
}

// The pages that the host had there before are no longer in use, unless they are the same.
void DeviceHeap::share(u64 begin, u64 end, u64 fileOffset) {
    for (u64 page = begin; page < end;) {
        const auto after = shared_.upper_bound(page);
        u64 to = after == shared_.end() ? end : std::min(end, after->first);
        bool isSame = false;
        if (after != shared_.begin()) {
            const auto& [first, pages] = *std::prev(after);
            if (page < pages.end) {
                to = std::min(end, pages.end);
                isSame = pages.fileOffset + (page - first) == fileOffset + (page - begin);
            }
        }
        if (!isSame) {
            unshare(page, to);
            shared_[page] = {to, fileOffset + (page - begin)};
        }
        page = to;
    }
}

// Other memory of the host's with pages among these.
bool DeviceHeap::moveNeighbors(u64 begin, u64 end, u64 fileOffset) {
    for (const HeapBlock& block : blocks_) {
        if (block.memory != Memory::Registered || block.isFreed) continue;
        const u64 first = pageOf(block.address), from = std::max(begin, first),
                  to = std::min(end, first + block.mappedBytes);
        if (from < to && mmap(block.host + (from - first), to - from, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_NORESERVE | MAP_FIXED, file_,
                              off_t(fileOffset + (from - begin))) == MAP_FAILED)
            return false;
    }
    return true;
}

HeapBlock* DeviceHeap::addRegistered(u64 address, u64 bytes, u64 fileOffset, u64 caller) {
    if (!isFitForHost(address, bytes, fileOffset)) return nullptr;
    const u64 begin = pageOf(fileOffset), whole = wholePages(fileOffset + bytes) - begin;
    std::byte* const host = map(begin, whole);
    if (!host) return nullptr;
    if (!moveNeighbors(pageOf(address), pageOf(address) + whole, begin)) {
        munmap(host, whole);
        return nullptr;
    }
    share(pageOf(address), pageOf(address) + whole, begin);
    blocks_.push_back({.address = address,
                       .bytes = bytes,
                       .caller = caller,
                       .fileOffset = begin,
                       .mappedBytes = whole,
                       .host = host,
                       .memory = Memory::Registered,
                       .inPage = address - pageOf(address)});
    return &blocks_.back();
}

bool DeviceHeap::moveTo(HeapBlock& block, u64 address, u64 fileOffset) {
    if (block.memory == Memory::Registered || !isFitForHost(address, block.bytes, fileOffset)) return false;
    const u64 begin = pageOf(fileOffset), whole = wholePages(fileOffset + block.bytes) - begin;
    std::byte* const host = map(begin, whole);
    if (!host) return false;
    if (!moveNeighbors(pageOf(address), pageOf(address) + whole, begin)) {
        munmap(host, whole);
        return false;
    }
    share(pageOf(address), pageOf(address) + whole, begin);
    munmap(block.host, block.mappedBytes);
    block.address = address;
    block.fileOffset = begin;
    block.mappedBytes = whole;
    block.host = host;
    block.memory = Memory::Registered;
    block.inPage = address - pageOf(address);
    return true;
}

// Its pages but those that other memory has in common with it: the first and the last.
void DeviceHeap::freeShared(const HeapBlock& block) {
    u64 begin = pageOf(block.address), end = begin + block.mappedBytes;
    for (const HeapBlock& other : blocks_) {
        if (other.memory != Memory::Registered || other.isFreed || &other == &block) continue;
        const bool isBefore = other.address < block.address;
        if (isBefore && other.address + other.bytes > pageOf(block.address))
            begin = pageOf(block.address) + pageBytes();
        if (!isBefore && other.address < pageOf(block.address) + block.mappedBytes)
            end = pageOf(block.address) + block.mappedBytes - pageBytes();
    }
    if (begin < end) unshare(begin, end);
}

bool DeviceHeap::free(u64 address, u64 caller) {
    auto* const found = const_cast<HeapBlock*>(find(address));
    if (!found || found->address != address || found->isFreed || found->module ||
        (found->isKernelHeap && kernelHeap_))
        return false;
    munmap(found->host, found->mappedBytes);
    if (found->memory == Memory::Registered) {
        freeShared(*found);
    } else {
        punch(found->fileOffset, found->mappedBytes);
        (found->memory == Memory::Host ? usedOfHost_ : used_) -= found->bytes;
        freed_.push_back({(address - kFirstAddress) >> kPlaceShift, placesFor(found->bytes)});
    }
    found->host = nullptr;
    found->mappedBytes = 0;
    found->isFreed = true;
    found->freedBy = caller;
    return true;
}

bool DeviceHeap::makeKernelHeap() {
    if (kernelHeap_) return true;
    HeapBlock* const block = allocate(kernelHeapBytes_, Memory::Device, 0);
    if (!block) return false;
    block->isKernelHeap = true;
    kernelHeapBlock_ = u32(block - blocks_.data());
    kernelHeap_ = std::make_unique<simt::KernelHeap>(kernelHeapBytes_);
    return true;
}

// Source: measured on an H200 (CUDA 13.0): it has at least 4 MiB.
bool DeviceHeap::setKernelHeapBytes(u64 bytes) {
    if (kernelHeap_) return false;
    kernelHeapBytes_ = std::max(bytes, u64{4} << 20);
    return true;
}

void DeviceHeap::freeAll() {
    kernelHeap_ = nullptr;
    kernelHeapBytes_ = simt::KernelHeap::kDefaultBytes;
    for (const HeapBlock& block : std::vector(blocks_))
        if (!block.isFreed && !block.module) free(block.address, 0);
}

const HeapBlock* DeviceHeap::find(u64 address) const {
    const u64 place = (address - kFirstAddress) >> kPlaceShift;
    if (place < blockAt_.size()) return &blocks_[blockAt_[place] - 1];
    const HeapBlock* freed = nullptr;
    for (const HeapBlock& block : blocks_)
        if (block.memory == Memory::Registered && address - block.address < block.bytes) {
            if (!block.isFreed) return &block;
            freed = &block;
        }
    return freed;
}

std::vector<u32> DeviceHeap::liveBlocks() const {
    std::vector<u32> live;
    for (u32 i = 0; i < blocks_.size(); ++i)
        if (!blocks_[i].isFreed) live.push_back(i);
    return live;
}

simt::LastingMemory DeviceHeap::memoryFor(u32 module, const ptx::Module& code) const {
    simt::LastingMemory memory;
    memory.placeShift = kPlaceShift;
    memory.firstPlace = kFirstAddress >> kPlaceShift;
    memory.workspace = kFirstAddress - kPlaceBytes;  // of no allocation
    memory.variableAddresses.resize(code.variables.size());
    std::vector<u32> numberOf(blocks_.size());
    for (u32 i : liveBlocks()) {
        const HeapBlock& block = blocks_[i];
        const bool isOwn = block.module == module;
        numberOf[i] = u32(memory.allocations.size() + 1);
        memory.allocations.push_back(
            {.base = block.address,
             .bytes = block.bytes,
             .host = block.bytesOnHost(),
             .buffer = s32(numberOf[i] - 1),
             .variable = isOwn ? block.variable : 0,
             .constant = isOwn && code.variables[block.variable].space == ptx::StateSpace::Const,
             .isWatched = block.memory == Memory::Managed || block.memory == Memory::Host,
             .isHeap = block.isKernelHeap});
        if (isOwn) memory.variableAddresses[block.variable] = block.address;
        if (block.memory == Memory::Registered) memory.elsewhere.push_back(numberOf[i] - 1);
    }
    memory.heap = kernelHeap_.get();
    memory.allocationAt.resize(blockAt_.size());
    for (std::size_t place = 0; place < blockAt_.size(); ++place)
        memory.allocationAt[place] = numberOf[blockAt_[place] - 1];
    return memory;
}

}  // namespace lockstep::program
