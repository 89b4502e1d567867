import { hash, pbkdf2Sync } from 'node:crypto'

type Digest = (text: Uint8Array, parameters: readonly string[]) => string[]

/** Digests that other programs compute of a form of the typed text. Where a hash does not say which of several formulas made it, all of them. */
export const digests = {
  // 32, 40 and 64 digits: phpBB's `md5_phpbb2`, `md5_vb` and `md5_mybb`; `sha1`, `sha_xf1` and `sha1_wcf1`; `sha_xf1`.
  md5: (text, [salt]) => [md5(text), ...(salt ? [md5(md5(text) + salt), md5(md5(salt) + md5(text))] : [])],
  sha1: (text, [salt]) => [sha1(text), ...(salt ? [sha1(sha1(text) + salt), sha1(salt + sha1(salt + sha1(text)))] : [])],
  sha256: (text, [salt = '']) => [sha256(sha256(text) + salt)],
  // UCenter of Discuz!, up to X3.4.
  'md5-of-md5': (text, [salt = '']) => [md5(md5(text) + salt)],
  'sha256-of-sha256': (text, [salt = '']) => [sha256(`${sha256(text)}[${salt}]`)],
  // Passwords from phpBB 2 were digested once more.
  phpass: (text, [settings = '']) => [phpass(text, settings), phpass(Buffer.from(md5(text)), settings)],
  // The salt is the text of its digits, not the bytes that they stand for.
  'pbkdf2-sha256': (text, [rounds, salt = '']) => [pbkdf2Sync(text, salt, Number(rounds), 32, 'sha256').toString('hex')],
} satisfies Record<string, Digest>

export type DigestName = keyof typeof digests

const md5 = (text: string | Uint8Array) => hash('md5', text)
const sha1 = (text: string | Uint8Array) => hash('sha1', text)
const sha256 = (text: string | Uint8Array) => hash('sha256', text)

const itoa64 = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The 22 characters after the settings of a portable phpass hash; the settings are the exponent of its rounds, and the salt. */
function phpass(text: Uint8Array, settings: string): string {
  const rounds = 2 ** itoa64.indexOf(settings.charAt(0))
  let digest = hash('md5', Buffer.concat([Buffer.from(settings.slice(1)), text]), 'buffer')
  const again = Buffer.concat([digest, text])
  for (let round = 0; round < rounds; round++) {
    digest.copy(again)
    digest = hash('md5', again, 'buffer')
  }
  return inItoa64(digest)
}

// Three bytes become four characters, the lowest six bits first.
function inItoa64(bytes: Buffer): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const three = bytes.subarray(at, at + 3)
    const value = three.readUIntLE(0, three.length)
    for (let part = 0; part <= three.length; part++) text += itoa64.charAt((value >> (6 * part)) & 63)
  }
  return text
}
