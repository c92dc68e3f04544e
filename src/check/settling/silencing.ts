import type { Diagnostic } from "../../diagnostic.js";
import { unknownRule } from "./severities.js";
import type { Silence } from "./silences.js";

export interface SilencingOptions {
  readonly silences: readonly Silence[];
  /** Errors that keep a template from compiling, which can't be silenced. */
  readonly binding: ReadonlySet<Diagnostic>;
  /** The ids of all rules. */
  readonly known: readonly string[];
  /** Whether everything was checked that a comment in this file could silence for this rule. */
  readonly isDecidable: (file: string, rule: string) => boolean;
}

/**
 * Drops what comments silence, and adds a finding for each comment that silences nothing.
 *
 * @example
 * applySilences(found, { silences: readSilences(file, text), binding: new Set(), known: ["image-alt"], isDecidable: () => true });
 */
export function applySilences(diagnostics: readonly Diagnostic[], options: SilencingOptions): Diagnostic[] {
  const { silences, binding } = options;
  const used = new Set<Silence>();
  const refused = new Set<Silence>();
  const kept = diagnostics.filter((diagnostic) => {
    const reaching = silences.filter((each) => reaches(each, diagnostic));
    const isBinding = binding.has(diagnostic);
    for (const each of reaching) (isBinding ? refused : used).add(each);
    return isBinding || reaching.length === 0;
  });
  const unused = silences.flatMap((silence): Diagnostic[] => {
    const why = used.has(silence) ? undefined : whyUnused(silence, refused.has(silence), options);
    if (!why) return [];
    return [{ rule: "unused-silence", severity: "warning", at: { file: silence.file, ...silence.at }, ...why }];
  });
  return [...kept, ...unused];
}

function reaches({ file, rule, from, to, isFirst }: Silence, { rule: found, at }: Diagnostic): boolean {
  if (rule !== found || file !== at?.file) return false;
  return at.line === undefined ? isFirst : from <= at.line && at.line <= to;
}

function whyUnused(
  { file, rule, problem }: Silence,
  isRefused: boolean,
  { known, isDecidable }: SilencingOptions,
): Pick<Diagnostic, "message" | "hint"> | undefined {
  if (problem !== undefined) return { message: problem, hint: "Write: lettershop-ignore RULE-ID: reason." };
  if (!known.includes(rule)) {
    const message = `This comment names "${rule}": ${unknownRule(rule, known)}`.replace(/(?<!\?)$/, ".");
    const hint = "Write a colon before the reason: lettershop-ignore RULE-ID: reason.";
    return /\s/.test(rule) ? { message, hint } : { message };
  }
  if (isRefused)
    return {
      message: `A comment can't silence ${rule} here, because nothing else can be checked until it is fixed.`,
      hint: "Fix it, and remove the comment.",
    };
  if (!isDecidable(file, rule)) return undefined;
  return {
    message: `This comment silences ${rule}, but there is nothing to silence.`,
    hint: `Remove it, or move it directly above the line it is for.`,
  };
}
