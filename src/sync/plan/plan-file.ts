import { z } from "zod";
import { NAME_MAX, TEMPLATE_NAME } from "../../api/limits.js";
import { LettershopError } from "../../errors.js";
import { contentHash } from "../content.js";
import type { Plan } from "./plan.js";

/** A saved plan, to be applied unchanged. */
export interface PlanFile {
  /** The target, in the lock's format: URL, domain and affixes. */
  readonly environment: string;
  readonly made: PlanOrigin;
  readonly plan: Plan;
}

/** Where a plan comes from, for the person who approves it. */
export interface PlanOrigin {
  /** When it was made: ISO 8601. */
  readonly at: string;
  /** The version of lettershop that made it. */
  readonly lettershop: string;
  /** The commit of the templates, if they are in a git repository. */
  readonly commit?: { readonly id: string; /** Unix seconds. */ readonly time: number };
}

/** A plan file that cannot be used. */
export class PlanFileError extends LettershopError {
  override readonly name = "PlanFileError";
  readonly code = "plan_file";
}

/** The file's first property; other formats have other numbers. */
const VERSION = 2;

const content = z.strictObject({
  subject: z.string(),
  description: z.string(),
  text_body: z.string(),
  html_body: z.string(),
});
const marker = z.strictObject({
  text: z.string(),
  applied: z.string(),
  contract: z.string(),
  stored: z.string().optional(),
  of: z.string().optional(),
});
const target = z
  .strictObject({ content, hash: z.string(), marker: marker.optional() })
  .refine((each) => contentHash(each.content) === each.hash, "the content does not match the hash");
const base = z.strictObject({ updatedAt: z.string(), hash: z.string() });
const field = z.enum(["subject", "description", "text_body", "html_body"]);
const changes = z.array(z.strictObject({ field, from: z.string(), to: z.string() }));
/** A name that is written to the service, and used for backup files. */
const name = z.string().regex(TEMPLATE_NAME, "not a template's name").max(NAME_MAX);
/** A name that is only displayed: services may have names that they no longer accept. */
const shownName = z.string();

const breaking = z.array(z.strictObject({ variable: z.string(), effect: z.string() })).optional();
const reused = z.strictObject({ contentOf: name.optional(), nowNamed: name.optional() }).optional();
const sourceDrifted = z.literal(true).optional();
const overwrites = z.enum(["drift", "conflict", "unknown", "foreign"]).optional();
const letThrough = { overwrites, breaking, reused, sourceDrifted };

const operation = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("create"), name, target, renamedFrom: name.optional(), sourceDrifted }),
  z.strictObject({ kind: z.literal("update"), name, target, changes, base, ...letThrough }),
  z.strictObject({ kind: z.literal("rename"), name, to: name, target, changes, base, ...letThrough }),
  z.strictObject({
    kind: z.literal("delete"),
    name,
    renamedTo: name.optional(),
    base,
    overwrites: z.literal("drift").optional(),
  }),
]);

const held = z.strictObject({
  kind: z.enum(["drifted", "conflict", "unknown", "foreign", "breaking", "reused", "sourceDrifted"]),
  name,
  changes,
  owner: z.string().optional(),
  breaking,
  reused,
});

const commit = z.strictObject({ id: z.string().regex(/^[0-9a-f]+$/), time: z.int() });

const planFile = z.strictObject({
  lettershopPlan: z.literal(VERSION),
  environment: z.string(),
  made: z.strictObject({ at: z.iso.datetime(), lettershop: z.string(), commit: commit.optional() }),
  plan: z.strictObject({
    steps: z.array(z.array(operation)),
    held: z.array(held),
    unchanged: z.array(shownName),
    unmanaged: z.array(shownName),
    retired: z.array(shownName),
    proposals: z.array(z.strictObject({ from: shownName, to: shownName })),
    obstacles: z.array(z.strictObject({ message: z.string(), template: shownName.optional() })),
    requests: z.array(z.strictObject({ endpoint: z.string(), count: z.number(), limit: z.number().optional() })),
  }),
});

/** Longer texts are stored once in the file, however often the plan has them. */
const SHORT = 80;

/** A plan as the pieces of a file's text, with the bodies that it writes and without a key. */
export function* printPlanFile({ environment, made, plan }: PlanFile): Generator<string> {
  const texts = new Map<string, number>();
  const numbered = JSON.stringify(plan, (_key, value: unknown) => {
    if (typeof value !== "string" || value.length <= SHORT) return value;
    const number = texts.get(value) ?? texts.size;
    texts.set(value, number);
    return { text: number };
  });
  const head = JSON.stringify({ lettershopPlan: VERSION, environment, made }, null, 1).slice(0, -2);
  yield `${head},\n "plan": ${numbered},\n "texts": [`;
  for (const [text, number] of texts) yield `${number === 0 ? "" : ","}\n${JSON.stringify(text)}`;
  yield "\n ]\n}\n";
}

/**
 * Parses a file that `printPlanFile` wrote.
 *
 * @throws {PlanFileError} The text is not a plan, has another version, or was edited.
 */
export function parsePlanFile(text: string, file: string): PlanFile {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (cause) {
    throw new PlanFileError(`${file} is not a plan: it is not JSON.`, { cause });
  }
  const parsed = planFile.safeParse(withTexts(document));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new PlanFileError(`${file} can't be applied: ${issue?.path.join(".")}: ${issue?.message}.`, {
    hint: "Create the plan again with: templates sync --out FILE",
  });
}

/** Replaces the numbers in a plan's document by their texts. */
function withTexts(document: unknown): unknown {
  if (typeof document !== "object" || document === null || !("texts" in document) || !Array.isArray(document.texts))
    return document;
  const { texts, ...others } = document;
  const fill = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== "object" || value === null) return value;
    if ("text" in value && typeof value.text === "number") return texts[value.text];
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fill(each)]));
  };
  return fill(others);
}
