import type { Diagnostic, Severity } from "../diagnostic.js";
import { ConfigurationError } from "../errors.js";
import { nearest } from "../text/nearest.js";
import { matchesPattern } from "../text/pattern.js";
import type { RuleInfo } from "./rule.js";
import { currentRule, formerRule, idInGroup, RULES } from "./catalogue.js";

export type Level = Severity | "off";

type Levels = Readonly<Record<string, Level>>;

/** The levels in the configuration: its `check.rules` and `check.overrides`. */
export interface SeverityConfig {
  readonly rules: Levels;
  readonly overrides: readonly { readonly templates: string | readonly string[]; readonly rules: Levels }[];
}

/**
 * Replaces patterns, and ids of the previous version, by the ids that they mean, and adds the rules that are off by default.
 *
 * @param known The ids of all rules.
 * @param only The rules named by the command, which are then not off by default.
 */
export function withEachId<Config extends SeverityConfig & { readonly extends: "recommended" | "all" }>(
  config: Config,
  known: readonly string[],
  only?: ReadonlySet<string>,
): Config {
  const optional = config.extends === "all" ? [] : RULES.filter(({ id, isOptional }) => isOptional && !only?.has(id));
  return {
    ...config,
    rules: { ...Object.fromEntries(optional.map(({ id }) => [id, "off"])), ...levelsById(config.rules, known) },
    overrides: config.overrides.map(({ templates, rules }) => ({ templates, rules: levelsById(rules, known) })),
  };
}

/** A rule's own id takes precedence over patterns. */
function levelsById(rules: Levels, known: readonly string[]): Levels {
  const levels = Object.entries(rules);
  const byPattern = levels.flatMap(([name, level]) =>
    name.includes("*") ? idsFor(name, known).map((id) => [id, level] as const) : [],
  );
  const byFormerId = levels.flatMap(([name, level]) => (formerRule(name) ? [[currentRule(name), level] as const] : []));
  const byId = levels.filter(([name]) => !name.includes("*") && !formerRule(name));
  return Object.fromEntries([...byPattern, ...byFormerId, ...byId]);
}

/** `links/*` matches a group, `variable-*` all ids that begin with it. */
function idsFor(pattern: string, known: Iterable<string>): string[] {
  return [...known].filter((id) => matchesPattern(pattern, pattern.includes("/") ? idInGroup(id) : id));
}

/** The configured level of a rule for a template; undefined if there is none. */
export function levelOf({ rule, template }: Pick<Diagnostic, "rule" | "template">, config: SeverityConfig) {
  const overrides = config.overrides.filter(
    ({ templates }) =>
      template !== undefined && [templates].flat().some((pattern) => matchesPattern(pattern, template)),
  );
  return [config, ...overrides].findLast(({ rules }) => Object.hasOwn(rules, rule))?.rules[rule];
}

/** Whether the configuration turns a rule off, for some templates or for all. */
export function isOff(rule: string, { rules, overrides }: SeverityConfig): boolean {
  return [{ rules }, ...overrides].some((each) => Object.hasOwn(each.rules, rule) && each.rules[rule] === "off");
}

/** Whether a rule is off for every template, so that it need not run. */
export function isOffEverywhere(rule: string, { rules, overrides }: SeverityConfig): boolean {
  return isOff(rule, { rules, overrides: [] }) && !overrides.some((each) => Object.hasOwn(each.rules, rule));
}

/**
 * Applies the configured levels and drops what is turned off. An error that keeps a template
 * from compiling stays an error.
 */
export function applySeverities(
  diagnostics: readonly Diagnostic[],
  config: SeverityConfig,
  binding: ReadonlySet<Diagnostic>,
): Diagnostic[] {
  return diagnostics.flatMap((diagnostic) => {
    const level = levelOf(diagnostic, config);
    if (level === undefined || level === diagnostic.severity) return [diagnostic];
    if (binding.has(diagnostic))
      return [{ ...diagnostic, hint: diagnostic.hint ? `${diagnostic.hint} ${NOTE}` : NOTE }];
    return level === "off" ? [] : [{ ...diagnostic, severity: level }];
  });
}

const NOTE = "The configuration can't lower this level, because nothing else can be checked until it is fixed.";

/**
 * Rejects unknown rule ids, and custom rules whose id is taken.
 *
 * @throws {ConfigurationError} Lists all problems.
 */
export function checkRuleIds(
  config: SeverityConfig & { readonly custom: readonly RuleInfo[] },
  builtIn: readonly RuleInfo[],
): void {
  const taken = new Set(builtIn.map(({ id }) => id));
  const problems: string[] = [];
  config.custom.forEach(({ id }, index) => {
    if (taken.has(id)) problems.push(`check.custom.${index}: a rule "${id}" already exists`);
    taken.add(id);
  });
  for (const [place, id] of rulesNamedIn(config))
    if (id.includes("*")) {
      if (idsFor(id, taken).length === 0) problems.push(`${place}: no rule matches this pattern`);
    } else if (!taken.has(id) && !formerRule(id)) problems.push(`${place}: ${unknownRule(id, taken)}`);
  if (problems.length > 0) throw new ConfigurationError(["The configuration is not valid:", ...problems].join("\n  "));
}

function rulesNamedIn({ rules, overrides }: SeverityConfig): (readonly [place: string, id: string])[] {
  return [
    ...Object.keys(rules).map((id) => [`check.rules.${id}`, id] as const),
    ...overrides.flatMap((override, index) =>
      Object.keys(override.rules).map((id) => [`check.overrides.${index}.rules.${id}`, id] as const),
    ),
  ];
}

/** Notes on ids of the previous version in the configuration. */
export function formerRulesNamed(config: SeverityConfig, configFile: string | undefined): Diagnostic[] {
  const at = configFile === undefined ? {} : { at: { file: configFile } };
  return rulesNamedIn(config).flatMap(([place, id]): Diagnostic[] => {
    const former = formerRule(id);
    if (!former) return [];
    return [{ ...former, rule: "unused-silence", severity: "info", message: `${place}: ${former.message}`, ...at }];
  });
}

/**
 * Findings about names and patterns in `check.overrides` that match no template.
 *
 * @param names The names of all templates.
 */
export function unusedOverrides(
  { overrides }: SeverityConfig,
  names: Iterable<string>,
  configFile: string | undefined,
): Diagnostic[] {
  const all = [...names];
  const at = configFile === undefined ? {} : { at: { file: configFile } };
  const patterns = overrides.flatMap(({ templates }, index) =>
    [templates].flat().map((pattern) => ({ pattern, index })),
  );
  return patterns
    .filter(({ pattern }) => !all.some((name) => matchesPattern(pattern, name)))
    .map(({ pattern, index }) => {
      const near = nearest(pattern, all);
      const question = near === undefined ? "" : ` (did you mean ${near}?)`;
      const message = `check.overrides.${index} of the configuration is for "${pattern}", but no template matches${question}.`;
      return {
        rule: "unused-silence",
        severity: "warning",
        message,
        ...at,
        hint: "Fix the name, or remove the override.",
      };
    });
}

/** "there is no such rule; did you mean image-alt?" */
export function unknownRule(id: string, known: Iterable<string>): string {
  const former = formerRule(id);
  if (former) return former.message;
  const near = nearest(id, known);
  return `there is no such rule${near === undefined ? "" : `; did you mean ${near}?`}`;
}
