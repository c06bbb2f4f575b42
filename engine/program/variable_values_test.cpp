#include "program/variable_values.h"

#include <gtest/gtest.h>

#include <cstring>

namespace lockstep::program {
namespace {

constexpr const char* kModule = R"(.version 7.0
.target sm_70
.address_size 64
.visible .const .align 4 .b8 weights[8];
.visible .const .align 4 .u32 count = 3;
.visible .global .align 8 .f64 scale = 0d4004000000000000;
.visible .global .align 8 .u64 where;
.visible .global .align 1 .b8 text[3] = {104, 105, 0};
.visible .entry nothing() { ret; }
)";

template <class T> VariableValue valueOf(const ptx::Module& module, std::string_view name, const T& value) {
    for (u32 id = 0; id < module.variables.size(); ++id)
        if (module.variables[id].name == name) {
            std::vector<std::byte> bytes(sizeof value);
            std::memcpy(bytes.data(), &value, sizeof value);
            return {ptx::VariableId{id}, bytes};
        }
    ADD_FAILURE() << name;
    return {};
}

TEST(VariableValues, AreWhatTheVariablesBeginWith) {
    const Expected<ptx::Module> module = ptx::parse(kModule, "kernels.ptx");
    ASSERT_TRUE(module);
    const f32 weights[2] = {0.5f, -3};
    const std::vector<VariableValue> values{
        valueOf(*module, "text", std::array{'b', 'y', '!'}), valueOf(*module, "weights", weights),
        valueOf(*module, "scale", -0.25), valueOf(*module, "where", u64{0x20000000110}),
        valueOf(*module, "count", u32{4'000'000'000})};
    const std::optional<std::string> text = withValues(*module, values);
    ASSERT_TRUE(text);
    const Expected<ptx::Module> changed = ptx::parse(*text, "changed.ptx");
    ASSERT_TRUE(changed) << *text;
    EXPECT_EQ(changed->instructions.size(), module->instructions.size());
    for (const VariableValue& value : values)
        EXPECT_EQ(changed->variables[value.variable.value].initial, value.bytes) << *text;
}

TEST(VariableValues, OfAnotherSizeAreRefused) {
    const Expected<ptx::Module> module = ptx::parse(kModule, "kernels.ptx");
    ASSERT_TRUE(module);
    VariableValue value = valueOf(*module, "count", u32{1});
    value.bytes.push_back({});
    EXPECT_FALSE(withValues(*module, {value}));
}

}  // namespace
}  // namespace lockstep::program
