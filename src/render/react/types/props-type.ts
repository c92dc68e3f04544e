import type { SourcePosition } from "../../../diagnostic.js";
import type { ESTree } from "../../../process/rolldown.js";
import type { VariablesSchema } from "../../../mustache/variables.js";
import { findPropsAnnotation } from "./component-props.js";
import type { TypeModules } from "./type-module.js";
import { type TypeOrigin, TypeReader } from "./type-reader.js";
import { asOneObject } from "./type-value.js";
import { Unreadable } from "./unreadable.js";

/** What the TypeScript type of a component's props specifies about its variables. */
export interface PropsType {
  /** The schema of an object. A member that can't be read is `{}`. Absent if the type specifies nothing. */
  readonly schema?: VariablesSchema;
  /** Why it specifies nothing. */
  readonly unread?: string;
  /** Where the type is written, or otherwise the component. */
  readonly at: SourcePosition;
  /** Where each member's type is written, by the member's schema. */
  readonly origins: ReadonlyMap<VariablesSchema, TypeOrigin>;
  /** Parts of the type that can't be read: their members are inferred from tags and fixtures. */
  readonly gaps: readonly TypeOrigin[];
  /** Absolute paths of the files from which it was read. */
  readonly files: readonly string[];
  /** Absolute paths of imports that can't be resolved, without an extension. */
  readonly missing: readonly string[];
}

/**
 * Reads the type of a component's props from the project's own modules, using only their syntax.
 *
 * @param exportName The name under which the module exports the component.
 *
 * @example
 * // export default function Email({ name = "you" }: { name?: string }) { … }
 * (await readPropsType(modules, file)).schema; // { type: "object", properties: { name: { type: "string" } }, required: [] }
 */
export async function readPropsType(modules: TypeModules, file: string, exportName = "default"): Promise<PropsType> {
  const reader = new TypeReader(modules);
  const { origins, gaps, trail } = reader;
  let at: SourcePosition = { file };
  const origin = (): Omit<PropsType, "schema"> => ({
    at,
    origins,
    gaps,
    files: [...trail.files],
    missing: [...trail.missing],
  });
  try {
    const module = await modules.read(file);
    if (!module) throw new Unreadable("the file can't be read");
    trail.files.add(file);
    const annotation = await findPropsAnnotation(modules, module, exportName, trail);
    trail.files.add(annotation.module.file);
    at = annotation.module.positionOf(annotation.type);
    const scope = { module: annotation.module, parameters: new Map(), within: [] };
    const schema = asOneObject(await reader.read(annotation.type, scope));
    if (Object.keys(schema.properties ?? {}).length === 0) throw new Unreadable("it has no members");
    const withDefault = namesWithDefault(annotation.parameter);
    const required = (schema.required ?? []).filter((name) => !withDefault.includes(name));
    return { ...origin(), schema: { ...schema, required } };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { ...origin(), unread: error.message };
  }
}

/** The props that have a default in the component's parameter: they are optional, whatever the type declares. */
function namesWithDefault(parameter: ESTree.Node | undefined): string[] {
  if (parameter?.type === "AssignmentPattern") return namesWithDefault(parameter.left);
  if (parameter?.type !== "ObjectPattern") return [];
  return parameter.properties.flatMap((each) => {
    if (each.type !== "Property" || each.computed || each.value.type !== "AssignmentPattern") return [];
    return each.key.type === "Identifier" ? [each.key.name] : [];
  });
}
