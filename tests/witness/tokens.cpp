#include "witness/tokens.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace lockstep::witness {
namespace {

struct Noun {
    std::string_view written, noun;
};
// Longest first where one begins with another. English words may have an "s" or "es" more.
constexpr std::array kEnglish{
    Noun{"wavefront", "wavefront"},
    Noun{"pass", "wavefront"},
    Noun{"sector", "sector"},
    Noun{"transaction", "transaction"},
    Noun{"request", "request"},
    Noun{"lane", "lane"},
    Noun{"inactive", "lane"},  // "4 bytes per lane · 15 inactive"
    Noun{"half-warp", "half-warp"},
    Noun{"warp instruction", "instruction"},
    Noun{"warp divergence", "divergence"},
    Noun{"warp", "warp"},
    Noun{"block", "block"},
    Noun{"thread", "thread"},
    Noun{"step", "step"},
    Noun{"line", "line"},
    Noun{"phase", "phase"},
    Noun{"barrier interval", "phase"},
    Noun{"round", "round"},
    Noun{"tile", "tile"},
    Noun{"bank", "bank"},
    Noun{"word", "word"},
    Noun{"bytes", "byte"},
    Noun{"byte", "byte"},
    Noun{"instruction", "instruction"},
    Noun{"execution", "execution"},
    Noun{"access", "access"},
    Noun{"element", "element"},
    Noun{"row", "row"},
    Noun{"column", "column"},
    Noun{"register", "register"},
    Noun{"group", "group"},
    Noun{"branch", "branch"},
    Noun{"divergence", "divergence"},
    Noun{"finding", "finding"},
    Noun{"problem", "problem"},
    Noun{"warning", "warning"},
    Noun{"place", "place"},
    Noun{"variant", "variant"},
    Noun{"wave", "wave"},
    Noun{"measurement", "measurement"},
    Noun{"product", "product"},
    Noun{"neighbor", "neighbor"},
    Noun{"launch", "launch"},
    Noun{"times", "times"},
    Noun{"operation", "operation"},
    Noun{"-way", "way"},
    Noun{"way", "way"},
    Noun{"ms", "ms"},
    Noun{"µs", "us"},
    Noun{"ns", "ns"},
    Noun{"GB/s", "GB/s"},
    Noun{"TB/s", "TB/s"},
    Noun{"GFLOP/s", "GFLOP/s"},
    Noun{"TFLOP/s", "TFLOP/s"},
    Noun{"KiB", "KiB"},
    Noun{"MiB", "MiB"},
    Noun{"KB", "KB"},
    Noun{"MB", "MB"},
    Noun{"GB", "GB"},
    Noun{"B", "byte"},
    Noun{"%", "%"},
    Noun{"×", "times"},
    Noun{"MHz", "MHz"},
};
// Words that may stand between a number and its noun.
constexpr std::array<std::string_view, 16> kBetween{
    "different ", "global ", "shared ", "active ",   "more ", "of the ", "other ", "distinct ",
    "divergent ", "of its ", "warp ",   "resident ", "of ",   "memory ", "idle ",  "inactive "};
constexpr std::array kChineseAfter{
    Noun{"个波前", "wavefront"},
    Noun{"趟", "wavefront"},
    Noun{"个非活动通道", "lane"},
    Noun{"个活动通道", "lane"},
    Noun{"个扇区", "sector"},
    Noun{"次扇区访问", "sector"},
    Noun{"次事务", "transaction"},
    Noun{"个事务", "transaction"},
    Noun{"处问题", "problem"},
    Noun{"条提示", "warning"},
    Noun{"个请求", "request"},
    Noun{"次请求", "request"},
    Noun{"个通道", "lane"},
    Noun{"个线程束", "warp"},
    Noun{"个线程块", "block"},
    Noun{"个线程", "thread"},
    Noun{"线程", "thread"},
    Noun{"步", "step"},
    Noun{"行", "line"},
    Noun{"轮", "round"},
    Noun{"个不同的存储体", "bank"},
    Noun{"个存储体", "bank"},
    Noun{"个字节", "byte"},
    Noun{"个字", "word"},
    Noun{"字节", "byte"},
    Noun{"条指令", "instruction"},
    Noun{"条线程束指令", "instruction"},
    Noun{"次执行", "execution"},
    Noun{"次访问", "access"},
    Noun{"个元素", "element"},
    Noun{"列", "column"},
    Noun{"个寄存器", "register"},
    Noun{"组通道", "group"},
    Noun{"组", "group"},
    Noun{"对分块", "tile"},
    Noun{"对", "tile"},  // "第 1 对分块相乘，装载第 2 对"
    Noun{"次分化", "divergence"},
    Noun{"处于", ""},  // "线程 3 处于非活动状态" counts nothing
    Noun{"处", "finding"},
    Noun{"个位置", "place"},
    Noun{"个版本", "variant"},
    Noun{"波", "wave"},
    Noun{"组测量", "measurement"},
    Noun{"毫秒", "ms"},
    Noun{"微秒", "us"},
    Noun{"纳秒", "ns"},
    Noun{"倍", "times"},
    Noun{"路", "way"},
    Noun{"个乘积", "product"},
    Noun{"个并排", "element"},
    Noun{"次操作", "operation"},
    Noun{"次", "execution"},
    Noun{"个元素", "element"},
    Noun{"个值", "element"},
    Noun{"个做加法", "lane"},
    Noun{"个跳转", "lane"},
    Noun{"个继续", "lane"},
    Noun{"个顺序执行", "lane"},
    Noun{"个处于活动状态", "lane"},
    Noun{"个空闲", "thread"},
};
constexpr std::array kChineseBefore{
    Noun{"半线程束", "half-warp"},  // before the word that it ends in
    Noun{"线程束", "warp"},        Noun{"线程块", "block"}, Noun{"线程", "thread"},  Noun{"通道", "lane"},
    Noun{"存储体", "bank"},        Noun{"阶段", "phase"},   Noun{"分块", "tile"},    Noun{"字", "word"},
    Noun{"指令", "instruction"},   Noun{"字节", "byte"},    Noun{"元素", "element"},
};

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isWordByte(char c) { return isLetter(c) || isDigit(c); }
std::string_view trimmed(std::string_view text) {
    while (text.starts_with(' '))
        text.remove_prefix(1);
    return text;
}
std::string_view trimmedEnd(std::string_view text) {
    while (text.ends_with(' '))
        text.remove_suffix(1);
    return text;
}

// The noun at the beginning of `rest`, of English.
std::string_view englishAfter(std::string_view rest) {
    bool touches = true;
    if (rest.starts_with(' ')) rest.remove_prefix(1), touches = false;
    for (int tries = 0; tries < 3; ++tries) {
        for (const Noun& noun : kEnglish)
            if (rest.starts_with(noun.written)) {
                const bool isUnit = !isLetter(noun.written[0]) || noun.written == "B";
                if (touches && !isUnit && noun.written != "ms" && noun.written != "µs" &&
                    noun.written != "ns")
                    continue;
                std::string_view after = rest.substr(noun.written.size());
                if (!isUnit && after.starts_with("es"))
                    after.remove_prefix(2);
                else if (!isUnit && after.starts_with('s'))
                    after.remove_prefix(1);
                // "8 × 4 bytes" is a product.
                if (noun.written == "×" && after.size() > 1 && after[0] == ' ' && isDigit(after[1])) continue;
                // "Lanes 0, 8 access the same word" counts nothing.
                if (noun.noun == "access" &&
                    (after.starts_with(" the same word") || after.starts_with(" word ")))
                    return {};
                if (after.empty() || !isWordByte(after[0])) return noun.noun;
            }
        const auto between =
            std::ranges::find_if(kBetween, [&](std::string_view word) { return rest.starts_with(word); });
        if (between == kBetween.end()) return {};
        rest.remove_prefix(between->size());
    }
    return {};
}
// The noun at the end of `head`: "bank ", "lanes ", "Warp ".
std::string_view englishBefore(std::string_view head) {
    if (!head.ends_with(' ')) return {};
    head = trimmedEnd(head);
    for (const std::string_view more :
         {std::string_view("(es)"), std::string_view("s"), std::string_view("es"), std::string_view()}) {
        std::string_view stem = head;
        if (!more.empty() && !stem.ends_with(more)) continue;
        stem.remove_suffix(more.size());
        for (const Noun& noun : kEnglish) {
            if (noun.noun == "times" || noun.noun == "%" || noun.noun == "ms") continue;
            if (stem.size() < noun.written.size()) continue;
            std::string_view tail = stem.substr(stem.size() - noun.written.size());
            const bool same = tail.substr(1) == noun.written.substr(1) &&
                              (tail[0] == noun.written[0] || tail[0] + 32 == noun.written[0]);
            if (same && (stem.size() == tail.size() || !isWordByte(stem[stem.size() - tail.size() - 1])))
                return noun.noun;
        }
    }
    return {};
}
std::string_view chineseAfter(std::string_view rest) {
    rest = trimmed(rest);
    for (const Noun& noun : kChineseAfter)
        if (rest.starts_with(noun.written)) return noun.noun;
    return {};
}
std::string_view chineseBefore(std::string_view head) {
    head = trimmedEnd(head);
    for (const Noun& noun : kChineseBefore)
        if (head.ends_with(noun.written)) return noun.noun;
    return {};
}
// What a number counts or names, by the words around it. listed: what it continues, "lanes 0–7, 12 and 14".
void giveNoun(Token& token, std::string_view head, std::string_view rest, const Token* listed) {
    const auto is = [&](Token::Kind kind, std::string_view noun) { token.kind = kind, token.noun = noun; };
    const std::string_view behind = chineseAfter(rest);
    if (trimmedEnd(head).ends_with("第"))  // "第 0 至 3 行"
        return is(Token::Kind::Id, behind.empty() ? "?" : behind);
    if (listed && rest.starts_with(" of its "))  // "lanes 29 and 31 of its warp"
        return is(Token::Kind::Id, listed->noun);
    if (const std::string_view noun = englishBefore(head); !noun.empty() && !listed)
        return is(Token::Kind::Id, noun);
    if (const std::string_view noun = chineseBefore(head); !noun.empty() && behind.empty())
        return is(Token::Kind::Id, noun);
    if (const std::string_view noun = englishAfter(rest); !noun.empty()) return is(Token::Kind::Count, noun);
    if (!behind.empty()) return is(Token::Kind::Count, behind);
    if (listed) is(Token::Kind::Id, listed->noun);
}

// A number at `at`: 1,024  -3.5  1.2e+05  NaN aside. 0 where there is none.
std::size_t numberEnd(std::string_view text, std::size_t at) {
    std::size_t end = at;
    while (end < text.size() && isDigit(text[end]))
        ++end;
    while (end + 3 < text.size() && text[end] == ',' && isDigit(text[end + 1]) && isDigit(text[end + 2]) &&
           isDigit(text[end + 3]) && (end + 4 == text.size() || !isDigit(text[end + 4])) && end - at <= 15 &&
           text[at] != '0')
        end += 4;
    if (end + 1 < text.size() && text[end] == '.' && isDigit(text[end + 1])) {
        ++end;
        while (end < text.size() && isDigit(text[end]))
            ++end;
    }
    if (end + 2 < text.size() && text[end] == 'e' && (text[end + 1] == '+' || text[end + 1] == '-') &&
        isDigit(text[end + 2])) {
        end += 2;
        while (end < text.size() && isDigit(text[end]))
            ++end;
    }
    return end;
}

Token number(std::string_view text, std::size_t begin, std::size_t end) {
    Token token;
    token.begin = begin, token.end = end;
    std::string digits;
    for (char c : text.substr(begin, end - begin))
        if (c != ',') digits += c;
    const bool minus = begin > 0 && text[begin - 1] == '-' && (begin < 2 || !isWordByte(text[begin - 2])) &&
                       (begin < 2 || text[begin - 2] != ')');
    token.value = std::strtod(digits.c_str(), nullptr) * (minus ? -1 : 1);
    if (const std::size_t point = digits.find('.'); point != std::string::npos) {
        const std::size_t exponent = digits.find('e');
        token.decimals = u32((exponent == std::string::npos ? digits.size() : exponent) - point - 1);
    }
    if (const std::size_t exponent = digits.find('e'); exponent != std::string::npos) {
        token.isRounded = true;
        token.scale = std::pow(10.0, std::atoi(digits.c_str() + exponent + 1));
    }
    if (end < text.size() && (end + 1 == text.size() || !isWordByte(text[end + 1]))) {
        constexpr std::array kSuffixes{std::pair{'k', 1e3}, std::pair{'M', 1e6}, std::pair{'G', 1e9},
                                       std::pair{'T', 1e12}};
        for (const auto& [letter, factor] : kSuffixes)
            if (text[end] == letter)
                token.value *= factor, token.scale = factor, token.isRounded = true, ++token.end;
    }
    return token;
}

// "[1][0]", "[128..131]" behind a name.
bool readIndices(std::string_view text, std::size_t& at, Token& token) {
    bool any = false;
    while (at < text.size() && text[at] == '[') {
        std::size_t p = at + 1;
        const auto integer = [&](s64& out) {
            const bool minus = p < text.size() && text[p] == '-';
            std::size_t q = p + (minus ? 1 : 0);
            const std::size_t from = q;
            while (q < text.size() && isDigit(text[q]))
                ++q;
            if (q == from || q - from > 18) return false;
            out = std::strtoll(std::string(text.substr(from, q - from)).c_str(), nullptr, 10) *
                  (minus ? -1 : 1);
            p = q;
            return true;
        };
        s64 index = 0, last = 0;
        if (!integer(index)) return any;
        last = index;
        if (text.substr(p).starts_with("..")) {
            p += 2;
            if (!integer(last)) return any;
        }
        if (p >= text.size() || text[p] != ']') return any;
        token.indices.push_back(index), token.lastIndices.push_back(last);
        at = p + 1;
        any = true;
    }
    return any;
}

// "(1,0)", "(y 1, x 0)", "(x 3, y 1)".
bool readPair(std::string_view text, std::size_t at, Token& token) {
    std::size_t p = at + 1;
    while (true) {
        while (p < text.size() && text[p] == ' ')
            ++p;
        if (p + 1 < text.size() && (text[p] == 'x' || text[p] == 'y' || text[p] == 'z') && text[p + 1] == ' ')
            token.axes += text[p], p += 2;
        const std::size_t from = p;
        while (p < text.size() && isDigit(text[p]))
            ++p;
        if (p == from || p - from > 10) return false;
        token.indices.push_back(std::strtoll(std::string(text.substr(from, p - from)).c_str(), nullptr, 10));
        if (p < text.size() && text[p] == ',') {
            ++p;
            continue;
        }
        break;
    }
    if (p >= text.size() || text[p] != ')' || token.indices.size() < 2) return false;
    token.kind = Token::Kind::Pair;
    token.begin = at, token.end = p + 1;
    return true;
}

}  // namespace

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

