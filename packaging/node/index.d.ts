/// <reference types="node" />
import type { Options } from "./options";
export type { Options };

/** A message about a document, with its position where it has one. */
export interface Diagnostic {
  severity: "note" | "warning" | "error";
  code: string;
  message: string;
  file?: string;
  line?: number;
  column?: number;
}

export interface Result {
  /** A picture, or text in UTF-8. */
  data: Buffer;
  diagnostics: Diagnostic[];
}

/** A request that failed. */
export class FancyTextError extends Error {
  /** All messages about the document, errors and warnings. */
  readonly diagnostics: Diagnostic[];
}

/** The path of the program in this package. */
export const program: string;

export interface WorkerOptions {
  /** The number of processes; one for each processor without it. */
  jobs?: number;
  /** The seconds that a request may take; 30 without it. */
  timeout?: number;
  /** A folder that keeps results. */
  cache?: string;
}

/** Processes that answer requests. A request that fails, or that ends its process, rejects for its caller alone. */
export class Worker {
  constructor(options?: WorkerOptions);
  /** A document as a picture (png, jpeg, webp, svg, pdf), or as ansi, json, markdown, html or text in UTF-8. */
  render(html?: string, options?: Options): Promise<Buffer>;
  /** The text that a person would read. */
  strip(html?: string, options?: Options): Promise<string>;
  /** The "html" (default), "text" or "attr(NAME)" of the elements that a CSS selector matches, in document order. */
  select(html: string | undefined, selector: string, options?: Options & { value?: string }): Promise<string[]>;
  /** An object for each match; `fields` are as in `{ title: "h2::text", "tags[]": ".tag::text" }`. */
  records(
    html: string | undefined,
    selector: string,
    fields: Record<string, string>,
    options?: Options,
  ): Promise<Record<string, unknown>[]>;
  /** Names a template for later requests: `worker.render(undefined, { template: "card", row: { title: "One" } })`. */
  define(name: string, html: string): Promise<void>;
  /** The result of a command, with its diagnostics. */
  submit(
    command: "render" | "strip" | "select" | "dump",
    html?: string,
    options?: Options & { selector?: string },
  ): Promise<Result>;
  /** Waits for the results of all requests, and ends the processes. */
  close(): Promise<void>;
}

/** The methods of a `Worker` of one process that ends afterwards. */
export const render: Worker["render"];
export const strip: Worker["strip"];
export const select: Worker["select"];
export const records: Worker["records"];
