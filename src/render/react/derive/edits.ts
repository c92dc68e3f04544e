import type { ESTree } from "../../../process/rolldown.js";
import { childrenOf, declarationsIn, declaratorsIn, type FunctionNode, isFunction } from "../ast.js";
import { annotationOf, type ParsedModule, type ProjectModules } from "./modules.js";
import { receivesVariables } from "./scope.js";
/** A change to a module that lets a component read what `derive` returns. */
export type SourceEdit =
  /** Replaces the range with another text; an empty range is an insertion. */
  | {
      readonly kind: "replace";
      readonly file: string;
      readonly start: number;
      readonly end: number;
      readonly text: string;
    }
  /** Adds a name to a destructuring pattern at offset `at`; `before` and `after` are the separators. */
  | {
      readonly kind: "name";
      readonly file: string;
      readonly at: number;
      readonly name: string;
      readonly before: string;
      readonly after: string;
    }
  /** Turns an item that was a string or a number into an object with that as its value. */
  | {
      readonly kind: "item";
      readonly file: string;
      readonly start: number;
      readonly end: number;
      readonly item: string;
      readonly name: string;
    };

/** Lines of a file, and their replacement. */
export interface LineChange {
  readonly file: string;
  /** Starts at 1. */
  readonly first: number;
  readonly last: number;
  readonly text: string;
}

interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Converts edits to changes of whole lines, in order, for each file. */
export function lineChanges(edits: readonly SourceEdit[], sources: ReadonlyMap<string, string>): LineChange[] {
  const files = [...new Set(edits.map(({ file }) => file))];
  return files.flatMap((file) => {
    const own = edits.filter((edit) => edit.file === file);
    return changesOf(file, sources.get(file) ?? "", replacementsOf(own));
  });
}

function replacementsOf(edits: readonly SourceEdit[]): Replacement[] {
  const byKey = new Map<string, Replacement>();
  for (const edit of edits) {
    if (edit.kind === "replace") byKey.set(`${edit.start} ${edit.end} ${edit.text}`, edit);
    else if (edit.kind === "name") {
      const { at, name, before, after } = edit;
      byKey.set(`${at} ${name}`, { start: at, end: at, text: before + name + after });
    } else {
      const key = `item ${edit.start}`;
      const names = byKey.get(key)?.text.slice(0, -2) ?? `{ value: ${edit.item}`;
      const text = names.split(", ").includes(edit.name) ? names : `${names}, ${edit.name}`;
      byKey.set(key, { start: edit.start, end: edit.end, text: `${text} }` });
    }
  }
  const all = [...byKey.values()].sort((a, b) => a.start - b.start || a.end - b.end);
  // Edits within a range that is replaced as a whole are dropped.
  return all.filter((one) => !all.some((other) => other !== one && isWithin(one, other)));
}

function isWithin(one: Replacement, other: Replacement): boolean {
  if (one.start === other.start && one.end === other.end) return false;
  return other.start <= one.start && one.end <= other.end && other.start < other.end && one.start < other.end;
}

function changesOf(file: string, source: string, replacements: readonly Replacement[]): LineChange[] {
  const changes: LineChange[] = [];
  let group: Replacement[] = [];
  const lineEnd = (offset: number): number => {
    const end = source.indexOf("\n", offset);
    return end < 0 ? source.length : end;
  };
  const finish = (): void => {
    const [first, last] = [group[0], group.at(-1)];
    if (!first || !last) return;
    const start = source.lastIndexOf("\n", first.start - 1) + 1;
    const end = lineEnd(last.end);
    let text = "";
    let from = start;
    for (const { start: at, end: to, text: written } of group) {
      text += source.slice(from, at) + written;
      from = to;
    }
    text = (text + source.slice(from, end)).replace(/\r$/, "");
    changes.push({ file, first: lineOf(source, start), last: lineOf(source, end), text });
    group = [];
  };
  for (const replacement of replacements) {
    const last = group.at(-1);
    if (last && replacement.start > lineEnd(last.end)) finish();
    group.push(replacement);
  }
  finish();
  return changes;
}

function lineOf(source: string, offset: number): number {
  return source.slice(0, offset).split("\n").length;
}

