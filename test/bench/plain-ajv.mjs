// A plain script: it compiles the schema with ajv, then reads and validates each file.
import { readFileSync } from "node:fs"
import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"

const [schema, ...files] = process.argv.slice(2)
const ajv = new Ajv2020({ allErrors: true, strict: false, multipleOfPrecision: 6 })
formats.default(ajv)
const validate = ajv.compile(JSON.parse(readFileSync(schema, "utf8")))
for (const file of files)
  if (!validate(JSON.parse(readFileSync(file, "utf8")))) {
    console.error(file, validate.errors)
    process.exitCode = 1
  }
