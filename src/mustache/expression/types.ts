/*
 * The types of values, with the members that expressions may use besides an object's own.
 */

export const METHODS: Readonly<Record<string, string>> = {
  String:
    "at charAt charCodeAt codePointAt concat endsWith includes indexOf isWellFormed lastIndexOf localeCompare match " +
    "matchAll normalize padEnd padStart repeat replace replaceAll search slice split startsWith substr substring " +
    "toLocaleLowerCase toLocaleUpperCase toLowerCase toString toUpperCase toWellFormed trim trimEnd trimLeft trimRight " +
    "trimStart valueOf",
  Number: "toExponential toFixed toLocaleString toPrecision toString valueOf",
  BigInt: "toLocaleString toString valueOf",
  Boolean: "toString valueOf",
  Array:
    "at concat copyWithin entries every fill filter find findIndex findLast findLastIndex flat flatMap forEach includes " +
    "indexOf join keys lastIndexOf map pop push reduce reduceRight reverse shift slice some sort splice toLocaleString " +
    "toReversed toSorted toSpliced toString unshift values with",
  Date:
    "getDate getDay getFullYear getHours getMilliseconds getMinutes getMonth getSeconds getTime getTimezoneOffset " +
    "getUTCDate getUTCDay getUTCFullYear getUTCHours getUTCMilliseconds getUTCMinutes getUTCMonth getUTCSeconds getYear " +
    "setDate setFullYear setHours setMilliseconds setMinutes setMonth setSeconds setTime setUTCDate setUTCFullYear " +
    "setUTCHours setUTCMilliseconds setUTCMinutes setUTCMonth setUTCSeconds setYear toDateString toISOString toJSON toLocaleDateString toLocaleString toLocaleTimeString toString toTimeString " +
    "toUTCString valueOf",
  RegExp: "exec test toString",
  Map: "clear delete entries forEach get has keys set values",
  Set: "add clear delete entries forEach has keys values",
  Object: "hasOwnProperty propertyIsEnumerable toLocaleString toString valueOf",
  "Intl.NumberFormat": "format formatRange formatRangeToParts formatToParts resolvedOptions",
  "Intl.DateTimeFormat": "format formatRange formatRangeToParts formatToParts resolvedOptions",
  "Intl.ListFormat": "format formatToParts resolvedOptions",
  "Intl.RelativeTimeFormat": "format formatToParts resolvedOptions",
  "Intl.PluralRules": "resolvedOptions select selectRange",
  "Intl.Collator": "compare resolvedOptions",
  "Intl.DisplayNames": "of resolvedOptions",
  URL: "toJSON toString",
  URLSearchParams: "append delete entries forEach get getAll has keys set sort toString values",
  "Array Iterator": "next",
  "Map Iterator": "next",
  "Set Iterator": "next",
  "String Iterator": "next",
  "URLSearchParams Iterator": "next",
  "RegExp String Iterator": "next",
};

export const PROPERTIES: Readonly<Record<string, string>> = {
  Map: "size",
  Set: "size",
  URL: "hash host hostname href origin password pathname port protocol search searchParams username",
  URLSearchParams: "size",
  RegExp: "dotAll flags global hasIndices ignoreCase multiline source sticky unicode unicodeSets",
};

/** Methods that change their object: they are called on a copy. */
const CHANGING: Readonly<Record<string, RegExp>> = {
  Array: /^(?:copyWithin|fill|pop|push|reverse|shift|sort|splice|unshift)$/,
  Date: /^set/,
  Map: /^(?:clear|delete|set)$/,
  Set: /^(?:add|clear|delete)$/,
  URLSearchParams: /^(?:append|delete|set|sort)$/,
};

/** Properties that can be assigned. */
const ASSIGNABLE: Readonly<Record<string, RegExp>> = {
  Array: /^(?:length|\d+)$/,
  URL: /^(?:hash|host|hostname|href|password|pathname|port|protocol|search|username)$/,
};

/** Methods that return a function of their object. */
const BOUND: ReadonlySet<string> = new Set([
  "Intl.NumberFormat format",
  "Intl.DateTimeFormat format",
  "Intl.Collator compare",
]);

/** The built-in class of a value: "String" also for primitive strings; "Object" for all others. */
export function typeOf(value: unknown): string {
  if (typeof value === "string") return "String";
  if (typeof value === "number") return "Number";
  if (Array.isArray(value)) return "Array";
  const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
  return Object.hasOwn(METHODS, tag) ? tag : "Object";
}

export function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === "string" || (typeof value === "object" && value !== null && Symbol.iterator in value);
}

export function isMethod(type: string, name: string): boolean {
  return METHOD_NAMES.get(type)?.has(name) === true || METHOD_NAMES.get("Object")?.has(name) === true;
}

export function isProperty(type: string, name: string): boolean {
  return PROPERTY_NAMES.get(type)?.has(name) === true;
}

/** Whether a method changes its object, whatever the type. */
export function isChangingName(name: string): boolean {
  return Object.keys(CHANGING).some((type) => isChangingMethod(type, name));
}

export function isChangingMethod(type: string, name: string): boolean {
  return isMethod(type, name) && CHANGING[type]?.test(name) === true;
}

export function isAssignable(type: string, name: string): boolean {
  return ASSIGNABLE[type]?.test(name) === true;
}

export function isBoundMethod(type: string, name: string): boolean {
  return BOUND.has(`${type} ${name}`);
}

const METHOD_NAMES = namesByType(METHODS);
const PROPERTY_NAMES = namesByType(PROPERTIES);

function namesByType(table: Readonly<Record<string, string>>): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(Object.entries(table).map(([type, names]) => [type, new Set(names.split(" "))]));
}
