/**
 * A shell that outlives the emulator: when that is gone, however it ended, it removes what is left of
 * its containers. It needs the client `docker`; without that they are removed by the next emulator.
 */
import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { type Labels, processLabel } from './instance.ts'

/** `$1` is the label. The pipe is closed when its other end is, and nobody else holds that. */
const script = [
  'trap "" TERM INT HUP',
  'command -v docker >&2 || exit 0',
  'read -r _ <&3',
  'docker ps --all --quiet --filter "label=$1" | xargs -r docker rm --force --volumes',
  'docker volume ls --quiet --filter "label=$1" | xargs -r docker volume rm',
].join('\n')

/** For all containers of this process, from now on. */
export function watchOver(labels: Labels): void {
  if (process.platform === 'win32') return
  const label = `${processLabel}=${labels[processLabel]}`
  const watcher = spawn('/bin/sh', ['-c', script, 'sh', label], {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  watcher.once('error', () => {})
  const pipe = watcher.stdio[3] as Socket | null
  pipe?.on('error', () => {}).unref()
  watcher.unref()
}
