/** Every environment variable that freight heeds: what `freight help environment` lists. */
import { SETTINGS } from "./known.ts"

export interface Variable {
  /** One, or several that say the same: the first that is set counts. */
  names: readonly string[]
  title: string
}

const one = (name: string, title: string): Variable => ({ names: [name], title })

/** Of freight itself; a flag goes before them, and they go before the profile. */
export const OWN_VARIABLES: readonly Variable[] = [
  ...SETTINGS.flatMap(({ variable, title }) => (variable ? [one(variable, title)] : [])),
  one("FREIGHT_PROFILE", "the profile to use, where --profile names none"),
  one("FREIGHT_WORKSTATION", "name of this desk, for its print device (default: the host's name)"),
  one("FREIGHT_CONFIG_DIR", "folder of the settings file"),
  one("FREIGHT_STATE_DIR", "folder of what this machine remembers: ledger, quotes, devices"),
]

/** Of the network, the terminal and the system, as other programs read them too. */
export const SHARED_VARIABLES: readonly Variable[] = [
  {
    names: ["PGPASSWORD", "PGPASSFILE"],
    title: "password of a ledger in PostgreSQL, or the file that has it",
  },
  { names: ["HTTPS_PROXY", "HTTP_PROXY"], title: "proxy to reach the APIs through" },
  one("NO_PROXY", "hosts that are reached without the proxy, with commas between; * is all"),
  one("NODE_EXTRA_CA_CERTS", "file of certificate authorities to trust besides Node's own"),
  one("NODE_TLS_REJECT_UNAUTHORIZED", "0: no certificate is checked, which freight warns of"),
  one("NO_COLOR", "set to anything: no colour"),
  one("FORCE_COLOR", "colour also where there is no terminal; 0 does not count"),
  one("TERM", "dumb: no colour, and questions in plain lines"),
  {
    names: ["LC_ALL", "LC_CTYPE", "LANG"],
    title: "characters beyond ASCII are drawn where it names UTF-8",
  },
  { names: ["XDG_CONFIG_HOME", "APPDATA"], title: "folder of all programs' settings; APPDATA on Windows" },
  {
    names: ["XDG_STATE_HOME", "LOCALAPPDATA"],
    title: "folder of all programs' state; LOCALAPPDATA on Windows",
  },
  { names: ["USER", "LOGNAME", "USERNAME"], title: "whose a booking is that was begun and not finished" },
  { names: ["DISPLAY", "WAYLAND_DISPLAY"], title: "there is a screen to open a label on" },
  {
    names: ["HOME", "XDG_DATA_HOME", "BASH_COMPLETION_USER_DIR", "ZDOTDIR"],
    title: "where freight completion --install puts its script",
  },
]
