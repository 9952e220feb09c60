// cli-table3 measures text with this: its own string-width has emoji since 2020 too narrow. The bundle and the tests
// resolve `string-width` to this file.
module.exports = require("fast-string-width").default
