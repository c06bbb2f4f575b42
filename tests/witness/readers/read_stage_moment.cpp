// Of which moment a stage tells: the cursor's step, or another one that it names.
#include "witness/readers/reader.h"

#include <algorithm>

namespace lockstep::witness {

using trace::Space;

// Where the cursor's step accesses nothing, sentence and caption of a move or of a product are about another
// step, and say which.
void Reader::momentText(const Said& said) {
    if (!said.isSentence && !said.isCaption) return;
    const trace::Step& step = traceOf(cursor_.warp.value).steps[cursor_.step];
    if (access_ && !access_->active.empty()) return;
    if (says(said.text, {"last request: step ", "The picture shows the ", "上一次请求：第 ", "图中是"}))
        return;
    const std::string_view form = run_.run().module->at(step.pc).form;
    const auto starts = [&](std::initializer_list<std::string_view> names) {
        return std::ranges::any_of(names, [&](std::string_view name) { return form.starts_with(name); });
    };
    const bool isOnTheSum = starts({"fma.", "mad.", "mul.", "add."}) &&
                            (contains(form, ".f32") || contains(form, ".f64") || contains(form, ".f16"));
    // Which elements a thread computes at all, and which it puts together, is no matter of a step.
    const std::string_view text = std::string_view(said.text).substr(
        0,
        std::min({said.text.find(" computes "), said.text.find(" 计算 P 的"), said.text.find(". Thread ")}));
    const bool isMove = says(text, {" bytes of ", " words of ", " elements of ", " · load ", " · store ",
                                    " 个元素读入", " 个元素放进", " · 装载 ", " · 写入 "}),
               isProduct = says(said.text, {"; with it, ", " · multiply", "个乘积之和为", " · 相乘"});
    const bool isNext = says(said.text, {"next: ", "接下来："});
    if ((isMove && !isNext) || (isProduct && !isOnTheSum))
        fail(said, said.text, "the cursor's step does something else, and no other step is named");
}

// A picture of a request beside a step that makes none says of which step it is.
void Reader::requestOfStage() {
    if (access_ && access_->space == Space::Global && !access_->active.empty()) return;
    const Said* sentence = nullptr;
    bool isRequest = false;
    for (const Said& said : picture_.texts) {
        if (said.isSentence) sentence = &said;
        const std::string form = formOf(said.text);
        isRequest |= !said.isHover && !said.isSentence && said.text.ends_with("[]") &&
                     (form.starts_with("Warp # ") || form.starts_with("线程束 # "));
    }
    if (isRequest && sentence && !says(sentence->text, {"The picture shows the ", "图中是"}))
        fail(*sentence, sentence->text, "of which step the picture is");
}

// "rows 0–3, columns 2–9 of 37 × 53", "[0–3][2–9] of 4 × 2": a part of an array has its first place before
// its last one, and both exist.
void Reader::partExists(const Said& said) {
    if (said.isHover) return;
    const auto brief = is("[#–#][#–#] of # × #", "# × # 中的 [#–#][#–#]");
    if (is("[#][#–#][#–#] of # × # × #", "# × # × # 中的 [#][#–#][#–#]") ||
        is("[#–#][#–#][#–#] of # × # × #", "# × # × # 中的 [#–#][#–#][#–#]"))
        return partOfPlanesExists(said);
    if (!brief || tokens_->size() < 6) return;
    done_.assign(tokens_->size(), true);
    const std::size_t part = english() ? 0 : 2, whole = english() ? 4 : 0;
    const auto at = [&](std::size_t i) { return (*tokens_)[i].value; };
    const bool isArray = std::ranges::any_of(run_.arrays(), [&](const Array& array) {
        return array.shape.size() == 2 && f64(array.shape[0]) == at(whole) &&
               f64(array.shape[1]) == at(whole + 1);
    });
    if (!isArray || at(part) > at(part + 1) || at(part + 2) > at(part + 3) || at(part + 1) >= at(whole) ||
        at(part + 3) >= at(whole + 1))
        fail(said, said.text, "there is no such part");
}

// "[0–1][0–7][0–83] of 2 × 8 × 132": each is a range of its dimension.
void Reader::partOfPlanesExists(const Said& said) {
    done_.assign(tokens_->size(), true);
    const std::size_t count = tokens_->size() - 3;  // of the numbers of the part
    const auto at = [&](std::size_t i) { return (*tokens_)[i].value; };
    const auto part = [&](std::size_t i) { return at(english() ? i : i + 3); };
    const auto whole = [&](std::size_t i) { return at(english() ? count + i : i); };
    const bool isArray = std::ranges::any_of(run_.arrays(), [&](const Array& array) {
        return array.shape.size() == 3 && f64(array.shape[0]) == whole(0) &&
               f64(array.shape[1]) == whole(1) && f64(array.shape[2]) == whole(2);
    });
    const std::size_t rows = count - 4;
    if (!isArray || part(rows - 1) >= whole(0) || part(0) > part(rows - 1) || part(rows) > part(rows + 1) ||
        part(rows + 1) >= whole(1) || part(rows + 2) > part(rows + 3) || part(rows + 3) >= whole(2))
        fail(said, said.text, "there is no such part");
}

}  // namespace lockstep::witness
