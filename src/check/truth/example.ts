import { Shape } from "../../mustache/shape.js";
import type { Variables } from "../../mustache/variables.js";
import type { CompiledTemplate } from "../../project/template.js";

/**
 * Variables in which nothing is absent or empty: the fixtures merged, with the longest strings. Where no fixture has a
 * value, one that the schema allows. Lists have one item.
 *
 * @example
 * fullExample(compiled); // { name: "Ada", vip: true, items: [{ name: "Tea", note: "text" }] }
 */
export function fullExample({ contract, fixtures }: Pick<CompiledTemplate, "contract" | "fixtures">): Variables {
  const examples = fixtures.map(({ variables }) => variables);
  const full = example(examples, Shape.ofFilled(contract), 0);
  return isObject(full) ? full : {};
}

/** Limits the depth of recursive schemas. */
const DEEPEST = 8;

function example(values: readonly unknown[], shape: Shape, depth: number): unknown {
  const present = values.filter((value) => value !== null && value !== undefined);
  const lists = present.filter(Array.isArray);
  const objects = present.filter(isObject);
  const [first] = present;
  const isObjectShape = shape.kinds.some(({ properties }) => properties);
  if (lists.length > 0) return [example(lists.flat(), shape.items(), depth + 1)];
  if (objects.length > 0 || (first === undefined && isObjectShape)) {
    if (depth > DEEPEST) return {};
    const names = new Set([...shape.names, ...objects.flatMap((object) => Object.keys(object))]);
    const member = (name: string): unknown =>
      example(
        objects.map((object) => object[name]),
        shape.member(name) ?? Shape.UNKNOWN,
        depth + 1,
      );
    return Object.fromEntries([...names].map((name) => [name, member(name)]));
  }
  if (typeof first === "boolean") return true;
  if (first !== undefined) return longest(present);
  if (shape.kinds.some(({ type }) => type === "array")) {
    return depth > DEEPEST ? [] : [example([], shape.items(), depth + 1)];
  }
  return sample(shape);
}

/** The longest string, or the first truthy value. */
function longest(values: readonly unknown[]): unknown {
  const strings = values.filter((value) => typeof value === "string");
  return strings.toSorted((a, b) => b.length - a.length)[0] ?? values.find(Boolean) ?? values[0];
}

function sample({ kinds }: Shape): unknown {
  const [kind] = kinds.filter(({ type }) => type !== "null");
  if (kind?.const !== undefined) return kind.const;
  if (kind?.enum) return kind.enum[0];
  if (kind?.type === "boolean") return true;
  if (kind?.type === "number" || kind?.type === "integer") return 1;
  return kind?.format === "uri" ? "https://example.com" : "text";
}

export function isObject(value: unknown): value is Variables {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
