/** The description of v1 that we serve, against the published one. */
import { startCloud } from '../support/cloud.ts'
import { differences, flatten, published } from '../support/contract-v1.ts'

interface Intended {
  readonly what: RegExp
  readonly why: string
}

/** In place of `published` and `served`, what differs, where it is meant to. */
const intended: readonly Intended[] = [
  {
    what: / 404: only published|^GET \/docs 400: only published/,
    why: 'a list of nothing is empty, and a page cannot be asked for wrongly',
  },
  {
    what: / (401|403|404|410|500): only served|restart 200: only served|billing\/\w+ 400: only served/,
    why: 'each of these is answered, and most operations are published without them',
  },
  {
    what: / (200|40[0134]|500) reply: only served/,
    why: 'refusals have a message, and actions answer with the pod, as clients expect',
  },
  {
    what: /body(\.\w+)?: published .*default=.*; served (?!.*default=)/,
    why: "a template's value comes before a default, and an update changes only what it names",
  },
  {
    what: /body\.allowedCudaVersions: published array; served array default=\[\]/,
    why: 'said, where the published description is silent',
  },
  {
    what: /body\.\w+: published (\w+)[^;]*; served \1.* (minLength=1|minimum=[01]|maxLength=191)/,
    why: 'names that are empty, and counts of nothing, are refused here by schema',
  },
  {
    what: /(gpuTypeIds?|dataCenterIds?|cpuFlavorIds)(\[\])*: published .*(enum|default)=/,
    why: 'the catalog says which there are, and fixtures may add to it',
  },
  {
    what: /(allowedCudaVersions\[\]|minCudaVersion): published string enum=.*; served string$/,
    why: 'a reply may show what another surface has set',
  },
  {
    what: /category: published string; served string enum=/,
    why: 'a category is one of three',
  },
  {
    what: /(vcpuCount|memoryInGb): published number; served integer/,
    why: 'Observed: clients count on whole numbers',
  },
  {
    what: /\.(imageName|createdAt|gpuCount|flashboot|template): only served/,
    why: 'Observed: clients read these, or ask for them with an include',
  },
  {
    what: /(gpu|gpuType)\.(one|three|six)\w+Price: only published/,
    why: 'savings plans are bought in the console, and their prices are in no list',
  },
  {
    what: /(gpu|gpuType)\.(secure|community)SpotPrice: only published/,
    why: 'v1 shows no spot prices yet',
  },
  {
    what: /machine\.(maintenance\w+|note): only published/,
    why: 'no machine here is ever in maintenance',
  },
]

const compare = published === undefined ? test.skip : test

compare(
  'the served description differs from the published one only where it is meant to',
  async () => {
    const cloud = await startCloud()
    const { body } = await cloud.get('/v1/openapi.json')
    const theirs = flatten(published as NonNullable<typeof published>)
    const found = differences(theirs, flatten(body))
    const unexplained = found.filter((line) => !intended.some(({ what }) => what.test(line)))
    expect(unexplained).toEqual([])
    const idle = intended.filter(({ what }) => !found.some((line) => what.test(line)))
    expect(idle.map(({ why }) => why)).toEqual([])
  },
)
