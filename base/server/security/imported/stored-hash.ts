import { digests, type DigestName } from '#base/server/security/imported/digests.ts'
import { families, type FormFamily } from '#base/server/security/imported/typed-forms.ts'

/**
 * How an imported hash lies in `member.password_hash`:
 *
 *     imported:FAMILY[+gbk][:DIGEST[:PARAMETER…]]:$HASH
 *
 * FAMILY names the forms in which the other program hashed a typed text, `+gbk` that it did so in GBK. Without a DIGEST, HASH is the other
 * program's own bcrypt or Argon2. With one, HASH is of the digest's text: our Argon2id, where the other program stored a quick digest, or its
 * own bcrypt. Parameters are encoded as in an address, so that neither `:` nor `$` is in them.
 */
export type StoredHash = {
  family: FormFamily
  isGbk: boolean
  digest: { name: DigestName; parameters: readonly string[] } | null
  hash: string
}

const mark = 'imported'

export function isImported(hashed: string): boolean {
  return hashed.startsWith(`${mark}:`)
}

export function format({ family, isGbk, digest, hash }: StoredHash): string {
  const digestText = digest ? [digest.name, ...digest.parameters.map(encodeURIComponent)] : []
  return [mark, isGbk ? `${family}+gbk` : family, ...digestText, hash].join(':')
}

export function parse(hashed: string): StoredHash {
  const end = hashed.indexOf(':$')
  const [start, whose = '', name, ...parameters] = hashed.slice(0, Math.max(end, 0)).split(':')
  const [family = '', charset] = whose.split('+', 2)
  if (start !== mark || !isFamily(family) || (charset !== undefined && charset !== 'gbk')) throw new Error('An imported hash is malformed.')
  if (name !== undefined && !isDigestName(name)) throw new Error('An imported hash has an unknown digest.')
  const digest = name === undefined ? null : { name, parameters: parameters.map(decodeURIComponent) }
  return { family, isGbk: charset === 'gbk', digest, hash: hashed.slice(end + 1) }
}

function isFamily(text: string): text is FormFamily {
  return Object.hasOwn(families, text)
}

function isDigestName(text: string): text is DigestName {
  return Object.hasOwn(digests, text)
}
