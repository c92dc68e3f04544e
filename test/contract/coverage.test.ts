import { expect, test } from "vitest";
import { INVENTORY, itemsNamed } from "./inventory.js";
import { sentences } from "./sentences/index.js";
import { contractPage } from "./table.js";

test("everything that the contract states about an endpoint is covered by a sentence", () => {
  const covered = new Set(sentences.flatMap(({ covers }) => covers.flatMap(itemsNamed)).map(({ name }) => name));
  expect(INVENTORY.map(({ name }) => name).filter((name) => !covered.has(name))).toEqual([]);
});

test("no sentence claims to cover what the contract does not have", () => {
  const unknown = sentences.flatMap(({ covers }) => covers.filter((pattern) => itemsNamed(pattern).length === 0));
  expect(unknown).toEqual([]);
});

test("every sentence appears once", () => {
  const quotations = sentences.map(({ quotation }) => quotation);
  expect(quotations.filter((quotation, index) => quotations.indexOf(quotation) !== index)).toEqual([]);
});

test("docs/contract.md is up to date (npm run contract writes it)", async () => {
  await expect(contractPage(sentences)).toMatchFileSnapshot("../../docs/contract.md");
});
