import { parseSync } from "rolldown/utils";
import { expect, test } from "vitest";
import { deriveHint } from "../../../src/render/react/derive-hint.js";
import type { VariableName } from "../../../src/render/react/runtime/rendering.js";

const BEFORE = `import { format, parseISO } from "date-fns";\nimport { If } from "lettershop/react";\nconst RATE = 1.2;\n`;

/** The hint for a stretch of an expression, between « and ». */
function hintFor(marked: string, variable: Partial<VariableName>, taken = new Map<string, string>()): string {
  const code = `${BEFORE}export default (props) => <p>{${marked}}</p>;\n`;
  const start = code.indexOf("«");
  const end = code.indexOf("»") - 1;
  return deriveHint({
    site: { file: "email.tsx", start, end },
    variable: { lists: [], names: [], ...variable },
    code: code.replace(/[«»]/g, ""),
    received: ["order", "items", "due", "currency", "name"],
    hasFile: true,
    taken,
    parseSync,
  });
}

const line = (used: string, result: string, parameters = "variables"): string =>
  `Compute it in variables.ts, and use ${used} here: export function derive(${parameters}) { return { ${result} }; }`;

test.each<[string, Partial<VariableName>, string]>([
  [
    "(«props.order.total * 2»).toFixed(2)",
    { names: ["order", "total"] },
    line("orderTotal", "orderTotal: (variables.order.total * 2).toFixed(2)"),
  ],
  [
    "«order.total.toFixed(2)»",
    { names: ["order", "total"] },
    line("orderTotal", "orderTotal: variables.order.total.toFixed(2)"),
  ],
  ["«name.split(' ')»[0]", { names: ["name"] }, line("nameValue", "nameValue: variables.name.split(' ')[0]")],
  [
    "«items[0]?.name.trim()»",
    { names: ["items", "[0]", "name"] },
    line("itemsFirstName", "itemsFirstName: variables.items[0]?.name.trim()"),
  ],
  [
    "«items.at(-1).name.trim()»",
    { names: ["items", "[-1]", "name"] },
    line("itemsLastName", "itemsLastName: variables.items.at(-1).name.trim()"),
  ],
  ["«name!.trim()»", { names: ["name"] }, line("nameValue", "nameValue: variables.name!.trim()")],
  [
    "«new Intl.NumberFormat('en', { style: 'currency', currency })».format(order.total)",
    { names: ["currency"] },
    line(
      "currencyValue",
      "currencyValue: new Intl.NumberFormat('en', { style: 'currency', currency: variables.currency }).format(variables.order.total)",
    ),
  ],
  [
    "«new Date(props.due)»",
    { names: ["due"] },
    line(
      "dueValue",
      "dueValue: new Date(variables.due).toLocaleDateString(locale, { timeZone })",
      "variables, { locale, timeZone }",
    ),
  ],
  [
    "format(«parseISO(due)», 'PP')",
    { names: ["due"] },
    `${line("dueValue", "dueValue: format(parseISO(variables.due), 'PP')")} Import format, parseISO there too.`,
  ],
  [
    "items.map((item) => <b>{«item.price * 2»}</b>)",
    { lists: [["items"]], names: ["price"] },
    line("item.priceValue", "items: variables.items.map((item) => ({ ...item, priceValue: item.price * 2 }))"),
  ],
  [
    "order.lines.map(({ price }) => <b>{«price * 2»}</b>)",
    { lists: [["order", "lines"]], names: ["price"] },
    line(
      "item.priceValue",
      "order: { ...variables.order, lines: variables.order.lines.map((item) => ({ ...item, priceValue: item.price * 2 })) }",
    ),
  ],
  [
    "«items.filter((each) => each.gift)».map((item) => <b>{item.name}</b>)",
    { names: ["items"] },
    line("itemsValue", "itemsValue: variables.items.filter((each) => each.gift)"),
  ],
  [
    "groups.map((group) => group.people.map((each) => <b>{«each.name.trim()»}</b>))",
    { lists: [["groups"], ["people"]], names: ["name"] },
    line(
      "item.nameValue",
      "groups: variables.groups.map((groupsItem) => ({ ...groupsItem, people: groupsItem.people.map((item) => ({ ...item, nameValue: item.name.trim() })) }))",
    ),
  ],
  [
    "tags.map((tag) => <b>{«tag.trim()»}</b>)",
    { lists: [["tags"]] },
    "Compute it in variables.ts, and go through tagsValues here: export function derive(variables) { return { tagsValues: variables.tags.map((item) => item.trim()) }; }",
  ],
  [
    "items.map((item, at) => <b>{«at % 2» === 0 && 'even'}</b>)",
    { lists: [["items"]], isPosition: true },
    line("item.positionValue", "items: variables.items.map((item, index) => ({ ...item, positionValue: index % 2 }))"),
  ],
  [
    "tags.map((tag, at) => <b>{«at + 1»}</b>)",
    { lists: [["tags"]], isPosition: true, isOfValues: true },
    line(
      "item.value and item.number",
      "tags: variables.tags.map((item, index) => ({ value: item, number: index + 1 }))",
    ),
  ],
  [
    "«new Intl.DateTimeFormat('en').format(due)»",
    { names: ["due"] },
    line("dueValue", "dueValue: new Intl.DateTimeFormat('en').format(new Date(variables.due))"),
  ],
  [
    "((amount) => '$' + «amount.toFixed(2)»)(order.total)",
    { names: ["order", "total"] },
    line("orderTotal", "orderTotal: variables.order.total.toFixed(2)"),
  ],
  [
    "items.map((item) => <b>{«item.name === name» && 'you'}</b>)",
    { lists: [["items"]], names: ["name"] },
    line(
      "item.nameValue",
      "items: variables.items.map((item) => ({ ...item, nameValue: item.name === variables.name }))",
    ),
  ],
  [
    "items.map(({ price, qty: number }) => <b>{«price * number»}</b>)",
    { lists: [["items"]], names: ["price"] },
    line("item.priceValue", "items: variables.items.map((item) => ({ ...item, priceValue: item.price * item.qty }))"),
  ],
  [
    "items.map((item) => <b>{«item.name.trim()» + order.name}</b>)",
    { lists: [["items"]], names: ["name"] },
    line(
      "item.nameValue",
      "items: variables.items.map((item) => ({ ...item, nameValue: item.name.trim() + variables.order.name }))",
    ),
  ],
  [
    "items.map(({ name }) => <b>{format(«name.trim()», order.name)}</b>)",
    { lists: [["items"]], names: ["name"] },
    `${line("item.nameValue", "items: variables.items.map((item) => ({ ...item, nameValue: format(item.name.trim(), variables.order.name) }))")} Import format there too.`,
  ],
  [
    "(() => { const { total: sum } = props.order; return «sum.toFixed(2)»; })()",
    { names: ["order", "total"] },
    line("orderTotal", "orderTotal: variables.order.total.toFixed(2)"),
  ],
  [
    "((given) => «given.total.toFixed(2)»)(order)",
    { names: ["order", "total"] },
    line("orderTotal", "orderTotal: variables.order.total.toFixed(2)"),
  ],
  [
    "((amount) => «amount.toFixed(2)»)(items[0]?.price)",
    { names: ["items", "[0]", "price"] },
    line("itemsFirstPrice", "itemsFirstPrice: variables.items[0]?.price.toFixed(2)"),
  ],
  [
    "«items.sort()».map((item) => <b />)",
    { names: ["items"] },
    line("itemsValue", "itemsValue: [...variables.items].sort()"),
  ],
  [
    "items.map((item) => <b>{«item.tags?.reverse()».join()}</b>)",
    { lists: [["items"]], names: ["tags"] },
    line(
      "item.tagsValue",
      "items: variables.items.map((item) => ({ ...item, tagsValue: [...(item.tags ?? [])]?.reverse().join() }))",
    ),
  ],
  [
    "«items.slice().reverse()»",
    { names: ["items"] },
    line("itemsValue", "itemsValue: variables.items.slice().reverse()"),
  ],
  [
    "«Array.from({ length: props.order.count }, (_, at) => <b>{at}</b>)»",
    { names: ["order", "count"] },
    "Compute it in variables.ts, and go through orderCount here with .map: export function derive(variables) { return { orderCount: Array.from({ length: variables.order.count }, (_, index) => index + 1) }; }",
  ],
  [
    "[...«Array(order.count)»].map(() => <b />)",
    { names: ["order", "count"] },
    "Compute it in variables.ts, and go through orderCount here with .map: export function derive(variables) { return { orderCount: Array.from({ length: variables.order.count }, (_, index) => index + 1) }; }",
  ],
])("the line does what was written: %s", (marked, variable, hint) => {
  expect(hintFor(marked, variable)).toBe(hint);
});

