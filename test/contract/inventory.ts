import { COMMON_REFUSALS, type Endpoint } from "../../src/api/contract/endpoint.js";
import { ENDPOINTS as ENDPOINTS_V3 } from "../../src/api/contract/v3/endpoints.js";
import { ENDPOINTS as ENDPOINTS_V4 } from "../../src/api/contract/v4/endpoints.js";
import { type Member, membersOf, valuesAt } from "./members.js";

export type Version = "v3" | "v4";

export const ENDPOINTS: Readonly<Record<Version, readonly Endpoint[]>> = { v3: ENDPOINTS_V3, v4: ENDPOINTS_V4 };

/** A call and its response. */
export interface Exchange {
  readonly version: Version;
  readonly endpoint: Endpoint;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly status: number;
  readonly answer: unknown;
}

type Sight = (exchange: Exchange) => boolean;

const worked: Sight = ({ status }) => status < 300;
const isRefused: Sight = ({ status }) => status === 400;

/** A statement of the documents about an endpoint, which a test has to cover. */
export interface Item {
  readonly version: Version;
  readonly endpoint: Endpoint;
  readonly part: "path" | "query" | "body" | "answer" | "status" | "refusal";
  /** Unique within the endpoint: `query limit max 200`. */
  readonly label: string;
  /** What the label stands for, if it is not obvious. */
  readonly meaning?: string;
  /** `v4 aliases.list query limit max 200`. */
  readonly name: string;
  /** What calls to the endpoint have to show, each in at least one call, if a test claims to cover this. */
  readonly sights: readonly Sight[];
}

/** Members that a schema only has for another endpoint, with the reason why no response of this one shows them. */
export const NEVER_SHOWN: ReadonlyMap<string, string> = new Map([
  ["v3 aliases.create answer alias.created", '"absent in create/update responses"'],
  ["v3 aliases.update answer alias.created", '"absent in create/update responses"'],
  ["v3 aliases.bulk answer added.created", '"added:[{alias, forward, id}]"'],
  ["v3 aliases.bulk answer updated.created", "as `added`"],
  ["v3 logs.search answer next_cursor", '"`{logs, success}`": a search has no pages'],
  ...["id", "alias", "forward", "created"].map(
    (member) => [`v3 domains.create answer domain.aliases.${member}`, "a new domain has no aliases"] as const,
  ),
]);

/** Everything that has to be covered, derived from the contract. */
export const INVENTORY: readonly Item[] = (["v4", "v3"] as const)
  .flatMap((version) =>
    ENDPOINTS[version].flatMap((endpoint) =>
      itemsOf(endpoint).map((unplaced) => ({
        ...unplaced,
        version,
        endpoint,
        name: `${version} ${endpoint.id} ${unplaced.label}`,
      })),
    ),
  )
  .filter(({ name }) => !NEVER_SHOWN.has(name));

type Unplaced = Pick<Item, "part" | "label" | "meaning" | "sights">;

function itemsOf(endpoint: Endpoint): Unplaced[] {
  const answers = Object.entries(endpoint.answers);
  const members = new Set(answers.flatMap(([, schema]) => (schema ? membersOf(schema).map(({ path }) => path) : [])));
  return [
    ...[...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => item("path", `path ${name}`, [worked])),
    ...(endpoint.query ? membersOf(endpoint.query).flatMap(queryItems) : []),
    ...(endpoint.body ? membersOf(endpoint.body).flatMap(bodyItems) : []),
    ...[...members].map((path) =>
      item("answer", `answer ${path}`, [(seen) => worked(seen) && valuesAt(seen.answer, path).length > 0]),
    ),
    ...answers.map(([status]) => item("status", status, [(seen) => seen.status === Number(status)])),
    ...endpoint.refusals.map(({ status, name, when }) => refusal(`${status} ${name}`, status, when)),
    ...COMMON_REFUSALS.map(({ status, when }) => refusal(String(status), status, when)),
  ];
}

function item(part: Item["part"], label: string, sights: readonly Sight[]): Unplaced {
  return { part, label, sights };
}

function refusal(label: string, status: number, when: string): Unplaced {
  return { ...item("refusal", label, [(seen) => seen.status === status]), meaning: `${status}: ${when}` };
}

function queryItems(member: Member): Unplaced[] {
  const { path: name, max, values } = member;
  const read = (seen: Exchange) => seen.query.getAll(name);
  return [
    item("query", `query ${name}`, [(seen) => worked(seen) && read(seen).length > 0]),
    ...defaultItem("query", member, (seen) => read(seen).length === 0),
    ...maxItem("query", member, (seen) => read(seen).map(Number), max),
    ...values.map((value) =>
      item("query", `query ${name} = ${String(value)}`, [(seen) => worked(seen) && read(seen).includes(String(value))]),
    ),
  ];
}

function bodyItems(member: Member): Unplaced[] {
  const { path, max, values } = member;
  const read = (seen: Exchange) => valuesAt(seen.body, path);
  const sizes = (seen: Exchange) =>
    read(seen).flatMap((value) => (typeof value === "string" || Array.isArray(value) ? [value.length] : []));
  return [
    item("body", `body ${path}`, [(seen) => worked(seen) && read(seen).length > 0]),
    ...defaultItem("body", member, (seen) => read(seen).length === 0),
    ...maxItem("body", member, sizes, max),
    ...values.map((value) =>
      item("body", `body ${path} = ${String(value)}`, [(seen) => worked(seen) && read(seen).flat().includes(value)]),
    ),
  ];
}

function defaultItem(part: "query" | "body", member: Member, isAbsent: Sight): Unplaced[] {
  if (member.default === undefined) return [];
  const label = `${part} ${member.path} default ${JSON.stringify(member.default).replaceAll('"', "")}`;
  return [item(part, label, [(seen) => worked(seen) && isAbsent(seen)])];
}

/** A maximum is covered if one call reaches it exactly and another one exceeds it. */
function maxItem(
  part: "query" | "body",
  { path }: Member,
  sizes: (seen: Exchange) => readonly number[],
  max: number | undefined,
): Unplaced[] {
  if (max === undefined) return [];
  return [
    item(part, `${part} ${path} max ${max}`, [
      (seen) => worked(seen) && sizes(seen).includes(max),
      (seen) => isRefused(seen) && sizes(seen).some((size) => size > max),
    ]),
  ];
}

/**
 * The items that a pattern matches: `*` stands for anything (before a space, for one word), and `{a,b}` for either.
 *
 * @example
 * itemsNamed("{v3,v4} aliases.createMany body aliases*");
 */
export function itemsNamed(pattern: string): Item[] {
  const source = pattern
    .replaceAll(/[.+?^$()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\*(?= )/g, "[^ ]*")
    .replaceAll(/(?<!\])\*/g, ".*")
    .replaceAll(/\{([^}]*)\}/g, (_, choices: string) => `(?:${choices.replaceAll(",", "|")})`);
  const expression = new RegExp(`^${source}$`);
  return INVENTORY.filter(({ name }) => expression.test(name));
}

/** The items that a test's calls did not show. */
export function unseen(items: readonly Item[], exchanges: readonly Exchange[]): string[] {
  return items
    .filter(({ version, endpoint, sights }) => {
      const calls = exchanges.filter((each) => each.version === version && each.endpoint === endpoint);
      return !sights.every((sight) => calls.some(sight));
    })
    .map(({ name }) => name);
}
