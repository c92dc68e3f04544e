/**
 * Changes an element into another one and leaves alone what is the same in both: images stay loaded, and only what
 * changed is laid out again. Children may be moved out of `wanted`.
 */
export function morph(shown: Element, wanted: Element): void {
  morphAttributes(shown, wanted);
  let at = shown.firstChild;
  for (const next of Array.from(wanted.childNodes)) {
    if (at && isAlike(at, next)) {
      if (isElement(at) && isElement(next)) {
        // The browser's comparison is faster than walking the tree here.
        if (!at.isEqualNode(next)) morph(at, next);
      } else if (at.nodeValue !== next.nodeValue) at.nodeValue = next.nodeValue;
      at = at.nextSibling;
    } else if (at) {
      const { nextSibling } = at;
      at.replaceWith(next);
      at = nextSibling;
    } else {
      shown.append(next);
    }
  }
  while (at) {
    const { nextSibling } = at;
    at.remove();
    at = nextSibling;
  }
}

function morphAttributes(shown: Element, wanted: Element): void {
  for (const attribute of wanted.attributes) {
    if (shown.getAttribute(attribute.name) === attribute.value) continue;
    // `setAttribute` can refuse names that a parser allows.
    const copy = attribute.cloneNode();
    if (copy instanceof Attr) shown.setAttributeNode(copy);
  }
  if (shown.attributes.length === wanted.attributes.length) return;
  for (const { name, namespaceURI, localName } of Array.from(shown.attributes)) {
    if (!wanted.hasAttribute(name)) shown.removeAttributeNS(namespaceURI, localName);
  }
}

function isAlike(a: Node, b: Node): boolean {
  return a.nodeType === b.nodeType && a.nodeName === b.nodeName && namespaceOf(a) === namespaceOf(b);
}

function namespaceOf(node: Node): string | null {
  return isElement(node) ? node.namespaceURI : null;
}

/** Works for elements of any window, unlike `instanceof`. */
function isElement(node: Node): node is Element {
  return node.nodeType === Node.ELEMENT_NODE;
}
