#include "lessons/barrier_trial.h"

#include "base/files/text_file.h"
#include "base/text/trimmed.h"
#include "explain/source/source_line.h"
#include "ptx/analysis/shared_layout.h"
#include "ptx/opcodes.h"
#include "run/own/open_text.h"

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>

namespace lockstep::lessons {
namespace {

constexpr const char* kBarrier = "\tbar.sync \t0;\n";

// Where a line begins, counted from 1; behind the text where there are not as many.
std::size_t startOfLine(std::string_view text, u32 line) {
    std::size_t at = 0;
    for (u32 number = 1; number < line && at < text.size(); ++number)
        at = std::min(text.find('\n', at), text.size() - 1) + 1;
    return at;
}

// The kernel's source by line, without comments, and which braces belong together.
class Braces {
public:
    explicit Braces(const std::string& source) {
        std::istringstream in(source);
        std::vector<u32> open;
        for (std::string line; std::getline(in, line);) {
            code_.push_back(std::string(trimmed(std::string_view(line).substr(0, line.find("//")))));
            const u32 number = u32(code_.size());
            for (const char c : code_.back()) {
                if (c == '{') open.push_back(number);
                if (c != '}' || open.empty()) continue;
                if (open.back() != number) {
                    closes_[open.back()] = number;
                    opens_[number] = open.back();
                }
                open.pop_back();
            }
        }
    }
    u32 lines() const { return u32(code_.size()); }
    const std::string& code(u32 line) const { return code_[line - 1]; }
    // Of a line that opens a block which a later one closes, that one; and the other way round. 0: none.
    u32 closeOf(u32 line) const { return valueIn(closes_, line); }
    u32 openOf(u32 line) const { return valueIn(opens_, line); }
    // The last line of the statement that begins here.
    u32 endOfStatement(u32 line) const {
        if (const u32 close = closeOf(line)) return close;
        while (line < lines() && !code(line).ends_with(';') && !code(line).ends_with('}'))
            ++line;
        return line;
    }

private:
    static u32 valueIn(const std::map<u32, u32>& lines, u32 line) {
        const auto found = lines.find(line);
        return found == lines.end() ? 0 : found->second;
    }
    std::vector<std::string> code_;
    std::map<u32, u32> closes_, opens_;
};

class Placement {
public:
    explicit Placement(const run::Run& run)
        : module_(*run.module),
          kernel_(module_.findEntry(run.recording.launches.front().entry)),
          file_(kernel_ ? explain::lineOf(module_, kernel_->first).file : 0),
          braces_(file_ < module_.sources.size() ? module_.sources[file_] : std::string()) {
        for (u32 line = 1; kernel_ && line <= braces_.lines(); ++line) {
            const u32 close = braces_.closeOf(line);
            if (!close || !contains(line, close)) continue;
            if (begins(line, "__global__"))
                body_ = {line, close};
            else if (!run.catalog && begins(line, "__device__"))
                called_.emplace_back(line, close);
        }
    }

    // What stands behind nothing but blank lines and comments stands behind the line before them.
    u32 placeOf(u32 line) const {
        const std::optional<Body> body = bodyOf(line);
        while (body && line > body->first && braces_.code(line).empty())
            --line;
        return line;
    }
    bool canStandBehind(u32 line) const {
        if (!bodyOf(line)) return false;
        const std::string& code = braces_.code(line);
        return code.ends_with(';') || code.ends_with('{') || code.ends_with('}');
    }
    std::vector<u32> lines() const {
        std::vector<u32> all;
        for (u32 line = 1; line <= braces_.lines(); ++line)
            if (canStandBehind(line)) all.push_back(line);
        return all;
    }

