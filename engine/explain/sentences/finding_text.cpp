// Findings in words: what happened, where, and what to do about it.
#include "explain/sentences/finding_text.h"

#include "base/text/counted.h"
#include "explain/exchange/lane_exchange.h"
#include "explain/sentences/words.h"
#include "explain/source/condition.h"
#include "model/source_line.h"
#include "ptx/analysis/barrier_paths.h"
#include "ptx/module.h"
#include "ptx/own_location.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace lockstep::explain {
namespace {

using trace::AccessKind;
using trace::Culprit;
using trace::Finding;
using trace::FindingKind;
using trace::Space;

class Describer {
public:
    Describer(const Finding& finding, const ptx::Module& module, const trace::Recording& recording,
              std::span<const ArrayShape> shapes)
        : finding_(finding), module_(module), recording_(recording), shapes_(shapes) {
        if (finding.launch.value >= recording.launches.size()) return;
        launch_ = &recording.launches[finding.launch.value];
        grid_ = launch_->grid, block_ = launch_->block;
    }

    Message describe() const {
        if (finding_.count <= 1 || finding_.kind == FindingKind::Truncated) return ofKind();
        return Message(english("{0} This case occurred {1} {1:time|times}."), ofKind(),
                       grouped(finding_.count));
    }

    Message occurrence() const {
        switch (finding_.kind) {
            case FindingKind::OutOfBounds:
                return Message(english("{0} {1} {2}, {3}."), subject(), verb(finding_.who.kind), place(),
                               distance());
            case FindingKind::Misaligned:
                return Message(english("{0} {1} {2} {2:byte|bytes} at {3}, which is not a multiple of {2}."),
                               subject(), verb(finding_.who.kind), finding_.widthBytes, place());
            case FindingKind::UninitializedRead: return uninitializedRead();
            case FindingKind::Race:
            case FindingKind::WarpSynchronous:
                if (!finding_.other) break;
                if (finding_.who.kind == finding_.other->kind)
                    return Message(english("{0} {1} {2}, and so does {3}, without synchronization."),
                                   subject(), verb(finding_.who.kind), place(), otherThread(false));
                return Message(english("{0} {1} {2}, and {3} {4} it without synchronization."), subject(),
                               verb(finding_.who.kind), place(),
                               otherThread(finding_.kind == FindingKind::WarpSynchronous),
                               verb(finding_.other->kind));
            case FindingKind::DivergentBarrier:
                if (finding_.detail == "mask") break;
                return Message(english("{0} waits at {1}, but {2}."), subject(), barrierName(),
                               whoIsMissing());
            case FindingKind::InactiveLane: return readsInactiveLane();
            default: break;
        }
        return ofKind();
    }

private:
    Message ofKind() const {
        switch (finding_.kind) {
            case FindingKind::OutOfBounds: return outOfBounds();
            case FindingKind::Misaligned: return misaligned();
            case FindingKind::UninitializedRead: return uninitialized();
            case FindingKind::Race: return race();
            case FindingKind::DivergentBarrier: return divergentBarrier();
            case FindingKind::WarpSynchronous: return warpSynchronous();
            case FindingKind::InvalidAddress: return invalidAddress();
            case FindingKind::DivisionByZero: return divisionByZero();
            case FindingKind::Limit: return limit();
            case FindingKind::Truncated: return truncated();
            case FindingKind::InvalidTexture: return invalidTexture();
            case FindingKind::InvalidFree: return invalidFree();
            case FindingKind::HeapRemark: return heapRemark();
            case FindingKind::InactiveLane: return inactiveLane();
        }
        return {};
    }

    // ---- Who and where.
    Message thread(const Culprit& culprit) const {
        if (culprit.pc == kNoPc) return english("a thread");
        return threadOfBlock(culprit.thread, block_, culprit.block, grid_);
    }
    // The other thread, seen from the first: of the same block, or of the same warp where that is known.
    Message otherThread(bool sameWarp) const {
        const Culprit& other = *finding_.other;
        if (other.block != finding_.who.block || other.pc == kNoPc) return thread(other);
        return Message(
            sameWarp ? english("thread {0} of the same warp") : english("thread {0} of the same block"),
            coordinates(other.thread, block_));
    }
    // A sentence begins with it.
    Message subject() const {
        const Culprit& who = finding_.who;
        if (who.pc == kNoPc) return english("A thread");
        return Message(english("Thread {0} of block {1}"), coordinates(who.thread, block_),
                       coordinates(who.block, grid_));
    }
    bool isKnown(const Culprit& culprit) const { return culprit.pc.value < module_.instructions.size(); }
    Message inLine(const Message& who, const Culprit& culprit) const {
        return isKnown(culprit) ? Message(english("{0} ({1})"), who, lineName(culprit)) : who;
    }
    std::string opcode() const {
        if (finding_.who.pc.value >= module_.instructions.size()) return {};
        return std::string(module_.at(finding_.who.pc).name);
    }
    bool isOfHeap() const {
        using enum trace::HeapFault;
        return heap_.fault == OutOfBounds || heap_.fault == UseAfterFree;
    }
    bool onGpu() const { return recording_.backend == "gpu"; }

