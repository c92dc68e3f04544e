import { expect, test } from "vitest";
import { z } from "zod";
import { compareRegistry, readContracts } from "../../src/registry/compare.js";
import { generateRegistry } from "../../src/registry/generate.js";
import { variablesSchemaOf } from "../../src/project/variables-task.js";
import { compiled } from "./templates.js";

async function registry(templates: Record<string, z.ZodObject>): Promise<string> {
  const results = await Promise.all(
    Object.entries(templates).map(([name, schema]) => compiled("/", { name, input: variablesSchemaOf(schema) })),
  );
  return generateRegistry({
    results,
    project: { folder: "/", dataFolder: "/", environments: {}, locale: "en-US", timeZone: "UTC" },
  });
}

const item = z.object({ name: z.string(), price: z.number() });
const receipt = z.object({
  order: z.object({ number: z.string(), items: z.array(item) }),
  note: z.string().optional(),
});

test("the same content is up to date, whatever its line ends", async () => {
  const text = await registry({ receipt });
  expect(compareRegistry(text, text)).toEqual({ upToDate: true, changes: [] });
  expect(compareRegistry(text.replaceAll("\n", "\r\n"), text)).toEqual({ upToDate: true, changes: [] });
});

test("the written contracts are read back, except an edited line", async () => {
  const text = await registry({ receipt, welcome: z.object({ name: z.string() }) });
  const contracts = readContracts(text.replaceAll("\n", "\r\n"));
  expect([...contracts]).toEqual([
    ["receipt", { input: variablesSchemaOf(receipt), conditions: [] }],
    ["welcome", { input: variablesSchemaOf(z.object({ name: z.string() })), conditions: [] }],
  ]);
  expect([...readContracts(text.replace("contract: {", "contract: { //")).keys()]).toEqual(["welcome"]);
});

test("added and removed templates are reported", async () => {
  const before = await registry({ receipt, welcome: z.object({}) });
  const after = await registry({ receipt, goodbye: z.object({}) });
  expect(compareRegistry(before, after)).toEqual({
    upToDate: false,
    changes: [
      { kind: "added", template: "goodbye" },
      { kind: "removed", template: "welcome" },
    ],
  });
});

test("added, removed and changed variables are reported by their paths", async () => {
  const before = await registry({ receipt });
  const order = z.object({
    number: z.int(),
    items: z.array(item.extend({ gift: z.boolean().optional() })),
    tax: z.object({ rate: z.number(), name: z.string() }),
  });
  const after = await registry({ receipt: z.object({ order, note: z.string() }) });
  expect(compareRegistry(before, after).changes).toEqual([
    {
      kind: "changed",
      template: "receipt",
      variables: [
        { path: "note", before: "string, optional", after: "string" },
        { path: "order.items[].gift", after: "boolean, optional" },
        { path: "order.number", before: "string", after: "number" },
        { path: "order.tax", after: "object" },
      ],
    },
  ]);
  expect(compareRegistry(after, before).changes).toMatchObject([
    { variables: expect.arrayContaining([{ path: "order.tax", before: "object" }]) },
  ]);
});

test("a list that becomes a single object also changes its members", async () => {
  const before = await registry({ receipt: z.object({ lines: z.array(item) }) });
  const after = await registry({ receipt: z.object({ lines: item }) });
  expect(compareRegistry(before, after).changes).toEqual([
    {
      kind: "changed",
      template: "receipt",
      variables: [{ path: "lines", before: "list", after: "object" }],
    },
  ]);
});

test("what callers don't notice makes a file out of date, but is not a change", async () => {
  const before = await registry({ receipt });
  const after = before.replace("hash of receipt", "another hash");
  expect(compareRegistry(before, after)).toEqual({ upToDate: false, changes: [] });
});

test("a missing, unrelated or damaged file counts as having no templates", async () => {
  const text = await registry({ receipt });
  for (const old of [undefined, "", "export const templates = {};", text.replace('contract: {"', "contract: {")]) {
    expect(compareRegistry(old, text)).toEqual({ upToDate: false, changes: [{ kind: "added", template: "receipt" }] });
  }
});
