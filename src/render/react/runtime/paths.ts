import { Shape } from "../../../mustache/shape.js";
import { byValue, pick } from "./choices.js";
import { isOnly, isUnknown, kindsOf, maybe, maybeMissing } from "./kinds.js";
import { forItem, itemAt, itemOf } from "./items.js";
import { lengthValue, positionValue, repeatValue, WHOLE, withinLimits, type MapCallback } from "./loops.js";
import { REFUSED, refuse, refusedText, refuseKeys } from "./refusal.js";
import { nameKey, rendering, sited } from "./rendering.js";
import { represent, represented, type Path, type Site, type Slice, type Sliced } from "./symbolic.js";

/** The value that stands for a variable in user code. A boolean is at once the choice between its two values. */
export function valueOf(path: Path): unknown {
  return isOnly(path, "boolean") ? pick({ path, question: { kind: "itself" } }, true, notTrue(path)) : proxyOf(path);
}

/**
 * The variables as a whole.
 *
 * @param sure Whether the shape is what a schema says, and not only what examples show, but for what is derived.
 */
export function rootValue({
  shape,
  sure,
  derived,
}: {
  readonly shape: Shape;
  readonly sure: boolean;
  readonly derived: readonly string[];
}): object {
  return proxyOf({ kind: "path", names: [], shape, optional: false, sure, derived });
}

/** The same variable, seen there. */
export function sightedAt(path: Path, site: Site | undefined): object {
  return proxyOf(site ? { ...path, site } : path);
}

/** A copy of a list. */
export function copiedAt(path: Path): object {
  return proxyOf({ ...path, isCopy: true });
}

/** The member of an object that a variable is. */
export function memberOf(path: Path, name: string): unknown {
  const { shape, sure, names, loop } = path;
  const isNamed = shape.names.includes(name);
  const required = shape.kinds.every(({ properties, required: all }) => !properties?.[name] || all?.includes(name));
  const member: Path = {
    kind: "path",
    names: [...names, name],
    shape: shape.member(name) ?? Shape.UNKNOWN,
    optional: !required || (shape.isKnown && !isNamed),
    sure: sure && required && isNamed && !maybeMissing(path) && path.derived?.includes(name) !== true,
    ...(loop && { loop }),
    ...((path.isOfOptional === true || maybeMissing(path)) && { isOfOptional: true }),
  };
  const isInDoubt = !member.optional && !member.sure && rendering().presence.absentable.has(nameKey(member));
  if (member.optional || isInDoubt || !mayBeAbsent(path))
    return valueOf({ ...member, optional: member.optional || isInDoubt });
  const isThereWithIt = isNamed && shape.requires(name) && !isUnknown(member) && !maybeMissing(member);
  return valueOf({ ...member, optional: true, ...(isThereWithIt && { holder: path }) });
}

/** `.map` over a variable: one call of the callback, for whatever item. */
export function repeatOver(list: Path, work: MapCallback, slice: Slice = WHOLE): object {
  const { facts } = rendering();
  const loop = rendering().loop(sited(list));
  const whole = slice === WHOLE ? proxyOf(list) : slicedValue(list, slice);
  const some = { path: list, question: { kind: "has-items" } } as const;
  const forEach = (): unknown =>
    forItem(list, () => work(valueOf(itemOf(loop)), positionValue(loop, -slice.skipped), whole));
  const body = facts.assuming(some, true, () => withinLimits(loop, slice, forEach));
  return repeatValue({ kind: "repeat", loop, slice, body });
}

/** What `.slice` gives: to be gone through, and to be printed. */
export function slicedValue(of: Path, slice: Slice): object {
  const sliced: Sliced = { kind: "sliced", of, slice };
  return represent(sliced, {
    get(_target, name) {
      if (name === Symbol.iterator) return () => [repeatOver(of, (item) => item, slice)][Symbol.iterator]();
      if (name === Symbol.toPrimitive) return () => refusedSliceAsText(sliced);
      if (name === "map") return (work: MapCallback) => repeatOver(of, work, slice);
      return name === "length" ? lengthValue(of, slice) : undefined;
    },
    ownKeys: () => refuseKeys(sliced),
  });
}