test.each<[string, Partial<VariableName>]>([
  ["(() => { const rows = []; return «rows.length»; })()", { names: ["items"] }],
  ["(() => { const price = order.total ?? 0; return «price.toFixed(2)»; })()", { names: ["order", "total"] }],
  ["«<b>{order.total}</b>»", { names: ["order", "total"] }],
  ["«order.total * RATE»", { names: ["order", "total"] }],
  ["«part * 2»", { lists: [["items"], ["parts"]] }],
  ["«amount.toFixed(digits)»", { names: ["order", "total"] }],
  [
    "items.map((one) => order.lines.map((other) => <b>{«one.name === other.name»}</b>))",
    { lists: [["items"]], names: ["name"] },
  ],
  [
    "items.map((one) => order.lines.map((other) => <b>{«other.name.at(one.at)»}</b>))",
    { lists: [["items"], ["lines"]], names: ["name"] },
  ],
])("no line where none would work: %s", (marked, variable) => {
  expect(hintFor(marked, variable)).toBe("Compute it in derive (variables.ts), and use the result here.");
});

test("an object is not printed", () => {
  const hint = hintFor("«new URL(name)»", { names: ["name"] });
  expect(hint).toBe("Compute in derive (variables.ts) what is printed of it, as a text, and use that here.");
});

test("each line of a template has a name of its own", () => {
  const taken = new Map<string, string>();
  const hints = ["«name.trim()»", "«name.at(0)»", "«name.trim()»"].map((marked) =>
    hintFor(marked, { names: ["name"] }, taken),
  );
  expect(hints).toEqual([
    line("nameValue", "nameValue: variables.name.trim()"),
    line("nameValue2", "nameValue2: variables.name.at(0)"),
    line("nameValue", "nameValue: variables.name.trim()"),
  ]);
});
