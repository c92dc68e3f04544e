import { packageOf } from "../../../process/package-name.js";
import type { ESTree } from "../../../process/rolldown.js";
import { childrenOf, declaratorsIn } from "../ast.js";
import type { Editor } from "./rewriter.js";

/** What a module gets from packages. */
export interface PackageImports {
  /** The local names of imports, and of the functions that these create for the module: `const badge = cva(…)`. */
  readonly names: ReadonlySet<string>;
  readonly imports: readonly PackageImport[];
}

/** What a module imports from one package's module. */
interface PackageImport {
  readonly module: string;
  /** Only names that the module uses as values: types don't exist when it runs. */
  readonly values: readonly ImportedName[];
}

interface ImportedName {
  /** `*` for the whole namespace. */
  readonly imported: string;
  readonly local: string;
}

/** React's own functions are excluded: React calls them itself. */
export function packageImportsIn(program: ESTree.Program, editor: Editor): PackageImports {
  const used = new Set<string>();
  addUsedNames(program, used);
  const names = new Set<string>();
  const imports = program.body.flatMap((statement): PackageImport[] => {
    const module = "source" in statement ? statement.source?.value : undefined;
    if (module === undefined || isOwnOrReact(module) || isOfTypes(statement)) return [];
    if (statement.type !== "ImportDeclaration") return [{ module, values: passedOn(statement, module, editor) }];
    for (const { local } of statement.specifiers) names.add(local.name);
    const values = statement.specifiers
      .map((specifier) => ({ imported: importedName(specifier), local: specifier.local.name }))
      .filter(({ local }) => used.has(local));
    // Without names, it is imported for what it does. If all names are types, it is not imported at all.
    return values.length > 0 || statement.specifiers.length === 0 ? [{ module, values }] : [];
  });
  for (const { id, init } of declaratorsIn(program)) {
    const callee = init?.type === "CallExpression" ? init.callee : undefined;
    if (id.type === "Identifier" && callee?.type === "Identifier" && names.has(callee.name)) names.add(id.name);
  }
  return { names, imports };
}

/** `__lettershop().imports([["date-fns", [["format", "format", format]]]]);` */
export function importsCode({ imports }: PackageImports, { runtime }: Editor): string {
  if (imports.length === 0) return "";
  const written = imports.map(({ module, values }) => {
    const named = values.map(({ imported, local }) => `["${imported}", "${local}", ${local}]`);
    return `[${JSON.stringify(module)}, [${named.join(", ")}]]`;
  });
  return `${runtime}.imports([${written.join(", ")}]); `;
}

function isOwnOrReact(module: string): boolean {
  return /^[./#~@]\/?$|^\.{0,2}\//.test(module) || ["react", "react-dom"].includes(packageOf(module));
}

function isOfTypes(statement: ESTree.Node): boolean {
  const kinds = [
    "importKind" in statement ? statement.importKind : undefined,
    "exportKind" in statement ? statement.exportKind : undefined,
  ];
  return kinds.includes("type");
}

/** `export { format } from "date-fns"`, `export * from "date-fns"`: imports it, too, so that the module has its values. */
function passedOn(statement: ESTree.Node, module: string, editor: Editor): ImportedName[] {
  const from = `from ${JSON.stringify(module)}; `;
  if (statement.type === "ExportAllDeclaration") {
    const local = editor.newName();
    editor.prepend(`import * as ${local} ${from}`);
    return [{ imported: "*", local }];
  }
  if (statement.type !== "ExportNamedDeclaration") return [];
  return statement.specifiers
    .filter((specifier) => specifier.exportKind !== "type")
    .map(({ local: exported }) => {
      const [imported, local] = [nameOf(exported), editor.newName()];
      editor.prepend(`import { ${imported} as ${local} } ${from}`);
      return { imported, local };
    });
}

function importedName(specifier: ESTree.ImportDeclarationSpecifier): string {
  if (specifier.type === "ImportDefaultSpecifier") return "default";
  return specifier.type === "ImportNamespaceSpecifier" ? "*" : nameOf(specifier.imported);
}

/** `E` of `<E.Markdown>` */
function firstName(name: ESTree.JSXElementName): string {
  if (name.type === "JSXMemberExpression") return firstName(name.object);
  return name.type === "JSXIdentifier" ? name.name : "";
}

function nameOf(name: ESTree.ModuleExportName): string {
  return name.type === "Literal" ? name.value : name.name;
}

/** The names that are read as values, rather than as types or members. */
function addUsedNames(node: ESTree.Node, names: Set<string>): void {
  if (node.type === "Identifier") names.add(node.name);
  if (node.type === "JSXOpeningElement") names.add(firstName(node.name));
  if (node.type === "ImportDeclaration") return;
  for (const child of childrenOf(node)) {
    const isName = ("property" in node && child === node.property) || ("key" in node && child === node.key);
    const isOnlyName = isName && "computed" in node && !node.computed && !("shorthand" in node && node.shorthand);
    if (!isOnlyName) addUsedNames(child, names);
  }
}
