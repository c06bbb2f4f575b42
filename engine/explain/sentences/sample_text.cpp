#include "explain/sentences/sample_text.h"

#include "base/text/counted.h"
#include "model/source_line.h"

namespace lockstep::explain {
namespace {

// "line 12: {sentence}", where the line is known.
Message atLine(Pc pc, const ptx::Module& module, const Words& sentence) {
    const u32 line = pc == kNoPc ? 0 : model::sourceLineOf(pc, module).line;
    return line ? Message(english("line {0}: {1}"), line, Message(sentence)) : Message(sentence);
}

}  // namespace

Message blocksOf(const trace::Sample& sample) {
    return Message(english("{0} of {1} {1:block|blocks}"), grouped(sample.blocks), grouped(sample.of));
}

Message whyNotExtrapolated(const trace::Sample& sample, const ptx::Module& module) {
    using trace::Unproved;
    switch (sample.unproved) {
        case Unproved::Nothing: break;
        case Unproved::Stopped: return english("the run was stopped before its end");
        case Unproved::Findings:
            return english("a block has a problem, so that it does not stand for others");
        case Unproved::TooFewBlocks:
            return Message(
                english("too few blocks were run to prove the others alike; --sample {0} runs enough"),
                sample.neededBlocks);
        case Unproved::TooLong: return english("a block executed too many steps to compare it with others");
        case Unproved::BlocksDiffer: return english("blocks in similar positions did different things");
        case Unproved::DependsOnData:
            return atLine(
                sample.at, module,
                english("a branch or an address may depend on loaded data, so that other blocks may do "
                        "something else"));
        case Unproved::NotLinear:
            return atLine(
                sample.at, module,
                english("a branch or an address depends on the block's position in a way that a few "
                        "blocks do not show"));
        case Unproved::CallsFunctions:
            return english("the kernel calls functions, whose values are not followed");
        case Unproved::UnderWay: return english("the other blocks had not been run yet");
    }
    return {};
}

}  // namespace lockstep::explain
