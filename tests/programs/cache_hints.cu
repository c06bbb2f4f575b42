// Loads and stores with hints for the caches do what plain ones do, for every size.
#include <cstdio>

template <class T> struct Pair {
    T from, to;
};
__device__ Pair<signed char> a = {-3, 0};
__device__ Pair<unsigned short> b = {65535, 0};
__device__ Pair<int> c = {-70000, 0};
__device__ Pair<long long> d = {1LL << 40, 0};
__device__ Pair<double> e = {0.1, 0};
__device__ Pair<float2> f = {{1, 2}, {0, 0}};
__device__ Pair<float4> g = {{1, 2, 3, 4}, {0, 0, 0, 0}};
__device__ Pair<uchar4> h = {{1, 200, 3, 255}, {0, 0, 0, 0}};
__device__ Pair<short2> i = {{-1, 2}, {0, 0}};

__global__ void copy() {
    __stcg(&a.to, __ldcg(&a.from));
    __stcs(&b.to, __ldcs(&b.from));
    __stwt(&c.to, __ldca(&c.from));
    __stwb(&d.to, __ldcv(&d.from));
    __stcg(&e.to, __ldlu(&e.from));
    __stcs(&f.to, __ldcg(&f.from));
    __stwt(&g.to, __ldcs(&g.from));
    __stcg(&h.to, __ldca(&h.from));
    __stcg(&i.to, __ldcg(&i.from));
    printf("%d %d %d %lld %g\n", a.to, b.to, c.to, d.to, e.to);
    printf("%g %g, %g %g %g %g\n", f.to.x, f.to.y, g.to.x, g.to.y, g.to.z, g.to.w);
    printf("%d %d %d %d, %d %d\n", h.to.x, h.to.y, h.to.z, h.to.w, i.to.x, i.to.y);
}

int main() {
    copy<<<1, 1>>>();
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
