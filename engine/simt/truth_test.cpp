// Kernels that ran on a GPU: the emulator's results must be the GPU's bit for bit where the case says so, correct kernels must have
// no finding, and faulty ones theirs at one of the lines named.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/npy.h"
#include "ptx/module.h"
#include "simt/emulator.h"

namespace lockstep::simt {
namespace {

const std::filesystem::path kFolder = std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "tests/truth/own";

std::string contentsOf(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::stringstream contents;
    contents << stream.rdbuf();
    return contents.str();
}

const nlohmann::json& cases() {
    static const nlohmann::json all = nlohmann::json::parse(contentsOf(kFolder / "cases.json"))["cases"];
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

Dim3 dim(const nlohmann::json& d) { return {d[0], d[1], d[2]}; }

struct Experiment {
    ptx::Module module;
    Launch launch;
    std::vector<Buffer> buffers;
};

Experiment experimentOf(const nlohmann::json& c) {
    auto module = ptx::parse(contentsOf(kFolder / std::string(c["ptx"])), c["ptx"]);
    EXPECT_TRUE(module) << describe(module.error());
    Experiment e{.module = std::move(*module), .launch = {}, .buffers = {}};
    for (const ptx::Function& function : e.module.functions)
        if (function.isEntry && ptx::shortName(function.name) == std::string(c["entry"])) e.launch.entry = function.name;
    e.launch.grid = dim(c["grid"]);
    e.launch.block = dim(c["block"]);
    e.launch.dynamicSharedBytes = c["shared"];
    for (const auto& argument : c["args"]) e.launch.arguments.push_back(argumentOf(argument, e.buffers));
    return e;
}

// Differing elements, or where the case allows a tolerance, those beyond it.
void expectEqual(const nlohmann::json& comparison, const Buffer& got, const Buffer& want) {
    ASSERT_EQ(got.bytes.size(), want.bytes.size());
    u64 wrong = 0;
    std::string first;
    const u32 bytes = info(got.type).bytes;
    for (u64 i = 0; i < got.count(); ++i) {
        if (std::memcmp(got.bytes.data() + i * bytes, want.bytes.data() + i * bytes, bytes) == 0) continue;
        const f64 g = got.valueAt(i), w = want.valueAt(i);
        if (!comparison["exact"] && std::abs(g - w) <= f64(comparison["atol"]) + f64(comparison["rtol"]) * std::abs(w)) continue;
        if (!wrong++) first = "element " + std::to_string(i) + ": got " + std::to_string(g) + ", want " + std::to_string(w);
    }
    EXPECT_EQ(wrong, 0u) << first;
}

std::string lineOf(const ptx::Module& module, const trace::Finding& finding) {
    if (finding.who.pc == kNoPc) return "?";
    u32 location = module.instructions[finding.who.pc.value].location;
    while (module.locations[location].inlinedAt) location = module.locations[location].inlinedAt;
    return std::to_string(module.locations[location].line);
}

class Truth : public testing::TestWithParam<std::size_t> {
protected:
    const nlohmann::json& c = cases()[GetParam()];
};

TEST_P(Truth, IsWhatTheGpuDid) {
    Experiment e = experimentOf(c);
    Options options;
    options.engine = Engine::Plain;
    if (c["id"] == "endless_loop") options.limit = std::chrono::milliseconds(200);
    auto result = run(e.module, {&e.launch, 1}, e.buffers, options);
    ASSERT_TRUE(result) << describe(result.error());

    std::set<std::string> wantedLines;
    std::set<std::string> wantedKinds;
    for (const auto& expected : c["expect"]) {
        for (const auto& kind : expected["kinds"]) wantedKinds.insert(kind);
        for (const auto& line : expected["lines"]) wantedLines.insert(std::to_string(int(line)));
    }
    bool found = wantedKinds.empty();
    std::string seen;
    for (const trace::Finding& finding : result->findings) {
        const std::string kind(nameOf(finding.kind)), line = lineOf(e.module, finding);
        seen += kind + " at line " + line + "; ";
        found |= wantedKinds.contains(kind) && wantedLines.contains(line);
    }
    EXPECT_TRUE(found) << "found: " << seen;
    if (wantedKinds.empty()) {
        EXPECT_TRUE(result->findings.empty()) << seen;
    }

    for (const auto& comparison : c["compare"]) {
        const u32 buffer = std::get<BufferArgument>(e.launch.arguments[std::size_t(comparison["arg"])]).buffer;
        const std::filesystem::path file = kFolder / "expected" / (std::string(c["id"]) + "_" + std::to_string(int(comparison["arg"])) + ".npy");
        if (!std::filesystem::exists(file)) continue;  // the GPU's result was not kept for the large ones
        auto want = readNpy(file);
        ASSERT_TRUE(want) << describe(want.error());
        expectEqual(comparison, e.buffers[buffer], *want);
    }
}

INSTANTIATE_TEST_SUITE_P(Own, Truth, testing::Range<std::size_t>(0, cases().size()),
                         [](const auto& info) { return cases()[info.param]["id"].template get<std::string>(); });

}  // namespace
}  // namespace lockstep::simt
