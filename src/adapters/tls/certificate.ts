/**
 * X.509 certificates of two kinds (RFC 5280): an authority's own, and one that it gives to a server.
 *
 * Node has the keys and the signatures, and no way to make a certificate of them. A library for that
 * would be larger than this emulator's own code; two fixed kinds take a page.
 */
import { createHash, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'
import {
  bitString,
  boolean,
  explicit,
  implicit,
  integer,
  objectId,
  octetString,
  sequence,
  set,
  time,
  utf8String,
} from './der.ts'

export interface Validity {
  /** In ms since 1970. */
  readonly fromMs: number
  readonly untilMs: number
}

export interface Names {
  readonly dns: readonly string[]
  /** Addresses; in constraints, whole blocks of them. */
  readonly ip: readonly string[]
}

interface Certificate {
  readonly subject: string
  readonly issuer: string
  /** Of its owner. */
  readonly publicKey: KeyObject
  /** Of its issuer. */
  readonly signingKey: KeyObject
  readonly issuerKey: KeyObject
  readonly validity: Validity
  readonly extensions: readonly Buffer[]
}

export interface Pair {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

/** In PEM. It can vouch for servers by these names and below them, and for nothing else. */
export function authorityCertificate(
  name: string,
  { publicKey, privateKey }: Pair,
  validity: Validity,
  permitted: Names,
): string {
  const extensions = [
    // It may vouch for servers, and not for further authorities.
    extension('2.5.29.19', sequence(boolean(true), integer(Buffer.from([0]))), 'critical'),
    // Certificates and lists of revoked ones: bits 5 and 6.
    extension('2.5.29.15', bitString(Buffer.from([0b0000_0110]), 1), 'critical'),
    extension('2.5.29.30', nameConstraints(permitted), 'critical'),
  ]
  const parties = { subject: name, issuer: name, publicKey, issuerKey: publicKey }
  return toPem({ ...parties, signingKey: privateKey, validity, extensions })
}

export interface Issuer extends Pair {
  readonly name: string
}

/** In PEM: for a server that answers by these names. */
export function serverCertificate(
  issuer: Issuer,
  publicKey: KeyObject,
  validity: Validity,
  names: Names,
): string {
  const extensions = [
    extension('2.5.29.19', sequence(), 'critical'),
    // Signatures alone: bit 0.
    extension('2.5.29.15', bitString(Buffer.from([0b1000_0000]), 7), 'critical'),
    extension('2.5.29.37', sequence(objectId('1.3.6.1.5.5.7.3.1'))),
    extension('2.5.29.17', sequence(...generalNames(names, addressBytes))),
  ]
  const parties = { subject: 'compute-emulator', issuer: issuer.name, publicKey }
  const signing = { signingKey: issuer.privateKey, issuerKey: issuer.publicKey }
  return toPem({ ...parties, ...signing, validity, extensions })
}

const ecdsaWithSha256 = sequence(objectId('1.2.840.10045.4.3.2'))

function toPem(certificate: Certificate): string {
  const { subject, issuer, publicKey, issuerKey, signingKey, validity, extensions } = certificate
  const version3 = explicit(0, integer(Buffer.from([2])))
  const serial = randomBytes(16)
  // Never 0, and never longer for a leading bit of 1.
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40
  const keyIds = [
    extension('2.5.29.14', octetString(keyId(publicKey))),
    extension('2.5.29.35', sequence(implicit(0, keyId(issuerKey)))),
  ]
  const signed = sequence(
    version3,
    integer(serial),
    ecdsaWithSha256,
    commonName(issuer),
    sequence(time(validity.fromMs), time(validity.untilMs)),
    commonName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(...extensions, ...keyIds)),
  )
  const signature = sign('sha256', signed, signingKey)
  const der = sequence(signed, ecdsaWithSha256, bitString(signature))
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

function extension(id: string, value: Buffer, critical?: 'critical'): Buffer {
  const flag = critical === undefined ? [] : [boolean(true)]
  return sequence(objectId(id), ...flag, octetString(value))
}

function commonName(name: string): Buffer {
  return sequence(set(sequence(objectId('2.5.4.3'), utf8String(name))))
}

function keyId(key: KeyObject): Buffer {
  const der = key.export({ type: 'spki', format: 'der' })
  return createHash('sha1').update(der).digest()
}

/** Each kind of name that is listed is limited to what is listed; so both are. */
function nameConstraints(permitted: Names): Buffer {
  const subtrees = generalNames(permitted, blockBytes).map((name) => sequence(name))
  return sequence(explicit(0, Buffer.concat(subtrees)))
}

function generalNames({ dns, ip }: Names, toBytes: (text: string) => Buffer): Buffer[] {
  return [
    ...dns.map((name) => implicit(2, Buffer.from(name, 'ascii'))),
    ...ip.map((address) => implicit(7, toBytes(address))),
  ]
}

/** `127.0.0.0/8`: the address, then a mask of the same length. */
function blockBytes(block: string): Buffer {
  const [address = '', bits = '0'] = block.split('/')
  const bytes = addressBytes(address)
  const mask = bytes.map((_, index) => {
    const set = Math.min(8, Math.max(0, Number(bits) - index * 8))
    return (0xff << (8 - set)) & 0xff
  })
  return Buffer.concat([bytes, mask])
}

/** Of version 6, the loopback address is the only one that is needed. */
function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number))
  return Buffer.concat([Buffer.alloc(15), Buffer.from([1])])
}
