#include "run/data_dependence.h"

#include "ptx/analysis/register_uses.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace lockstep::run {
namespace {

using ptx::OpcodeClass;
using ptx::StateSpace;

// A set of sources that a value can come from: the buffers, the module's variables, and last the memory of
// one launch (shared and local). A value may also depend on the order of atomic operations.
using Places = u64;
constexpr std::size_t kMostPlaces = 63;
constexpr Places kOrder = Places{1} << 63;

struct Value {
    Places pointsTo = 0, madeOf = 0;
    Value& operator|=(const Value& other) {
        pointsTo |= other.pointsTo;
        madeOf |= other.madeOf;
        return *this;
    }
    bool operator==(const Value&) const = default;
};

class Follower {
public:
    Follower(const ptx::Module& module, std::size_t buffers)
        : module_(module), buffers_(buffers), placeOf_(module.variables.size(), kNone) {
        for (u32 id = 0; id < module.variables.size(); ++id)
            if (module.variables[id].space == StateSpace::Global) {
                placeOf_[id] = buffers + variables_.size();
                variables_.push_back(id);
            }
        contents_.resize(buffers + variables_.size() + 1);
    }

    DataDependence follow(std::span<const Launch> launches) {
        bool isKnown = contents_.size() <= kMostPlaces;
        for (const Launch& launch : launches)
            isKnown = isKnown && enter(launch);
        if (!isKnown) return all();
        while (std::exchange(changed_, false))
            for (Body& body : bodies_)
                for (u32 pc = body.function->first.value; pc < body.function->end.value; ++pc)
                    step(body, Pc{pc});
        DataDependence result;
        for (u32 buffer = 0; buffer < buffers_; ++buffer)
            if (steering_ >> buffer & 1) result.buffers.push_back(buffer);
        if (branchesByOrder_) ordered_ = written_;
        for (u32 buffer = 0; buffer < buffers_; ++buffer)
            if (ordered_ >> buffer & 1) result.ordered.push_back(buffer);
        result.orderedAddresses.assign(orderedAddresses_.begin(), orderedAddresses_.end());
        for (const u32 id : variables_)
            if (written_ >> placeOf_[id] & 1)
                result.variables.push_back(
                    {std::string(module_.variables[id].name), (steering_ >> placeOf_[id] & 1) != 0});
        return result;
    }

private:
    static constexpr std::size_t kNone = ~std::size_t{0};

    struct Body {
        const ptx::Function* function;
        const Launch* launch;
        std::vector<Value> registers;
    };

    // False if it cannot be followed: a kernel that calls functions.
    bool enter(const Launch& launch) {
        const ptx::Function* function = module_.findEntry(launch.entry);
        if (!function || function->parameters.size() != launch.arguments.size()) return false;
        for (u32 pc = function->first.value; pc < function->end.value; ++pc)
            if (opcodeOf(module_.at(Pc{pc})) == "call") return false;
        bodies_.push_back({function, &launch, std::vector<Value>(function->registers.size())});
        return true;
    }

    DataDependence all() const {
        DataDependence result;
        for (u32 buffer = 0; buffer < buffers_; ++buffer)
            result.buffers.push_back(buffer);
        if (std::ranges::any_of(module_.instructions,
                                [](const ptx::Instruction& i) { return opcodeOf(i) == "atom"; }))
            result.ordered = result.buffers;
        for (const u32 id : variables_)
            result.variables.push_back({std::string(module_.variables[id].name), true});
        return result;
    }

    static std::string_view opcodeOf(const ptx::Instruction& instruction) {
        return ptx::opcodeTable()[instruction.opcode].name;
    }
    Places ownPlace() const { return Places{1} << (contents_.size() - 1); }

    template <class T> void merge(T& into, const T& more) {
        T before = into;
        into |= more;
        changed_ |= !(into == before);
    }

    Value ofVariable(const Body& body, ptx::VariableId id) const {
        const auto& parameters = body.function->parameters;
        if (const auto found = std::ranges::find(parameters, id); found != parameters.end()) {
            const auto* buffer =
                std::get_if<BufferArgument>(&body.launch->arguments[std::size_t(found - parameters.begin())]);
            return {.pointsTo = buffer && buffer->buffer < buffers_ ? Places{1} << buffer->buffer : 0,
                    .madeOf = 0};
        }
        return {.pointsTo = placeOf_[id.value] == kNone ? 0 : Places{1} << placeOf_[id.value], .madeOf = 0};
    }

