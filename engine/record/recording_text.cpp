#include "record/recording_text.h"

#include "record/text_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lockstep::record {

using trace::AccessKind;

namespace {

constexpr u32 kRowBytes = 4 * kWarpSize;  // one word per lane

// Code to insert before and after the instructions of a function, by pc - first.
struct Insertions {
    std::vector<std::string> before, behind;
};

// Functions have their own registers: the cursor is passed through the column's last word.
std::string leaveCursor(const RecordPlan& plan) {
    return fmt::format(
        "\tsub.s64 %rec_y5, %rec_p, %rec_e; shr.s64 %rec_y5, %rec_y5, 7; cvt.u32.u64 %rec_t, %rec_y5; "
        "st.global.b32 [%rec_e+{}], %rec_t;\n",
        (plan.longestSegment + 1) * kRowBytes);
}
std::string findCursor(const RecordPlan& plan) {
    return fmt::format(
        "\n\tld.global.b32 %rec_t, [%rec_e+{}]; cvt.s64.s32 %rec_y5, %rec_t; shl.b64 %rec_y5, %rec_y5, 7; "
        "add.s64 %rec_p, %rec_e, %rec_y5;\n",
        (plan.longestSegment + 1) * kRowBytes);
}

class RecorderCode {
public:
    RecorderCode(const ptx::Module& module, const ptx::Function& function, const RecordPlan& plan)
        : module_(module), function_(function), plan_(plan) {
        const std::size_t count = function.end.value - function.first.value;
        insertions_.before.resize(count);
        insertions_.behind.resize(count);
    }

    Insertions write() {
        for (std::size_t i = 0; i < plan_.segments.size(); ++i) {
            segment_ = &plan_.segments[i];
            if (segment_->first < function_.first || segment_->first >= function_.end) continue;
            writeHeader(u32(i + 1));
            writeGuards();
            written_.clear();
            for (const PlannedAccess& access : segment_->accesses)
                writeAccess(access);
            for (u32 pc = segment_->first.value; pc < segment_->end.value; ++pc) {
                const std::string_view opcode = ptx::opcodeTable()[module_.at(Pc{pc}).opcode].name;
                if (opcode == "exit" || (opcode == "ret" && function_.isEntry)) before(Pc{pc}) += endOfLane();
                if (opcode == "ret" && !function_.isEntry) before(Pc{pc}) += leaveCursor(plan_);
                if (!callsInto(module_, module_.at(Pc{pc}))) continue;
                before(Pc{pc}) += leaveCursor(plan_);
                behind(Pc{pc}) += findCursor(plan_);
            }
        }
        return std::move(insertions_);
    }

private:
    std::string& before(Pc pc) { return insertions_.before[pc.value - function_.first.value]; }
    std::string& behind(Pc pc) { return insertions_.behind[pc.value - function_.first.value]; }

    static std::string store(u32 word, const std::string& what) {
        return fmt::format("st.global.cs.b32 [%rec_q+{}], {}; ", word * kRowBytes, what);
    }

    // The lane ends here: stores how many words it needed, even beyond the capacity.
    std::string endOfLane() const {
        return fmt::format(
            "\tsub.s64 %rec_y5, %rec_p, %rec_e; shr.s64 %rec_y5, %rec_y5, 7; cvt.u32.u64 %rec_t, %rec_y5; "
            "ld.global.u32 %rec_u, [{}+16]; "
            "add.u32 %rec_t, %rec_t, %rec_u; or.b32 %rec_t, %rec_t, {}; st.global.b32 [%rec_e+{}], %rec_t;\n",
            kControlName, kWantedBit, plan_.longestSegment * kRowBytes);
    }

    void writeHeader(u32 number) {
        before(segment_->first) +=
            fmt::format(
                "\n\tmov.u32 %rec_c, %clock; activemask.b32 %rec_m; mov.b64 %rec_q, %rec_p; add.s64 %rec_p, "
                "%rec_p, {}; "
                "setp.gt.u64 %rec_f, %rec_p, %rec_e; selp.b64 %rec_q, %rec_e, %rec_q, %rec_f;\n\t",
                segment_->words * kRowBytes) +
            store(0, std::to_string(number)) + store(1, "%rec_m") + store(2, "%rec_c") + "\n";
    }

