// Makes the file of FREIGHT_TEST_HELD once a program that loads this was refused a file, as another has it open.
const fs = require("node:fs")
const { writeFileSync } = fs

for (const [name, act] of Object.entries(fs))
  if (name.endsWith("Sync"))
    fs[name] = Object.assign((...args) => {
      try {
        return act(...args)
      } catch (error) {
        if (/^(EPERM|EACCES|EBUSY)$/.test(error.code)) writeFileSync(process.env.FREIGHT_TEST_HELD, "")
        throw error
      }
    }, act)