    // ---- What was touched: the array as a whole, and the place in it.
    const Buffer* buffer() const {
        const bool known = finding_.buffer >= 0 && std::size_t(finding_.buffer) < recording_.initial.size();
        return known ? &recording_.initial[std::size_t(finding_.buffer)] : nullptr;
    }
    // The array whose end is meant; "shared memory" and "local memory" are whole spaces.
    Message array() const {
        if (buffer()) return Message::plain(buffer()->name);
        if (finding_.space == Space::Shared && !finding_.strayed())
            return english("the block's shared memory");
        if (finding_.space == Space::Local) return english("the thread's local memory");
        if (finding_.space == Space::Param) return english("the kernel's parameters");
        if (isOfHeap())
            return Message(english("the memory that malloc() returned in line {0}"), heap_.allocatedIn);
        const std::string name = ptx::variableName(finding_.detail);
        return name.empty() ? Message(english("memory")) : Message::plain(name);
    }
    // "M (9 elements)"
    Message arrayOfItsSize() const {
        if (const Buffer* b = buffer())
            return Message(english("{0} ({1} {1:element|elements})"), array(),
                           grouped(finding_.sizeBytes / info(b->type).bytes));
        return Message(english("{0} ({1} {1:byte|bytes})"), array(), grouped(finding_.sizeBytes));
    }
    Message place() const {
        if (const Buffer* b = buffer()) {
            const auto shape = std::ranges::find_if(
                shapes_, [&](const ArrayShape& one) { return one.isBuffer && one.name == b->name; });
            return placeText(nameOfBufferBytes(*b, finding_.offsetBytes, finding_.widthBytes,
                                               shape == shapes_.end() ? TypeLayout() : shape->layout));
        }
        if (isOfHeap()) return Message(english("byte {0} of memory from malloc()"), finding_.offsetBytes);
        if (finding_.space == Space::Shared) {
            const LaunchedEntry launched = launchedEntryOf(finding_.who.pc, module_, recording_);
            const u64 dynamic = launch_ ? launch_->dynamicSharedBytes : 0;
            std::string name;
            if (launched.entry)
                name = nameOfSharedBytes(finding_.strayed() ? finding_.address : u64(finding_.offsetBytes),
                                         finding_.widthBytes, module_, *launched.entry, dynamic, shapes_);
            if (!name.empty()) return placeText(name);
        }
        if (finding_.space == Space::Global || finding_.space == Space::Constant)
            if (const std::string name =
                    nameOfGlobalAddress(finding_.address, finding_.widthBytes, module_, recording_, shapes_);
                !name.empty())
                return placeText(name);
        return Message(english("byte {0} of {1}"), finding_.offsetBytes, array());
    }
    // "4 bytes past the end of M (9 elements)"
    Message distance() const {
        const s64 offset = finding_.offsetBytes, end = s64(finding_.sizeBytes);
        if (offset < 0)
            return Message(english("{0} {0:byte|bytes} before the start of {1}"), grouped(0 - u64(offset)),
                           arrayOfItsSize());
        if (offset == end) return Message(english("just past the end of {0}"), arrayOfItsSize());
        if (offset > end)
            return Message(english("{0} {0:byte|bytes} past the end of {1}"), grouped(u64(offset - end)),
                           arrayOfItsSize());
        return Message(english("of which {0} {0:byte|bytes} lie past the end of {1}"),
                       grouped(u64(offset + finding_.widthBytes - end)), arrayOfItsSize());
    }
    // What became of an access that could not be done.
    Words consequence() const {
        if (onGpu()) return english("on the GPU it accesses whatever lies there");
        if (finding_.strayed())
            return finding_.who.kind == AccessKind::Load ? english("as on a GPU, it gets what lies there")
                                                         : english("as on a GPU, it changes what lies there");
        switch (finding_.who.kind) {
            case AccessKind::Load: return english("it gets poison (all bits one) and the run goes on");
            case AccessKind::Store: return english("the store is dropped and the run goes on");
            case AccessKind::AsyncCopy: return english("it copies poison (all bits one) and the run goes on");
            default:
                return english(
                    "nothing is changed, the old value it gets is poison (all bits one), and the run goes "
                    "on");
        }
    }

    // ---- One for each kind.
    Message outOfBounds() const {
        return Message(english("{0} {1} {2}, {3}; {4}. Check the index against the size before the access."),
                       subject(), verb(finding_.who.kind), place(), distance(), consequence());
    }

    Message misaligned() const {
        return Message(
            onGpu()
                ? english("{0} {1} {2} {2:byte|bytes} at {3}, which is not a multiple of {2}: a GPU aborts "
                          "the kernel there (misaligned address). Start wide accesses at whole elements of "
                          "their own size.")
                : english("{0} {1} {2} {2:byte|bytes} at {3}, which is not a multiple of {2}: a GPU aborts "
                          "the kernel there (misaligned address). Here {4}. Start wide accesses at whole "
                          "elements of their own size."),
            subject(), verb(finding_.who.kind), finding_.widthBytes, place(), consequence());
    }

    // A data race of this launch between two threads whose instructions are known.
    bool isKnownRace(const Finding& race) const {
        return race.kind == FindingKind::Race && race.launch == finding_.launch && race.other &&
               isKnown(race.who) && isKnown(*race.other);
    }
    static bool isOfAReadAndAWrite(const Finding& race) {
        return trace::writes(race.who.kind) != trace::writes(race.other->kind);
    }
    static const Culprit& readerOf(const Finding& race) {
        return trace::writes(race.who.kind) ? *race.other : race.who;
    }
    static const Culprit& writerOf(const Finding& race) {
        return trace::writes(race.who.kind) ? race.who : *race.other;
    }
    // Of the same place, a thread that writes it in a race with this read: the list has it as one of its own.
    const Finding* raceWithTheWrite() const {
        const Finding* found = nullptr;
        for (const Finding& race : recording_.findings) {
            if (!isKnownRace(race) || !isOfAReadAndAWrite(race) || race.space != finding_.space ||
                race.address != finding_.address || race.who.block != finding_.who.block ||
                race.other->block != finding_.who.block || readerOf(race).pc != finding_.who.pc)
                continue;
            if (readerOf(race).thread == finding_.who.thread) return &race;
            if (!found) found = &race;
        }
        return found;
    }
    // Another place that the same access races for: what orders that one orders this one.
    const Finding* raceAtTheRead() const {
        const auto found = std::ranges::find_if(recording_.findings, [&](const Finding& race) {
            return isKnownRace(race) && isOfAReadAndAWrite(race) && race.space == finding_.space &&
                   race.who.block == race.other->block && readerOf(race).pc == finding_.who.pc;
        });
        return found == recording_.findings.end() ? nullptr : &*found;
    }
    Message uninitialized() const {
        if (const Finding* race = raceWithTheWrite()) {
            const Culprit& writer = writerOf(*race);
            const Message who =
                Message(english("thread {0} of the same block"), coordinates(writer.thread, block_));
            return Message(
                english("{0} reads {1} before {2} has written it: the value is indeterminate. {3}"),
                inLine(subject(), finding_.who), place(), inLine(who, writer),
                Describer(*race, module_, recording_, shapes_).adviceAgainstRace());
        }
        if (const Finding* race = raceAtTheRead())
            return Message(english("{0} reads {1}, which no thread has written yet: the value is "
                                   "indeterminate. {2}"),
                           subject(), place(),
                           Describer(*race, module_, recording_, shapes_).adviceAgainstRace());
        return Message(
            finding_.space == Space::Shared
                ? english("{0} reads {1}, which no thread has written yet: the value is indeterminate. Make "
                          "sure that a thread that has not returned writes it first, with __syncthreads() "
                          "between the write and the read.")
                : english(
                      "{0} reads {1}, which no thread has written yet: the value is indeterminate. Give it "
                      "a value first."),
            subject(), place());
    }

