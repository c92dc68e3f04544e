import type { Command } from "./command.js";

/** A command's summary for help and documentation, without loading the command. */
export interface CommandEntry {
  /** One line in the imperative, without a full stop. */
  readonly summary: string;
  load(): Promise<{ readonly command: Command }>;
}

/** Every command, in the order of `templates --help`. */
export const commands: Readonly<Record<string, CommandEntry>> = {
  init: {
    summary: "Set up a project: configuration, starter templates, scripts",
    load: () => import("./commands/init.js"),
  },
  new: { summary: "Create a template with a schema and a fixture", load: () => import("./commands/new.js") },
  build: { summary: "Compile templates to files", load: () => import("./commands/build.js") },
  check: { summary: "Report problems in templates", load: () => import("./commands/check.js") },
  types: { summary: "Write the typed registry that applications import", load: () => import("./commands/types.js") },
  render: { summary: "Print a template filled with a fixture's variables", load: () => import("./commands/render.js") },
  derive: {
    summary: "Give names to a React template's computed values, in derive",
    load: () => import("./commands/derive.js"),
  },
  preview: { summary: "Preview every template with every fixture, live", load: () => import("./commands/preview.js") },
  sync: {
    summary: "Update an environment's templates to match the project's",
    load: () => import("./commands/sync.js"),
  },
  status: {
    summary: "Show which templates differ between the project and an environment",
    load: () => import("./commands/status.js"),
  },
  diff: {
    summary: "Show changes compared with an environment or a commit, field by field",
    load: () => import("./commands/diff.js"),
  },
  promote: { summary: "Copy one environment's templates to another", load: () => import("./commands/promote.js") },
  restore: {
    summary: "Restore templates that sync overwrote or deleted, from its backups",
    load: () => import("./commands/restore.js"),
  },
  pull: { summary: "Download an environment's templates as files", load: () => import("./commands/pull.js") },
  send: { summary: "Send a real email from a template", load: () => import("./commands/send.js") },
  outbox: { summary: "List, retry or discard queued messages", load: () => import("./commands/outbox.js") },
  logs: { summary: "Show the delivery log", load: () => import("./commands/logs.js") },
  trace: { summary: "Explain what happened to an email", load: () => import("./commands/trace.js") },
  dev: {
    summary: "Run the preview and the local service, and sync to it on every save",
    load: () => import("./commands/dev.js"),
  },
  service: { summary: "Run the local service", load: () => import("./commands/service.js") },
  doctor: { summary: "Check the setup and explain how to fix problems", load: () => import("./commands/doctor.js") },
};
