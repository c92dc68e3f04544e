import type { Domain } from "../../api/contract/v4/domains.js";
import type { LogEntry } from "../../api/contract/v4/logs.js";
import type { StoredTemplate, StoredTemplateSummary } from "../../api/contract/v4/templates.js";
import type { DomainRecord } from "../store/domains.js";
import type { LogEntryRecord } from "../store/log-rows.js";
import type { TemplateRecord, TemplateSummary } from "../store/templates.js";
import { isoSeconds } from "../timestamp.js";

/* Records of the store as version 4 shows them (part 2). */

export function domainV4(domain: DomainRecord): Domain {
  return {
    domain: domain.name,
    forwarding_ready: domain.forwardingReady,
    send_ready: domain.sendReady,
    banned: domain.banned,
    notification_email: domain.notificationEmail,
    notify_when_spam_blocked: domain.notifyWhenSpamBlocked,
    routing_engine: domain.routingEngine,
    rules_fallback_email: domain.rulesFallbackEmail,
    strict_mxes: domain.strictMxes,
    whitelabel: domain.whitelabel,
    created_at: isoSeconds(domain.createdAt),
    updated_at: isoSeconds(domain.updatedAt),
  };
}

export function templateSummaryV4(template: TemplateSummary): StoredTemplateSummary {
  return {
    name: template.name,
    description: template.description,
    subject: template.subject,
    created_at: isoSeconds(template.createdAt),
    updated_at: isoSeconds(template.updatedAt),
  };
}

export function templateV4(template: TemplateRecord): StoredTemplate {
  const { created_at, updated_at, ...summary } = templateSummaryV4(template);
  return { ...summary, html_body: template.html_body, text_body: template.text_body, created_at, updated_at };
}

export function logEntryV4(entry: LogEntryRecord): LogEntry {
  return {
    id: entry.id,
    created_at: isoSeconds(entry.createdAt),
    events: entry.events.map((event) => ({
      code: event.code,
      created_at: isoSeconds(event.createdAt),
      id: event.id,
      local: event.local,
      message: event.message,
      server: event.server,
      status: event.status,
    })),
    forward: entry.forward,
    hostname: entry.hostname,
    message_id: entry.messageId,
    recipient: entry.recipient,
    sender: entry.sender,
    subject: entry.subject,
    transport: entry.transport,
  };
}
