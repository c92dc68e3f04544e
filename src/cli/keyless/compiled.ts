import { z } from "zod";
import { BODY_MAX, DESCRIPTION_MAX, NAME_MAX, SUBJECT_MAX, TEMPLATE_NAME } from "../../api/limits.js";
import type { Diagnostic } from "../../diagnostic.js";
import type { VariablesContract } from "../../mustache/variables.js";
import { type CompiledTemplate, ENGINE_NAMES } from "../../project/template.js";
import { tampered } from "../../process/keyless-process.js";

/** A template that a process without keys compiled. */
export interface KeylessTemplate extends CompiledTemplate {
  /** The template's previous name in the project. */
  readonly renamedFrom?: string;
}

export interface KeylessTemplates {
  /** The templates without errors. */
  readonly templates: readonly KeylessTemplate[];
  /** From loading and from compiling. */
  readonly diagnostics: readonly Diagnostic[];
  /** The names of all requested templates, including those that could not be loaded. */
  readonly present: ReadonlySet<string>;
}

const record = z.record(z.string(), z.unknown());

/** The compiler has verified the invariants; this only checks that the value has the shape of a contract. */
export const contractSchema = z.custom<VariablesContract>(
  (value) =>
    z.object({ input: record, derived: record.optional(), conditions: z.array(record) }).safeParse(value).success,
);

export const templateName = z.string().regex(TEMPLATE_NAME).max(NAME_MAX);

const positionSchema = z.object({ file: z.string(), line: z.int().optional(), column: z.int().optional() });

/** Has a schema for each member of a type. */
type ShapeOf<Type> = { readonly [Name in keyof Required<Type>]: z.ZodType };

const templateSchema = z.object({
  name: templateName,
  description: z.string().max(DESCRIPTION_MAX),
  subject: z.string().max(SUBJECT_MAX),
  html_body: z.string().max(BODY_MAX),
  text_body: z.string().max(BODY_MAX),
  engine: z.enum(ENGINE_NAMES),
  contract: contractSchema,
  computed: z.array(z.object({ name: z.string(), at: positionSchema, source: z.string() })),
  fixtures: z.array(z.object({ name: z.string(), input: record, variables: record })),
  context: z.object({ locale: z.string(), timeZone: z.string() }),
  sources: z.array(z.string()),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  renamedFrom: templateName.optional(),
} satisfies ShapeOf<KeylessTemplate>);

/** Without edits, because a command with a key changes no templates. */
const diagnosticSchema = z.object({
  rule: z.string(),
  severity: z.enum(["error", "warning", "info"]),
  message: z.string(),
  cause: z.string().optional(),
  template: z.string().optional(),
  at: positionSchema.optional(),
  hint: z.string().optional(),
} satisfies ShapeOf<Omit<Diagnostic, "edits">>);

const compiledSchema = z.object({
  templates: z.array(templateSchema),
  diagnostics: z.array(diagnosticSchema),
  present: z.array(z.string()).transform((names) => new Set(names)),
} satisfies ShapeOf<KeylessTemplates>);

/** @throws {ConfigurationError} The value is not the compiler's output: project code wrote it. */
export function readCompiled(value: unknown): KeylessTemplates {
  const { success, data, error } = compiledSchema.safeParse(value);
  if (success) return data;
  throw tampered(error);
}