    // The line of the PTX text, from 1, in front of which the barrier goes: behind what the lines of its
    // block up to this one do to memory. 0: there is none.
    u32 ptxLineFor(u32 line) const {
        if (braces_.closeOf(line)) return firstLineWithin(line + 1, braces_.closeOf(line));
        const u32 open = braces_.openOf(line), block = enclosing(line);
        const Pc last = lastEffectWithin(open ? open : block + 1, line);
        if (last == kNoPc) return firstLineWithin(block + 1, braces_.closeOf(block));
        const Pc next{last.value + 1};
        if (next.value >= kernel_->end.value) return 0;
        return behindLabels(module_.at(last).line + 1, module_.at(next).line, next, line);
    }

private:
    using Body = std::pair<u32, u32>;  // lines of its braces
    std::optional<Body> bodyOf(u32 line) const {
        const auto holds = [&](const Body& body) { return line >= body.first && line < body.second; };
        if (holds(body_)) return body_;
        const auto found = std::ranges::find_if(called_, holds);
        return found == called_.end() ? std::nullopt : std::optional(*found);
    }
    // Whether what opens there is the body of such a function: its declaration may take several lines.
    bool begins(u32 line, std::string_view what) const {
        for (u32 at = line; at >= 1; --at) {
            const std::string& code = braces_.code(at);
            if (at < line && (code.ends_with(';') || code.ends_with('{') || code.ends_with('}')))
                return false;
            if (code.find(what) != std::string::npos) return true;
        }
        return false;
    }
    u32 lineOf(Pc pc) const {
        const explain::SourceLine at = explain::lineOf(module_, pc);
        return at.file == file_ ? at.line : 0;
    }
    // Of what the kernel executes, called functions included.
    bool contains(u32 first, u32 last) const {
        for (const ptx::FunctionId function : ptx::reachableFunctions(module_, *kernel_)) {
            const ptx::Function& code = module_.functions[function.value];
            for (Pc pc = code.first; pc.value < code.end.value; pc = Pc{pc.value + 1})
                if (const u32 line = lineOf(pc); line > first && line < last) return true;
        }
        return false;
    }
    // The innermost block that a line stands in: where that opens.
    u32 enclosing(u32 line) const {
        u32 found = body_.first;
        for (u32 open = body_.first; open < line; ++open)
            if (braces_.closeOf(open) > line) found = open;
        return found;
    }
    // What a barrier can stand before or behind: accesses, barriers and branches. The rest computes.
    bool hasEffect(Pc pc) const {
        const ptx::Instruction& instruction = module_.at(pc);
        switch (ptx::opcodeTable()[instruction.opcode].opcodeClass) {
            case ptx::OpcodeClass::Memory: return instruction.modifiers.space != ptx::StateSpace::Param;
            case ptx::OpcodeClass::Atomic:
            case ptx::OpcodeClass::Control:
            case ptx::OpcodeClass::Barrier: return true;
            default: return false;
        }
    }
    Pc lastEffectWithin(u32 first, u32 last) const {
        Pc found = kNoPc;
        for (Pc pc = kernel_->first; pc.value < kernel_->end.value; pc = Pc{pc.value + 1})
            if (const u32 line = lineOf(pc); line >= first && line <= last && hasEffect(pc)) found = pc;
        return found;
    }
    u32 firstLineWithin(u32 first, u32 last) const {
        for (Pc pc = kernel_->first; pc.value < kernel_->end.value; pc = Pc{pc.value + 1})
            if (const u32 line = lineOf(pc); line >= first && line <= last) return module_.at(pc).line;
        return 0;
    }
    // Labels between two instructions belong to what comes before them if all that jumps there has ended by
    // `line`.
    u32 behindLabels(u32 from, u32 to, Pc target, u32 line) const {
        bool isEnded = true;
        for (Pc pc = kernel_->first; pc.value < kernel_->end.value; pc = Pc{pc.value + 1})
            for (const ptx::Operand& operand : module_.operandsOf(module_.at(pc)))
                if (const auto* label = std::get_if<ptx::LabelOperand>(&operand))
                    if (label->target == target) isEnded &= braces_.endOfStatement(lineOf(pc)) <= line;
        return isEnded ? to : from;
    }

