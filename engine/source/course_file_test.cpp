// What is left out of a course file, and what of its launches is known.
#include "source/course_file.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::source {
namespace {

CourseFile read(const std::string& text) {
    return readCourseFile(
        text, "a.cu",
        {.defines = {}, .find = [](const std::string& name, bool isQuoted, const std::string&) {
             if (name == "own.h")
                 return FoundInclude{
                     FoundInclude::Kind::Text, "own.h",
                     "__device__ int twice(int n) { return 2 * n; }\nvoid host() { std::vector<int> v; }\n"};
             return FoundInclude{isQuoted ? FoundInclude::Kind::Missing : FoundInclude::Kind::HostOnly};
         }});
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(CourseFile, KeepsWhatDeviceCodeNeedsAndLeavesOutTheRest) {
    struct Case {
        const char *text, *kept, *leftOut;
    };
    const Case cases[] = {
        {"__global__ void k(int* p) { *p = 1; }\nint main() { return 0; }\n", "__global__ void k", "main"},
        {"struct P { int x; };\nstruct Q { std::string s; };\n__global__ void k(P p) {}\n", "struct P",
         "struct Q"},
        {"const int N = 4;\nstd::string name = \"x\";\n__global__ void k() { int n = N; }\n", "const int N",
         "name"},
        {"float *A;\n__global__ void k(float* A) { A[0] = 1; }\n", "A[0] = 1", "float *A;"},
        {"typedef float real;\ntypedef std::vector<float> Many;\n__global__ void k(real* p) {}\n",
         "typedef float real", "Many"},
        {"namespace a {\n__device__ int f() { return 1; }\nvoid h() { printf(\"}\"); }\n}\n__global__ void "
         "k() { a::f(); }\n",
         "int f()", "void h"},
        {"extern \"C\" {\n__global__ void k() {}\nvoid launch() { k<<<1, 1>>>(); }\n}\n", "__global__ void k",
         "launch"},
        {"#define KERNEL __global__ void\nKERNEL k(int* p) { *p = 0; }\nvoid h() {}\n", "KERNEL k", "void h"},
        {"template <typename T, int B>\n__global__ void k(T* p) { p[0] = B; }\ntemplate <class T> void h(T "
         "t) {}\n",
         "int B>", "void h"},
        {"struct V { V() { std::cout << 1; } __device__ float f() { return x; } float x; };\n__global__ void "
         "k(V v) { v.f(); }\n",
         "__device__ float f", "std::cout"},
        {"constexpr int up(int a) { return a + 1; }\nint down(int a) { return a - 1; }\n__global__ void k() "
         "{ int n = up(2); }\n",
         "int up", "down"},
        {"enum Kind { One, Two };\nenum Other { Three };\n__global__ void k() { int n = Two; }\n",
         "enum Kind", "Three"},
        {"__constant__ float mask[9];\nfloat host[9];\n__global__ void k() { float f = mask[0]; }\n",
         "mask[9]", "host[9]"},
        {"#ifdef NOWHERE\nint a(\n#else\nvoid h() {}\n#endif\n__global__ void k() {}\n", "__global__ void k",
         "void h"},
        {"const char* s = R\"(__global__ { )\";\n__global__ void k() {}\n", "void k", "R\"("},
        {"#include <thrust/functional.h>\nstruct Sum : thrust::plus<int> { __device__ int operator()(int a) "
         "{ return a; } };\n__global__ void k() {}\n",
         "void k", "thrust::plus"},
        {"using namespace std;\nnamespace cg = cooperative_groups;\n__global__ void k() {}\n", "namespace cg",
         "namespace std"},
    };
    for (const Case& c : cases) {
        const CourseFile file = read(c.text);
        EXPECT_TRUE(has(file.text, c.kept)) << c.text << "->\n" << file.text;
        EXPECT_FALSE(has(file.text, c.leftOut)) << c.text << "->\n" << file.text;
        EXPECT_EQ(file.text.size(), std::string(c.text).size()) << c.text;
        EXPECT_EQ(std::ranges::count(file.text, '\n'), std::ranges::count(std::string(c.text), '\n'))
            << c.text;
    }
}

TEST(CourseFile, KeepsLinesAndColumnsAndSaysWhatWasSkipped) {
    const std::string text =
        "#include <vector>\n#include \"lost.h\"\n#include \"own.h\"\nstd::vector<int> v;\n   __global__ void "
        "k() {}\nint twiceAsMuch(int n) { return 2 * n; }\n__global__ void m(int* p) { *p = twiceAsMuch(1); "
        "}\n";
    const CourseFile file = read(text);
    EXPECT_EQ(file.text.find("__global__ void k"), text.find("__global__ void k"));
    ASSERT_EQ(file.notes.size(), 3u);
    EXPECT_EQ(file.notes[1].kind, FaultKind::NotFound);
    EXPECT_NE(file.notes[0].kind, FaultKind::NotFound);
    EXPECT_EQ(describe(file.notes[0]), "a.cu:1: a header for host code only is skipped: vector");
    EXPECT_EQ(
        describe(file.notes[1]),
        "a.cu:2: 'lost.h' was not found and is skipped; give its folder with --include if kernels need it");
    EXPECT_EQ(describe(file.notes[2]),
              "a.cu:6: 'twiceAsMuch' has no __device__, but line 7 calls it from device code; it is compiled "
              "for the device");
    EXPECT_TRUE(file.needsDeviceByDefault);
    ASSERT_EQ(file.headers.size(), 1u);
    EXPECT_TRUE(has(file.headers[0].text, "twice") && !has(file.headers[0].text, "host"));
    ASSERT_EQ(file.kernels.size(), 2u);
    EXPECT_EQ(file.kernels[1].line, 7u);
}

std::string written(const Launch& launch) {
    std::string text = launch.written();
    for (const LaunchArgument& argument : launch.arguments) {
        constexpr const char* kContents[] = {"zero", "iota", "const", "random"};
        switch (argument.kind) {
            case LaunchArgument::Kind::NotKnown: text += " ?" + argument.cause.variable; break;
            case LaunchArgument::Kind::Buffer:
                text += " " + std::to_string(argument.bytes) + ":" + kContents[int(argument.contents)];
                break;
            case LaunchArgument::Kind::Integer: text += " " + std::to_string(argument.integer); break;
            case LaunchArgument::Kind::Real: text += " " + std::to_string(argument.real).substr(0, 4); break;
        }
    }
    return text;
}

TEST(Launches, AreReadAsFarAsConstantsTell) {
    const std::string kernel = "__global__ void k(float* p, int n) {}\n";
    struct Case {
        const char *host, *launches;
    };
    const Case cases[] = {
        {"int main() { k<<<4, 256>>>(0, 7); }", "k<<<4, 256>>> 0 7"},
        {"#define N 1000\nint main() { dim3 b(16, 16); dim3 g((N + 15) / 16, N / 16); k<<<g, b>>>(0, N); }",
         "k<<<(63, 62), (16, 16)>>> 0 1000"},
        {"int main() { dim3 g; g.x = 3; g.y = 2; dim3 b{8}; k<<<g, b, 4 * sizeof(float)>>>(0, 1); }",
         "k<<<(3, 2), 8, 16>>> 0 1"},
        {"int up(int a, int b) { return (a + b - 1) / b; }\nint main() { const int n = 100; k<<<up(n, 32), "
         "32>>>(0, n); }",
         "k<<<4, 32>>> 0 100"},
        {"int main() { int n = 1000; int b = n > 512 ? 256 : 128; k<<<ceil((float)n / b), b>>>(0, n); }",
         "k<<<4, 256>>> 0 1000"},
        {"void go(int n) { float* d; cudaMalloc(&d, n * sizeof(float)); k<<<n / 32, 32>>>(d, n); }\nint "
         "main() { go(64); }",
         "k<<<2, 32>>> 256:zero 64"},
        {"void go(int n) { k<<<n / 32, 32>>>(0, n); }\nint main() { go(64); go(128); }",
         "k<<<2, 32>>> 0 64; k<<<4, 32>>> 0 128"},
        // What may vary is not known, and the variable is named.
        {"int main(int argc, char** argv) { int n = atoi(argv[1]); k<<<n, 32>>>(0, n); }",
         "k<<<?, 32>>> 0 ?n"},
        {"int main() { int n = 8; scanf(\"%d\", &n); k<<<n, 32>>>(0, 1); }", "k<<<?, 32>>> 0 1"},
        {"int main() { int n; std::cin >> n; k<<<2, n>>>(0, n); }", "k<<<2, ?>>> 0 ?n"},
        {"int main() { for (int i = 1; i < 9; i *= 2) k<<<i, 32>>>(0, 5); }", "k<<<?, 32>>> 0 5"},
        {"int main() { int n = 64; while (n > 1) { k<<<n, 32>>>(0, n); n /= 2; } }", "k<<<?, 32>>> 0 ?n"},
        {"int main() { int n = 64; for (int i = 0; i < 3; i++) k<<<n, 32>>>(0, n); }", "k<<<64, 32>>> 0 64"},
        {"int main() { int n = 4; if (time(0) % 2) n = 8; k<<<n, 32>>>(0, 1); }", "k<<<?, 32>>> 0 1"},
        {"int main() { int n = 4; fill(&n); k<<<n, 32>>>(0, 1); }", "k<<<?, 32>>> 0 1"},
        {"int main() { int n = 4; adjust(n); k<<<n, 32>>>(0, 1); }", "k<<<?, 32>>> 0 1"},
        {"int main() { int n = 2147483647; k<<<n + 1, 32>>>(0, 1); }", "k<<<?, 32>>> 0 1"},
        {"int main(int argc, char** argv) { if (argc < 2) { return 1; } k<<<1, 32>>>(0, 1); }",
         "k<<<1, 32>>> 0 1"},
        // Buffers and what is in them.
        {"int main() { float* h = (float*)malloc(40); for (int i = 0; i < 10; i++) h[i] = i; float* d; "
         "cudaMalloc((void**)&d, 40); cudaMemcpy(d, h, 40, cudaMemcpyHostToDevice); k<<<1, 1>>>(d, 0); }",
         "k<<<1, 1>>> 40:iota 0"},
        {"int main() { float h[8]; for (int i = 0; i < 8; ++i) { h[i] = 2.5f; } float* d; cudaMalloc(&d, "
         "sizeof(h)); cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice); k<<<1, 1>>>(d, 0); }",
         "k<<<1, 1>>> 32:const 0"},
        {"int main() { float h[8]; for (int i = 0; i < 4; ++i) { h[i] = 2.5f; } float* d; cudaMalloc(&d, "
         "sizeof(h)); cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice); k<<<1, 1>>>(d, 0); }",
         "k<<<1, 1>>> 32:random 0"},
        {"int main() { float* a; cudaMallocManaged(&a, 64); for (int r = 0; r < 4; r++) for (int c = 0; c < "
         "4; c++) a[r * 4 + c] = 1; k<<<1, 1>>>(a, 0); }",
         "k<<<1, 1>>> 64:const 0"},
        {"int main() { float* d; cudaMalloc(&d, 64); cudaMemset(d, 0, 64); k<<<1, 1>>>(d + 4, 0); }",
         "k<<<1, 1>>> 48:zero 0"},
        {"int main() { std::vector<float> h(12, 3.0f); thrust::device_vector<float> d = h; k<<<1, "
         "1>>>(thrust::raw_pointer_cast(d.data()), h.size()); }",
         "k<<<1, 1>>> 48:const 12"},
        {"#define CHECK(call) do { cudaError_t e = call; if (e != cudaSuccess) { exit(1); } } while (0)\nint "
         "main() { float* d; CHECK(cudaMalloc(&d, 16)); k<<<1, 1>>>(d, 0); }",
         "k<<<1, 1>>> 16:zero 0"},
        {"struct M { int w; float* e; };\nint main() { M m; m.w = 3; cudaMalloc(&m.e, m.w * 4); k<<<1, "
         "1>>>(m.e, m.w); }",
         "k<<<1, 1>>> 12:zero 3"},
        {"int main() { float *a, *b; cudaMalloc(&a, 8); cudaMalloc(&b, 8); for (int i = 0; i < 9; i++) { "
         "k<<<1, 1>>>(a, 0); float* t = a; a = b; b = t; } }",
         "k<<<1, 1>>> 8:zero 0"},
        {"int main() { float* d; int n = 3; cudaMalloc(&d, 12); void* list[] = {&d, &n}; "
         "cudaLaunchKernel((void*)k, dim3(2), dim3(32), list, 0, 0); }",
         "k<<<2, 32>>> 12:zero 3"},
        {"int main(int argc, char**) { int i = 0, j = 0; int m = argc > 1 ? i++ : j++; k<<<i + 1, j + "
         "1>>>(0, 7); }",
         "k<<<?, ?>>> 0 7"},
        {"int main(int argc, char**) { int n = 4; int m = argc > 1 ? 3 : 5; k<<<n, 32>>>(0, m); }",
         "k<<<4, 32>>> 0 ?argc"},
        {"struct Body { float x, y; int next; float u, v; };\nint main() { float* d; cudaMalloc(&d, 10 * "
         "sizeof(Body)); k<<<1, 1>>>(d, 0); }",
         "k<<<1, 1>>> 200:zero 0"},
        {"struct Pair { char tag; double of; };\nstruct Two { Pair pair; char more; float3 at; };\nint "
         "main() { k<<<sizeof(Pair), sizeof(Two)>>>(0, 0); }",
         "k<<<16, 32>>> 0 0"},
        {"struct alignas(16) Wide { float x; };\nstruct __align__(8) Half { float x; };\nint main() { "
         "k<<<sizeof(Wide), sizeof(Half)>>>(0, 0); }",
         "k<<<16, 8>>> 0 0"},
        {"int main() { enum { kTile = 16, kBlocks }; enum Mode { Fast = 3 }; struct Item { int a; char b; }; "
         "k<<<kBlocks, kTile, sizeof(Item)>>>(0, Fast); }",
         "k<<<17, 16, 8>>> 0 3"},
        {"typedef double vec[3];\nint main() { float* d; cudaMalloc(&d, sizeof(vec) * 2); k<<<1, 1>>>(d, 0); "
         "}",
         "k<<<1, 1>>> 48:zero 0"},
        {"constexpr int f(int n) { switch (n) { case 1: return 1; default: return 2; } return 3; }\nint "
         "main() { int a = 0; switch (2) { case f(1): a = 1; break; case f(5): a = 7; } k<<<1, a>>>(0, 0); }",
         "k<<<1, 7>>> 0 0"},
        {"int main() { auto run = k; run<<<1, 2>>>(0, 0); }", "k<<<1, 2>>> 0 0"},
        {"int main() { k << <3, 2 >> >(0, 0); k << < dim3(4), 8>> > (0, 1); k<<<1 << 2, 16 >> 1>>>(0, 2); }",
         "k<<<3, 2>>> 0 0; k<<<4, 8>>> 0 1; k<<<4, 8>>> 0 2"},
    };
    for (const Case& c : cases) {
        std::string launches;
        for (const Launch& launch : read(kernel + c.host + "\n").launches)
            launches += (launches.empty() ? "" : "; ") + written(launch);
        EXPECT_EQ(launches, c.launches) << c.host;
    }
}

TEST(Launches, NameTheInstanceOfATemplate) {
    const std::string kernel = "template <typename T, int B = 32> __global__ void k(T* p) {}\n";
    struct Case {
        const char *host, *entry;
    };
    const Case cases[] = {
        {"int main() { k<float, 16><<<1, 1>>>(0); }", "k<float, 16>"},
        {"int main() { double* d; cudaMalloc(&d, 8); k<<<1, 1>>>(d); }", "k<double>"},
        {"const int S = 4;\nint main() { k<int, S * 2><<<1, 1>>>(0); }", "k<int, 8>"},
        {"template <typename T> void go() { k<T, 64><<<1, 1>>>(0); }\nint main() { go<float>(); }",
         "k<float, 64>"},
        {"template <typename T> void go(T* p) { k<T><<<1, 1>>>(p); }\n", "k<?>"},
    };
    for (const Case& c : cases) {
        const CourseFile file = read(kernel + c.host);
        ASSERT_EQ(file.launches.size(), 1u) << c.host;
        EXPECT_EQ(file.launches[0].entry, c.entry) << c.host;
    }
}

TEST(Launches, AreReadBehindALongChainOfElseIf) {
    const std::string kernel = "__global__ void k(float* p, int n) {}\n";
    std::string chain;
    for (int i = 0; i < 1000; ++i)
        chain += "if (c == " + std::to_string(i) + ") { n = 7; } else ";
    const CourseFile file = read(kernel + "int main(int c, char** v) { int n = 7, m = 1;\n" + chain +
                                 "{ n = 7; m = 2; }\nk<<<1, n>>>(0, m); }");
    ASSERT_EQ(file.launches.size(), 1u);
    EXPECT_EQ(written(file.launches[0]), "k<<<1, 7>>> 0 ?m");
}

TEST(Launches, EndWhereAFileWouldTakeForever) {
    std::string text =
        "__global__ void k() {}\nint f(int n) { return f(n) + f(n) + f(n); }\nint main() { f(1);\n";
    for (int i = 0; i < 60; ++i)
        text += "for (int i = 0; i < n; i++) if (x) {";
    EXPECT_LE(read(text + "k<<<1, 1>>>();").launches.size(), 1u);
    EXPECT_TRUE(read(std::string(100'000, '(')).launches.empty());
    EXPECT_TRUE(read("int main() {" + std::string(20'000, '<') + ";}").launches.empty());
    EXPECT_TRUE(read("int main() { int a = " + std::string(20'000, '{') + std::string(20'000, '}') + "; }")
                    .launches.empty());
    std::string many;
    for (int i = 0; i < 50'000; ++i)
        many += "int x;";
    EXPECT_TRUE(read(many).launches.empty());
    std::string scopes;
    for (int i = 0; i < 100'000; ++i)
        scopes += "::";
    EXPECT_TRUE(read("int main() { int a = " + scopes + "b; }").launches.empty());
    std::string macros = "#define a0 x x\n";
    for (int i = 1; i < 60; ++i)
        macros += "#define a" + std::to_string(i) + " a" + std::to_string(i - 1) + " a" +
                  std::to_string(i - 1) + "\n";
    EXPECT_TRUE(read(macros + "int main() { a59; }").launches.empty());
}

}  // namespace
}  // namespace lockstep::source
