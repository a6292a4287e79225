// The page that shows the picture. It loads nothing from other servers.

let page = #"""
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>fancytext preview</title>
    <style>
      :root { color-scheme: light dark; --line: #8886; --accent: #d6336c }
      * { box-sizing: border-box }
      body { margin: 0; font: 14px/1.45 system-ui, sans-serif; display: grid; grid-template-columns: 1fr 300px; min-height: 100vh }
      main { padding: 20px; overflow: auto }
      aside { border-left: 1px solid var(--line); padding: 16px; overflow: auto }
      h1 { font-size: 14px; margin: 0 0 12px; overflow-wrap: anywhere }
      h2 { font-size: 12px; margin: 20px 0 6px; opacity: .7 }
      #stage { position: relative; display: inline-block; outline: 1px solid var(--line);
               background: repeating-conic-gradient(#8882 0 25%, transparent 0 50%) 0 0 / 16px 16px }
      #picture { display: block; max-width: 100% }
      #boxes { position: absolute; inset: 0; overflow: hidden; pointer-events: none }
      .box { position: absolute; outline: 1px dashed #1c7ed6aa }
      .box.inner { outline: 2px solid var(--accent); background: #d6336c22 }
      #box { font: 12px/1.5 ui-monospace, monospace; white-space: pre-wrap; min-height: 4.5em }
      label { display: block; margin: 0 0 10px; font-size: 12px }
      input, textarea { display: block; width: 100%; font: inherit; padding: 4px 6px; margin-top: 2px }
      textarea { font-family: ui-monospace, monospace; min-height: 4.5em }
      ul { margin: 0; padding-left: 16px; font-size: 13px }
      li.error, #error { color: #e03131 }
      #error:empty { display: none }
      @media (max-width: 720px) { body { grid-template-columns: 1fr } aside { border: 0; border-top: 1px solid var(--line) } }
    </style>
    <main><p id="error" role="alert"></p><div id="stage"><img id="picture" alt="the picture"><div id="boxes"></div></div></main>
    <aside>
      <h1 id="file"></h1>
      <div id="size"></div>
      <h2 id="keys-title" hidden>Keys of the template</h2>
      <form id="keys"></form>
      <h2>Box under the pointer</h2>
      <div id="box"></div>
      <h2>Messages</h2>
      <ul id="messages"></ul>
    </aside>
    <script>
    "use strict";
    const at = id => document.getElementById(id);
    let version = 0, boxes = [], canvas = null, values = {}, isDrawing = false, isStale = false;
    try { values = JSON.parse(decodeURIComponent(location.hash.slice(1))) || {} } catch { values = {} }

    // The keys of a template: those of sections take JSON, others text.
    function keysOf(template) {
      const keys = new Map();
      for (const [, kind, name] of template.matchAll(/\{\{\{?\s*([#^&]?)\s*([\w.-]+)\s*\}?\}\}/g)) {
        if (name === ".") continue;
        const key = name.split(".")[0];
        const isList = kind === "#" || kind === "^" || name.includes(".");
        keys.set(key, keys.get(key) || isList);
      }
      return keys;
    }

    function showForm(keys) {
      at("keys-title").hidden = keys.size === 0;
      const form = at("keys");
      const shown = [...form.elements].map(field => field.name + field.tagName).join();
      const wanted = [...keys].map(([name, isList]) => name + (isList ? "TEXTAREA" : "INPUT")).join();
      if (shown === wanted) return;
      form.replaceChildren(...[...keys].map(([name, isList]) => {
        const label = document.createElement("label"), field = document.createElement(isList ? "textarea" : "input");
        field.name = name;
        field.value = name in values ? (isList ? JSON.stringify(values[name]) : values[name]) : isList ? "true" : name;
        label.append(name, field);
        return label;
      }));
    }

    function row() {
      const row = {};
      for (const field of at("keys").elements) {
        if (field.tagName !== "TEXTAREA") { row[field.name] = field.value; continue }
        try { row[field.name] = JSON.parse(field.value); field.setCustomValidity("") }
        catch (error) { field.setCustomValidity("not JSON"); row[field.name] = field.value }
      }
      return row;
    }

    // The elements' boxes, outer ones first, then the words.
    function boxesOf(layout) {
      if (!layout) return [];
      const { size, boxes, words } = JSON.parse(layout);
      canvas = size;
      const name = box => box.tag + (box.id ? "#" + box.id : "") + (box.class || "").trim().replace(/^(?=.)|\s+/g, ".");
      return [...boxes.map(box => ({ ...box, title: name(box) })),
              ...words.map(word => ({ ...word, title: `“${word.text}” ${word.font} ${word.size}px` }))];
    }

    const round = number => Math.round(number * 100) / 100;

    function showBoxes(event) {
      const picture = at("picture"), area = picture.getBoundingClientRect();
      if (!canvas || !area.width) return;
      const scale = area.width / canvas.width;
      const x = (event.clientX - area.left) / scale, y = (event.clientY - area.top) / scale;
      const hit = boxes.filter(b => x >= b.x && y >= b.y && x < b.x + b.width && y < b.y + b.height);
      at("boxes").replaceChildren(...hit.map((b, index) => {
        const div = document.createElement("div");
        div.className = index === hit.length - 1 ? "box inner" : "box";
        Object.assign(div.style, { left: b.x * scale + "px", top: b.y * scale + "px",
                                   width: b.width * scale + "px", height: b.height * scale + "px" });
        return div;
      }));
      at("box").textContent = hit.map((b, index) =>
        " ".repeat(index) + `${b.title}  ${[b.x, b.y].map(round)}  ${[b.width, b.height].map(round).join("×")}`).join("\n");
    }

    async function draw() {
      if (isDrawing) { isStale = true; return }
      isDrawing = true;
      try {
        do {
          isStale = false;
          const answer = await fetch("/drawing", { method: "POST", body: JSON.stringify(row()) });
          const drawing = await answer.json();
          const keys = keysOf(drawing.template || "");
          const before = at("keys").elements.length;
          showForm(keys);
          if (keys.size && !before) { isStale = true; continue }
          show(drawing);
        } while (isStale);
      } finally { isDrawing = false }
    }

    function show(drawing) {
      at("file").textContent = drawing.file;
      document.title = drawing.file + " – fancytext preview";
      at("error").textContent = drawing.error || "";
      if (drawing.picture) at("picture").src = drawing.picture;
      boxes = boxesOf(drawing.layout);
      at("size").textContent = canvas ? `${canvas.width} × ${canvas.height} pixels, ` +
        `${Math.round(((drawing.picture || "").length - 22) * 3 / 4).toLocaleString("en")} bytes` : "";
      at("messages").replaceChildren(...(drawing.messages || []).map(message => {
        const item = document.createElement("li");
        item.className = message.severity;
        const line = message.line ? `${message.line}:${message.column}: ` : "";
        item.textContent = line + message.message;
        return item;
      }));
    }

    async function follow() {
      while (true) {
        try {
          const answer = await (await fetch("/version?after=" + version)).json();
          if (answer.version !== version) { version = answer.version; await draw() }
        } catch { await new Promise(done => setTimeout(done, 1000)) }
      }
    }

    at("keys").addEventListener("input", () => {
      values = row();
      history.replaceState(null, "", "#" + encodeURIComponent(JSON.stringify(values)));
      draw();
    });
    at("keys").addEventListener("submit", event => event.preventDefault());
    at("picture").addEventListener("mousemove", showBoxes);
    at("picture").addEventListener("mouseleave", () => at("boxes").replaceChildren());
    follow();
    </script>
    """#
