import { findVariable, Scope } from "../../mustache/scope.js";
import type { CheckedTemplate } from "../rule.js";
import { allTags } from "./tags.js";

/** Which variables a template uses, in tags, conditions and code. */
export class UsedVariables {
  readonly #paths: ReadonlySet<string>;
  /** The code of components and their imports. */
  readonly #components: readonly string[];
  /** The code of `variables.ts` and its imports, if it computes something from the values. */
  readonly #derive: readonly string[];
  readonly #takesAll = new Map<string, boolean>();

  constructor(checked: CheckedTemplate) {
    const { contract } = checked.compiled;
    const variables = Scope.of(contract);
    const tested = contract.conditions.flatMap(({ within, path, test }) => {
      const found = findVariable(variables.inside(within), path);
      const inner = "path" in test && test.path !== "." ? [`${found?.path}[].${test.path}`] : [];
      return found ? [found.path, ...inner] : [];
    });
    this.#paths = new Set([...tested, ...allTags(checked).flatMap(({ found }) => (found ? [found.path] : []))]);
    const { template, document } = checked;
    const code = [...document.input.sources].filter(([file]) => IS_CODE.test(file));
    const others = code.filter(([file]) => file !== template.variablesFile).map(([, text]) => text);
    const computes = COMPUTES.test(document.input.sources.get(template.variablesFile ?? "") ?? "");
    this.#components = template.engine === "react" ? others : [];
    this.#derive = computes ? code.map(([, text]) => text) : [];
  }

  /** Whether anything uses a variable or a part of it. */
  uses(path: string): boolean {
    return this.isShown(path) || this.#derive.some((text) => this.#mayRead(text, path));
  }

  /** Whether tags, conditions or components use a variable or a part of it. */
  isShown(path: string): boolean {
    if (this.#paths.has(path)) return true;
    for (const used of this.#paths) if (used.startsWith(`${path}.`) || used.startsWith(`${path}[`)) return true;
    return this.#components.some((text) => this.#mayRead(text, path));
  }

  #mayRead(text: string, path: string): boolean {
    const name = /[^.[\]]+(?=(?:\[\])*$)/.exec(path)?.[0] ?? path;
    const all = this.#takesAll.get(text) ?? takesAll(text);
    this.#takesAll.set(text, all);
    return all || reads(text, name);
  }
}

/** Whether code takes all members of an object, and so may read any variable. Spread styles do not count. */
function takesAll(text: string): boolean {
  if (TAKES_ALL.test(text)) return true;
  const spread = text.replaceAll(/\b\w*[sS]tyle=\{\{[^}]*/g, "").matchAll(SPREAD);
  return Array.from(spread, ([, name]) => name ?? "").some((name) => name === "" || !isConstant(text, name));
}

/** Whether the file itself declares the object. */
function isConstant(text: string, name: string): boolean {
  return new RegExp(`\\bconst ${name.replaceAll("$", "\\$")}\\b[^=;\\n]*= \\{`).test(text);
}

const IS_CODE = /\.[cm]?[jt]sx?$/;

const COMPUTES = /\bderive\b|\.(?:transform|refine|superRefine|check|overwrite|pipe|preprocess)\b/;

const TAKES_ALL = /\bObject\.(?:entries|values|keys|assign)\b|\bJSON\.stringify\b|\bfor\s*\([^)]*\bin\b/;
/** A spread into an object. In a list or arguments a list is spread, and the result of a call is not a variable. */
const SPREAD = /\.\.\.(?!\s*[\w$.]+\s*[\])]|\s*[\w$.]+\()([\w$]+)?/g;

/** Whether code uses a name, and does not only declare it as a key or in a parameter. */
function reads(text: string, name: string): boolean {
  if (!text.includes(name)) return false;
  const word = name.replaceAll("$", "\\$");
  if (new RegExp(`\\.\\s*${word}\\b|\\[\\s*["']${word}["']\\s*\\]`).test(text)) return true;
  if (new RegExp(`\\b${word}\\s*:\\s*(?!(?:${TYPES})\\b|z\\b)[a-z_$][\\w$]*\\s*[,}=]`, "i").test(text)) return true;
  const others = text.replaceAll(new RegExp(`\\b${word}\\??\\s*:`, "g"), "").match(new RegExp(`\\b${word}\\b`, "g"));
  return (others?.length ?? 0) > 1;
}

const TYPES = "string|number|boolean|bigint|unknown|any|null|undefined|true|false";