    Message uninitializedRead() const {
        const Finding* race = raceWithTheWrite();
        if (!race)
            return Message(english("{0} reads {1}, which no thread has written yet."), subject(), place());
        const Culprit& writer = writerOf(*race);
        return Message(english("{0} reads {1} before thread {2} of the same block has written it."),
                       subject(), place(), coordinates(writer.thread, block_));
    }

    Message race() const {
        if (!finding_.other)
            return Message(english("{0} and another thread conflict at {1} without synchronization."),
                           subject(), place());
        const Culprit &a = finding_.who, &b = *finding_.other;
        return Message(
            trace::writes(a.kind) && trace::writes(b.kind)
                ? english("{0} {1} {2}, and {3} {4} it without synchronization: which value remains may "
                          "differ from "
                          "run to run. {5}")
                : english("{0} {1} {2}, and {3} {4} it without synchronization: whether the old or the new "
                          "value is read may differ from run to run. {5}"),
            inLine(subject(), a), verb(a.kind), place(), inLine(otherThread(false), b), verb(b.kind),
            adviceAgainstRace());
    }
    // "line 21", as in the message.
    Message lineName(const Culprit& culprit) const {
        if (const u32 line = model::sourceLineOf(culprit.pc, module_).line)
            return Message(english("line {0}"), line);
        return Message(english("line {0} of the PTX"), module_.at(culprit.pc).line);
    }
    u32 lineNumber(const Culprit& culprit) const {
        const u32 line = model::sourceLineOf(culprit.pc, module_).line;
        return line ? line : module_.at(culprit.pc).line;
    }
    // Of the file's lines from the kernel's own inward, those at which the ways to two accesses part: of one
    // within a __device__ function that the kernel calls, the call. Both 0: they do not.
    std::pair<u32, u32> linesThatPart(Pc a, Pc b) const {
        const std::vector<u32> ofA = callsTo(a), ofB = callsTo(b);
        const auto [inA, inB] = std::ranges::mismatch(ofA, ofB);
        return inA == ofA.end() || inB == ofB.end() ? std::pair<u32, u32>{} : std::pair{*inA, *inB};
    }
    std::vector<u32> callsTo(Pc pc) const {
        std::vector<u32> lines;
        const u32 file = ptx::ownLocation(module_, pc).file;
        for (u32 at = module_.at(pc).location; at; at = module_.locations[at].inlinedAt)
            if (const ptx::Location& location = module_.locations[at]; location.file == file && location.line)
                lines.push_back(location.line);
        std::ranges::reverse(lines);
        return lines;
    }
    bool isCopy(Pc a, Pc b) const {
        return a != b && module_.at(a).form == module_.at(b).form &&
               model::sourceLineOf(a, module_).line != 0 &&
               model::sourceLineOf(a, module_).line == model::sourceLineOf(b, module_).line;
    }
    // Of an unrolled loop: the instruction stands once more, in front of the other one.
    bool hasCopyBefore(Pc of, Pc pc) const {
        for (u32 at = 0; at < pc.value; ++at)
            if (isCopy(of, Pc{at})) return true;
        return false;
    }
    // The same where both belong to one line: between a read and a store of it, another store of it comes
    // before another read, so they are of different turns of the loop.
    bool isCopiedBetween(Pc read, Pc store) const {
        bool isStored = false;
        for (u32 at = read.value + 1; at < store.value; ++at) {
            isStored |= isCopy(store, Pc{at});
            if (isStored && isCopy(read, Pc{at})) return true;
        }
        return false;
    }
    // buf[2][N]: one half is filled while the other is read.
    bool takesTurns() const {
        const std::string name = place().english();
        return finding_.space == Space::Shared && std::ranges::any_of(shapes_, [&](const ArrayShape& one) {
                   return !one.isBuffer && one.shape.size() > 1 && one.shape[0] == 2 &&
                          name.starts_with(one.name + "[");
               });
    }
    // The text of the file that an instruction's line is of.
    std::string_view sourceOf(const Culprit& culprit) const {
        const u32 file = ptx::ownLocation(module_, culprit.pc).file;
        return file < module_.sources.size() ? std::string_view(module_.sources[file]) : std::string_view();
    }
    // The load stands in the condition of an if around the store.
    bool isTestedFor(Pc load, Pc store) const {
        const u32 line = lineNumber({.pc = load}),
                  column = module_.locations[module_.at(load).location].column;
        const std::vector<Condition> around =
            conditionsAround(sourceOf({.pc = store}), lineNumber({.pc = store}));
        return std::ranges::any_of(around, [&](const Condition& one) {
            return one.kind == Condition::Kind::If && one.head.contains(line, column);
        });
    }
    // if (!taken[i]) taken[i] = 1: the test decides on the store to the very same place. Where a loop
    // exchanges what it has loaded, as a sort does, the test may be another turn's.
    bool isTestAndSet(Pc load, Pc store) const {
        return isOfOnePlace(load, store) && isTestedFor(load, store) &&
               !(isStoredAsLoaded(store) && ptx::reachesWithoutBarrier(store, load, module_));
    }
    std::optional<Message> adviceForATest(const Culprit& a, const Culprit& b) const {
        if (!isKnown(a) || !isKnown(b) || trace::writes(a.kind) == trace::writes(b.kind)) return {};
        const Culprit &store = trace::writes(a.kind) ? a : b, &load = trace::writes(a.kind) ? b : a;
        if (store.kind != trace::AccessKind::Atomic && isTestAndSet(load.pc, store.pc))
            return Message(english("No barrier helps between a test and the store that it decides on: use an "
                                   "atomic that does both, such as {0}."),
                           atomicOfATest(load.pc));
        // Of one line only the column would tell whether it is the condition that loads.
        const bool isAhead =
            ptx::reachesWithoutBarrier(load.pc, store.pc, module_) && lineNumber(load) != lineNumber(store);
        if (isAhead && !isOfOnePlace(load.pc, store.pc) && isTestedFor(load.pc, store.pc)) return readFirst();
        return {};
    }
    static Message readFirst() {
        return english(
            "Read it into a variable, then __syncthreads() where every thread of the block reaches "
            "it, then write.");
    }
    // A flag, or a value with a mark that says that there is none yet, is compared for equality or with a
    // constant.
    std::string_view atomicOfATest(Pc load) const {
        for (u32 pc = load.value + 1; pc < module_.instructions.size(); ++pc)
            if (const ptx::Instruction& one = module_.at(Pc{pc}); one.name.starts_with("setp.")) {
                if (one.name.find(".f") != std::string_view::npos) return "atomicCAS()";
                const auto operands = module_.operandsOf(one);
                const bool isWithConstant =
                    !operands.empty() && !std::holds_alternative<ptx::RegisterOperand>(operands.back());
                return isWithConstant || one.name.starts_with("setp.eq") || one.name.starts_with("setp.ne")
                           ? "atomicExch(), atomicCAS()"
                           : "atomicMax(), atomicMin()";
            }
        return "atomicExch(), atomicCAS()";
    }
    // What is stored comes from memory as it is.
    bool isStoredAsLoaded(Pc store) const {
        const std::optional<ptx::RegisterId> stored = registerOf(store, Place::Last);
        for (u32 pc = store.value; stored && pc-- > 0;)
            if (registerOf(Pc{pc}, Place::First) == stored) return module_.at(Pc{pc}).name.starts_with("ld.");
        return false;
    }
    bool standsInAnIf(const Culprit& a) const {
        return std::ranges::any_of(conditionsAround(sourceOf(a), lineNumber(a)),
                                   [](const Condition& one) { return one.kind == Condition::Kind::If; });
    }
    // Both stand in an if: no barrier for all threads fits there.
    bool areInOneIf(const Culprit& a, const Culprit& b) const {
        if (!isKnown(a) || !isKnown(b)) return false;
        const u32 other = lineNumber(b);
        return std::ranges::any_of(conditionsAround(sourceOf(a), lineNumber(a)), [&](const Condition& one) {
            return one.kind == Condition::Kind::If && one.body.firstLine <= other &&
                   other <= one.body.lastLine;
        });
    }
    bool hasAtomics(std::string_view space) const {
        return std::ranges::any_of(module_.instructions, [&](const ptx::Instruction& instruction) {
            return (instruction.form.starts_with("atom.") || instruction.form.starts_with("red.")) &&
                   instruction.form.find(space) != std::string_view::npos;
        });
    }
    // The barrier belongs behind the access from which a thread comes to the other one without waiting.
    Message whereTheBarrierBelongs(const Culprit& a, const Culprit& b) const {
        Message between = english("Put __syncthreads() between the two.");
        if (!isKnown(a) || !isKnown(b)) return between;
        const bool forward = ptx::reachesWithoutBarrier(a.pc, b.pc, module_),
                   back = ptx::reachesWithoutBarrier(b.pc, a.pc, module_);
        const bool aFirst = forward != back ? forward : lineNumber(a) <= lineNumber(b);
        const Culprit &first = aFirst ? a : b, &second = aFirst ? b : a;
        const auto [partsOne, partsOther] = linesThatPart(first.pc, second.pc);
        const u32 oneLine = partsOne ? partsOne : lineNumber(first),
                  otherLine = partsOther ? partsOther : lineNumber(second);
        const Message one = partsOne ? Message(english("line {0}"), partsOne) : lineName(first),
                      other = partsOther ? Message(english("line {0}"), partsOther) : lineName(second);
        if (one == other) {
            const bool isOfAnotherTurn =
                isCopiedBetween(first.pc, second.pc) ||
                (trace::writes(first.kind) && hasCopyBefore(second.pc, first.pc)) ||
                (forward != back && trace::writes(first.kind) && second.pc.value < first.pc.value) ||
                (forward && back && isReadInALoop(first) && !isOfOnePlace(first.pc, second.pc));
            if (isOfAnotherTurn)
                return Message(
                    standsInAnIf(first)
                        ? english("Put __syncthreads() after {0}, where every thread of the block "
                                  "reaches it, before the loop comes to it again.")
                        : english("Put __syncthreads() after {0}, before the loop comes to it again."),
                    one);
            if (forward == back || trace::writes(first.kind)) return between;
            return readFirst();
        }
        // In a loop, which the compiler may have unrolled.
        const bool comesAgain =
            first.pc.value > second.pc.value || (oneLine > otherLine && hasCopyBefore(second.pc, first.pc));
        if (forward == back ? !forward : oneLine > otherLine && !comesAgain) return between;
        if (forward == back && takesTurns())
            return Message(
                english("Put __syncthreads() after {0}, before the loop comes to {1} again: where two "
                        "buffers take turns, no more is needed."),
                oneLine < otherLine ? other : one, oneLine < otherLine ? one : other);
        return Message(forward == back ? english("Put __syncthreads() after {0} and after {1}.")
                       : oneLine < otherLine
                           ? english("Put __syncthreads() after {0} and before {1}, where every thread of "
                                     "the block reaches it.")
                           : english("Put __syncthreads() after {0}, before the loop comes to {1} again."),
                       one, other);
    }
    // Of a lock, which one statement takes again and again until it has it, the statement that gives it back
    // before this access.
    std::optional<Message> adviceForALock(const Culprit& late) const {
        if (!isKnown(late)) return {};
        for (u32 release = late.pc.value; release-- > 0;) {
            if (!module_.at(Pc{release}).form.starts_with("atom.") ||
                module_.at(Pc{release}).name.find(".exch") == std::string_view::npos)
                continue;
            for (u32 take = release; take-- > 0;)
                if (module_.at(Pc{take}).name.find(".cas") != std::string_view::npos &&
                    isOfOnePlace(Pc{take}, Pc{release}) && isReadInALoop({.pc = Pc{take}}) &&
                    lineNumber({.pc = Pc{release}}) < lineNumber(late))
                    return Message(english("Here {0} releases the lock before {1} is done with what it "
                                           "guards: release it last, after __threadfence()."),
                                   lineName({.pc = Pc{release}}), lineName(late));
        }
        return {};
    }
    // The same two lines collide between blocks, too.
    bool isAlsoBetweenBlocks() const {
        const auto lines = [&](const Finding& race) {
            return std::minmax({lineNumber(race.who), lineNumber(*race.other)});
        };
        return isKnownRace(finding_) && std::ranges::any_of(recording_.findings, [&](const Finding& race) {
                   return isKnownRace(race) && race.space == finding_.space &&
                          race.who.block != race.other->block && lines(race) == lines(finding_);
               });
    }
    Message adviceAgainstRace() const {
        const Culprit &a = finding_.who, &b = *finding_.other;
        for (const Culprit* one : {&a, &b})
            if (std::optional<Message> lock = adviceForALock(*one)) return std::move(*lock);
        const bool isOneStore = a.pc == b.pc && trace::writes(a.kind) && a.kind != trace::AccessKind::Atomic;
        const bool isOfOneElement = buffer() && finding_.sizeBytes == info(buffer()->type).bytes;
        if (a.block != b.block && isOneStore && !isPartOfAnUpdate(a) && !isOfOneElement)
            return english(
                "No barrier reaches across blocks. If the index of one of them goes past the end of a row, a "
                "bounds check is missing; else let one block own the element, or use an atomic.");
        if (a.block != b.block && lacksTheReadersFence(a, b))
            return Message(
                english(
                    "The thread that reads needs a fence, too: __threadfence() where it has seen the counter "
                    "or flag, before {0}."),
                lineName(trace::writes(a.kind) ? b : a));
        if (a.block != b.block)
            return synchronizesBlocks()
                       ? english(
                             "No barrier reaches across blocks: let one block own the element, use an "
                             "atomic, or start a second kernel. Where a counter or flag tells that the "
                             "element is written, write it first, then __syncthreads() if several threads of "
                             "the block write, then __threadfence(), and only then update the counter or "
                             "flag.")
                       : english(
                             "No barrier reaches across blocks: let one block own the element, use an "
                             "atomic, or start a second kernel.");
        const bool bothWrite = trace::writes(a.kind) && trace::writes(b.kind);
        if (isVolatile(a) && isVolatile(b) &&
            (bothWrite ? waitsByVolatile() : isReadInALoop(trace::writes(a.kind) ? b : a)))
            return english(
                "volatile orders nothing but a thread's own accesses: write the data first, then "
                "__threadfence_block(), then the flag by an atomic such as atomicExch().");
        if (a.pc == b.pc && trace::writes(a.kind))
            return isPartOfAnUpdate(a) ? useAnAtomic(a)
                                       : Message(english("Let one thread do it, or use an atomic."));
        if (std::optional<Message> test = adviceForATest(a, b)) return std::move(*test);
        if (areInOneIf(a, b) && hasAtomics(".shared") && !changesInPlace(a, b))
            return english(
                "No barrier fits inside of the if, to which only some threads come: write first what others "
                "read, then __threadfence_block(), and only then tell them by an atomic.");
        if (changesInPlace(a, b)) return useAnAtomic(trace::writes(a.kind) ? a : b);
        if (isAlsoBetweenBlocks())
            return english(
                "Threads of other blocks do the same, and no barrier reaches across blocks: let one "
                "block own the element, use an atomic, or start a second kernel.");
        return whereTheBarrierBelongs(a, b);
    }
    bool isVolatile(const Culprit& culprit) const {
        return isKnown(culprit) && module_.at(culprit.pc).name.find(".volatile") != std::string_view::npos;
    }
    // Some thread reads a volatile variable of the same memory again and again.
    bool waitsByVolatile() const {
        for (u32 pc = 0; pc < module_.instructions.size(); ++pc)
            if (const auto& name = module_.at(Pc{pc}).name;
                name.starts_with("ld.volatile.") &&
                (name.find(".shared") != std::string_view::npos) == (finding_.space == Space::Shared) &&
                isReadInALoop({.pc = Pc{pc}}))
                return true;
        return false;
    }
    // Without a barrier: it may wait for what it reads.
    bool isReadInALoop(const Culprit& reader) const {
        return ptx::reachesWithoutBarrier(reader.pc, reader.pc, module_);
    }
    static bool isFence(const ptx::Instruction& instruction) {
        return instruction.form.starts_with("fence") || instruction.form.starts_with("membar");
    }
    static bool isGlobalAtomic(const ptx::Instruction& instruction) {
        return instruction.form.starts_with("atom.global") || instruction.form.starts_with("red.global") ||
               instruction.form.starts_with("atom.add");
    }
    // By atomics or fences.
    bool synchronizesBlocks() const {
        return std::ranges::any_of(module_.instructions, [](const ptx::Instruction& instruction) {
            return isGlobalAtomic(instruction) || isFence(instruction);
        });
    }
    // Behind the store comes a fence, then an atomic that tells of it; before the read an atomic, but no
    // fence.
    bool lacksTheReadersFence(const Culprit& a, const Culprit& b) const {
        if (!isKnown(a) || !isKnown(b) || trace::writes(a.kind) == trace::writes(b.kind)) return false;
        const auto isEither = [&](const ptx::Instruction& one) {
            return isFence(one) || isGlobalAtomic(one);
        };
        const auto all = std::span(module_.instructions);
        const auto behind = all.subspan((trace::writes(a.kind) ? a : b).pc.value + 1);
        const auto before = all.first((trace::writes(a.kind) ? b : a).pc.value);
        const auto first = std::ranges::find_if(behind, isEither);
        const auto tells = std::find_if(first, behind.end(), isGlobalAtomic);
        const auto last = std::ranges::find_if(before.rbegin(), before.rend(), isEither);
        if (tells == behind.end() || !isFence(*first) || last == before.rend() || !isGlobalAtomic(*last))
            return false;
        // Where one thread tells for all, a barrier comes before.
        const Culprit told{.pc = Pc{u32(&*tells - all.data())}};
        return !standsInAnIf(told) || std::any_of(behind.begin(), tells, [](const ptx::Instruction& one) {
            return one.form.starts_with("bar");
        });
    }
    Message useAnAtomic(const Culprit& store) const {
        return Message(
            english("No barrier helps where one statement is a read-modify-write: use an atomic such as {0}, "
                    "or let each thread have a copy of its own and combine the copies."),
            atomicFor(store));
    }
    enum class Place : u8 { First, Last };
    // Of an instruction, the operand that it writes or the last one that it reads.
    std::optional<ptx::RegisterId> registerOf(Pc pc, Place place) const {
        const auto operands = module_.operandsOf(module_.at(pc));
        if (operands.empty()) return std::nullopt;
        const auto* operand =
            std::get_if<ptx::RegisterOperand>(place == Place::First ? &operands.front() : &operands.back());
        return operand ? std::optional(operand->id) : std::nullopt;
    }
    // Which makes of the value what the store's statement makes of it; of reals only addition has one.
    std::string_view atomicFor(const Culprit& store) const {
        struct Row {
            std::string_view opcode, function;
        };
        static constexpr Row kRows[] = {{"max.", "atomicMax()"}, {"min.", "atomicMin()"},
                                        {"or.", "atomicOr()"},   {"and.", "atomicAnd()"},
                                        {"xor.", "atomicXor()"}, {"sub.", "atomicSub()"}};
        for (u32 pc = store.pc.value; pc-- > 0 && lineNumber({.pc = Pc{pc}}) == lineNumber(store);)
            if (module_.at(Pc{pc}).name.starts_with("ld.") && isTestAndSet(Pc{pc}, store.pc))
                return atomicOfATest(Pc{pc});
        const std::optional<ptx::RegisterId> stored = registerOf(store.pc, Place::Last);
        for (u32 pc = store.pc.value;
             stored && pc-- > 0 && lineNumber({.pc = Pc{pc}}) == lineNumber(store);) {
            if (registerOf(Pc{pc}, Place::First) != stored) continue;
            const std::string_view name = module_.at(Pc{pc}).name;
            for (const Row& row : kRows)
                if (name.starts_with(row.opcode))
                    return name.find(".f") == std::string_view::npos ? row.function : "atomicCAS()";
            // What is stored was loaded: an if decides.
            if (name.starts_with("ld."))
                return name.find(".f") == std::string_view::npos ? "atomicMax()" : "atomicCAS()";
            break;
        }
        return "atomicAdd()";
    }
    // One statement that loads and stores the very same place: counts[i] += 1.
    bool changesInPlace(const Culprit& a, const Culprit& b) const {
        if (!isKnown(a) || !isKnown(b) || trace::writes(a.kind) == trace::writes(b.kind)) return false;
        return lineName(a) == lineName(b) && isOfOnePlace(a.pc, b.pc);
    }
    bool isOfOnePlace(Pc a, Pc b) const {
        const auto address = [&](Pc pc) {
            const std::string_view text = module_.textOf(pc);
            const std::size_t open = text.find('['), close = text.find(']', open);
            return open == std::string_view::npos ? std::string_view() : text.substr(open, close - open);
        };
        return !address(a).empty() && address(a) == address(b);
    }
    // A store whose statement has loaded the very same place.
    bool isPartOfAnUpdate(const Culprit& store) const {
        if (!isKnown(store)) return false;
        const u32 line = lineNumber(store);
        for (u32 pc = store.pc.value; pc-- > 0 && model::sourceLineOf(Pc{pc}, module_).line == line;)
            if (module_.at(Pc{pc}).name.starts_with("ld.") && isOfOnePlace(Pc{pc}, store.pc)) return true;
        return false;
    }

