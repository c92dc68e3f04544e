import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  pickedCompletion,
} from "@codemirror/autocomplete";
import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { VariablesSchema } from "../../../src/mustache/variables.js";
import { describeKind } from "../schema/check.js";
import { blankValue } from "../schema/ways.js";
import { itemSchema, kindOf, memberSchema, resolve, valuesOf, branchesOf } from "../schema/resolve.js";

type SyntaxNode = ReturnType<typeof syntaxTree>["topNode"];

/** Completes members and values that the schema allows at the cursor. */
export function completeJson(schema: VariablesSchema) {
  return (context: CompletionContext): CompletionResult | null => {
    const { state, pos } = context;
    const tree = ensureSyntaxTree(state, state.doc.length, READ_MS) ?? syntaxTree(state);
    const innermost = tree.resolveInner(pos, -1);
    // An error node stands for missing syntax, so its parent counts.
    const node = innermost.name === "⚠" ? innermost.parent : innermost;
    if (!node) return null;
    const from = node.name === "String" ? node.from : wordStart(context);
    const place = { state, schema, from, rest: restOfWord(from, context), context };
    if (node.name === "PropertyName") {
      const rest = state.sliceDoc(pos, Math.max(node.to, pos + place.rest.length));
      return members(node, { ...place, from: node.from, rest });
    }
    if (node.name === "Object") return members(node, place);
    const list = [node, node.parent].find((each) => each?.name === "Array");
    if (list) return values([...pathOf(list, state), 0], place);
    const property = [node, node.parent].find((each) => each?.name === "Property");
    const name = property?.getChild("PropertyName");
    return property && name && pos > name.to ? values(pathOf(property, state), place) : null;
  };
}

/** Maximum time in ms to wait for the text to be parsed to its end. */
const READ_MS = 200;

interface Place {
  readonly state: EditorState;
  readonly schema: VariablesSchema;
  readonly from: number;
  /** Text after the cursor that is replaced too. Completions are filtered only by the text before the cursor. */
  readonly rest: string;
  readonly context: CompletionContext;
}

function wordStart(context: CompletionContext): number {
  return context.matchBefore(/["\w.-]*/)?.from ?? context.pos;
}

/** Up to the closing quote, which the editor inserts by itself. */
function restOfWord(from: number, { state, pos }: CompletionContext): string {
  if (state.sliceDoc(from, from + 1) !== '"') return "";
  const [rest = ""] = /^[\w.-]*"/.exec(state.sliceDoc(pos, state.doc.lineAt(pos).to)) ?? [];
  return rest;
}

/** Inserts a member or a value, with the commas it needs before and after it. */
function inserting(text: string, rest: string) {
  return (view: EditorView, completion: Completion, from: number, typedTo: number): void => {
    // The user may have typed the closing quote meanwhile.
    const isBehind = view.state.sliceDoc(typedTo, typedTo + rest.length) === rest;
    const to = isBehind ? typedTo + rest.length : typedTo;
    const before = view.state.sliceDoc(0, from).trimEnd();
    const isBehindOther = before !== "" && !/[{[,:]$/.test(before);
    const isBeforeOther = /^\s*[^\s,}\]:]/.test(view.state.sliceDoc(to));
    view.dispatch({
      changes: [
        ...(isBehindOther ? [{ from: before.length, insert: "," }] : []),
        { from, to, insert: isBeforeOther ? `${text},` : text },
      ],
      selection: { anchor: from + text.length + Number(isBehindOther) },
      userEvent: "input.complete",
      annotations: pickedCompletion.of(completion),
    });
  };
}

function members(node: SyntaxNode, { state, schema, from, rest, context }: Place): CompletionResult | null {
  const object = node.name === "Object" ? node : node.parent?.parent;
  if (!object || (!context.explicit && from === context.pos)) return null;
  const end = context.pos + rest.length;
  const isNamed = /^\s*:/.test(state.sliceDoc(end, end + 20));
  const taken = object
    .getChildren("Property")
    .filter((each) => each !== node.parent)
    .map((each) => nameOf(each, state));
  const options = placesAt(pathOf(object, state), schema).flatMap((way) =>
    Object.entries(way.properties ?? {})
      .filter(([name]) => !taken.includes(name))
      .map(([name, part]): Completion => {
        const { description } = resolve(part, schema);
        return {
          label: JSON.stringify(name),
          detail: branchesOf(part, schema).map(describeKind).filter(Boolean).join(" or "),
          boost: way.required?.includes(name) ? 1 : 0,
          apply: inserting(
            isNamed ? JSON.stringify(name) : `${JSON.stringify(name)}: ${JSON.stringify(blankValue(part, schema))}`,
            rest,
          ),
          info: description,
        };
      }),
  );
  return options.length === 0 ? null : { from, options: unique(options), validFor: /^["\w.-]*$/ };
}

function values(path: Path, { schema, from, rest, context }: Place): CompletionResult | null {
  const options = placesAt(path, schema).flatMap((way): Completion[] => {
    const kind = kindOf(way);
    if (kind === "choice") return valuesOf(way).map((value) => ({ label: JSON.stringify(value), type: "enum" }));
    if (kind === "boolean") return [{ label: "true" }, { label: "false" }];
    if (kind === "null") return [{ label: "null" }];
    return from === context.pos ? [{ label: JSON.stringify(blankValue(way, schema)), detail: describeKind(way) }] : [];
  });
  const applied = unique(options).map((option) => ({ ...option, apply: inserting(option.label, rest) }));
  return options.length === 0 ? null : { from, options: applied, validFor: /^["\w.-]*$/ };
}

function unique(options: readonly Completion[]): Completion[] {
  return [...new Map(options.map((option) => [option.label, option])).values()];
}

type Path = readonly (string | number)[];

/** The path of member names and indexes to a node. */
function pathOf(node: SyntaxNode, state: EditorState): Path {
  const path: (string | number)[] = [];
  for (let at: SyntaxNode | null = node; at; at = at.parent) {
    if (at.name === "Property") path.unshift(nameOf(at, state));
    else if (at.parent?.name === "Array") path.unshift(indexOf(at));
  }
  return path;
}

function indexOf(node: SyntaxNode): number {
  let index = 0;
  for (let at = node.prevSibling; at; at = at.prevSibling) if (at.name !== "[" && at.name !== "⚠") index += 1;
  return index;
}

function nameOf(property: SyntaxNode, state: EditorState): string {
  const name = property.getChild("PropertyName");
  const text = name ? state.sliceDoc(name.from, name.to) : "";
  try {
    return String(JSON.parse(text));
  } catch {
    return text.replaceAll('"', "");
  }
}

/** The schema branches for a value at a path. */
function placesAt(path: Path, root: VariablesSchema): readonly VariablesSchema[] {
  return path.reduce<readonly VariablesSchema[]>(
    (ways, step) =>
      ways.flatMap((way) => {
        const part = typeof step === "number" ? itemSchema(way, step) : memberSchema(way, step);
        return part ? branchesOf(part, root) : [];
      }),
    branchesOf(root, root),
  );
}