/** Changes the type of the component's props: derived variables replace passed ones. */
export function derivedTypes(file: string, modules: ProjectModules): SourceEdit[] {
  const module = modules.module(file);
  if (!module) return [];
  return functionsIn(module.program)
    .filter((component) => receivesVariables(component, module.program))
    .flatMap((component) => {
      const [parameter] = component.params;
      return parameter ? derivedType(component, parameter, module) : [];
    });
}

/** Top-level functions. */
function functionsIn(node: ESTree.Node): FunctionNode[] {
  return isFunction(node) ? [node] : childrenOf(node).flatMap(functionsIn);
}

function derivedType(component: FunctionNode, parameter: ESTree.Node, module: ParsedModule): SourceEdit[] {
  const { file, code, program } = module;
  const annotation = annotationOf(parameter) ?? typeOfComponent(component, program);
  if (!annotation) return [];
  const { start, end } = annotation;
  const type = code.slice(start, end);
  if (/\bDerived\b/.test(type)) return [];
  return [
    { kind: "replace", file, start, end, text: `Omit<${type}, keyof Derived> & Derived` },
    {
      kind: "replace",
      file,
      start: 0,
      end: 0,
      text: `import type { Derived } from "${VARIABLES}${extension(program)}";\n`,
    },
  ];
}

const VARIABLES = "./variables";

/** Follows the module's other imports. */
function extension({ body }: ESTree.Program): string {
  const imports = body.flatMap((each) => (each.type === "ImportDeclaration" ? [each.source.value] : []));
  const own = imports.filter((each) => each.startsWith("."));
  return own.length > 0 && !own.some((each) => /\.[jt]sx?$/.test(each)) ? "" : ".js";
}

/** `Props` in `const Email: FC<Props> = (props) => …`. */
function typeOfComponent(component: FunctionNode, program: ESTree.Program): ESTree.Node | undefined {
  const declared = declaratorsIn(program).find(({ init }) => init === component);
  const type = declared && annotationOf(declared.id);
  return type?.type === "TSTypeReference" ? type.typeArguments?.params[0] : undefined;
}

/** Adds a member to the type of a parameter's member. */
export function typeOfItem(
  parameter: ESTree.Node,
  path: readonly string[],
  member: string,
  { file, program }: ParsedModule,
): SourceEdit[] {
  const annotation = annotationOf(parameter);
  if (!annotation) return [];
  const { type, path: rest } = typeOfMember(annotation, path, program);
  const added = rest.reduceRight((inner, name) => `${name}: { ${inner} }`, member);
  const isUnion = type.type === "TSUnionType";
  return [
    ...(isUnion ? [{ kind: "name", file, at: type.start, name: "(", before: "", after: "" } as const] : []),
    { kind: "name", file, at: type.end, name: `{ ${added} }`, before: `${isUnion ? ")" : ""} & `, after: "" },
  ];
}

/** The type of a member, as far as it is declared in the module. */
function typeOfMember(
  type: ESTree.Node,
  path: readonly string[],
  program: ESTree.Program,
): { readonly type: ESTree.Node; readonly path: readonly string[] } {
  const [name, ...rest] = path;
  const member =
    name === undefined
      ? undefined
      : membersOf(type, program).find(({ key }) => key.type === "Identifier" && key.name === name);
  const own = member && annotationOf(member);
  return own ? typeOfMember(own, rest, program) : { type, path };
}

function membersOf(type: ESTree.Node, program: ESTree.Program): readonly ESTree.TSPropertySignature[] {
  if (type.type === "TSTypeLiteral") return type.members.filter((each) => each.type === "TSPropertySignature");
  if (type.type !== "TSTypeReference" || type.typeName.type !== "Identifier") return [];
  const { name } = type.typeName;
  for (const declaration of declarationsIn(program)) {
    if (declaration.type === "TSInterfaceDeclaration" && declaration.id.name === name)
      return declaration.body.body.filter((each) => each.type === "TSPropertySignature");
    if (declaration.type === "TSTypeAliasDeclaration" && declaration.id.name === name)
      return membersOf(declaration.typeAnnotation, program);
  }
  return [];
}
