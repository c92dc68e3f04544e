import { forEachProbedUrl, checkProbedUrls, type ProbedUrl } from "../../lib/probed-urls.js";
import type { BuiltInRule } from "../../rule.js";
import { shortUrl } from "../../lib/addresses.js";

/** Bytes from which an image is reported. */
const HEAVY = 200_000;
/** Bytes from which an image, or all of an email's, give a warning. */
const VERY_HEAVY = 1_000_000;

const tooHeavy = forEachProbedUrl(({ form, probe }) => {
  const bytes = bytesOf(probe);
  if (bytes <= HEAVY) return undefined;
  return {
    severity: bytes > VERY_HEAVY ? "warning" : "info",
    message: `${shortUrl(form)} is ${size(bytes)}, which takes long to load on a phone.`,
    hint: "Scale it to twice its displayed size, and compress it.",
  };
});

export const imageWeight: BuiltInRule = {
  id: "image-weight",
  severity: "warning",
  needsNetwork: true,
  summary: "An image, or all images of a template together, take too long to load.",
  details:
    "With `--network`: an image is larger than 200 kB (a note) or 1 MB, or all images of a template together are " +
    "larger than 1 MB.",
  why: "On a phone without Wi-Fi they take seconds to load, and until then the email has gaps.",
  fix: "Scale each image to twice its displayed size, and compress it.",
  checkAll: async (project) => [...(await tooHeavy(project)), ...(await heavyTogether(project))],
};

const heavyTogether = checkProbedUrls(function* (probed) {
  for (const each of new Set(probed.map(({ checked }) => checked))) {
    const own = probed.filter(({ checked, probe }) => checked === each && bytesOf(probe) > 0);
    const sizes = [...new Map(own.map(({ form, probe }) => [form, bytesOf(probe)])).values()];
    const together = sizes.reduce((sum, bytes) => sum + bytes, 0);
    if (together <= VERY_HEAVY || sizes.some((bytes) => bytes > VERY_HEAVY)) continue;
    yield {
      message: `The ${sizes.length} images together are ${size(together)}, which takes long to load on a phone.`,
      template: each.template.name,
      at: { file: each.template.body.file },
      hint: "Start with the largest: scale it to twice its displayed size, and compress it.",
    };
  }
});

/** The size of an image that was loaded; otherwise 0. */
function bytesOf(probe: ProbedUrl["probe"]): number {
  return probe.kind === "answered" && probe.status < 400 ? (probe.bytes ?? 0) : 0;
}

function size(bytes: number): string {
  return bytes >= 1_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${Math.round(bytes / 1000)} kB`;
}
