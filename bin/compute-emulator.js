#!/usr/bin/env node
/** The command as the build made it of `src/cli/main.ts`. */
import { existsSync } from 'node:fs'

const cli = new URL('../dist/cli.js', import.meta.url)
if (existsSync(cli)) {
  await import(cli.href)
} else {
  console.error('compute-emulator is not built yet: run `npm run build` first')
  process.exitCode = 3
}