    Value ofSource(const Body& body, const ptx::Operand& operand) const {
        if (const auto* r = std::get_if<ptx::RegisterOperand>(&operand)) return body.registers[r->id.value];
        if (const auto* v = std::get_if<ptx::VariableOperand>(&operand)) return ofVariable(body, v->id);
        Value sum;
        if (const auto* p = std::get_if<ptx::PairOperand>(&operand))
            (sum |= body.registers[p->value.value]) |= body.registers[p->predicate.value];
        if (const auto* list = std::get_if<ptx::VectorOperand>(&operand))
            for (const ptx::Operand& element : list->elements)
                sum |= ofSource(body, element);
        return sum;
    }

    void toResult(Body& body, const ptx::Operand& operand, const Value& value) {
        if (const auto* r = std::get_if<ptx::RegisterOperand>(&operand))
            merge(body.registers[r->id.value], value);
        if (const auto* p = std::get_if<ptx::PairOperand>(&operand)) {
            merge(body.registers[p->value.value], value);
            merge(body.registers[p->predicate.value], value);
        }
        if (const auto* list = std::get_if<ptx::VectorOperand>(&operand))
            for (const ptx::Operand& element : list->elements)
                toResult(body, element, value);
    }

    // What an address may point to. An address of unknown origin is taken as the launch's own memory.
    Places placesAt(const Body& body, const ptx::AddressOperand& address, Places& madeOf) {
        Value base;
        if (const auto* r = std::get_if<ptx::RegisterId>(&address.base)) base = body.registers[r->value];
        if (const auto* v = std::get_if<ptx::VariableId>(&address.base)) base = ofVariable(body, *v);
        merge(steering_, base.madeOf);
        madeOf |= base.madeOf;
        return base.pointsTo ? base.pointsTo : ownPlace();
    }

    Value contentsOf(Places places) const {
        Value sum;
        for (std::size_t place = 0; place < contents_.size(); ++place)
            if (places >> place & 1)
                (sum |= contents_[place]).madeOf |= places & (Places{1} << place) & ~ownPlace();
        return sum;
    }

    void step(Body& body, Pc pc) {
        const ptx::Instruction& instruction = module_.at(pc);
        const std::span<const ptx::Operand> operands = module_.operandsOf(instruction);
        const OpcodeClass opcodeClass = ptx::opcodeTable()[instruction.opcode].opcodeClass;
        const bool isParameter = instruction.modifiers.space == StateSpace::Param;
        const bool hasResult = ptx::hasResult(module_, instruction);
        Value sources;
        Places places = 0, addressedBy = 0;
        for (const ptx::Operand& operand : operands.subspan(hasResult)) {
            const auto* address = std::get_if<ptx::AddressOperand>(&operand);
            if (!address)
                sources |= ofSource(body, operand);
            else if (!isParameter)
                places |= placesAt(body, *address, addressedBy);
            else if (const auto* v = std::get_if<ptx::VariableId>(&address->base))
                sources |= ofVariable(body, *v);
        }
        if (addressedBy & kOrder) orderedAddresses_.insert(pc.value);
        const Value guard =
            instruction.guard.present ? body.registers[instruction.guard.predicate.value] : Value{};
        const bool waits = opcodeClass == OpcodeClass::Barrier;
        if (places || waits || opcodeClass == OpcodeClass::Control) merge(steering_, guard.madeOf);
        if (waits || opcodeClass == OpcodeClass::Control) merge(steering_, sources.madeOf);
        if (opcodeClass == OpcodeClass::Control)
            branchesByOrder_ |= ((guard.madeOf | sources.madeOf) & kOrder) != 0;
        const std::string_view opcode = opcodeOf(instruction);
        if (places && opcode != "ld" && opcode != "ldu" && opcode != "prefetch" && opcode != "prefetchu") {
            merge(written_, places);
            if ((addressedBy | sources.madeOf | guard.madeOf) & kOrder) ordered_ |= places;
            Value stored = sources;
            if (opcode == "cp") stored |= contentsOf(places);
            for (std::size_t place = 0; place < contents_.size(); ++place)
                if (places >> place & 1) merge(contents_[place], stored);
        }
        if (!hasResult) return;
        Value result = contentsOf(places);
        result |= sources;
        result.madeOf |= guard.madeOf | (opcodeClass == OpcodeClass::Atomic ? kOrder : 0);
        toResult(body, operands[0], result);
    }

    const ptx::Module& module_;
    std::size_t buffers_;
    std::vector<std::size_t> placeOf_;  // of each of the module's variables
    std::vector<u32> variables_;        // those in global memory
    std::vector<Body> bodies_;
    std::vector<Value> contents_;  // sources of what may be stored in each place
    Places steering_ = 0, written_ = 0, ordered_ = 0;
    bool branchesByOrder_ = false;
    std::set<u32> orderedAddresses_;  // pcs
    bool changed_ = true;
};

}  // namespace

DataDependence dataDependenceOf(const ptx::Module& module, std::span<const Launch> launches,
                                std::size_t buffers) {
    return Follower(module, buffers).follow(launches);
}

}  // namespace lockstep::run
