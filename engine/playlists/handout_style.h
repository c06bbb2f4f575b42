// How a handout looks on a screen and on paper. No script: a picture is chosen and an answer opened by the
// controls that HTML has, so that it works wherever a page does.
#pragma once

#include <string_view>

namespace lockstep::playlists {

inline constexpr std::string_view kHandoutStyle = R"(
* { box-sizing: border-box; }
body { margin: 0; background: #fff; color: #1b2230; font: 16px/1.55 Inter, "Noto Sans CJK SC", "PingFang SC",
       "Microsoft YaHei", sans-serif; }
main { display: flex; flex-direction: column; max-width: 56rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .6rem; }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 2.4rem 0 .4rem; }
h3 { font-size: 1.05rem; margin: 1.2rem 0 .3rem; }
p, ul, pre { margin: .5rem 0; }
code, pre { font: .92em/1.45 "JetBrains Mono", Consolas, monospace; }
pre { background: #f3f5f8; padding: .7rem .9rem; overflow-x: auto; }
.about, figcaption { color: #56606f; font-size: .85rem; }
figcaption { overflow-wrap: anywhere; }
figure { margin: 1rem 0; }
a { color: #1d57b0; }
table { border-collapse: collapse; margin: .6rem 0; display: block; overflow-x: auto; }
th, td { border: 1px solid #c4ccd8; padding: .25rem .6rem; text-align: left; vertical-align: top; }
th { background: #f3f5f8; }
svg { display: block; width: 100%; height: auto; border: 1px solid #dfe3e9; }
.question { border-left: 4px solid #2f6fd0; padding: .1rem 0 .1rem 1rem; margin: 1rem 0; }
.answer { border-left: 4px solid #2c8a57; padding: .1rem 0 .1rem 1rem; }
.paper { display: none; }
.toggle, .pick { position: absolute; opacity: 0; width: 1px; height: 1px; }
label { cursor: pointer; color: #1d57b0; font-weight: 600; }
.reply > label, .buttons label, .buttons .off { display: inline-block; border: 1px solid #c4ccd8; border-radius: 6px;
       padding: .25rem .8rem; }
.toggle:focus-visible + label, .pick:focus-visible + figure { outline: 3px solid #2f6fd0; outline-offset: 2px; }
.off { color: #a3abb8; }
.buttons { display: flex; gap: .8rem; align-items: center; margin: .4rem 0; }
.reply { margin-top: .6rem; }
@media screen {
  .toggle:not(:checked) ~ .answer { display: none; }
  .pick + figure { display: none; }
  .pick:checked + figure { display: block; }
}
@media print {
  @page { margin: 16mm 14mm; }
  body { font-size: 10.5pt; }
  main { max-width: none; padding: 0; }
  .toggle, .pick, .reply > label, .buttons { display: none; }
  .paper { display: block; }
  .answers { order: 1; break-before: page; }
  .reply { order: 2; margin: 0; }
  h2, h3 { break-after: avoid; }
  figure, .question { break-inside: avoid; }
  svg { max-height: 115mm; }
}
)";

}  // namespace lockstep::playlists
