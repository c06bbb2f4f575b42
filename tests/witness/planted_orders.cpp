// Errors in the view of orders: a search that is drawn with one thing wrong, and texts of it that are
// changed.
#include "witness/planted.h"
#include "witness/tokens.h"

#include <array>

namespace lockstep::witness {
namespace {

Planted drawn(const char* name, void (*orders)(run::OrderSearch&)) {
    return {.name = name, .tamper = {}, .change = {}, .view = "orders", .orders = orders};
}

Planted said(const char* name, bool (*change)(Said&)) {
    return {.name = name, .tamper = {}, .change = change, .view = "orders"};
}

bool replaced(Said& said, std::string_view from, std::string_view to) {
    const std::size_t at = said.text.find(from);
    if (at == std::string::npos) return false;
    return said.text.replace(at, from.size(), to), true;
}

// The first number behind these words is one more.
bool oneMoreBehind(Said& said, std::string_view words) {
    const std::size_t at = said.text.find(words);
    if (at == std::string::npos) return false;
    for (const Token& token : tokensOf(said.text))
        if (token.begin >= at + words.size()) {
            said.text.replace(token.begin, token.end - token.begin, std::to_string(s64(token.value) + 1));
            return true;
        }
    return false;
}

bool isRow(const Said& said) { return said.isHover && contains(said.text, " in a row."); }

}  // namespace

std::span<const Planted> plantedInOrders() {
    static const std::array kPlanted{
        drawn("orders: a result counted once too often",
              [](run::OrderSearch& search) { ++search.results.back().count, ++search.tried; }),
        drawn("orders: those that change nothing counted, too",
              [](run::OrderSearch& search) { search.changed = search.tried; }),
        drawn("orders: the recorded result takes another one's count",
              [](run::OrderSearch& search) {
                  if (search.results.size() > 1)
                      std::swap(search.results.front().count, search.results.back().count);
              }),
        drawn("orders: a right result called wrong",
              [](run::OrderSearch& search) {
                  for (run::OrderResult& result : search.results)
                      if (result.correct) result.correct = !*result.correct;
              }),
        drawn("orders: the number of the order before",
              [](run::OrderSearch& search) {
                  if (search.bad) --search.bad->number;
              }),
        drawn("orders: another order's description",
              [](run::OrderSearch& search) {
                  if (search.bad)
                      search.bad->order = {.turns = simt::Order::Turns::Priorities, .changes = 77};
              }),
        drawn("orders: both runs exchanged",
              [](run::OrderSearch& search) {
                  if (!search.bad || !search.bad->parting) return;
                  std::swap(search.bad->recorded, search.bad->changed);
                  std::swap(search.bad->parting->recorded, search.bad->parting->changed);
              }),
        drawn("orders: the runs part at the access before",
              [](run::OrderSearch& search) {
                  if (!search.bad || !search.bad->parting) return;
                  for (explain::LaneAccess* access :
                       {&search.bad->parting->recorded, &search.bad->parting->changed})
                      if (access->at) --access->at, access->index = 0;
              }),
        drawn("orders: another lane of the access",
              [](run::OrderSearch& search) {
                  if (!search.bad || !search.bad->parting) return;
                  explain::LaneAccess& access = search.bad->parting->changed;
                  access.index = access.index ? access.index - 1 : 1;
              }),
        drawn("orders: values of an element exchanged",
              [](run::OrderSearch& search) {
                  if (!search.bad) return;
                  for (run::ChangedElement& element : search.bad->elements)
                      std::swap(element.recorded, element.changed);
              }),
        drawn("orders: the element beside",
              [](run::OrderSearch& search) {
                  if (!search.bad) return;
                  for (run::ChangedElement& element : search.bad->elements)
                      ++element.index;
              }),
        drawn("orders: one changed element more",
              [](run::OrderSearch& search) {
                  if (search.bad) ++search.bad->changedElements;
              }),
        said("orders: before called after",
             [](Said& said) {
                 return said.isSentence &&
                        (replaced(said, " before ", " after ") || replaced(said, ", not before: ", ": ") ||
                         replaced(said, " stays instead of ", " instead of "));
             }),
        said("orders: a load called a store",
             [](Said& said) {
                 return !said.isSentence && !said.isHover && said.text.starts_with("thread ") &&
                        (replaced(said, " reads ", " writes ") || replaced(said, " writes ", " reads "));
             }),
        said("orders: a turn of another warp",
             [](Said& said) { return isRow(said) && oneMoreBehind(said, "Warp "); }),
        said("orders: an access more in a row",
             [](Said& said) { return isRow(said) && oneMoreBehind(said, ": "); }),
    };
    return kPlanted;
}

}  // namespace lockstep::witness
