import type { DeriveCase } from "./derive-cases.js";

/** A template with a `derive` of its own, which a new value is added to. */
export interface ExistingDeriveCase extends DeriveCase {
  readonly variables: string;
  /** The `variables.ts` afterwards. */
  readonly extended: string;
}

const schema = `import { z } from "zod";

const schema = z.object({
  name: z.string(),
  placedAt: z.iso.datetime(),
  order: z.object({ cents: z.number() }),
  items: z.array(z.object({ title: z.string() })),
});
export default schema;
`;
const type = "\nexport type Derived = ReturnType<typeof derive>;\n";
const parameter = "variables: z.output<typeof schema>";
const random = { placedAt: ["2026-03-01T12:00:00Z", "2025-12-31T23:59:59Z"] };
const fixture = {
  name: " Ann ",
  placedAt: "2026-03-01T12:00:00Z",
  order: { cents: 1250 },
  items: [{ title: "tea" }, { title: "cake" }],
};

function component(markup: string): string {
  return `import type { z } from "zod";
import type schema from "./variables";
import type { Derived } from "./variables";

type Props = Omit<z.output<typeof schema>, keyof Derived> & Derived;
export default function Email(props: Props) {
  return <div>${markup}</div>;
}
`;
}

interface Form {
  readonly name: string;
  readonly markup: string;
  readonly before: string;
  readonly after: string;
}

const FORMS: readonly Form[] = [
  {
    name: "on-one-line",
    markup: "{props.greeting} {props.name.trim()}",
    before: `
export const derive = (${parameter}) => ({ greeting: "Hi" });
${type}`,
    after: `
export const derive = (${parameter}) => ({
  greeting: "Hi",
  nameText: variables.name.trim(),
});
${type}`,
  },
  {
    name: "parameter-pattern",
    markup: "{props.greeting} {props.name.trim()}",
    before: `
export function derive({ order }: z.output<typeof schema>, { locale }: { locale: string }) {
  return {
    greeting: order.cents > 0 ? "hi".toLocaleUpperCase(locale) : "hello",
  };
}
${type}`,
    after: `
export function derive(${parameter}, { locale }: { locale: string }) {
  const { order } = variables;
  return {
    greeting: order.cents > 0 ? "hi".toLocaleUpperCase(locale) : "hello",
    nameText: variables.name.trim(),
  };
}
${type}`,
  },
  {
    name: "locale-and-time-zone",
    markup: "{props.greeting} {new Date(props.placedAt).toLocaleDateString()}",
    before: `
export function derive(passed: z.output<typeof schema>) {
  return { greeting: passed.name };
}
${type}`,
    after: `
export function derive(passed: z.output<typeof schema>, { locale, timeZone }: { locale: string; timeZone: string }) {
  return {
    greeting: passed.name,
    placedAtText: new Date(passed.placedAt).toLocaleDateString(locale, { timeZone }),
  };
}
${type}`,
  },
  {
    name: "own-members",
    markup:
      "{props.order.label} {props.items.map((item) => <b key={item.title}>{item.upper} {item.title.slice(0, 2)}</b>)}",
    before: `
export function derive(${parameter}) {
  return {
    order: { ...variables.order, label: "Order" },
    items: variables.items.map((item) => ({
      ...item,
      upper: item.title.toUpperCase(), // for headings
    })),
  };
}
${type}`,
    after: `
export function derive(${parameter}) {
  return {
    order: { ...variables.order, label: "Order" },
    items: variables.items.map((item) => ({
      ...item,
      upper: item.title.toUpperCase(), // for headings
      titleText: item.title.slice(0, 2),
    })),
  };
}
${type}`,
  },
  {
    name: "of-a-derived-variable",
    markup: "{props.greeting.padEnd(9, '.')}",
    before: `
export function derive(${parameter}) {
  return { greeting: variables.name };
}
`,
    after: `
function deriveFirst(${parameter}) {
  return { greeting: variables.name };
}

export function derive(passed: z.output<typeof schema>) {
  const earlier = deriveFirst(passed);
  const variables = { ...passed, ...earlier };
  return {
    ...earlier,
    greetingText: variables.greeting.padEnd(9, "."),
  };
}
${type}`,
  },
  {
    name: "several-results",
    markup: "{props.greeting} {new Date(props.placedAt).toLocaleDateString('en-US')}",
    before: `
export function derive({ order }: z.output<typeof schema>): { greeting: string } {
  if (order.cents > 1000) return { greeting: "Wow" };
  return { greeting: "Hi" };
}
`,
    after: `
function deriveFirst({ order }: z.output<typeof schema>): { greeting: string } {
  if (order.cents > 1000) return { greeting: "Wow" };
  return { greeting: "Hi" };
}

export function derive(passed: z.output<typeof schema>, context: { locale: string; timeZone: string }) {
  const earlier = deriveFirst(passed);
  const variables = { ...passed, ...earlier };
  return {
    ...earlier,
    placedAtText: new Date(variables.placedAt).toLocaleDateString("en-US", { timeZone: context.timeZone }),
  };
}
${type}`,
  },
];

export const EXISTING: readonly ExistingDeriveCase[] = FORMS.map(({ name, markup, before, after }) => ({
  name,
  fixture,
  random,
  source: component(markup),
  variables: schema + before,
  extended: schema + after,
}));
