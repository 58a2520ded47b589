/** The control API's faults: what goes wrong, how often it did, and how it is put right. */
import * as Type from '@sinclair/typebox'
import { addFault, clearFaults, removeFault } from '../../domain/faults/rules.ts'
import { namePattern } from '../../domain/faults/strike.ts'
import { CloudError, invalidField, invalidRequest } from '../../model/errors.ts'
import {
  type EffectKind,
  effectKinds,
  effectSchemas,
  type Fault,
  FaultRule,
} from '../../model/fault.ts'
import { maskKey } from '../../model/masking.ts'
import { didYouMean } from '../../model/nearest.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { created, ok, toIso, toIsoOrNull } from '../http/reply.ts'
import { validate } from '../http/validate.ts'
import type { Controls } from './controls.ts'

const tag = 'faults'
const removedReply = { 200: { description: 'How many were taken away.' } }

/** Which fields an effect has depends on its kind, and is looked at after that. */
const RuleBody = Type.Composite(
  [
    Type.Omit(FaultRule, ['effect']),
    Type.Object({
      effect: Type.Object(
        { kind: Type.String({ description: effectKinds.join(', ') }) },
        { additionalProperties: true },
      ),
    }),
  ],
  { additionalProperties: false },
)

export function faultOperations(controls: Controls): Operation[] {
  return [listFaults, addOne(controls), clear, removeOne]
}

const listFaults = defineOperation({
  name: 'listFaults',
  method: 'GET',
  path: '/_emulator/faults',
  summary: 'Every fault and how often it struck, oldest first; expired ones too.',
  tag,
  needs: 'nothing',
  replies: { 200: { description: 'Faults.' } },
  handle: ({ world }) => ok({ faults: world.faults.all().map(describe) }),
})

function addOne(controls: Controls): Operation {
  return defineOperation({
    name: 'addFault',
    method: 'POST',
    path: '/_emulator/faults',
    summary: 'Makes something go wrong from now on.',
    tag,
    needs: 'nothing',
    body: RuleBody,
    replies: { 201: { description: 'The fault.' } },
    handle: async ({ world, body, turn }) => {
      requireEffect(body.effect)
      requireOperation(body.operation, await controls.operationNames())
      return turn(() => created(describe(addFault(world, body as FaultRule))))
    },
  })
}

const clear = defineOperation({
  name: 'clearFaults',
  method: 'DELETE',
  path: '/_emulator/faults',
  summary: 'Takes every fault away.',
  tag,
  needs: 'nothing',
  replies: removedReply,
  handle: ({ world }) => ok({ removed: clearFaults(world) }),
})

const removeOne = defineOperation({
  name: 'removeFault',
  method: 'DELETE',
  path: '/_emulator/faults/{id}',
  summary: 'Takes a fault away.',
  tag,
  needs: 'nothing',
  params: Type.Object({ id: Type.String() }),
  replies: removedReply,
  handle: ({ world, params }) => {
    removeFault(world, params.id)
    return ok({ removed: 1 })
  },
})

function requireEffect(effect: { readonly kind: string }): void {
  const { kind } = effect
  if (!isEffectKind(kind)) {
    const hint = didYouMean(kind, effectKinds) || `; there are ${effectKinds.join(', ')}`
    throw invalidField(['effect', 'kind'], `no effect '${kind}'${hint}`)
  }
  try {
    validate(effectSchemas[kind], effect, 'bodies')
  } catch (error) {
    if (!(error instanceof CloudError)) throw error
    throw invalidRequest(
      error.issues.map((issue) => ({ ...issue, path: ['effect', ...issue.path] })),
    )
  }
}

const isEffectKind = (kind: string): kind is EffectKind => Object.hasOwn(effectSchemas, kind)

/** A name that no operation has would never strike. */
function requireOperation(operation: string | undefined, known: readonly string[]): void {
  if (operation === undefined || known.some((name) => namePattern(operation).test(name))) return
  const hint = didYouMean(operation, known) || '; names are like v2.createPod, jobs.run or jobs.*'
  throw invalidField(['operation'], `no operation '${operation}'${hint}`)
}

function describe({ id, rule, status, createdAtMs, fromMs, untilMs, ...fault }: Fault) {
  const { matches, hits, lastHitAtMs } = fault
  return {
    id,
    status,
    ...{ matches, hits, lastHitAt: toIsoOrNull(lastHitAtMs) },
    createdAt: toIso(createdAtMs),
    beginsAt: toIso(fromMs),
    endsAt: toIsoOrNull(untilMs),
    rule: rule.key === undefined ? rule : { ...rule, key: maskKey(rule.key) },
  }
}
