// Copies to, from and between arrays; what arrays and objects say of themselves; what is refused.
#include <cstdio>

template <int n> void show(const char* what, const int (&values)[n]) {
    printf("%s:", what);
    for (int value : values) printf(" %d", value);
    printf("\n");
}

int main() {
    int host[12], back[12] = {};
    for (int i = 0; i < 12; ++i) host[i] = i;
    const cudaChannelFormatDesc ints = cudaCreateChannelDesc<int>();
    cudaArray_t a, b, line;
    cudaMallocArray(&a, &ints, 4, 3);
    cudaMallocArray(&b, &ints, 4, 3);
    cudaMallocArray(&line, &ints, 12);
    cudaMemcpyToArray(a, 0, 0, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpyFromArray(back, a, 4, 1, 4 * sizeof(int), cudaMemcpyDeviceToHost);  // from x 1, y 1 on, into the next row
    show("run", back);
    cudaMemcpy2DArrayToArray(b, 4, 1, a, 0, 0, 3 * sizeof(int), 2);
    cudaMemcpy2DFromArray(back, 4 * sizeof(int), b, 0, 0, 4 * sizeof(int), 3, cudaMemcpyDeviceToHost);
    show("rectangle", back);
    cudaMemcpyArrayToArray(line, 2 * sizeof(int), 0, a, 0, 1, 5 * sizeof(int));
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMemcpyFromArrayAsync(back, line, 0, 0, sizeof back, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    show("line", back);

    cudaArray_t box;
    cudaMalloc3DArray(&box, &ints, make_cudaExtent(2, 3, 2));
    cudaMemcpy3DParms in = {};
    in.srcPtr = make_cudaPitchedPtr(host, 2 * sizeof(int), 2, 3);
    in.dstArray = box;
    in.extent = make_cudaExtent(2, 3, 2);
    in.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3DAsync(&in, stream);
    cudaMemcpy3DParms across = {};
    across.srcArray = box;
    across.srcPos = make_cudaPos(1, 1, 1);
    across.dstArray = box;
    across.extent = make_cudaExtent(1, 2, 1);
    across.kind = cudaMemcpyDeviceToDevice;
    cudaMemcpy3D(&across);
    cudaMemcpy3DParms out = {};
    out.srcArray = box;
    out.dstPtr = make_cudaPitchedPtr(back, 2 * sizeof(int), 2, 3);
    out.extent = in.extent;
    out.kind = cudaMemcpyDeviceToHost;
    cudaMemcpy3D(&out);
    show("box", back);

    cudaChannelFormatDesc desc;
    cudaExtent extent;
    unsigned flags;
    cudaArrayGetInfo(&desc, &extent, &flags, box);
    printf("%d bits of kind %d, %zu x %zu x %zu, %u\n", desc.x, desc.f, extent.width, extent.height, extent.depth, flags);
    cudaGetChannelDesc(&desc, line);
    printf("%d %d %d %d\n", desc.x, desc.y, desc.z, desc.w);

    cudaResourceDesc resource = {}, same;
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = a;
    cudaTextureDesc how = {}, alike;
    how.normalizedCoords = 1;
    how.addressMode[1] = cudaAddressModeMirror;
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &resource, &how, nullptr);
    cudaGetTextureObjectResourceDesc(&same, texture);
    cudaGetTextureObjectTextureDesc(&alike, texture);
    printf("%d %d %d\n", same.res.array.array == a, alike.normalizedCoords, alike.addressMode[1] == cudaAddressModeMirror);
    printf("%s\n", cudaGetErrorName(cudaDestroyTextureObject(texture)));
    printf("%s\n", cudaGetErrorName(cudaDestroyTextureObject(texture)));
    how.filterMode = cudaFilterModeLinear;
    printf("%s\n", cudaGetErrorName(cudaCreateTextureObject(&texture, &resource, &how, nullptr)));
    how.filterMode = cudaFilterModePoint;
    how.readMode = cudaReadModeNormalizedFloat;
    printf("%s\n", cudaGetErrorName(cudaCreateTextureObject(&texture, &resource, &how, nullptr)));
    const cudaChannelFormatDesc three = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat);
    cudaArray_t none;
    printf("%s\n", cudaGetErrorName(cudaMallocArray(&none, &three, 4, 4)));
    printf("%s\n", cudaGetErrorName(cudaMalloc3DArray(&none, &ints, make_cudaExtent(4, 4, 6), cudaArrayCubemap)));
    cudaStreamDestroy(stream);
    for (cudaArray_t array : {a, b, line, box}) cudaFreeArray(array);
    printf("%s\n", cudaGetErrorName(cudaFreeArray(a)));
}
