#include "ptx/parser/operand_rules.h"

#include "base/check.h"

#include <limits>

namespace lockstep::ptx {
namespace {

// Cuts the text up to `separator` off the front.
std::string_view takeUntil(std::string_view& text, std::string_view separator) {
    const std::size_t at = text.find(separator);
    const std::string_view head = text.substr(0, at);
    text = at == std::string_view::npos ? std::string_view{} : text.substr(at + separator.size());
    return head;
}

bool takeSuffix(std::string_view& text, std::string_view suffix) {
    if (text.size() <= suffix.size() || !text.ends_with(suffix)) return false;
    text.remove_suffix(suffix.size());
    return true;
}

bool holds(std::string_view conditions, const ParsedModifiers& name) {
    while (!conditions.empty()) {
        std::string_view condition = takeUntil(conditions, ",");
        const bool wanted = !condition.starts_with('!');
        if (!wanted) condition.remove_prefix(1);
        if (name.has(condition) != wanted) return false;
    }
    return true;
}

class ItemReader {
public:
    ItemReader(const ParsedModifiers& name, bool vectorsApply, u32 addressBits)
        : name_(name), vectorsApply_(vectorsApply), addressBits_(addressBits) {}

    OperandRule read(std::string_view item) {
        OperandRule rule;
        if (item.starts_with('=')) {
            rule.written = true;
            item.remove_prefix(1);
        }
        for (bool again = true; again;) {
            again = false;
            if (takeSuffix(item, "+")) rule.mayBeWider = again = true;
            if (takeSuffix(item, "/p")) rule.mayBePredicate = again = true;
            if (takeSuffix(item, "|p")) rule.mayHavePredicate = again = true;
            if (takeSuffix(item, "{}")) rule.mayBeList = again = true;
        }
        if (item == "[]")
            rule.role = Role::Address;
        else if (item == "@")
            rule.role = Role::Label;
        else if (item == "@@")
            rule.role = Role::LabelList;
        else if (item == "{*}")
            rule.role = Role::Fragment;
        else if (item == "*")
            rule.role = Role::Anything;
        else
            rule.type = typeOf(item, rule);
        return rule;
    }
    u32 missingType() const { return missingType_; }

private:
    Type typeOf(std::string_view what, OperandRule& rule) {
        if (what == "p") return Type::Pred;
        if (what == "a") return addressBits_ == 32 ? Type::U32 : Type::U64;
        if (what == "2T") return widened(suffix(0));
        if (what.size() == 1 && what[0] >= 'T' && what[0] <= 'W') {
            if (vectorsApply_) rule.vector = name_.modifiers.vector;
            return suffix(u32(what[0] - 'T'));
        }
        const Type type = findType(what);
        CHECK(type != Type::None, "the opcode table speaks the language of operand_rules.h");
        return type;
    }
    Type suffix(u32 index) {
        if (index >= name_.typeCount && !missingType_) missingType_ = index + 1;
        return name_.types[index];
    }

    const ParsedModifiers& name_;
    bool vectorsApply_;
    u32 addressBits_;
    u32 missingType_ = 0;
};

}  // namespace

ResolvedRules resolveRules(std::string_view rules, const ParsedModifiers& name, bool vectorsApply,
                           u32 addressBits) {
    ResolvedRules result;
    bool more = true, conditionHeld = false;
    while (more) {
        more = rules.find(';') != std::string_view::npos;
        std::string_view alternative = takeUntil(rules, ";");
        if (const std::size_t colon = alternative.find(':'); colon != std::string_view::npos) {
            std::string_view conditions = alternative.substr(0, colon);
            while (conditions.starts_with(' '))
                conditions.remove_prefix(1);
            if (!holds(conditions, name)) continue;
            conditionHeld = true;
            alternative.remove_prefix(colon + 1);
        } else if (conditionHeld) {
            continue;
        }
        ItemReader reader(name, vectorsApply, addressBits);
        OperandRules operands;
        while (!alternative.empty()) {
            std::string_view item = takeUntil(alternative, " ");
            if (item.empty()) continue;
            if (!takeSuffix(item, "?") && item != "*") ++operands.least;
            operands.operands.push_back(reader.read(item));
            operands.most = operands.operands.back().role == Role::Anything ? std::numeric_limits<u32>::max()
                                                                            : operands.most + 1;
        }
        if (reader.missingType()) {
            result.missingType = reader.missingType();
            continue;
        }
        result.alternatives.push_back(std::move(operands));
    }
    if (!result.alternatives.empty()) result.missingType = 0;
    return result;
}

}  // namespace lockstep::ptx
