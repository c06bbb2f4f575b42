// Times, sizes and rates as people read them: three digits that count, in the unit that suits. One rule for
// every view and for the command line.
#pragma once

#include "base/integers.h"

#include <string>

namespace lockstep {

// Three digits that count: "0.0636", "8.05", "412", and at most five decimals.
std::string threeDigits(f64 value);

// "853 ns", "2.22 µs", "16.9 ms", "1.20 s"; 0 is "0 ns".
std::string timeText(f64 milliseconds);

// One unit for all times of a table: that of the longest.
struct TimeUnit {
    std::string name;      // "µs"
    f64 milliseconds = 1;  // one of it
    std::string figure(f64 ms) const { return threeDigits(ms / milliseconds); }
};
TimeUnit timeUnitFor(f64 longestMilliseconds);

// What is transferred, in the units of a rate: "128 B", "4,096 B", "14.8 KB", "33.6 MB". KB of 1,000 bytes;
// exact below 10,000.
std::string bytesText(f64 bytes);
// In the unit of another amount beside it, where that leaves a digit: "5.60 MB" beside 22.8 MB.
std::string bytesBeside(f64 bytes, f64 other);

// What a memory holds or an array takes: "4 KiB", "227 KiB", "26.4 MiB". KiB of 1,024 bytes, where they are
// whole or ten at least.
std::string capacityText(f64 bytes);

// A rate as data sheets give it, KB of 1,000 bytes: "958 GB/s", "4.80 TB/s".
std::string bytesPerSecondText(f64 rate);

}  // namespace lockstep
