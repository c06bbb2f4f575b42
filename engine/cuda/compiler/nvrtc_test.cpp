#include "cuda/compiler/nvrtc.h"

#include "base/text/escapes.h"
#include "cuda/compiler/nvrtc_log.h"
#include "cuda/compiler/standard_headers.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace lockstep::cuda {
namespace {

class Nvrtc : public testing::Test {
protected:
    void SetUp() override {
        if (const Expected<NvrtcInfo> found = findNvrtc(); !found)
            GTEST_SKIP() << found.error().message.english();
    }
};

constexpr const char* kFill = "__global__ void fill(int* p)\n{\n    p[threadIdx.x] = VALUE;\n}\n";

TEST_F(Nvrtc, CompilesWithDefinesAndLineInformation) {
    const Expected<CompiledPtx> ptx = compile(kFill, "folder/fill.cu", {.defines = {"VALUE=42"}});
    ASSERT_TRUE(ptx) << describe(ptx.error());
    EXPECT_EQ(ptx->kernels, std::vector<std::string>{"_Z4fillPi"});
    EXPECT_NE(ptx->text.find(", 42;"), std::string::npos);
    EXPECT_NE(ptx->text.find(".target sm_90"), std::string::npos);
    EXPECT_NE(ptx->text.find("\t.file\t1 \"folder/fill.cu\"\n"), std::string::npos) << "named as given";
    EXPECT_NE(ptx->text.find("\t.loc\t1 3 5\n"), std::string::npos);
    EXPECT_EQ(ptx->flags, "--gpu-architecture=compute_90 -lineinfo -DVALUE=42");
    EXPECT_TRUE(ptx->compiler.starts_with("NVRTC 1")) << ptx->compiler;
}

// As in a window that has fetched it; in a process of its own, where none has been found yet.
TEST(NvrtcSearch, OneThatComesLaterIsFound) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    constexpr int kFound = 0, kNone = 2;
    EXPECT_EXIT(
        {
            setenv("LOCKSTEP_NVRTC", "/no-such-folder", 1);
            const bool wasMissing = !findNvrtc();
            unsetenv("LOCKSTEP_NVRTC");
            std::exit(!wasMissing ? 1 : findNvrtc() ? kFound : kNone);
        },
        [](int status) { return WEXITSTATUS(status) == (findNvrtc() ? kFound : kNone); }, "");
}

TEST_F(Nvrtc, AStoppedCompilationEndsEarly) {
    const auto built = findNvrtc();
    if (built->major < 13) GTEST_SKIP() << "older ones cannot be stopped";
    std::stop_source stop;
    stop.request_stop();
    const CompileOptions options{.defines = {"VALUE=42"}, .stop = stop.get_token()};
    EXPECT_FALSE(compile(kFill, "fill.cu", options, nullptr));
    EXPECT_TRUE(
        compile(kFill, "fill.cu", {.defines = {"VALUE=42"}, .stop = std::stop_source().get_token()}, nullptr))
        << "it was not stopped";
}

TEST_F(Nvrtc, ANameIsRestoredWhateverItsCharacters) {
    for (const char* name : {"作业/加法.cu", "p%d 1.cu", "it's.cu", "back\\slash.cu"}) {
        const Expected<CompiledPtx> ptx = compile(kFill, name, {.defines = {"VALUE=42"}});
        ASSERT_TRUE(ptx) << describe(ptx.error());
        EXPECT_NE(ptx->text.find("\t.file\t1 \"" + withEscapes(name) + "\"\n"), std::string::npos) << name;
    }
}

