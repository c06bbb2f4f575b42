// Textures and surfaces: tex, tld4, txq, suld, sust, sured, suq. Objects are 64-bit handles in a register, as
// the PTX ISA has them with unified textures and samplers ("Texture Instructions").
#include "simt/decode/function_decoder.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

namespace lockstep::simt {

using ptx::Operand;

namespace {

struct Geometry {
    std::string_view name;
    u8 dimensions;
    bool isLayered;
};
constexpr Geometry kGeometries[] = {
    {"1d", 1, false}, {"2d", 2, false}, {"3d", 3, false}, {"a1d", 1, true}, {"a2d", 2, true}};

std::span<const Operand> elementsOf(const Operand& operand) {
    if (const auto* vector = std::get_if<ptx::VectorOperand>(&operand)) return vector->elements;
    return {&operand, 1};
}

ptx::AtomicOp reductionOf(std::string_view form) {
    using enum ptx::AtomicOp;
    constexpr std::pair<std::string_view, ptx::AtomicOp> kOperations[] = {
        {"add", Add}, {"min", Min}, {"max", Max}, {"and", And}, {"or", Or}};
    for (const auto& [name, operation] : kOperations)
        if (hasPart(form, name)) return operation;
    return None;
}

}  // namespace

// [a] or [a, coordinates]
Expected<void> FunctionDecoder::imageHandle(const Operand& place, ImageOperation& operation) {
    const Operand& object = elementsOf(place)[0];
    ptx::RegisterId id{};
    if (const auto* address = std::get_if<ptx::AddressOperand>(&object)) {
        const auto* base = std::get_if<ptx::RegisterId>(&address->base);
        if (!base || address->offsetBytes)
            return unsupported(
                english("it uses a texture or surface reference; use an object (cudaCreateTextureObject())"));
        id = *base;
    } else {
        return unsupported();
    }
    auto handle = source(ptx::RegisterOperand{.id = id, .selector = {}}, Storage::Lanes64);
    if (!handle) return Unexpected(handle.error());
    operation.handle = *handle;
    return {};
}

Expected<void> FunctionDecoder::imagePlace(const Operand& place, ImageOperation& operation) {
    const std::span<const Operand> parts = elementsOf(place);
    if (parts.size() > 2) return unsupported(english("a sampler of its own"));
    if (parts.size() < 2) return unsupported();
    if (auto done = imageHandle(place, operation); !done) return done;
    const auto* const geometry = std::ranges::find_if(
        kGeometries, [&](const Geometry& one) { return hasPart(instruction_->form, one.name); });
    if (geometry == std::end(kGeometries)) return unsupported();
    operation.dimensions = geometry->dimensions;
    operation.isLayered = geometry->isLayered;
    std::span<const Operand> coordinates = elementsOf(parts[1]);
    if (coordinates.size() < u32{operation.dimensions} + operation.isLayered) return unsupported();
    if (operation.isLayered) {
        auto layer = source(coordinates[0], Storage::Lanes32);
        if (!layer) return Unexpected(layer.error());
        operation.layer = *layer;
        coordinates = coordinates.subspan(1);
    }
    for (u32 i = 0; i < operation.dimensions; ++i) {
        auto at = source(coordinates[i], Storage::Lanes32);
        if (!at) return Unexpected(at.error());
        operation.coordinates[i] = *at;
    }
    return {};
}

Expected<void> FunctionDecoder::imageValues(const Operand& operand, ImageOperation& operation) {
    const std::span<const Operand> values = elementsOf(operand);
    operation.elementBytes = u8(ptx::bytesOf(instruction_->types[0]));
    operation.elements = u8(values.size());
    if (!operation.elementBytes || operation.elementBytes > 8 || values.empty() || values.size() > 4)
        return unsupported();
    const Storage storage = operation.elementBytes == 8 ? Storage::Lanes64 : Storage::Lanes32;
    for (u32 i = 0; i < values.size(); ++i) {
        auto at = operation.writes() ? source(values[i], storage) : destination(values[i], storage);
        if (!at) return Unexpected(at.error());
        operation.values[i] = *at;
    }
    return {};
}

Expected<void> FunctionDecoder::emitImage(const ImageOperation& operation) {
    if (!context_.memory.mayHaveImages())
        return unsupported(english("textures and surfaces exist only in whole programs (lockstep exec)"));
    Op& op = emit(OpKind::Image);
    op.aux = u32(program_.images.size());
    program_.images.push_back(operation);
    // What is read may be what another block has written.
    const auto has = [&](bool writes) {
        return std::ranges::any_of(program_.images, [&](const ImageOperation& one) {
            return one.isOfSurface() && (one.writes() == writes);
        });
    };
    if (has(true) && has(false)) program_.mustRunInOrder = true;
    return {};
}

// A level of detail and gradients say how small the picture is: there are no smaller ones.
Expected<void> FunctionDecoder::decodeTexture() {
    const std::string_view form = instruction_->form;
    ImageOperation operation;
    const bool isGather = form.starts_with("tld4");
    operation.kind = isGather ? ImageOperation::Kind::Gather : ImageOperation::Kind::Fetch;
    const bool hasMore = hasPart(form, "level") || hasPart(form, "grad");
    const std::size_t most = hasPart(form, "level") ? 3 : hasPart(form, "grad") ? 4 : 2;
    if (operands_.size() < 2 || operands_.size() > most || (hasMore && operands_.size() != most) ||
        instruction_->modifiers.vector != 4 || ptx::bytesOf(instruction_->types[0]) != 4)
        return unsupported();
    operation.isFloat = instruction_->types[1] == ptx::Type::F32;
    if (!operation.isFloat && instruction_->types[1] != ptx::Type::S32) return unsupported();
    if (isGather) {
        constexpr std::string_view kComponents[] = {"r", "g", "b", "a"};
        const auto* const component =
            std::ranges::find_if(kComponents, [&](std::string_view name) { return hasPart(form, name); });
        if (component == std::end(kComponents) || !operation.isFloat) return unsupported();
        operation.component = u8(component - kComponents);
    }
    if (auto done = imagePlace(operands_[1], operation); !done) return done;
    if (auto done = imageValues(operands_[0], operation); !done) return done;
    if (operation.elements != 4) return unsupported();
    return emitImage(operation);
}

Expected<void> FunctionDecoder::decodeSurface() {
    const std::string_view form = instruction_->form;
    if (hasPart(form, "p")) return unsupported(english("a formatted access"));
    if (operands_.size() != 2) return unsupported();
    ImageOperation operation;
    operation.kind = form.starts_with("suld")   ? ImageOperation::Kind::Load
                     : form.starts_with("sust") ? ImageOperation::Kind::Store
                                                : ImageOperation::Kind::Reduce;
    operation.boundary = hasPart(form, "clamp")  ? Boundary::Clamp
                         : hasPart(form, "zero") ? Boundary::Zero
                                                 : Boundary::Trap;
    const bool isLoad = operation.kind == ImageOperation::Kind::Load;
    if (auto done = imagePlace(operands_[isLoad ? 1 : 0], operation); !done) return done;
    if (auto done = imageValues(operands_[isLoad ? 0 : 1], operation); !done) return done;
    if (operation.kind == ImageOperation::Kind::Reduce) {
        operation.atomic = findAtomic(reductionOf(form), instruction_->types[0]);
        if (!operation.atomic || operation.elements != 1) return unsupported();
    }
    return emitImage(operation);
}

Expected<void> FunctionDecoder::decodeImageQuery() {
    using enum ImageOperation::Property;
    constexpr std::pair<std::string_view, ImageOperation::Property> kProperties[] = {
        {"width", Width}, {"height", Height}, {"depth", Depth}, {"array_size", Layers}};
    const auto* const property = std::ranges::find_if(
        kProperties, [&](const auto& one) { return hasPart(instruction_->form, one.first); });
    if (property == std::end(kProperties) || operands_.size() != 2 || hasPart(instruction_->form, "level"))
        return unsupported();
    ImageOperation operation;
    operation.kind = ImageOperation::Kind::Query;
    operation.property = property->second;
    if (auto done = imageHandle(operands_[1], operation); !done) return done;
    if (auto done = imageValues(operands_[0], operation); !done) return done;
    if (operation.elements != 1 || operation.elementBytes != 4) return unsupported();
    return emitImage(operation);
}

}  // namespace lockstep::simt
