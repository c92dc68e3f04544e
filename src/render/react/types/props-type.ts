import type { SourcePosition } from "../../../diagnostic.js";
import type { ESTree } from "../../../modules/rolldown.js";
import type { VariablesSchema } from "../../../mustache/variables.js";
import { findPropsAnnotation } from "./component-props.js";
import type { TypeModules } from "./type-module.js";
import { type TypeOrigin, TypeReader } from "./type-reader.js";
import { asOneObject } from "./type-value.js";
import { Unreadable } from "./unreadable.js";

/** What the TypeScript type of a component's props says of its variables. */
export interface PropsType {
  /** Of an object. A member that could not be read is `{}`. Absent where the type says nothing. */
  readonly schema?: VariablesSchema;
  /** Why it says nothing. */
  readonly unread?: string;
  /** Where the type is written, or else the component. */
  readonly at: SourcePosition;
  /** Where each member's type is written, by the member's schema. */
  readonly origins: ReadonlyMap<VariablesSchema, TypeOrigin>;
  /** What else the type is made of, and could not be read: what the tags and fixtures show of it is inferred. */
  readonly gaps: readonly TypeOrigin[];
  /** Files that it was read from, absolute. */
  readonly files: readonly string[];
  /** What imports that lead nowhere mean: absolute, without an ending. */
  readonly missing: readonly string[];
}

/**
 * Reads the type of a component's props where it is written in the project's own modules, by their syntax alone.
 *
 * @param exportName What the module exports the component as.
 *
 * @example
 * // export default function Email({ name = "you" }: { name?: string }) { … }
 * (await readPropsType(modules, file)).schema; // { type: "object", properties: { name: { type: "string" } }, required: [] }
 */
export async function readPropsType(modules: TypeModules, file: string, exportName = "default"): Promise<PropsType> {
  const reader = new TypeReader(modules);
  const { origins, gaps, trail } = reader;
  let at: SourcePosition = { file };
  const found = (): Omit<PropsType, "schema"> => ({
    at,
    origins,
    gaps,
    files: [...trail.files],
    missing: [...trail.missing],
  });
  try {
    const module = await modules.read(file);
    if (!module) throw new Unreadable("the file cannot be read");
    trail.files.add(file);
    const annotation = await findPropsAnnotation(modules, module, exportName, trail);
    trail.files.add(annotation.module.file);
    at = annotation.module.positionOf(annotation.type);
    const scope = { module: annotation.module, parameters: new Map(), within: [] };
    const schema = asOneObject(await reader.read(annotation.type, scope));
    if (Object.keys(schema.properties ?? {}).length === 0) throw new Unreadable("it names no members");
    const defaulted = defaultedIn(annotation.parameter);
    const required = (schema.required ?? []).filter((name) => !defaulted.includes(name));
    return { ...found(), schema: { ...schema, required } };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { ...found(), unread: error.message };
  }
}

/** The props that have a default where the component takes them: nobody has to pass them, whatever the type says. */
function defaultedIn(parameter: ESTree.Node | undefined): string[] {
  if (parameter?.type === "AssignmentPattern") return defaultedIn(parameter.left);
  if (parameter?.type !== "ObjectPattern") return [];
  return parameter.properties.flatMap((each) => {
    if (each.type !== "Property" || each.computed || each.value.type !== "AssignmentPattern") return [];
    return each.key.type === "Identifier" ? [each.key.name] : [];
  });
}
