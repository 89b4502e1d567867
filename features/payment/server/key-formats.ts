import { createPrivateKey, createPublicKey, X509Certificate, type KeyObject } from 'node:crypto'
import { refusalAt, type RefusalKind } from '#base/contract.ts'
import { CertificateOver, NoCertificate, NoPrivateKey, NoPublicKey, type AnySetting } from '#setting/contract.ts'

/** Converts a file to its stored form, or returns the error. */
type KeyFormat = (bytes: Buffer) => string | RefusalKind

const formats: Partial<Record<AnySetting, KeyFormat>> = {
  alipayPublicKey: publicKey,
  wechatPayPublicKey: publicKey,
  alipayKey: privateKey,
  wechatPayKey: privateKey,
  wechatPayCertificate: certificate,
}

/**
 * A key or certificate of a payment provider in its stored form: PEM, from any copied form. An unreadable one is refused at its field,
 * since otherwise the first payment would fail. Other settings are returned unchanged.
 */
export function asStored(name: AnySetting, value: unknown): unknown {
  const form = formats[name]
  if (!form || typeof value !== 'string') return value
  if (value.trim() === '') return ''
  const kept = form(bytesOf(value))
  return typeof kept === 'string' ? kept : refusalAt(name, kept)()
}

function publicKey(bytes: Buffer): string | RefusalKind {
  const key = firstParsed((['spki', 'pkcs1'] as const).map((type) => () => createPublicKey({ key: bytes, format: 'der', type })))
  // A public key could be derived from a private one, but a private key pasted here would be stored in the clear.
  if (key?.asymmetricKeyType !== 'rsa' || privateIn(bytes)) return NoPublicKey
  return key.export({ format: 'pem', type: 'spki' }).toString()
}

function privateKey(bytes: Buffer): string | RefusalKind {
  const key = privateIn(bytes)
  return key?.asymmetricKeyType === 'rsa' ? key.export({ format: 'pem', type: 'pkcs8' }).toString() : NoPrivateKey
}

function privateIn(bytes: Buffer): KeyObject | null {
  return firstParsed((['pkcs8', 'pkcs1'] as const).map((type) => () => createPrivateKey({ key: bytes, format: 'der', type })))
}

function certificate(bytes: Buffer): string | RefusalKind {
  const parsed = firstParsed([() => new X509Certificate(bytes)])
  if (parsed?.publicKey.asymmetricKeyType !== 'rsa') return NoCertificate
  return parsed.validToDate.getTime() <= Date.now() ? CertificateOver : parsed.toString()
}

/** The first block of a PEM, or a line without header and footer; line breaks may have been lost. */
function bytesOf(text: string): Buffer {
  const [, inner = text] = /-----BEGIN [^-]*-----([^-]*)-----END/.exec(text) ?? []
  return Buffer.from(inner.replace(/\\n|\s/g, ''), 'base64')
}

function firstParsed<T>(parsers: readonly (() => T)[]): T | null {
  for (const parse of parsers) {
    try {
      return parse()
    } catch {
      // Another format may parse; where none does, the value is refused.
    }
  }
  return null
}