    void writeGuards() {
        if (segment_->guardWord == kNoWord) return;
        before(segment_->first) += "\tmov.u32 %rec_g, 0;\n";
        u32 bit = 0;
        for (u32 pc = segment_->first.value; pc < segment_->end.value; ++pc) {
            const ptx::Guard& guard = module_.at(Pc{pc}).guard;
            if (guard.present)
                before(Pc{pc}) += fmt::format("\t@{}{} or.b32 %rec_g, %rec_g, {};\n",
                                              guard.negated ? "!" : "", nameOf(guard.predicate), 1u << bit++);
        }
        before(Pc{segment_->end.value - 1}) += "\t" + store(segment_->guardWord, "%rec_g") + "\n";
    }

    std::string_view nameOf(ptx::RegisterId id) const { return function_.registers[id.value].name; }
    u32 bytesOf(ptx::RegisterId id) const { return ptx::bytesOf(function_.registers[id.value].type); }

    // Stores the low `words` words of a register.
    std::string storeRegister(u32 word, ptx::RegisterId id, u32 words) const {
        const std::string name(nameOf(id));
        switch (bytesOf(id)) {
            case 2: return fmt::format("mov.b32 %rec_t, {{{0}, {0}}}; ", name) + store(word, "%rec_t");
            case 8: {
                const std::string split =
                    fmt::format("mov.b64 {{%rec_t, %rec_u}}, {}; ", name) + store(word, "%rec_t");
                return words == 1 ? split : split + store(word + 1, "%rec_u");
            }
            default: return store(word, name);
        }
    }

    void writeAddress(const PlannedAddress& planned, Pc pc, const ptx::Operand& operand) {
        if (planned.word == kNoWord || !written_.insert(planned.word).second) return;
        const auto* address = std::get_if<ptx::AddressOperand>(&operand);
        const ptx::RegisterId base =
            address ? std::get<ptx::RegisterId>(address->base) : std::get<ptx::RegisterOperand>(operand).id;
        std::string code = "\t" + storeRegister(planned.word, base, planned.wide ? 2 : 1);
        if (planned.wide && bytesOf(base) < 8) code += store(planned.word + 1, "0");
        before(pc) += code + "\n";
    }

    void writeAccess(const PlannedAccess& access) {
        const std::span<const ptx::Operand> operands = module_.operandsOf(module_.at(access.pc));
        if (access.kind == AccessKind::AsyncCopy) return writeCopy(access, operands);
        const bool addressFirst = std::holds_alternative<ptx::AddressOperand>(operands[0]),
                   isRead = access.kind == AccessKind::Load || access.kind == AccessKind::Atomic;
        writeAddress(access.address, access.pc, operands[addressFirst ? 0 : 1]);

        const ptx::Operand& value = valueOperand(access.kind, addressFirst, operands);
        const auto* list = std::get_if<ptx::VectorOperand>(&value);
        std::string code;
        std::vector<ptx::RegisterId> registers;
        for (std::size_t i = 0; i < access.values.size(); ++i) {
            if (access.values[i].word == kNoWord) continue;
            const ptx::RegisterId id = std::get<ptx::RegisterOperand>(list ? list->elements[i] : value).id;
            registers.push_back(id);
            code += storeRegister(access.values[i].word, id, access.elementBytes > 4 ? 2 : 1);
        }
        if (code.empty()) return;
        (!isRead ? before(access.pc) : whereItHasCome(access.pc, registers)) += "\t" + code + "\n";
    }

    // A loaded value is recorded where it is first used, not before, so that the recorder does not add
    // stalls.
    std::string& whereItHasCome(Pc load, std::span<const ptx::RegisterId> registers) {
        for (u32 pc = load.value; pc + 1 < segment_->end.value; ++pc) {
            const ptx::Instruction& next = module_.at(Pc{pc + 1});
            if (hasBraceBetween(module_, Pc{pc}, Pc{pc + 1}))
                return behind(Pc{pc});  // a register may go out of scope
            const ptx::OpcodeClass kind = ptx::opcodeTable()[next.opcode].opcodeClass;
            const bool isNeeded = kind == ptx::OpcodeClass::Control || kind == ptx::OpcodeClass::Barrier ||
                                  std::ranges::any_of(registers, [&](ptx::RegisterId id) {
                                      return touches(module_, next, id);
                                  });
            if (isNeeded) return before(Pc{pc + 1});
        }
        return behind(Pc{segment_->end.value - 1});
    }

