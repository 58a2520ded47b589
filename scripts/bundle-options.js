/** How the sources become bundles, whichever form these are shipped in. */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * What `dockerode` loads for engines behind SSH and for builds of images: nine tenths of it, and never
 * used here. And Node's own streams as a package, which are for Nodes that are older than ours.
 */
const inPlaceOf = {
  ssh2: './scripts/left-out.cjs',
  '@grpc/grpc-js': './scripts/left-out.cjs',
  '@grpc/proto-loader': './scripts/left-out.cjs',
  protobufjs: './scripts/left-out.cjs',
  'tar-fs': './scripts/left-out.cjs',
  '@balena/dockerignore': './scripts/left-out.cjs',
  'readable-stream': 'node:stream',
}

export const bundleOptions = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Its CommonJS form cannot be taken apart: all of it would be in the bundle, wrapped.
  alias: { graphql: 'graphql/index.mjs' },
  logLevel: 'warning',
  alias: inPlaceOf,
  write: false,
  // Identifiers stay: names of functions and classes are read in stack traces and by libraries.
  minifySyntax: true,
  minifyWhitespace: true,
  // graphql checks every type for a second copy of itself unless it is told that this is no workshop.
  define: { 'process.env.NODE_ENV': '"production"' },
}