    Message warpSynchronous() const {
        return Message(
            english(
                "{0} {1} {2}, {3} with no __syncwarp() in between: this assumes warp-synchronous execution, "
                "which devices of compute capability 7.0 and later do not guarantee. {4}"),
            inLine(subject(), finding_.who), verb(finding_.who.kind), place(), whatTheOtherDid(),
            adviceWithinAWarp());
    }
    // The first line of this finding at which there is a data race too: its __syncthreads() orders a warp's
    // lanes as well, while a __syncwarp() would leave the race.
    std::optional<Message> lineInARace() const {
        if (!finding_.other) return std::nullopt;
        for (const Culprit* own : {&finding_.who, &*finding_.other})
            for (const Finding& race : recording_.findings) {
                if (race.kind != FindingKind::Race || race.launch != finding_.launch || !race.other ||
                    race.who.block != race.other->block || !isKnown(*own))
                    continue;
                for (const Culprit* raced : {&race.who, &*race.other})
                    if (isKnown(*raced) && lineName(*raced) == lineName(*own)) return lineName(*own);
            }
        return std::nullopt;
    }
    // Nothing fits between the read and the write of one statement.
    Message adviceWithinAWarp() const {
        const bool isOneLine = finding_.other && isKnown(finding_.who) && isKnown(*finding_.other) &&
                               lineName(finding_.who) == lineName(*finding_.other);
        if (isOneLine && changesInPlace(finding_.who, *finding_.other))
            return useAnAtomic(trace::writes(finding_.who.kind) ? finding_.who : *finding_.other);
        const std::optional<Message> raced = lineInARace();
        if (isOneLine && trace::writes(finding_.who.kind) != trace::writes(finding_.other->kind))
            return raced ? Message(english("Read it into a variable, then __syncthreads() (the data race at "
                                           "{0} needs it, too), then write; every thread of the block must "
                                           "reach that barrier."),
                                   *raced)
                         : Message(english("Read it into a variable, then __syncwarp(), then write."));
        return raced ? Message(english("Put __syncthreads() between the two: the data race at {0} needs it, "
                                       "too."),
                               *raced)
                     : whereTheWarpsBarrierBelongs();
    }
    // Where one stands between the two already, it is missing on the way back, in a loop.
    Message whereTheWarpsBarrierBelongs() const {
        Message between = english("Put __syncwarp() between the two.");
        if (!finding_.other || !isKnown(finding_.who) || !isKnown(*finding_.other)) return between;
        const bool isFirst = lineNumber(finding_.who) <= lineNumber(*finding_.other);
        const Culprit &upper = isFirst ? finding_.who : *finding_.other,
                      &lower = isFirst ? *finding_.other : finding_.who;
        const auto reaches = [&](Pc from, Pc to) {
            return ptx::reachesWithoutBarrier(from, to, module_, ptx::BarrierOf::BlockOrWarp);
        };
        const bool comesAgain = lower.pc.value > upper.pc.value || hasCopyBefore(upper.pc, lower.pc);
        if (reaches(upper.pc, lower.pc) || !reaches(lower.pc, upper.pc) || !comesAgain) return between;
        return Message(english("Put __syncwarp() after {0}, before the loop comes to {1} again."),
                       lineName(lower), lineName(upper));
    }
    Message whatTheOtherDid() const {
        if (!finding_.other) return english("which another thread of the same warp wrote");
        const Culprit& other = *finding_.other;
        const bool wrote = trace::writes(other.kind);
        if (!isKnown(other))
            return Message(wrote ? english("which {0} wrote") : english("which {0} read"), otherThread(true));
        return Message(wrote ? english("which {0} wrote ({1})") : english("which {0} read ({1})"),
                       otherThread(true), lineName(other));
    }

