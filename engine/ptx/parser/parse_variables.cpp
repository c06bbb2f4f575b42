// Variables and parameters: types, alignment, arrays, initial values.
#include "ptx/parser/parser.h"

#include <bit>
#include <cstring>

namespace lockstep::ptx {
namespace {

struct SpaceLimit {
    StateSpace space;
    u64 bytes;  // of one variable
    Words why;
};
constexpr SpaceLimit kLimits[] = {
    // CUDA C++ Programming Guide, "Technical Specifications per Compute Capability": 227 KB a block, 64 KB of
    // constants,
    // 512 KB of local memory a thread, 32,764 bytes of parameters. Static shared variables have no tighter
    // limit in PTX.
    {StateSpace::Shared, 256 << 10, english("a block has at most 227 KiB of shared memory")},
    {StateSpace::Const, 64 << 10, english("there are 64 KiB of constant memory")},
    {StateSpace::Local, 512 << 10, english("a thread has at most 512 KiB of local memory")},
    {StateSpace::Param, 32764, english("parameters have at most 32,764 bytes")},
    // Ours: module variables are kept on the host.
    {StateSpace::Global, u64{1} << 30, english("at most 1 GiB is supported")},
};
constexpr u64 kMostDeclaredBytes = u64{2} << 30;  // all variables of a module; ours, as above
constexpr u64 kMostInitialBytes = u64{64} << 20;  // of all variables with initial values: kept in the Module
constexpr u64 kMostAlignment = 1 << 16;
constexpr std::size_t kMostExtents = 8;

// Of a texture, a sampler or a surface: a handle, which only instructions of theirs know what to do with.
// Kernels that have such instructions are refused, the others of the text are not.
bool isHandle(std::string_view part) {
    return part == ".texref" || part == ".samplerref" || part == ".surfref";
}

}  // namespace

// Of an array with initial values: elements per { } level.
struct Parser::InitialiserShape {
    std::vector<u64> strideBytes;  // of one element of level n
    std::vector<u64> countBytes;   // of a whole level n; 0 at level 0: as many as there are
};

// .global .align 4 .b8 a[16], b = 3;
void Parser::parseVariables(StateSpace space, Linkage linkage) {
    Variable pattern = parseDeclarator(space);
    u32 vector = u32(pattern.sizeBytes / bytesOf(pattern.type));
    do {
        const Place place = here();
        Variable variable = pattern;
        variable.isExtern = linkage.isExtern;
        variable.name = in_.word();
        if (variable.name.empty())
            fail(Message(english("expected the name of a variable, found {0}"), in_.found()), place);
        std::vector<u64> extents;
        parseExtents(variable, extents);
        if (in_.take('=')) {
            if (holdsHandles_ && in_.take('{'))
                in_.skipBraces();  // { filter_mode = nearest }
            else
                parseInitialiser(variable, extents, vector * bytesOf(variable.type));
        }
        checkSize(variable, place);
        if (variable.sizeBytes == 0 && !variable.isExtern && variable.initial.empty() && !extents.empty())
            if (space != StateSpace::Shared)
                fail(Message(english("'{0}' has no size; give one in the brackets"), variable.name), place);
        addVariable(std::move(variable), place);
    } while (in_.take(','));
    in_.expect(';', english("after a variable"));
}

// What stands before the name: .align 16 .v4 .f32, .u64 .ptr .global .align 1. sizeBytes becomes that of one
// element.
Variable Parser::parseDeclarator(StateSpace space) {
    Variable variable;
    variable.space = space;
    u32 vector = 1;
    u64 alignment = 0;
    bool isPointer = false;
    const Place place = here();
    holdsHandles_ = false;
    while (in_.peek() == '.') {
        const Place at = in_.place();
        const std::string_view part = in_.directive();
        const Type type = findType(part.substr(1));
        if (type != Type::None && type != Type::Pred)
            variable.type = type;
        else if (part == ".align") {
            const u64 bytes = parseNumber(in_, english("an alignment"), kMostAlignment);
            if (!std::has_single_bit(bytes)) fail(english("an alignment must be a power of two"), at);
            if (!isPointer) alignment = bytes;
        } else if (part == ".v2" || part == ".v4" || part == ".v8")
            vector = u32(part[2] - '0');
        else if (part == ".ptr")
            isPointer = true;
        else if (part == ".attribute")
            skipAttribute();
        else if (isHandle(part)) {
            variable.type = Type::U64;
            holdsHandles_ = true;
        } else if (!(isPointer &&
                     (part == ".global" || part == ".shared" || part == ".const" || part == ".local")))
            fail(Message(english("expected a type such as .u32 or .align, found '{0}'"), part), at);
    }
    if (variable.type == Type::None)
        fail(Message(english("a variable needs a type such as .u32; found {0}"), in_.found()), place);
    variable.sizeBytes = u64{vector} * bytesOf(variable.type);
    variable.alignBytes = alignment ? u32(alignment) : u32(variable.sizeBytes);
    return variable;
}

// [4][8]; [] only first: the size comes from the initial values or, of dynamic shared memory, at launch.
void Parser::parseExtents(Variable& variable, std::vector<u64>& extents) {
    while (in_.take('[')) {
        const Place place = here();
        u64 extent = 0;
        if (in_.peek() != ']') {
            extent = parseCount(in_, english("the extent of an array"));
            if (extent == 0 && !extents.empty())
                fail(english("the extent of an array must be at least 1"), place);
        } else if (!extents.empty()) {
            fail(english("only the first extent of an array may be left out"), place);
        }
        in_.expect(']', english("after the extent of an array"));
        if (extents.size() == kMostExtents)
            fail(Message(english("an array has at most {0} extents"), kMostExtents), place);
        extents.push_back(extent);
        if (__builtin_mul_overflow(variable.sizeBytes, extent, &variable.sizeBytes))
            fail(Message(english("'{0}' is larger than any memory"), variable.name), place);
    }
}

void Parser::checkSize(const Variable& variable, Place place) {
    for (const SpaceLimit& limit : kLimits)
        if (limit.space == variable.space && variable.sizeBytes > limit.bytes)
            in_.fail(FaultKind::Unsupported,
                     Message(english("'{0}' has {1} {1:byte|bytes}, but {2}"), variableName(variable.name),
                             variable.sizeBytes, limit.why),
                     place);
    declaredBytes_ += variable.sizeBytes;
    if (declaredBytes_ > kMostDeclaredBytes)
        in_.fail(
            FaultKind::Unsupported,
            Message(english("the variables of this text have more than {0} GiB together; split the program"),
                    kMostDeclaredBytes >> 30),
            place);
}

VariableId Parser::addVariable(Variable variable, Place place) {
    if (symbols_.depth() > 0) variable.function = current_;
    const VariableId id{u32(module_.variables.size())};
    // An .extern variable may be followed by its definition.
    if (const Symbol* known = symbols_.find(variable.name);
        known && known->kind == SymbolKind::Variable && known->depth == symbols_.depth() &&
        (module_.variables[known->id].isExtern || variable.isExtern)) {
        Variable& before = module_.variables[known->id];
        if (before.space != variable.space || before.type != variable.type)
            fail(Message(english("'{0}' was declared before with another type; make the two agree"),
                         variable.name),
                 place);
        if (before.isExtern) before = std::move(variable);
        return VariableId{known->id};
    }
    if (variable.name != "_") declare(variable.name, SymbolKind::Variable, id.value, place);
    module_.variables.push_back(std::move(variable));
    return id;
}

// .param .align 8 .b8 name[24], the .param already taken.
VariableId Parser::parseParameter() {
    Variable variable = parseDeclarator(StateSpace::Param);
    const Place place = here();
    variable.name = in_.word();
    std::vector<u64> extents;
    parseExtents(variable, extents);
    checkSize(variable, place);
    if (variable.name.empty()) variable.name = "_";
    return addVariable(std::move(variable), place);
}

// = 3, = {1, 2, {3, 4}}, the = already taken.
void Parser::parseInitialiser(Variable& variable, std::vector<u64>& extents, u32 elementBytes) {
    const Place place = here();
    InitialiserShape shape;
    u64 stride = elementBytes;
    std::vector<u64> levels(extents);
    if (elementBytes > bytesOf(variable.type))
        levels.push_back(elementBytes / bytesOf(variable.type)), stride = bytesOf(variable.type);
    shape.strideBytes.resize(levels.size());
    shape.countBytes.resize(levels.size());
    for (std::size_t level = levels.size(); level-- > 0;) {
        shape.strideBytes[level] = stride;
        if (__builtin_mul_overflow(stride, levels[level], &stride))
            fail(english("this array is larger than any memory"), place);
        shape.countBytes[level] = stride;
    }
    auto checkInitialBytes = [&](u64 bytes) {
        if (bytes > kMostInitialBytes - initialBytes_)
            in_.fail(FaultKind::Unsupported,
                     Message(english("variables with initial values have at most {0} MiB together; copy "
                                     "large tables from the host"),
                             kMostInitialBytes >> 20),
                     place);
    };
    checkInitialBytes(variable.sizeBytes);

    if (levels.empty()) {
        if (in_.take('{')) {
            parseInitialValue(variable, 0);
            in_.expect('}', english("after the initial value"));
        } else {
            parseInitialValue(variable, 0);
        }
    } else {
        in_.expect('{', english("to open the initial values of an array"));
        parseInitialList(variable, shape, 0, 0);
    }
    if (!extents.empty() && extents[0] == 0) {
        const u64 row = shape.strideBytes[0];
        variable.sizeBytes = (variable.initial.size() + row - 1) / row * row;
    }
    checkInitialBytes(variable.sizeBytes);
    initialBytes_ += variable.sizeBytes;
    variable.initial.resize(variable.sizeBytes);
}

// The { of this level is taken; reads up to and with its }.
void Parser::parseInitialList(Variable& variable, const InitialiserShape& shape, u32 level, u64 begin) {
    const u64 stride = shape.strideBytes[level], elementBytes = bytesOf(variable.type);
    u64 at = begin;
    if (in_.take('}')) return;
    do {
        const Place place = here();
        const bool nested = in_.take('{');
        if (nested) at = begin + (at - begin + stride - 1) / stride * stride;
        const u64 bytes = nested ? stride : elementBytes;
        if (shape.countBytes[level] ? at - begin + bytes > shape.countBytes[level]
                                    : at + bytes > kMostInitialBytes)
            fail(Message(english("there are more initial values than '{0}' has elements"), variable.name),
                 place);
        if (!nested) {
            parseInitialValue(variable, at);
        } else {
            if (level + 1 == shape.strideBytes.size())
                fail(Message(english("these braces are nested deeper than '{0}' has extents"), variable.name),
                     place);
            parseInitialList(variable, shape, level + 1, at);
        }
        at += bytes;
    } while (in_.take(','));
    in_.expect('}', english("after the initial values"));
}

void Parser::parseInitialValue(Variable& variable, u64 at) {
    const u32 bytes = bytesOf(variable.type);
    const Place place = here();
    if (variable.initial.size() < at + bytes) variable.initial.resize(at + bytes);
    if (!startsConstant(in_.peek())) return parseInitialAddress(variable, at, 0);
    const Constant constant = parseConstant(in_);
    if (in_.take('(')) {  // 0xFF00(name): one byte of an address
        parseInitialAddress(variable, at, constant.bits);
        return in_.expect(')', english("after a byte of an address"));
    }
    const u64 bits = bitsAs(constant, variable.type, in_, place);
    std::memcpy(variable.initial.data() + at, &bits, std::min<std::size_t>(bytes, sizeof bits));
}

// name, name+8, generic(name), generic(name)+8; with `mask` the byte of the address that the mask picks.
void Parser::parseInitialAddress(Variable& variable, u64 at, u64 mask) {
    const Place place = here();
    std::string_view name = in_.word();
    Variable::InitialAddress address{.atByte = at, .of = {}, .offsetBytes = 0, .generic = false};
    if (name == "generic" && in_.peek() == '(') {
        in_.advance();
        address.generic = true;
        name = in_.word();
    }
    if (name.empty()) fail(Message(english("expected an initial value, found {0}"), in_.found()), place);
    const Symbol* symbol = symbols_.find(name);
    if (symbol && symbol->kind == SymbolKind::Function)
        address.function = FunctionId{symbol->id};
    else
        address.of = VariableId{require(name, SymbolKind::Variable, english("variable"), place)->id};
    if (address.generic) {
        if (in_.peek() == '+' || in_.peek() == '-') address.offsetBytes = s64(parseConstant(in_).bits);
        in_.expect(')', english("after generic(name"));
    }
    if (in_.peek() == '+' || in_.peek() == '-')
        address.offsetBytes = s64(u64(address.offsetBytes) + parseConstant(in_).bits);

    const u32 addressBytes = module_.addressBits / 8;
    if (mask == 0) {
        if (bytesOf(variable.type) != addressBytes)
            fail(Message(english("an address has {0} {0:byte|bytes}; '{1}' holds elements of another size"),
                         addressBytes, variable.name),
                 place);
        variable.initialAddresses.push_back(address);
        return;
    }
    const int byte = std::countr_zero(mask) / 8;
    if (bytesOf(variable.type) != 1 || mask != u64{0xff} << (8 * byte))
        fail(english("expected a mask of one byte such as 0xFF00"), place);
    if (byte == 0) {
        variable.initialAddresses.push_back(address);
        return;
    }
    const auto* last = variable.initialAddresses.empty() ? nullptr : &variable.initialAddresses.back();
    if (!last || last->atByte + u64(byte) != at || last->of != address.of ||
        last->function != address.function)
        fail(english("the bytes of an address must follow each other, 0xFF first"), place);
}

}  // namespace lockstep::ptx
