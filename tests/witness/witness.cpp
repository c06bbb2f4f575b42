// What is known of a trial, and the table of what need not be traced.
#include "witness/witness.h"

#include "base/files/text_file.h"
#include "model/profiles/card_names.h"
#include "witness/readers/compare.h"
#include "witness/readers/playground/playground.h"
#include "witness/readers/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

namespace lockstep::witness {

std::vector<Allowed> readAllowed(const std::string& file) {
    std::vector<Allowed> rows;
    const Expected<std::string> text =
        readTextFile(file, Message::plain("it is the witness's table of what need not be traced"));
    if (!text) return rows;
    for (std::size_t from = 0; from < text->size();) {
        const std::size_t end = std::min(text->find('\n', from), text->size());
        const std::string line = text->substr(from, end - from);
        from = end + 1;
        if (line.empty() || line[0] == '#') continue;
        const std::size_t a = line.find(" | "), b = line.find(" | ", a + 3);
        if (a == std::string::npos || b == std::string::npos) continue;
        rows.push_back({line.substr(0, a), line.substr(a + 3, b - a - 3), line.substr(b + 3)});
    }
    return rows;
}

Witness::Witness(const World& world, const Trial& trial, const run::Run& run, Witness* beside,
                 const std::vector<Allowed>& allowed)
    : world_(world), trial_(trial), run_(run, deviceOf(run.profile)), beside_(beside), allowed_(allowed) {
    for (const auto& [name, source] : run.recording.sources) {
        std::istringstream lines(source);
        for (std::string line; std::getline(lines, line);)
            if (line.erase(0, line.find_first_not_of(" \t")).size() > 4) code_.push_back(line);
    }
    if (beside) code_.insert(code_.end(), beside->code_.begin(), beside->code_.end());
    std::ranges::sort(code_, std::ranges::greater{},
                      &std::string::size);  // a line may begin as another one is
    for (const catalog::Family& family : world.catalog.families()) {
        for (const Language language : {Language::English, Language::Chinese}) {
            names_.push_back(family.title.in(language));
            for (const catalog::Variant& variant : family.variants)
                names_.push_back(variant.title.in(language));
            if (!family.publishedOn.en.empty()) names_.push_back(family.publishedOn.in(language));
        }
    }
    for (const run::RecordedMachine& machine : world.machines) {
        const run::HardwareRecording& recording = machine.recording;
        for (const std::string* name : {&recording.device, &recording.driver, &recording.date})
            names_.push_back(*name);
        if (const std::size_t release = recording.driver.find(" ("); release != std::string::npos) {
            const std::string cuda = recording.driver.substr(0, release),
                              own =
                                  recording.driver.substr(release + 2, recording.driver.size() - release - 3);
            names_.push_back(fmt::format("{}, driver {}", cuda, own));
            names_.push_back(fmt::format("{}，驱动 {}", cuda, own));
        }
    }
    for (const model::Profile& profile : model::profiles()) {
        names_.push_back(profile.name);
        names_.push_back(profile.card);
        for (const std::string& card : model::cardsOf(profile))
            names_.push_back(card);
        const std::string number = std::to_string(profile.major) + "." + std::to_string(profile.minor);
        for (const char* before : {"capability ", "计算能力 ", "cc "})
            names_.push_back(before + number);
    }
    for (const char* name : {"L1", "L2", "cc 1.0", "G80", "H200", "sm_90"})
        names_.emplace_back(name);
    std::erase_if(names_, [](const std::string& name) {
        return name.find_first_of("0123456789") == std::string::npos;
    });
    std::ranges::sort(names_, [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
}
Witness::~Witness() = default;

std::string Witness::withoutCode(std::string text) const {
    for (const std::string& line : code_)
        if (const std::size_t at = text.find(line); at != std::string::npos) text.erase(at, line.size());
    // "line 21: sum += sums[b]": the end of a line is quoted, too.
    constexpr std::string_view kColon = "：";
    if (const std::size_t at = text.rfind(kColon); at != std::string::npos) {
        const std::string quote = text.substr(at + kColon.size());
        if (quote.size() > 4 && std::ranges::any_of(code_, [&](const std::string& line) {
                return line.find(quote) != std::string::npos;
            }))
            text.erase(at);
    }
    // "判断 warp == 0": a part of a line with an operator in it, between Chinese words.
    const auto isAscii = [](char c) { return u8(c) < 0x80; };
    for (auto begin = text.begin(); begin != text.end();) {
        begin = std::find_if(begin, text.end(), isAscii);
        const auto end = std::find_if_not(begin, text.end(), isAscii);
        std::string piece(begin, end);
        while (piece.ends_with(' '))
            piece.pop_back();
        piece.erase(0, piece.find_first_not_of(' '));
        const bool isCode = end != text.end() && piece.find_first_of("=<>%*+-&|[") != std::string::npos &&
                            std::ranges::any_of(code_, [&](const std::string& line) {
                                return line.find(piece) != std::string::npos;
                            });
        begin = isCode ? text.erase(begin, end) : end;
    }
    return text;
}

std::string Witness::withoutParameters(std::string text) const {
    // "block 128, sectors = 65536": a name before its value, or in a list of names.
    for (const catalog::Parameter& parameter : trial_.family->parameters)
        for (std::size_t at = 0; (at = text.find(parameter.name, at)) != std::string::npos;) {
            const std::size_t end = at + parameter.name.size();
            const bool hasValue = text.compare(end, 3, " = ") == 0 ||
                                  (end + 1 < text.size() && text[end] == ' ' && isdigit(u8(text[end + 1])));
            const bool isWord = at == 0 || !isalnum(u8(text[at - 1]));
            // "以 sectors 为横轴": between Chinese words a name of Latin letters.
            const bool isAmongChinese = at > 1 && text[at - 1] == ' ' && u8(text[at - 2]) >= 0x80 &&
                                        end + 1 < text.size() && text[end] == ' ' &&
                                        u8(text[end + 1]) >= 0x80;
            // "sectors（扇区）", "sectors：对数"
            const bool isExplained = text.compare(end, 3, "（") == 0 || text.compare(end, 3, "：") == 0;
            if (isWord &&
                (hasValue || isExplained || isAmongChinese || end == text.size() || text[end] == ','))
                text.erase(at, parameter.name.size());
            else
                at = end;
        }
    return text;
}

BlockFacts& Witness::block(LaunchId launch, Dim3 at) {
    auto& known = blocks_[{launch.value, u64{at.z} << 42 | u64{at.y} << 21 | at.x}];
    if (!known) known = std::make_unique<BlockFacts>(run_, *run_.run().recording.trace.find(launch, at));
    return *known;
}

const Amounts& Witness::amounts() {
    if (!amounts_) amounts_ = amountsOf(run_);
    return *amounts_;
}

void Witness::readWords(const Picture& picture) {
    static const std::vector<Unsaid> vocabulary =
        readVocabulary(LOCKSTEP_SOURCE_DIR "/tests/witness/vocabulary.txt");
    for (const Said& said : picture.texts) {
        const bool isCode = said.face == viz::Face::Mono || said.face == viz::Face::MonoBold;
        if ((isCode && !said.isHover) || picture.view == "source" ||
            !worded_.insert(std::string(rowOf(picture.language).code) + said.text).second)
            continue;
        if (const Unsaid* wrong =
                wrongWordIn(vocabulary, picture.language, withoutParameters(withoutCode(said.text))))
            failures.push_back({nameOfTrial(), picture.view, said.text, wrong->never,
                                "the program says " + wrong->say, picture.language, picture.cursor});
    }
}

void Witness::look(const Picture& picture) {
    readWords(picture);
    if (picture.play)
        PlaygroundReader(*this, picture).look();
    else if (picture.comparedCursor && beside_)
        CompareReader(*this, *beside_, picture).look();
    else
        Reader(*this, picture).look();
}

}  // namespace lockstep::witness
