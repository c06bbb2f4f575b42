#include "base/check.h"
#include "base/text/counted.h"
#include "cuda/driver_error.h"
#include "cuda/gpu.h"

#include <algorithm>
#include <utility>

namespace lockstep::cuda {
namespace {

constexpr u64 kAlignment = 256;  // of every allocation: CUDA C++ Programming Guide, "Device Memory Accesses"
constexpr u64 kPieceBytes = u64{1} << 20;

// Merges neighboring overwritten bytes into runs.
class StrayRuns {
public:
    StrayRuns(std::vector<DeviceMemory::StrayWrite>& runs, u32 most) : runs_(runs), most_(most) {}

    void look(std::span<const std::byte> zone, s64 offset) {
        for (std::size_t i = 0; i < zone.size(); ++i) {
            if (zone[i] == std::byte{kPoisonByte}) continue;
            add(offset + s64(i));
        }
    }
    bool full() const { return runs_.size() >= most_; }

private:
    void add(s64 at) {
        if (!runs_.empty() && at - (runs_.back().offset + s64(runs_.back().bytes)) < 4)
            runs_.back().bytes = u64(at - runs_.back().offset) + 1;
        else if (!full())
            runs_.push_back({at, 1});
    }

    std::vector<DeviceMemory::StrayWrite>& runs_;
    u32 most_;
};

}  // namespace

Expected<DeviceMemory> DeviceMemory::allocate(const Context& context, u64 bytes, u64 guardBytes) {
    const DriverLibrary& driver = context.driver();
    DeviceMemory memory;
    memory.bytes_ = bytes;
    memory.guardBytes_ = (guardBytes + kAlignment - 1) / kAlignment * kAlignment;
    const u64 whole = std::max<u64>(bytes + 2 * memory.guardBytes_, 1);  // the driver rejects 0
    const auto allocated = check(driver, driver.memoryAllocate(&memory.start_, whole),
                                 Message(english("asking for {0} {0:byte|bytes}"), grouped(whole)));
    if (!allocated) return Unexpected{allocated.error()};
    memory.driver_ = &driver;
    if (const auto filled = memory.fillGuards(); !filled) return Unexpected{filled.error()};
    return memory;
}

DeviceMemory::DeviceMemory(DeviceMemory&& other) noexcept
    : driver_(std::exchange(other.driver_, nullptr)),
      start_(std::exchange(other.start_, 0)),
      bytes_(std::exchange(other.bytes_, 0)),
      guardBytes_(std::exchange(other.guardBytes_, 0)) {}

DeviceMemory& DeviceMemory::operator=(DeviceMemory&& other) noexcept {
    std::swap(driver_, other.driver_);
    std::swap(start_, other.start_);
    std::swap(bytes_, other.bytes_);
    std::swap(guardBytes_, other.guardBytes_);
    return *this;
}

DeviceMemory::~DeviceMemory() {
    if (driver_) driver_->memoryFree(start_);
}

Expected<void> DeviceMemory::upload(std::span<const std::byte> from, u64 offset) const {
    CHECK_LE(offset + from.size(), bytes_, "it fits");
    if (from.empty()) return {};
    return check(*driver_, driver_->copyToDevice(address() + offset, from.data(), from.size()),
                 Message(english("copying {0} {0:byte|bytes} to the GPU"), grouped(from.size())));
}

Expected<void> DeviceMemory::download(std::span<std::byte> to, u64 offset) const {
    CHECK_LE(offset + to.size(), bytes_, "it is there");
    if (to.empty()) return {};
    return check(*driver_, driver_->copyToHost(to.data(), address() + offset, to.size()),
                 Message(english("copying {0} {0:byte|bytes} from the GPU"), grouped(to.size())));
}

Expected<void> DeviceMemory::fill(u8 value) const {
    if (bytes_ == 0) return {};
    return check(*driver_, driver_->memorySetAsync(address(), value, bytes_, nullptr),
                 english("filling a buffer"));
}

Expected<void> DeviceMemory::fillGuards() const {
    if (guardBytes_ == 0) return {};
    for (const DevicePointer zone : {start_, start_ + guardBytes_ + bytes_})
        if (auto filled = check(*driver_, driver_->memorySetAsync(zone, kPoisonByte, guardBytes_, nullptr),
                                english("filling the guard zones"));
            !filled)
            return filled;
    return {};
}

Expected<std::vector<DeviceMemory::StrayWrite>> DeviceMemory::strayWrites(u32 most) const {
    std::vector<StrayWrite> found;
    StrayRuns runs(found, most);
    std::vector<std::byte> piece(std::min(kPieceBytes, guardBytes_));
    for (const auto& [zone, offset] :
         {std::pair{start_, -s64(guardBytes_)}, std::pair{start_ + guardBytes_ + bytes_, s64(bytes_)}}) {
        for (u64 at = 0; at < guardBytes_ && !runs.full(); at += piece.size()) {
            const std::span<std::byte> part(piece.data(), std::min<u64>(piece.size(), guardBytes_ - at));
            if (const auto read = check(*driver_, driver_->copyToHost(part.data(), zone + at, part.size()),
                                        english("checking the guard zones"));
                !read)
                return Unexpected{read.error()};
            runs.look(part, offset + s64(at));
        }
    }
    return found;
}

}  // namespace lockstep::cuda
