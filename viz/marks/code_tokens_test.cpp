#include "viz/marks/code_tokens.h"

#include "viz/marks/code.h"
#include "viz/scene/canvas.h"
#include "viz/scene/fonts.h"

#include <gtest/gtest.h>

#include <string>

namespace lockstep::viz {
namespace {

// The tokens that are not plain, each with the letter of its kind: "K:const N:1".
std::string marked(std::string_view line, CodeLanguage language = CodeLanguage::Cuda,
                   bool* insideComment = nullptr) {
    bool none = false;
    std::string all, text;
    for (const CodeToken& token : codeTokens(line, language, insideComment ? *insideComment : none)) {
        all += token.text;
        if (token.kind == CodeKind::Plain) continue;
        text += (text.empty() ? "" : " ") + std::string(1, "_KTNSCD/LW"[u32(token.kind)]) + ":" +
                std::string(token.text);
    }
    EXPECT_EQ(all, line) << "no character is lost";
    return text;
}

TEST(CodeTokens, KnowTheWordsAndLiteralsOfCuda) {
    struct Case {
        const char *line, *tokens;
    };
    constexpr Case cases[] = {
        {"__host__ __device__ __forceinline__ float4 load(const half2* p)",
         "K:__host__ K:__device__ K:__forceinline__ T:float4 C:load K:const T:half2"},
        {"if (p == nullptr) return true;", "K:if K:nullptr K:return K:true"},
        {"x = static_cast<uint64_t>(i) * sizeof(uchar4);", "K:static_cast T:uint64_t K:sizeof T:uchar4"},
        {"__syncthreads(); atomicAdd(&sum, 1u);", "C:__syncthreads C:atomicAdd N:1u"},
        {"float5 int0 intx vfloat4", ""},
        {"tile[ty][i - 1] = 1e-5f + .5f + 0x1p-3 - 1'000'000 + 0x1e-2;",
         "N:1 N:1e-5f N:.5f N:0x1p-3 N:1'000'000 N:0x1e N:2"},
        {"v.x = a.b2;", ""},
        {R"(printf("a \"b\" // %d\n", '"', '\'', 7);  // "end")",
         R"(C:printf S:"a \"b\" // %d\n" S:'"' S:'\'' N:7 /:// "end")"},
        {"s = \"never closed; x();", "S:\"never closed; x();"},
        {"a /* b() */ + c() /**/ / d", "/:/* b() */ C:c /:/**/"},
        {"", ""},
        {"   ", ""},
    };
    for (const Case& c : cases)
        EXPECT_EQ(marked(c.line), c.tokens);
}

TEST(CodeTokens, OfADirectiveAreItsWordAndWhatStandsBehind) {
    struct Case {
        const char *line, *tokens;
    };
    constexpr Case cases[] = {
        {"#include <cuda_fp16.h>  // halves", "D:#include S:<cuda_fp16.h> /:// halves"},
        {"#include \"tile.h\"", "D:#include S:\"tile.h\""},
        {"  # define WIDTH (32 * sizeof(int)) /* words */", "D:# define N:32 K:sizeof T:int /:/* words */"},
        {"#pragma unroll 4", "D:#pragma N:4"},
        {"#if a < b", "D:#if"},
        {"int a#b", "T:int"},
        {"#", "D:#"},
    };
    for (const Case& c : cases)
        EXPECT_EQ(marked(c.line), c.tokens);
}

TEST(CodeTokens, OfABlockCommentGoOnInTheLinesBelow) {
    bool inside = false;
    EXPECT_EQ(marked("int a; /* one // two", CodeLanguage::Cuda, &inside), "T:int /:/* one // two");
    EXPECT_TRUE(inside);
    EXPECT_EQ(marked("int \"b", CodeLanguage::Cuda, &inside), "/:int \"b");
    EXPECT_EQ(marked("#if", CodeLanguage::Cuda, &inside), "/:#if");
    EXPECT_TRUE(inside);
    EXPECT_EQ(marked("*/ int c;  /*/", CodeLanguage::Cuda, &inside), "/:*/ T:int /:/*/");
    EXPECT_TRUE(inside) << "\"/*/\" opens one and does not close it";
    EXPECT_EQ(marked("*/", CodeLanguage::Cuda, &inside), "/:*/");
    EXPECT_FALSE(inside);
    EXPECT_EQ(marked("\"/*\" '/*' // /*", CodeLanguage::Cuda, &inside), "S:\"/*\" S:'/*' /:// /*");
    EXPECT_FALSE(inside);
}

TEST(CodeTokens, OfPtxAndMachineCodeAreTheAccesses) {
    EXPECT_EQ(marked("@%p1 ld.global.nc.f32 %f1, [%rd4]; // in", CodeLanguage::Ptx),
              "D:@% L:ld.global.nc.f32 /:// in");
    EXPECT_EQ(marked("st.shared.f32 [%r1], %f1;", CodeLanguage::Ptx), "W:st.shared.f32");
    EXPECT_EQ(marked(".reg .b32 %r<4>;", CodeLanguage::Ptx), "D:.reg D:.b32");
    EXPECT_EQ(marked("@!P0 LDS R4, [R2]", CodeLanguage::Machine), "D:@! L:LDS");
    EXPECT_EQ(marked("IADD3 R1, R2, 0x10", CodeLanguage::Machine), "");
}

TEST(CodeLine, IsDimInsideOfAComment) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts);
    const auto roleOf = [&](bool insideComment) {
        Canvas canvas({400, 40}, *fonts);
        codeLine(canvas, {0, 20}, "int i;", CodeLanguage::Cuda, insideComment);
        return std::get<TextMark>(canvas.scene().marks.at(0)).role.kind;
    };
    EXPECT_EQ(roleOf(true), RoleKind::TextThird);
    EXPECT_EQ(roleOf(false), RoleKind::TextSecond);
}

}  // namespace
}  // namespace lockstep::viz
