import type { z } from "zod";
import { newAliasSchema } from "../../api/contract/v4/aliases.js";
import { newTemplateSchema } from "../../api/contract/v4/templates.js";
import { nearest } from "../../text/nearest.js";
import { readAliasFields } from "../aliases.js";
import { ApiError } from "../http/api-error.js";
import { readNewCredential } from "../credentials.js";
import { SeedError } from "../errors.js";
import { readNewRule } from "../rules.js";
import type { PatternChecks } from "../patterns/patterns.js";
import { checkTemplate } from "../templates.js";
import { issueMessage, placeOf } from "../http/validate.js";
import { accountsSchema, memberNames, type ReadDomain, type ReadSeed } from "./schema.js";

/**
 * Checks a whole seed before any of it is added.
 *
 * @param seed One account, or `{ accounts: [...] }`, from a file or a caller.
 * @throws SeedError with every problem and its place: `accounts[0].domains[1].name`.
 */
export async function readSeed(seed: unknown, patterns: PatternChecks): Promise<ReadSeed> {
  const isMany = typeof seed === "object" && seed !== null && "accounts" in seed && seed.accounts !== undefined;
  const result = accountsSchema.safeParse(isMany ? seed : { accounts: [withoutAccounts(seed)] }, {
    error: issueMessage,
  });
  // Places are reported as they appear in the file.
  const shown = (path: readonly PropertyKey[]) => placeOf(isMany ? path : path.slice(2)) || "the seed";
  if (!result.success) {
    throw new SeedError(result.error.issues.map((issue) => `${shown(issue.path)} ${messageOf(issue)}`));
  }
  const problems = await problemsOf(result.data, patterns);
  if (problems.length > 0) throw new SeedError(problems.map(({ path, message }) => `${shown(path)} ${message}`));
  return result.data;
}

interface Problem {
  readonly path: readonly PropertyKey[];
  /** Text that follows the place. */
  readonly message: string;
}

/** Problems that the schema does not detect. */
async function problemsOf({ accounts }: ReadSeed, patterns: PatternChecks): Promise<Problem[]> {
  const domains = accounts.flatMap((account, i) =>
    account.domains.map((domain, j) => ({ domain, path: ["accounts", i, "domains", j] })),
  );
  const contents = await Promise.all(domains.map(({ domain, path }) => contentProblems(domain, path, patterns)));
  return [
    ...repeated(
      accounts.map(({ apiKey }, i) => ({ name: apiKey, path: ["accounts", i, "apiKey"] })),
      "is also used by another account",
    ),
    ...repeated(
      domains.map(({ domain, path }) => ({ name: domain.name, path: [...path, "name"] })),
      "appears twice",
    ),
    ...contents.flat(),
  ];
}

/** Reasons for which creating an item would be refused. */
async function contentProblems(
  domain: ReadDomain,
  path: readonly PropertyKey[],
  patterns: PatternChecks,
): Promise<Problem[]> {
  const { templates, aliases, rules, credentials } = domain;
  const problems = await Promise.all([
    ...templates.map((item, i) => refusal([...path, "templates", i], () => checkTemplate(newTemplateSchema, item))),
    ...credentials.map((item, i) => refusal([...path, "credentials", i], () => readNewCredential(item))),
    ...rules.map((item, i) => refusal([...path, "rules", i], () => readNewRule(item, patterns))),
    ...aliases.map((item, i) =>
      refusal([...path, "aliases", i], () => readAliasFields(newAliasSchema, item, patterns)),
    ),
  ]);
  return problems.filter((problem) => problem !== undefined);
}

async function refusal(path: readonly PropertyKey[], read: () => unknown): Promise<Problem | undefined> {
  try {
    await read();
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return { path, message: `is not valid: ${error.message}` };
    throw error;
  }
}

function repeated(items: readonly { name: string; path: readonly PropertyKey[] }[], message: string): Problem[] {
  const seen = new Set<string>();
  return items.flatMap(({ name, path }) => {
    if (seen.has(name)) return [{ path, message }];
    seen.add(name);
    return [];
  });
}

/** Treats an undefined member like a missing one. */
function withoutAccounts(seed: unknown): unknown {
  if (typeof seed !== "object" || seed === null || !("accounts" in seed)) return seed;
  const { accounts: _, ...account } = seed;
  return account;
}

function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== "unrecognized_keys") {
    // The contract's messages start with the field, which is also the end of the place.
    const field = `${String(issue.path.at(-1))} `;
    return issue.message.startsWith(field) ? issue.message.slice(field.length) : issue.message;
  }
  const [key = ""] = issue.keys;
  const near = nearest(
    key,
    memberNames.filter((name) => name !== key),
  );
  return `has an unknown member "${key}"${near === undefined ? "" : `; did you mean "${near}"?`}`;
}
