import { currentView } from "../state/view-store.js";

/** Panes that scroll together, each by the same fraction of its height. */
class ScrollGroup {
  readonly #members = new Map<HTMLElement, number>();

  add(member: HTMLElement): () => void {
    this.#members.set(member, member.scrollTop);
    const onScroll = () => this.#follow(member);
    member.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      member.removeEventListener("scroll", onScroll);
      this.#members.delete(member);
    };
  }

  #follow(leader: HTMLElement): void {
    const expected = this.#members.get(leader);
    this.#members.set(leader, leader.scrollTop);
    // Caused by our own scrolling. Browsers round the position, so the values may differ slightly.
    if (currentView().scrollsApart || (expected !== undefined && Math.abs(leader.scrollTop - expected) < 1)) return;
    const way = leader.scrollHeight - leader.clientHeight;
    const part = way > 0 ? leader.scrollTop / way : 0;
    for (const member of this.#members.keys()) {
      if (member === leader) continue;
      member.scrollTop = part * (member.scrollHeight - member.clientHeight);
      this.#members.set(member, member.scrollTop);
    }
  }
}

export const panesScroll = new ScrollGroup();
