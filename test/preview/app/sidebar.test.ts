import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { groupsOf, rowsOf } from "../../../preview/sidebar/rows.js";
import { rangesOf, searchTemplates } from "../../../preview/sidebar/search.js";
import type { TemplateSummary } from "../../../src/preview/contract.js";

const template = (name: string, more: Partial<TemplateSummary> = {}): TemplateSummary => ({
  name,
  engine: "html",
  state: "compiled",
  subject: "",
  preheader: "",
  fixtures: [],
  revision: 1,
  ...more,
});

const named = (...names: readonly string[]) => names.map((name) => ({ name }));

describe("groups", () => {
  test("consist of names that share the part before their first - or _", () => {
    const groups = groupsOf(named("order", "order-confirmed", "order_shipped", "orders-weekly", "receipt"));
    expect(groups.map(({ prefix, items }) => [prefix, items.map(({ name }) => name)])).toEqual([
      ["order", ["order", "order-confirmed", "order_shipped"]],
      [undefined, ["orders-weekly"]],
      [undefined, ["receipt"]],
    ]);
  });

  test("use more words of the name if the rest would not fit, and only for names that this helps", () => {
    const long = "billing-subscription-renewal-payment-failed";
    const names = [
      `${long}-eu`,
      `${long}-us`,
      "billing-subscription-ended",
      "billing-plan-of-a-customer-without-any-seats",
    ];
    expect(groupsOf(named(...names)).map(({ prefix, items }) => [prefix, items.length])).toEqual([
      ["billing-subscription-renewal", 2],
      ["billing", 2],
    ]);
    const short = ["order-confirmed-eu", "order-confirmed-us", "order-of-a-customer-that-nobody-has-confirmed"];
    expect(groupsOf(named(...short)).map(({ prefix }) => prefix)).toEqual(["order"]);
  });

  test("contain every name once, and never just one name", () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-c]{1,2}([-_]([a-c]{0,2}|(a-){13}[a-c])){0,3}$/));
    fc.assert(
      fc.property(names, (all) => {
        const groups = groupsOf(named(...all));
        expect(groups.flatMap(({ items }) => items.map(({ name }) => name)).sort()).toEqual([...all].sort());
        for (const { prefix, items } of groups) expect(items.length > 1).toBe(prefix !== undefined);
      }),
    );
  });
});

describe("rows", () => {
  const hits = searchTemplates(
    [
      template("order-confirmed"),
      template("order-shipped", { fixtures: ["default", "late"] }),
      template("receipt", { fixtures: ["default"] }),
    ],
    "",
    undefined,
  );
  const keys = (chosen: string, ...closed: readonly string[]) =>
    rowsOf(hits, { chosen, closed: new Set(closed) }).map(({ id }) => id);

  test("include only the selected template's fixtures", () => {
    expect(keys("receipt")).toEqual(["order/", "order-confirmed", "order-shipped", "receipt", "receipt/default"]);
    const rows = rowsOf(hits, { chosen: undefined, closed: new Set() });
    expect(rows.flatMap((row) => (row.kind === "template" ? [row.prefix] : []))).toEqual(["order-", "order-", ""]);
  });

  test("show only the selected template of a closed group", () => {
    expect(keys("order-shipped", "order")).toEqual([
      "order/",
      "order-shipped",
      "order-shipped/default",
      "order-shipped/late",
      "receipt",
    ]);
    expect(keys("receipt", "order")).toEqual(["order/", "receipt", "receipt/default"]);
  });
});

describe("search", () => {
  const templates = [
    template("receipt", { subject: "Your receipt", preheader: "Paid by card." }),
    template("welcome", { subject: "Good to see you" }),
  ];
  const contents = {
    receipt: "Thank you for the\nespresso.",
    welcome: `${"Many words. ".repeat(30)}A receipt follows.`,
  };
  const found = (query: string) => searchTemplates(templates, query, contents).map((hit) => hit.template.name);

  test("finds templates with every word in name, subject, preheader or content, regardless of case", () => {
    expect(found("RECEIPT")).toEqual(["receipt", "welcome"]);
    expect(found("paid espresso")).toEqual(["receipt"]);
    expect(found("good espresso")).toEqual([]);
    expect(found("  ")).toEqual(["receipt", "welcome"]);
  });

  test("ranks names that start with the query first, then other names, subjects, preheaders and contents", () => {
    const all = [
      template("a-content"),
      template("b-preheader", { preheader: "You are welcome" }),
      template("c-subject", { subject: "Welcome!" }),
      template("not-welcome"),
      template("welcome"),
    ];
    const names = searchTemplates(all, "Welc", { "a-content": "Welcome" }).map((hit) => hit.template.name);
    expect(names).toEqual(["welcome", "not-welcome", "c-subject", "b-preheader", "a-content"]);
  });

  test("tolerates one wrong letter in a name, or in a part of it, if nothing else matches", () => {
    expect(found("wlecome")).toEqual(["welcome"]);
    expect(found("reciept")).toEqual(["receipt", "welcome"]);
    expect(searchTemplates([template("order-shipped")], "shiped", undefined)).toHaveLength(1);
    expect(found("wlcme")).toEqual([]);
  });

  test("shows the content around a word that only the content contains", () => {
    const [, welcome] = searchTemplates(templates, "receipt", contents);
    expect(welcome?.snippet?.text).toContain("A receipt follows.");
    expect(welcome?.snippet?.ranges.map(([from, to]) => welcome.snippet?.text.slice(from, to))).toEqual(["receipt"]);
  });

  test("works before the contents have loaded", () => {
    expect(searchTemplates(templates, "receipt", undefined).map((hit) => hit.template.name)).toEqual(["receipt"]);
  });

  test("highlights words in order and without overlaps", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "A", "ß", "İ", " ", "\n") });
    fc.assert(
      fc.property(text, fc.array(fc.stringMatching(/^[ab]{1,3}$/), { maxLength: 3 }), (all, words) => {
        const ranges = rangesOf(words, all);
        let end = 0;
        for (const [from, to] of ranges) {
          expect(from).toBeGreaterThanOrEqual(end);
          expect(words).toContain(all.slice(from, to).toLowerCase());
          end = to;
        }
      }),
    );
  });
});
