/** Templates as GraphQL spells them: saved whole, deleted by name. */
import { plainContainer } from '../../domain/containers.ts'
import {
  createTemplate,
  deleteTemplate,
  findTemplate,
  updateTemplate,
} from '../../domain/templates.ts'
import { invalidField, notFound } from '../../model/errors.ts'
import { type Template, TemplateSpec, templateCategories } from '../../model/template.ts'
import type { World } from '../../world/world.ts'
import { mayDo } from '../http/access.ts'
import { validate } from '../http/validate.ts'
import type { Caller } from './caller.ts'
import { type ContainerInput, toContainerChanges, toDockerArgs, toEnvPairs } from './containers.ts'
import { refuseUnemulated, said, saidList, type Wire } from './inputs.ts'

export interface TemplateInput extends ContainerInput {
  readonly id?: Wire<string>
  readonly name?: Wire<string>
  readonly volumeInGb?: Wire<number>
  readonly volumeMountPath?: Wire<string>
  readonly isServerless?: Wire<boolean>
  readonly isPublic?: Wire<boolean>
  readonly category?: Wire<string>
  readonly readme?: Wire<string>
  readonly startSsh?: Wire<boolean>
  readonly startJupyter?: Wire<boolean>
  readonly portsConfig?: Wire<readonly Wire<{ readonly port: string; readonly name: string }>[]>
}

export const templateQueries = {
  podTemplate({ id }: { id: string }, { world, access }: Caller) {
    const template = findTemplate(world, id)
    const mayRead = !access.anonymous && mayDo(access, 'read', undefined)
    return template && (template.spec.public || mayRead) ? toTemplate(world, template) : null
  },

  podTemplates({ input }: { input?: Wire<{ isRunpod?: Wire<boolean> }> }, { world }: Caller) {
    const own = world.templates.where(({ spec }) => spec.public)
    const all = [...world.publicTemplates.values(), ...own].map((item) => toTemplate(world, item))
    const official = input?.isRunpod
    return all.filter(({ isRunpod }) => isRunpod === (official ?? isRunpod))
  },
}

export const templateMutations = {
  saveTemplate({ input }: { input: Wire<TemplateInput> }, { world }: Caller) {
    if (input === null || input === undefined) throw invalidField(['input'], 'is required')
    const id = said(input.id)
    const spec = toTemplateSpec(input)
    const saved = id === undefined ? createTemplate(world, spec) : updateTemplate(world, id, spec)
    return toTemplate(world, saved)
  },

  deleteTemplate({ templateName }: { templateName: string }, { world }: Caller) {
    const template = world.templates.where(({ spec }) => spec.name === templateName).at(0)
    if (template === undefined) throw notFound('template', templateName)
    deleteTemplate(world, template.id)
    return null
  },
}

/** Assumed: a pod's disk is mounted here unless the caller says otherwise. */
export const defaultMountPath = '/workspace'

/** What a template says is all it says: what is left out is as in a new one. */
export function toTemplateSpec(input: TemplateInput): TemplateSpec {
  refuseUnemulated('saveTemplate', input)
  const portLabels = saidList(input.portsConfig)
  const sizeGb = said(input.volumeInGb)
  const changes = Object.entries(toContainerChanges(input)).filter(
    ([, value]) => value !== undefined,
  )
  const spec = {
    name: input.name ?? '',
    container: { ...plainContainer, image: '', ...Object.fromEntries(changes) },
    persistent: sizeGb === undefined ? null : { sizeGb, path: mountPathOf(input) },
    serverless: input.isServerless ?? false,
    public: input.isPublic ?? false,
    category: said(input.category) ?? templateCategories[0],
    readme: input.readme ?? '',
    startSsh: input.startSsh ?? true,
    startJupyter: input.startJupyter ?? true,
    allowedCudaVersions: [],
    ...(portLabels !== undefined && { portLabels }),
  }
  validate(TemplateSpec, spec, 'bodies')
  return spec as TemplateSpec
}

const mountPathOf = ({ volumeMountPath }: TemplateInput): string =>
  said(volumeMountPath) ?? defaultMountPath

export function toTemplate(world: World, { id, spec, boundEndpointId, source }: Template) {
  const { container, persistent } = spec
  return {
    id,
    name: spec.name,
    userId: world.account.id,
    imageName: container.image,
    dockerArgs: toDockerArgs(container),
    env: () => toEnvPairs(container.env),
    ports: container.ports.join(','),
    containerDiskInGb: container.diskGb,
    containerRegistryAuthId: container.registryId,
    volumeInGb: persistent?.sizeGb ?? 0,
    volumeMountPath: persistent?.path ?? defaultMountPath,
    isServerless: spec.serverless,
    isPublic: spec.public,
    isRunpod: source === 'official',
    category: spec.category,
    readme: spec.readme,
    startSsh: spec.startSsh,
    startJupyter: spec.startJupyter,
    boundEndpointId,
    allowedCudaVersions: spec.allowedCudaVersions.join(','),
    portsConfig: spec.portLabels ?? [],
    // Refused when they are set, so they never are.
    startScript: '',
    advancedStart: false,
    config: null,
  }
}
