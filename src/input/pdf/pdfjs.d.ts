/** The library's worker as a module, for which it has no types. */
declare module "pdfjs-dist/legacy/build/pdf.worker.mjs"
