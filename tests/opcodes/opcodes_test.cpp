// Every row of the opcode table against measured/*.txt (what an NVIDIA H200 computed) and by_hand/*.txt (what
// no GPU at hand computes): all tuples by their fingerprint, some of them value by value; and partial masks
// against full ones.
#include "base/lane_mask.h"
#include "operands.h"
#include "simt/opcodes/opcode_table.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iomanip>
#include <set>
#include <sstream>

namespace lockstep::opcodes {
namespace {

using simt::OpcodeRow;
using simt::Storage;

// Operands of a warp as the emulator lays them out: 256 bytes each, results first.
struct Frame {
    alignas(64) std::byte bytes[simt::kMostOperands * 256]{};
    std::array<u32, simt::kMostOperands> at{0, 256, 512, 768, 1024, 1280, 1536, 1792};

    void put(u32 operand, Storage storage, u32 lane, u64 bits) {
        if (storage == Storage::Predicate) {
            u32& mask = *reinterpret_cast<u32*>(bytes + at[operand]);
            mask = (mask & ~(1u << lane)) | u32(bits & 1) << lane;
        } else if (storage == Storage::Lanes64) {
            reinterpret_cast<u64*>(bytes + at[operand])[lane] = bits;
        } else {
            reinterpret_cast<u32*>(bytes + at[operand])[lane] = u32(bits);
        }
    }
    u64 get(u32 operand, Storage storage, u32 lane) const {
        if (storage == Storage::Predicate)
            return *reinterpret_cast<const u32*>(bytes + at[operand]) >> lane & 1;
        if (storage == Storage::Lanes64) return reinterpret_cast<const u64*>(bytes + at[operand])[lane];
        return reinterpret_cast<const u32*>(bytes + at[operand])[lane];
    }
};

// results[r][tuple]; lanes outside `mask` keep `untouched`.
constexpr u64 kUntouched = 0x5555555555555555;
std::vector<std::vector<u64>> computed(const OpcodeRow& row, u32 mask) {
    const std::vector<Kind> kinds = sourceKinds(row);
    std::vector<std::vector<u64>> results(row.results, std::vector<u64>(kTuples));
    Frame frame;
    for (u32 first = 0; first < kTuples; first += 32) {
        for (u32 lane = 0; lane < 32; ++lane) {
            for (u32 r = 0; r < row.results; ++r)
                frame.put(r, row.operands[r], lane, kUntouched);
            for (u32 s = 0; s < row.sources; ++s)
                frame.put(row.results + s, row.operands[row.results + s], lane,
                          operandBits(kinds[s], s, first + lane));
        }
        row.execute(frame.at.data(), frame.bytes, mask);
        for (u32 r = 0; r < row.results; ++r)
            for (u32 lane = 0; lane < 32; ++lane)
                results[r][first + lane] = frame.get(r, row.operands[r], lane);
    }
    return results;
}

// FNV-1a over 32-bit words, as summarise.py makes it.
u64 fingerprint(const OpcodeRow& row, const std::vector<std::vector<u64>>& results) {
    u64 hash = 0xcbf29ce484222325;
    const auto add = [&](u32 word) { hash = (hash ^ word) * 0x100000001b3; };
    for (u32 r = 0; r < row.results; ++r) {
        u32 flags = 0;
        for (u32 t = 0; t < kTuples; ++t) {
            if (row.operands[r] == Storage::Predicate) {
                flags |= u32(results[r][t]) << t % 32;
                if (t % 32 == 31) add(std::exchange(flags, 0));
            } else {
                add(u32(results[r][t]));
                if (row.operands[r] == Storage::Lanes64) add(u32(results[r][t] >> 32));
            }
        }
    }
    return hash;
}

std::string inHexadecimal(const OpcodeRow& row, std::span<const u64> values) {
    std::ostringstream text;
    for (u32 r = 0; r < row.results; ++r) {
        constexpr int digits[] = {0, 8, 16, 32, 1};
        text << (r ? " " : "") << std::hex << std::setfill('0') << std::setw(digits[int(row.operands[r])])
             << values[r];
    }
    return text.str();
}

std::vector<std::string> linesOf(const std::filesystem::path& path) {
    std::ifstream file(path);
    EXPECT_TRUE(file) << path;
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
        if (!line.empty() && line[0] != '#') lines.push_back(line);
    return lines;
}

std::set<std::filesystem::path> filesIn(std::string_view folder) {
    std::set<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(LOCKSTEP_SOURCE_DIR) /
                                                                 "tests/opcodes" / folder))
        files.insert(entry.path());
    return files;
}

