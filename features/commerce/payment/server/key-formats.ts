import { createPrivateKey, createPublicKey, X509Certificate, type KeyObject } from 'node:crypto'
import type { RefusalKind } from '#base/contract.ts'
import { CertificateOver, NoCertificate, NoPrivateKey, NoPublicKey } from '#setting/contract.ts'
import type { SettingForm } from '#setting/server/setting.ts'

/**
 * Keys and certificates of payment providers, stored as PEM from any copied form. An unreadable one is refused, since otherwise the first
 * payment would fail.
 */
export const settingForms: readonly SettingForm[] = [
  { name: 'alipayPublicKey', storedForm: publicKey },
  { name: 'wechatPayPublicKey', storedForm: publicKey },
  { name: 'alipayKey', storedForm: privateKey },
  { name: 'wechatPayKey', storedForm: privateKey },
  { name: 'wechatPayCertificate', storedForm: certificate },
]

function publicKey(text: string): string | RefusalKind {
  const bytes = bytesOf(text)
  const key = firstParsed((['spki', 'pkcs1'] as const).map((type) => () => createPublicKey({ key: bytes, format: 'der', type })))
  // A public key could be derived from a private one, but a private key pasted here would be stored in the clear.
  if (key?.asymmetricKeyType !== 'rsa' || privateIn(bytes)) return NoPublicKey
  return key.export({ format: 'pem', type: 'spki' }).toString()
}

function privateKey(text: string): string | RefusalKind {
  const key = privateIn(bytesOf(text))
  return key?.asymmetricKeyType === 'rsa' ? key.export({ format: 'pem', type: 'pkcs8' }).toString() : NoPrivateKey
}

function privateIn(bytes: Buffer): KeyObject | null {
  return firstParsed((['pkcs8', 'pkcs1'] as const).map((type) => () => createPrivateKey({ key: bytes, format: 'der', type })))
}

function certificate(text: string): string | RefusalKind {
  const parsed = firstParsed([() => new X509Certificate(bytesOf(text))])
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
