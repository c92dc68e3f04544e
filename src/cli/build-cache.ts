import { existsSync, realpathSync } from "node:fs";
import type { Cache } from "../cache/cache.js";
import { type Inputs, InputStates } from "../cache/inputs.js";
import { templateVariables } from "../project/own-environment.js";
import type { AssetsConfig } from "../project/config.js";
import { cacheEntryOf } from "../render/compile.js";
import type { CompiledProject } from "./compile-project.js";
import type { OpenProject } from "./project.js";
import { isBuilt, isManifestUnchanged, type WrittenFiles } from "./write-build.js";

export interface BuildCacheOptions {
  readonly open: OpenProject;
  readonly assets: AssetsConfig | undefined;
  readonly cache: Cache;
  readonly out: string;
  readonly written: WrittenFiles;
  /** The templates to build; empty for all. */
  readonly names: readonly string[];
}

/**
 * Opens the record of an earlier build of all templates into a folder. While the folder contains the same templates, only those
 * with changed files have to be built again.
 */
export function openBuildCache({ open: { project }, assets, cache, out, written, names }: BuildCacheOptions) {
  const { folder, roots, locale, timeZone } = project;
  const states = new InputStates(templateVariables(project));
  const places = roots.map((root) => (existsSync(root) ? realpathSync.native(root) : root));
  const key = { name: `build\n${out}`, key: [folder, places, locale, timeZone, assets ?? null] };
  const cached = cache.read(key)?.value;
  const before = isBuildRecord(cached) && isManifestUnchanged({ out, written }) ? cached : undefined;
  const requested = before && names.length > 0 ? [...new Set(names)] : before?.names;
  const unchanged = (requested ?? []).filter((name) => {
    const built = before?.built[name];
    return (
      built && states.stateOf(inputsOf(built, before)) === built.state && isBuilt({ out, written }, name, built.hash)
    );
  });

  return {
    /** The names of all requested templates, broken or not; undefined if they are not known. */
    names: requested,
    /** Names of templates whose files are unchanged since an earlier build wrote them. */
    unchanged,
    /** Records this build for the next run. */
    save({ results, diagnostics, present }: CompiledProject): void {
      // A diagnostic about no template may depend on files that don't exist.
      if (diagnostics.some(({ template }) => template === undefined) || (!before && names.length > 0)) return;
      const reported = new Set(diagnostics.map(({ template }) => template));
      const fresh = results.flatMap(({ name, compiled }): Built[] => {
        const entry = compiled && !reported.has(name) && cacheEntryOf(compiled);
        if (!entry) return [];
        const inputs = { ...entry.inputs, files: [...new Set([...entry.inputs.files, ...compiled.sources])] };
        const state = states.areUnsettled(inputs) ? undefined : states.stateOf(inputs);
        return state === undefined ? [] : [{ name, hash: compiled.hash, state, inputs }];
      });
      const others = Object.entries(before?.built ?? {}).map(([name, built]): Built => ({
        name,
        hash: built.hash,
        state: built.state,
        inputs: inputsOf(built, before),
      }));
      const all = new Map([...others, ...fresh].map((built) => [built.name, built]));
      cache.write(key, { files: [], trees: roots }, buildRecord(before?.names ?? [...present], [...all.values()]));
    },
  };
}

/** A template that was built without diagnostics. */
interface Built {
  readonly name: string;
  readonly hash: string;
  /** The state of all its source files. */
  readonly state: string;
  readonly inputs: Inputs;
}

interface BuildRecord {
  /** The names of all templates, broken or not. */
  readonly names: readonly string[];
  /** Source files, each listed once: most belong to many templates. */
  readonly files: readonly string[];
  readonly built: Readonly<Record<string, NumberedBuilt>>;
}

interface NumberedBuilt extends Pick<Built, "hash" | "state"> {
  readonly inputs: NumberedInputs;
}

interface NumberedInputs extends Omit<Inputs, "files"> {
  readonly files: readonly number[];
}

function inputsOf({ inputs }: NumberedBuilt, record: BuildRecord | undefined): Inputs {
  return { ...inputs, files: inputs.files.flatMap((number) => record?.files[number] ?? []) };
}

function buildRecord(names: readonly string[], built: readonly Built[]): BuildRecord {
  const numbers = new Map<string, number>();
  const numberOf = (file: string): number => {
    const number = numbers.get(file) ?? numbers.size;
    numbers.set(file, number);
    return number;
  };
  const entries = built.map(({ name, inputs, ...each }) => {
    const numbered: NumberedInputs = { ...inputs, files: inputs.files.map(numberOf) };
    return [name, { ...each, inputs: numbered }] as const;
  });
  return { names, built: Object.fromEntries(entries), files: [...numbers.keys()] };
}

/** A shallow check is enough: the cache only returns what this version wrote. */
function isBuildRecord(value: unknown): value is BuildRecord {
  return typeof value === "object" && value !== null && "built" in value;
}
