import path from "node:path";
import { readFileSync, realpathSync } from "node:fs";
import { catalogue, rulePage, RULES } from "../../check/catalogue.js";
import { groupDiagnostics, selectListed } from "../report/group.js";
import { checkRuleIds, unknownRule } from "../../check/severities.js";
import { hasErrors, isFixable, type Diagnostic } from "../../diagnostic.js";
import { matchesPattern } from "../../text/pattern.js";
import { loadTemplates } from "../../project/load-templates.js";
import { UsageError, wholeNumber } from "../arguments.js";
import { checkBase } from "../base-state.js";
import { assetsToCheck } from "../assets.js";
import { withProject, workingFolder, type OpenProject } from "../project.js";
import { BASELINE_FILE, readBaseline, writeBaseline } from "../baseline.js";
import { checkProject, type CheckedProjectState, type CheckProjectOptions } from "../check-project.js";
import { defineCommand, exitCode } from "../command.js";
import { chooseFixture, selectTemplates } from "../compile-project.js";
import type { Output } from "../output.js";
import { computedTable } from "../report/computed.js";
import { countSeverities, plural, summary, type CheckReport } from "../report/check-report.js";
import { FORMATS, formats, jsonDocument } from "../report/formats.js";
import { fix } from "../../check/fix.js";
import type { Project } from "../../project/load-project.js";
import { attempt, isWithin, replaceFile } from "../../files.js";

/** Maximum number of rounds of `--fix`: a fix can make another one possible. */
const MAX_ROUNDS = 5;

const LEVELS = ["error", "warning", "info"] as const;

export const command = defineCommand({
  operands: "[names…]",
  flags: {
    format: { summary: "Output format (default pretty)", value: "FORMAT", oneOf: FORMATS },
    rule: { summary: "Run only these rules (comma-separated ids)", value: "RULES", many: true },
    level: {
      summary: "Show findings of this level and above (default warning; info unless --format is pretty)",
      value: "LEVEL",
      oneOf: LEVELS,
    },
    quiet: { summary: "Show errors only" },
    max: {
      summary: "Maximum number of findings to list (default 100; unlimited unless --format is pretty)",
      value: "N",
    },
    frames: { summary: "Show source lines and all positions of each finding (default for up to 10 findings)" },
    maxWarnings: { summary: "Fail if there are more warnings than this", value: "N" },
    explain: { summary: "Explain why a rule matters and how to fix what it reports", value: "RULE" },
    base: { summary: "Report only findings that are new since this commit", value: "GITREF" },
    writeBaseline: { summary: `Record current findings in ${BASELINE_FILE}, so that only new ones are reported` },
    fix: { summary: "Apply automatic fixes, then check again" },
    unsafe: { summary: "With --fix, also apply fixes that can change what recipients see" },
    network: { summary: "Request every link and image URL and report those that fail" },
  },
  examples: [
    "templates check",
    "templates check receipt --fix",
    "templates check --explain image-alt",
    "templates check --format github --base origin/main --max-warnings 0",
  ],
  async run({ names: patterns, flags, output }) {
    if (flags.explain !== undefined) return explain(flags.explain, output);
    if (flags.unsafe && !flags.fix) throw new UsageError("--unsafe needs --fix. Run: templates check --fix --unsafe");
    if (flags.writeBaseline && (patterns.length > 0 || flags.rule.length > 0 || flags.base !== undefined || flags.fix))
      throw new UsageError(
        "--write-baseline records the whole project. Remove template names, --rule, --base and --fix.",
      );
    const maxWarnings = wholeNumber("--max-warnings", flags.maxWarnings, 0, 1_000_000);
    const { format = "pretty" } = flags;
    const isForUser = !output.isJson && format === "pretty";
    const level = flags.quiet ? "error" : flags.level;
    const max = wholeNumber("--max", flags.max, 1, 1_000_000);
    return withProject(flags, async (open) => {
      const { folder, check: config, configFile } = open.project;
      if (flags.cwd !== undefined && realpathSync(workingFolder(flags)) !== folder)
        output.note(`${flags.cwd} has no configuration. Checking ${folder} instead.`);
      const names = namesFor(patterns, open);
      checkRuleIds(config, catalogue(RULES));
      const rules = catalogue([...RULES, ...config.custom]);
      const only = rulesNamed(
        flags.rule,
        rules.map(({ id }) => id),
      );
      const options: Omit<CheckProjectOptions, "loaded"> = {
        config,
        configFile,
        only,
        isPartial: names.length > 0,
        network: flags.network,
        assets: assetsToCheck(open.project, flags.env),
      };
      const before = flags.base === undefined ? undefined : await checkBase(flags.base, open, names, options, output);
      const baseline = before || flags.writeBaseline ? undefined : readBaseline(folder);
      const isPartial = options.isPartial || only !== undefined;
      const newIn = (checked: CheckedProjectState) =>
        before?.newIn(checked) ?? baseline?.newIn(checked, isPartial) ?? checked.diagnostics;
      const fixed: Diagnostic[] = [];
      let state = await checkNow(open, names, options);
      let newFindings = newIn(state);
      for (let round = 0; flags.fix && round < MAX_ROUNDS; round += 1) {
        const changed = writeFixes(newFindings, open.project, flags);
        if (changed.length === 0) break;
        fixed.push(...changed);
        state = await checkNow(open, names, options);
        newFindings = newIn(state);
      }
      if (flags.writeBaseline) {
        const count = writeBaseline(state, folder);
        output.print(`Wrote ${plural(count, "finding")} to ${BASELINE_FILE}. From now on, only new ones are reported.`);
        output.json({ baseline: BASELINE_FILE, findings: count });
        return exitCode.done;
      }
      const ref = before?.ref ?? (baseline && BASELINE_FILE);
      const diagnostics = groupDiagnostics(newFindings);
      const leftOut = groupDiagnostics(state.diagnostics).length - diagnostics.length;
      const report: CheckReport = {
        folder,
        diagnostics,
        shown: selectListed(diagnostics, {
          level: level ?? (isForUser ? "warning" : "info"),
          max: max ?? (isForUser ? 100 : Infinity),
        }),
        ...templatesOf(state),
        rules,
        ...(only && { only: [...only] }),
        ...(ref !== undefined && { base: { ref, known: leftOut } }),
        ...(flags.fix && { fixed: groupDiagnostics(fixed) }),
      };
      const printed = formats[format](report, output.style, flags.frames);
      if (format === "pretty") output.print(printed);
      else if (printed !== "") output.write(`${printed}\n`);
      if (isForUser && level === "info") for (const line of computedIn(state, folder)) output.print(line);
      if (!isForUser) output.note(summary(report));
      if (output.isJson) output.json(jsonDocument(report));
      const { warning } = countSeverities(report.diagnostics);
      const tooMany = maxWarnings !== undefined && warning > maxWarnings;
      if (tooMany) output.note(`Too many warnings: ${warning}. The limit set by --max-warnings is ${maxWarnings}.`);
      return hasErrors(newFindings) || tooMany ? exitCode.findings : exitCode.done;
    });
  },
});

