// Textures of arrays, of rows with a pitch and of plain memory, layers, and surfaces.
#include <cstdio>

__global__ void sample(cudaTextureObject_t image, float* to, float step) {
    int x = threadIdx.x, y = threadIdx.y;
    to[y * blockDim.x + x] = tex2D<float>(image, x * step + 0.5f, y * step + 0.5f);
}
__global__ void fractions(cudaTextureObject_t bytes, float4* to) {
    to[threadIdx.x] = tex1Dfetch<float4>(bytes, (int)threadIdx.x - 1);
}
__global__ void layers(cudaTextureObject_t image, float* to) {
    to[threadIdx.x] = tex2DLayered<float>(image, 1.5f, 0.5f, (int)threadIdx.x);
}
__global__ void slices(cudaTextureObject_t image, float* to) {
    to[threadIdx.x] = tex3D<float>(image, 0.5f, 0.5f, threadIdx.x + 0.5f);
}
__global__ void brighten(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int width) {
    int x = threadIdx.x, y = threadIdx.y;
    uchar4 color = surf2Dread<uchar4>(from, x * (int)sizeof(uchar4), y, cudaBoundaryModeClamp);
    color.x += 10;
    surf2Dwrite(color, to, (width - 1 - x) * (int)sizeof(uchar4), y);
}

cudaTextureObject_t textureOf(const cudaResourceDesc& resource, cudaTextureFilterMode filter,
                              cudaTextureAddressMode mode, bool normalized,
                              cudaTextureReadMode read = cudaReadModeElementType) {
    cudaTextureDesc desc = {};
    desc.addressMode[0] = desc.addressMode[1] = desc.addressMode[2] = mode;
    desc.filterMode = filter;
    desc.readMode = read;
    desc.normalizedCoords = normalized;
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &desc, nullptr);
    return texture;
}
cudaResourceDesc resourceOf(cudaArray_t array) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
}

int main() {
    float *values, host[32];
    cudaMalloc(&values, sizeof host);
    const float picture[2][3] = {{0, 1, 2}, {10, 11, 12}};

    cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaMallocArray(&array, &floats, 3, 2);
    cudaMemcpy2DToArray(array, 0, 0, picture, sizeof picture[0], sizeof picture[0], 2, cudaMemcpyHostToDevice);
    cudaTextureObject_t linear =
        textureOf(resourceOf(array), cudaFilterModeLinear, cudaAddressModeClamp, false);
    sample<<<1, dim3(3, 2)>>>(linear, values, 0.5f);
    cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
    printf("%g %g %g, %g %g %g\n", host[0], host[1], host[2], host[3], host[4], host[5]);
    cudaDestroyTextureObject(linear);

    char* rows;
    size_t pitch;
    cudaMallocPitch(&rows, &pitch, sizeof picture[0], 2);
    cudaMemcpy2DFromArray(rows, pitch, array, 0, 0, sizeof picture[0], 2, cudaMemcpyDeviceToDevice);
    cudaResourceDesc pitched = {};
    pitched.resType = cudaResourceTypePitch2D;
    pitched.res.pitch2D = {rows, floats, 3, 2, pitch};
    cudaTextureObject_t border = textureOf(pitched, cudaFilterModePoint, cudaAddressModeBorder, false);
    sample<<<1, dim3(3, 2)>>>(border, values, 2.0f);
    cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
    printf("%g %g %g, %g %g %g\n", host[0], host[1], host[2], host[3], host[4], host[5]);
    cudaDestroyTextureObject(border);

    const uchar4 colors[2] = {{0, 51, 255, 102}, {255, 0, 0, 0}};
    uchar4* bytes;
    float4 *four, fetched[4];
    cudaMalloc(&bytes, sizeof colors);
    cudaMalloc(&four, sizeof fetched);
    cudaMemcpy(bytes, colors, sizeof colors, cudaMemcpyHostToDevice);
    cudaResourceDesc plain = {};
    plain.resType = cudaResourceTypeLinear;
    plain.res.linear = {bytes, cudaCreateChannelDesc<uchar4>(), sizeof colors};
    cudaTextureObject_t fraction =
        textureOf(plain, cudaFilterModePoint, cudaAddressModeClamp, false, cudaReadModeNormalizedFloat);
    fractions<<<1, 4>>>(fraction, four);
    cudaMemcpy(fetched, four, sizeof fetched, cudaMemcpyDeviceToHost);
    for (const float4& f : fetched) printf("(%g %g %g %g) ", f.x, f.y, f.z, f.w);
    printf("\n");
    cudaDestroyTextureObject(fraction);

    for (bool layered : {true, false}) {
        cudaArray_t box;
        cudaMalloc3DArray(&box, &floats, make_cudaExtent(3, 2, 2), layered ? cudaArrayLayered : 0);
        float two[2][2][3];
        for (int i = 0; i < 12; ++i) (&two[0][0][0])[i] = i;
        cudaMemcpy3DParms copy = {};
        copy.srcPtr = make_cudaPitchedPtr(two, sizeof two[0][0], 3, 2);
        copy.dstArray = box;
        copy.extent = make_cudaExtent(3, 2, 2);
        copy.kind = cudaMemcpyHostToDevice;
        cudaMemcpy3D(&copy);
        cudaTextureObject_t texture = textureOf(resourceOf(box), cudaFilterModePoint, cudaAddressModeClamp, false);
        if (layered)
            layers<<<1, 4>>>(texture, values);
        else
            slices<<<1, 4>>>(texture, values);
        cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
        printf("%g %g %g %g\n", host[0], host[1], host[2], host[3]);
        cudaDestroyTextureObject(texture);
        cudaFreeArray(box);
    }

    cudaChannelFormatDesc color = cudaCreateChannelDesc<uchar4>();
    cudaArray_t from, to;
    cudaMallocArray(&from, &color, 3, 2, cudaArraySurfaceLoadStore);
    cudaMallocArray(&to, &color, 3, 2, cudaArraySurfaceLoadStore);
    uchar4 pixels[2][3];
    for (int i = 0; i < 6; ++i) (&pixels[0][0])[i] = make_uchar4(i, 0, 0, i);
    cudaMemcpy2DToArray(from, 0, 0, pixels, sizeof pixels[0], sizeof pixels[0], 2, cudaMemcpyHostToDevice);
    cudaResourceDesc a = resourceOf(from), b = resourceOf(to);
    cudaSurfaceObject_t in, out;
    cudaCreateSurfaceObject(&in, &a);
    cudaCreateSurfaceObject(&out, &b);
    brighten<<<1, dim3(3, 2)>>>(in, out, 3);
    cudaMemcpy2DFromArray(pixels, sizeof pixels[0], to, 0, 0, sizeof pixels[0], 2, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 6; ++i) printf("%d/%d ", (&pixels[0][0])[i].x, (&pixels[0][0])[i].w);
    cudaExtent size;
    unsigned flags;
    cudaArrayGetInfo(&color, &size, &flags, to);
    printf("\n%d bits, %zu x %zu, %u\n", color.x + color.y + color.z + color.w, size.width, size.height, flags);
    cudaDestroySurfaceObject(in);
    cudaDestroySurfaceObject(out);
    cudaFreeArray(from);
    cudaFreeArray(to);
    cudaFreeArray(array);
    cudaFree(rows);
    cudaFree(bytes);
    cudaFree(four);
    cudaFree(values);
}
