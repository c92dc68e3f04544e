import type { Expression, ObjectMember } from "../../../src/mustache/expression/expression.js";
import { type ESTree, loadRolldown } from "../../../src/process/rolldown.js";

const { parseSync } = await loadRolldown("a test");

/** Names in scope: parameters, and parts of those that are destructured. */
type Scope = ReadonlyMap<string, Expression>;

const ABSENT: Expression = { kind: "name", name: "undefined" };

/**
 * The tree of a JavaScript expression. `p.name` is a variable, and `a?.b` becomes a condition.
 *
 * @param scope Where the names of variables begin: in the item of the section with this number.
 */
export function treeOf(source: string, scope = 0): Expression {
  const { program, errors } = parseSync("expression.js", `(${source})`);
  const [statement] = program.body;
  if (errors.length > 0 || statement?.type !== "ExpressionStatement") throw new Error(`Can't parse ${source}`);
  return new Converter(source, scope).convert(statement.expression, new Map());
}

class Converter {
  readonly #source: string;
  readonly #scope: number;
  #lists = 0;

  constructor(source: string, scope: number) {
    this.#source = source;
    this.#scope = scope;
  }

  convert(node: ESTree.Node, scope: Scope): Expression {
    const convert = (each: ESTree.Node): Expression => this.convert(each, scope);
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the others have no tree
    switch (node.type) {
      case "ParenthesizedExpression":
        return convert(node.expression);
      case "Literal":
        if ("regex" in node && node.regex)
          return { kind: "pattern", source: node.regex.pattern, flags: node.regex.flags };
        return { kind: "value", value: node.value as string | number | boolean | null };
      case "Identifier":
        return scope.get(node.name) ?? { kind: "name", name: node.name };
      case "TemplateLiteral": {
        const parts = node.quasis.flatMap(({ value }, index) => {
          const expression = node.expressions[index];
          return [value.cooked ?? "", ...(expression ? [convert(expression)] : [])];
        });
        return { kind: "text", parts: parts.filter((part) => part !== "") };
      }
      case "ArrayExpression":
        return { kind: "list", items: node.elements.map((each) => (each ? convert(each) : ABSENT)) };
      case "SpreadElement":
        return { kind: "spread", of: convert(node.argument) };
      case "ObjectExpression":
        return this.#object(node, scope);
      case "UnaryExpression":
        return { kind: "unary", operator: node.operator, of: convert(node.argument) };
      case "LogicalExpression":
      case "BinaryExpression":
        return { kind: "binary", operator: node.operator, left: convert(node.left), right: convert(node.right) };
      case "ConditionalExpression":
        return { kind: "if", test: convert(node.test), yes: convert(node.consequent), no: convert(node.alternate) };
      case "ArrowFunctionExpression":
        return this.#function(node, scope);
      case "ChainExpression":
        return this.#chain(node.expression, scope, (whole) => whole);
      case "MemberExpression":
      case "CallExpression":
        return this.#chain(node, scope, (whole) => whole);
      case "NewExpression":
        return { kind: "call", callee: convert(node.callee), args: node.arguments.map(convert), isNew: true };
      default:
        throw new Error(`There is no tree for ${node.type} in ${this.#source}`);
    }
  }

  /** @param rest What follows in the chain; `a?.b` skips all of it. */
  #chain(node: ESTree.Node, scope: Scope, rest: (of: Expression) => Expression): Expression {
    if (node.type === "ParenthesizedExpression") return rest(this.convert(node, scope));
    if (node.type === "CallExpression") {
      const args = node.arguments.map((each) => this.convert(each, scope));
      return this.#chain(node.callee, scope, (callee) => rest({ kind: "call", callee, args }));
    }
    if (node.type !== "MemberExpression") return rest(this.convert(node, scope));
    const { computed, property, optional } = node;
    const key = computed ? this.convert(property, scope) : undefined;
    const name =
      key === undefined
        ? property.type === "Identifier"
          ? property.name
          : ""
        : key.kind === "value" && (typeof key.value === "number" || typeof key.value === "string")
          ? key.value
          : key;
    return this.#chain(node.object, scope, (of) => {
      const whole = rest(this.#member(of, name));
      if (!optional) return whole;
      const test: Expression = { kind: "binary", operator: "==", left: of, right: { kind: "value", value: null } };
      return { kind: "if", test, yes: ABSENT, no: whole };
    });
  }

  #member(of: Expression, name: string | number | Expression): Expression {
    if (of.kind === "name" && typeof name === "string") {
      if (of.name === "p") return { kind: "variable", ...(this.#scope > 0 && { scope: this.#scope }), names: [name] };
      if (/^(?:Math|Object|Array|Number|String|Date|Intl|JSON)$/.test(of.name))
        return { kind: "name", name: `${of.name}.${name}` };
    }
    if (of.kind === "variable" && typeof name === "string" && !isMethod(name))
      return { ...of, names: [...of.names, name] };
    return typeof name === "object" ? { kind: "item", of, key: name } : { kind: "member", of, name };
  }

  #object({ properties }: ESTree.ObjectExpression, scope: Scope): Expression {
    const members = properties.map((each): ObjectMember => {
      if (each.type === "SpreadElement") return { kind: "spread", of: this.convert(each.argument, scope) };
      const { key } = each;
      const name = key.type === "Identifier" ? key.name : key.type === "Literal" ? String(key.value) : "";
      return [each.computed ? this.convert(key, scope) : name, this.convert(each.value, scope)];
    });
    return { kind: "object", members };
  }

  #function({ params, body }: ESTree.ArrowFunctionExpression, scope: Scope): Expression {
    if (body.type === "BlockStatement") throw new Error(`A function has statements in ${this.#source}`);
    const inner = new Map(scope);
    const parameters = params.map((parameter) => {
      if (parameter.type === "Identifier") {
        inner.set(parameter.name, { kind: "parameter", name: parameter.name });
        return parameter.name;
      }
      const whole = `part${(this.#lists += 1)}`;
      const of: Expression = { kind: "parameter", name: whole };
      if (parameter.type === "ArrayPattern") {
        for (const [index, each] of parameter.elements.entries())
          if (each?.type === "Identifier") inner.set(each.name, { kind: "member", of, name: index });
      } else if (parameter.type === "ObjectPattern") {
        for (const each of parameter.properties)
          if (each.type === "Property" && each.key.type === "Identifier" && each.value.type === "Identifier")
            inner.set(each.value.name, { kind: "member", of, name: each.key.name });
      }
      return whole;
    });
    return { kind: "function", parameters, body: this.convert(body, inner) };
  }
}

/** Members of strings and lists are read from the value; those of objects are further names. */
function isMethod(name: string): boolean {
  return [String.prototype, Number.prototype, Array.prototype].some((prototype) => name in prototype);
}
