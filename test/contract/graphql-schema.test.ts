/** The GraphQL schema, held against the reference: types, fields, arguments, nullability, enums. */
import {
  buildSchema,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
} from 'graphql'
import { sdlFor } from '../../src/surfaces/graphql/schema.graphql.ts'
import { readContract } from '../support/contract.ts'

const text = readContract('schema.graphql')
/** Without what one source says of podResume and the reference denies: see the fidelity switch. */
const own = linesOf(sdlFor({ resumeCuda: false }))

/** What is meant to differ, and why. */
const additions = [
  // The specification calls the arguments of a container by this name, in its table of pod fields.
  'input PodFindAndDeployOnDemandInput.containerArgs: String',
  // The reference has it in a comment only, as a guess. A reset exists in REST v1 and does the same.
  'type Mutation.podReset(input: PodResetInput!): Pod',
  'input PodResetInput.podId: String!',
  'input PodResetInput.hardReset: Boolean',
  'input PodResetInput',
]

test('has everything that the reference has, of the same types', () => {
  const missing = linesOf(text ?? '').filter((line) => !own.includes(line))
  expect(missing).toEqual([])
})

test('has nothing else but what is meant to differ', () => {
  if (text === undefined) return
  const reference = new Set(linesOf(text))
  expect(own.filter((line) => !reference.has(line)).sort()).toEqual([...additions].sort())
})

test('takes CUDA versions for podResume, as the specification says', () => {
  const before = new Set(own)
  const more = linesOf(sdlFor({ resumeCuda: true })).filter((line) => !before.has(line))
  expect(more).toEqual(['input PodResumeInput.allowedCudaVersions: [String]'])
})

/** Every type, field, argument and value, one a line. */
function linesOf(sdl: string): string[] {
  if (sdl === '') return []
  const types = Object.values(buildSchema(sdl).getTypeMap())
  return types.filter(({ name }) => !name.startsWith('__')).flatMap(linesOfType)
}

function linesOfType(type: GraphQLNamedType): string[] {
  const { name } = type
  if (isEnumType(type)) {
    return [`enum ${name}`, ...type.getValues().map((value) => `enum ${name}.${value.name}`)]
  }
  if (isInputObjectType(type)) {
    const fields: GraphQLInputField[] = Object.values(type.getFields())
    return [`input ${name}`, ...fields.map((field) => `input ${name}.${field.name}: ${field.type}`)]
  }
  if (!isObjectType(type)) return [`scalar ${name}`]
  const fields = Object.values(type.getFields())
  return [`type ${name}`, ...fields.map((field) => `type ${name}.${lineOfField(field)}`)]
}

function lineOfField({ name, args, type }: GraphQLField<unknown, unknown>): string {
  const list = args.map((argument) => `${argument.name}: ${argument.type}`).sort()
  return list.length === 0 ? `${name}: ${type}` : `${name}(${list.join(', ')}): ${type}`
}
