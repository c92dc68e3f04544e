import { parse, type MustacheNode } from "../../../src/mustache/parse.js";
import type { Variables } from "../../../src/mustache/variables.js";

/**
 * Fills Mustache like an engine that isn't JavaScript's: only null, false, absent values and empty lists are false, so `0` and
 * `""` are true; and it escapes as little as HTML allows.
 */
export function fillStrictly(text: string, variables: Variables): string {
  return print(parse(text).nodes, [variables]);
}

function print(nodes: readonly MustacheNode[], scopes: readonly unknown[]): string {
  return nodes.map((node) => printNode(node, scopes)).join("");
}

function printNode(node: MustacheNode, scopes: readonly unknown[]): string {
  if (node.kind === "text") return node.text;
  if (node.kind === "variable") {
    const value = lookUp(node.name, scopes);
    const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
    return node.escaped ? text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&#34;") : text;
  }
  if (node.kind !== "section") return "";
  const value = lookUp(node.name, scopes);
  const isFalse =
    value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0);
  if (node.inverted) return isFalse ? print(node.children, scopes) : "";
  if (isFalse) return "";
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.map((item) => print(node.children, [...scopes, item])).join("");
}

function lookUp(name: string, scopes: readonly unknown[]): unknown {
  if (name === ".") return scopes.at(-1);
  const [first = "", ...rest] = name.split(".");
  const holder = scopes.findLast((scope) => isObject(scope) && Object.hasOwn(scope, first));
  return [first, ...rest].reduce((value, part) => (isObject(value) ? Reflect.get(value, part) : undefined), holder);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
