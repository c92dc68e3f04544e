import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.js";
import "./ui/fonts.css";
import "./ui/tokens.css";
import "./ui/base.css";
import "./ui/contrast.css";

const root = document.getElementById("app");
if (!root) throw new Error("The page has no `#app` element.");

// Loading starts now rather than at the first text, which is rendered later.
queueMicrotask(() => void document.fonts.load('13px "Inter Variable"'));

createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
