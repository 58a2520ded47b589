/** Templates: saved container settings, for pods or for endpoints. */
import { ruleViolation } from '../model/errors.ts'
import type { Template, TemplateSpec } from '../model/template.ts'
import type { World } from '../world/world.ts'
import { updateEndpoint } from './endpoints.ts'

/** One of the account's, or one that everybody may use; those can be neither changed nor deleted. */
export function requireTemplate(world: World, templateId: string): Template {
  return findTemplate(world, templateId) ?? world.templates.require(templateId)
}

/** Null for no template. */
export function findTemplate(world: World, templateId: string | null): Template | undefined {
  if (templateId === null) return undefined
  return world.templates.find(templateId) ?? world.publicTemplates.find(templateId)
}

/** `boundEndpointId`: the endpoint that it is made for and goes with. */
export function createTemplate(
  world: World,
  spec: TemplateSpec,
  boundEndpointId: string | null = null,
): Template {
  requireFits(world, spec, null)
  const id = world.ids.next('template')
  world.timeline.record('template.created', id)
  return world.templates.put({ id, spec, createdAtMs: world.nowMs, boundEndpointId, source: null })
}

/**
 * Spec (v1): name, readme, visibility and disk change in place; everything else makes a new version
 * of each endpoint that is linked to the template. Pods keep what they were made from.
 */
export function updateTemplate(world: World, templateId: string, spec: TemplateSpec): Template {
  const template = world.templates.require(templateId)
  requireFits(world, spec, template)
  world.timeline.record('template.updated', templateId)
  const updated = world.templates.put({ ...template, spec })
  if (JSON.stringify(spec.container) === JSON.stringify(template.spec.container)) return updated
  for (const { id, spec: bound } of world.endpoints.where(linkedTo(templateId))) {
    updateEndpoint(world, id, { ...bound, container: spec.container })
  }
  return updated
}

/** Refused while a pod or an endpoint uses it. */
export function deleteTemplate(world: World, templateId: string): void {
  const template = world.templates.require(templateId)
  const { pods, clusters, endpoints } = world
  const users = [...pods.values(), ...clusters.values(), ...endpoints.values()]
  const user = users.find(linkedTo(template.id))
  if (user !== undefined) throw ruleViolation(`template ${template.id} is in use by ${user.id}`)
  world.timeline.record('template.deleted', template.id)
  world.templates.remove(template.id)
}

const linkedTo =
  (templateId: string) =>
  ({ spec }: { readonly spec: { readonly templateId: string | null } }): boolean =>
    spec.templateId === templateId

/** Every reason there is to refuse such a template, or such a change of the one there is. */
export function requireFits(world: World, spec: TemplateSpec, present: Template | null): void {
  if (spec.name !== present?.spec.name) requireFreeName(world, spec.name)
  requireSound(world, spec)
}

/** Spec: v2 lists 400 among the refusals, and no 409. */
function requireFreeName(world: World, name: string): void {
  for (const { spec } of world.templates.values()) {
    if (spec.name === name) throw ruleViolation(`a template named '${name}' exists already`)
  }
}

/** Spec: a serverless template has no disk of its own. */
function requireSound(world: World, { serverless, persistent, container }: TemplateSpec): void {
  if (serverless && persistent !== null) {
    throw ruleViolation('a serverless template cannot have a persistent disk')
  }
  const { registryId } = container
  if (registryId !== null && world.registries.find(registryId) === undefined) {
    throw ruleViolation(`there is no registry ${registryId}`)
  }
}
