import { expect, test } from "vitest";
import { createPlan } from "../../src/sync/plan.js";
import type { RemoteState } from "../../src/sync/remote.js";
import type { TemplateFields } from "../../src/template/template.js";
import { fields } from "./service.js";

test("what is missing is created, what differs is updated, the rest is left alone", () => {
  const local = [
    fields("welcome"),
    fields("receipt", { subject: "New", text_body: "New" }),
    fields("invite"),
    fields("code"),
  ];
  const remote = state([fields("receipt"), fields("zebra"), fields("code"), fields("apple")]);
  expect(createPlan({ local, remote })).toEqual({
    operations: [
      { kind: "create", name: "invite", fields: fields("invite") },
      { kind: "create", name: "welcome", fields: fields("welcome") },
      {
        kind: "update",
        name: "receipt",
        changes: [
          { field: "subject", from: "receipt {{number}}", to: "New" },
          { field: "text_body", from: "{{{number}}}", to: "New" },
        ],
      },
    ],
    unchanged: ["code"],
    unmanaged: ["apple", "zebra"],
    obstacles: [],
  });
});

test("the order in which either side lists its templates does not matter", () => {
  const local = ["b", "c", "a"].map((name) => fields(name, { subject: "New" }));
  const remote = [fields("b"), fields("d"), fields("a")];
  const plan = createPlan({ local, remote: state(remote) });
  expect(createPlan({ local: local.toReversed(), remote: state(remote.toReversed()) })).toEqual(plan);
});

test("only the fields go to the service, whatever else a compiled template has", () => {
  const compiled = { ...fields("receipt"), hash: "abc", sources: ["/app/receipt.mjml"] };
  const { operations } = createPlan({ local: [compiled], remote: state([]) });
  expect(operations).toStrictEqual([{ kind: "create", name: "receipt", fields: fields("receipt") }]);
});

test("200 templates are allowed, one more is an obstacle", () => {
  const remote = state(names(150, "remote"));
  expect(createPlan({ local: names(50, "local"), remote }).obstacles).toEqual([]);
  expect(createPlan({ local: names(51, "local"), remote }).obstacles).toEqual([
    { message: "The domain has 150 templates and would get 51 more, but the service keeps at most 200." },
  ]);
});

test("updates at the cap are no obstacle", () => {
  const stored = names(200, "t");
  const local = stored.map((template) => ({ ...template, subject: "New" }));
  expect(createPlan({ local, remote: state(stored) }).obstacles).toEqual([]);
});

test.each([
  ["subject", "s".repeat(251), 'The subject of "receipt" has 251 characters; the service takes at most 250.'],
  ["description", "d".repeat(501), 'The description of "receipt" has 501 characters; the service takes at most 500.'],
  [
    "html_body",
    "h".repeat(100_001),
    'The html_body of "receipt" has 100001 characters; the service takes at most 100000.',
  ],
  [
    "text_body",
    "t".repeat(100_001),
    'The text_body of "receipt" has 100001 characters; the service takes at most 100000.',
  ],
] as const)("a %s that is too long is an obstacle", (field, value, message) => {
  const local = [fields("fine"), fields("receipt", { [field]: value })];
  expect(createPlan({ local, remote: state([]) }).obstacles).toEqual([{ template: "receipt", message }]);
  expect(createPlan({ local: [fields("receipt", { [field]: value.slice(1) })], remote: state([]) }).obstacles).toEqual(
    [],
  );
});

test("names that the service does not take, and one name twice, are obstacles", () => {
  const local = [
    fields("Receipt"),
    fields("a".repeat(251), { subject: "" }),
    fields("twice"),
    fields("twice", { subject: "Other" }),
  ];
  expect(createPlan({ local, remote: state([]) }).obstacles.map(({ message }) => message)).toEqual([
    'There are several local templates with the name "twice".',
    'The name "Receipt" is not one for the service: lower-case letters, digits, hyphens and underscores, the first a letter or a digit.',
    `The name of "${"a".repeat(251)}" has 251 characters; the service takes at most 250.`,
  ]);
});

function names(count: number, prefix: string): TemplateFields[] {
  return Array.from({ length: count }, (_, i) => fields(`${prefix}-${i}`));
}

function state(templates: readonly TemplateFields[]): RemoteState {
  return {
    names: templates.map(({ name }) => name),
    templates: new Map(templates.map((template) => [template.name, template])),
  };
}
