#include "speed/measured_kernels.h"

#include "base/check.h"
#include "speed/host_loops.h"
#include "subjects.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace lockstep::bench {
namespace {

constexpr u32 kBlock = 256;

// About a million elements, by parameter; where a family says otherwise, "family.parameter" or
// "family/variant.parameter". Beyond a parameter's range: its largest value.
const std::map<std::string, s64, std::less<>>& million() {
    static const std::map<std::string, s64, std::less<>> values{
        {"n", 1 << 20},
        {"width", 1024},
        {"height", 1024},
        {"rows", 1024},
        {"columns", 1024},
        {"j", 1024},
        {"k", 1024},
        {"l", 1024},
        {"blocks", 512},
        {"scan.block", 1024},
        {"scan/blelloch.block", 512},
        {"scan/blelloch-padded.block", 512},
        {"reduction/turnkey.n", 1024},
        {"reduction/turnkey.batches", 1024},
        {"reduction/general.n", 1024},
        {"reduction/general.blocks", 2},
        {"reduction/general.batches", 1024},
    };
    return values;
}

}  // namespace

std::vector<VariantSubject> variantSubjects() {
    std::vector<VariantSubject> subjects;
    for (const catalog::Family& family : kernels().families())
        for (const catalog::Variant& variant : family.variants) {
            VariantSubject& subject = subjects.emplace_back(family.name + "/" + variant.name);
            for (const catalog::Parameter& parameter : family.parameters) {
                if (std::ranges::find(variant.parameters, parameter.name) == variant.parameters.end())
                    continue;
                for (const std::string& name : {subject.name + "." + parameter.name,
                                                family.name + "." + parameter.name, parameter.name}) {
                    const auto value = million().find(name);
                    if (value == million().end()) continue;
                    subject.settings.emplace_back(parameter.name,
                                                  std::to_string(std::min(value->second, parameter.max)));
                    break;
                }
            }
        }
    return subjects;
}

const std::vector<ShapeSubject>& shapeSubjects() {
    static const std::vector<ShapeSubject> subjects{
        {"saxpy", {"f32[{n}]=random", "f32[{n}]=random", "i32:{n}"}, 0, hostSaxpy},
        {"stride_33", {"f32[{n}]=random", "f32[{n}]=zero", "i32:{n}"}, 0, hostStride33},
        {"gather", {"f32[{n}]=random", "f32[{n}]=zero", "i32:{n}"}, 0, hostGather},
        {"gather_by_index",
         {"u32[{n}]=random:0:{n}", "f32[{n}]=random", "f32[{n}]=zero", "i32:{n}"},
         0,
         hostGatherByIndex},
        {"scatter", {"f32[{n}]=random", "f32[{n}]=zero", "i32:{n}"}, 0, hostScatter},
        {"pointer_chase", {"u32[{n}]=zero", "u32[{n}]=random:0:{n}", "i32:{n}"}, 0, hostPointerChase},
        {"sparse_rows", {"u32[{n}]=iota", "f32[{n}]=random", "f32[{n}]=zero", "i32:{n}"}, 0, hostSparseRows},
        {"histogram_global", {"u32[{n}]=iota", "u32[256]=zero", "i32:{n}"}, 0, hostHistogram},
        {"histogram_shared", {"u32[{n}]=iota", "u32[256]=zero", "i32:{n}"}, 64, hostHistogram},
        {"one_counter", {"u32[{n}]=iota", "u32[1]=zero", "i32:{n}"}},
        {"hash_insert", {"u32[{n}]=iota", "u32[{2n}]=zero", "i32:{n}"}, 0, hostHashInsert},
        {"bitonic_step", {"u32[{n}]=random:0:{n}", "i32:64", "i32:1024", "i32:{n}"}, 0, hostBitonicStep},
        {"frontier",
         {"u32[{n}]=random:0:{n}", "u32[{n}]=random", "u32[{n}]=zero", "i32:{n}"},
         0,
         hostFrontier},
        {"long_loop", {"f32[{n}]=random", "f32[1024]=zero", "i32:{n}"}, 4},
        {"bytes", {"u8[{n}]=random", "u8[{n}]=zero", "i32:{n}"}},
        {"byte_table", {"u8[{n}]=random", "u8[256]=random", "u8[{n}]=zero", "i32:{n}"}},
        {"collatz", {"i32[{n}]=zero", "i32:{n}"}},
        {"eight_cases", {"u32[{n}]=iota", "f32[{n}]=zero", "i32:{n}"}},
        {"local_array", {"u32[{n}]=random", "u32[{n}]=zero", "i32:{n}"}},
        {"large_shared", {"f32[{n}]=random", "f32[{n}]=zero", "i32:{n}"}},
        {"shared_chase", {"u32[{n}]=random", "u32[{n}]=zero", "i32:{n}"}},
        {"doubles", {"f64[{n}]=random", "f64[{n}]=zero", "i32:{n}"}},
    };
    return subjects;
}

const std::vector<VariantSubject>& countedSubjects() {
    static const std::vector<VariantSubject> subjects{
        {"matmul/naive", {{"width", "64"}}},
        {"matmul/tiled", {{"width", "128"}}},
        {"matmul/register-2d", {{"width", "64"}}},
        {"matmul/missing-first-barrier", {{"width", "32"}}},
        {"transpose/naive", {{"rows", "256"}, {"columns", "256"}}},
        {"transpose/shared-padded", {{"rows", "256"}, {"columns", "256"}}},
        {"reduction/v0", {{"n", "65536"}}},
        {"reduction/shuffle", {{"n", "65536"}}},
        {"coalescing/scattered", {{"n", "65536"}}},
        {"histogram/global-atomics", {{"n", "65536"}, {"blocks", "64"}}},
        {"divergence/trip-counts", {{"n", "16384"}}},
        {"stencil/tiled", {{"rows", "128"}, {"columns", "128"}}},
    };
    return subjects;
}

run::Experiment open(const ShapeSubject& subject, u32 n) {
    run::FileRequest request;
    request.file = LOCKSTEP_SOURCE_DIR "/bench/speed/shapes.cu";
    request.entry = subject.name;
    request.grid = {subject.blocks ? subject.blocks : (n + kBlock - 1) / kBlock, 1, 1};
    request.block = {kBlock, 1, 1};
    for (std::string argument : subject.arguments) {
        for (const auto& [name, value] : {std::pair{"{n}", u64{n}}, std::pair{"{2n}", 2 * u64{n}}})
            for (std::size_t at; (at = argument.find(name)) != std::string::npos;)
                argument.replace(at, std::string_view(name).size(), std::to_string(value));
        request.arguments.push_back(std::move(argument));
    }
    auto opened = run::open(request);
    CHECK(opened, "shapes.cu compiles where NVRTC is installed");
    return std::move(*opened);
}

}  // namespace lockstep::bench
