// Kernels that ran on a GPU: the emulator's results must be the GPU's bit for bit where the case says so, correct kernels must have
// no finding, and faulty ones theirs at one of the lines named.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>

#include "base/npy.h"
#include "ptx/module.h"
#include "simt/emulator.h"
#include "simt/same_results.h"

namespace lockstep::simt {
namespace {

const std::filesystem::path kFolder = std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "tests/truth/own";

std::string contentsOf(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::stringstream contents;
    contents << stream.rdbuf();
    return contents.str();
}

struct Comparison { u32 argument = 0; bool exact = true; f64 relative = 0, absolute = 0; };

struct Case {
    std::string id, ptx, entry;
    Dim3 grid, block;
    u32 sharedBytes = 0;
    std::vector<std::string> arguments;
    std::vector<Comparison> comparisons;
    std::set<std::string> kinds, lines;  // of the findings expected
};

std::set<std::string> splitAtCommas(const std::string& text) {
    std::set<std::string> parts;
    std::stringstream stream(text);
    for (std::string part; std::getline(stream, part, ',');) parts.insert(part);
    return parts;
}

std::vector<Case> readCases() {
    std::vector<Case> cases;
    std::stringstream text(contentsOf(kFolder / "cases.txt"));
    for (std::string line; std::getline(text, line);) {
        std::stringstream words(line);
        std::string key;
        words >> key;
        if (key == "case") cases.emplace_back();
        if (cases.empty()) continue;
        Case& c = cases.back();
        if (key == "case") words >> c.id;
        else if (key == "ptx") words >> c.ptx;
        else if (key == "entry") words >> c.entry;
        else if (key == "grid") words >> c.grid.x >> c.grid.y >> c.grid.z;
        else if (key == "block") words >> c.block.x >> c.block.y >> c.block.z;
        else if (key == "shared") words >> c.sharedBytes;
        else if (key == "argument") words >> c.arguments.emplace_back();
        else if (key == "compare") {
            Comparison comparison;
            std::string how;
            words >> comparison.argument >> how;
            comparison.exact = how == "exact";
            if (!comparison.exact) {
                comparison.relative = std::stod(how);
                words >> comparison.absolute;
            }
            c.comparisons.push_back(comparison);
        } else if (key == "expect") {
            std::string kinds, lines;
            words >> kinds >> lines;
            c.kinds.merge(splitAtCommas(kinds));
            c.lines.merge(splitAtCommas(lines));
        }
    }
    return cases;
}

const std::vector<Case>& cases() {
    static const std::vector<Case> all = readCases();
    return all;
}

template <class T>
void fill(Buffer& buffer, const std::string& how) {
    const std::span<T> values = buffer.as<T>();
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (how == "iota") values[i] = T(i);
        else if (how.starts_with("const:")) values[i] = T(std::stod(how.substr(6)));
    }
}

std::vector<std::byte> scalar(const std::string& type, const std::string& value) {
    std::vector<std::byte> bytes(info(findElementType(type)->type).bytes);
    const auto put = [&](auto v) { std::memcpy(bytes.data(), &v, bytes.size()); };
    if (type == "f32") put(std::stof(value));
    else if (type == "f64") put(std::stod(value));
    else put(std::stoll(value));
    return bytes;
}

// "f32[128]=data/x.npy" or "i32:300": the command line's way of writing arguments.
Argument argumentOf(const std::string& text, std::vector<Buffer>& buffers) {
    const std::size_t bracket = text.find('[');
    if (bracket == std::string::npos) {
        const std::size_t colon = text.find(':');
        return ScalarArgument{scalar(text.substr(0, colon), text.substr(colon + 1))};
    }
    const ElementType type = findElementType(text.substr(0, bracket))->type;
    const u64 count = std::stoull(text.substr(bracket + 1));
    const std::string how = text.substr(text.find('=') + 1);
    Buffer buffer{.name = "arg" + std::to_string(buffers.size()), .type = type, .shape = {count}, .bytes = std::vector<std::byte>(count * info(type).bytes)};
    if (how.ends_with(".npy")) {
        auto read = readNpy(kFolder / how, type, count);
        EXPECT_TRUE(read) << describe(read.error());
        buffer.bytes = read->bytes;
    } else {
        switch (type) {
            case ElementType::U8: fill<u8>(buffer, how); break;
            case ElementType::I32: fill<s32>(buffer, how); break;
            case ElementType::U32: fill<u32>(buffer, how); break;
            case ElementType::U64: fill<u64>(buffer, how); break;
            case ElementType::F32: fill<f32>(buffer, how); break;
            case ElementType::F64: fill<f64>(buffer, how); break;
            default: EXPECT_EQ(how, "zero");
        }
    }
    buffers.push_back(std::move(buffer));
    return BufferArgument{u32(buffers.size() - 1)};
}

struct Experiment {
    ptx::Module module;
    Launch launch;
    std::vector<Buffer> buffers;
};

Experiment experimentOf(const Case& c) {
    auto module = ptx::parse(contentsOf(kFolder / c.ptx), c.ptx);
    EXPECT_TRUE(module) << describe(module.error());
    Experiment e{.module = std::move(*module), .launch = {}, .buffers = {}};
    for (const ptx::Function& function : e.module.functions)
        if (function.isEntry && ptx::shortName(function.name) == c.entry) e.launch.entry = function.name;
    e.launch.grid = c.grid;
    e.launch.block = c.block;
    e.launch.dynamicSharedBytes = c.sharedBytes;
    for (const std::string& argument : c.arguments) e.launch.arguments.push_back(argumentOf(argument, e.buffers));
    return e;
}

// Differing elements, or where the case allows a tolerance, those beyond it.
void expectEqual(const Comparison& comparison, const Buffer& got, const Buffer& want) {
    ASSERT_EQ(got.bytes.size(), want.bytes.size());
    u64 wrong = 0;
    std::string first;
    const u32 bytes = info(got.type).bytes;
    for (u64 i = 0; i < got.count(); ++i) {
        if (std::memcmp(got.bytes.data() + i * bytes, want.bytes.data() + i * bytes, bytes) == 0) continue;
        const f64 g = got.valueAt(i), w = want.valueAt(i);
        if (!comparison.exact && std::abs(g - w) <= comparison.absolute + comparison.relative * std::abs(w)) continue;
        if (!wrong++) first = "element " + std::to_string(i) + ": got " + std::to_string(g) + ", want " + std::to_string(w);
    }
    EXPECT_EQ(wrong, 0u) << first;
}

// The line of the .cu; of code that belongs to no line, the one before it in the text.
std::string lineOf(const ptx::Module& module, const trace::Finding& finding) {
    if (finding.who.pc == kNoPc) return "?";
    for (u32 pc = finding.who.pc.value + 1; pc-- > 0;) {
        u32 location = module.instructions[pc].location;
        while (module.locations[location].inlinedAt) location = module.locations[location].inlinedAt;
        if (module.locations[location].line) return std::to_string(module.locations[location].line);
    }
    return "?";
}

class Truth : public testing::TestWithParam<std::size_t> {
protected:
    const Case& c = cases()[GetParam()];
};

TEST_P(Truth, IsWhatTheGpuDid) {
    Experiment e = experimentOf(c);
    if (c.id == "wmma_half") {  // tensor cores: refused by name, before anything runs
        auto supported = checkSupported(e.module, e.launch.entry);
        ASSERT_FALSE(supported);
        EXPECT_NE(supported.error().message.find("wmma.load"), std::string::npos) << supported.error().message;
        return;
    }
    Options options;
    options.engine = Engine::Plain;
    if (c.id == "endless_loop") options.limit = std::chrono::milliseconds(200);
    auto result = run(e.module, {&e.launch, 1}, e.buffers, options);
    ASSERT_TRUE(result) << describe(result.error());

    bool found = c.kinds.empty();
    std::string seen;
    for (const trace::Finding& finding : result->findings) {
        const std::string kind(nameOf(finding.kind)), line = lineOf(e.module, finding);
        seen += kind + " at line " + line + "; ";
        found |= c.kinds.contains(kind) && c.lines.contains(line);
    }
    EXPECT_TRUE(found) << "found: " << seen;
    if (c.kinds.empty()) {
        EXPECT_TRUE(result->findings.empty()) << seen;
    }

    for (const Comparison& comparison : c.comparisons) {
        const u32 buffer = std::get<BufferArgument>(e.launch.arguments[comparison.argument]).buffer;
        const std::filesystem::path file = kFolder / "expected" / (c.id + "_" + std::to_string(comparison.argument) + ".npy");
        if (!std::filesystem::exists(file)) continue;  // the GPU's result was not kept for the large ones
        auto want = readNpy(file);
        ASSERT_TRUE(want) << describe(want.error());
        expectEqual(comparison, e.buffers[buffer], *want);
    }
}

TEST_P(Truth, IsTheSameOnBothEngines) {
    if (c.id == "wmma_half" || c.id == "endless_loop") GTEST_SKIP() << "does not run to an end";
    Experiment plain = experimentOf(c), fast = experimentOf(c);
    Options options;
    options.engine = Engine::Plain;
    auto one = run(plain.module, {&plain.launch, 1}, plain.buffers, options);
    ASSERT_TRUE(one) << describe(one.error());
    options.engine = Engine::Fast;
    for (u32 threads : {1u, 3u}) {
        options.threads = threads;
        Experiment e = fast;
        auto other = run(e.module, {&e.launch, 1}, e.buffers, options);
        ASSERT_TRUE(other) << describe(other.error());
        EXPECT_EQ(firstDifference(*one, plain.buffers, *other, e.buffers), "") << threads << " threads";
    }
}

INSTANTIATE_TEST_SUITE_P(Own, Truth, testing::Range<std::size_t>(0, cases().size()),
                         [](const auto& info) { return cases()[info.param].id; });

}  // namespace
}  // namespace lockstep::simt
