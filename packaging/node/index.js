// Requests to the processes of `fancytext batch`, and their results.
"use strict";

const { spawn } = require("node:child_process");
const path = require("node:path");

/** The path of the program in this package. */
const program = path.join(__dirname, "bin", "fancytext");

/** A request that failed. `diagnostics` has all messages about its document, errors and warnings. */
class FancyTextError extends Error {
  constructor(message, diagnostics = []) {
    super(message);
    this.name = "FancyTextError";
    this.diagnostics = diagnostics;
  }
}

class Worker {
  #process;
  #waiting = [];
  #pieces = [];
  #ended;

  constructor({ jobs, timeout, cache } = {}) {
    const options = Object.entries({ jobs, timeout, cache }).filter(([, value]) => value !== undefined);
    const words = options.flatMap(([name, value]) => [`--${name}`, String(value)]);
    this.#process = spawn(program, ["batch", ...words], { stdio: ["pipe", "pipe", "inherit"] });
    this.#process.stdin.on("error", () => {}); // The end of the results, which follows, fails all requests that wait.
    this.#process.stdout.on("data", (bytes) => this.#read(bytes));
    this.#ended = new Promise((resolve) => {
      this.#process.on("error", resolve); // There is no such program.
      this.#process.on("close", resolve);
    }).then((reason) => {
      const error = reason instanceof Error ? reason : new FancyTextError("the worker has ended");
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    });
  }

  async render(html, { format = "png", ...options } = {}) {
    return (await this.submit("render", html, { format, ...options })).data;
  }

  async strip(html, options) {
    return (await this.submit("strip", html, options)).data.toString();
  }

  async select(html, selector, { value = "html", ...options } = {}) {
    const records = await this.records(html, selector, { value: `::${value}` }, options);
    return records.map((record) => record.value).filter((value) => value !== null);
  }

  async records(html, selector, fields, options) {
    const field = Object.entries(fields).map(([name, selector]) => `${name}=${selector}`);
    const { data } = await this.submit("select", html, { selector, field, ...options });
    return data.toString().split("\n").filter(Boolean).map((line) => JSON.parse(line));
  }

  async define(name, html) {
    await this.#send({ define: name, html });
  }

  submit(command, html, options = {}) {
    const request = { command, html };
    for (const [name, value] of Object.entries(options)) {
      request[name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)] = value;
    }
    return this.#send(request);
  }

  async close() {
    this.#process.stdin.end();
    await this.#ended;
  }

  #send(request) {
    return new Promise((resolve, reject) => {
      if (!this.#process.stdin.writable) return reject(new FancyTextError("the worker has ended"));
      this.#waiting.push({ resolve, reject });
      this.#process.stdin.write(`${JSON.stringify(request)}\n`);
    });
  }

  #read(bytes) {
    for (let end; (end = bytes.indexOf("\n")) >= 0; bytes = bytes.subarray(end + 1)) {
      const line = Buffer.concat([...this.#pieces.splice(0), bytes.subarray(0, end)]);
      this.#finish(JSON.parse(line.toString()));
    }
    this.#pieces.push(bytes);
  }

  #finish({ status, error, text, data, messages = [] }) {
    const { resolve, reject } = this.#waiting.shift();
    if (status === 2) return reject(new FancyTextError(error, messages));
    for (const { severity, code, message, line, column } of messages) {
      const place = line === undefined ? "" : `${line}:${column}: `;
      if (severity === "warning") process.emitWarning(place + message, { type: "FancyTextWarning", code });
    }
    resolve({ data: data === undefined ? Buffer.from(text ?? "") : Buffer.from(data, "base64"), diagnostics: messages });
  }
}

/** A function that starts a process for one call of a method of `Worker`. */
const once = (method) => async (...values) => {
  const worker = new Worker({ jobs: 1 });
  try {
    return await worker[method](...values);
  } finally {
    await worker.close();
  }
};

exports.program = program;
exports.FancyTextError = FancyTextError;
exports.Worker = Worker;
exports.render = once("render");
exports.strip = once("strip");
exports.select = once("select");
exports.records = once("records");
