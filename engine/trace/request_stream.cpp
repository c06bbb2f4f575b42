#include "trace/request_stream.h"

#include "trace/sector_size.h"

#include <algorithm>
#include <bit>

namespace lockstep::trace {
namespace {

// A word's two lowest bits give its kind.
enum Tag : u64 {
    kRun,    // predicted requests; their number above
    kShape,  // one request: site above; then its shape and the address of its lowest lane
    kLines,  // one request: number of lines from bit 32, site below; then the lines
    kFence,
};

}  // namespace

RequestRecorder::RequestRecorder(RequestSink& sink, std::size_t sites, std::size_t warps)
    : sink_(sink), sites_(sites), warps_(warps), shapes_(std::make_shared<std::deque<RequestShape>>()) {}

void RequestRecorder::beginBlock() {
    requests_ = 0;
    for (Warp& warp : warps_) {
        warp.forecast.clear(sites_ + 1);
        warp.run = 0;
        warp.asked = false;
        warp.words.clear();
    }
}

BlockRequests RequestRecorder::finishBlock() {
    BlockRequests block{.words = {}, .warps = u32(warps_.size()), .shapes = shapes_, .requests = requests_};
    std::size_t words = warps_.size();
    for (Warp& warp : warps_) {
        endRun(warp);
        words += warp.words.size();
    }
    block.words.reserve(words);
    u64 end = warps_.size();
    for (const Warp& warp : warps_)
        block.words.push_back(end += warp.words.size());
    for (const Warp& warp : warps_)
        block.words.insert(block.words.end(), warp.words.begin(), warp.words.end());
    return block;
}

const RequestShape* RequestRecorder::keep(u32 number, LaneMask active, const LaneAddresses& distances) {
    if (number >= byNumber_.size()) byNumber_.resize(number + 1);
    return byNumber_[number] = &shapes_->emplace_back(RequestShape{sink_.numberShape(), active, distances});
}

void RequestRecorder::endRun(Warp& warp) {
    if (warp.run) warp.words.push_back(warp.run << 2 | kRun);
    warp.run = 0;
}

void RequestRecorder::write(Warp& warp, u32 site, const RequestShape* shape, u64 lowest) {
    endRun(warp);
    warp.words.push_back(u64{site} << 2 | kShape);
    warp.words.push_back(std::bit_cast<u64>(shape));
    warp.words.push_back(lowest);
    warp.forecast.correct(site, shape, lowest);
}

void RequestRecorder::request(u32 warp, u32 site, const WarpAccess& access) {
    Warp& at = warps_[warp];
    at.asked = true;
    ++requests_;
    endRun(at);
    linesOf(access.active, access.addresses, access.widthBytes, access.space == Space::Local, lines_);
    at.words.push_back(u64{lines_.size()} << 32 | u64{site} << 2 | kLines);
    for (const LineSectors& line : lines_) {
        at.words.push_back(line.line);
        at.words.push_back(u64{line.words} << 8 | line.sectors);
    }
    at.forecast.correct(site, nullptr, 0);
}

void RequestRecorder::fence(u32 warp) {
    endRun(warps_[warp]);
    warps_[warp].words.push_back(kFence);
}

RequestReader::Item RequestReader::decode() {
    if (at_ == words_.size()) return {};
    const u64 word = words_[at_++];
    switch (word & 3) {
        case kRun: run_ = word >> 2; return next();
        case kShape: {
            const u32 site = u32(word >> 2);
            const auto* shape = std::bit_cast<const RequestShape*>(words_[at_]);
            const u64 address = words_[at_ + 1];
            at_ += 2;
            forecast_.correct(site, shape, address);
            if (site == barrier_) return {.kind = Kind::Barrier, .lines = {}};
            return {.kind = Kind::Request, .site = site, .shape = shape, .address = address, .lines = {}};
        }
        case kLines: {
            const u32 site = u32(word & 0xffffffffu) >> 2;
            const std::size_t count = word >> 32 << 1;
            const std::span<const u64> lines(words_.data() + at_, count);
            at_ += count;
            forecast_.correct(site, nullptr, 0);
            return {.kind = Kind::Lines, .site = site, .lines = lines};
        }
        default: return {.kind = Kind::Fence, .lines = {}};
    }
}

void linesOf(LaneMask active, const LaneAddresses& addresses, u32 widthBytes, bool local,
             std::vector<LineSectors>& lines) {
    // Bytes of each line, as two words of 64 bits.
    struct Bytes {
        u64 line, low, high;
    };
    std::array<Bytes, kWarpSize * 5> found;  // a lane accesses at most two lines, or five of local words
    std::size_t count = 0;
    const auto add = [&](u64 address, u32 bytes) {
        const u64 line = address / kLineBytes;
        std::size_t at = count;  // the last ones first: neighbors usually share a line
        while (at > 0 && found[at - 1].line != line)
            --at;
        if (at == 0) {
            found[count++] = {line, 0, 0};
            at = count;
        }
        const u64 from = address % kLineBytes, mask = bytes >= 64 ? ~u64{0} : (u64{1} << bytes) - 1;
        Bytes& to = found[at - 1];
        if (from < 64) {
            to.low |= mask << from;
            if (from + bytes > 64) to.high |= mask >> (64 - from);
        } else {
            to.high |= mask << (from - 64);
        }
    };
    for (Lane lane : active) {
        const u64 address = addresses[lane.value];
        for (u32 done = 0; done < widthBytes;) {
            u64 at = address + done;
            u32 bytes = widthBytes - done;
            if (local) {
                bytes = std::min(bytes, 4 - u32(at % 4));
                at = at / 4 * kLineBytes + lane.value * 4 + at % 4;
            }
            bytes = std::min(bytes, u32(kLineBytes - at % kLineBytes));
            add(at, bytes);
            done += bytes;
        }
    }
    lines.clear();
    for (std::size_t i = 0; i < count; ++i) {
        LineSectors line{.line = found[i].line};
        for (u32 sector = 0; sector < kLineBytes / kSectorBytes; ++sector) {
            const u32 bytes = u32((sector < 2 ? found[i].low : found[i].high) >> (sector % 2 * kSectorBytes));
            line.sectors |= u8((bytes != 0) << sector);
            for (u32 word = 0; word < 8; ++word)
                line.words |= u32((bytes >> 4 * word & 15) == 15) << (8 * sector + word);
        }
        lines.push_back(line);
    }
    std::ranges::sort(lines, {}, &LineSectors::line);
}

}  // namespace lockstep::trace