function refusedSliceAsText(sliced: Sliced): string {
  if (!isUnknown(sliced.of)) return refusedText(sliced, "makes a text of a list");
  const problem = "takes a part of a variable, and no fixture shows whether that is a text or a list";
  return refusedText(sliced, problem, { hint: "Give a fixture in which it has a value." });
}

/** Whether it may be missing here, where more may be known. */
function mayBeAbsent(path: Path): boolean {
  return maybeMissing(path) && rendering().facts.known({ path, question: { kind: "present" } }) !== true;
}

/** `list[index]`, `list.at(index)` */
export function itemValue(list: Path, index: number): unknown {
  const item = itemAt(list, index);
  return item ? valueOf(item) : REFUSED;
}

/** How a variable prints: as its token. */
export function tokenOf(path: Path, raw = false): string {
  return rendering().token({ kind: "value", path, raw });
}

function notTrue(path: Path): unknown {
  return maybeMissing(path) ? byValue(path, [[false, false]], undefined) : false;
}

function proxyOf(path: Path): object {
  return represent(path, {
    get(_target, name) {
      if (name === Symbol.iterator) return () => [child(path)][Symbol.iterator]();
      if (name === Symbol.toPrimitive) return (hint: string) => primitive(path, hint);
      if (typeof name === "symbol" || isAsked(name, path)) return undefined;
      if (name === "length" && !isOnly(path, "object")) return lengthValue(path);
      if (name === "map" && isOnly(path, "list")) return (work: MapCallback) => repeatOver(path, work);
      if (/^\d+$/.test(name) && !isOnly(path, "object")) return itemValue(path, Number(name));
      if (isOnly(path, "string", "number")) {
        // Texts and numbers have their methods and nothing else: React asks each child for its `key`.
        if (!(name in String.prototype || name in Number.prototype)) return undefined;
        return refuse(path, `needs ".${name}" of a ${[...kindsOf(path)].join(" or ")}`);
      }
      return memberOf(path, name);
    },
    set(_target, name) {
      refuse(path, `is given a member "${String(name)}"`);
      return true;
    },
    deleteProperty(_target, name) {
      refuse(path, `loses its member "${String(name)}"`);
      return true;
    },
    has: (_target, name) => typeof name === "string" && path.shape.names.includes(name),
    ownKeys: () => (isOnly(path, "object") ? path.shape.names : refuseKeys(path)),
    getOwnPropertyDescriptor(_target, name) {
      if (typeof name !== "string" || !path.shape.names.includes(name)) return undefined;
      return { value: memberOf(path, name), enumerable: true, configurable: true, writable: true };
    },
  });
}

/** What React asks every object for, to find out what it is. */
function isAsked(name: string, { shape }: Path): boolean {
  return name === "$$typeof" || ((name === "then" || name === "key") && !shape.names.includes(name));
}

/** How React sees a variable among children. */
function child(path: Path): unknown {
  const site = path.site ?? path.loop?.list.site;
  if (isOnly(path, "list")) return repeatOver(path, (item) => item);
  if (isOnly(path, "object")) return refuse(path, "prints an object", { site, hint: "Print one of its members." });
  const booleans = kindsOf(path).has("boolean") ? ([true, false] as const) : [];
  return byValue(
    path,
    booleans.map((value) => [value, value] as const),
    tokenOf(path),
  );
}

/** How React's attributes, and code that is not the user's own, see a variable. */
function primitive(path: Path, hint: string): string | number {
  const site = path.site ?? rendering().site;
  if (hint === "number") {
    refuse(path, "is used as a number by code outside of the project", { site });
    return Number.NaN;
  }
  if (!maybe(path, "string") && !maybe(path, "number")) {
    refuse(path, `makes a text of ${isOnly(path, "list") ? "a list" : "an object"}`, { site });
  }
  return tokenOf(path);
}

export function pathOf(value: unknown): Path | undefined {
  const symbolic = represented(value);
  return symbolic?.kind === "path" ? symbolic : undefined;
}
