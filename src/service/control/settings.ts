import { z } from "zod";
import { outcomeSchema } from "../delivery/outcome.js";
import { readControl } from "./read.js";

/** A thousand years: what is no mistake of units. */
export const DURATION_MAX_MS = 1_000 * 365 * 24 * 60 * 60 * 1_000;

const mustacheSchema = z.strictObject({
  /** Whether a section over the number 0 is shown. Default false. */
  zeroIsShown: z.boolean().default(false),
  /** Whether a section over an empty text is shown. Default false. */
  emptyTextIsShown: z.boolean().default(false),
  /** Whether a name that the innermost context does not have is looked for in those around it. Default true. */
  contextFallback: z.boolean().default(true),
  /** Whether `{{name}}` is escaped in a subject as it is in html. Default false. */
  escapeSubject: z.boolean().default(false),
  /** The same for text bodies. Default false. */
  escapeText: z.boolean().default(false),
});

const settingsSchema = z.strictObject({
  /** How many milliseconds of the service's clock pass before a new entry shows in the log. Default 0. */
  logDelayMs: z.int().min(0).max(DURATION_MAX_MS).default(0),
  /**
   * Whether bodies of templates are stored otherwise than they were sent: line ends as LF, no spaces at ends of lines,
   * one line end at the end. Default false.
   */
  normaliseBodies: z.boolean().default(false),
  /** How the service reads Mustache, where engines differ. */
  mustache: mustacheSchema.prefault({}),
  /** What becomes of mails, by the recipient's whole address; it comes before what an address itself says. */
  outcomes: z.record(z.string(), outcomeSchema).default({}),
});

/** How Mustache is read. */
export type MustacheDialect = Readonly<z.output<typeof mustacheSchema>>;

/** What a test can choose about the service while it runs. */
export type SettingsValues = Readonly<z.output<typeof settingsSchema>>;

/** What is to change: of `mustache` the members that are there, everything else as a whole. */
export interface SettingsChanges extends Omit<Partial<SettingsValues>, "mustache"> {
  readonly mustache?: Partial<MustacheDialect>;
}

/** What a test can choose about the service while it runs; as it was when the service starts. */
export interface Settings {
  get(): SettingsValues;
  /**
   * Changes what is given.
   *
   * @example
   * service.settings.set({ logDelayMs: 5_000, outcomes: { "ada@example.com": "hard-bounce" } });
   *
   * @throws ControlError for a setting or a value that there is not.
   */
  set(changes: SettingsChanges): SettingsValues;
  /** Back to the defaults. */
  reset(): SettingsValues;
}

const names = [...Object.keys(settingsSchema.shape), ...Object.keys(mustacheSchema.shape)];

export function createSettings(): Settings {
  const defaults: SettingsValues = settingsSchema.parse({});
  let current = defaults;
  return {
    get: () => current,
    set(changes) {
      const given = isObject(changes.mustache) ? { mustache: { ...current.mustache, ...changes.mustache } } : {};
      return (current = readControl(settingsSchema, { ...current, ...changes, ...given }, names));
    },
    reset: () => (current = defaults),
  };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
