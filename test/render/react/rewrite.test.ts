import path from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { type Bundle, bundleModule, bundleTogether } from "../../../src/process/bundle.js";
import { rewriteModule } from "../../../src/render/react/rewrite/rewrite.js";
import { installRuntime } from "../../../src/render/react/compile-task.js";
import { Project } from "./project.js";
import { renderWith } from "./render.js";

const project = await Project.make();
let modules = 0;

beforeAll(() => installRuntime());

async function load(bundle: Bundle): Promise<unknown> {
  modules += 1;
  const folder = `bundle-${modules}`;
  for (const { name, code } of bundle.shared ?? []) await project.add(`${folder}/${name}`, code);
  const file = await project.add(`${folder}/bundle.mjs`, bundle.code);
  const { default: value } = await import(pathToFileURL(file).href);
  return value;
}

/** The default exports of modules when they run unchanged, and after rewriting. */
async function both(sources: readonly string[]): Promise<(readonly [plain: unknown, rewritten: unknown])[]> {
  const files = await Promise.all(sources.map((source, index) => project.add(`module-${index}.tsx`, source)));
  const plain = await bundleTogether(files);
  const rewritten = await bundleTogether(files, { transform: rewriteModule });
  return Promise.all(
    files.map(async (file) => {
      const [asWritten, after] = [plain.get(file), rewritten.get(file)];
      if (!asWritten || !after) throw new Error(`${file} was not bundled.`);
      expect(after.code).toContain("__lettershop");
      return [await load(asWritten), await load(after)] as const;
    }),
  );
}