    const ptx::Module& module_;
    const ptx::Function* kernel_;
    u32 file_;
    Braces braces_;
    Body body_{0, 0};           // of the kernel
    std::vector<Body> called_;  // of functions that it calls, where the source is compiled again
};

// What was run, anew: of a user's own kernel with the same contents of its buffers.
Expected<run::Experiment> experimentOf(const run::Resources& resources, const run::Run& run) {
    if (run.catalog)
        return run::open(resources, *run.catalog->family, *run.catalog->variant, run.catalog->values);
    return run::Experiment{.module = nullptr,
                           .launches = run.recording.launches,
                           .buffers = run.recording.initial,
                           .catalog = {},
                           .entry = run.recording.launches.front().entry,
                           .source = run.source,
                           .reference = run.reference};
}

}  // namespace

std::vector<u32> linesForBarrier(const run::Run& run) { return Placement(run).lines(); }

u32 lineForBarrier(const run::Run& run, u32 line) { return Placement(run).placeOf(line); }

Expected<std::string> withBarrierBehind(const run::Run& run, u32 line) {
    const Placement placement(run);
    const u32 before = placement.canStandBehind(line) ? placement.ptxLineFor(line) : 0;
    if (before == 0)
        return fail(FaultKind::Usage,
                    Message(english("no barrier can stand behind line {0}"), std::to_string(line)));
    const std::string_view text = run.module->text();
    const std::size_t at = startOfLine(text, before);
    std::string changed(text.substr(0, at));
    return changed.append(kBarrier).append(text.substr(at));
}

namespace {

// Its PTX with the barrier: nothing is compiled.
Expected<run::Experiment> changedPtx(const run::Resources& resources, const run::Run& run, u32 line) {
    Expected<std::string> text = withBarrierBehind(run, line);
    if (!text) return Unexpected{text.error()};
    Expected<ptx::Module> module = ptx::parse(std::move(*text), run.module->name);
    if (!module) return Unexpected{module.error()};
    module->sources = run.module->sources;
    Expected<run::Experiment> experiment = experimentOf(resources, run);
    if (!experiment) return Unexpected{experiment.error()};
    experiment->module = std::make_shared<const ptx::Module>(std::move(*module));
    return experiment;
}

// Its file with the barrier at the end of the line, before what is a comment there: PTX has several copies of
// a line of an unrolled loop or of an inlined function. The lines keep their numbers.
Expected<run::Experiment> changedSource(const run::FileRequest& file, u32 line) {
    Expected<std::string> text = readTextFile(file.file, Words{});
    if (!text) return Unexpected{text.error()};
    const std::size_t at = startOfLine(*text, line);
    const std::size_t end = std::min(text->find('\n', at), text->size());
    text->insert(std::min(text->find("//", at), end), " __syncthreads(); ");
    return run::openText(file, *text);
}

}  // namespace

Expected<std::shared_ptr<const run::Run>> runWithBarrier(const run::Resources& resources, const run::Run& run,
                                                         u32 line, const run::FileRequest* file) {
    const bool isSource = file && file->file.extension() == ".cu";
    Expected<run::Experiment> experiment =
        isSource ? changedSource(*file, line) : changedPtx(resources, run, line);
    if (!experiment) return Unexpected{experiment.error()};
    run::Options options;
    options.backend = "emulator";
    options.profile = run.profile.name;
    options.caches = run::Caches::Off;
    options.wantsHints = false;
    Expected<run::Run> changed = run::run(std::move(*experiment), options);
    if (!changed) return Unexpected{changed.error()};
    return std::make_shared<const run::Run>(std::move(*changed));
}

bool isClean(const run::Run& run) {
    const bool isRight = run.comparison ? run.comparison->correct : !run.catalog && !run.reference;
    return !run.hasFaults() && isRight &&
           std::ranges::none_of(run.recording.findings, [](const trace::Finding& finding) {
               return finding.kind == trace::FindingKind::WarpSynchronous;
           });
}

}  // namespace lockstep::lessons
