import { packageOf } from "../../../process/package-name.js";
import type { Expression, PackageExpression } from "./expression.js";
import { type AnyFunction, isPlain, isReference } from "./symbolic.js";

/** What a module imports from a module of a package: `["format", "format", format]`, with the imported and the local name. */
export type ImportedValues = readonly [
  module: string,
  values: readonly (readonly [imported: string, local: string, value: unknown])[],
];

/**
 * What the modules of a template import from packages, so that calls can be recorded by the names of the functions; and
 * what they change in packages when they are loaded, as `dayjs.extend(utc)` does.
 */
export class PackageUses {
  readonly #imports: ImportedValues[] = [];
  readonly #changes = new Map<string, PackageChanges>();
  #known: Map<object, PackageExpression> | undefined;

  add(imports: readonly ImportedValues[]): void {
    this.#imports.push(...imports);
    this.#known = undefined;
    for (const [module, values] of imports) {
      if (values.length > 0 || module.endsWith(".css")) continue;
      this.noteChange({ kind: "package", module, name: "", local: "" }, module);
    }
  }

  /** How a function or an object of a package can be imported; undefined if no module imports it. */
  find(value: object): PackageExpression | undefined {
    this.#known ??= knownValues(this.#imports);
    return this.#known.get(value);
  }

  /** What modules do when they are loaded, for its effect on a package. */
  setupOf({ module }: PackageExpression): readonly Expression[] {
    return this.#changes.get(packageOf(module))?.setup ?? [];
  }

  /**
   * Records that a module changes a package.
   *
   * @param change Undefined if it can't be repeated elsewhere.
   */
  noteChange(change: Expression | undefined, module: string): void {
    const name = packageOf(module);
    const before = this.#changes.get(name) ?? { setup: [], isRepeatable: true };
    this.#changes.set(name, {
      setup: change ? [...before.setup, change] : before.setup,
      isRepeatable: before.isRepeatable && change !== undefined,
    });
  }

  /** Whether all that modules change in a package can be repeated elsewhere. */
  isRepeatable({ module }: PackageExpression): boolean {
    return this.#changes.get(packageOf(module))?.isRepeatable ?? true;
  }
}

interface PackageChanges {
  readonly setup: readonly Expression[];
  readonly isRepeatable: boolean;
}

/** Members of imported objects that are found, too: `library.strings.capitalize`. */
const DEEPEST = 2;

function knownValues(imports: readonly ImportedValues[]): Map<object, PackageExpression> {
  const known = new Map<object, PackageExpression>();
  const add = (value: unknown, expression: PackageExpression, depth: number): void => {
    if (!isReference(value) || known.has(value)) return;
    known.set(value, expression);
    if (depth === DEEPEST || (depth > 0 && !isPlain(value))) return;
    for (const name of Object.keys(value)) add(memberOf(value, name), memberOfPackage(expression, name), depth + 1);
  };
  for (const [module, values] of imports) {
    for (const [name, local, value] of values) add(value, { kind: "package", module, name, local }, 0);
  }
  return known;
}

/** A package may offer members that throw when they are read. */
function memberOf(value: object, name: string): unknown {
  try {
    return Reflect.get(value, name);
  } catch {
    return undefined;
  }
}

/** `library.name` */
export function memberOfPackage(expression: PackageExpression, name: string): PackageExpression {
  const whole = expression.name === "*" ? name : `${expression.name}.${name}`;
  return { ...expression, name: whole, local: `${expression.local}.${name}` };
}

let current = new PackageUses();

/** What the modules of the current template use. */
export function packageUses(): PackageUses {
  return current;
}

/** Begins to load a template's modules, or continues with modules that are already loaded. */
export function usePackages(uses: PackageUses): void {
  current = uses;
}

/** React counts their calls. */
export function isHook({ name }: AnyFunction): boolean {
  return /^use(?:[A-Z]|$)/.test(name);
}
