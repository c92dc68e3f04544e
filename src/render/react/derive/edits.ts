import type { ESTree } from "../../../process/rolldown.js";
import { childrenOf, declarationsIn, declaratorsIn, type FunctionNode, isFunction } from "../ast.js";
import { annotationOf, type ParsedModule, type ProjectModules } from "./modules.js";
import { receivesVariables } from "./scope.js";

interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A change to a module that lets a component read what `derive` returns. */
export interface SourceEdit extends Replacement {
  readonly file: string;
  /** A member of the object that an item becomes, which was a string or a number; `text` is its first member. */
  readonly member?: string;
}

export function insertion(file: string, at: number, text: string): SourceEdit {
  return { file, start: at, end: at, text };
}

/** Inserts a line after a module's imports, or before its first statement. */
export function afterImports(line: string, { file, code, program }: ParsedModule): SourceEdit {
  const last = program.body.findLast(
    (each) => each.type === "ImportDeclaration" || (each.type === "ExpressionStatement" && Boolean(each.directive)),
  );
  // A byte order mark must stay first.
  if (!last) return insertion(file, code.startsWith("\uFEFF") ? 1 : 0, `${line}\n`);
  // The rest of the line may be a comment.
  const end = code.indexOf("\n", last.end);
  return end < 0 ? insertion(file, code.length, `\n${line}\n`) : insertion(file, end + 1, `${line}\n`);
}

/** A module's text after edits. */
export function withEdits(source: string, edits: readonly SourceEdit[]): string {
  return replaced(source, replacementsOf(edits), 0, source.length);
}

/** Lines of a file, and their replacement. */
export interface LineChange {
  readonly file: string;
  /** Starts at 1. */
  readonly first: number;
  readonly last: number;
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
  const byKey = new Map<string, Replacement & { readonly members: Set<string> }>();
  for (const { start, end, text, member } of edits) {
    const key = `${start} ${end} ${text}`;
    const known = byKey.get(key) ?? { start, end, text, members: new Set<string>() };
    if (member !== undefined) known.members.add(member);
    byKey.set(key, known);
  }
  const all = [...byKey.values()]
    .map(({ members, ...edit }) =>
      members.size > 0 ? { ...edit, text: `{ ${[edit.text, ...members].join(", ")} }` } : edit,
    )
    .sort((a, b) => a.start - b.start || a.end - b.end);
  // Edits within a range that is replaced as a whole are dropped.
  return all.filter((one) => !all.some((other) => other !== one && isWithin(one, other)));
}

function isWithin(one: Replacement, other: Replacement): boolean {
  if (one.start === other.start && one.end === other.end) return false;
  // What is inserted before a range is not part of it.
  const isBefore = one.end === other.start;
  return !isBefore && other.start <= one.start && one.end <= other.end && one.start < other.end;
}

function changesOf(file: string, source: string, replacements: readonly Replacement[]): LineChange[] {
  const lineEnd = (offset: number): number => {
    const end = source.indexOf("\n", offset);
    return end < 0 ? source.length : end;
  };
  const groups: Replacement[][] = [];
  for (const replacement of replacements) {
    const group = groups.at(-1);
    const isOnSameLine = group && replacement.start <= lineEnd(group.at(-1)?.end ?? 0);
    if (isOnSameLine) group.push(replacement);
    else groups.push([replacement]);
  }
  return groups.map((group) => {
    const start = source.lastIndexOf("\n", (group[0]?.start ?? 0) - 1) + 1;
    const end = lineEnd(group.at(-1)?.end ?? 0);
    const text = replaced(source, group, start, end).replace(/\r$/, "");
    return { file, first: lineOf(source, start), last: lineOf(source, end), text };
  });
}

/** A part of a text, with replacements that are sorted and within it. */
function replaced(source: string, replacements: readonly Replacement[], start: number, end: number): string {
  let text = "";
  let from = start;
  for (const { start: at, end: to, text: written } of replacements) {
    text += source.slice(from, at) + written;
    from = to;
  }
  return text + source.slice(from, end);
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

function functionsIn(node: ESTree.Node): FunctionNode[] {
  return isFunction(node) ? [node] : childrenOf(node).flatMap(functionsIn);
}

function derivedType(component: FunctionNode, parameter: ESTree.Node, module: ParsedModule): SourceEdit[] {
  const { file, code, program } = module;
  const annotation = annotationOf(parameter) ?? typeOfComponent(component, program);
  if (!annotation || mentionsDerived(annotation, module)) return [];
  const { start, end } = annotation;
  const isImported = program.body.some(
    (each) => each.type === "ImportDeclaration" && each.specifiers.some(({ local }) => local.name === "Derived"),
  );
  return [
    { file, start, end, text: `Omit<${code.slice(start, end)}, keyof Derived> & Derived` },
    ...(isImported ? [] : [afterImports(`import type { Derived } from "./variables${extension(program)}";`, module)]),
  ];
}

/** Whether a type, or the alias that it names, includes what `derive` returns. */
function mentionsDerived(type: ESTree.Node, { code, program }: ParsedModule): boolean {
  const name = type.type === "TSTypeReference" && type.typeName.type === "Identifier" ? type.typeName.name : undefined;
  const alias = declarationsIn(program).find((each) => each.type === "TSTypeAliasDeclaration" && each.id.name === name);
  return [type, ...(alias ? [alias] : [])].some(({ start, end }) => /\bDerived\b/.test(code.slice(start, end)));
}

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
    ...(isUnion ? [insertion(file, type.start, "(")] : []),
    insertion(file, type.end, `${isUnion ? ")" : ""} & { ${added} }`),
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
