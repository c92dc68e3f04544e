import { existsSync, realpathSync } from "node:fs";
import type { Cache } from "../cache/cache.js";
import { type Inputs, InputStates } from "../cache/inputs.js";
import { templateVariables } from "../config/project-variables.js";
import type { AssetsConfig } from "../config/define.js";
import { keptAs } from "../render/compile.js";
import type { CompiledProject } from "./compile-project.js";
import type { OpenProject } from "./project.js";
import { isBuilt, isManifestLeft } from "./write-build.js";
import type { WrittenFiles } from "./written-files.js";

/** What is left to do of a build. */
export interface KeptBuild {
  /** Names of all templates that are asked for, broken or not; undefined where nobody knows them. */
  readonly names?: readonly string[];
  /** Names of those that an earlier build wrote, out of files that are as they were. */
  readonly unchanged: readonly string[];
  /** Keeps what is known now for the next run. */
  save(compiled: CompiledProject): void;
}

export interface KeptBuildOptions {
  readonly open: OpenProject;
  readonly assets: AssetsConfig | undefined;
  readonly cache: Cache;
  readonly out: string;
  readonly written: WrittenFiles;
  /** Of the templates to build; none for all. */
  readonly names: readonly string[];
}

/**
 * What earlier builds of all templates wrote into a folder. While the same names are in the templates' folders, a build of
 * all is a build of those of which a file has another state.
 */
export function openKeptBuild({ open: { project }, assets, cache, out, written, names }: KeptBuildOptions): KeptBuild {
  const { folder, roots, locale, timeZone } = project;
  const states = new InputStates(templateVariables(project));
  const places = roots.map((root) => (existsSync(root) ? realpathSync.native(root) : root));
  const key = { name: `build\n${out}`, key: [folder, places, locale, timeZone, assets ?? null] };
  const kept = cache.read(key)?.value;
  const before = isBuildRecord(kept) && isManifestLeft({ out, written }) ? kept : undefined;
  const asked = before && names.length > 0 ? [...new Set(names)] : before?.names;
  const unchanged = (asked ?? []).filter((name) => {
    const built = before?.built[name];
    return (
      built && states.stateOf(inputsOf(built, before)) === built.state && isBuilt({ out, written }, name, built.hash)
    );
  });

  return {
    ...(asked && { names: asked }),
    unchanged,
    save({ results, diagnostics, present }) {
      // What is about no template depends on what is not there, too.
      if (diagnostics.some(({ template }) => template === undefined) || (!before && names.length > 0)) return;
      const found = new Set(diagnostics.map(({ template }) => template));
      const fresh = results.flatMap(({ name, compiled }): Built[] => {
        const made = compiled && !found.has(name) && keptAs(compiled);
        if (!made) return [];
        const inputs = { ...made.inputs, files: [...new Set([...made.inputs.files, ...compiled.sources])] };
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

/** A template that was built without a finding. */
interface Built {
  readonly name: string;
  readonly hash: string;
  /** Of all files that it was made from. */
  readonly state: string;
  readonly inputs: Inputs;
}

interface BuildRecord {
  /** Of all templates, broken or not. */
  readonly names: readonly string[];
  /** Most are inputs of many templates: each is written once. */
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

/** What is read was written by this very version. */
function isBuildRecord(value: unknown): value is BuildRecord {
  return typeof value === "object" && value !== null && "built" in value;
}
