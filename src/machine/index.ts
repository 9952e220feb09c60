/**
 * This machine: the process and its clock, settings, and the memory of what was seen. Begin with `openSettings`, which
 * resolves each setting with its source.
 */

// The process
export { type Host, processHost, programHost, systemClock, systemIds } from "./host.ts"

// Settings and profiles
export {
  DEFAULT_PROFILE,
  noProfile,
  openSettings,
  type Resolved,
  serviceFolder,
  type Settings,
  type Source,
  sourceText,
} from "./config/resolve.ts"
export {
  configDir,
  type Endpoint,
  type Globals,
  homeFolder,
  isVariableOn,
  otherApi,
  stateDir,
  timeoutMs,
  trustsAnyCertificate,
  UNCHECKED,
  variable,
  workstation,
} from "./config/settings.ts"
export {
  ENDPOINT,
  isSettingKey,
  OWN_VARIABLES,
  type Setting,
  settingOf,
  SETTINGS,
  SHARED_VARIABLES,
  type Variable,
} from "./config/known.ts"
export {
  type Config,
  type ConfigFile,
  type ConfigStore,
  openConfig,
  openConfigFile,
  profileNamed,
  profileValue,
  withProfile,
} from "./config/file.ts"
export {
  findOfCarrier,
  parseCarrierNames,
  parseShare,
  readCarrierAccounts,
  readDisputeDays,
  readGstBases,
  SERVICE_KINDS,
} from "./config/values.ts"
export { saveSetting } from "./config/save.ts"
export { findSandboxSwitch, hasAccount, SANDBOX_PROFILE, sandboxMark } from "./config/sandbox-mode.ts"
export { completeCommands, onSameService, serviceFlags, withNext } from "./config/next.ts"

// Keys, and trying them
export { isKeyShaped, maskAddress, maskKey, withoutKeys, withoutPrefixedKeys } from "./config/keys.ts"
export { isOthersKey, type Probe, probe } from "./config/probe.ts"
export type { ApiStatus, LoginRow } from "./config/sign-in.ts"

// Values that are saved under a name
export {
  checkNewName,
  type FollowsFrom,
  listSaved,
  notSaved,
  parseNewName,
  refuseTaken,
  removeNames,
  type SavedList,
  type SavedValue,
  saveUnderName,
  suggestName,
} from "./config/saved.ts"
export { isFileName, savedAddress } from "./config/addresses.ts"
export {
  createFindSize,
  parseSavedPackage,
  plainSku,
  readPackages,
  readSkuPackages,
} from "./config/packages.ts"
export {
  type Band,
  type FactPlaces,
  findMapLayout,
  flagsToSave,
  listMapSuppliers,
  mapText,
  type Place,
  type SavedMap,
  withSavedMap,
} from "./config/maps.ts"

// Memory
export type { TrackingAnswers } from "./memory/answers.ts"
export { type Desk, type DeviceMemory, openDevices } from "./memory/devices.ts"
export { type Drafts, type KeptDraft, openDrafts } from "./memory/drafts.ts"
export { type NamedOutput, openOutputs, type Outputs, type Writes } from "./memory/outputs.ts"
export {
  type CarrierRates,
  findShownRate,
  type KeptQuote,
  type KeptRate,
  listQuoteIds,
  openQuotes,
  type Quotes,
  toShownRate,
} from "./memory/quotes.ts"
export type { BegunRun, Runs, RunStep } from "./memory/runs.ts"
export { MAX_SEEN, openSeen, type Seen, type SeenKind } from "./memory/seen.ts"
export { clearLeftovers, openStore } from "./memory/store.ts"
export { DELIVERED_MARK, markOf, marksOf, openTracked, type TrackedEvents } from "./memory/tracked.ts"
export type { Waiting, WaitingBatch, WaitingGroup } from "./memory/waiting.ts"

// Places
export { createPlaces, type Places } from "./places/judge.ts"
export { loadPlaceList } from "./places/load.ts"
export { placeOrThrow } from "./places/meant.ts"
