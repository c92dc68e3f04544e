import { describe, expect, it } from "vitest";
import { defaultsFor, readDefaults } from "../../../src/check/document/sources.js";
import { readTag } from "../../../src/check/document/written-tag.js";
import { contrast } from "../../../src/check/rules/structure/contrast.js";
import { useFindings } from "../findings.js";

const { findings } = useFindings([contrast]);

function mjml(defaults: string, text: string): string {
  return `<mjml><mj-head><mj-attributes>
${defaults}
</mj-attributes></mj-head><mj-body background-color="#ffffff"><mj-section><mj-column>
${text}
</mj-column></mj-section></mj-body></mjml>`;
}

describe("MJML defaults", () => {
  it.each([
    ['<mj-text color="#dddddd" />', "<mj-text>a</mj-text>", "x.mjml:2:10"],
    ['<mj-all color="#dddddd" />', "<mj-text>a</mj-text>", "x.mjml:2:9"],
    [
      '<mj-text color="#000000" />\n<mj-class name="pale" color="#dddddd" />',
      '<mj-text mj-class="pale">a</mj-text>',
      "x.mjml:3:23",
    ],
    ['<mj-text color="#000000" />', '<mj-text color="#dddddd">a</mj-text>', "x.mjml:4:10"],
  ])("are the position of a finding that %s causes", async (defaults, text, place) => {
    expect(await findings({ "x.mjml": mjml(defaults, text) })).toEqual([`contrast warning ${place}`]);
  });

  it("apply in order of priority", () => {
    const text =
      '<mj-attributes><mj-all /><mj-text /><mj-class name="a" /><mj-class name="b" /></mj-attributes><mj-text />';
    const all = readDefaults(new Map([["/a.mjml", text]]));
    const of = (written: string) => {
      const tag = readTag(written, 0);
      return tag && defaultsFor(all, tag).map((each) => each.of);
    };
    expect(of('<mj-text mj-class="a b">')).toEqual([".b", ".a", "mj-text", "mj-all"]);
    expect(of("<mj-button>")).toEqual(["mj-all"]);
  });
});
