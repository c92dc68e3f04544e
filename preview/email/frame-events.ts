/** Forwards keys and pointer events from an email's frame to the page, and follows links within the email. */
export function passOn(frame: HTMLIFrameElement): void {
  const email = frame.contentDocument;
  if (!email) return;
  for (const type of ["keydown", "keyup"] as const) {
    email.addEventListener(type, (event) => {
      const isTaken = !frame.dispatchEvent(new KeyboardEvent(type, event));
      if (isTaken) event.preventDefault();
    });
  }
  email.addEventListener("pointerdown", () => frame.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true })));
  email.addEventListener("click", (event) => {
    const link = isElement(event.target) ? event.target.closest("a[href^='#'], area[href^='#']") : null;
    if (!link) return;
    // A fragment would be resolved against the page's URL, which would load the page into the frame.
    event.preventDefault();
    const name = decodeURIComponent(link.getAttribute("href")?.slice(1) ?? "");
    const target = email.getElementById(name) ?? email.getElementsByName(name)[0] ?? email.documentElement;
    target.scrollIntoView({ block: "start" });
  });
}

/** Works for elements of any window, unlike `instanceof`. */
function isElement(target: EventTarget | null): target is Element {
  return target !== null && "closest" in target;
}
