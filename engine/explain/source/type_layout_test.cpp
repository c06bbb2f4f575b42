#include "explain/source/type_layout.h"

#include <gtest/gtest.h>

namespace lockstep::explain {
namespace {

// "8: .x 0+4, .y 4+4"
std::string textOf(const TypeLayout& layout) {
    std::string text = std::to_string(layout.bytes) + ":";
    for (const TypeLayout::Leaf& leaf : layout.leaves)
        text += (text.back() == ':' ? " " : ", ") + leaf.name + (leaf.name.empty() ? "" : " ") +
                std::to_string(leaf.offset) + "+" + std::to_string(leaf.bytes);
    return text;
}

TEST(TypeLayoutTest, ScalarsAndVectorsAreKnown) {
    EXPECT_EQ(textOf(layoutOf("const unsigned char* __restrict__", "")), "1: 0+1");
    EXPECT_EQ(textOf(layoutOf("unsigned long long*", "")), "8: 0+8");
    EXPECT_EQ(textOf(layoutOf("const int*", "")), "4: 0+4");
    EXPECT_EQ(layoutOf("unsigned*", "").leaves.at(0).type, ptx::Type::U32);
    EXPECT_EQ(layoutOf("int*", "").leaves.at(0).type, ptx::Type::S32);
    EXPECT_EQ(textOf(layoutOf("float3*", "")), "12: .x 0+4, .y 4+4, .z 8+4");
    EXPECT_EQ(layoutOf("float4*", "").align, 16u);
    EXPECT_EQ(textOf(layoutOf("Word*", "", {{"Word", "short2"}})), "4: .x 0+2, .y 2+2");
}

TEST(TypeLayoutTest, StructsAreReadAsTheSourceDeclaresThem) {
    struct Case {
        const char *type, *source, *layout;
    };
    constexpr Case kCases[]{
        {"P*", "struct P { float x, y, z; };", "12: .x 0+4, .y 4+4, .z 8+4"},
        {"const Rec*", "struct Rec { int a; double d; char c; };   // 24 bytes",
         "24: .a 0+4, .d 8+8, .c 16+1"},
        {"V*", "struct V\n{\n  int a[2];  // both\n  float f = 0.5f;\n};",
         "12: .a[0] 0+4, .a[1] 4+4, .f 8+4"},
        {"Box*", "struct P { short x, y; };\nstruct Box { P corner[2]; char* name; };",
         "16: .corner[0].x 0+2, .corner[0].y 2+2, .corner[1].x 4+2, .corner[1].y 6+2, .name 8+8"},
        {"T*", "typedef struct { int key; int value; } T;", "8: .key 0+4, .value 4+4"},
        {"U*", "union U { float f; int i; };", "4: .f 0+4, .i 0+4"},
        {"A*", "struct __align__(16) A { float x, y, z; };", "16: .x 0+4, .y 4+4, .z 8+4"},
        {"vec*", "using vec = float2;", "8: .x 0+4, .y 4+4"},
        {"vec*", "typedef float4 vec;", "16: .x 0+4, .y 4+4, .z 8+4, .w 12+4"},
        {"M*", "struct M { int r; __device__ int twice() const { return 2 * r; } int s[2][2]; };",
         "20: .r 0+4, .s[0][0] 4+4, .s[0][1] 8+4, .s[1][0] 12+4, .s[1][1] 16+4"},
        {"Q*", "struct Q { int a : 3; int b; };", "0:"},  // bit-fields: nothing is said
        {"Q*", "struct Q { std::vector<int> a; };", "0:"},
        {"Q*", "struct Q;", "0:"},
        {"Q*", "struct Q { Q* next; Q inner; };", "0:"},
        {"Q*", "struct Q { int a[1000000000]; };", "0:"},
        {"Q*", "struct Q { int a[", "0:"},
    };
    for (const Case& c : kCases)
        EXPECT_EQ(textOf(layoutOf(c.type, c.source)), c.layout) << c.source;
}

}  // namespace
}  // namespace lockstep::explain
