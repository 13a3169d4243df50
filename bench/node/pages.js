// A peer's page for phones: the bundle that esbuild made from page_*.jsx, and Companion's style sheet.
const { readFileSync } = require("node:fs");
const { join } = require("node:path");

const TYPES = { css: "text/css", html: "text/html", js: "text/javascript" };
const html = (peer) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Secret ballot</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="companion.css"></head>
<body class="screen kind-s"><div id="root"></div><script src="page_${peer}.js"></script></body></html>`;

// Returns the type and the text of a file of the page.
exports.page = (name) => {
  const [file, kind] = name.split(".");
  return [TYPES[kind], kind === "html" ? html(file) : readFileSync(join(__dirname, "page", `${file}.${kind}`))];
};
