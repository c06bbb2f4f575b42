#include "catalog/values/expression_tree.h"

#include "base/nearest.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace lockstep::catalog {
namespace {

constexpr int kDeepest = 64;  // nested parentheses, calls and ?:, so that no text exhausts the stack,
constexpr std::size_t kMostNodes = 1000;  // nor a long chain of operators

constexpr bool isNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool isDigit(char c) { return c >= '0' && c <= '9'; }

constexpr std::string_view kSum = "sum";
constexpr std::array<std::string_view, 3> kVariables{"i", "row", "column"};

class Parser {
public:
    Parser(std::string_view text, Elements elements) : elements_(elements) { tree_.text = text; }

    Expected<ExpressionTree> parse() {
        tree_.root = choice();
        skipBlanks();
        if (!fault_ && at_ < text().size())
            complain(isSecondIndex()
                         ? Message(english("an element has one index, as it lies in memory: write {0}"),
                                   "in[row * columns + column]")
                         : Message(english("'{0}' is not expected here"), text()[at_]));
        if (fault_) return fail(FaultKind::Syntax, std::move(*fault_));
        return std::move(tree_);
    }

private:
    std::string_view text() const { return tree_.text; }

    // in[row][column]
    bool isSecondIndex() const {
        const std::size_t before = text().find_last_not_of(' ', at_ == 0 ? 0 : at_ - 1);
        return at_ > 0 && text()[at_] == '[' && before != std::string_view::npos && text()[before] == ']';
    }
    u32 choice() {
        if (++depth_ > kDeepest) return complain(english("the expression is nested too deeply"));
        u32 value = disjunction();
        if (take("?")) {
            const u32 ifTrue = choice();
            if (!take(":")) return complain(english("':' is expected"));
            const u32 ifFalse = choice();
            value = make({.kind = Node::Kind::Choice, .a = value, .b = ifTrue, .c = ifFalse});
        }
        --depth_;
        return value;
    }
    u32 disjunction() {
        u32 value = conjunction();
        while (take("||"))
            value = make({.kind = Node::Kind::Or, .a = value, .b = conjunction()});
        return value;
    }
    u32 conjunction() {
        u32 value = binary(0);
        while (take("&&"))
            value = make({.kind = Node::Kind::And, .a = value, .b = binary(0)});
        return value;
    }
    u32 binary(std::size_t level) {
        if (level == operatorLevels().size()) return unary();
        u32 value = binary(level + 1);
        for (const Operator* op = takeOperator(level); op; op = takeOperator(level)) {
            const u32 column = here();
            value = make({.kind = Node::Kind::Operation,
                          .column = column,
                          .a = value,
                          .b = binary(level + 1),
                          .operation = op});
        }
        return value;
    }
    u32 unary() {
        if (++depth_ > kDeepest) return complain(english("the expression is nested too deeply"));
        u32 value = 0;
        if (take("-")) {
            const u32 column = here(), zero = make({});
            value = make({.kind = Node::Kind::Operation,
                          .column = column,
                          .a = zero,
                          .b = unary(),
                          .operation = &minusOperator()});
        } else if (take("!")) {
            value = make({.kind = Node::Kind::Not, .a = unary()});
        } else {
            value = primary();
        }
        --depth_;
        return value;
    }
    u32 primary() {
        if (take("(")) {
            const u32 value = choice();
            if (!take(")")) return complain(english("')' is expected"));
            return value;
        }
        skipBlanks();
        if (at_ < text().size() && isDigit(text()[at_])) return number();
        if (at_ < text().size() && isNameStart(text()[at_])) return name();
        return complain(at_ < text().size() ? Message(english("'{0}' is not expected here"), text()[at_])
                                            : Message(english("a number or a parameter is expected")));
    }
    u32 number() {
        s64 value = 0;
        const auto [end, error] = std::from_chars(text().data() + at_, text().data() + text().size(), value);
        if (error != std::errc{}) return complain(english("this number is too large"));
        at_ = std::size_t(end - text().data());
        return make({.number = value});
    }
    std::string word() {
        const std::size_t start = at_;
        while (at_ < text().size() && (isNameStart(text()[at_]) || isDigit(text()[at_])))
            ++at_;
        return std::string(text().substr(start, at_ - start));
    }
    u32 name() {
        const std::string read = word();
        const u32 column = here();
        if (take("(")) return read == kSum && elements_ == Elements::Allowed ? sum() : call(read);
        if (elements_ == Elements::Allowed && take("[")) {
            const u32 index = choice();
            if (!take("]")) return complain(english("']' is expected"));
            return make(
                {.kind = Node::Kind::Element, .column = column, .a = index, .index = indexOfName(read)});
        }
        const auto counter = std::ranges::find(counters_, read);
        if (counter != counters_.end())
            return make(
                {.kind = Node::Kind::Variable, .index = kFirstSumSlot + u32(counter - counters_.begin())});
        return make({.kind = Node::Kind::Name, .column = column, .index = indexOfName(read)});
    }
    u32 indexOfName(const std::string& name) {
        const auto found = std::ranges::find(tree_.names, name);
        if (found != tree_.names.end()) return u32(found - tree_.names.begin());
        tree_.names.push_back(name);
        return u32(tree_.names.size() - 1);
    }
    u32 call(const std::string& read) {
        const u32 column = here();
        const auto function = std::ranges::find(functions(), read, &Operator::sign);
        if (function == functions().end())
            return complain(Message(
                english("there is no function '{0}'; there are ceil_div, min and max{1}"), read,
                elements_ == Elements::Allowed ? Message(english(", and sum(k, count, term)")) : Message()));
        const u32 first = choice();
        if (!take(",")) return complain(Message(english("',' is expected: {0} takes two numbers"), read));
        const u32 second = choice();
        if (take(",")) return complain(Message(english("{0} takes two numbers"), read));
        if (!take(")")) return complain(english("')' is expected"));
        return make({.kind = Node::Kind::Operation,
                     .column = column,
                     .a = first,
                     .b = second,
                     .operation = &*function});
    }
    u32 sum() {
        skipBlanks();
        const std::string counter = at_ < text().size() && isNameStart(text()[at_]) ? word() : "";
        if (counter.empty() || isReservedWord(counter) ||
            std::ranges::find(counters_, counter) != counters_.end())
            return complain(english("sum(k, count, term) begins with a name of its own, such as k"));
        if (counters_.size() == kMostSums) return complain(english("the sums are nested too deeply"));
        if (!take(",")) return complain(english("',' is expected: sum(k, count, term)"));
        const u32 column = here(), count = choice();
        if (!take(",")) return complain(english("',' is expected: sum(k, count, term)"));
        const u32 slot = kFirstSumSlot + u32(counters_.size());
        counters_.push_back(counter);
        const u32 term = choice();
        counters_.pop_back();
        if (!take(")")) return complain(english("')' is expected"));
        return make({.kind = Node::Kind::Sum, .column = column, .a = count, .b = term, .index = slot});
    }

