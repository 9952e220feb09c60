// Bundles src/ into dist/: one small entry, and a chunk for each part that is loaded only when it is used.
import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import path from "node:path"
import { build } from "esbuild"

const root = path.resolve(import.meta.dirname, "..")
const out = path.join(root, "dist")
const scratch = path.join(root, ".build")
const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"))
/** `conf` brings ajv to check settings against a schema. It is given none, so ajv, the larger part by far, stays out. */
const confWithoutAjv = {
  name: "conf-without-ajv",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^ajv(-formats)?(\/|$)/ }, ({ importer }) =>
      /[\\/]node_modules[\\/]conf[\\/]/.test(importer) ? { path: "ajv", namespace: "left-out" } : undefined,
    )
    onLoad({ filter: /./, namespace: "left-out" }, () => ({
      contents: "export const Ajv2020 = undefined; export default {}",
    }))
  },
}

const fresh = path.join(scratch, `dist-${process.pid}`)
rmSync(fresh, { recursive: true, force: true })
const { metafile } = await build({
  entryPoints: {
    main: "src/main.ts",
    invoice: "src/invoice/library.ts",
    "invoice-worker": "src/invoice/worker.ts",
  },
  absWorkingDir: root,
  outdir: fresh,
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
  plugins: [confWithoutAjv],
  logLevel: "warning",
  metafile: true,
})
copyFileSync(path.join(root, "src/invoice/library-types.d.ts"), path.join(fresh, "invoice.d.ts"))
// Only a build that succeeded takes the place of the last one.
rmSync(out, { recursive: true, force: true })
renameSync(fresh, out)
// What is in which chunk: the test of what start-up loads reads it.
writeFileSync(path.join(scratch, "meta.json"), JSON.stringify(metafile))
