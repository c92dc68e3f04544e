import type { Api } from "./api.js";

export const forward = "ada@example.com";
export const scopes = ["sender", "recipient", "subject", "body"];
export const aliasRule = { type: "alias", config: { alias: "sales", forward } };
export const regexRule = { type: "regex", config: { regex: "^Invoice [0-9]+$", scopes, forward } };
export const celRule = { type: "cel", config: { expression: '"Hello" == "Hello"', forward } };
/** A rule of each type. */
export const kinds = [aliasRule, regexRule, celRule];

/** Adds a rule of each type. */
export async function addRules(api: Api): Promise<{ id: string; rank: number }[]> {
  const rules = [];
  for (const body of kinds) rules.push((await api("POST /domains/:domain/rules", { body })).rule);
  return rules;
}

export const ids = (rules: { id: string }[]) => rules.map(({ id }) => id);

/** A rule of each type, and more alias rules up to 500. */
export const many = [...kinds, ...Array.from({ length: 497 }, () => aliasRule)].map((rule, rank) => ({
  ...rule,
  rank,
  active: true,
}));
