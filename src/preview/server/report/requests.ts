import { checkedTemplate } from "../../../check/checked-template.js";
import { askAddresses } from "../../../check/network/asked.js";
import type { ProbeOptions } from "../../../check/network/probe.js";
import type { CheckSettings } from "../../../check/settings.js";
import type { CompiledTemplate, CompileResult } from "../../../template/template.js";
import type { UrlRequest } from "../../contract.js";

/** Requests the public URLs of a template's links and images, each once. */
export async function requestUrls(
  shown: CompileResult & { readonly compiled: CompiledTemplate },
  { settings, probe: options }: { readonly settings: CheckSettings; readonly probe: ProbeOptions },
): Promise<readonly UrlRequest[]> {
  const asked = await askAddresses([checkedTemplate(shown, undefined, { settings })], options);
  const requests = asked.map(({ address: { written }, form: url, probe }): UrlRequest => {
    if (probe.kind === "failed") return { written, url, failure: probe.reason };
    const { status, movedTo, bytes } = probe;
    return { written, url, status, ...(movedTo !== undefined && { movedTo }), ...(bytes !== undefined && { bytes }) };
  });
  return [...new Map(requests.map((request) => [`${request.written} ${request.url}`, request])).values()];
}