    // The copy bypasses the registers: its source is read again.
    void writeCopy(const PlannedAccess& access, std::span<const ptx::Operand> operands) {
        writeAddress(access.address, access.pc, operands[1]);
        writeAddress(access.sharedAddress, access.pc, operands[0]);
        std::string code = "\t";
        std::string bytes;
        if (access.sourceBytes && access.sourceBytes->word != kNoWord) {
            const ptx::RegisterId id = std::get<ptx::RegisterOperand>(operands[3]).id;
            bytes = nameOf(id);
            code += store(access.sourceBytes->word, bytes);
        }
        std::string from = "0";
        if (access.address.variable)
            from = module_.variables[access.address.variable->value].name;
        else if (const auto* r = std::get_if<ptx::RegisterOperand>(&operands[1]))
            from = nameOf(r->id);
        else if (const auto* a = std::get_if<ptx::AddressOperand>(&operands[1]))
            if (const auto* base = std::get_if<ptx::RegisterId>(&a->base)) from = nameOf(*base);
        for (std::size_t i = 0; i < access.values.size(); ++i) {
            const ptx::Guard& guard = module_.at(access.pc).guard;
            code += "mov.u32 %rec_t, 0; ";
            if (!bytes.empty())
                code += fmt::format("setp.gt.u32 %rec_f, {}, {}; ", bytes, i * 4);
            else if (access.sourceBytes)
                code += fmt::format("setp.gt.u32 %rec_f, {}, {}; ", access.sourceBytes->constant, i * 4);
            else
                code += "setp.eq.u32 %rec_f, 0, 0; ";
            if (guard.present)
                code += fmt::format("and.pred %rec_f, %rec_f, {}{}; ", guard.negated ? "!" : "",
                                    nameOf(guard.predicate));
            code += fmt::format("@%rec_f ld.global.b32 %rec_t, [{}+{}]; ", from,
                                access.address.offsetBytes + s64(i * 4)) +
                    store(access.values[i].word, "%rec_t");
        }
        before(access.pc) += code + "\n";
    }

    const ptx::Module& module_;
    const ptx::Function& function_;
    const RecordPlan& plan_;
    const Segment* segment_ = nullptr;
    std::set<u32> written_;  // address words of the segment already stored
    Insertions insertions_;
};

// Tests whether the block records: if so, %rec_slot is its region's number, and it jumps.
std::string switchAtHead() {
    return fmt::format(R"(
	.reg .pred %rec_on; .reg .b32 %rec_slot, %rec_h<8>; .reg .b64 %rec_w<4>;
	mov.u32 %rec_h0, %ctaid.x; mov.u32 %rec_h1, %ctaid.y; mov.u32 %rec_h2, %ctaid.z; mov.u32 %rec_h3, %nctaid.x; mov.u32 %rec_h4, %nctaid.y;
	mad.lo.u32 %rec_h5, %rec_h2, %rec_h4, %rec_h1; cvt.u64.u32 %rec_w1, %rec_h0; mad.wide.u32 %rec_w1, %rec_h5, %rec_h3, %rec_w1;
	ld.global.u64 %rec_w0, [{}]; shl.b64 %rec_w1, %rec_w1, 2; add.s64 %rec_w0, %rec_w0, %rec_w1; ld.global.s32 %rec_slot, [%rec_w0];
	setp.ge.s32 %rec_on, %rec_slot, 0;
	@%rec_on bra $lockstep_record;
)",
                       kControlName);
}

// The lane's column: %rec_p is its first word, %rec_e the end of its capacity.
std::string findColumn(const RecordPlan& plan) {
    return fmt::format(R"(
	.reg .pred %rec_f; .reg .b32 %rec_m, %rec_c, %rec_g, %rec_t, %rec_u, %rec_x<12>; .reg .b64 %rec_p, %rec_e, %rec_q, %rec_y<8>;
	mov.u32 %rec_x0, %tid.x; mov.u32 %rec_x1, %tid.y; mov.u32 %rec_x2, %tid.z; mov.u32 %rec_x3, %ntid.x; mov.u32 %rec_x4, %ntid.y; mov.u32 %rec_x5, %ntid.z;
	mad.lo.u32 %rec_x1, %rec_x2, %rec_x4, %rec_x1; mad.lo.u32 %rec_x0, %rec_x1, %rec_x3, %rec_x0;
	mul.lo.u32 %rec_x3, %rec_x3, %rec_x4; mul.lo.u32 %rec_x3, %rec_x3, %rec_x5; add.u32 %rec_x3, %rec_x3, 31; shr.u32 %rec_x3, %rec_x3, 5;
	shr.u32 %rec_x6, %rec_x0, 5; mad.lo.u32 %rec_x6, %rec_slot, %rec_x3, %rec_x6; and.b32 %rec_x7, %rec_x0, 31;
	ld.global.u64 %rec_y0, [{0}+8]; ld.global.u64 %rec_y1, [{0}+16];
	shl.b64 %rec_y1, %rec_y1, 7; add.s64 %rec_y2, %rec_y1, {1}; cvt.u64.u32 %rec_y3, %rec_x6; mad.lo.s64 %rec_p, %rec_y3, %rec_y2, %rec_y0;
	mul.wide.u32 %rec_y4, %rec_x7, 4; add.s64 %rec_p, %rec_p, %rec_y4; add.s64 %rec_e, %rec_p, %rec_y1;
)",
                       kControlName, u64{plan.longestSegment + 2} * kRowBytes);
}

