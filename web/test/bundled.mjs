// A module of the page, as Node can run it.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

/** What the module at `path` under web/src exports. */
export async function bundled(path) {
  const folder = await mkdtemp(join(tmpdir(), "posenc-"));
  const outfile = join(folder, "module.mjs");
  try {
    const entry = fileURLToPath(new URL(`../src/${path}`, import.meta.url));
    await build({ entryPoints: [entry], outfile, bundle: true, format: "esm", target: "es2022" });
    return await import(pathToFileURL(outfile));
  } finally {
    await rm(folder, { recursive: true });
  }
}
