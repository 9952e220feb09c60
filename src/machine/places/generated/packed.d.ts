/** localities.csv and names-in-use.csv of data/, brotli in base64: see `list.ts`. */
export const packed: string
