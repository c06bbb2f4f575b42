#include "cudart/graph.h"

#include "cudart/streams.h"
#include "cudart/unwaited.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

using namespace lockstep::cudart;

struct CUgraphNode_st {
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    Work work{};
    std::vector<const CUgraphNode_st*> after{};
    const CUgraphNode_st* origin = nullptr;  // of a clone: the node that it was made from
};
struct CUgraph_st {
    std::vector<std::unique_ptr<CUgraphNode_st>> nodes;

    CUgraphNode_st* owns(const CUgraphNode_st* node) const {
        for (const auto& own : nodes)
            if (own.get() == node) return own.get();
        return nullptr;
    }
};
struct CUgraphExec_st {
    struct Step {
        const CUgraphNode_st* node = nullptr;  // may be gone by now: only its address counts
        const CUgraphNode_st* origin = nullptr;
        cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
        Work work{};
    };
    std::vector<Step> steps;
};

namespace {

// A graph under construction, and the streams that are captured into it.
struct Capture {
    std::uint64_t number = 0;
    cudaStream_t origin = nullptr;
    cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
    std::set<cudaStream_t> streams;
    std::unique_ptr<CUgraph_st> graph;
    bool isValid = true;
};
std::vector<Capture> captures;
std::uint64_t lastCapture = 0;

Capture* captureInto(cudaStream_t stream) {
    for (Capture& capture : captures)
        if (capture.streams.contains(stream)) return &capture;
    return nullptr;
}

// The legacy stream waits for the others, so that it would wait for what is captured.
Capture* captureOfBlockingStream() {
    for (Capture& capture : captures)
        if (std::ranges::any_of(capture.streams, isBlocking)) return &capture;
    return nullptr;
}

int invalidated(Capture& capture, int error) {
    capture.isValid = false;
    return error;
}

// Each behind those that it depends on, else as they were added; empty: they depend on each other in a
// circle.
std::vector<const CUgraphNode_st*> inOrder(const CUgraph_st& graph) {
    std::vector<const CUgraphNode_st*> order;
    std::set<const CUgraphNode_st*> done;
    while (order.size() < graph.nodes.size()) {
        const auto next = std::ranges::find_if(graph.nodes, [&](const auto& node) {
            return !done.contains(node.get()) &&
                   std::ranges::all_of(node->after, [&](const auto* other) { return done.contains(other); });
        });
        if (next == graph.nodes.end()) return {};
        order.push_back(next->get());
        done.insert(next->get());
    }
    return order;
}

std::unique_ptr<CUgraph_st> cloned(const CUgraph_st& graph) {
    auto clone = std::make_unique<CUgraph_st>();
    std::map<const CUgraphNode_st*, const CUgraphNode_st*> made;
    for (const auto& node : graph.nodes) {
        clone->nodes.push_back(std::make_unique<CUgraphNode_st>(*node));
        CUgraphNode_st& copy = *clone->nodes.back();
        copy.origin = node.get();
        made[node.get()] = &copy;
    }
    for (const auto& node : clone->nodes)
        for (const CUgraphNode_st*& other : node->after)
            other = made[other];
    return clone;
}

int run(const std::vector<Work>& works, Call& call, cudaStream_t stream) {
    for (const Work& work : works)
        if (work)
            if (const int error = work(call, stream)) return error;
    return cudaSuccess;
}

std::vector<Work> worksOf(const CUgraph_st& graph) {
    std::vector<Work> works;
    for (const CUgraphNode_st* node : inOrder(graph))
        works.push_back(node->work);
    return works;
}

cudaError_t addNode(Call& call, cudaGraphNode_t* to, cudaGraph_t graph, const cudaGraphNode_t* after,
                    std::size_t count, cudaGraphNodeType type, Work work) {
    if (!to || !graph || (count && !after)) return call.done(cudaErrorInvalidValue);
    auto node = std::make_unique<CUgraphNode_st>();
    node->type = type;
    node->work = std::move(work);
    for (std::size_t i = 0; i < count; ++i) {
        if (!graph->owns(after[i])) return call.done(cudaErrorInvalidValue);
        node->after.push_back(after[i]);
    }
    *to = node.get();
    graph->nodes.push_back(std::move(node));
    return cudaSuccess;
}

cudaError_t nodesInto(Call& call, const CUgraph_st* graph, cudaGraphNode_t* nodes, std::size_t* count,
                      bool rootsOnly) {
    if (!graph || !count) return call.done(cudaErrorInvalidValue);
    std::vector<cudaGraphNode_t> found;
    for (const auto& node : graph->nodes)
        if (!rootsOnly || node->after.empty()) found.push_back(node.get());
    if (nodes) {
        std::fill_n(nodes, *count, nullptr);
        std::copy_n(found.begin(), std::min(*count, found.size()), nodes);
    }
    if (!nodes || found.size() < *count) *count = found.size();
    return cudaSuccess;
}

int workNow(Call& call, cudaStream_t stream, cudaGraphNodeType type, const Work& work) {
    if (captures.empty()) return work(call, stream);
    Capture* const capture = captureInto(stream);
    if (!capture) {
        Capture* const blocked = isLegacy(stream) ? captureOfBlockingStream() : nullptr;
        return blocked ? invalidated(*blocked, cudaErrorStreamCaptureImplicit) : work(call, stream);
    }
    if (!capture->isValid) return cudaErrorStreamCaptureInvalidated;
    // In the order in which they are asked for: one of those that the streams and their events allow.
    auto node = std::make_unique<CUgraphNode_st>();
    node->type = type;
    node->work = work;
    auto& nodes = capture->graph->nodes;
    if (!nodes.empty()) node->after.push_back(nodes.back().get());
    nodes.push_back(std::move(node));
    return cudaSuccess;
}

}  // namespace