// What was kept is taken, and only for the same compilation: a header that changes makes another.
TEST_F(Nvrtc, ResultsAreKept) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "ResultsAreKept";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    const TextCache cache(folder / "kept");
    const auto files = [&] {
        std::error_code none;
        return std::distance(std::filesystem::directory_iterator(folder / "kept", none),
                             std::filesystem::directory_iterator());
    };
    const std::string name = (folder / "k.cu").string();
    const auto compiled = [&](const std::string& source, const std::string& define) {
        const Expected<CompiledPtx> ptx =
            compile(source, name, {.entries = {"k<2>"}, .defines = {define}}, &cache);
        EXPECT_TRUE(ptx) << describe(ptx.error());
        return ptx ? *ptx : CompiledPtx();
    };
    const std::string source =
        "#include \"value.h\"\ntemplate <int T> __global__ void k(int* p) { *p = T + VALUE + MORE; }\n";
    std::ofstream(folder / "value.h") << "#define VALUE 40\n";
    const CompiledPtx first = compiled(source, "MORE=0");
    EXPECT_NE(first.text.find(", 42;"), std::string::npos);
    ASSERT_EQ(files(), 1);

    const CompiledPtx again = compiled(source, "MORE=0");
    EXPECT_EQ(files(), 1);
    EXPECT_EQ(again.text, first.text);
    EXPECT_EQ(again.entries, first.entries);
    EXPECT_EQ(again.kernels, first.kernels);
    EXPECT_EQ(again.compiler, first.compiler);
    EXPECT_EQ(again.flags, first.flags);

    // Something else that the compiler would not write: what was kept is what is returned.
    const std::filesystem::path kept = std::filesystem::directory_iterator(folder / "kept")->path();
    std::stringstream text;
    text << std::ifstream(kept).rdbuf();
    std::string changed = text.str();
    changed.replace(changed.rfind(", 42;"), 5, ", 43;");
    std::ofstream(kept) << changed;
    EXPECT_NE(compiled(source, "MORE=0").text.find(", 43;"), std::string::npos);
    std::ofstream(kept) << "damaged";
    EXPECT_NE(compiled(source, "MORE=0").text.find(", 42;"), std::string::npos);

    EXPECT_NE(compiled(source, "MORE=2").text.find(", 44;"), std::string::npos);
    std::ofstream(folder / "value.h") << "#define VALUE 50\n";
    EXPECT_NE(compiled(source, "MORE=0").text.find(", 52;"), std::string::npos);
    EXPECT_EQ(files(), 3);

    const Expected<CompiledPtx> wrong = compile("__global__ void f() { g(); }", name, {}, &cache);
    EXPECT_FALSE(wrong);
    EXPECT_EQ(files(), 3) << "errors are not kept";
}

TEST_F(Nvrtc, NamesInstancesOfTemplatesAsWritten) {
    const Expected<CompiledPtx> ptx = compile(
        "template <int T, class E> __global__ void f(E* p) { *p = T; }\n__global__ void g(int* p) { *p = 1; "
        "}\n",
        "f.cu", {.entries = {"f<16, float>", "g"}});
    ASSERT_TRUE(ptx) << describe(ptx.error());
    const std::vector<std::pair<std::string, std::string>> names{{"f<16, float>", "_Z1fILi16EfEvPT0_"},
                                                                 {"g", "_Z1gPi"}};
    EXPECT_EQ(ptx->entries, names);
    EXPECT_EQ(ptx->kernels.size(), 2u);
}

TEST_F(Nvrtc, AsWrittenKeepsLoops) {
    const std::string source =
        "__global__ void f(float* p) { float s = 0; for (int i = 0; i < 8; ++i) s += p[i] * p[i + 9]; *p = "
        "s; }\n";
    const auto multiplications = [&](bool asWritten) {
        const Expected<CompiledPtx> ptx = compile(source, "f.cu", {.asWritten = asWritten});
        std::istringstream lines(ptx->text);
        int count = 0;
        for (std::string line; std::getline(lines, line);)
            count += line.starts_with("\tfma.rn.f32") || line.starts_with("\tmul.f32");
        return count;
    };
    EXPECT_EQ(multiplications(true), 1);
    EXPECT_EQ(multiplications(false), 8);
}

