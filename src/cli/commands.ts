import type { Command } from "./command.js";

/** A command's summary for help and documentation, without loading the command. */
export interface CommandEntry {
  /** One line in the imperative, without a full stop. */
  readonly summary: string;
  load(): Promise<Command>;
}

/** Every command, in the order of `templates --help`. */
export const commands: Readonly<Record<string, CommandEntry>> = {
  init: {
    summary: "Set up a project: configuration, starter templates, scripts",
    load: async () => (await import("./commands/init.js")).init,
  },
  new: {
    summary: "Create a template with a schema and a fixture",
    load: async () => (await import("./commands/new.js")).newTemplate,
  },
  build: { summary: "Compile templates to files", load: async () => (await import("./commands/build.js")).build },
  check: {
    summary: "Report problems in templates",
    load: async () => (await import("./commands/check.js")).check,
  },
  types: {
    summary: "Write the typed registry that applications import",
    load: async () => (await import("./commands/types.js")).types,
  },
  render: {
    summary: "Print a template filled with a fixture's variables",
    load: async () => (await import("./commands/render.js")).render,
  },
  preview: {
    summary: "Preview every template with every fixture, live",
    load: async () => (await import("./commands/preview.js")).preview,
  },
  sync: {
    summary: "Update an environment's templates to match the project's",
    load: async () => (await import("./commands/sync.js")).sync,
  },
  status: {
    summary: "Show which templates differ between the project and an environment",
    load: async () => (await import("./commands/status.js")).status,
  },
  diff: {
    summary: "Show changes compared with an environment or a commit, field by field",
    load: async () => (await import("./commands/diff.js")).diff,
  },
  promote: {
    summary: "Copy one environment's templates to another",
    load: async () => (await import("./commands/promote.js")).promote,
  },
  restore: {
    summary: "Restore templates that sync overwrote or deleted, from its backups",
    load: async () => (await import("./commands/restore.js")).restore,
  },
  pull: {
    summary: "Download an environment's templates as files",
    load: async () => (await import("./commands/pull.js")).pull,
  },
  send: {
    summary: "Send a real email from a template",
    load: async () => (await import("./commands/send.js")).send,
  },
  outbox: {
    summary: "List, retry or discard queued messages",
    load: async () => (await import("./commands/outbox.js")).outbox,
  },
  logs: { summary: "Show the delivery log", load: async () => (await import("./commands/logs.js")).logs },
  trace: {
    summary: "Explain what happened to an email",
    load: async () => (await import("./commands/trace.js")).trace,
  },
  dev: {
    summary: "Run the preview and the local service, and sync to it on every save",
    load: async () => (await import("./commands/dev.js")).dev,
  },
  service: { summary: "Run the local service", load: async () => (await import("./commands/service.js")).service },
  doctor: {
    summary: "Check the setup and explain how to fix problems",
    load: async () => (await import("./commands/doctor.js")).doctor,
  },
};
