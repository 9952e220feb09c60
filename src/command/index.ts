export { askAboutColumns } from "./ask-columns.ts"
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
export {
  type Argument,
  command,
  type CommandDefinition,
  commandName,
  declare,
  type Flag,
  type Flags,
  missingArgument,
  namesOutput,
  type OptionsOf,
  readCall,
  toOption,
} from "./command.ts"
export { pickFieldFlags } from "./field-flags.ts"
export {
  ALLOW_DENSITY_FLAG,
  ALLOW_FLAGS,
  apiFlag,
  cents,
  FIX_PLACES_FLAG,
  FORCE_FLAG,
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
export { readLedgerOrWarn } from "./ledger-or-warn.ts"
export { limitLongRun } from "./long-run.ts"
export { applySavedMap, keepMap, MAP_FLAGS } from "./maps.ts"
export { mayAsk } from "./may-ask.ts"
export { checkFields, type OutputSchemas, readOutputSchemas } from "./output-fields.ts"
export {
  chooseFileFormat,
  chooseFormat,
  findFileFormat,
  type OutputTarget,
  writeOutput,
} from "./output-file.ts"
export { printChanges, printForPrograms, savedThings, toNamedRow } from "./saved.ts"
export { CHANGE_COLUMNS, maskSetting, toChange } from "./setting-changes.ts"
export { BILL_SHEET_FLAGS, chooseBy, SHEET_FLAGS } from "./sheet-flags.ts"
