import { parseSync } from "rolldown/utils";
import type { Expression } from "../../../src/mustache/expression/expression.js";

type Node = { readonly type: string } & Readonly<Record<string, unknown>>;

/**
 * JavaScript's source as an expression. Free names are variables, unless they are built in.
 *
 * @example
 * expressionOfSource("(order.cents / 100).toFixed(2)");
 */
export function expressionOfSource(source: string): Expression {
  const { program, errors } = parseSync("source.js", `(${source})`);
  if (errors[0]) throw new Error(`${source}: ${errors[0].message}`);
  return convert((program.body as unknown as readonly Node[])[0]?.["expression"] as Node, []);
}

function convert(node: Node, parameters: readonly string[]): Expression {
  const of = (value: unknown): Expression => convert(value as Node, parameters);
  const all = (values: unknown): Expression[] => (values as readonly Node[]).map((value) => of(value));
  const { type } = node;
  switch (type) {
    case "ParenthesizedExpression":
      return of(node["expression"]);
    case "Literal": {
      const regex = node["regex"] as { pattern: string; flags: string } | undefined;
      if (regex) return { kind: "pattern", source: regex.pattern, flags: regex.flags };
      if (typeof node["bigint"] === "string")
        return {
          kind: "call",
          callee: { kind: "name", name: "BigInt" },
          args: [{ kind: "value", value: node["bigint"] }],
        };
      return { kind: "value", value: node["value"] as string | number | boolean | null };
    }
    case "Identifier":
      return identifier(String(node["name"]), parameters);
    case "MemberExpression":
      return member(node, parameters);
    case "CallExpression":
    case "NewExpression":
      return {
        kind: "call",
        callee: of(node["callee"]),
        args: all(node["arguments"]),
        ...(type === "NewExpression" && { isNew: true }),
      };
    case "SpreadElement":
      return { kind: "spread", of: of(node["argument"]) };
    case "UnaryExpression":
      return { kind: "unary", operator: String(node["operator"]), of: of(node["argument"]) };
    case "BinaryExpression":
    case "LogicalExpression":
      return {
        kind: "binary",
        operator: String(node["operator"]),
        left: of(node["left"]),
        right: of(node["right"]),
      };
    case "ConditionalExpression":
      return { kind: "if", test: of(node["test"]), yes: of(node["consequent"]), no: of(node["alternate"]) };
    case "TemplateLiteral": {
      const texts = (node["quasis"] as readonly { value: { cooked: string } }[]).map(({ value }) => value.cooked);
      const values = all(node["expressions"]);
      return { kind: "text", parts: texts.flatMap((text, index) => [text, ...values.slice(index, index + 1)]) };
    }
    case "ArrayExpression":
      return { kind: "list", items: all(node["elements"]) };
    case "ObjectExpression":
      return {
        kind: "object",
        members: (node["properties"] as readonly Node[]).map((property) => {
          if (property.type === "SpreadElement") return { kind: "spread", of: of(property["argument"]) } as const;
          const { name, value: literal } = property["key"] as { name?: string; value?: unknown };
          const key = property["computed"] ? of(property["key"]) : String(name ?? literal);
          return [key, of(property["value"])] as const;
        }),
      };
    case "ArrowFunctionExpression": {
      const names = (node["params"] as readonly { name: string }[]).map(({ name }) => name);
      return { kind: "function", parameters: names, body: convert(node["body"] as Node, [...parameters, ...names]) };
    }
    default:
      throw new Error(`No expression for ${type}`);
  }
}

const HOLDERS = new Set(["Math", "Number", "String", "Array", "Object", "JSON", "Date", "Intl", "URL"]);

function member(node: Node, parameters: readonly string[]): Expression {
  const object = node["object"] as Node;
  const property = node["property"] as Node;
  const name = String(property["name"]);
  const holder = String(object["name"]);
  const isBuiltin = object.type === "Identifier" && HOLDERS.has(holder) && !parameters.includes(holder);
  if (isBuiltin) return { kind: "name", name: `${holder}.${name}` };
  const of = convert(object, parameters);
  if (!node["computed"]) return { kind: "member", of, name };
  if (property.type !== "Literal") return { kind: "item", of, key: convert(property, parameters) };
  return { kind: "member", of, name: property["value"] as string | number };
}

const BUILTINS = new Set(
  (
    "undefined NaN Infinity Array BigInt Boolean Date Map Number Object RegExp Set String URL URLSearchParams decodeURI decodeURIComponent " +
    "encodeURI encodeURIComponent isFinite isNaN parseFloat parseInt"
  ).split(" "),
);

function identifier(name: string, parameters: readonly string[]): Expression {
  if (parameters.includes(name)) return { kind: "parameter", name };
  return BUILTINS.has(name) ? { kind: "name", name } : { kind: "variable", names: [name] };
}
