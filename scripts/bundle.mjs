// Bundles src/ into dist/: one small entry, and a chunk for each part that is loaded only when it is used.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { build } from "esbuild"

const out = new URL("../dist/", import.meta.url).pathname
const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
rmSync(out, { recursive: true, force: true })
const { metafile } = await build({
  entryPoints: { main: "src/main.ts" },
  absWorkingDir: new URL("..", import.meta.url).pathname,
  outdir: out,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  minifySyntax: true,
  minifyWhitespace: true,
  keepNames: false,
  legalComments: "none",
  define: { __VERSION__: JSON.stringify(version) },
  chunkNames: "[name]-[hash]",
  // Some bundled packages are CommonJS and call require for Node's own modules.
  banner: { js: 'import{createRequire as $r}from"node:module";const require=$r(import.meta.url);' },
  logLevel: "warning",
  metafile: true,
})
// What is in which chunk: the test of what start-up loads reads it.
mkdirSync(new URL("../.build/", import.meta.url), { recursive: true })
writeFileSync(new URL("../.build/meta.json", import.meta.url), JSON.stringify(metafile))
