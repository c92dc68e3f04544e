import type { PackageExpression } from "../runtime/expression.js";
import { afterImports, type SourceEdit } from "./edits.js";
import type { ParsedModule } from "./modules.js";

/** An import of one name. */
export interface NameImport {
  /** The name in the importing module. */
  readonly local: string;
  /** What the other module exports: a name, `default`, or `*` for all of it. */
  readonly imported: string;
  readonly from: string;
}

/** The import that code needs for a function or an object of a package. */
export function importOf({ module, name, local }: PackageExpression): NameImport {
  const [imported = "", binding = ""] = [name, local].map((path) => path.replace(/\..*/, ""));
  const isNamespace = imported !== "default" && name.split(".").length < local.split(".").length;
  return { local: binding, imported: isNamespace ? "*" : imported, from: module };
}

function importsOf({ program }: ParsedModule): NameImport[] {
  return program.body.flatMap((statement) => {
    if (statement.type !== "ImportDeclaration") return [];
    return statement.specifiers.map((specifier): NameImport => {
      const [local, from] = [specifier.local.name, statement.source.value];
      if (specifier.type === "ImportDefaultSpecifier") return { local, imported: "default", from };
      if (specifier.type === "ImportNamespaceSpecifier") return { local, imported: "*", from };
      const { imported } = specifier;
      return { local, imported: "name" in imported ? imported.name : imported.value, from };
    });
  });
}

export function importDeclaration({ local, imported, from }: NameImport): string {
  const source = JSON.stringify(from);
  if (imported === "default") return `import ${local} from ${source};`;
  if (imported === "*") return `import * as ${local} from ${source};`;
  return `import { ${imported === local ? local : `${imported} as ${local}`} } from ${source};`;
}

/** Whether a module can have this import: it has it already, or its name is free. */
export function canImport({ local, imported, from }: NameImport, module: ParsedModule): boolean {
  const own = importsOf(module).find((each) => each.local === local);
  if (own) return own.imported === imported && own.from === from;
  return !new RegExp(`(?<![\\w$.])${local.replaceAll("$", "\\$")}(?![\\w$])`).test(module.code);
}

/** The edit that adds imports that a module does not have yet. */
export function addImports(imports: readonly NameImport[], module: ParsedModule): SourceEdit[] {
  const known = new Set(importsOf(module).map(({ local }) => local));
  const missing = imports.filter(({ local }) => !known.has(local));
  return missing.length === 0 ? [] : [afterImports(missing.map(importDeclaration).join("\n"), module)];
}
