/** Tests run the TypeScript sources as ES modules; swc only strips the types. */
export default {
  // Tests that start processes may share their machine with others.
  testTimeout: 20_000,
  // By itself jest leaves one core idle, which is half of a small machine.
  maxWorkers: '100%',
  testEnvironment: 'node',
  // Temporary files of a run are in one place, and the run fails if something is left there.
  globalSetup: '<rootDir>/test/support/folder-setup.js',
  globalTeardown: '<rootDir>/test/support/folder-teardown.js',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/clients/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
    ],
  },
}
