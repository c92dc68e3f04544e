import { describe, expect, it } from "vitest";
import {
  featureRows,
  followElement,
  isChecked,
  filterProblems,
  imageUrl,
  tabsOf,
  withFormerFindings,
} from "../../../../preview/panels/report.js";
import { countsInWords, countsOf, sumOf, toneOf } from "../../../../preview/state/counts.js";
import { CAN_NOTHING } from "../../../../src/preview/server/workspace/project-state.js";
import type { ClientFeature, ElementPlace, Problem, TemplateReport } from "../../../../src/preview/contract.js";

describe("matching", () => {
  const problems: Problem[] = [
    {
      rule: "image-alt",
      severity: "warning",
      message: "The image has no alt text.",
      at: { file: "a/hi.mjml", line: 1 },
    },
    { rule: "contrast", severity: "error", message: "Too little.", hint: "Make it darker." },
  ];
  it.each([
    ["", 2],
    ["  ALT   text ", 1],
    ["hi.mjml warning", 1],
    ["darker", 1],
    ["alt darker", 0],
  ])("finds problems that contain every word: %j", (filter, count) => {
    expect(filterProblems(problems, filter)).toHaveLength(count);
  });
});

describe("followed", () => {
  const at = (line: number, column = 1, file = "a.html"): ElementPlace => ({ offset: 0, file, line, column });
  it.each([
    ["keeps the number if nothing moved", 1, [at(1), at(2)], [at(1), at(2)], 1],
    ["follows elements added before it", 1, [at(1), at(2)], [at(1), at(2), at(3)], 1],
    ["follows the line if other elements of the file moved", 2, [at(1), at(2), at(5)], [at(1), at(5)], 1],
    [
      "follows the number of added elements if its line moved too",
      2,
      [at(1), at(2), at(3)],
      [at(1), at(2), at(4), at(6)],
      3,
    ],
    ["distinguishes elements repeated by one line", 2, [at(1), at(4), at(4)], [at(1), at(2), at(4), at(4)], 3],
    ["is lost with its file", 1, [at(1), at(2, 1, "b.html")], [at(1)], undefined],
  ])("%s", (_, place, before, after, expected) => {
    expect(followElement(place, before, after)).toBe(expected);
  });
});

describe("shownAddress", () => {
  const allowed = { assetsBase: "https://cdn.shop.com/a", remoteImages: false };
  it.each([
    ["https://cdn.shop.com/a/logo.png", "assets/logo.png"],
    ["assets/logo.png", "assets/logo.png"],
    ["data:image/png;base64,AA", "data:image/png;base64,AA"],
    ["https://other.com/x.png", undefined],
    ["/static/logo.png", undefined],
    ["logo.png", undefined],
    ["//other.com/x.png", undefined],
    ["cid:logo", undefined],
    ["data:text/html,x", undefined],
    ["https://cdn.shop.com/a/{{picture}}", undefined],
    ["", undefined],
  ])("%s", (src, expected) => {
    expect(imageUrl(src, allowed)).toBe(expected);
  });

  it("returns images of other hosts if they are turned on", () => {
    expect(imageUrl("https://other.com/x.png", { ...allowed, remoteImages: true })).toBe("https://other.com/x.png");
  });
});

describe("featureRows", () => {
  const feature = (name: string, support: ClientFeature["support"], loss: ClientFeature["loss"]): ClientFeature => ({
    name,
    support,
    loss,
    page: `https://www.caniemail.com/features/${name}/`,
  });

  it("groups features by what is lost, with the least supported first", () => {
    const groups = featureRows([
      { id: "A", name: "A", features: [feature("grid", "partial", "content"), feature("radius", "none", "extra")] },
      { id: "B", name: "B", features: [feature("flex", "none", "content")] },
      { id: "C", name: "C", features: [feature("flex", "unknown", "content")] },
    ]);
    expect(groups.map(({ loss, features }) => [loss, ...features.map(({ name }) => name)])).toEqual([
      ["content", "flex", "grid"],
      ["extra", "radius"],
    ]);
    expect([...(groups[0]?.features[0]?.byClient.keys() ?? [])]).toEqual(["B", "C"]);
  });
});

const report: TemplateReport = {
  name: "hi",
  revision: 1,
  isPartial: false,
  isBroken: false,
  problems: [],
  places: [],
  links: [],
  images: [],
  clients: { date: "2026-01-01", clients: [] },
  sizes: [],
  variables: [],
  computed: [],
};

describe("findings of the last check", () => {
  const warning = { rule: "a", severity: "warning", message: "a" } as const;
  const checked = { ...report, problems: [{ ...warning, place: 3 }] };

  it("stay while the next check is running, without their places in the previous HTML", () => {
    expect(withFormerFindings({ ...report, isPartial: true }, checked).problems).toEqual([warning]);
    expect(withFormerFindings(report, checked).problems).toEqual([]);
  });

  it("do not include compile errors", () => {
    expect([checked, { ...report, isBroken: true }, { ...report, isPartial: true }].map(isChecked)).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe("counts", () => {
  it("have the colour of what they count: the worst severity first, then the others", () => {
    const note = { rule: "a", severity: "info", message: "a" } as const;
    const warning = { rule: "b", severity: "warning", message: "b" } as const;
    const counts = countsOf([note, warning, note]);
    expect([sumOf(counts), toneOf(counts), countsInWords(counts)]).toEqual([3, "warning", "1 warning, 2 notes"]);
    expect([sumOf(undefined), toneOf({ info: 2 }), toneOf({ error: 1, warning: 4 })]).toEqual([0, "neutral", "error"]);
    const found: TemplateReport = {
      ...report,
      problems: [note, warning],
      links: [{ href: "/", text: "a", problems: [warning] }],
      images: [{ src: "a.png", problems: [note] }],
    };
    expect(
      tabsOf(found, CAN_NOTHING).map((tab) => [
        tab.id,
        ...(tab.found ?? []).map(({ count, tone }) => `${count} ${tone}`),
      ]),
    ).toEqual([
      ["problems", "1 warning", "1 neutral"],
      ["links", "1 neutral", "1 warning"],
      ["images", "1 neutral"],
      ["clients"],
      ["size"],
      ["variables", "0 neutral"],
    ]);
  });
});
