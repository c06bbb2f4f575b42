#include "run/recordings/recording_heads.h"

#include "run/gpu/driver_text.h"
#include "run/recordings/recordings.h"

#include <nlohmann/json.hpp>

#include <array>

namespace lockstep::run {
namespace {

using Json = nlohmann::json;

// Parses the text, keeping only the strings of the outermost object and the number of objects in its "runs".
class HeadReader final : public Json::json_sax_t {
public:
    explicit HeadReader(RecordingHead& head) : head_(head) {}

    bool start_object(std::size_t) override {
        if (depth_ == 2 && key_ == "runs") ++head_.runs;
        ++depth_;
        return true;
    }
    bool end_object() override { return --depth_, true; }
    bool start_array(std::size_t) override { return ++depth_, true; }
    bool end_array() override { return --depth_, true; }
    bool key(string_t& name) override {
        if (depth_ == 1) key_ = name;
        return true;
    }
    bool string(string_t& value) override {
        const std::array<std::pair<std::string_view, std::string*>, 6> kTexts{
            {{"format", &format_},
             {"device", &head_.device},
             {"driver", &head_.driver},
             {"driver_release", &release_},
             {"compute_capability", &head_.computeCapability},
             {"date", &head_.date}}};
        for (const auto& [name, text] : kTexts)
            if (depth_ == 1 && key_ == name) *text = value;
        return true;
    }
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool parse_error(std::size_t, const std::string&, const Json::exception&) override { return false; }

    bool isRecording() const { return format_ == kRecordingFormat; }
    const std::string& release() const { return release_; }

private:
    RecordingHead& head_;
    std::string key_, format_, release_;
    u32 depth_ = 0;
};

}  // namespace

Expected<RecordingHead> parseRecordingHead(const std::string& text, const std::string& file) {
    RecordingHead head;
    head.name = std::filesystem::path(file).stem().string();
    HeadReader reader(head);
    if (!Json::sax_parse(text, &reader) || !reader.isRecording())
        return fail(FaultKind::Damaged,
                    english("is no recording; give a file that lockstep record has written"), {.file = file});
    head.driver = driverText({head.driver, reader.release()});
    return head;
}

Expected<std::vector<RecordingHead>> shippedRecordingHeads(const Resources& resources) {
    std::vector<RecordingHead> heads;
    for (const std::filesystem::path& file : shippedRecordingFiles(resources)) {
        const Expected<std::string> text = textOfRecording(file);
        if (!text) return Unexpected{text.error()};
        Expected<RecordingHead> head = parseRecordingHead(*text, file.string());
        if (!head) return Unexpected{head.error()};
        heads.push_back(std::move(*head));
    }
    return heads;
}

}  // namespace lockstep::run