    // How the barrier is written in CUDA; as in PTX where it is no plain one.
    std::string barrierName() const {
        const std::string name = opcode();
        if (name.starts_with("bar.warp")) return "__syncwarp()";
        if (name.empty()) return "__syncthreads()";
        if (const std::string_view function = exchangeFunction(name);
            !function.empty() && model::sourceLineOf(finding_.who.pc, module_).line)
            return std::string(function) + "()";
        const auto operands = module_.operandsOf(module_.at(finding_.who.pc));
        const auto* number =
            operands.size() == 1 ? std::get_if<ptx::ImmediateOperand>(&operands[0]) : nullptr;
        const bool isBlocks = name.starts_with("bar.") || name.starts_with("barrier.");
        const bool isPlain =
            isBlocks && name.find(".sync") != std::string::npos && number && number->bits == 0;
        return isPlain ? "__syncthreads()" : name;
    }

    Message divergentBarrier() const {
        if (finding_.detail == "mask")
            return Message(
                english("{0} reaches {1} with a member mask that its own lane is not in: the result is "
                        "undefined. Put every lane that gets here into the mask, for instance by "
                        "__ballot_sync() before the branch."),
                subject(), barrierName());
        return Message(english("{0} waits at {1}, but {2}. That is undefined behavior: a GPU may hang or "
                               "continue with wrong data, even if this run gives the correct result. Move "
                               "{1} out of the branch, so that every thread reaches it."),
                       subject(), barrierName(), whoIsMissing());
    }
    Message whoIsMissing() const {
        if (finding_.other)
            return Message(english("{0} waits at another one ({1})"), otherThread(false),
                           lineName(*finding_.other));
        const std::string name = opcode();
        if (finding_.lanes.empty())
            return name.starts_with("bar.sync") || name.starts_with("barrier.sync") || name.empty()
                       ? english("some threads of its block never arrive")
                       : english("some threads of its warp never arrive");
        const bool isOne = finding_.lanes.count() == 1;
        if (finding_.detail.starts_with("warp "))
            return Message(isOne ? english("{0} of warp {1} does not wait there")
                                 : english("{0} of warp {1} do not wait there"),
                           laneList(finding_.lanes), finding_.detail.substr(5));
        return Message(isOne ? english("{0} of its warp does not wait there")
                             : english("{0} of its warp do not wait there"),
                       laneList(finding_.lanes));
    }

