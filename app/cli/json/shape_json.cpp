#include "app/cli/json/shape_json.h"

#include "explain/shape.h"

namespace lockstep::cli {
namespace {

Json shapedJson(const run::Run& run, const explain::ShapedBuffer& buffer) {
    return {{"buffer", run.recording.initial[buffer.buffer].name},
            {"rows", buffer.rows},
            {"columns", buffer.columns}};
}

Json provedJson(const run::Run& run, const trace::FocusBlock& block, const explain::ProvedShape& proved) {
    Json evidence = Json::array(), buffers = Json::array();
    for (const Message& sentence : proved.evidence)
        evidence.push_back(sentence.english());
    for (const explain::ShapedBuffer& buffer : proved.buffers)
        buffers.push_back(shapedJson(run, buffer));
    return {{"name", explain::nameOf(proved.shape)},
            {"evidence", std::move(evidence)},
            {"buffers", std::move(buffers)},
            {"launch", block.launch.value},
            {"block", triple(block.block)}};
}

}  // namespace

Json shapeJson(const run::Run& run) {
    Json first;
    std::optional<LaunchId> asked;
    for (const trace::FocusBlock& block : run.recording.trace.blocks) {
        if (asked == block.launch) continue;
        asked = block.launch;
        const auto flow = explain::BlockFlow::of(*run.module, run.recording.launches[block.launch.value],
                                                 run.recording.initial.size(), block);
        if (!flow) continue;
        const explain::ProvedShape proved =
            explain::shapeOf(*run.module, run.recording.initial, block, *flow);
        if (proved.shape != explain::Shape::Generic) return provedJson(run, block, proved);
        if (first.isNull()) first = provedJson(run, block, proved);
    }
    return first;
}

}  // namespace lockstep::cli
