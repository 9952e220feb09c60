/** Result of an attempt to log in to a proxy; `unknown`: the proxy said neither. */
type LoginResult = "accepted" | "refused" | "unknown"

interface Gate {
  state: "open" | "trying" | "accepted" | "refused"
  waiting: (() => void)[]
}

export type ProxyGate = ReturnType<typeof createProxyGate>

/**
 * Shared by all connections of a command: one logs in to a proxy before the others, and none after a refusal. Companies
 * lock an account after a few wrong passwords.
 */
export function createProxyGate() {
  const gates = new Map<string, Gate>()
  const enter = (
    proxy: string,
    attempt: (end: (result: LoginResult) => void) => void,
    refuse: () => void,
  ): void => {
    const gate = gates.get(proxy) ?? { state: "open", waiting: [] }
    gates.set(proxy, gate)
    if (gate.state === "refused") {
      refuse()
      return
    }
    if (gate.state === "trying") {
      gate.waiting.push(() => enter(proxy, attempt, refuse))
      return
    }
    const wasAccepted = gate.state === "accepted"
    if (!wasAccepted) gate.state = "trying"
    attempt((result) => {
      // A proxy that is busy, or does not answer, says nothing about the password.
      if (result !== "unknown") gate.state = result
      else if (!wasAccepted) gate.state = "open"
      for (const next of gate.waiting.splice(0)) next()
    })
  }
  return {
    /**
     * @param proxy address with user name and password
     * @param attempt opens a tunnel, and returns the result of its login
     * @param refuse is called instead of `attempt` after a refusal
     */
    enter,
  }
}
