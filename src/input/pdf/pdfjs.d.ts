/** The library's worker as a module, of which it gives no types. */
declare module "pdfjs-dist/legacy/build/pdf.worker.mjs"
