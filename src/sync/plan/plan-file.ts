import { z } from "zod";
import { LettershopError } from "../../errors.js";
import { contentHash } from "../content.js";
import type { Plan } from "./plan.js";

/** A plan that was written down, to be applied as it is. */
export interface PlanFile {
  /** What it is for, as the lock names it: URL, domain and affixes. */
  readonly environment: string;
  readonly plan: Plan;
}

/** A plan's file that cannot be used. */
export class PlanFileError extends LettershopError {
  override readonly name = "PlanFileError";
  readonly code = "plan_file";
}

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
  .refine((each) => contentHash(each.content) === each.hash, "the content is not the one that the hash names");
const base = z.strictObject({ updatedAt: z.string(), hash: z.string() });
const field = z.enum(["subject", "description", "text_body", "html_body"]);
const changes = z.array(z.strictObject({ field, from: z.string(), to: z.string() }));
const name = z.string();

const operation = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("create"), name, target, renamedFrom: name.optional() }),
  z.strictObject({
    kind: z.literal("update"),
    name,
    target,
    changes,
    base,
    overwrites: z.enum(["drift", "conflict", "unknown", "foreign"]).optional(),
  }),
  z.strictObject({ kind: z.literal("rename"), name, to: name, target, changes, base }),
  z.strictObject({
    kind: z.literal("delete"),
    name,
    renamedTo: name.optional(),
    base,
    overwrites: z.literal("drift").optional(),
  }),
]);

const held = z.strictObject({
  kind: z.enum(["drifted", "conflict", "unknown", "foreign", "breaking"]),
  name,
  changes,
  owner: z.string().optional(),
  breaking: z.array(z.strictObject({ variable: z.string(), effect: z.string() })).optional(),
});

const planFile = z.strictObject({
  lettershopPlan: z.literal(1),
  environment: z.string(),
  plan: z.strictObject({
    steps: z.array(z.array(operation)),
    held: z.array(held),
    unchanged: z.array(name),
    unmanaged: z.array(name),
    retired: z.array(name),
    proposals: z.array(z.strictObject({ from: name, to: name })),
    obstacles: z.array(z.strictObject({ message: z.string(), template: name.optional() })),
    requests: z.array(z.strictObject({ endpoint: z.string(), count: z.number(), limit: z.number().optional() })),
  }),
});

/** A plan as a file's text, with the bodies that it writes and no key. */
export function printPlanFile({ environment, plan }: PlanFile): string {
  return `${JSON.stringify({ lettershopPlan: 1, environment, plan }, null, 1)}\n`;
}

/**
 * Reads what `printPlanFile` wrote.
 *
 * @throws {PlanFileError} The text is no plan, one of another version, or was changed by hand.
 */
export function parsePlanFile(text: string, file: string): PlanFile {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (cause) {
    throw new PlanFileError(`${file} is not a plan: it is not JSON.`, { cause });
  }
  const parsed = planFile.safeParse(document);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new PlanFileError(`${file} is not a plan that can be applied: ${issue?.path.join(".")}: ${issue?.message}.`, {
    hint: "Write it anew with: templates sync --out FILE",
  });
}