const SNIPPETS = [
  // Logic, and what must not run
  "let n = 0; const up = () => (n += 1); export default [false && up(), 0 || up(), null ?? up(), true ? 1 : up(), n];",
  "const o: any = { a: 0, b: '', c: null }; o.a ||= 5; o.b ??= 6; o.c ??= 7; o.d &&= 8; export default o;",
  "export default [0 && 1, '' || null, NaN ?? 1, !0, !!'x', !(0, 1), (1, 2) && 3, ((a) => a)(1) ? 'y' : 'n'];",
  "const f = (x: any) => x === 1 ? 'one' : x == '2' ? 'two' : x !== null && x != 3 ? 'other' : 'three'; export default [1, 2, 3, null].map(f);",
  "export default [1 < 2, 2 >= 3, 'a' < 'b', 1 + '2', 3 - 1, 2 ** 3, 7 % 4, 5 & 3, 1 << 4, -8 >>> 28, 'a' in { a: 1 }, [] instanceof Array];",
  "let x: any = 1; x += 2; x *= 5; x -= '1'; x **= 2; x %= 7; const y = [1]; y[0] += 4; export default [x, y, -x, +'3', ~5, typeof x, void 0];",
  "export default [typeof window, typeof (null as any), typeof Symbol.iterator, typeof (() => 1)];",
  "const f = (x: any) => [x !== undefined && x !== null, x === null || x === undefined, typeof x !== 'undefined' && x !== null && x > 1]; export default [[f(undefined), f(null), f(0), f(2)], typeof window !== 'undefined' && window !== null, typeof (window) === 'undefined' || window === null];",
  // Members, calls and chains
  "const o: any = { f() { return this.v; }, v: 3, g: null, h: { i: [1, 2] } }; export default [o.f(), o?.f?.(), o.g?.x.y.z(), o.g?.[0].a, o.h?.i[1], o.h.i.length, o.z?.length, o['f'](), o.h?.i.map((n: number) => n + 1).length];",
  "const k = 'b'; const o: any = { a: 1, [k]: 2, [`c${k}`]: 3 }; o[k] = 5; o[k]++; delete o.a; export default [o, o[k], o['cb'], k in o];",
  "export default [[3, 1, 2].sort(), [1, 2, 3].filter((n) => n > 1), [0, 1].filter(Boolean), [1, null, 2].join('-'), [1, 2].includes(2), [1, 2].some((n) => n === 2), [1, 2].every(Boolean), [1, 2].find((n) => n > 1), [[1], [2]].flat(), [1, NaN].includes(NaN)];",
  "export default ['a-b'.split('-'), 'abc'.toUpperCase(), 'a'.concat('b', 'c'), 'aXbX'.replace('X', '$&'), 'aXbX'.replaceAll('X', (m) => m + m), 'x'.repeat(3), String(5), Number('6'), parseInt('7px'), Boolean('')];",
  "export default [Math.max(...[1, 5, 2]), JSON.stringify({ a: [1] }), Object.keys({ a: 1 }), Object.entries({ b: 2 }), Array.from({ length: 2 }, (_, i) => i), new Date(0).toISOString(), new Map([['a', 1]]).get('a'), new Set([1]).has(1), new Intl.NumberFormat('en').format(1234)];",
  "const m = 'at', s = Symbol('s'); const o: any = { v: 1, f(n: number) { return this.v + n; }, [s]() { return this.v; } }; export default [[1, 2][m](1), o['f' + ''](2), o[s](), o[`g`]?.(1), (o)['f' as 'f'](3), o[0]?.(), [...'ab'], [...[1], ], [...(new Set([1, 1]))], [...([2])]];",
  // Destructuring
  "const { a = 1, b: { c = 2 } = {}, d: [e, f = 4] = [3], ...rest } = { x: 9, b: undefined } as any; export default [a, c, e, f, rest];",
  "const g = ({ a = 1, b = a + 1, ...r }: any = {}, [x, y = b]: any = [7], z = y) => [a, b, r, x, y, z]; export default [g(), g({ a: 5, q: 1 }, [1, null]), g(undefined, undefined, 0)];",
  "const h = ({ o: { id } = { id: 5 } }: any) => id; const i = (n = 3) => n; const j = (s: string = 'x', ...t: any[]) => s + t.length; export default [h({}), h({ o: { id: 1 } }), i(), i(null as any), j(), j('a', 1)];",
  "let a: any, b: any; [a, ...b] = 'xyz' as any; const [, c, ...d] = new Set([1, 2, 3]); const f = ([x, ...[y, ...z]]: any, { l: [m, ...n] = [4, 5] }: any = {}) => [x, y, z, m, n]; export default [a, b, c, d, f([1]), f([1, 2, 3], { l: [6] })];",
  "let a: any, b: any; [a, b = 2] = [1]; ({ a, c: b = 3 } = { a: 5 } as any); const out = []; for (const { k = 'd' } of [{ k: 'a' }, {}] as any[]) out.push(k); for (const [p, q = 1] of Object.entries({ z: undefined })) out.push(p, q); export default [a, b, out];",
  // Statements
  "function f(n: number) { 'use strict'; if (n > 2) { return 'big'; } else if (n) return 'small'; switch (n) { case 0: return 'zero'; case -1: default: return 'none'; } } export default [3, 1, 0, -1, NaN].map(f);",
  "let total = 0; for (let i = 0; i < 3; i++) { if (i === 1) continue; total += i; } let w = 3; while (w > 0) w--; do { w += 2; } while (w < 5); for (const k in { a: 1 }) total += k.length; export default [total, w];",
  "function f(this: any, n: number) { if (n) return arguments.length + (this?.v ?? 0); return null; } export default [f.call({ v: 1 }, 2), f(0)];",
  "const f = (n: number) => { try { if (n) throw new Error('x'); return 1; } catch { return 2; } finally { n = 5; } }; export default [f(0), f(1)];",
  "class A { #p = 1; static s = 2; v?: number; constructor(v = 3) { if (v) this.v = v; } get p() { return this.#p && this.v; } has(o: any) { return #p in o; } m({ x = 1 } = {}) { if (x) return super.toString === Object.prototype.toString; return 0; } } class B extends A { constructor() { super(7); } m() { return super.m() && true; } } export default [new A().p, new B().p, A.s, new A().has(new A()), new B().m()];",
  "function* g(n: number): any { if (n) yield n; const x = (yield 'a') ?? 'b'; yield n ? x : 'c'; } export default [...g(1), ...g(0)];",
  "const f = async (n: number) => { if (n) return (await Promise.resolve(n)) && (n > 1 ? await 5 : 'one'); return n || (await 7); }; export default await Promise.all([f(2), f(1), f(0)]);",
  "const out: any[] = []; for (const { a = 1, b: [c, d = out.length] } of [{ b: [1] }, { a: 5, b: [2, 3] }] as any[]) { if (a > 9) continue; out.push([a, c, d]) } for (const [k, v] of Object.entries({ x: 1 })) out.push(k, v); for (const n of new Set([1, 2])) if (n > 1) { out.push(n) } else continue; export default out;",
  "const out: any[] = []; [3, 4].forEach((n, i, all) => out.push(n + i + all.length)); [1, 2].forEach(function (this: any, n) { if (n === 1) return out.push('one'); switch (n) { case 2: out.push(this.v); break; default: return } }, { v: 'this' }); new Map([['k', 'v']]).forEach((v, k) => { out.push(v, k) }); (null as any)?.forEach((x: any) => out.push(x)); for(const a of [1]){for(const b of [2])out.push(a,b)} export default out;",
  "const f = (list: any) => { let a = 0, b = ''; for (const { x, y = a } of list) { if (x < 0) continue; { const b = 9; a += x + b; } b += y; for (const c of [1, 2]) { let a = c; a++; b += a } } list.forEach((o: any, i: number) => { a -= i; return o }); list.forEach(({ x }: any) => x > 1 && (b += x)); return [a, b]; }; export default [f([{ x: 1 }, { x: -1 }, { x: 2, y: 7 }]), f([])];",
  "const f = () => { let n: any = 0; const log: any[] = []; const list = [1, 2, 3]; const add = (x: number) => { n += x; }; for (let i = 0; i < list.length; i++) { n += i; if (n < 9) list.push(n) } for (let i = 1; i <= '3' as any; i += 1) n = n * 2; for (let i = 0; i < 2; ++i) log.push(() => i); list.forEach((x) => { add(x); n++; }); for (const x of new Map([[1, 2]])) n += x[0] + x[1]; return [n, list, log.map((each) => each())]; }; export default f();",
  "async function f(this: any, ...all: any[]) { let n = 0, m = null; for (const x of all) { n += arguments.length + this.v; } for (const x of all) { if (x > 1) { m = x; break; } } for (const x of all) n += await x; for (var k of all) n += k; return [n, m, k]; } export default await f.call({ v: 1 }, 1, 2, 3);",
  "let n: any = '5', o: any = { a: 1n, b: { c: '7' } }; const old = n++; const f = () => { let i = 0; const taken = [i++, ++i, i--, --i]; o.a++; ++o.b.c; (o.b.c)--; return [taken, i]; }; export default [old, n, f(), String(o.a), o.b];",
  "let i = 0; const up = () => (i += 1), s = Symbol('s'); export default [{ a: up(), [up()]: up(), ...{ b: up() }, [`k${up()}`]: () => 1, /* [ */ [('x' as string) /* ] */] /* : */ : (0, up()), ['y']: 1, [s]: 2, }, { ['__proto__']: 1, [up() + '']() { return this; }, get [s]() { return 3; } }, i].map((each: any) => JSON.stringify(each) + each[s]);",
  "let n = 0; const f = (x: any) => { x && n++; x || (n += 5); x ? n-- : (n += 2); return n; }; export default [f(1), f(0)];",
  "label: for (const a of [1, 2]) { for (const b of [1, 2]) { if (b === 2) continue label; if (a === 2) break label; } } export default 'done';",
  "const f = (n: number) => { let a = 'x'; if ((n > 1)) /* ) */ a = 'y'; else if (((n) && (n > 0))) (a += 's'); return a }; export default [f(0), f(1), f(2)];",
  "const f = (n: number) => { let [a, b] = ['x', 1]; if (n > 1) { const c = n; a += c; if (n > 2) b = c } else a = 'y'\n return [a, b] }; export default [f(0), f(2), f(3)];",
  "const f = (n: any) => { const out = []; switch (true) { case n > 3: out.push('big'); case n === 2: out.push('two'); break; default: out.push('other'); } switch (n) { case 1 + 1: return [out, 'two']; } return out; }; export default [f(1), f(2), f(4)];",
  "const f = (n: number) => { const log = []; const see = (x: any) => (log.push(x), x); switch (see(n)) { case see(1): case see(2): log.push('hit'); } return log; }; export default [f(1), f(2), f(3)];",
  "const f = (a: number, b?: string, { c = 3 } = {}) => [a, b, c]; const [x, , y = 'd', ...z] = new Set([1, 2, undefined, 4, 5]) as any; export default [f(1), f(1, 'b', { c: 4 }), x, y, z];",
  // TypeScript, literals, comments
  "enum E { A = 1 << 2, B = A | 1 } namespace N { export const x = E.A && 1; } const y = (E.B satisfies any) as number; const z = y! && (y as any)?.toFixed(1); export default [E.A, N.x, y, z];",
  "export default { ...{ a: 1 }, ...(null as any), b: 2, ...[3], c: { ...{ d: 1 }, d: 2 }, /* , */ ...'x', get g() { return 1; }, };",
  "const tag = (s: any, ...v: any[]) => s.raw.join('|') + v; export default [`a${1 && 2}b${`n${3}`}`, tag`x${1}\\n${2}`, `plain`];",
  "export default [1 /* && */ && /* || */ 2 // ?\n ? /* : */ 'a' : 'b', (((1))) === (1), [1,][0], ((a) => a)?.(1), (0, Math.max)(1, 2)];",
  "export default /a/.test('a') && [...'ab', ...[1]].length;",
];

