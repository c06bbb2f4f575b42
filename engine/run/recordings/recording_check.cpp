#include "run/recordings/recording_check.h"

#include "ptx/opcodes.h"

namespace lockstep::run {
namespace {

class Checker {
public:
    Checker(const trace::Recording& recording, const ptx::Module& module) : r_(recording), module_(module) {}

    Words check() {
        require(!r_.launches.empty(), english("it has no launch"));
        for (const Launch& launch : r_.launches)
            checkLaunch(launch);
        require(r_.counts.empty() || r_.counts.size() == r_.launches.size(),
                english("some of its launches are not counted"));
        for (const trace::GridCounts& counts : r_.counts) {
            require(counts.perPc.size() == module_.instructions.size(),
                    english("it counts instructions of another program"));
            for (const trace::SiteCounts& site : counts.sites)
                checkAccess(site.pc);
        }
        for (const trace::Finding& finding : r_.findings) {
            checkPc(finding.who.pc);
            if (finding.other) checkPc(finding.other->pc);
        }
        for (const trace::FocusBlock& block : r_.trace.blocks)
            for (const trace::WarpTrace& warp : block.warps) {
                for (const trace::Step& step : warp.steps)
                    require(isPc(step.pc), kNoInstruction);
                for (const trace::StoredAccess& access : warp.accesses)
                    checkAccess(access.pc);
            }
        return mistake_;
    }

private:
    static constexpr Words kNoInstruction = english("it refers to an instruction that is not there");

    void require(bool holds, const Words& otherwise) {
        if (!holds && mistake_.empty()) mistake_ = otherwise;
    }
    bool isPc(Pc pc) const { return pc.value < module_.instructions.size(); }
    void checkPc(Pc pc) { require(pc == kNoPc || isPc(pc), kNoInstruction); }

    void checkLaunch(const Launch& launch) {
        const ptx::Function* entry = module_.findEntry(launch.entry);
        if (!entry) return require(false, english("the kernel that it launched is not there"));
        require(launch.arguments.size() == entry->parameters.size(),
                english("a launch has another number of arguments than the kernel"));
        for (std::size_t i = 0; i < launch.arguments.size() && i < entry->parameters.size(); ++i) {
            const auto* scalar = std::get_if<ScalarArgument>(&launch.arguments[i]);
            const u64 bytes = scalar ? scalar->bytes.size() : sizeof(u64);
            require(bytes == module_.variables[entry->parameters[i].value].sizeBytes,
                    english("an argument has another size than the kernel's"));
        }
    }

    void checkAccess(Pc pc) {
        if (!isPc(pc)) return require(false, kNoInstruction);
        switch (ptx::opcodeTable()[module_.at(pc).opcode].opcodeClass) {
            case ptx::OpcodeClass::Arithmetic:
            case ptx::OpcodeClass::Move:
            case ptx::OpcodeClass::Control:
            case ptx::OpcodeClass::Warp:
                return require(false, english("it has a memory access at an instruction that makes none"));
            default: return;
        }
    }

    const trace::Recording& r_;
    const ptx::Module& module_;
    Words mistake_;
};

}  // namespace

Words mistakeIn(const trace::Recording& recording, const ptx::Module& module) {
    return Checker(recording, module).check();
}

}  // namespace lockstep::run
