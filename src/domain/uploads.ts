/** Uploads: their addresses, and what comes in through them. */
import { CloudError, ruleViolation } from '../model/errors.ts'
import { type Upload, uploadLimits } from '../model/upload.ts'
import type { World } from '../world/world.ts'

/** Assumed: how long an address can be written to. */
const writableMs = 3_600_000

export interface UploadWish {
  readonly objectKey: (uploadId: string) => string
  readonly sizeBytes: number
  /** The whole file in one piece when absent. */
  readonly partSizeBytes?: number | undefined
  readonly keeps: boolean
}

/** Refuses sizes that are none, and those that do not fit into requests. */
export function openUpload(world: World, wish: UploadWish): Upload {
  const { sizeBytes, partSizeBytes = sizeBytes, keeps } = wish
  const isSize = (bytes: number) => Number.isSafeInteger(bytes) && bytes >= 1
  if (!isSize(sizeBytes)) throw ruleViolation('an upload has at least 1 byte')
  if (!isSize(partSizeBytes) || partSizeBytes > uploadLimits.requestBytes) {
    throw ruleViolation(`one request can bring 1 to ${uploadLimits.requestBytes} bytes`)
  }
  const partCount = Math.ceil(sizeBytes / partSizeBytes)
  if (partCount > uploadLimits.parts) {
    throw ruleViolation(`an upload has at most ${uploadLimits.parts} parts, not ${partCount}`)
  }
  const id = world.ids.next('upload')
  const signature = world.ids.next('signature')
  world.issuedKeys.put({ id: signature, opens: 'upload' })
  world.timeline.record('upload.opened', id, { sizeBytes })
  return world.uploads.put({
    ...{ id, objectKey: wish.objectKey(id), sizeBytes, partCount, partSizeBytes, signature, keeps },
    ...{ expiresAtMs: world.nowMs + writableMs, received: {}, content: null },
  })
}

export interface PartContent {
  readonly sizeBytes: number
  /** The bytes in base64, for those who keep them. */
  readonly content: () => string
}

/** One part has come, whole. Refuses what the address is not for. */
export function receivePart(
  world: World,
  uploadId: string,
  part: number,
  { sizeBytes, content }: PartContent,
): Upload {
  const upload = world.uploads.require(uploadId)
  if (world.nowMs >= upload.expiresAtMs) {
    throw new CloudError('forbidden', 'the address of this upload has expired')
  }
  const expected = sizeOfPart(upload, part)
  if (sizeBytes !== expected) {
    throw ruleViolation(`part ${part} has ${sizeBytes} bytes; ${expected} were announced`)
  }
  world.timeline.record('upload.received', uploadId, { part, sizeBytes })
  const received = { ...upload.received, [part]: sizeBytes }
  const kept = upload.keeps && upload.partCount === 1 ? content() : null
  const saved = world.uploads.put({ ...upload, received, content: kept })
  makeRoom(world, uploadId)
  return saved
}

/** The parts that are not there yet. */
export function missingParts({ partCount, received }: Upload): number[] {
  const numbers = Array.from({ length: partCount }, (_, index) => index + 1)
  return numbers.filter((part) => received[part] === undefined)
}

export function closeUpload(world: World, uploadId: string): void {
  const upload = world.uploads.require(uploadId)
  world.timeline.record('upload.closed', uploadId)
  world.issuedKeys.remove(upload.signature)
  world.uploads.remove(uploadId)
}

function sizeOfPart({ id, partCount, partSizeBytes, sizeBytes }: Upload, part: number): number {
  if (!Number.isInteger(part) || part < 1 || part > partCount) {
    throw ruleViolation(`upload ${id} has parts 1 to ${partCount}, not ${part}`)
  }
  return part < partCount ? partSizeBytes : sizeBytes - partSizeBytes * (partCount - 1)
}

/** Contents that are too much together go, the oldest first, and never the newest. */
function makeRoom(world: World, newestId: string): void {
  let kept = 0
  for (const upload of world.uploads.values()) kept += keptBytes(upload)
  for (const upload of world.uploads.where(({ content }) => content !== null)) {
    if (kept <= uploadLimits.keptBytes || upload.id === newestId) continue
    kept -= keptBytes(upload)
    world.uploads.put({ ...upload, content: null })
  }
}

const keptBytes = ({ content, sizeBytes }: Upload): number => (content === null ? 0 : sizeBytes)
