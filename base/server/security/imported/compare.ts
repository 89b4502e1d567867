import { verify } from '@node-rs/argon2'
import { bcryptVerify } from 'hash-wasm'
import { digests } from '#base/server/security/imported/digests.ts'
import { parse, type StoredHash } from '#base/server/security/imported/stored-hash.ts'
import { formsOf, withoutRepetition } from '#base/server/security/imported/typed-forms.ts'

/** The part of a password that bcrypt reads. */
const maxBcryptBytes = 72

/** Whether the typed text, in one of the forms of the other program, has this imported hash. */
export async function fitsImported(hashed: string, typed: string): Promise<boolean> {
  const stored = parse(hashed)
  for (const text of hashedTexts(stored, typed)) {
    if (await fits(stored.hash, text)) return true
  }
  return false
}

function hashedTexts({ family, isGbk, digest }: StoredHash, typed: string): Uint8Array[] {
  const forms = formsOf(family, isGbk, typed)
  if (!digest) return forms
  return withoutRepetition(forms.flatMap((form) => digests[digest.name](form, digest.parameters)).map((text) => Buffer.from(text)))
}

// hash-wasm throws for an empty password, and for one that is longer than bcrypt reads.
async function fits(hash: string, text: Uint8Array): Promise<boolean> {
  if (hash.startsWith('$argon2')) return verify(hash, text)
  return text.length > 0 && bcryptVerify({ password: text.subarray(0, maxBcryptBytes), hash })
}
