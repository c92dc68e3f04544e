import { mkdir, mkdtemp, realpath, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PropsType, readPropsType } from "../../../../src/render/react/types/typed-variables.js";
import { TypeModules } from "../../../../src/render/react/types/type-module.js";
import { typeInWords } from "../../../../src/registry/print-type.js";
import { removeFolder } from "../../../remove-folder.js";

let folder = "";
let count = 0;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(os.tmpdir(), "lettershop types ")));
  await write("tsconfig.json", '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }');
  await write("node_modules/dates/package.json", '{ "name": "dates", "main": "index.js" }');
  await write("node_modules/dates/index.js", "");
});
afterAll(() => removeFolder(folder));

async function write(name: string, text: string): Promise<string> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
}

async function read(source: string): Promise<PropsType> {
  count += 1;
  const file = await write(`emails/email-${count}.tsx`, source);
  return readPropsType(await TypeModules.in(folder), file);
}

/** The type on one line, or why there is none. */
async function inWords(source: string): Promise<string> {
  const { schema, unread } = await read(source);
  return schema ? typeInWords(schema) : `unread: ${unread}`;
}

/** Of a component with one prop. */
function prop(type: string, before = ""): Promise<string> {
  return inWords(`${before}\nexport default function Email(props: { x: ${type} }) { return null; }`);
}

const props = "interface Props { name?: string }";
const seen = "{ name?: string | undefined; }";

describe("the type of a component's props may be written as", () => {
  test.each([
    ["a function", "export default function Email({ name }: Props) {}"],
    ["a function without a name", "export default function ({ name = 'x' }: Props) {}"],
    ["a default of the parameter", "export default function Email({ name }: Props = {}) {}"],
    ["an arrow function that is exported later", "const Email = (props: Props) => null; export default Email;"],
    ["an export by another name", "export const Email = (props: Props) => null; export { Email as default };"],
    ["FC", "const Email: FC<Props> = ({ name }) => null; export default Email;"],
    ["React.FC", "const Email: React.FC<Readonly<Props>> = ({ name }) => null; export default Email;"],
    [
      "one of the project's own types",
      "type Email<P> = FC<P> & { PreviewProps?: P }; const E: Email<Props> = () => null; export default E;",
    ],
    ["a function type", "const Email: (props: Props) => null = () => null; export default Email;"],
    ["satisfies", "export default (({ name }) => null) satisfies FC<Props>;"],
    ["memo", "const Email = memo(function Email({ name }: Props) {}); export default Email;"],
    ["forwardRef", "export default forwardRef<HTMLElement, Props>((props, ref) => null);"],
    ["Object.assign", "export default Object.assign((props: Props) => null, { PreviewProps: {} });"],
    ["a class", "export default class Email extends Component<Props> {}"],
  ])("%s", async (_, source) => {
    expect(await inWords(`${props}\n${source}`)).toBe(seen);
  });

  test.each([
    "export default function Email({ a = 'x', b }: { a: string; b: string }) {}",
    "const Email: FC<{ a: string; b: string }> = memo(({ a: c = 'x', b } = {}) => null); export default Email;",
    "type P = { a: string; b: string }; export default (({ a = 'x' }) => null) satisfies FC<P>;",
  ])("a default makes a prop optional: %s", async (source) => {
    expect(await inWords(source)).toBe("{ a?: string | undefined; b: string; }");
  });

  test("a module that only re-exports the default", async () => {
    await write("emails/real.tsx", `${props}\nexport default function Email(props: Props) {}`);
    expect(await inWords('export { default } from "./real";')).toBe(seen);
    expect(await inWords('import Email from "./real"; export default Email;')).toBe(seen);
  });

  test.each([
    ["export default function Email(props) {}", "the component's parameter has no type"],
    ["export default function Email() {}", "the component takes no props"],
    ["export const Email = (props: Props) => null;", "the file has no default export"],
    ["export default withLayout((props: Props) => null);", "the component is created by withLayout()"],
    ["export default function Email(props: string) {}", "it is not an object"],
    ["export default function Email(props: Other) {}", "Other is not declared in the project"],
    ["export default function Email(props: any) {}", "it does not say what it contains"],
    ["export default function Email(props: z.infer<typeof schema>) {}", "it is not declared in the project"],
  ])("is unknown for %s", async (source, why) => {
    expect(await inWords(source)).toBe(`unread: ${why}`);
  });
});

