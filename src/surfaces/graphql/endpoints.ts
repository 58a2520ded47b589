/** Endpoints as GraphQL asks for them: one mutation creates and changes them. */
import {
  createEndpointWithTemplate,
  updateEndpointWithTemplate,
} from '../../domain/bound-templates.ts'
import {
  createEndpoint,
  deleteEndpoint,
  requireScaledToZero,
  updateEndpoint,
} from '../../domain/endpoints.ts'
import { requireTemplate } from '../../domain/templates.ts'
import type { Endpoint } from '../../model/endpoint.ts'
import { invalidField, ruleViolation } from '../../model/errors.ts'
import type { TemplateSpec } from '../../model/template.ts'
import type { World } from '../../world/world.ts'
import type { Caller } from './caller.ts'
import { type Base, type EndpointInput, toEndpointSpec } from './endpoint-input.ts'
import { toEndpoint } from './endpoint-view.ts'
import { said, type Wire } from './inputs.ts'
import { toTemplateSpec } from './templates.ts'

interface LinkInput {
  readonly endpointId: string
  readonly templateId: string
}

export const endpointMutations = {
  saveEndpoint({ input }: { input: EndpointInput }, { world }: Caller) {
    const id = said(input.id)
    const saved = id === undefined ? create(world, input) : change(world, id, input)
    return toEndpoint(world, saved)
  },

  deleteEndpoint({ id }: { id: string }, { world }: Caller) {
    requireScaledToZero(world, id)
    deleteEndpoint(world, id)
    return null
  },

  updateEndpointTemplate({ input }: { input: Wire<LinkInput> }, { world }: Caller) {
    if (input === null || input === undefined) throw invalidField(['input'], 'is required')
    const { spec } = world.endpoints.requireListed(input.endpointId)
    const template = requireTemplate(world, input.templateId)
    const linked = { ...spec, templateId: template.id, container: template.spec.container }
    return toEndpoint(world, updateEndpoint(world, input.endpointId, linked))
  },
}

function create(world: World, input: EndpointInput): Endpoint {
  const own = ownTemplate(input)
  if (own !== undefined) {
    const base: Base = { container: own.container, templateId: null, before: undefined }
    return createEndpointWithTemplate(world, toEndpointSpec(world, input, base), own)
  }
  const templateId = said(input.templateId)
  if (templateId === undefined) throw ruleViolation('templateId or template is required')
  const { container } = requireTemplate(world, templateId).spec
  const base: Base = { container, templateId, before: undefined }
  return createEndpoint(world, toEndpointSpec(world, input, base))
}

function change(world: World, endpointId: string, input: EndpointInput): Endpoint {
  const before = world.endpoints.requireListed(endpointId).spec
  const own = ownTemplate(input)
  const templateId = said(input.templateId)
  const linked = templateId === undefined ? undefined : requireTemplate(world, templateId)
  const spec = toEndpointSpec(world, input, {
    container: (own ?? linked?.spec)?.container ?? before.container,
    templateId: linked?.id ?? before.templateId,
    before,
  })
  return own === undefined
    ? updateEndpoint(world, endpointId, spec)
    : updateEndpointWithTemplate(world, endpointId, spec, own)
}

/** The template in the endpoint's own input. Assumed: named after the endpoint when it has no name. */
function ownTemplate({ name, templateId, template }: EndpointInput): TemplateSpec | undefined {
  if (template === null || template === undefined) return undefined
  if (said(templateId) !== undefined) {
    throw ruleViolation('an endpoint has a templateId or a template, not both')
  }
  const named = { ...template, name: said(template.name) ?? `${name}__template` }
  return toTemplateSpec({ ...named, volumeInGb: 0, isServerless: true })
}
