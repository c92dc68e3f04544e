import { createRequire } from "node:module";
import { ConfigurationError } from "../../errors.js";
import type { Template } from "../../template/template.js";
import type { CompileContext } from "../engine.js";
import { resolvePeer } from "../peer.js";
import { countElements } from "./bare-tags.js";
import { loadDeferring } from "./deferred.js";
import { printSites } from "./printed-sites.js";

/** An element as MJML takes it instead of a text: its own parser is not needed. */
export interface MjmlJson {
  readonly tagName: string;
  readonly attributes: Readonly<Record<string, string | boolean>>;
  readonly children?: readonly MjmlJson[];
  readonly content?: string;
  /** It stands for a tag between elements: MJML is not to count it among them. */
  readonly isBareTag?: true;
  /** The sections in which an element of a wrapper has the wrapper's gap above it; absent where MJML decides. */
  readonly gapIn?: readonly SectionTags[];
}

/** The tokens of a section's two tags, or of several sections, the outermost first. */
export interface SectionTags {
  readonly opening: string;
  readonly closing: string;
}

/** What MJML knows about an element. */
export interface MjmlComponent {
  /** Its content is html, not elements. */
  readonly endingTag?: boolean;
  /** Types by attribute, such as `unit(px,%){1,4}`. */
  readonly allowedAttributes?: Readonly<Record<string, string>>;
}

export interface MjmlLibrary {
  render(tree: MjmlJson): Promise<string>;
  readonly components: Readonly<Record<string, MjmlComponent | undefined>>;
  /** Which elements may stand in an element; a regular expression allows what it matches. */
  readonly dependencies: Readonly<Record<string, readonly (string | RegExp)[] | undefined>>;
  /** Whether a value fits an attribute's type. */
  isValid(type: string, value: string): boolean;
}

const loaded = new Map<string, MjmlLibrary>();

/**
 * MJML as the project has it installed. Where the context has a thread for it, that one renders.
 *
 * @throws {MissingPeerError} It is not installed.
 */
export function loadMjml(template: Template, context: CompileContext): MjmlLibrary {
  const library = mjmlOf(mjmlFile(template, context));
  return context.mjml ? { ...library, render: context.mjml.render } : library;
}

/** @throws {MissingPeerError} It is not installed. */
export function mjmlFile({ name }: Template, { folder }: CompileContext): string {
  return resolvePeer("mjml", folder, `the MJML template "${name}"`);
}

/** @param file The module of the `mjml` package. */
export function mjmlOf(file: string): MjmlLibrary {
  const library = loaded.get(file) ?? requireMjml(file);
  loaded.set(file, library);
  return library;
}

/*
 * While it loads, mjml-core reads `.mjmlconfig` of the working directory and runs the packages that it lists. So the
 * function that does it is taken away until all is loaded: with `require`, because nothing else can run meanwhile.
 */
function requireMjml(file: string): MjmlLibrary {
  const require = createRequire(file);
  const configReader: unknown = require("mjml-core/lib/helpers/mjmlconfig");
  if (!isRecord(configReader) || typeof configReader["default"] !== "function") throw unsupported(file);
  const readConfig = configReader["default"];
  configReader["default"] = () => undefined;
  try {
    const mjml: unknown = loadDeferring(require.resolve("mjml-core"), () => require(file));
    const core: unknown = require("mjml-core");
    const validator: unknown = require("mjml-validator");
    if (!isMjml(mjml) || !isCore(core) || !isValidator(validator)) throw unsupported(file);
    printSites(core.components);
    countElements(core.components);
    return {
      components: core.components,
      dependencies: validator.dependencies,
      isValid: remembering((type, value) => new (core.initializeType(type))(toMjmlValue(value)).isValid()),
      render: async (tree) => (await mjml(tree, { validationLevel: "skip" })).html,
    };
  } finally {
    configReader["default"] = readConfig;
  }
}

/** The same values stand in every template; MJML makes several objects to check one. */
function remembering(isValid: MjmlLibrary["isValid"]): MjmlLibrary["isValid"] {
  const answers = new Map<string, boolean>();
  return (type, value) => {
    const key = `${type} ${value}`;
    const answer = answers.get(key) ?? isValid(type, value);
    if (answers.size < MOST_ANSWERS) answers.set(key, answer);
    return answer;
  };
}

const MOST_ANSWERS = 10_000;

/** An attribute's value as MJML's own parser gives it. */
export function toMjmlValue(value: string): string | boolean {
  if (value === "true") return true;
  return value === "false" ? false : value;
}

function unsupported(file: string): ConfigurationError {
  return new ConfigurationError(`The installed mjml (${file}) is not a version that lettershop knows.`, {
    hint: "Run: npm install --save-dev mjml@5",
  });
}

type Mjml = (tree: MjmlJson, options: { validationLevel: "skip" }) => Promise<{ html: string }>;

interface Core extends Pick<MjmlLibrary, "components"> {
  initializeType(type: string): new (value: string | boolean) => { isValid(): boolean };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isMjml(value: unknown): value is Mjml {
  return typeof value === "function";
}

function isCore(value: unknown): value is Core {
  return isRecord(value) && isRecord(value["components"]) && typeof value["initializeType"] === "function";
}

function isValidator(value: unknown): value is Pick<MjmlLibrary, "dependencies"> {
  return isRecord(value) && isRecord(value["dependencies"]);
}
