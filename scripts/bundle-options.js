/** How the sources become bundles, whichever form these are shipped in. */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const leftOut = join(root, 'scripts', 'left-out.cjs')

/**
 * What `dockerode` loads for engines behind SSH and for builds of images: nine tenths of it, and never
 * used here. And Node's own streams as a package, which are for Nodes that are older than ours.
 */
const inPlaceOf = {
  ssh2: leftOut,
  '@grpc/grpc-js': leftOut,
  '@grpc/proto-loader': leftOut,
  protobufjs: leftOut,
  'tar-fs': leftOut,
  '@balena/dockerignore': leftOut,
  'readable-stream': 'node:stream',
}

export const bundleOptions = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  alias: {
    // Its CommonJS form cannot be taken apart: all of it would be in the bundle, wrapped.
    graphql: 'graphql/index.mjs',
    ...inPlaceOf,
  },
  logLevel: 'warning',
  write: false,
  // Identifiers stay: names of functions and classes are read in stack traces and by libraries.
  minifySyntax: true,
  minifyWhitespace: true,
  // graphql checks every type for a second copy of itself unless it is told that this is no workshop.
  define: { 'process.env.NODE_ENV': '"production"' },
}
