/**
 * The local authority that vouches for the cloud's names here: two files in a directory of the user's.
 *
 * A program that is told to trust it trusts it for the cloud's domains and for loopback alone, which is
 * written in its certificate. Its key never leaves the directory.
 */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  X509Certificate,
} from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { OptionError } from '../../emulator/option-error.ts'
import { cloudDomains, cloudHosts } from '../cloud-hosts.ts'
import { authorityCertificate, type Issuer, type Pair, serverCertificate } from './certificate.ts'

export interface AuthorityFiles {
  /** What clients are told to trust. */
  readonly certificate: string
  readonly key: string
}

const name = 'compute-emulator local authority'
const dayMs = 86_400_000
const authorityDays = 3_650
/** Some systems refuse servers' certificates that are valid for longer than 825 days. */
const serverDays = 397

/** `$XDG_DATA_HOME/compute-emulator/ca` */
export function defaultAuthorityDirectory(environment: NodeJS.ProcessEnv): string {
  const data = environment.XDG_DATA_HOME || join(homedir(), '.local', 'share')
  return join(data, 'compute-emulator', 'ca')
}

export function authorityFiles(directory: string): AuthorityFiles {
  return { certificate: join(directory, 'ca.pem'), key: join(directory, 'ca-key.pem') }
}

export interface AuthorityReport extends AuthorityFiles {
  /** False when it was there before. */
  readonly isNew: boolean
  /** RFC 3339 */
  readonly validUntil: string
}

/** Makes the authority where there is none, or another one in its place. Throws the system's errors. */
export function prepareAuthority(directory: string, renew: boolean): AuthorityReport {
  const files = authorityFiles(directory)
  const isNew = renew || !existsSync(files.certificate) || !existsSync(files.key)
  if (isNew) createAuthority(directory, files)
  const { validTo } = read(files).certificate
  return { ...files, isNew, validUntil: new Date(validTo).toISOString() }
}

function createAuthority(directory: string, files: AuthorityFiles): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const pair = createPair()
  const permitted = { dns: [...cloudDomains, 'localhost'], ip: ['127.0.0.0/8', '::1/128'] }
  const certificate = authorityCertificate(name, pair, validFor(authorityDays), permitted)
  writeFileSync(files.key, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }), {
    mode: 0o600,
  })
  // The mode of a file that was there stays as it was.
  chmodSync(files.key, 0o600)
  writeFileSync(files.certificate, certificate, { mode: 0o644 })
}

/** In PEM, as `node:tls` takes them. */
export interface Identity {
  readonly cert: string
  readonly key: string
}

/** A server's, for all of the cloud's names and loopback. Throws `OptionError` where no authority is. */
export function loadIdentity(directory: string): Identity {
  const files = authorityFiles(directory)
  if (!existsSync(files.certificate) || !existsSync(files.key)) {
    throw new OptionError(
      `there is no local authority in ${directory}; make one with: compute-emulator ca`,
    )
  }
  const { certificate, key } = read(files)
  if (Date.parse(certificate.validTo) < Date.now()) {
    throw new OptionError(`${files.certificate} has expired; renew it: compute-emulator ca --renew`)
  }
  const issuer: Issuer = { name, privateKey: key, publicKey: createPublicKey(key) }
  const own = createPair()
  const dns = [...cloudHosts.map(({ pattern }) => pattern), 'localhost', '*.localhost']
  const names = { dns, ip: ['127.0.0.1', '::1'] }
  const served = serverCertificate(issuer, own.publicKey, validFor(serverDays), names)
  const cert = served + certificate.toString()
  return { cert, key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string }
}

function read(files: AuthorityFiles): { certificate: X509Certificate; key: KeyObject } {
  const certificate = new X509Certificate(readFileSync(files.certificate))
  const key = createPrivateKey(readFileSync(files.key))
  if (certificate.checkPrivateKey(key)) return { certificate, key }
  throw new OptionError(
    `${files.key} does not belong to ${files.certificate}; make both anew: compute-emulator ca --renew`,
  )
}

function createPair(): Pair {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}

/** From yesterday: clocks of containers are not always right. */
function validFor(days: number) {
  const nowMs = Date.now()
  return { fromMs: nowMs - dayMs, untilMs: nowMs + days * dayMs }
}