/** The computed values of each template, with their results for its first fixture. */
function computedIn({ results }: CheckedProjectState, folder: string): string[] {
  return results.flatMap(({ name, compiled }) => {
    if (!compiled || compiled.computed.length === 0) return [];
    return [`\n${name}:`, computedTable(compiled, chooseFixture(compiled, undefined), folder)];
  });
}

function explain(rule: string, output: Output) {
  const page = rulePage(rule);
  if (page === undefined) {
    const known = catalogue(RULES).map(({ id }) => id);
    throw new UsageError(`--explain ${rule}: ${unknownRule(rule, known)}`);
  }
  output.write(page);
  output.json({ rule, page });
  return exitCode.done;
}

/** The names of the templates that match the names and patterns. */
function namesFor(patterns: readonly string[], { project }: OpenProject): readonly string[] {
  if (!patterns.some((pattern) => pattern.includes("*"))) return patterns;
  const all = [...loadTemplates(project.roots).names].toSorted();
  return patterns.flatMap((pattern) => {
    if (!pattern.includes("*")) return [pattern];
    const matching = all.filter((name) => matchesPattern(pattern, name));
    if (matching.length === 0)
      throw new UsageError(`No template matches "${pattern}".`, { hint: `Templates: ${all.join(", ") || "none yet"}` });
    return matching;
  });
}

async function checkNow(open: OpenProject, names: readonly string[], options: Omit<CheckProjectOptions, "loaded">) {
  const loaded = selectTemplates(open, names);
  const all = names.length > 0 ? names : [...loaded.names];
  return { ...(await checkProject(open, { ...options, loaded })), names: all.toSorted() };
}

function templatesOf({ results, names }: Awaited<ReturnType<typeof checkNow>>) {
  const checked = new Set(results.filter(({ compiled }) => compiled).map(({ name }) => name));
  return {
    checked: names.filter((name) => checked.has(name)),
    unchecked: names.filter((name) => !checked.has(name)),
  };
}

function rulesNamed(flags: readonly string[], known: readonly string[]): ReadonlySet<string> | undefined {
  const named = flags
    .flatMap((flag) => flag.split(","))
    .map((id) => id.trim())
    .filter((id) => id !== "");
  const unknown = named.find((id) => !known.includes(id));
  if (unknown !== undefined) throw new UsageError(`--rule ${unknown}: ${unknownRule(unknown, known)}`);
  return flags.length === 0 ? undefined : new Set(named);
}

/**
 * Applies automatic fixes to the project's files. Each file is replaced atomically.
 *
 * @param unsafe Whether to also apply fixes that can change what recipients see.
 */
function writeFixes(
  diagnostics: readonly Diagnostic[],
  project: Project,
  { unsafe }: { readonly unsafe: boolean },
): readonly Diagnostic[] {
  const fixable = diagnostics.filter((each) => isFixable(each, { unsafe }));
  const { texts, fixed } = fix(fixable, (file) => (isOwn(file, project) ? readExactly(file) : undefined));
  for (const [file, text] of texts) replaceFile(realpathSync(file), text);
  return fixed;
}

function isOwn(file: string, { folder, roots }: Project): boolean {
  return [folder, ...roots].some(
    (each) => isWithin(each, file) && !path.relative(each, file).split(path.sep).includes("node_modules"),
  );
}

/** Reads a file; undefined if it is not UTF-8, because writing it would change it. */
function readExactly(file: string): string | undefined {
  return attempt(() => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(file)));
}
