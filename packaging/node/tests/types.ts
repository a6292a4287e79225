// Accepted by the compiler, with one error where it is expected.
import { Worker, render, select, type Diagnostic } from "fancytext";

async function use(): Promise<[Buffer, string[], Diagnostic[]]> {
  const worker = new Worker({ jobs: 1 });
  await worker.define("card", "<h1>{{title}}</h1>");
  // @ts-expect-error: there is no such option.
  await render("x", { widht: 3 });
  return [
    await render("x", { width: 3, from: "markdown", css: ["a.css"], noSystemFonts: true }),
    await select("x", "a", { value: "attr(href)" }),
    (await worker.submit("render", undefined, { template: "card", row: { title: "One" } })).diagnostics,
  ];
}
void use;