    Message readsInactiveLane() const {
        const trace::InactiveSource source = trace::inactiveSourceOf(finding_);
        // The block's last warp has fewer lanes if its size is not a multiple of the warp size.
        const u64 thread = linearOf(finding_.who.thread, block_) / kWarpSize * kWarpSize + source.lane;
        const bool isThere = thread < block_.count();
        return Message(!isThere ? english("{0} reads lane {1} by {2}, but its warp has no such lane.")
                       : source.hasExited ? english("{0} reads lane {1} by {2}, but that lane has exited.")
                                          : english("{0} reads lane {1} by {2}, but that lane is not in the "
                                                    "member mask."),
                       subject(), source.lane, barrierName());
    }
    Message inactiveLane() const {
        return Message(
            english("{0} The value that it gets is undefined, which does no harm only if nothing uses "
                    "it. Let every lane that is read take part (guard loads and stores instead of "
                    "the shuffle), or limit the shuffle by its width argument."),
            readsInactiveLane());
    }

    Message invalidAddress() const {
        if (isOfHeap())
            return Message(
                english("{0} {1} the memory that malloc() returned in line {2}, which was freed in "
                        "line {3}: use after free. A GPU does not notice it, and the memory may be "
                        "in use for something else. Call free() after the last access."),
                subject(), verb(finding_.who.kind), heap_.allocatedIn, heap_.freedIn);
        if (opcode().starts_with("call"))
            return Message(english("{0} calls {1}, which is not a function: a GPU aborts the kernel there. "
                                   "Check that the function pointer was set before the call."),
                           subject(), fmt::format("{:#x}", finding_.address));
        return Message(english("{0} {1} {2}: a GPU aborts the kernel there (illegal address). Check that the "
                               "pointer was passed to the kernel and that the index is not far off."),
                       subject(), verb(finding_.who.kind), strayAddress());
    }
    Message strayAddress() const {
        constexpr u64 kNearNull = 4096;
        if (finding_.address == 0) return english("address 0, a null pointer");
        if (finding_.address < kNearNull)
            return Message(english("address {0}, a null pointer and an offset"), finding_.address);
        return Message(english("address {0}, which belongs to no buffer"),
                       fmt::format("{:#x}", finding_.address));
    }