TEST_F(Nvrtc, HeadersIncludedByHabitAreThere) {
    const Expected<CompiledPtx> ptx = compile(
        "#include <cassert>\n#include <cmath>\n#include <cstdint>\n#include <cfloat>\n#include "
        "<climits>\n#include <cstdio>\n"
        "#include <stdlib.h>\n#include <string.h>\n#include <stddef.h>\n#include <stdint.h>\n"
        "__global__ void f(uint32_t* p, float* q) { assert(*p < INT_MAX); *q = M_PI * sinf(FLT_MAX); "
        "printf(\"%u\", *p); }\n",
        "f.cu");
    EXPECT_TRUE(ptx) << describe(ptx.error());
}

TEST_F(Nvrtc, AllOfThemCanBeIncludedTogether) {
    std::string text;
    for (const StandardHeader& header : kStandardHeaders)
        text += std::string("#include <") + header.name + ">\n";
    const Expected<CompiledPtx> ptx =
        compile(text + "__global__ void f(int* p) { std::swap(p[0], p[1]); }\n", "f.cu");
    EXPECT_TRUE(ptx) << describe(ptx.error());
}

TEST_F(Nvrtc, TheToolkitsHeadersAreFoundByThemselves) {
    if (findNvrtc()->includeFolders.empty()) GTEST_SKIP() << "this NVRTC came without headers";
    const Expected<CompiledPtx> ptx = compile(
        "#include <cooperative_groups.h>\n#include <cuda/barrier>\n#include <cuda_fp16.h>\n#include "
        "<cuda_runtime.h>\n#include <mma.h>\n"
        "#include <stdint.h>\n__global__ void f(__half* p) { cooperative_groups::this_thread_block().sync(); "
        "*p = __float2half(1.0f); }\n",
        "f.cu");
    EXPECT_TRUE(ptx) << describe(ptx.error());
}

TEST_F(Nvrtc, FilesOfTheSameFolderAndOfIncludeFoldersAreFound) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "lockstep_nvrtc_test";
    std::filesystem::create_directories(folder / "include");
    std::ofstream(folder / "near.h") << "#define NEAR 1\n";
    std::ofstream(folder / "include/far.h") << "#define FAR 2\n";
    const Expected<CompiledPtx> ptx =
        compile("#include \"near.h\"\n#include <far.h>\n__global__ void f(int* p) { *p = NEAR + FAR; }\n",
                (folder / "f.cu").string(), {.includeFolders = {folder / "include"}});
    EXPECT_TRUE(ptx) << describe(ptx.error());
    std::filesystem::remove_all(folder);
}

TEST_F(Nvrtc, MistakesAreFaultsWithFileAndLine) {
    const std::string fill = kFill;
    struct Case {
        std::string source;
        std::vector<std::string> entries;
        const char* description;
    };
    const Case cases[] = {
        {fill, {}, "f.cu:3:22: identifier \"VALUE\" is undefined"},
        {"__global__ void f(int* p) {\n  *p = x;\n  *p = y;\n}\n",
         {},
         "f.cu:2:8: identifier \"x\" is undefined (and 1 more)\nf.cu:3:8: identifier \"y\" is undefined"},
        {"#include \"none.h\"\n", {}, "f.cu:1:18: cannot open source file \"none.h\""},
        {"__global__ void alpha(int* p) { *p = 1; }\n",
         {"alhpa"},
         "f.cu: there is no kernel 'alhpa' in this file (it has alpha); did you mean 'alpha'?"},
        {"__global__ void f(word* p) { *p = 1; }\n", {}, "f.cu:1:19: identifier \"word\" is undefined"},
        {"int x;\n",
         {"f"},
         "f.cu:1: only device code can be compiled here: put host code such as main() between #ifndef "
         "__CUDACC_RTC__ and #endif"},
        {"", {"f"}, "f.cu: there is no kernel 'f' in this file (it has no __global__ function)"},
        {"template <int T> __global__ void f(int* p) { *p = T; }\n",
         {"f"},
         "f.cu: 'f' does not name one instantiation of a template; write its arguments, as in f<16>"},
        {"template <int T> __global__ void f(int* p) { *p = T; }\n",
         {},
         "f.cu: 'f' is a template: name one of its instantiations, as in f<16>, or make it a plain kernel"},
        {"__device__ int f() { return 1; }\n",
         {},
         "f.cu: this file has no kernel: no function is declared __global__"},
        {"__global__ void f(int* p) { *p = 1; }\n\nint main() { return 0; }\n",
         {},
         "f.cu:3: only device code can be compiled here: put host code such as main() between #ifndef "
         "__CUDACC_RTC__ and #endif"},
    };
    for (const Case& c : cases) {
        const Expected<CompiledPtx> ptx = compile(c.source, "f.cu", {.entries = c.entries});
        ASSERT_FALSE(ptx) << c.description;
        EXPECT_EQ(describe(ptx.error()), c.description);
    }
}

