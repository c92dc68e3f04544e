/**
 * What messages and workers must have in common: the service's URL and the domain. The key is not part of it, so that
 * another key of the account sends what was queued before.
 */
export function targetOf(url: string, domain: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/+$/, "")} ${domain.toLowerCase()}`;
}
