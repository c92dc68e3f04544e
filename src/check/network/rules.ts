import type { CheckedProject, Finding, Rule } from "../rule.js";
import { placeOf, shown } from "../rules/links/address-rule.js";
import { isImage } from "../rules/links/addresses.js";
import { type ProbedUrl, askAddresses } from "./asked.js";
import type { ProbeOptions } from "./probe.js";

/**
 * The rules that request URLs, if the settings allow it. Each URL is requested once for all rules.
 *
 * @example
 * const rules = networkRules({ timeoutMs: 2000 });
 */
export function networkRules(options: ProbeOptions = {}): readonly Rule[] {
  const runs = new WeakMap<CheckedProject, Promise<readonly ProbedUrl[]>>();
  return RULES.map(({ find, ...rule }) => ({
    ...rule,
    async checkAll(project) {
      if (!project.settings.network) return [];
      const run = runs.get(project) ?? askAddresses(project.checked, options);
      runs.set(project, run);
      return find(await run);
    },
  }));
}

interface NetworkRule extends Pick<Rule, "id" | "summary" | "severity"> {
  readonly find: (probed: readonly ProbedUrl[]) => Finding[];
}

const RULES: readonly NetworkRule[] = [
  {
    id: "network-unavailable",
    summary: "Links and images could not be checked, because the network could not be reached.",
    severity: "warning",
    find(probed) {
      const [first] = probed;
      if (!first || !isOffline(probed) || first.probe.kind !== "failed") return [];
      const count = new Set(probed.map(({ form }) => form)).size;
      return [
        {
          message: `None of ${count} links and images could be opened, for example ${shown(first.form)}: ${first.probe.reason}. They were not checked.`,
          hint: "Check again when online, or leave out `--network`.",
        },
      ];
    },
  },
  {
    id: "dead-address",
    summary: "A link or an image can't be opened.",
    severity: "error",
    find: (probed) => (isOffline(probed) ? [] : findEach(probed, whyDead)),
  },
  {
    id: "redirected-address",
    summary: "A link or an image redirects to another site.",
    severity: "info",
    find: (probed) =>
      findEach(probed, ({ form, probe }) => {
        if (probe.kind === "failed" || probe.movedTo === undefined || probe.status >= 400) return undefined;
        return {
          message: `${shown(form)} redirects to ${shown(probe.movedTo)}, which is another site.`,
          hint: "Use the URL that it redirects to, unless the redirect is intended.",
        };
      }),
  },
  {
    id: "image-content-type",
    summary: "An image's URL returns something that is not an image.",
    severity: "error",
    find: (probed) =>
      findEach(probed, ({ form, address, probe }) => {
        if (!isImage(address) || probe.kind === "failed" || probe.status >= 400) return undefined;
        const type = probe.contentType;
        if (type === undefined || type.startsWith("image/") || type === "application/octet-stream") return undefined;
        return {
          message: `${shown(form)} is not an image: its content type is ${type}.`,
          hint: "Use the URL of the image itself.",
        };
      }),
  },
  {
    id: "image-weight",
    summary: "An image, or all images of a template together, take too long to load.",
    severity: "warning",
    find: (probed) => [...findEach(probed, tooHeavy), ...heavyTogether(probed)],
  },
];

/** Whether every request failed as it would without a network. */
function isOffline(probed: readonly ProbedUrl[]): boolean {
  return probed.length > 0 && probed.every(({ probe }) => probe.kind === "failed" && probe.mayBeOffline);
}

type Found = Pick<Finding, "message" | "hint" | "severity">;

function findEach(probed: readonly ProbedUrl[], find: (probed: ProbedUrl) => Found | undefined): Finding[] {
  return probed.flatMap((each): Finding[] => {
    const found = find(each);
    const { template, document } = each.checked;
    return found ? [{ ...found, template: template.name, at: placeOf(each.address, document) }] : [];
  });
}

/** Statuses of pages that exist but require a login, or reject robots. */
const UNWILLING = [401, 403, 405, 406, 407, 408, 425, 429, 999];

function whyDead({ form, address, probe }: ProbedUrl): Found | undefined {
  if (probe.kind === "failed") {
    const severity = probe.isPassing ? { severity: "warning" as const } : {};
    return { message: `${shown(form)} can't be opened: ${probe.reason}.`, hint: "Open it in a browser.", ...severity };
  }
  const { status } = probe;
  if (status < 400 || (UNWILLING.includes(status) && !isImage(address))) return undefined;
  const isGone = status === 404 || status === 410;
  return {
    message: `${shown(form)} can't be opened: its server responds with ${status}.`,
    hint: isGone ? "Fix the URL." : "Open it in a browser where you are not signed in.",
    ...(!isGone && { severity: "warning" }),
  };
}

/** Bytes from which an image is reported. */
const HEAVY = 200_000;
/** Bytes from which an image, or all of an email's, give a warning. */
const VERY_HEAVY = 1_000_000;

function tooHeavy({ form, probe }: ProbedUrl): Found | undefined {
  const bytes = bytesOf(probe);
  if (bytes <= HEAVY) return undefined;
  return {
    severity: bytes > VERY_HEAVY ? "warning" : "info",
    message: `${shown(form)} is ${size(bytes)}, which takes long to load on a phone.`,
    hint: "Scale it to twice its displayed size, and compress it.",
  };
}

function heavyTogether(probed: readonly ProbedUrl[]): Finding[] {
  return [...new Set(probed.map(({ checked }) => checked))].flatMap((each): Finding[] => {
    const own = probed.filter(({ checked, probe }) => checked === each && bytesOf(probe) > 0);
    const sizes = [...new Map(own.map(({ form, probe }) => [form, bytesOf(probe)])).values()];
    const together = sizes.reduce((sum, bytes) => sum + bytes, 0);
    if (together <= VERY_HEAVY || sizes.some((bytes) => bytes > VERY_HEAVY)) return [];
    return [
      {
        message: `The ${sizes.length} images together are ${size(together)}, which takes long to load on a phone.`,
        template: each.template.name,
        at: { file: each.template.body.file },
        hint: "Start with the largest: scale it to twice its displayed size, and compress it.",
      },
    ];
  });
}

/** The size of an image that was loaded; otherwise 0. */
function bytesOf(probe: ProbedUrl["probe"]): number {
  return probe.kind === "answered" && probe.status < 400 ? (probe.bytes ?? 0) : 0;
}

function size(bytes: number): string {
  return bytes >= 1_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${Math.round(bytes / 1000)} kB`;
}
