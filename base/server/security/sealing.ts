import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const version = 1
const nonceBytes = 12
const tagBytes = 16

/** The purpose of a sealed value and the row it belongs to, as associated data: it can be opened nowhere else. */
export type SealContext = { purpose: string; row: string }

let key: Buffer | null = null
const keys = new Map<string, Buffer>()

/** Sets the key of 32 bytes for sealing and opening. */
export function setSealingKey(chosen: Buffer): void {
  key = chosen
  keys.clear()
}

/** Whether the key is here. Some commands of the operator run without it. */
export function hasSealingKey(): boolean {
  return key !== null
}

/** Encrypts a value so that the database alone does not reveal it. */
export function seal(context: SealContext, content: Buffer | string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', keyFor(context.purpose), nonce)
  cipher.setAAD(associatedData(context))
  return Buffer.concat([Buffer.of(version), nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()])
}

/** Decrypts a value. Throws if it was sealed for another context or with another key, or was changed. */
export function unseal(context: SealContext, box: Buffer): Buffer {
  if (box[0] !== version || box.length < 1 + nonceBytes + tagBytes)
    throw new Error(`Nothing is sealed there: ${context.purpose} ${context.row}`)
  const decipher = createDecipheriv('aes-256-gcm', keyFor(context.purpose), box.subarray(1, 1 + nonceBytes), { authTagLength: tagBytes })
  decipher.setAAD(associatedData(context))
  decipher.setAuthTag(box.subarray(-tagBytes))
  return Buffer.concat([decipher.update(box.subarray(1 + nonceBytes, -tagBytes)), decipher.final()])
}

/** A lookup hash for a sealed value. The database alone does not allow guessing the value. */
export function keyedHash(purpose: string, content: string): Buffer {
  return createHmac('sha256', keyFor(`hash ${purpose}`))
    .update(content)
    .digest()
}

/** Identifies a key without revealing it. */
export function fingerprintOf(one: Buffer): Buffer {
  return deriveKey(one, 'fingerprint')
}

/** A key of 32 bytes from base64 or hex; null for anything else. */
export function parseKey(text: string): Buffer | null {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : null
}

function keyFor(purpose: string): Buffer {
  if (!key) throw new Error('No key to seal with was chosen')
  const derivedKey = keys.get(purpose) ?? deriveKey(key, `seal ${purpose}`)
  keys.set(purpose, derivedKey)
  return derivedKey
}

function deriveKey(from: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', from, '', `teahouse ${use}`, 32))
}

// JSON, so that no two contexts give the same bytes.
function associatedData({ purpose, row }: SealContext): Buffer {
  return Buffer.from(JSON.stringify([version, purpose, row]))
}
