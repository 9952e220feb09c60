#!/usr/bin/env node
// Node keeps compiled code from 22.8 on. (Loading its module for that takes a millisecond on older ones.)
if (Number.parseInt(process.versions.node, 10) >= 22) require("node:module").enableCompileCache?.()
require("../dist/main.cjs")
  .main(process.argv.slice(2))
  .then((code) => {
    process.exitCode = code
  })