    Message invalidFree() const {
        using enum trace::HeapFault;
        switch (heap_.fault) {
            case FreedTwice:
                return Message(
                    english(
                        "{0} frees the memory that malloc() returned in line {1}, which was freed in line "
                        "{2}: a GPU aborts the kernel there. Let one thread free it, once."),
                    subject(), heap_.allocatedIn, heap_.freedIn);
            case Within:
                return Message(english("{0} calls free() with an address within the memory that malloc() "
                                       "returned in line {1}: nothing is freed. Pass the pointer that "
                                       "malloc() returned."),
                               subject(), heap_.allocatedIn);
            default:
                return Message(
                    english("{0} calls free() with {1}, which malloc() in a kernel did not return. "
                            "Memory from cudaMalloc() is freed by cudaFree() in host code."),
                    subject(), fmt::format("{:#x}", finding_.address));
        }
    }
    Message heapRemark() const {
        if (heap_.fault == trace::HeapFault::NoRoom)
            return Message(
                english(
                    "{0} gets NULL from malloc(): {1} {1:byte|bytes} do not fit into the heap of {2} MiB. "
                    "Compare with NULL, free what is not needed, or enlarge the heap before "
                    "the first launch: cudaDeviceSetLimit(cudaLimitMallocHeapSize, bytes)."),
                subject(), grouped(u64(finding_.offsetBytes)), grouped(finding_.sizeBytes >> 20));
        return Message(english("{0} {0:allocation|allocations} by malloc() in kernels, {1} {1:byte|bytes} in "
                               "all, {0:is|are} never freed."),
                       finding_.count, grouped(finding_.sizeBytes));
    }

