#include "run/own/buffer_names.h"

#include <gtest/gtest.h>

namespace lockstep::run {
namespace {

using Names = std::vector<std::string>;

ptx::Module moduleOf(const char* source) {
    ptx::Module module;
    module.sources = {"", source};
    return module;
}
std::vector<Buffer> buffersOf(const Names& names) {
    std::vector<Buffer> buffers;
    for (const std::string& name : names)
        buffers.push_back(
            {.name = name, .type = ElementType::F32, .shape = {1}, .bytes = std::vector<std::byte>(4)});
    return buffers;
}
Launch launchOf(const char* entry, const std::vector<u32>& buffers) {
    Launch launch{.entry = entry, .grid = {1, 1, 1}, .block = {1, 1, 1}, .arguments = {}};
    for (const u32 buffer : buffers)
        launch.arguments.emplace_back(BufferArgument{buffer});
    return launch;
}

TEST(NamesInSource, AreThoseOfTheParameters) {
    const ptx::Module module = moduleOf(
        "__global__ void f(const float* points, float* out) {}\n__global__ void g(float* sums, float* out) "
        "{}\n");
    const std::vector<Launch> one{launchOf("f", {0, 1})};
    EXPECT_EQ(namesInSource(module, one, buffersOf({"in", "result"})), (Names{"points", "out"}));
    EXPECT_EQ(namesInSource(module, one, buffersOf({"in", "result", "spare"})),
              (Names{"points", "out", "spare"}));
    // Two launches have two names for the second buffer.
    const std::vector<Launch> two{launchOf("f", {0, 1}), launchOf("g", {1, 2})};
    EXPECT_EQ(namesInSource(module, two, buffersOf({"in", "partials", "total"})),
              (Names{"points", "partials", "out"}));
    // A name that another buffer has is not used.
    EXPECT_EQ(namesInSource(module, one, buffersOf({"in", "result", "out"})),
              (Names{"points", "result", "out"}));
    EXPECT_EQ(namesInSource(moduleOf(""), one, buffersOf({"in", "result"})), (Names{"in", "result"}));
}

}  // namespace
}  // namespace lockstep::run
