// printf on the device: vprintf(format, arguments), with the arguments packed in order, each at its own
// alignment.
#include "simt/block_runner.h"

#include <bit>
#include <cstdio>
#include <cstring>

namespace lockstep::simt {
namespace {

constexpr u64 kMostText = 4096;  // of a format or of one %s

// Reads a thread's memory a byte at a time, because a string's length is not known.
class ThreadMemory {
public:
    ThreadMemory(const BlockMemory& memory, u32 warp, u32 lane) : memory_(memory), warp_(warp), lane_(lane) {}

    std::string text(u64 address) const {
        std::string text;
        while (text.size() < kMostText) {
            std::byte room;
            const std::byte* at = memory_.peek(address + text.size(), 1, warp_, lane_, &room);
            if (!at || *at == std::byte{0}) break;
            text += char(*at);
        }
        return text;
    }
    template <class T> T take(u64& address) const {
        address = (address + sizeof(T) - 1) / sizeof(T) * sizeof(T);
        T value{};
        std::byte room[sizeof(T)];
        if (const std::byte* at = memory_.peek(address, sizeof(T), warp_, lane_, room))
            std::memcpy(&value, at, sizeof value);
        address += sizeof value;
        return value;
    }

private:
    const BlockMemory& memory_;
    u32 warp_, lane_;
};

template <class T> std::string formatted(const std::string& format, T value) {
    char text[512];
    const int length = std::snprintf(text, sizeof text, format.c_str(), value);
    return length > 0 ? std::string(text, std::min<std::size_t>(std::size_t(length), sizeof text - 1))
                      : std::string();
}

// One conversion, after its %: flags, width and precision as in C, at most three digits each.
std::string convert(const std::string& format, std::size_t& i, u64& arguments, const ThreadMemory& memory) {
    std::string flags = "%";
    const auto number = [&] {
        if (i < format.size() && format[i] == '*') {
            ++i;
            flags += std::to_string(memory.take<s32>(arguments) % 256);
        }
        for (u32 digits = 0; i < format.size() && format[i] >= '0' && format[i] <= '9'; ++i)
            if (digits++ < 3) flags += format[i];
    };
    while (i < format.size() && std::strchr("-+ #0", format[i]))
        flags += format[i++];
    number();
    if (i < format.size() && format[i] == '.') {
        flags += format[i++];
        number();
    }
    bool isLong = false;
    u32 halves = 0;  // h: a short, hh: a char
    for (; i < format.size() && std::strchr("hlzjtL", format[i]); ++i) {
        isLong |= format[i] != 'h';
        halves += format[i] == 'h';
    }
    if (i >= format.size()) return {};
    const char conversion = format[i++];
    switch (conversion) {
        case 'd':
        case 'i': {
            if (isLong) return formatted(flags + "lld", (long long)(memory.take<s64>(arguments)));
            const s32 value = memory.take<s32>(arguments);
            return formatted(flags + "lld", (long long)(halves == 0   ? value
                                                        : halves == 1 ? s16(value)
                                                                      : s8(value)));
        }
        case 'u':
        case 'x':
        case 'X':
        case 'o': {
            if (isLong)
                return formatted(flags + "ll" + conversion,
                                 (unsigned long long)(memory.take<u64>(arguments)));
            const u32 value = memory.take<u32>(arguments);
            return formatted(flags + "ll" + conversion, (unsigned long long)(halves == 0   ? value
                                                                             : halves == 1 ? u16(value)
                                                                                           : u8(value)));
        }
        case 'c': return formatted(flags + "c", memory.take<s32>(arguments));
        case 'f':
        case 'F':
        case 'e':
        case 'E':
        case 'g':
        case 'G':
        case 'a':
        case 'A': return formatted(flags + conversion, memory.take<f64>(arguments));
        case 'p': return formatted("0x%llx", (unsigned long long)(memory.take<u64>(arguments)));
        case 's': {
            const u64 address = memory.take<u64>(arguments);
            return formatted(flags + "s", address ? memory.text(address).c_str() : "(null)");
        }
        case '%': return "%";
        default: return std::string("%") + conversion;
    }
}

std::string printed(const std::string& format, u64 arguments, const ThreadMemory& memory) {
    std::string text;
    for (std::size_t i = 0; i < format.size();) {
        if (format[i] != '%')
            text += format[i++];
        else
            text += convert(format, ++i, arguments, memory);
    }
    return text;
}

}  // namespace

namespace {

u64 argumentOf(const CallOperation& call, const std::byte* frame, std::size_t i, u32 lane) {
    u64 value = 0;
    if (i < call.arguments.size())
        std::memcpy(&value, frame + call.arguments[i].at + lane * call.arguments[i].strideBytes(),
                    std::min<u32>(8, call.arguments[i].sizeBytes));
    return value;
}

}  // namespace

void BlockRunner::print(const WarpState& warp, const CallOperation& call, const std::byte* frame,
                        u32 active) {
    for (Lane lane : LaneMask{active}) {
        const ThreadMemory memory(memory_, warp.index(), lane.value);
        output_.printed.add(printed(memory.text(argumentOf(call, frame, 0, lane.value)),
                                    argumentOf(call, frame, 1, lane.value), memory));
    }
    stop_.printed(output_.printed.text.size() + output_.printed.dropped);
}

// __assertfail(message, file, line, function, size of a character), for the first lane; each lane's text is
// printed as CUDA prints it.
std::string BlockRunner::assertion(const WarpState& warp, const CallOperation& call, const std::byte* frame,
                                   u32 active) {
    std::string first;
    for (Lane lane : LaneMask{active}) {
        const ThreadMemory memory(memory_, warp.index(), lane.value);
        const auto text = [&](std::size_t i) { return memory.text(argumentOf(call, frame, i, lane.value)); };
        const Dim3 thread = coordinatesOf(u64{warp.index()} * kWarpSize + lane.value, shape_.block);
        const std::string condition = text(0);
        output_.assertions.add(text(1) + ":" + std::to_string(u32(argumentOf(call, frame, 2, lane.value))) +
                               ": " + text(3) + ": block: [" + std::to_string(at_.x) + "," +
                               std::to_string(at_.y) + "," + std::to_string(at_.z) + "], thread: [" +
                               std::to_string(thread.x) + "," + std::to_string(thread.y) + "," +
                               std::to_string(thread.z) + "] Assertion `" + condition + "` failed.\n");
        if (first.empty()) first = condition;
    }
    return first;
}

}  // namespace lockstep::simt
