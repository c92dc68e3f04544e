import { z } from "zod";
import { outcomeSchema } from "../delivery/deliveries.js";
import { readControl } from "../http/read-control.js";
import { isRecord } from "../../values.js";

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
