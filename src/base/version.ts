/** The package's version, put in by the bundler; a run from source says `dev`. */
declare const __VERSION__: string | undefined
export const VERSION: string = typeof __VERSION__ === "string" ? __VERSION__ : "dev"
