/** A scenario that is not right is refused before anything runs, with file, line, field and a hint. */
import { loadFixtures } from '../src/adapters/fixtures/load.ts'
import { FixtureError } from '../src/adapters/fixtures/problem.ts'
import { settingsOf } from '../src/scenarios/settings.ts'
import { scenarioOf } from './support/scenario.ts'

const health = { path: '/v2/demo/health' }
const step = (content: object) => ({ timeline: [content] })

test.each([
  ['an unknown field', { timelin: [] }, "timelin: unknown field; did you mean 'timeline'?"],
  ['no steps', { timeline: [] }, 'timeline: must NOT have fewer than 1 items'],
  [
    'an unknown field of a step',
    step({ reqest: health }),
    "timeline[0].reqest: unknown field; did you mean 'request'?",
  ],
  ['a step that does nothing', step({ name: 'x' }), 'timeline[0]: does nothing'],
  [
    'a step that does two things',
    step({ request: health, advance: '1s' }),
    'timeline[0]: does request and advance',
  ],
  ['a span without a unit', step({ advance: '10' }), 'timeline[0].advance: must match pattern'],
  [
    'a time that goes back',
    {
      timeline: [
        { at: '2s', request: health },
        { at: '1s', request: health },
      ],
    },
    'timeline[1].at: must not be before',
  ],
  [
    'a name that nobody saves',
    { timeline: [{ request: health, save: { job: 'jobs' } }, { request: { path: '/{{jobb}}' } }] },
    "no step before saves 'jobb'; did you mean 'job'?",
  ],
  [
    'an operator that is none',
    step({ request: health, expect: { body: { a: { $atleast: 1 } } } }),
    "timeline[0].expect.body.a.$atleast: no operator '$atleast'",
  ],
  [
    'a pattern that is none',
    step({ request: health, expect: { body: { $matches: '(' } } }),
    'timeline[0].expect.body.$matches: Invalid regular expression',
  ],
  [
    'a kind of entry that there is not',
    { timeline: [{ request: health }], expect: { counts: { 'job.complete': 1 } } },
    "expect.counts[\"job.complete\"]: nothing of kind 'job.complete' ever happens; did you mean 'job.completed'?",
  ],
  [
    'an order of what never happens',
    step({ check: { happened: ['job.submitted', { kind: 'job.begun' }] } }),
    "timeline[0].check.happened[1].kind: nothing of kind 'job.begun'",
  ],
  [
    'a wait for what never happens',
    step({ until: { happened: 'worker.redy', within: '1s' } }),
    "timeline[0].until.happened: nothing of kind 'worker.redy' ever happens; did you mean 'worker.ready'?",
  ],
  [
    'a header in capitals',
    step({ request: health, expect: { headers: { 'Retry-After': '1' } } }),
    'timeline[0].expect.headers["Retry-After"]: headers are named in lower case: \'retry-after\'',
  ],
  [
    'an expectation of nothing',
    step({ advance: '1s', expect: { status: 200 } }),
    'timeline[0].expect: needs a request',
  ],
  [
    'two bodies',
    step({ request: { path: '/x', body: {}, text: 'y' } }),
    'timeline[0].request: has one of body, text',
  ],
  ['no address', step({ request: { body: {} } }), 'timeline[0].request.path: is missing'],
  [
    'no condition to wait for',
    step({ until: { within: '1s' } }),
    'timeline[0].until: needs one of happened',
  ],
  [
    'a condition that is none',
    step({ until: { condition: 'job == 1', within: '1s' } }),
    "timeline[0].until.condition: 'job == 1' is not a condition",
  ],
  [
    'a poll without an end',
    step({ until: { request: health, within: '1s' } }),
    'timeline[0].until: needs expect',
  ],
  [
    'chance without a rate',
    step({ repeat: { times: 2, arrivals: 'poisson', steps: [{ request: health }] } }),
    'timeline[0].repeat.arrivals: needs every or over',
  ],
  [
    'a fault that is none',
    step({ fault: { effect: { kind: 'hang-jobs' } } }),
    "did you mean 'hang-job'?",
  ],
  [
    'a source that is none',
    { ...step({ request: health }), provenance: ['hearsay'] },
    'provenance[0]: must match pattern',
  ],
  [
    'a name that is not the file’s',
    { ...step({ request: health }), name: 'other' },
    "name: must be that of the file, 'mine'",
  ],
])('%s', async (_, content, message) => {
  expect(await mistakeOf(async () => scenarioOf(content))).toContain(message)
})

test.each([
  ['an unknown world', { world: 'defalt' }, "world: no world 'defalt'; did you mean 'default'?"],
  [
    'an unknown profile',
    { settings: { profile: 'quick' } },
    "settings.profile: no profile 'quick'",
  ],
  [
    'a fidelity switch that is none',
    { settings: { fidelity: { emptyInputs: 'drop' } } },
    'settings.fidelity.emptyInputs: unknown field',
  ],
  [
    'a wait that stops time',
    { settings: { waits: { throttleRetryMs: 0 } } },
    'settings.waits.throttleRetryMs: must be > 0',
  ],
  [
    'an unknown GPU type',
    { timeline: [{ capacity: { typeId: 'NVIDIA L5', total: 0 } }] },
    "timeline[0].capacity.typeId: no GPU type and no CPU flavor 'NVIDIA L5'; did you mean 'NVIDIA L4'?",
  ],
  [
    'an unknown data center, within a repeat',
    step({
      repeat: {
        times: 2,
        steps: [{ capacity: { typeId: 'NVIDIA L4', dataCenterId: 'EU-RO-2', total: 0 } }],
      },
    }),
    "timeline[0].repeat.steps[0].capacity.dataCenterId: no data center 'EU-RO-2'",
  ],
  [
    'a fault that strikes nothing',
    step({ fault: { operation: 'jobs.sttus', effect: { kind: 'reset' } } }),
    "timeline[0].fault.operation: no operation 'jobs.sttus'; did you mean 'jobs.status'?",
  ],
  [
    'a fault that says two things',
    step({ fault: { nth: 1, every: 2, effect: { kind: 'hang-job' } } }),
    'timeline[0].fault.every: says something else than nth',
  ],
  [
    'an endpoint with a handler that is none',
    {
      start: {
        account: { id: 'a', email: 'e', balanceUsd: 1 },
        endpoints: [
          {
            id: 'e',
            name: 'e',
            container: { image: 'x' },
            gpuTypeIds: ['NVIDIA L4'],
            handler: 'eco',
          },
        ],
      },
    },
    "start.endpoints[0].handler: no handler 'eco'; did you mean 'echo'?",
  ],
])('%s, which only the fixtures around it can tell', async (_, content, message) => {
  const fixtures = await loadFixtures()
  const whole = { ...step({ request: health }), ...content }
  expect(await mistakeOf(() => settingsOf(scenarioOf(whole), fixtures))).toContain(message)
})

async function mistakeOf(read: () => Promise<unknown>): Promise<string> {
  try {
    await read()
  } catch (error) {
    if (error instanceof FixtureError) {
      // Each names a line.
      expect(error.problems.every(({ line }) => line > 0)).toBe(true)
      return error.message
    }
    throw error
  }
  return 'nothing'
}