/** Records the order of evaluation. */
const ORDER = `
      const log: string[] = [];
      const see = <T,>(name: string, value: T): T => (log.push(name), value);
      (see("a", true) && see("b", 0)) || (see("c", null) ?? see("d", 1));
      see("object", { m: (...all: any[]) => all }).m(see("x", 1) + see("y", 2), ...see("z", [3]));
      const { [see("key", "k")]: v = see("default", 1), ...rest } = see("source", {} as any);
      see("if", 0) ? see("yes", 1) : see("no", 2);
      \`\${see("t1", 1)}\${see("t2", 2)}\`;
      export default log;`;

describe("a rewritten module behaves as before", () => {
  let loaded: Awaited<ReturnType<typeof both>>;
  beforeAll(async () => {
    loaded = await both([...SNIPPETS, ORDER]);
  });

  test.each(Object.entries([...SNIPPETS, ORDER]))("%s: %s", (index) => {
    const [plain, rewritten] = loaded[Number(index)] ?? [];
    expect(rewritten).toEqual(plain);
  });

  test("with errors at their position in the source", async () => {
    const file = await project.add(
      "throws.tsx",
      "export default ({ b }: any) =>\n  b && b.c && b.c.d(1) === 2 ? `${b}` : null;\n",
    );
    const bundle = await bundleModule(file, { transform: rewriteModule });
    expect(bundle.sources).toEqual([path.normalize(file)]);
    expect(await renderWith(project, bundle, { b: { c: {} } })).toMatchObject({ at: { file, line: 2 } });
  });
});