TEST(NvrtcLog, ListsTenErrorsWithTheirPlacesAndCountsTheRest) {
    std::string log;
    for (int line = 1; line <= 12; ++line)
        log += "f.cu(" + std::to_string(line) + "): error: no\n  \tint x;\n  \t    ^\n\n";
    const Fault fault =
        faultFromLog(log + "12 errors detected in the compilation of \"f.cu\".\n", "f.cu", "", "");
    EXPECT_EQ(fault.place.line, 1u);
    EXPECT_EQ(fault.place.column, 6u);
    EXPECT_TRUE(fault.message.english().starts_with("no (and 11 more)\nf.cu:2:6: no\n"))
        << fault.message.english();
    EXPECT_TRUE(fault.message.english().ends_with("\nf.cu:10:6: no\nand 2 more")) << fault.message.english();
}

// Also from what was kept.
TEST_F(Nvrtc, WarningsComeWithWhatCompiled) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "WarningsComeWithWhat";
    std::filesystem::remove_all(folder);
    const TextCache cache(folder);
    for (int again = 0; again < 2; ++again) {
        const Expected<CompiledPtx> ptx =
            compile("__global__ void f(int* p) {\n    int sum;\n    sum = p[0];\n    *p = 1;\n}\n", "f.cu",
                    {}, &cache);
        ASSERT_TRUE(ptx) << describe(ptx.error());
        ASSERT_EQ(ptx->warnings.size(), 1u);
        EXPECT_EQ(describe(ptx->warnings[0]), "f.cu:2:9: variable \"sum\" was set but never used");
    }
    EXPECT_TRUE(compile(kFill, "f.cu", {.defines = {"VALUE=1"}})->warnings.empty());
}

TEST(NvrtcLog, TellsWarningsFromErrorsAndRemarks) {
    const std::vector<Fault> warnings = warningsIn(
        "f.cu(3): warning #550-D: variable \"x\" was set but never used\n      int x;\n          ^\n\n"
        "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n\n"
        "f.cu(3): warning #550-D: variable \"x\" was set but never used\n      int x;\n          ^\n\n"
        "f.cu(4): error: no\n\nlib.h(7): warning #177-D: variable \"y\" was declared but never referenced\n");
    ASSERT_EQ(warnings.size(), 2u);
    EXPECT_EQ(describe(warnings[0]), "f.cu:3:9: variable \"x\" was set but never used");
    EXPECT_EQ(describe(warnings[1]), "lib.h:7: variable \"y\" was declared but never referenced");
    EXPECT_TRUE(warningsIn("").empty());
}

TEST(NvrtcLog, FindsTheKernelsOfASource) {
    const std::vector<std::string> names{"a", "b", "c", "d"};
    EXPECT_EQ(
        kernelsNamedIn(
            "__global__ void a(int* p);\ntemplate <int T>\n__global__ void\nb (int* p) {}\n"
            "extern \"C\" __global__ void __launch_bounds__(256, 2) c(int* p) {}\nvoid __global__ d() {}\n"),
        names);
    EXPECT_TRUE(kernelsNamedIn("__global__").empty());
    EXPECT_TRUE(kernelsNamedIn("int main() {}").empty());
}

}  // namespace
}  // namespace lockstep::cuda
