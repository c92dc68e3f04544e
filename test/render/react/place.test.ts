import { describe, expect, test } from "vitest";
import { completeVariables } from "../../../src/mustache/complete.js";
import { evaluator } from "../../../src/mustache/expression/evaluate.js";
import { renderMustache } from "../../../src/mustache/fill.js";
import { compiledOf, useProjects } from "../project.js";

const projects = useProjects();

const PLACES = [
  { locale: "en-US", timeZone: "UTC" },
  { locale: "de-DE", timeZone: "Asia/Tokyo" },
  { locale: "ar-EG", timeZone: "America/New_York" },
];

/** Expressions of constants, each with what a mailer in a place prints. */
const CASES: Readonly<Record<string, (locale: string, timeZone: string) => string>> = {
  "(1234.5).toLocaleString()": (locale) => (1234.5).toLocaleString(locale),
  '(0.25).toLocaleString(undefined, { style: "percent" })': (locale) =>
    (0.25).toLocaleString(locale, { style: "percent" }),
  "new Intl.NumberFormat().format(1234.5)": (locale) => (1234.5).toLocaleString(locale),
  "Intl.NumberFormat().format(1234.5)": (locale) => (1234.5).toLocaleString(locale),
  'changed("2024-02-03").toLocaleDateString("en-US")': (_, timeZone) =>
    timeZone === "America/New_York" ? "2/4/2024" : "2/5/2024",
  "money.format(1234.5)": (locale) => (1234.5).toLocaleString(locale, { style: "currency", currency: "EUR" }),
  'new Date("2024-02-03T20:00:00Z").toLocaleDateString()': (locale, timeZone) =>
    new Date("2024-02-03T20:00:00Z").toLocaleDateString(locale, { timeZone }),
  'new Date("2024-02-03T20:00:00Z").toLocaleDateString("fr")': (_, timeZone) =>
    new Date("2024-02-03T20:00:00Z").toLocaleDateString("fr", { timeZone }),
  'String(new Date("2024-02-03T20:00:00Z").getDate())': (_, timeZone) => (timeZone === "Asia/Tokyo" ? "4" : "3"),
  "new Date(2024, 1, 3).toISOString().slice(0, 16)": (_, timeZone) =>
    ({ "Asia/Tokyo": "2024-02-02T15:00", "America/New_York": "2024-02-03T05:00" })[timeZone] ?? "2024-02-03T00:00",
  '`${Date.parse("2024-02-03T04:05")}`': (_, timeZone) =>
    String(Date.parse(`2024-02-03T04:05${{ "Asia/Tokyo": "+09:00", "America/New_York": "-05:00" }[timeZone] ?? "Z"}`)),
};

/** What doesn't depend on a mailer, or is computed once with the configuration's locale and time zone. */
const CONSTANTS: Readonly<Record<string, string>> = {
  '(1234.5).toLocaleString("de-DE")': "1.234,5",
  'new Date("2024-02-03T20:00:00Z").toLocaleDateString("en-US", { timeZone: "Asia/Tokyo" })': "2/4/2024",
  'new Date("2024-02-03").toISOString()': "2024-02-03T00:00:00.000Z",
  'new Date("2024-02-03").getUTCDate()': "3",
  "new Date(0).getTime()": "0",
  'new Intl.NumberFormat("de-DE").format(1234.5)': "1.234,5",
  '["b", "a"].sort((x, y) => x.localeCompare(y)).join("")': "ab",
  loaded: "1.234,5",
  'format(new Date("2024-02-03T20:00:00Z"), "d MMM")': "4 Feb",
};

describe("constants that are formatted without a locale or a time zone", async () => {
  const expressions = [...Object.keys(CASES), ...Object.keys(CONSTANTS)];
  const source = `import { format } from "date-fns";
const money = new Intl.NumberFormat(undefined, { style: "currency", currency: "EUR" });
const loaded = (1234.5).toLocaleString();
function changed(day: string) {
  const date = new Date(day);
  date.setUTCDate(5);
  return date;
}
export default function Email() {
  return <div>${expressions.map((expression) => `<p>{${expression}}</p>`).join("\n")}</div>;
}
Email.PreviewProps = {};`;

  test("get those of the mailer, and the rest is constant", async () => {
    const result = await projects.compileOne({ "constants.tsx": source }, { locale: "de-DE", timeZone: "Asia/Tokyo" });
    const { contract, html_body } = compiledOf(result);
    expect(result.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    for (const place of PLACES) {
      const variables = completeVariables(contract, {}, {}, { evaluator, ...place });
      const html = renderMustache(html_body, variables, { escape: "none" });
      const printed = Array.from(html.matchAll(/<p>(.*?)<\/p>/g), ([, text]) => text);
      const expected = Object.values(CASES).map((print) => print(place.locale, place.timeZone));
      expect(printed).toEqual([...expected, ...Object.values(CONSTANTS)]);
    }
  });

  test("are not what the clock shows, which stays as it is", async () => {
    const year = new Date().getFullYear();
    const clock =
      "export default function Email() { return <p>{new Date().getFullYear()}</p>; }\nEmail.PreviewProps = {};";
    const { contract, html_body } = compiledOf(await projects.compileOne({ "clock.tsx": clock }));
    expect(html_body).toMatch(new RegExp(`<p>(?:${year}|${year + 1})</p>`));
    expect(contract.conditions).toEqual([]);
  });

  test("and variables are read as dates in the mailer's time zone", async () => {
    const parse = `export default function Email({ day }: { day: string }) { return <p>{\`\${Date.parse(day)}\`}</p>; }
Email.PreviewProps = { day: "2024-02-03T04:05" };`;
    const result = await projects.compileOne({ "parse.tsx": parse }, { locale: "en-US", timeZone: "Asia/Tokyo" });
    const { contract, html_body } = compiledOf(result);
    const place = { locale: "en-US", timeZone: "America/New_York" };
    const variables = completeVariables(contract, { day: "2024-07-01T00:00" }, {}, { evaluator, ...place });
    const html = renderMustache(html_body, variables, { escape: "html" });
    expect(html).toContain(`<p>${Date.parse("2024-07-01T00:00-04:00")}</p>`);
  });
});
