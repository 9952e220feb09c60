import { expect, it } from "vitest"
import { classifyError, DetectedError, isTransient } from "../../src/api/outcome.ts"

/** By the code of the system, of undici or of TLS. */
const CODES = [
  ["name", true, ["ENOTFOUND", "EAI_AGAIN", "EAI_FAIL"]],
  ["refused", true, ["ECONNREFUSED"]],
  ["unreachable", true, ["EHOSTUNREACH", "ENETUNREACH", "ENETDOWN", "EHOSTDOWN", "EADDRNOTAVAIL"]],
  ["connectTimeout", true, ["UND_ERR_CONNECT_TIMEOUT", "ETIMEDOUT"]],
  [
    "certificate",
    false,
    [
      ...[
        "CERT_HAS_EXPIRED",
        "DEPTH_ZERO_SELF_SIGNED_CERT",
        "ERR_TLS_CERT_ALTNAME_INVALID",
        "CRL_HAS_EXPIRED",
      ],
      ...["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "HOSTNAME_MISMATCH", "INVALID_CA", "INVALID_PURPOSE"],
    ],
  ],
  ["notTls", false, ["EPROTO", "ERR_SSL_WRONG_VERSION_NUMBER", "ERR_TLS_HANDSHAKE_TIMEOUT"]],
  ["notHttp", false, ["HPE_INVALID_CONSTANT", "HTTPParserError", "UND_ERR_HEADERS_OVERFLOW"]],
  ["interrupted", false, ["UND_ERR_CLOSED", "UND_ERR_DESTROYED"]],
  [
    "broken",
    true,
    ["ECONNRESET", "EPIPE", "ECONNABORTED", "UND_ERR_SOCKET", "UND_ERR_RES_CONTENT_LENGTH_MISMATCH"],
  ],
  ["other", false, ["ENOTDIR", "Error"]],
] as const

it.each(CODES)("%s errors, which may pass (%s): %j", (name, passes, codes) => {
  for (const code of codes) {
    expect(classifyError(Object.assign(new Error("it failed"), { code }), false)).toEqual({ name, code })
    // Some parser errors of undici have no code.
    const named = Object.assign(new Error("it failed"), { name: code })
    expect(classifyError(named, false)).toEqual({ name, code })
    // Once the request may have left, a timeout of the system is one of an established connection.
    const sent = name === "connectTimeout" ? "broken" : name
    expect(classifyError(named, true)).toEqual({ name: sent, code })
  }
  expect(isTransient({ name, code: "" })).toBe(passes)
})

it("an error that freight itself detects has its own name and code", () => {
  expect(classifyError(new DetectedError("tooLarge", "CODE"), true)).toEqual({
    name: "tooLarge",
    code: "CODE",
  })
})

it.each(
  CODES.filter(([name]) => name !== "certificate" && name !== "other"),
)("a code that only has one of %s errors in it is another", (name, _passes, codes) => {
  const hasWholeCodes = !["name", "notTls", "notHttp"].includes(name)
  for (const code of codes)
    for (const other of [`X${code}`, ...(hasWholeCodes ? [`${code}_X`] : [])])
      expect(classifyError(Object.assign(new Error("it failed"), { code: other }), false).name).toBe("other")
})