namespace lockstep::cudart {

cudaError_t perform(Call& call, cudaStream_t stream, cudaGraphNodeType type, const Work& work) {
    return call.done(workNow(call, stream, type, work));
}
cudaError_t performUnseen(Call& call, cudaStream_t stream, cudaGraphNodeType type, const Work& work) {
    return call.doneUnseen(workNow(call, stream, type, work));
}

int waitIsForbidden(cudaStream_t stream) {
    if (captures.empty()) return cudaSuccess;
    Capture* const capture = isLegacy(stream) ? captureOfBlockingStream() : captureInto(stream);
    return capture ? invalidated(*capture, cudaErrorStreamCaptureUnsupported) : int(cudaSuccess);
}
int waitForAllIsForbidden() {
    for (Capture& capture : captures)
        if (capture.mode != cudaStreamCaptureModeRelaxed)
            return invalidated(capture, cudaErrorStreamCaptureUnsupported);
    return cudaSuccess;
}

std::uint64_t captureOf(cudaStream_t stream) {
    const Capture* const capture = captureInto(stream);
    return capture ? capture->number : 0;
}
void joinCapture(cudaStream_t stream, std::uint64_t number) {
    for (Capture& capture : captures)
        if (capture.number == number) capture.streams.insert(stream);
}

}  // namespace lockstep::cudart

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
    LOCKSTEP_ORDINARY("cudaStreamBeginCapture");
    if (isLegacy(stream)) return call.done(cudaErrorStreamCaptureUnsupported);
    if (captureInto(stream)) return call.done(cudaErrorIllegalState);
    captures.push_back({.number = ++lastCapture,
                        .origin = stream,
                        .mode = mode,
                        .streams = {stream},
                        .graph = std::make_unique<CUgraph_st>()});
    return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    LOCKSTEP_ORDINARY("cudaStreamEndCapture");
    if (!graph) return call.done(cudaErrorInvalidValue);
    *graph = nullptr;
    const auto capture = std::ranges::find(captures, stream, &Capture::origin);
    if (capture == captures.end())
        return call.done(captureInto(stream) ? cudaErrorStreamCaptureUnmatched : cudaErrorIllegalState);
    Capture ended = std::move(*capture);
    captures.erase(capture);
    if (!ended.isValid) return call.done(cudaErrorStreamCaptureInvalidated);
    *graph = ended.graph.release();
    return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    LOCKSTEP_ORDINARY("cudaStreamIsCapturing");
    if (!status) return call.done(cudaErrorInvalidValue);
    const Capture* const capture = captureInto(stream);
    *status = !capture           ? cudaStreamCaptureStatusNone
              : capture->isValid ? cudaStreamCaptureStatusActive
                                 : cudaStreamCaptureStatusInvalidated;
    return cudaSuccess;
}

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int) {
    LOCKSTEP_ORDINARY("cudaGraphCreate");
    if (!graph) return call.done(cudaErrorInvalidValue);
    *graph = new CUgraph_st;
    return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    LOCKSTEP_ORDINARY("cudaGraphDestroy");
    if (!graph) return call.done(cudaErrorInvalidValue);
    delete graph;
    return cudaSuccess;
}
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
    LOCKSTEP_ORDINARY("cudaGraphClone");
    if (!clone || !graph) return call.done(cudaErrorInvalidValue);
    *clone = cloned(*graph).release();
    return cudaSuccess;
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   size_t count, const cudaKernelNodeParams* parameters) {
    LOCKSTEP_ORDINARY("cudaGraphAddKernelNode");
    if (!parameters) return call.done(cudaErrorInvalidValue);
    int error = cudaSuccess;
    Work work = launchWork(call, *parameters, false, error);
    if (error) return call.done(error);
    return addNode(call, node, graph, after, count, cudaGraphNodeTypeKernel, std::move(work));
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   size_t count, const cudaMemcpy3DParms* parameters) {
    LOCKSTEP_ORDINARY("cudaGraphAddMemcpyNode");
    if (!parameters) return call.done(cudaErrorInvalidValue);
    return addNode(call, node, graph, after, count, cudaGraphNodeTypeMemcpy, copyWork(*parameters));
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     size_t count, void* to, const void* from, size_t bytes,
                                     cudaMemcpyKind kind) {
    LOCKSTEP_ORDINARY("cudaGraphAddMemcpyNode1D");
    return addNode(call, node, graph, after, count, cudaGraphNodeTypeMemcpy,
                   copyWork({.srcArray = nullptr,
                             .srcPos = {},
                             .srcPtr = make_cudaPitchedPtr(const_cast<void*>(from), bytes, bytes, 1),
                             .dstArray = nullptr,
                             .dstPos = {},
                             .dstPtr = make_cudaPitchedPtr(to, bytes, bytes, 1),
                             .extent = {bytes, 1, 1},
                             .kind = kind}));
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   size_t count, const cudaMemsetParams* parameters) {
    LOCKSTEP_ORDINARY("cudaGraphAddMemsetNode");
    if (!parameters) return call.done(cudaErrorInvalidValue);
    return addNode(call, node, graph, after, count, cudaGraphNodeTypeMemset, fillWork(*parameters));
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                 size_t count, const cudaHostNodeParams* parameters) {
    LOCKSTEP_ORDINARY("cudaGraphAddHostNode");
    if (!parameters || !parameters->fn) return call.done(cudaErrorInvalidValue);
    return addNode(
        call, node, graph, after, count, cudaGraphNodeTypeHost,
        [host = *parameters](Call& now, cudaStream_t in) {
            now.tell({.kind = OperationKind::HostFunction, .stream = numberOf(in), .isAsynchronous = true});
            const unwaited::Opened inItsOrder;
            host.fn(host.userData);
            return int(cudaSuccess);
        });
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                  size_t count) {
    LOCKSTEP_ORDINARY("cudaGraphAddEmptyNode");
    return addNode(call, node, graph, after, count, cudaGraphNodeTypeEmpty, {});
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                       size_t count, cudaGraph_t child) {
    LOCKSTEP_ORDINARY("cudaGraphAddChildGraphNode");
    if (!child || (inOrder(*child).empty() && !child->nodes.empty())) return call.done(cudaErrorInvalidValue);
    return addNode(
        call, node, graph, after, count, cudaGraphNodeTypeGraph,
        [works = worksOf(*child)](Call& launch, cudaStream_t stream) { return run(works, launch, stream); });
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, size_t count) {
    LOCKSTEP_ORDINARY("cudaGraphAddDependencies");
    if (!graph || (count && (!from || !to))) return call.done(cudaErrorInvalidValue);
    for (size_t i = 0; i < count; ++i)
        if (!graph->owns(from[i]) || !graph->owns(to[i])) return call.done(cudaErrorInvalidValue);
    for (size_t i = 0; i < count; ++i)
        to[i]->after.push_back(from[i]);
    return cudaSuccess;
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
    LOCKSTEP_ORDINARY("cudaGraphGetNodes");
    return nodesInto(call, graph, nodes, count, false);
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
    LOCKSTEP_ORDINARY("cudaGraphGetRootNodes");
    return nodesInto(call, graph, nodes, count, true);
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
    LOCKSTEP_ORDINARY("cudaGraphNodeGetType");
    if (!node || !type) return call.done(cudaErrorInvalidValue);
    *type = node->type;
    return cudaSuccess;
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* parameters) {
    LOCKSTEP_ORDINARY("cudaGraphKernelNodeSetParams");
    if (!node || !parameters || node->type != cudaGraphNodeTypeKernel)
        return call.done(cudaErrorInvalidValue);
    int error = cudaSuccess;
    Work work = launchWork(call, *parameters, false, error);
    if (!error) node->work = std::move(work);
    return call.done(error);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
    LOCKSTEP_ORDINARY("cudaGraphInstantiate");
    if (!exec || !graph) return call.done(cudaErrorInvalidValue);
    const std::vector<const CUgraphNode_st*> order = inOrder(*graph);
    if (order.size() < graph->nodes.size()) return call.done(cudaErrorInvalidValue);
    auto made = std::make_unique<CUgraphExec_st>();
    for (const CUgraphNode_st* node : order)
        made->steps.push_back({node, node->origin, node->type, node->work});
    *exec = made.release();
    return cudaSuccess;
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
    LOCKSTEP_ORDINARY("cudaGraphExecKernelNodeSetParams");
    if (!exec || !node || !parameters) return call.done(cudaErrorInvalidValue);
    const auto step = std::ranges::find_if(
        exec->steps, [&](const auto& one) { return one.node == node || one.origin == node; });
    if (step == exec->steps.end() || step->type != cudaGraphNodeTypeKernel)
        return call.done(cudaErrorInvalidValue);
    int error = cudaSuccess;
    Work work = launchWork(call, *parameters, false, error);
    if (!error) step->work = std::move(work);
    return call.done(error);
}
// Other parameters, the same kinds in the same order.
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info) {
    LOCKSTEP_ORDINARY("cudaGraphExecUpdate");
    if (!exec || !graph) return call.done(cudaErrorInvalidValue);
    cudaGraphExecUpdateResultInfo result{};
    const std::vector<const CUgraphNode_st*> order = inOrder(*graph);
    if (order.size() != exec->steps.size()) result.result = cudaGraphExecUpdateErrorTopologyChanged;
    for (std::size_t i = 0; !result.result && i < order.size(); ++i)
        if (order[i]->type != exec->steps[i].type) {
            result.result = cudaGraphExecUpdateErrorNodeTypeChanged;
            result.errorNode = const_cast<cudaGraphNode_t>(order[i]);
        }
    if (info) *info = result;
    if (result.result) return call.done(cudaErrorGraphExecUpdateFailure);
    for (std::size_t i = 0; i < order.size(); ++i)
        exec->steps[i] = {order[i], order[i]->origin, order[i]->type, order[i]->work};
    return cudaSuccess;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t) {
    LOCKSTEP_ORDINARY("cudaGraphUpload");
    return call.done(exec ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
    LOCKSTEP_ORDINARY("cudaGraphLaunch");
    if (!exec) return call.done(cudaErrorInvalidValue);
    std::vector<Work> works;
    for (const auto& step : exec->steps)
        works.push_back(step.work);
    return perform(
        call, stream, cudaGraphNodeTypeGraph,
        [works = std::move(works)](Call& launch, cudaStream_t in) { return run(works, launch, in); });
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
    LOCKSTEP_ORDINARY("cudaGraphExecDestroy");
    if (!exec) return call.done(cudaErrorInvalidValue);
    delete exec;
    return cudaSuccess;
}
}
