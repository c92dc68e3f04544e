import { useEffect, useState } from "react";

/** Something that is another object whenever the email is laid out anew, with what it takes sideways. */
export interface EmailLayout {
  readonly email: Document;
  /** In its pixels; more than its frame's where it does not fit. */
  readonly width: number;
}

export function useEmailLayout(shown: { readonly email: Document } | undefined): EmailLayout | undefined {
  const [layout, setLayout] = useState<EmailLayout>();
  useEffect(() => {
    if (!shown) return undefined;
    const { email } = shown;
    const measure = () => setLayout({ email, width: email.documentElement.scrollWidth });
    const observer = new ResizeObserver(measure);
    observer.observe(email.documentElement);
    if (email.body) observer.observe(email.body);
    measure();
    return () => observer.disconnect();
  }, [shown]);
  return layout;
}
