/** What is wrong with a request, as one issue for each thing, in words that name the way out. */
import type { ErrorObject } from 'ajv/dist/2020.js'
import type { Issue } from '../../model/errors.ts'

/**
 * Ajv reports a failed union once for each member and once for itself; a discriminated one only
 * needs the member that the request chose, so failed members' `const` complaints are dropped.
 */
export function toIssues(errors: readonly ErrorObject[]): Issue[] {
  const issues: Issue[] = []
  const seen = new Set<string>()
  for (const error of dropNoise(errors)) {
    const issue = toIssue(error)
    const key = `${issue.path.join('/')} ${issue.message}`
    if (seen.has(key)) continue
    seen.add(key)
    issues.push(issue)
  }
  return issues
}

function dropNoise(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const telling = errors.filter(({ keyword }) => keyword !== 'anyOf' && keyword !== 'if')
  const withoutConst = telling.filter(({ keyword }) => keyword !== 'const')
  return withoutConst.length > 0 ? withoutConst : errors
}

function toIssue({ instancePath, keyword, params, message = '', data }: ErrorObject): Issue {
  const path = instancePath.split('/').slice(1).map(unescapePointer)
  const say = wording[keyword]
  const issue = { path, rule: keyword, message: say === undefined ? message : say(params) }
  return keyword === 'type' ? { ...issue, type: { got: kindOf(data), want: params.type } } : issue
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

type Params = Record<string, unknown>

// Observed: v2 says "missing property 'x'", "additional properties 'x' not allowed" and "value must be
// one of 'a', 'b'".
const wording: Readonly<Record<string, (params: Params) => string>> = {
  required: ({ missingProperty }) => `missing property '${String(missingProperty)}'`,
  additionalProperties: ({ additionalProperty }) =>
    `additional properties '${String(additionalProperty)}' not allowed`,
  unevaluatedProperties: ({ unevaluatedProperty }) =>
    `additional properties '${String(unevaluatedProperty)}' not allowed`,
  enum: ({ allowedValues }) => `value must be one of ${listed(allowedValues)}`,
  const: ({ allowedValue }) => `value must be ${JSON.stringify(allowedValue)}`,
  type: ({ type }) => `value must be of type ${String(type)}`,
  minLength: ({ limit }) => `must have at least ${String(limit)} characters`,
  maxLength: ({ limit }) => `must have at most ${String(limit)} characters`,
  minItems: ({ limit }) => `must have at least ${String(limit)} items`,
  maxItems: ({ limit }) => `must have at most ${String(limit)} items`,
  minimum: ({ limit }) => `must be at least ${String(limit)}`,
  maximum: ({ limit }) => `must be at most ${String(limit)}`,
  pattern: ({ pattern }) => `does not match pattern '${String(pattern)}'`,
}

function listed(values: unknown): string {
  return (values as unknown[]).map((value) => `'${String(value)}'`).join(', ')
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}
