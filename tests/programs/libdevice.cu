// Functions of mathematics with more than one result or argument, against those of the host.
#include <cmath>
#include <cstdio>

__global__ void compute(double* d, float* f, int* i, double x, float y) {
    const double four[] = {1, 2, -4, 10};
    const float narrow[] = {1, 2, -4, 10};
    sincos(x, d, d + 1), sincospi(0.25, d + 2, d + 3);
    d[4] = modf(-x, d + 5), d[6] = frexp(x, i), d[7] = remquo(x, 0.75, i + 1);
    d[8] = norm(4, four), d[9] = rnorm(4, four), d[10] = norm4d(1, 2, -4, 10), d[11] = jn(2, x), d[12] = yn(2, x);
    d[13] = cyl_bessel_i0(x), d[14] = cyl_bessel_i1(-x), d[15] = nearbyint(x), d[16] = frexp(5e-324, i + 4);
    sincosf(y, f, f + 1), sincospif(0.25f, f + 2, f + 3), __sincosf(y, f + 16, f + 17);
    f[4] = modff(-y, f + 5), f[6] = frexpf(y, i + 2), f[7] = remquof(y, 0.75f, i + 3);
    f[8] = normf(4, narrow), f[9] = rnormf(4, narrow), f[10] = rnorm4df(1, 2, -4, 10), f[11] = jnf(2, y), f[12] = ynf(2, y);
    f[13] = cyl_bessel_i0f(y), f[14] = cyl_bessel_i1f(-y), f[15] = nearbyintf(y);
}

int main() {
    const double x = 12.375;
    const float y = 3.625f;
    double *d, hd[17], wd[17];
    float *f, hf[18], wf[18];
    int *i, hi[5], wi[5];
    cudaMalloc(&d, sizeof hd), cudaMalloc(&f, sizeof hf), cudaMalloc(&i, sizeof hi);
    compute<<<1, 1>>>(d, f, i, x, y);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaMemcpy(hd, d, sizeof hd, cudaMemcpyDeviceToHost), cudaMemcpy(hf, f, sizeof hf, cudaMemcpyDeviceToHost);
    cudaMemcpy(hi, i, sizeof hi, cudaMemcpyDeviceToHost);
    wd[0] = sin(x), wd[1] = cos(x), wd[2] = wd[3] = sqrt(0.5), wd[4] = modf(-x, wd + 5), wd[6] = frexp(x, wi), wd[7] = remquo(x, 0.75, wi + 1);
    wd[8] = 11, wd[9] = 1 / 11.0, wd[10] = 11, wd[11] = jn(2, x), wd[12] = yn(2, x), wd[13] = 27140.193233, wd[14] = -26019.401852, wd[15] = nearbyint(x);
    wd[16] = frexp(5e-324, wi + 4);
    wf[0] = sinf(y), wf[1] = cosf(y), wf[2] = wf[3] = sqrtf(0.5f), wf[4] = modff(-y, wf + 5), wf[6] = frexpf(y, wi + 2), wf[7] = remquof(y, 0.75f, wi + 3);
    wf[8] = 11, wf[9] = wf[10] = 1 / 11.0f, wf[11] = jn(2, y), wf[12] = yn(2, y), wf[13] = 8.1994361f, wf[14] = -6.9480023f, wf[15] = nearbyintf(y), wf[16] = wf[0], wf[17] = wf[1];
    for (int k = 0; k < 17; ++k)
        if (!(fabs(hd[k] - wd[k]) <= 1e-6 * fabs(wd[k]))) printf("double %d: %.9g, not %.9g\n", k, hd[k], wd[k]);
    for (int k = 0; k < 18; ++k)
        if (!(fabs(hf[k] - wf[k]) <= 1e-5 * fabs(wf[k]))) printf("float %d: %.9g, not %.9g\n", k, hf[k], wf[k]);
    for (int k = 0; k < 5; ++k)
        if (hi[k] != wi[k]) printf("int %d: %d, not %d\n", k, hi[k], wi[k]);
    printf("done\n");
    cudaFree(d), cudaFree(f), cudaFree(i);
}