describe("the variables of a type", () => {
  test.each([
    ["string | null", "{ x: string | null; }"],
    ["string | undefined", "{ x?: string | undefined; }"],
    ['"a" | "b"', '{ x: "a" | "b"; }'],
    ['"a" | 1 | null', '{ x: "a" | 1 | null; }'],
    ['"a" | (string & {})', "{ x: string; }"],
    ["true | false", "{ x: boolean; }"],
    ["`no-${number}`", "{ x: string; }"],
    ["readonly string[]", "{ x: readonly string[]; }"],
    ["Array<{ a: number }>", "{ x: readonly { a: number; }[]; }"],
    ["ReadonlyArray<string | null>", "{ x: readonly (string | null)[]; }"],
    ["[string, n?: number, ...boolean[]]", "{ x: readonly (string | number | boolean)[]; }"],
    [
      '{ kind: "a"; a: string } | { kind: "b"; b?: number }',
      '{ x: { kind: "a"; a: string; } | { kind: "b"; b?: number | undefined; }; }',
    ],
    ["{ a: string } & { b: number; a: 'x' }", '{ x: { a: "x"; b: number; }; }'],
    ["string & { __brand: 'id' }", "{ x: string; }"],
    ["Partial<{ a: string; b: number }>", "{ x: { a?: string | undefined; b?: number | undefined; }; }"],
    ["Required<{ a?: string }>", "{ x: { a: string; }; }"],
    ["Pick<{ a: string; b: number; c: 1 }, 'a' | 'c'>", "{ x: { a: string; c: 1; }; }"],
    ["Omit<{ a: string; b: number }, 'b'>", "{ x: { a: string; }; }"],
    ["Record<string, number>", "{ x: Readonly<Record<string, number>>; }"],
    ["Record<'a' | 'b', number>", "{ x: { a: number; b: number; }; }"],
    ["NonNullable<string | null | undefined>", "{ x: string; }"],
    ["Exclude<'a' | 'b' | 'c', 'b'>", '{ x: "a" | "c"; }'],
    ["Extract<'a' | 'b', 'b' | 'z'>", '{ x: "b"; }'],
    ["Date", "{ x: Date | string; }"],
    ["Date | string | undefined", "{ x?: Date | string | undefined; }"],
    ['"never" | Date', '{ x: "never" | Date | string; }'],
    ["Exclude<Date | string | number, string>", "{ x: Date | string | number; }"],
    ["Exclude<Date | string | number, Date>", "{ x: string | number; }"],
    ["bigint", "{ x: bigint | number | string; }"],
    ["(bigint | null)[]", "{ x: readonly (bigint | number | string | null)[]; }"],
    ["Date & { __brand: 1 }", "{ x: Date | string; }"],
    ["keyof { a: 1; b: 2 }", '{ x: "a" | "b"; }'],
  ])("%s", async (type, words) => {
    expect(await prop(type)).toBe(words);
  });

  test("interfaces that extend others, are declared twice, and override members", async () => {
    const before = `interface Base { id: string; kind: string }
      interface X extends Base, Partial<Extra> { kind: "x" }
      interface X { more: boolean }
      interface Extra { note: string }`;
    expect(await prop("X", before)).toBe(
      '{ x: { id: string; note?: string | undefined; kind: "x"; more: boolean; }; }',
    );
  });

  test("generics with defaults, indexed types and enums", async () => {
    const before = `type Page<T, Cursor = number> = { items: T[]; next?: Cursor };
      enum Size { Small = "s", Large = "l", Other = 7, Next }`;
    expect(await prop('Page<string>["items"][number]', before)).toBe("{ x: string; }");
    expect(await prop("Page<{ a: string }>", before)).toBe(
      "{ x: { items: readonly { a: string; }[]; next?: number | undefined; }; }",
    );
    expect(await prop("Size", before)).toBe('{ x: "s" | "l" | 7 | 8; }');
  });

  test("a default makes a prop optional", async () => {
    const source = "export default function Email({ a = 'x', b = 'y' }: { a: string; b: string | null }) {}";
    expect(await inWords(source)).toBe("{ a?: string | undefined; b?: string | null | undefined; }");
  });

  test("a union of props is one object, in which a member that some of them lack is optional", async () => {
    expect(await inWords('export default (props: { kind: "a"; a: string } | { kind: "b"; n?: number }) => null;')).toBe(
      '{ kind: "a" | "b"; a?: string | undefined; n?: number | undefined; }',
    );
  });

  test("types in the project's other modules, however they are imported, but not in packages", async () => {
    await write(
      "src/lib/order.ts",
      'export * from "./item.js"; export type { Person as Customer } from "./person"; export * from "dates";',
    );
    await write("src/lib/item.ts", "export interface Item { name: string }");
    await write(
      "src/lib/person.ts",
      'import type { Item } from "./item"; type Person = { wants: Item }; export { type Person };',
    );
    await write("src/lib/ambient.d.ts", "export interface Ambient { a: 1 }");
    const type = await read(`import type { Item, Customer as C } from "@/lib/order";
      import * as lib from "../src/lib/order";
      import { type Ambient } from "../src/lib/ambient";
      import type { Locale } from "dates";
      import type { Gone } from "./gone";
      interface Props { item: Item; customer: C; all: lib.Item[]; direct: import("@/lib/person").Person; ambient: Ambient; locale: Locale; gone: Gone }
      export default function Email(props: Props) {}`);
    expect(typeInWords(type.schema ?? {})).toBe(
      "{ item: { name: string; }; customer: { wants: { name: string; }; }; all: readonly { name: string; }[]; direct: { wants: { name: string; }; }; ambient: { a: 1; }; locale: unknown; gone: unknown; }",
    );
    expect(type.files.map((file) => path.basename(file)).toSorted()).toEqual(
      ["ambient.d.ts", `email-${count}.tsx`, "item.ts", "order.ts", "person.ts"].toSorted(),
    );
    expect(type.missing).toEqual([path.join(folder, "emails/gone")]);
    const reasons = [...type.origins.values()].flatMap(({ at, unread }) =>
      unread === undefined ? [] : [[at.line, unread]],
    );
    expect(reasons).toEqual([
      [6, 'it comes from "dates", which is not part of the project'],
      [6, `"./gone" can't be found`],
    ]);
  });

  test("an unreadable type leaves the other members unchanged, and functions are not variables", async () => {
    const type = await read(`import type { ReactNode } from "react";
      interface Node { name: string; children: Node[] }
      interface Props extends React.HTMLAttributes<HTMLElement> { onClick: () => void; go(): void; icon?: ReactNode; tree: Node;
        cond: string extends Props ? 1 : 2; any: any }
      export default function Email(props: Props & { a: 1 }) {}`);
    expect(typeInWords(type.schema ?? {})).toBe(
      "{ icon?: unknown; tree: { name: string; children: unknown; }; cond: unknown; any: unknown; a: 1; }",
    );
    expect(type.gaps.map(({ unread }) => unread)).toEqual(["it is not declared in the project"]);
  });

  test("doc comments, without tags for tools", async () => {
    const { schema } = await read(`export default (props: {
      /**
       * The customer's name.
       *
       * @example Ann
       */
      name: string;
      // not this
      note: string;
    }) => null;`);
    expect(schema?.properties).toEqual({
      name: { type: "string", description: "The customer's name." },
      note: { type: "string" },
    });
  });
});
