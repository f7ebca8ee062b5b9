// The page's script and style, as the wheel ships them: `npm run build`; `npm run same` writes
// nothing and says whether what is shipped is what the source makes.
import { readFile, writeFile } from "node:fs/promises";
import { build } from "esbuild";

const { outputFiles } = await build({
  entryPoints: { explorer: "src/main.ts", loader: "src/loader.ts", style: "src/style.css" },
  outdir: "../src/posenc/explorer/static",
  write: false,
  bundle: true,
  minify: true,
  format: "iife",
  target: ["es2022"],
  charset: "utf8",
  legalComments: "none",
});
for (const { path, text } of outputFiles) {
  if (!process.argv.includes("--check")) {
    await writeFile(path, text);
  } else if ((await readFile(path, "utf8")) !== text) {
    console.error(`${path} is not what the source makes: run npm run build in web/.`);
    process.exitCode = 1;
  }
}
