/**
 * Input fields that the schema has and nobody may set, by operation, each with what would have to be
 * known first. They are refused by name; `compute-emulator fidelity` lists them.
 */
export const refusedFields = {
  podInput: {
    savingsPlan:
      'No document says what a plan costs, nor how the hours of a pod that has one are billed.',
    volumeKey: 'No document says what the key encrypts with, nor when it has to be given again.',
    aiApiId: 'It makes a pod a worker; no document says of what kind, and no client sends it.',
  },
  podReset: {
    hardReset: 'No client sends it, and no document says what it does that a reset does not.',
  },
  podResume: {
    syncMachine: 'No document says what is synchronised, and no client sends it.',
  },
  saveEndpoint: {
    workersPFBTarget: 'No document says what it counts; clients send 0, which is taken.',
  },
  saveTemplate: {
    startScript: 'No document says when the script runs, nor what of dockerArgs it replaces.',
    advancedStart: 'It belongs to startScript.',
    config: 'JSON of no described form; clients send {}, which is taken.',
  },
  createCluster: {
    throughput: 'No document says of what.',
    volumeKey: 'No document says what the key encrypts with, nor when it has to be given again.',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>

export type RefusingOperation = keyof typeof refusedFields
