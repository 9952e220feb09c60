#!/usr/bin/env node
// Node keeps compiled code from 22.8 on. (Loading its module for that takes a millisecond on older ones.)
if (Number.parseInt(process.versions.node, 10) >= 22) require("node:module").enableCompileCache?.()
// A shell waits for completions between two keys: they go without the command tree.
const entry = process.argv[2] === "completion-data" ? "../dist/completion-data.cjs" : "../dist/main.cjs"
require(entry)
  .main(process.argv.slice(2))
  .then((code) => {
    process.exitCode = code
  })
