import path from "node:path";
import type { SourcePosition } from "../../diagnostic.js";
import { typeInWords } from "../../registry/print-type.js";
import type { ExplainedVariable, VariablesExplanation } from "../../render/explain-variables.js";
import { table } from "./table.js";

/** Explains where the type of each variable comes from, as lines for the terminal. */
export function explanationInWords(template: string, explanation: VariablesExplanation, folder: string): string[] {
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
export function explanationAsJson(template: string, explanation: VariablesExplanation): object {
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
