export { type Client, type ClientOptions, createClient } from "./api/index.js";
export { defineConfig, type LettershopConfig } from "./project/index.js";
export type { Diagnostic, Severity, SourcePosition } from "./diagnostic.js";
export { hasErrors } from "./diagnostic.js";
export { ConfigurationError, LettershopError, MissingPeerError, PeerLoadError } from "./errors.js";
export { fill, type Message } from "./mustache/fill.js";
export { createMailer, type Mailer, type MailerOptions, type Registry, SendError, type Sent } from "./send/index.js";
export type { CompiledTemplate, CompileResult, Template } from "./project/template.js";