    u32 make(Node node) {
        if (tree_.nodes.size() == kMostNodes) return complain(english("the expression is too long"));
        tree_.nodes.push_back(node);
        return u32(tree_.nodes.size() - 1);
    }
    u32 here() const { return u32(at_ + 1); }
    const Operator* takeOperator(std::size_t level) {
        for (const Operator& op : operatorLevels()[level])
            if (take(op.sign)) return &op;
        return nullptr;
    }
    bool take(std::string_view sign) {
        skipBlanks();
        if (fault_ || !text().substr(at_).starts_with(sign)) return false;
        at_ += sign.size();
        return true;
    }
    void skipBlanks() {
        while (at_ < text().size() && (text()[at_] == ' ' || text()[at_] == '\t' || text()[at_] == '\n'))
            ++at_;
    }
    u32 complain(const Message& what) {
        if (!fault_) fault_ = withPlace(what, tree_, here());
        at_ = text().size();
        return 0;
    }

    ExpressionTree tree_;
    Elements elements_;
    std::vector<std::string> counters_;  // of the sums around this place
    std::size_t at_ = 0;
    int depth_ = 0;
    std::optional<Message> fault_;
};

}  // namespace

Expected<ExpressionTree> parseExpression(std::string_view text, Elements elements) {
    return Parser(text, elements).parse();
}

bool isVariable(std::string_view word) { return std::ranges::find(kVariables, word) != kVariables.end(); }

bool isReservedWord(std::string_view word) {
    return word == kSum || isVariable(word) ||
           std::ranges::find(functions(), word, &Operator::sign) != functions().end();
}

Message withPlace(const Message& what, const ExpressionTree& tree, u32 column) {
    return Message(english("{0} (column {1} of '{2}')"), what, column, tree.text);
}

Expected<void> bindNames(ExpressionTree& tree,
                         const std::function<std::optional<Meaning>(std::string_view)>& meaningOf,
                         std::span<const NamedType> buffers) {
    const auto wrong = [&](const Node& node, const Message& what) {
        return fail(FaultKind::Syntax, withPlace(what, tree, node.column));
    };
    for (Node& node : tree.nodes) {  // operands come before their users
        const auto real = [&](u32 operand) { return tree.nodes[operand].isReal; };
        if (node.kind == Node::Kind::Name) {
            const std::optional<Meaning> meaning = meaningOf(tree.names[node.index]);
            if (!meaning) continue;
            node.kind = meaning->kind == Meaning::Kind::Number ? Node::Kind::Number : Node::Kind::Variable;
            node.number = meaning->number;
            node.index = u32(meaning->number);
        } else if (node.kind == Node::Kind::Element) {
            const std::string& name = tree.names[node.index];
            const auto buffer = std::ranges::find(buffers, name, &NamedType::name);
            if (buffer == buffers.end()) {
                std::vector<std::string> known;
                for (const NamedType& row : buffers)
                    known.emplace_back(row.name);
                return wrong(node,
                             Message(english("there is no buffer '{0}'{1}"), name, didYouMean(name, known)));
            }
            if (real(node.a)) return wrong(node, english("an index is a whole number"));
            node.index = u32(buffer - buffers.begin());
            node.isReal = isReal(buffer->type);
        } else if (node.kind == Node::Kind::Operation) {
            const bool isOfReals = real(node.a) || real(node.b);
            if (isOfReals && !node.operation->real)
                return wrong(node, Message(english("{0} takes whole numbers, and one of these is real"),
                                           node.operation->sign));
            node.isReal = isOfReals && !node.operation->isComparison;
        } else if (node.kind == Node::Kind::Choice) {
            node.isReal = real(node.b) || real(node.c);
        } else if (node.kind == Node::Kind::Sum) {
            if (real(node.a)) return wrong(node, english("the count of a sum is a whole number"));
            node.isReal = real(node.b);
        }
    }
    return {};
}

}  // namespace lockstep::catalog
