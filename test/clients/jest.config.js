/** Real clients and workers as child processes. Not part of `npm test`: they need Python and pip. */
import shared from '../../jest.config.js'

export default {
  ...shared,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/clients/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 60_000,
}
