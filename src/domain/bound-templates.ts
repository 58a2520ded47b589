/** Templates that are made with an endpoint, change with it and go with it. */
import type { Endpoint, EndpointSpec } from '../model/endpoint.ts'
import type { Template, TemplateSpec } from '../model/template.ts'
import type { World } from '../world/world.ts'
import { createEndpoint, requireSound, requireSoundChange, updateEndpoint } from './endpoints.ts'
import { createTemplate, requireFits, updateTemplate } from './templates.ts'

/** An endpoint together with the template that it runs. */
export function createEndpointWithTemplate(
  world: World,
  spec: EndpointSpec,
  templateSpec: TemplateSpec,
): Endpoint {
  requireSound(world, { ...spec, templateId: null })
  requireFits(world, templateSpec, null)
  const id = world.ids.next('endpoint')
  const template = createTemplate(world, templateSpec, id)
  return createEndpoint(world, running(spec, template), { id })
}

/** Observed: a template that is sent again changes the one that is bound, whatever its name. */
export function updateEndpointWithTemplate(
  world: World,
  endpointId: string,
  spec: EndpointSpec,
  templateSpec: TemplateSpec,
): Endpoint {
  const endpoint = world.endpoints.require(endpointId)
  const bound = findBoundTemplate(world, endpointId) ?? null
  requireSoundChange(world, endpoint, { ...spec, templateId: null })
  requireFits(world, templateSpec, bound)
  const template = bound ?? createTemplate(world, templateSpec, endpointId)
  // The endpoint comes first, so that the template finds it up to date and makes no second version.
  updateEndpoint(world, endpointId, running(spec, { ...template, spec: templateSpec }))
  if (bound !== null) updateTemplate(world, bound.id, templateSpec)
  return world.endpoints.require(endpointId)
}

export function findBoundTemplate(world: World, endpointId: string): Template | undefined {
  return world.templates.where(({ boundEndpointId }) => boundEndpointId === endpointId).at(0)
}

function running(spec: EndpointSpec, template: Template): EndpointSpec {
  return { ...spec, templateId: template.id, container: template.spec.container }
}
