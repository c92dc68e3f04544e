import { z } from "zod";
import { ENGINE_NAMES } from "../project/template.js";

const variables = z.record(z.string(), z.unknown());

/** The schema of each request that writes. */
export const requests = {
  variables: z.object({
    input: variables,
    locale: z.string().max(100).optional(),
    timeZone: z.string().max(100).optional(),
  }),
  fixture: z.object({
    input: variables,
    /** Reports what would change without writing anything. */
    dryRun: z.boolean().optional(),
    /** Whether an existing fixture of that name is replaced. */
    overwrite: z.boolean(),
  }),
  newTemplate: z.object({
    name: z.string().max(1000),
    engine: z.enum(ENGINE_NAMES),
    /** Default: a plain template. */
    starter: z.string().max(100).optional(),
  }),
  rename: z.object({ to: z.string().max(1000) }),
  send: z.object({
    template: z.string(),
    input: variables,
    to: z.string().min(1).max(1000),
    environment: z.string(),
    /** For an environment that asks for confirmation. */
    isConfirmed: z.boolean().optional(),
  }),
  editor: z.object({ file: z.string().max(4096), line: z.int().min(1).optional(), column: z.int().min(1).optional() }),
  clientView: z.object({
    /** The id of a `ClientRow`. */
    client: z.string(),
    html: z.string(),
  }),
  preferences: z.object({ remoteImages: z.boolean() }),
};

export type Requests = { readonly [Name in keyof typeof requests]: Readonly<z.infer<(typeof requests)[Name]>> };
