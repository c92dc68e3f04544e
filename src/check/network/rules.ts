import type { CheckedProject, Finding, Rule } from "../rule.js";
import { placeOf, shown } from "../rules/links/address-rule.js";
import { isImage } from "../rules/links/addresses.js";
import { onceEach } from "../once-each.js";
import { type Asked, askingOnce, type AskProject } from "./asked.js";
import { weightFindings } from "./image-weight.js";
import type { ProbeOptions } from "./probe.js";

/**
 * The rules that ask the network, where the settings allow it. Each address is asked for once, whichever rules look.
 *
 * @example
 * const rules = networkRules({ timeoutMs: 2000 });
 */
export function networkRules(options: ProbeOptions = {}): readonly Rule[] {
  const ask = askingOnce(options);
  return [networkUnavailable(ask), deadAddress(ask), redirectedAddress(ask), imageContentType(ask), imageWeight(ask)];
}

function networkUnavailable(ask: AskProject): Rule {
  return {
    id: "network-unavailable",
    summary: "Links and images were to be opened, and the network could not be reached.",
    severity: "warning",
    checkAll: ifAllowed(async (project) => {
      const asked = await ask(project);
      if (!isOffline(asked)) return [];
      const addresses = [...new Set(asked.map(({ form }) => form))];
      const [first] = asked.flatMap(({ probe }) => (probe.kind === "failed" ? [probe.reason] : []));
      return [
        {
          message: `None of ${addresses.length} links and images could be opened, such as ${shown(addresses[0] ?? "")}: ${first}. So they were not checked.`,
          hint: "Check again with a network, or leave --network out.",
        },
      ];
    }),
  };
}

function deadAddress(ask: AskProject): Rule {
  return {
    id: "dead-address",
    summary: "A link or an image can't be opened.",
    severity: "error",
    checkAll: ifAllowed(async (project) => {
      const asked = await ask(project);
      return isOffline(asked) ? [] : forEach(asked, whyDead);
    }),
  };
}

function redirectedAddress(ask: AskProject): Rule {
  return {
    id: "redirected-address",
    summary: "A link or an image redirects to another site.",
    severity: "info",
    checkAll: ifAllowed(async (project) =>
      forEach(await ask(project), ({ form, probe }) => {
        if (probe.kind === "failed" || probe.movedTo === undefined || probe.status >= 400) return undefined;
        return {
          message: `${shown(form)} redirects to ${shown(probe.movedTo)}, which is another site.`,
          hint: "Write the address that it leads to, unless the redirect is meant.",
        };
      }),
    ),
  };
}

function imageContentType(ask: AskProject): Rule {
  return {
    id: "image-content-type",
    summary: "What an image's address gives is no image.",
    severity: "error",
    checkAll: ifAllowed(async (project) =>
      forEach(await ask(project), ({ form, address, probe }) => {
        if (!isImage(address) || probe.kind === "failed" || probe.status >= 400) return undefined;
        const type = probe.contentType;
        if (type === undefined || type.startsWith("image/") || type === "application/octet-stream") return undefined;
        return {
          message: `${shown(form)} is no image: it is ${type}.`,
          hint: "Write the address of the image itself.",
        };
      }),
    ),
  };
}

function imageWeight(ask: AskProject): Rule {
  return {
    id: "image-weight",
    summary: "An image, or all images of a template together, take long to load.",
    severity: "warning",
    checkAll: ifAllowed(async (project) => weightFindings(await ask(project))),
  };
}

function ifAllowed(check: (project: CheckedProject) => Promise<readonly Finding[]>): NonNullable<Rule["checkAll"]> {
  return (project) => (project.settings.network ? check(project) : []);
}

/** Nothing answered, and nothing says that something is there. */
function isOffline(asked: readonly Asked[]): boolean {
  return asked.length > 0 && asked.every(({ probe }) => probe.kind === "failed" && probe.mayBeOffline);
}

type Found = Pick<Finding, "message" | "hint" | "severity">;

function forEach(asked: readonly Asked[], find: (asked: Asked) => Found | undefined): Finding[] {
  const templates = new Map<string, Finding[]>();
  for (const each of asked) {
    const found = find(each);
    const { template, document } = each.checked;
    if (!found) continue;
    const findings = templates.get(template.name) ?? [];
    templates.set(template.name, [
      ...findings,
      { ...found, template: template.name, at: placeOf(each.address, document) },
    ]);
  }
  return [...templates.values()].flatMap(onceEach);
}

/** What asks who one is, or whether one is a robot, is there. */
const UNWILLING = [401, 403, 405, 406, 407, 408, 425, 429, 999];

function whyDead({ form, address, probe }: Asked): Found | undefined {
  if (probe.kind === "failed") {
    const severity = probe.isPassing ? { severity: "warning" as const } : {};
    return { message: `${shown(form)} can't be opened: ${probe.reason}.`, hint: "Open it in a browser.", ...severity };
  }
  const { status } = probe;
  if (status < 400 || (UNWILLING.includes(status) && !isImage(address))) return undefined;
  const isGone = status === 404 || status === 410;
  return {
    message: `${shown(form)} can't be opened: its server answers ${status}.`,
    hint: isGone ? "Correct the address." : "Open it in a browser without being signed in.",
    ...(!isGone && { severity: "warning" }),
  };
}
