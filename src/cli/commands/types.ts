import { mkdir, rm, rmdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { type Diagnostic, hasErrors, type SourcePosition } from "../../diagnostic.js";
import { compareRegistry, describeChange } from "../../registry/compare.js";
import { type ExplainedVariable, explainVariables, type VariablesExplanation } from "../../render/explain-variables.js";
import { defineCommand, type ExitCode, exitCode } from "../command.js";
import { computedAsJson, computedTable } from "../report/computed.js";
import { countDiagnostics, prettyDiagnostics } from "../report/diagnostics.js";
import { chooseFixture, compileProject } from "../compile-project.js";
import type { Output } from "../output.js";
import { compileContext, type OpenProject, withProject } from "../project.js";
import { type RegistryFile, registryFiles } from "../registry-files.js";
import { typeInWords } from "../../registry/print-type.js";
import { plural } from "../report/check-report.js";
import { table } from "../report/table.js";

/** Explains where the type of each variable comes from, as lines for the terminal. */
function explanationInWords(template: string, explanation: VariablesExplanation, folder: string): string[] {
  const { variables, gaps } = explanation;
  const place = ({ file, line }: SourcePosition): string =>
    `${path.relative(folder, file)}${line === undefined ? "" : `:${line}`}`;
  const rows = variables.map((variable) => [
    `${variable.name}${variable.isRequired ? "" : "?"}`,
    shortened(variable.schema ? typeInWords(variable.schema) : "unknown"),
    originInWords(variable, place),
  ]);
  return [
    `${template}: ${sourceInWords(explanation, place)}`,
    ...(rows.length > 0
      ? [
          "",
          ...table([["VARIABLE", "TYPE", "FROM"], ...rows])
            .split("\n")
            .map((line) => `  ${line}`),
        ]
      : []),
    ...(gaps.length > 0 ? ["", "  Parts of the type that could not be read:"] : []),
    ...gaps.map(({ at, unread }) => `  ${place(at)}: ${unread}`),
  ];
}

/** The explanation for `--json`. */
function explanationAsJson(template: string, explanation: VariablesExplanation): object {
  const { variables, ...others } = explanation;
  return {
    template,
    ...others,
    variables: variables.map(({ schema, ...variable }) => ({
      ...variable,
      ...(schema && { type: typeInWords(schema), schema }),
    })),
  };
}

type Place = (at: SourcePosition) => string;

function sourceInWords({ source, at, unread }: VariablesExplanation, place: Place): string {
  if (source === "variables.ts") return `the schema in ${at ? place(at) : source}`;
  if (source === "type") return `the type of the component's props${at ? `, ${place(at)}` : ""}`;
  if (unread === undefined) return "inferred from the fixtures and the tags";
  return `inferred from the fixtures and the tags. The type of the component's props can't be read: ${unread}${at ? ` (${place(at)})` : ""}.`;
}

function originInWords({ source, at, unread, fixtures = [] }: ExplainedVariable, place: Place): string {
  const where = at ? place(at) : source;
  if (source === "variables.ts" || source === "type") return where;
  const from = {
    use: "inferred from its use",
    fixtures: `inferred from the ${fixtures.length === 1 ? "fixture" : "fixtures"} ${fixtures.join(", ")}`,
    nothing: "not used",
  }[source];
  return unread === undefined ? from : `${from}; the type at ${where} can't be used: ${unread}`;
}

function shortened(type: string): string {
  return type.length > LONGEST_TYPE ? `${type.slice(0, LONGEST_TYPE)}…` : type;
}

const LONGEST_TYPE = 40;

export const command = defineCommand({
  flags: {
    bodies: { summary: 'Also write the compiled bodies, for mailers with render: "local"; later runs do so too' },
    check: { summary: "Write nothing; show what would change for callers, and exit with 1 if a file is out of date" },
    explain: {
      summary: "Write nothing; explain the type of each of this template's variables",
      value: "NAME",
    },
  },
  examples: [
    "templates types",
    "templates types --bodies",
    "templates types --check",
    "templates types --explain receipt",
  ],
  async run({ flags, output }) {
    return withProject(flags, async (open) => {
      const { project } = open;
      if (flags.explain !== undefined) return explain(flags.explain, open, output);
      const compiled = await compileProject(open, []);
      const { diagnostics } = compiled;
      const isBroken = hasErrors(diagnostics);
      if (isBroken) output.note(`${prettyDiagnostics(diagnostics, project.folder, output.style)}\n`);
      // An error that isn't about one template may affect any of them.
      if (hasErrors(diagnostics.filter(({ template }) => template === undefined))) {
        output.note(`The registry was not written: ${countDiagnostics(diagnostics)}.`);
        output.json({ file: project.registryFile, written: false, diagnostics });
        return exitCode.findings;
      }
      const { registry, imported, kept, missing } = await registryFiles(compiled, project, flags.bodies);
      const errors = isBroken ? { diagnostics, kept, missing } : {};
      const { changes } = compareRegistry(registry.before, registry.text);
      const outdated = [registry, ...(await imported())].filter((each) => !isUpToDate(each));
      const files = outdated.map(({ file }) => file);

      for (const line of changes.flatMap(describeChange)) output.print(`  ${line}`);
      if (flags.check) {
        output.print(
          files.length === 0 ? upToDate(registry.file) : `${verdict(outdated)}. Run: ${runAgain(flags.bodies)}`,
        );
        if (isBroken) output.note(brokenInWords(kept, missing, diagnostics));
        output.json({ file: registry.file, upToDate: files.length === 0, outdated: files, changes, ...errors });
        return files.length === 0 && !isBroken ? exitCode.done : exitCode.findings;
      }
      for (const each of outdated) await write(each);
      output.print(files.length === 0 ? upToDate(registry.file) : report(outdated));
      if (isBroken) output.note(brokenInWords(kept, missing, diagnostics));
      output.json({ file: registry.file, written: files.length > 0, outdated: files, changes, ...errors });
      return isBroken ? exitCode.findings : exitCode.done;
    });
  },
});

async function explain(name: string, open: OpenProject, output: Output): Promise<ExitCode> {
  const { folder } = open.project;
  const { results, diagnostics } = await compileProject(open, [name]);
  const [result] = results;
  const explanation = result && (await explainVariables(result, compileContext(open)));
  if (explanation) for (const line of explanationInWords(name, explanation, folder)) output.print(line);
  const { compiled } = result ?? {};
  const fixture = compiled && chooseFixture(compiled, undefined);
  const computed = compiled && fixture ? computedTable(compiled, fixture, folder) : "";
  if (computed !== "") output.print(`\n${computed.replaceAll(/^/gm, "  ")}`);
  if (explanation)
    output.json({
      ...explanationAsJson(name, explanation),
      ...(compiled && fixture && { computed: computedAsJson(compiled, fixture, folder) }),
    });
  else output.json({ template: name, diagnostics });
  if (!hasErrors(diagnostics)) return exitCode.done;
  output.note(`\n${prettyDiagnostics(diagnostics, folder, output.style)}`);
  return exitCode.findings;
}

/** A template that does not compile keeps its types in the registry, so that applications still compile. */
function brokenInWords(
  kept: readonly string[],
  missing: readonly string[],
  diagnostics: readonly Diagnostic[],
): string {
  return [
    ...(kept.length > 0 ? [`Unchanged in the registry, because they don't compile: ${kept.join(", ")}.`] : []),
    ...(missing.length > 0 ? [`Not in the registry, because they don't compile: ${missing.join(", ")}.`] : []),
    `${countDiagnostics(diagnostics)}.`,
  ].join("\n");
}

/** Ignores line endings. */
function isUpToDate({ text, before }: RegistryFile): boolean {
  return text?.replaceAll("\r\n", "\n") === before?.replaceAll("\r\n", "\n");
}

async function write({ file, text }: RegistryFile): Promise<void> {
  if (text === undefined) {
    await rm(file, { force: true });
    // Fails if the folder still contains other files.
    await rmdir(path.dirname(file)).catch(() => undefined);
    return;
  }
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

function upToDate(file: string): string {
  return `${displayPath(file)} is up to date.`;
}

function verdict([first, ...others]: readonly RegistryFile[]): string {
  if (first === undefined) return "";
  const what = first.before === undefined ? "missing" : first.text === undefined ? "no longer needed" : "out of date";
  return `${displayPath(first.file)} is ${what}${others.length === 0 ? "" : `, and ${others.length} more`}`;
}

function runAgain(bodies: boolean): string {
  return bodies ? "templates types --bodies" : "templates types";
}

function report(outdated: readonly RegistryFile[]): string {
  const [first, ...others] = outdated.filter(({ text }) => text !== undefined);
  const deleted = outdated.filter(({ text }) => text === undefined).length;
  const written =
    first && `Wrote ${displayPath(first.file)}${others.length === 0 ? "" : ` and ${others.length} more`}.`;
  return [written, deleted === 0 ? undefined : `Deleted ${plural(deleted, "file")} no longer needed.`]
    .filter((each) => each !== undefined)
    .join(" ");
}

function displayPath(file: string): string {
  return path.relative(process.cwd(), file) || file;
}
