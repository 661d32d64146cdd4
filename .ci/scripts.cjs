// Check scripts with ESLint and TypeScript: node scripts.cjs FILE.html FILE.js ...
// Needs the npm packages eslint and typescript. Messages have the lines of the file.
const fs = require("node:fs");
const path = require("node:path");
const js = require("@eslint/js");
const { Linter } = require("eslint");
const ts = require("typescript");

const FOLDER = path.join(__dirname, "..", "build", "scripts"); // for the extracted scripts
const GLOBALS = ["addEventListener", "document", "history", "location", "matchMedia", "navigator",
  "Option", "ResizeObserver", "URLSearchParams"];
const LINT = {
  languageOptions: { sourceType: "script", globals: Object.fromEntries(GLOBALS.map((name) => [name, false])) },
  rules: { ...js.configs.recommended.rules, complexity: ["error", 20], eqeqeq: "error",
    "no-unused-vars": ["error", { ignoreRestSiblings: true }], "no-var": "error", "prefer-const": "error" },
};
const TYPES = { allowJs: true, checkJs: true, noEmit: true, target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"], types: [] };

/** Return a page without all that is not script. Every line keeps its number. */
function scriptsOf(page) {
  const withoutTags = page.split(/<script(?: id="\w+")?>|<\/script>/);
  return withoutTags.map((part, index) => (index % 2 ? part : part.replace(/[^\n]/g, ""))).join("");
}

/** Return the messages of ESLint and TypeScript on a file. */
function faultsOf(file) {
  const text = fs.readFileSync(file, "utf-8");
  const code = file.endsWith(".html") ? scriptsOf(text) : text;
  const copy = path.join(FOLDER, `${path.basename(file)}.js`);
  fs.mkdirSync(FOLDER, { recursive: true });
  fs.writeFileSync(copy, code);
  const linted = new Linter().verify(code, LINT).map(({ line, message }) => [line, message]);
  const checked = ts.getPreEmitDiagnostics(ts.createProgram([copy], TYPES)).map((fault) => [
    fault.file ? fault.file.getLineAndCharacterOfPosition(fault.start).line + 1 : 0,
    ts.flattenDiagnosticMessageText(fault.messageText, " ")]);
  return [...linted, ...checked].map(([line, message]) => `${file}:${line}: ${message}`);
}

const faults = process.argv.slice(2).flatMap(faultsOf);
faults.forEach((fault) => console.error(fault));
process.exit(faults.length ? 1 : 0);
