/** Saved before user code runs, which may replace them. */
const { getOwnPropertyDescriptor, ownKeys } = Reflect;

/** A member of `Error` that programs are meant to set. */
const HOOK = "prepareStackTrace";

interface Member {
  readonly holder: object;
  readonly key: string | symbol;
  readonly value: unknown;
  readonly name: string;
}

/**
 * Remembers the language's built-in objects, such as `Map` and `Array.prototype.map`, which all other code in the same
 * thread needs.
 *
 * @example
 * const changedObject = watchLanguageObjects();
 * delete globalThis.Map;
 * changedObject(); // "Map"
 *
 * @returns A function that returns the name of an object that was changed or removed since; undefined if none was.
 */
export function watchLanguageObjects(): () => string | undefined {
  const members: Member[] = [];
  for (const key of ownKeys(globalThis)) {
    const { enumerable = true, value }: PropertyDescriptor = getOwnPropertyDescriptor(globalThis, key) ?? {};
    // Enumerable members are added by Node.js or browsers, or loaded lazily.
    if (enumerable || !isHolder(value) || value === globalThis) continue;
    const name = String(key);
    members.push({ holder: globalThis, key, value, name });
    add(value, name, members);
    const prototype: unknown = getOwnPropertyDescriptor(value, "prototype")?.value;
    if (isHolder(prototype)) add(prototype, `${name}.prototype`, members);
  }
  return () => {
    // Without an iterator: it may be one of the objects that are gone.
    for (let index = 0; index < members.length; index += 1) {
      const member = members[index];
      if (member && codeOf(member.holder, member.key) !== member.value) return member.name;
    }
    return undefined;
  };
}

function add(holder: object, path: string, members: Member[]): void {
  for (const key of ownKeys(holder)) {
    const value = codeOf(holder, key);
    if (typeof value !== "function" || key === HOOK) continue;
    const name = typeof key === "symbol" ? `${path}[${key.description}]` : `${path}.${key}`;
    members.push({ holder, key, value, name });
  }
}

/** A member's value, or its getter. */
function codeOf(holder: object, key: string | symbol): unknown {
  const descriptor = getOwnPropertyDescriptor(holder, key);
  return descriptor?.get ?? descriptor?.value;
}

function isHolder(value: unknown): value is object {
  return typeof value === "function" || (typeof value === "object" && value !== null);
}