// Times are compared in one unit, whichever they are written in.
void inMilliseconds(Token& token) {
    const f64 unit = token.noun == "us" ? 1e-3 : token.noun == "ns" ? 1e-6 : 1;
    if (unit == 1) return;
    token.value *= unit, token.scale *= unit, token.noun = "ms";
}

std::vector<Token> tokensOf(std::string_view text) {
    std::vector<Token> tokens;
    std::size_t at = 0;
    while (at < text.size()) {
        const char c = text[at];
        if (isLetter(c) || (u8(c) >= 0x80)) {
            if (u8(c) >= 0x80) {
                ++at;
                continue;
            }
            const std::size_t from = at;
            while (at < text.size() && (isWordByte(text[at]) || text[at] == '.')) {
                if (text[at] == '.' && (at + 1 >= text.size() || !isLetter(text[at + 1]))) break;
                ++at;
            }
            Token token;
            token.name = std::string(text.substr(from, at - from));
            std::size_t end = at;
            // "thread x 3": one axis.
            if (const bool isAxis = token.name == "x" || token.name == "y" || token.name == "z";
                isAxis && end + 1 < text.size() && text[end] == ' ' && isDigit(text[end + 1])) {
                std::string_view noun = englishBefore(text.substr(0, from));
                if (noun.empty()) noun = chineseBefore(text.substr(0, from));
                if (noun.empty() && !tokens.empty() && tokens.back().kind == Token::Kind::Pair)
                    noun = tokens.back().noun;
                if (!noun.empty()) {
                    std::size_t last = end + 1;
                    while (last < text.size() && isDigit(text[last]))
                        ++last;
                    token.kind = Token::Kind::Pair, token.noun = noun, token.axes = token.name;
                    token.indices = {
                        std::strtoll(std::string(text.substr(end + 1, last - end - 1)).c_str(), nullptr, 10)};
                    token.name.clear(), token.begin = from, token.end = at = last;
                    tokens.push_back(std::move(token));
                    continue;
                }
            }
            if (readIndices(text, end, token)) {
                token.kind = Token::Kind::Element;
                token.begin = from, token.end = at = end;
                tokens.push_back(std::move(token));
            }
            continue;
        }
        if (c == '(') {
            Token token;
            if (readPair(text, at, token)) {
                std::string_view noun = englishBefore(text.substr(0, at));
                if (noun.empty()) noun = chineseBefore(text.substr(0, at));
                token.noun = noun;
                if (noun.empty() && !tokens.empty() && tokens.back().kind == Token::Kind::Pair)
                    token.noun = tokens.back().noun;
                at = token.end;
                tokens.push_back(std::move(token));
                continue;
            }
        }
        if (!isDigit(c)) {
            ++at;
            continue;
        }
        if (c == '0' && at + 1 < text.size() && text[at + 1] == 'x') {
            at += 2;
            while (at < text.size() && isWordByte(text[at]))
                ++at;
            continue;
        }
        const std::size_t end = numberEnd(text, at);
        Token token = number(text, at, end);
        if (token.end < text.size() && isLetter(text[token.end]) &&
            englishAfter(text.substr(token.end)).empty()) {  // "2D", "8x8"
            at = token.end + 1;
            continue;
        }
        const std::string_view head = text.substr(0, token.begin), rest = text.substr(token.end);
        // "lanes 0–7, 12 and 14": what follows the first is as the first.
        const bool inList = !tokens.empty() && tokens.back().kind == Token::Kind::Id && [&] {
            const std::string_view gap = text.substr(tokens.back().end, at - tokens.back().end);
            return gap == "-" || gap == "–" || gap == ", " || gap == " and " || gap == "、" ||
                   gap == " 和 " || gap == " to " || gap == "…" || gap == ", …, " || gap == " … " ||
                   gap == " 到 " || gap == "……" || gap == " 至 ";
        }();
        giveNoun(token, head, rest, inList ? &tokens.back() : nullptr);
        // The noun of a Chinese range stands behind its last number.
        if (inList && !tokens.empty() && tokens.back().noun == "?" && token.noun != "?" &&
            token.kind != Token::Kind::Bare) {
            token.kind = Token::Kind::Id;
            for (auto it = tokens.rbegin(); it != tokens.rend() && it->noun == "?"; ++it)
                it->noun = token.noun;
        }
        at = token.end;
        inMilliseconds(token);
        tokens.push_back(std::move(token));
    }
    return tokens;
}

bool agrees(const Token& token, f64 value) {
    if (std::isnan(value)) return false;
    const f64 step = std::pow(10.0, -f64(token.decimals)) * token.scale;
    const f64 slack = token.decimals > 0 || token.isRounded ? step * 0.5000001 : 1e-9;
    return std::fabs(token.value - value) <= slack + std::fabs(value) * 1e-12;
}

bool rounds(const Token& token, f64 value) {
    if (std::isnan(value)) return false;
    const f64 step = std::pow(10.0, -f64(token.decimals)) * token.scale;
    return std::fabs(token.value - value) <= step * 0.5000001 + std::fabs(value) * 1e-12;
}

std::string withCommas(u64 number) {
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3; at -= 3)
        text.insert(at - 3, ",");
    return text;
}

}  // namespace lockstep::witness
