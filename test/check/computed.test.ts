import { expect, test } from "vitest";
import type { CompiledTemplate } from "../../src/project/template.js";
import { checkedTemplate } from "../../src/check/checked-template.js";
import { DEFAULT_SETTINGS } from "../../src/check/rule.js";
import { RULES } from "../../src/check/catalogue.js";
import { TruthTable } from "../../src/check/truth/truth-table.js";
import { compileWithPositions } from "../../src/render/compile.js";
import { useFindings } from "./findings.js";

const { diagnostics, projects } = useFindings(RULES.filter(({ id }) => /variable|title-missing/.test(id)));

const BODY = (content: string, props: string) => `
export const subject = "Receipt";
export default function Email({ order, note }: ${props}) {
  return <html><head><title>Receipt</title></head><body>${content}</body></html>;
}`;

const PROPS = "{ order: { cents: number; lines: { title: string; cents: number; gift: boolean }[] }; note?: string }";
const FIXTURE = {
  order: {
    cents: 1250,
    lines: [{ title: "Tea", cents: 500, gift: true }],
  },
  note: "Ring twice",
};

const files = (content: string, props = PROPS, fixture: object = FIXTURE) => ({
  "x/x.tsx": BODY(content, props),
  "x/fixtures/default.json": JSON.stringify(fixture),
});

const messages = async (content: string, props?: string, fixture?: object) =>
  (await diagnostics(files(content, props, fixture))).map(({ message }) => message);

test("variables of computed values are used, also in functions for the items of a list", async () => {
  const content = `<p>{(order.cents / 100).toFixed(2)}</p>
    {order.lines.filter((line) => line.gift).sort((a, b) => b.cents - a.cents).map((line) => <p>{line.title.trim()}</p>)}
    <p>{note?.trim()}</p>`;
  expect(await messages(content)).toEqual([]);
});

test("an unused variable is still reported", async () => {
  const fixture = { ...FIXTURE, extra: 1 };
  expect(
    await messages("<p>{(order.cents / 100).toFixed(2)}</p>", "{ order: { cents: number }; extra: number }", fixture),
  ).toEqual(expect.arrayContaining(['The application has to pass "extra", but no tag uses it.']));
});

test("a computed value may be absent if a variable may be, and is named as in the source", async () => {
  const [message, ...others] = await messages(
    "<p>Hi {note!.trim()}, welcome</p>",
    "{ order?: unknown; note?: string }",
    {
      note: "Ada",
    },
  );
  expect(message).toBe('`note!.trim()` may be absent, and then it leaves "Hi , welcome".');
  expect(others).toEqual([]);
});

test("a list without an item that fits is reported under the list's name", async () => {
  const fixture = { ...FIXTURE, order: { cents: 1, lines: [{ title: "Tea", cents: 5, gift: false }] } };
  const content = `<p>{order.cents * 2}{note?.trim()}</p>{order.lines.filter((line) => line.gift).map((line) => <p>{line.title} {line.cents}</p>)}`;
  expect(await messages(content, PROPS, fixture)).toEqual([
    'No fixture has an item in "order.lines", so the preview and the checks never show it.',
  ]);
});

const checked = async (content: string, props?: string) => {
  const results = await compileWithPositions(await projects.load(files(content, props)), projects.context());
  const [result] = results;
  if (!result?.compiled) throw new Error(JSON.stringify(result?.diagnostics));
  const compiled: CompiledTemplate = result.compiled;
  return checkedTemplate({ ...result, compiled }, undefined, { settings: DEFAULT_SETTINGS, read: () => undefined });
};

test("the truth table varies what computed values depend on", async () => {
  const each = await checked(`{order.cents / 100 > 5 && <p>{order.cents}</p>}<p>{order.lines.length}</p>`);
  const { compiled } = each;
  const table = TruthTable.of(each);
  const [section] = /\{\{#[^{}]*is_above_5\}\}/.exec(compiled.html_body) ?? [];
  expect(section).toBeDefined();
  const part = { text: `${section}Free shipping${section?.replace("#", "/")}` };
  expect(new Set(table.texts(part))).toEqual(new Set(["", "Free shipping"]));
  expect(table.blank(part)?.variables).toEqual({ order: { cents: 0 } });
});