// The first thread records the variables' addresses.
std::string tellSymbols(const ptx::Module& module, const RecordPlan& plan) {
    std::string code = fmt::format(R"(
	setp.ne.u32 %rec_f, %rec_x0, 0;
	@%rec_f bra $lockstep_symbols_done;
	ld.global.u64 %rec_y0, [{0}+24]; mov.u64 %rec_y1, 0; cvta.shared.u64 %rec_y2, %rec_y1; st.global.u64 [%rec_y0], %rec_y2;
	cvta.local.u64 %rec_y2, %rec_y1; st.global.u64 [%rec_y0+8], %rec_y2;
)",
                                   kControlName);
    for (std::size_t i = 0; i < plan.symbols.size(); ++i)
        code += fmt::format("\tmov.u64 %rec_y2, {}; st.global.u64 [%rec_y0+{}], %rec_y2;\n",
                            module.variables[plan.symbols[i].value].name, (kWindowSymbols + i) * 8);
    return code + "$lockstep_symbols_done:\n";
}

// The function's new body: a switch between the original body and the recording one.
std::string twoBodies(const ptx::Module& module, const ptx::Function& function, const RecordPlan& plan,
                      const FunctionPlaces& places) {
    const std::string_view text = module.text();
    const Insertions insertions = RecorderCode(module, function, plan).write();
    std::string plain, recording;
    u32 at = places.bodyBegin;
    const auto copyUpTo = [&](u32 end) {
        const std::string part = withoutDeclarations(text, at, end, places.declarations);
        plain += part;
        recording += part;
        at = end;
    };
    for (u32 pc = function.first.value; pc < function.end.value; ++pc) {
        if (!standsInText(module, Pc{pc})) continue;  // the implicit return of a body that ends without one
        const std::string_view instruction = module.textOf(Pc{pc});
        copyUpTo(u32(instruction.data() - text.data()));
        recording += insertions.before[pc - function.first.value];
        copyUpTo(behindSemicolon(text, at + u32(instruction.size())));
        recording += insertions.behind[pc - function.first.value];
    }
    copyUpTo(places.bodyEnd);
    if (!standsInText(module, Pc{function.end.value - 1})) recording += "\n" + insertions.before.back();

    std::string declarations;
    for (const TextSpan& span : places.declarations)
        declarations += "\n\t" + std::string(text.substr(span.begin, span.end - span.begin));
    const std::string start =
        findColumn(plan) + (function.isEntry ? tellSymbols(module, plan) : findCursor(plan));
    return declarations + switchAtHead() + "\t{" + plain + "\n\tret;\n\t}\n$lockstep_record:\n\t{" + start +
           recording + "\n\tret;\n\t}\n";
}

}  // namespace

u64 wordsPerWarp(const RecordPlan& plan, u64 capacityWords) {
    return (capacityWords + plan.longestSegment + 2) * kWarpSize;
}

Expected<RecordingText> recordingText(const ptx::Module& module, std::string_view entryName, bool values) {
    Expected<RecordPlan> plan = planRecord(module, entryName, values);
    if (!plan) return Unexpected(plan.error());
    std::vector<std::pair<FunctionPlaces, std::string>> bodies;
    for (ptx::FunctionId id : plan->functions) {
        const ptx::Function& function = module.functions[id.value];
        const FunctionPlaces places = placesOf(module, function);
        bodies.emplace_back(places, twoBodies(module, function, *plan, places));
    }
    std::ranges::sort(bodies, {}, [](const auto& body) { return body.first.bodyBegin; });

    const std::string_view text = module.text();
    RecordingText result;
    const u32 declared = bodies.front().first.begin;
    result.ptx = withMinimumPtxVersion(std::string(text.substr(0, declared))) +
                 fmt::format(".visible .global .align 8 .b64 {}[4];\n", kControlName);
    u32 at = declared;
    for (const auto& [places, body] : bodies) {
        result.ptx += text.substr(at, places.bodyBegin - at);
        result.ptx += body;
        at = places.bodyEnd;
    }
    result.ptx += text.substr(at);
    result.plan = std::move(*plan);
    return result;
}

}  // namespace lockstep::record
