/** The carrier looked at the request and said no: a 400 with `code` and `message`, or a failed result among rates. */
export class CarrierRejection extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** The carrier's own API is down: a 502, or a failed result among rates. */
export class CarrierUnavailable extends Error {}
