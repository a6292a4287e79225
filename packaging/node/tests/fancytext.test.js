// Tests of the installed package: make test-node.
"use strict";

const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const test = require("node:test");
const { FancyTextError, Worker, program, records, render, select, strip } = require("fancytext");

const page = "<ul><li><h2>One</h2><a href=/1>first</a><li><h2>Two</h2><a>second</a></ul>";

test("render returns the bytes of the program", async () => {
  const png = await render("<h1>Hello</h1>", { width: 300, noSystemFonts: true });
  const words = ["render", "--width", "300", "--no-system-fonts", "--format", "png"];
  assert.deepEqual(png, execFileSync(program, words, { input: "<h1>Hello</h1>" }));
});

test("every format finds its library", async () => {
  for (const [format, start] of Object.entries({ png: "\x89PNG", jpeg: "\xff\xd8", webp: "RIFF", svg: "<svg", pdf: "%PDF" })) {
    const bytes = await render("<p>日本語 नमस्ते", { format, noSystemFonts: true });
    assert.equal(bytes.subarray(0, start.length).toString("latin1"), start);
  }
  assert.match(execFileSync(program, ["fonts"]).toString(), /lib\/fancytext\/fancytext-libharfbuzz/);
});

test("strip and select", async () => {
  assert.equal(await strip("<ol><li>One<li>Zwölf</ol>"), "1. One\n2. Zwölf\n");
  assert.deepEqual(await select(page, "h2"), ["<h2>One</h2>", "<h2>Two</h2>"]);
  assert.deepEqual(await select(page, "a", { value: "attr(href)" }), ["/1"]);
  assert.deepEqual(await select(page, "table"), []);
  assert.deepEqual(await records(page, "li", { title: "h2::text", "links[]": "a::attr(href)" }), [
    { title: "One", links: ["/1"] },
    { title: "Two", links: [] },
  ]);
});

test("errors have diagnostics", async () => {
  await assert.rejects(render("<p style='colr: red'>x", { strict: true }), (error) => {
    assert(error instanceof FancyTextError);
    assert.deepEqual(error.diagnostics.map(({ code, line }) => [code, line]), [["css.unknown-property", 1]]);
    return true;
  });
  await assert.rejects(render("x", { width: "wide" }), /width/);
});

test("warnings are emitted", async () => {
  const warning = new Promise((resolve) => process.once("warning", resolve));
  await render("<p style='colr: red'>x");
  assert.equal((await warning).code, "css.unknown-property");
});

test("a worker keeps templates and survives errors", async () => {
  const worker = new Worker({ jobs: 2 });
  await worker.define("card", "<h1>{{title}}</h1>");
  const numbers = Array.from({ length: 100 }, (_, number) => String(number));
  const cards = numbers.map((title) => worker.render(undefined, { template: "card", row: { title }, format: "text" }));
  assert.deepEqual((await Promise.all(cards)).map(String), numbers.map((number) => `${number}\n`));
  await assert.rejects(worker.render(undefined, { template: "none", row: {} }), FancyTextError);
  assert.equal(await worker.strip("<b>x"), "x\n");
  await worker.close();
  await assert.rejects(worker.strip("x"), /ended/);
});

test("requests larger than the pipe", async () => {
  const text = "x".repeat(1_000_000);
  const worker = new Worker({ jobs: 1 });
  assert.deepEqual(await Promise.all([worker.strip(text), worker.strip(text)]), [`${text}\n`, `${text}\n`]);
  await worker.close();
});
