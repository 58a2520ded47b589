/**
 * In place of packages that are loaded for what is never asked of them here, see `bundle-options.js`:
 * what is taken from it is this again, and using it fails.
 */
const leftOut = new Proxy(class {}, {
  get: () => leftOut,
  apply: refuse,
  construct: refuse,
})

function refuse() {
  throw new Error(
    'this part of the Docker client library is not in the bundles of compute-emulator',
  )
}

module.exports = leftOut
