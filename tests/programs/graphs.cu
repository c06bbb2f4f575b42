// CUDA graphs: streams that are captured, nodes by hand, what is refused meanwhile.
#include <cstdio>

__global__ void add(int* a, int value) { a[threadIdx.x] += value; }
__global__ void twice(int* a) { a[threadIdx.x] *= 2; }

void CUDART_CB count(void* calls) { printf("call %d\n", ++*static_cast<int*>(calls)); }

const int kCount = 32, kBytes = kCount * sizeof(int);
int* device;
int host[kCount], calls = 0;
cudaStream_t stream, other;

void show(cudaGraphExec_t exec) {
    cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    printf("%d\n", host[5]);
}

// The other stream waits for an event of the captured one, and is captured, too.
void captured() {
    cudaEvent_t fork, join;
    cudaEventCreate(&fork);
    cudaEventCreate(&join);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaMemsetAsync(device, 0, kBytes, stream);
    for (int i = 1; i <= 3; ++i)
        add<<<1, kCount, 0, stream>>>(device, i);
    cudaEventRecord(fork, stream);
    cudaStreamWaitEvent(other, fork, 0);
    twice<<<1, kCount, 0, other>>>(device);
    cudaEventRecord(join, other);
    cudaStreamWaitEvent(stream, join, 0);
    cudaMemcpyAsync(host, device, kBytes, cudaMemcpyDeviceToHost, stream);
    cudaLaunchHostFunc(stream, count, &calls);
    cudaStreamCaptureStatus status;
    cudaStreamIsCapturing(other, &status);
    cudaGraph_t graph, clone;
    cudaStreamEndCapture(stream, &graph);
    cudaGraphClone(&clone, graph);
    size_t nodes = 0, roots = 0;
    cudaGraphGetNodes(clone, nullptr, &nodes);
    cudaGraphGetRootNodes(clone, nullptr, &roots);
    printf("captured: %d, %zu nodes, %zu root, nothing done: %d\n", status == cudaStreamCaptureStatusActive,
           nodes, roots, host[5]);
    cudaGraphDestroy(graph);
    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, clone, nullptr, nullptr, 0);
    cudaGraphDestroy(clone);
    show(exec);
    show(exec);
    cudaGraphExecDestroy(exec);
    cudaEventDestroy(fork);
    cudaEventDestroy(join);
}

// 7 in each element, then + 5, then twice, whatever the nodes were added in.
void byHand() {
    cudaGraph_t graph, child;
    cudaGraphNode_t set, sum, product, back, nested;
    cudaGraphCreate(&graph, 0);
    cudaMemsetParams filled = {};
    filled.dst = device, filled.value = 7, filled.elementSize = 4, filled.width = kCount, filled.height = 1;
    cudaGraphAddMemsetNode(&set, graph, nullptr, 0, &filled);
    int value = 5;
    void *ofSum[] = {&device, &value}, *ofProduct[] = {&device};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void*)twice, kernel.gridDim = 1, kernel.blockDim = kCount, kernel.kernelParams = ofProduct;
    cudaGraphAddKernelNode(&product, graph, &set, 1, &kernel);
    kernel.func = (void*)add, kernel.kernelParams = ofSum;
    cudaGraphAddKernelNode(&sum, graph, &set, 1, &kernel);
    cudaGraphAddDependencies(graph, &sum, &product, 1);
    cudaGraphAddMemcpyNode1D(&back, graph, &product, 1, host, device, kBytes, cudaMemcpyDeviceToHost);
    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, graph, 0);
    show(exec);
    value = 1;
    show(exec);  // arguments were copied
    cudaGraphExecKernelNodeSetParams(exec, sum, &kernel);
    show(exec);

    cudaGraphCreate(&child, 0);
    cudaGraphAddChildGraphNode(&nested, child, nullptr, 0, graph);
    cudaGraphAddChildGraphNode(&nested, child, &nested, 1, graph);
    cudaGraphExecUpdateResultInfo result;
    printf("%s\n", cudaGetErrorName(cudaGraphExecUpdate(exec, child, &result)));
    cudaGraphKernelNodeSetParams(sum, &kernel);
    printf("%s\n", cudaGetErrorName(cudaGraphExecUpdate(exec, graph, &result)));
    show(exec);
    cudaGraphAddDependencies(graph, &product, &sum, 1);
    cudaGraphExec_t circle;
    printf("%s\n", cudaGetErrorName(cudaGraphInstantiate(&circle, graph, 0)));
    cudaGraphExecDestroy(exec);
    cudaGraphInstantiate(&exec, child, 0);
    show(exec);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(child);
    cudaGraphDestroy(graph);
}

void end() {
    cudaGraph_t graph;
    const cudaError_t error = cudaStreamEndCapture(stream, &graph);
    printf("%s, %s\n", cudaGetErrorName(error), graph ? "a graph" : "no graph");
    cudaGetLastError();
}

void refused() {
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    add<<<1, kCount, 0, stream>>>(device, 1);
    printf("%s: ", cudaGetErrorName(cudaStreamSynchronize(stream)));
    end();
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    add<<<1, kCount>>>(device, 1);  // in the legacy stream
    printf("%s: ", cudaGetErrorName(cudaGetLastError()));
    end();
    cudaStreamBeginCapture(other, cudaStreamCaptureModeGlobal);
    printf("%s: ", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaGraph_t graph;
    printf("%s\n", cudaGetErrorName(cudaStreamEndCapture(other, &graph)));
    end();  // was not begun
}

int main() {
    cudaMalloc(&device, kBytes);
    cudaStreamCreate(&stream);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    captured();
    byHand();
    refused();
    cudaStreamDestroy(stream);
    cudaStreamDestroy(other);
    cudaFree(device);
}
