import type { Variables } from "../../src/mustache/variables.js";

/**
 * The call that sends a template with these variables.
 *
 * @example
 * callOf("receipt", { total: 4 }); // 'await mailer.send("receipt", { total: 4 }, { to: "ada@example.com" });'
 */
export function callOf(template: string, variables: Variables): string {
  return `await mailer.send(${JSON.stringify(template)}, ${literal(variables, "")}, { to: "ada@example.com" });`;
}

const LONGEST_LINE = 80;

/** A value as a TypeScript literal. */
function literal(value: unknown, around: string): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${around}  `;
  const entries = (within: string): string[] =>
    Array.isArray(value)
      ? value.map((item) => literal(item, within))
      : Object.entries(value).map(([name, member]) => `${nameOf(name)}: ${literal(member, within)}`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{ ", " }"];
  const short = entries(inner);
  if (short.length === 0) return open.trim() + close.trim();
  const line = open + short.join(", ") + close;
  if (!line.includes("\n") && around.length + line.length <= LONGEST_LINE) return line;
  return `${open.trim()}\n${short.map((entry) => `${inner}${entry},`).join("\n")}\n${around}${close.trim()}`;
}

function nameOf(name: string): string {
  // In any other notation, this name would set the object's prototype.
  if (name === "__proto__") return '["__proto__"]';
  return /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
}
