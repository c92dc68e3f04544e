import type { Diagnostic } from "../../diagnostic.js";
import { currentRule, formerRuleNote, isFormerRule } from "../former-rules.js";
import { unknownRule } from "./severities.js";
import type { Silence } from "./silences.js";

export interface SilencingOptions {
  readonly silences: readonly Silence[];
  /** Errors that keep a template from compiling: nothing silences them. */
  readonly binding: ReadonlySet<Diagnostic>;
  /** The ids of all rules. */
  readonly known: readonly string[];
  /** Whether all was checked that a comment in this file could silence of this rule. */
  readonly isDecidable: (file: string, rule: string) => boolean;
}

/**
 * Takes out what comments silence, and adds a finding for each comment that silences nothing.
 *
 * @example
 * applySilences(found, { silences: readSilences(file, text), binding: new Set(), known: ["image-alt"], isDecidable: () => true });
 */
export function applySilences(diagnostics: readonly Diagnostic[], options: SilencingOptions): Diagnostic[] {
  const { silences, binding } = options;
  const inFile = new Map<string, Silence[]>();
  for (const each of silences) inFile.set(each.file, [...(inFile.get(each.file) ?? []), each]);

  const used = new Uses();
  const refused = new Uses();
  const kept = diagnostics.filter((diagnostic) => {
    const reaching = (inFile.get(diagnostic.at?.file ?? "") ?? []).filter((each) => reaches(each, diagnostic));
    const uses = binding.has(diagnostic) ? refused : used;
    for (const each of reaching) uses.add(each, diagnostic.rule);
    return binding.has(diagnostic) || reaching.length === 0;
  });
  const unused = silences.flatMap((each) =>
    each.misspelt !== undefined
      ? [unusedSilence(each, `This comment says "${each.misspelt}", which silences nothing`, NAME_IT)]
      : each.rules.length === 0
        ? [unusedSilence(each, "This comment names no rule", NAME_IT)]
        : each.rules.flatMap((rule) => {
            if (isFormerRule(rule)) return formerRule(each, rule);
            return used.has(each, rule) ? [] : (whyUnused(each, rule, refused.has(each, rule), options) ?? []);
          }),
  );
  return [...kept, ...unused];
}

const NAME_IT = "Write: lettershop-ignore RULE-ID: reason.";

function reaches({ rules, from, to, isFirst }: Silence, { rule, at }: Diagnostic): boolean {
  if (!rules.some((id) => currentRule(id) === rule)) return false;
  return at?.line === undefined ? isFirst : from <= at.line && at.line <= to;
}

/** Which of a comment's rules something was found for. */
class Uses {
  readonly #rules = new Map<Silence, Set<string>>();

  add(silence: Silence, rule: string): void {
    this.#rules.set(silence, (this.#rules.get(silence) ?? new Set()).add(rule));
  }

  has(silence: Silence, rule: string): boolean {
    return this.#rules.get(silence)?.has(rule) ?? false;
  }
}

function whyUnused(
  silence: Silence,
  rule: string,
  isRefused: boolean,
  { known, isDecidable }: SilencingOptions,
): Diagnostic | undefined {
  if (!known.includes(rule)) {
    const hint = /\s/.test(rule) ? "Write a colon before the reason: lettershop-ignore RULE-ID: reason." : undefined;
    return unusedSilence(silence, `This comment names "${rule}": ${unknownRule(rule, known)}`, hint);
  }
  if (isRefused) {
    const message = `A comment can't silence ${rule} here: before it is mended, nothing more can be known`;
    return unusedSilence(silence, message, "Mend it, and remove the comment.");
  }
  if (!isDecidable(silence.file, rule)) return undefined;
  const hint = `Remove it, or put it directly before the line that it is for.`;
  return unusedSilence(silence, `This comment silences ${rule}, and there is nothing to silence`, hint);
}

function formerRule({ file, at }: Silence, rule: string): Diagnostic {
  return { rule: "unused-silence", severity: "info", ...formerRuleNote(rule), at: { file, ...at } };
}

function unusedSilence({ file, at }: Silence, message: string, hint?: string): Diagnostic {
  const end = /[.?]$/.test(message) ? "" : ".";
  const place = { file, ...at };
  return { rule: "unused-silence", severity: "warning", message: message + end, at: place, ...(hint && { hint }) };
}
