import type { ReactNode } from "react";

/** Text only for screen readers. */
export const Spoken = ({ children }: { readonly children: ReactNode }) => <span className="spoken">{children}</span>;
