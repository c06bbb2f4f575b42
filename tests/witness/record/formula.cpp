#include "witness/record/formula.h"

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string>

namespace lockstep::witness {
namespace {

class Formula {
public:
    Formula(std::string_view text, const Named& named) : text_(text), named_(named) {}
    f64 value() { return sum(); }

private:
    void skip() {
        while (!text_.empty() && text_[0] == ' ')
            text_.remove_prefix(1);
    }
    bool take(char c) {
        skip();
        if (text_.empty() || text_[0] != c) return false;
        return text_.remove_prefix(1), true;
    }
    f64 sum() {
        f64 value = product();
        while (true)
            if (take('+'))
                value += product();
            else if (take('-'))
                value -= product();
            else
                return value;
    }
    f64 product() {
        f64 value = one();
        while (true)
            if (take('*'))
                value *= one();
            else if (take('/'))
                value /= one();
            else
                return value;
    }
    f64 one() {
        if (take('(')) {
            const f64 value = sum();
            take(')');
            return value;
        }
        skip();
        std::size_t n = 0;
        while (n < text_.size() && (std::isalnum(u8(text_[n])) || text_[n] == '_' || text_[n] == '.'))
            ++n;
        const std::string word(text_.substr(0, n));
        text_.remove_prefix(n);
        if (word.empty()) return text_ = {}, NAN;
        if (std::isdigit(u8(word[0]))) return std::strtod(word.c_str(), nullptr);
        if (word == "log2") return std::log2(one());
        if (word == "round") return std::round(one());
        std::string_view variant;
        if (!text_.empty() && text_[0] == '[') {
            const std::size_t end = std::min(text_.find(']'), text_.size() - 1);
            variant = text_.substr(1, end - 1);
            text_.remove_prefix(end + 1);
        }
        return named_(word, variant);
    }
    std::string_view text_;
    const Named& named_;
};

}  // namespace

f64 formulaValue(std::string_view text, const Named& named) { return Formula(text, named).value(); }

}  // namespace lockstep::witness
