import { z } from "zod";
import { LettershopError } from "../../errors.js";
import { nearest } from "../../text/nearest.js";
import { outcomeSchema } from "../delivery/deliveries.js";
import type { FieldErrors } from "../http/api-error.js";
import { issueMessage, placeOf } from "../http/validate.js";
import { isRecord } from "../../values.js";

/** A test requested something that the local service does not have. */
export class ControlError extends LettershopError {
  override readonly name = "ControlError";
  readonly code = "control";

  constructor(
    /** Messages by member. */
    readonly fieldErrors: FieldErrors,
  ) {
    super(Object.values(fieldErrors).flat().join("; "), {
      hint: "See docs/guides/testing.md for what can be requested.",
    });
  }
}

/**
 * Parses a control request with a schema.
 *
 * @param names Known members, to suggest one for a typo.
 * @throws ControlError with every problem.
 */
export function readControl<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  names: readonly string[],
): z.output<Schema> {
  const result = schema.safeParse(input, { error: issueMessage });
  if (result.success) return result.data;
  const messagesByField = new Map<string, string[]>();
  const add = (field: string, message: string) =>
    messagesByField.set(field, [...(messagesByField.get(field) ?? []), message]);
  for (const issue of result.error.issues) {
    const place = placeOf(issue.path);
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys) add(key, `${key} does not exist here${suggestion(key, names)}`);
    } else {
      // A custom message of the schema is a whole sentence.
      const isOwn = issue.code === "custom";
      add(String(issue.path[0] ?? "body"), isOwn ? issue.message : `${place || "the body"} ${issue.message}`);
    }
  }
  throw new ControlError(Object.fromEntries(messagesByField));
}

/** `; did you mean …?` if a known name is similar, otherwise empty. */
export function suggestion(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  return near === undefined ? "" : `; did you mean ${near}?`;
}

/** A thousand years. Anything longer is probably in the wrong unit. */
export const DURATION_MAX_MS = 1_000 * 365 * 24 * 60 * 60 * 1_000;

const mustacheSchema = z.strictObject({
  /** Whether a section over the number 0 is shown. Default false. */
  zeroIsShown: z.boolean().default(false),
  /** Whether a section over an empty string is shown. Default false. */
  emptyTextIsShown: z.boolean().default(false),
  /** Whether a name that is missing in the innermost context is looked up in the outer ones. Default true. */
  contextFallback: z.boolean().default(true),
  /** Whether `{{name}}` is escaped in a subject as it is in HTML. Default false. */
  escapeSubject: z.boolean().default(false),
  /** The same for text bodies. Default false. */
  escapeText: z.boolean().default(false),
});

const settingsSchema = z.strictObject({
  /** Delay in ms, by the service's clock, before a new entry appears in the log. Default 0. */
  logDelayMs: z.int().min(0).max(DURATION_MAX_MS).default(0),
  /**
   * Whether bodies of templates are normalised when they are stored: line ends as LF, no spaces at ends of lines, one
   * line end at the end. Default false.
   */
  normaliseBodies: z.boolean().default(false),
  /** The Mustache behaviour in which engines differ. */
  mustache: mustacheSchema.prefault({}),
  /** Outcomes by the recipient's whole address. They take precedence over outcomes in the address itself. */
  outcomes: z.record(z.string(), outcomeSchema).default({}),
});

/** Mustache behaviour. */
export type MustacheDialect = Readonly<z.output<typeof mustacheSchema>>;

/** Behaviour of the running service that a test can choose. */
export type SettingsValues = Readonly<z.output<typeof settingsSchema>>;

/** Settings to change. Members of `mustache` are merged; all others are replaced. */
export interface SettingsChanges extends Omit<Partial<SettingsValues>, "mustache"> {
  readonly mustache?: Partial<MustacheDialect>;
}

/** Behaviour of the running service that a test can choose. It has defaults after each start. */
export interface Settings {
  get(): SettingsValues;
  /**
   * Changes the given settings.
   *
   * @example
   * service.settings.set({ logDelayMs: 5_000, outcomes: { "ada@example.com": "hard-bounce" } });
   *
   * @throws ControlError for an unknown setting or an invalid value.
   */
  set(changes: SettingsChanges): SettingsValues;
  /** Restores the defaults. */
  reset(): SettingsValues;
}

const names = [...Object.keys(settingsSchema.shape), ...Object.keys(mustacheSchema.shape)];

export function createSettings(): Settings {
  const defaults: SettingsValues = settingsSchema.parse({});
  let current = defaults;
  return {
    get: () => current,
    set(changes) {
      const merged = isRecord(changes.mustache) ? { mustache: { ...current.mustache, ...changes.mustache } } : {};
      return (current = readControl(settingsSchema, { ...current, ...changes, ...merged }, names));
    },
    reset: () => (current = defaults),
  };
}