TEST(Opcodes, ComputeWhatTheGpuComputed) {
    u32 forms = 0;
    for (const auto& path : filesIn("measured")) {
        const OpcodeRow* row = nullptr;
        std::vector<std::vector<u64>> results;
        for (const std::string& line : linesOf(path)) {
            std::istringstream words(line);
            if (line[0] != ' ') {
                std::string form;
                u64 expected;
                words >> form >> std::hex >> expected;
                row = simt::findOpcode(form);
                ASSERT_NE(row, nullptr) << form;
                results = computed(*row, 0xffffffff);
                EXPECT_EQ(fingerprint(*row, results), expected)
                    << form << ": some of its 2048 tuples differ from the GPU's";
                ++forms;
            } else {
                u32 tuple;
                words >> tuple;
                std::vector<u64> values;
                for (const auto& result : results)
                    values.push_back(result.at(tuple));
                EXPECT_EQ(inHexadecimal(*row, values), line.substr(line.find("-> ") + 3))
                    << row->form << line;
            }
        }
    }
    EXPECT_GE(forms, 5000u);
}

// What a lane gets does not depend on who else runs, except where lanes look at each other.
TEST(Opcodes, LeaveLanesOutsideTheMaskAlone) {
    std::set<std::string_view> warpWide;
    for (const OpcodeRow& row : simt::warpOpcodes())
        warpWide.insert(row.form);
    constexpr u32 kMask = 0x8421fff6;
    for (const OpcodeRow& row : simt::allOpcodes()) {
        if (warpWide.contains(row.form)) continue;
        const auto all = computed(row, 0xffffffff), some = computed(row, kMask);
        for (u32 r = 0; r < row.results; ++r) {
            const u64 untouched = row.operands[r] == Storage::Predicate ? kUntouched & 1
                                  : row.operands[r] == Storage::Lanes64 ? kUntouched
                                                                        : u32(kUntouched);
            for (u32 t = 0; t < kTuples; ++t)
                ASSERT_EQ(some[r][t], kMask >> t % 32 & 1 ? all[r][t] : untouched)
                    << row.form << " tuple " << t;
        }
    }
}

// by_hand: "form mask", then a line per operand: the lanes' values, the last one repeated; results last,
// after "->".
std::vector<u64> laneValues(std::istringstream& words) {
    std::vector<u64> values;
    for (u64 value; words >> std::hex >> value;)
        values.push_back(value);
    if (!values.empty()) values.resize(32, values.back());
    return values;
}
TEST(Opcodes, ComputeWhatWasWorkedOutByHand) {
    for (const auto& path : filesIn("by_hand")) {
        const OpcodeRow* row = nullptr;
        Frame frame;
        u32 mask = 0, source = 0, result = 0;
        for (const std::string& line : linesOf(path)) {
            std::istringstream words(line);
            std::string first;
            words >> first;
            if (line[0] != ' ') {
                row = simt::findOpcode(first);
                ASSERT_NE(row, nullptr) << first;
                words >> std::hex >> mask;
                frame = {}, source = result = 0;
            } else if (first == "->") {
                if (result == 0) row->execute(frame.at.data(), frame.bytes, mask);
                const std::vector<u64> expected = laneValues(words);
                ASSERT_EQ(expected.size(), 32u) << row->form << line;
                for (Lane lane : LaneMask{mask})
                    EXPECT_EQ(frame.get(result, row->operands[result], lane.value), expected[lane.value])
                        << row->form << " lane " << lane.value;
                ++result;
            } else {
                std::istringstream all(line);
                const std::vector<u64> values = laneValues(all);
                for (u32 lane = 0; lane < 32; ++lane)
                    frame.put(row->results + source, row->operands[row->results + source], lane,
                              values[lane]);
                ++source;
            }
        }
    }
}

// Whole binades of the special function unit, every so many arguments: "form first step count fingerprint".
TEST(Opcodes, ApproximateAsTheGpuDoes) {
    for (const std::string& line :
         linesOf(std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "tests/opcodes/special_functions.txt")) {
        std::istringstream words(line);
        std::string form;
        u32 first, step, count;
        u64 expected, hash = 0xcbf29ce484222325;
        words >> form >> std::hex >> first >> std::dec >> step >> count >> std::hex >> expected;
        const OpcodeRow* row = simt::findOpcode(form);
        ASSERT_NE(row, nullptr) << form;
        const bool isDouble =
            row->operands[0] == Storage::Lanes64;  // its upper word is the argument, and the result
        Frame frame;
        for (u32 i = 0; i < count; i += 32) {
            for (u32 lane = 0; lane < 32; ++lane)
                frame.put(1, row->operands[1], lane, u64{first + (i + lane) * step} << (isDouble ? 32 : 0));
            row->execute(frame.at.data(), frame.bytes, 0xffffffff);
            for (u32 lane = 0; lane < 32; ++lane)
                hash = (hash ^ frame.get(0, row->operands[0], lane) >> (isDouble ? 32 : 0)) * 0x100000001b3;
        }
        EXPECT_EQ(hash, expected) << line;
    }
}

}  // namespace
}  // namespace lockstep::opcodes
