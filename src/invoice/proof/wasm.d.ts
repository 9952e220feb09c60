/** The proof, compiled and in base64. */
export const wasm: string
