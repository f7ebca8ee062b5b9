// The page's script and style, as the wheel ships them: `npm run build`, or `-- FOLDER` elsewhere.
import { build } from "esbuild";

const folder = process.argv[2] ?? "../src/posenc/explorer/static";
await build({
  entryPoints: { explorer: "src/main.ts", style: "src/style.css" },
  outdir: folder,
  bundle: true,
  minify: true,
  format: "iife",
  target: ["es2022"],
  charset: "utf8",
  legalComments: "none",
});
