/** How the sources become bundles, whichever form these are shipped in. */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

export const bundleOptions = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Its CommonJS form cannot be taken apart: all of it would be in the bundle, wrapped.
  alias: { graphql: 'graphql/index.mjs' },
  logLevel: 'warning',
  write: false,
  // Identifiers stay: names of functions and classes are read in stack traces and by libraries.
  minifySyntax: true,
  minifyWhitespace: true,
  // graphql checks every type for a second copy of itself unless it is told that this is no workshop.
  define: { 'process.env.NODE_ENV': '"production"' },
}
