#include "app/panels/editor/code_language.h"

#include "viz/painters/imgui/imgui_painter.h"
#include "viz/scene/color.h"

#include <initializer_list>

namespace lockstep::app {

const TextEditor::Language& cudaLanguage() {
    static const TextEditor::Language kLanguage = [] {
        TextEditor::Language cuda = *TextEditor::Language::Cpp();
        cuda.name = "CUDA C++";
        for (const char* word :
             {"__global__", "__device__", "__host__", "__shared__", "__constant__", "__managed__",
              "__restrict__", "__launch_bounds__", "__forceinline__", "__noinline__", "__inline__",
              "__align__", "__grid_constant__", "__cluster_dims__", "__maxnreg__"})
            cuda.keywords.insert(word);
        for (const char* type :
             {"dim3",          "uint",           "size_t",       "int8_t",      "int16_t",
              "int32_t",       "int64_t",        "uint8_t",      "uint16_t",    "uint32_t",
              "uint64_t",      "half",           "half2",        "__half",      "__half2",
              "__nv_bfloat16", "__nv_bfloat162", "cudaStream_t", "cudaEvent_t", "cudaError_t"})
            cuda.declarations.insert(type);
        for (const char* base : {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong",
                                 "longlong", "ulonglong", "float", "double"})
            for (const char* count : {"1", "2", "3", "4"})
                cuda.declarations.insert(std::string(base) + count);
        for (const char* name : {"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"})
            cuda.identifiers.insert(name);
        for (const char* name : {"__syncthreads",
                                 "__syncthreads_count",
                                 "__syncthreads_and",
                                 "__syncthreads_or",
                                 "__syncwarp",
                                 "__threadfence",
                                 "__threadfence_block",
                                 "__shfl_sync",
                                 "__shfl_up_sync",
                                 "__shfl_down_sync",
                                 "__shfl_xor_sync",
                                 "__ballot_sync",
                                 "__all_sync",
                                 "__any_sync",
                                 "__activemask",
                                 "__match_any_sync",
                                 "__match_all_sync",
                                 "__reduce_add_sync",
                                 "__popc",
                                 "__ffs",
                                 "__clz",
                                 "atomicAdd",
                                 "atomicSub",
                                 "atomicExch",
                                 "atomicMin",
                                 "atomicMax",
                                 "atomicCAS",
                                 "atomicAnd",
                                 "atomicOr",
                                 "atomicXor",
                                 "atomicInc",
                                 "atomicDec",
                                 "__ldg",
                                 "clock",
                                 "clock64",
                                 "printf"})
            cuda.identifiers.insert(name);
        return cuda;
    }();
    return kLanguage;
}

TextEditor::Palette paletteOf(const viz::Theme& theme) {
    using Slot = TextEditor::Color;
    TextEditor::Palette palette{};
    const auto set = [&](Slot slot, viz::Color color, f32 alpha = 1) {
        color.alpha *= alpha;
        palette[std::size_t(slot)] = viz::packed(color);
    };
    // Hues are those of loads and stores, drawn towards the text: nothing here is either.
    const viz::Color keyword = viz::mix(theme.text, theme.load, 0.75f),
                     type = viz::mix(theme.textSecond, theme.load, 0.5f),
                     literal = viz::mix(theme.text, theme.store, 0.65f);
    for (const Slot slot : {Slot::text, Slot::punctuation, Slot::identifier, Slot::cursor})
        set(slot, theme.text);
    set(Slot::keyword, keyword);
    set(Slot::knownIdentifier, keyword);
    set(Slot::declaration, type);
    set(Slot::number, literal);
    set(Slot::string, literal);
    set(Slot::preprocessor, theme.textThird);
    set(Slot::comment, theme.textThird);
    set(Slot::background, theme.ground);
    set(Slot::selection, theme.edge, 0.4f);
    set(Slot::whitespace, theme.line);
    set(Slot::matchingBracketBackground, theme.edge, 0.35f);
    for (const Slot slot :
         {Slot::matchingBracketLevel1, Slot::matchingBracketLevel2, Slot::matchingBracketLevel3})
        set(slot, theme.text);
    set(Slot::matchingBracketActive, theme.edge);
    set(Slot::matchingBracketError, theme.finding);
    set(Slot::lineNumber, theme.textThird);
    set(Slot::currentLineNumber, theme.text);
    set(Slot::currentLineHighlight, theme.raised, 0.45f);
    set(Slot::currentLineHighlightBorder, theme.raised, 0);
    return palette;
}

}  // namespace lockstep::app
