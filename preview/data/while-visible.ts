/** Delay in ms before a hidden page closes its connection: browsers allow only six connections per server. */
const restAfter = 10_000;

/**
 * Keeps a connection open while the page is visible.
 *
 * @param open Opens it, and returns what closes it.
 * @returns Closes it for good.
 */
export function whileVisible(open: () => () => void): () => void {
  let close: (() => void) | undefined = open();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const rest = () => {
    close?.();
    close = undefined;
  };
  const look = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(rest, restAfter);
    else close ??= open();
  };
  document.addEventListener("visibilitychange", look);
  return () => {
    document.removeEventListener("visibilitychange", look);
    clearTimeout(timer);
    rest();
  };
}