    Message invalidTexture() const {
        using enum trace::ImageFault;
        switch (imageFaultOf(finding_)) {
            case NoObject:
                return Message(english("{0} uses {1} as a texture or surface object, which it is not: check "
                                       "that cudaCreateTextureObject() succeeded and that the object is "
                                       "passed to the kernel."),
                               subject(), fmt::format("{:#x}", finding_.address));
            case Destroyed:
                return Message(english("{0} uses a texture or surface object that was destroyed."),
                               subject());
            case Freed:
                return Message(english("{0} uses a texture or surface whose memory was freed."), subject());
            case NotATexture:
                return Message(english("{0} fetches from a surface object; textures need one from "
                                       "cudaCreateTextureObject()."),
                               subject());
            case NotASurface:
                return Message(english("{0} {1} a texture object as a surface; surfaces need one from "
                                       "cudaCreateSurfaceObject()."),
                               subject(), verb(finding_.who.kind));
            case Outside:
                return Message(english("{0} {1} a surface out of bounds, at {2} of {3} (x in bytes): with "
                                       "cudaBoundaryModeTrap, the default, a GPU aborts the kernel there. "
                                       "Check the coordinates first; x is multiplied by the size of an "
                                       "element."),
                               subject(), verb(finding_.who.kind), coordinatesAt().first,
                               coordinatesAt().second);
            case Misaligned:
                return Message(english("{0} {1} a surface at {2}: x, in bytes, must be a multiple of the "
                                       "{3} {3:byte|bytes} accessed."),
                               subject(), verb(finding_.who.kind), coordinatesAt().first,
                               finding_.widthBytes);
        }
        return {};
    }
    // "x 16, y 3" and "64 x 4".
    std::pair<std::string, std::string> coordinatesAt() const {
        const std::string where(whereOutside(finding_));
        const std::size_t slash = where.find(" / ");
        if (slash == std::string::npos) return {where, {}};
        return {where.substr(0, slash), where.substr(slash + 3)};
    }

    Message divisionByZero() const {
        return Message(english("{0} divides an integer by zero ({1}): a GPU reports nothing and gives a "
                               "meaningless result. Check the divisor first."),
                       subject(), opcode());
    }

    Message limit() const {
        using enum trace::StopReason;
        switch (stopReasonOf(finding_)) {
            case TimeLimit:
                return english(
                    "The time limit stopped the run here; on the command line --limit gives it longer. "
                    "If it should have ended by then, look for a loop that does not end or a wait for "
                    "something that never comes.");
            case Cancelled: return english("The run was canceled; this is how far it had come.");
            case Trap:
                return english(
                    "The kernel stopped itself here (trap), as a failed assertion does, or where the "
                    "compiler "
                    "sees that a null pointer is used.");
            case Recursion:
                return english(
                    "Functions call each other too deeply here: the thread's stack is full. Look "
                    "for a recursion that does not end.");
            case NotCooperative:
                return english(
                    "The kernel synchronizes the whole grid (grid.sync()), which only a cooperative launch "
                    "can: the GPU aborts it here. Launch it with cudaLaunchCooperativeKernel(), or run it "
                    "with --cooperative.");
            case Assertion:
                return Message(
                    english("{0} reaches assert({1}), which does not hold: a GPU aborts the whole kernel "
                            "there."),
                    subject(), std::string(conditionOf(finding_)));
            case Other: break;
        }
        return Message(english("The run was stopped: {0}."), finding_.detail);
    }

    Message truncated() const {
        return Message(english("{0} more {0:case is|cases are} not listed."), grouped(finding_.count));
    }

    const Finding& finding_;
    const ptx::Module& module_;
    const trace::Recording& recording_;
    std::span<const ArrayShape> shapes_;
    const Launch* launch_ = nullptr;
    Dim3 grid_, block_;
    trace::HeapFacts heap_ = trace::heapFactsOf(finding_);
};

}  // namespace

Message describe(const Finding& finding, const ptx::Module& module, const trace::Recording& recording,
                 std::span<const ArrayShape> shapes) {
    return Describer(finding, module, recording, shapes).describe();
}

Message occurrence(const Finding& finding, const ptx::Module& module, const trace::Recording& recording,
                   std::span<const ArrayShape> shapes) {
    return Describer(finding, module, recording, shapes).occurrence();
}

Words titleOf(trace::FindingKind kind) {
    static constexpr std::array kTitles{english("Out of bounds"),
                                        english("Misaligned"),
                                        english("Uninitialized read"),
                                        english("Data race"),
                                        english("Divergent barrier"),
                                        english("Assumes warp-synchronous execution"),
                                        english("Invalid address"),
                                        english("Division by zero"),
                                        english("Stopped"),
                                        english("Not listed"),
                                        english("Invalid texture or surface"),
                                        english("Invalid free()"),
                                        english("Memory of malloc()"),
                                        english("Inactive lane read")};
    static_assert(kTitles.size() == std::size_t(trace::FindingKind::InactiveLane) + 1);
    return kTitles.at(std::size_t(kind));
}

}  // namespace lockstep::explain
