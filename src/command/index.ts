/**
 * A command is a literal with its arguments, flags, columns and run. Begin with `command`; flags that many commands
 * share are here, too.
 */

// The literal, as data and as a call
export {
  type Argument,
  command,
  type CommandDefinition,
  commandName,
  declare,
  type Flag,
  type Flags,
  isNamed,
  missingArgument,
  namesOutput,
  type OptionsOf,
  readCall,
  toOption,
} from "./command.ts"
export {
  checkArgument,
  checkFlagValue,
  type CommandCall,
  type FlagValue,
  getFlagType,
  type GivenValue,
  isList,
  toWords,
} from "./call.ts"
export type { ArgumentData, CommandData, FlagData, TreeData } from "./command-data.ts"

// Flags
export {
  ALLOW_DENSITY_FLAG,
  ALLOW_FLAGS,
  apiFlag,
  cents,
  FIX_PLACES_FLAG,
  FORCE_FLAG,
  inGroup,
  LOOK_FLAG,
  milliseconds,
  MISSING_FLAG,
  nonEmpty,
  OUTPUT,
  pastDay,
  percentage,
  pickKey,
  readBy,
  readKey,
  WAIT_FLAGS,
  wholeNumber,
  YES_FLAG,
} from "./flags.ts"
export { pickFieldFlags } from "./field-flags.ts"
export { BILL_SHEET_FLAGS, chooseBy, SHEET_FLAGS } from "./sheet-flags.ts"
export { applySavedMap, keepMap, MAP_FLAGS } from "./maps.ts"
export { askAboutColumns } from "./ask-columns.ts"

// A command's output
export {
  chooseFileFormat,
  chooseFormat,
  findFileFormat,
  type OutputTarget,
  writeOutput,
} from "./output-file.ts"
export { checkFields, type OutputSchemas, readOutputSchemas } from "./output-fields.ts"
export { printChanges, printForPrograms, savedThings, toNamedRow } from "./saved.ts"
export { CHANGE_COLUMNS, maskSetting, toChange } from "./setting-changes.ts"

// A command's permissions
export { mayAsk } from "./may-ask.ts"
export { readLedgerOrWarn } from "./ledger-or-warn.ts"
export { limitLongRun } from "./long-run.ts"
