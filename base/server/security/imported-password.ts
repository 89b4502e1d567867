import { hash, parseOptions, type ParsedHashOptions } from '@node-rs/argon2'
import { argon2Cost } from '#base/server/security/argon2-cost.ts'
import type { DigestName } from '#base/server/security/imported/digests.ts'
import { format, isImported, parse, type StoredHash } from '#base/server/security/imported/stored-hash.ts'

/** A password as another program stored it: the family of its hashes, the salt where it stands apart, and the hash as it was. */
export type ImportedPassword = {
  family: 'phpbb' | 'discuz' | 'nodebb' | 'flarum' | 'discourse' | 'diyhi'
  /** Of Discourse: `password_algorithm` and `password_hash` as one text; the hash alone where there is no algorithm. */
  hash: string
  /** Of phpBB: `user_passwd_salt`, a column that converters from other programs added. */
  salt?: string
  /** How the text was encoded before it was hashed, if not in UTF-8. */
  charset?: 'gbk'
}

/** The content of a hash of another program: its own slow hash, or a quick digest that is hashed once more. */
type Recognized = {
  family?: StoredHash['family']
  digest?: StoredHash['digest']
} & ({ slow: string } | { quick: string })

// A comparison at these costs takes up to two seconds, the time of a failed login; the programs' defaults take half a second.
const maxBcryptCost = 14
const maxArgon2Memory = 2 ** 18
const maxArgon2Work = 2 ** 20
const maxPhpassExponent = 16
const maxPbkdf2Rounds = 2_000_000
const pbkdf2RoundsOfOld = 64_000

/**
 * The text to store in `member.password_hash`, with which `isPassword` compares; `StoredHash` describes it. bcrypt and Argon2 are kept,
 * everything quicker is hashed with our Argon2id, so that a stolen table holds nothing weaker than ours. Null for a hash of an unknown kind:
 * its owner resets the password by e-mail.
 */
export async function importedHash(password: ImportedPassword): Promise<string | null> {
  const recognized = recognize(password)
  if (!recognized) return null
  const { family = password.family, digest = null } = recognized
  const hashed = 'slow' in recognized ? recognized.slow : await hash(recognized.quick, argon2Cost)
  return format({ family, isGbk: password.charset === 'gbk', digest, hash: hashed })
}

/** Whether a hash is kept as it is, hashed once more, or of an unknown kind, without doing so. */
export function treatmentOf(password: ImportedPassword): 'kept' | 'hashed once more' | 'unknown' {
  const recognized = recognize(password)
  if (!recognized) return 'unknown'
  return 'slow' in recognized ? 'kept' : 'hashed once more'
}

function recognize(password: ImportedPassword): Recognized | null {
  return slowHash(password.hash) ?? recognizers[password.family](password)
}

/** Whether a text is what `member.password_hash` holds, of an effort that a login can take. */
export function isStoredHash(text: string): boolean {
  if (isImported(text)) return isBcrypt(storedOf(text)) || isArgon2(storedOf(text))
  return isArgon2(text)
}

function storedOf(text: string): string {
  try {
    return parse(text).hash
  } catch {
    return ''
  }
}

const recognizers: Record<ImportedPassword['family'], (password: ImportedPassword) => Recognized | null> = {
  phpbb: ({ hash, salt }) => (hash.startsWith('$CP$') ? convertedPhpbb(hash.slice(4), salt) : ofPhpbb(hash)),
  discuz: ({ hash, salt = '' }) => ofDigits(hash, 32, 'md5-of-md5', [salt]),
  nodebb: () => null,
  flarum: () => null,
  discourse: ofDiscourse,
  diyhi: ({ hash, salt = '' }) => ofDigits(hash, 64, 'sha256-of-sha256', [salt]),
}

function slowHash(hash: string): Recognized | null {
  return isBcrypt(hash) || isArgon2(hash) ? { slow: hash } : null
}

function isBcrypt(hash: string): boolean {
  const [, cost] = /^\$2[abxy]\$(\d\d)\$[./0-9A-Za-z]{53}$/.exec(hash) ?? []
  return cost !== undefined && Number(cost) >= 4 && Number(cost) <= maxBcryptCost
}

function isArgon2(hash: string): boolean {
  if (!hash.startsWith('$argon2id$') && !hash.startsWith('$argon2i$')) return false
  const { memoryCost, timeCost } = argon2OptionsOf(hash) ?? { memoryCost: Infinity, timeCost: Infinity }
  return memoryCost <= maxArgon2Memory && memoryCost * timeCost <= maxArgon2Work
}

// The package throws for a text that it could not compare with.
function argon2OptionsOf(hash: string): ParsedHashOptions | null {
  try {
    return parseOptions(hash)
  } catch {
    return null
  }
}

function ofPhpbb(hash: string): Recognized | null {
  return ofPhpass(hash) ?? ofCombined(hash) ?? ofDigits(hash, 32, 'md5', [], 'phpbb2')
}

/** phpBB's `convert_password`: the hashes of converted boards, without a word of the program that they come from. */
function convertedPhpbb(hash: string, salt: string | undefined): Recognized | null {
  const parameters = salt ? [salt] : []
  const digits = ofDigits(hash, 32, 'md5', parameters, 'phpbb2') ?? ofDigits(hash, 40, 'sha1', parameters)
  return digits ?? (salt ? ofDigits(hash, 64, 'sha256', parameters) : null) ?? ofPhpass(hash)
}

/** phpBB's `salted_md5` and `phpass`. */
function ofPhpass(hash: string): Recognized | null {
  const [, settings, digest] = /^\$[HP]\$([./0-9A-Za-z]{9})([./0-9A-Za-z]{22})$/.exec(hash) ?? []
  if (settings === undefined || digest === undefined || !isPhpassSettings(settings)) return null
  return { family: 'phpbb2', digest: { name: 'phpass', parameters: [settings] }, quick: digest }
}

/** phpBB's `combined_hash_password`: bcrypt of the 22 characters of the old hash. The settings of both stand before the last part. */
function ofCombined(hash: string): Recognized | null {
  const format = /^\$[HP]\\(2[ay])\$([./0-9A-Za-z]{9})\$(\d\d)\\([./0-9A-Za-z]{22})\$([./0-9A-Za-z]{31})$/
  const [, prefix = '', settings = '', cost = '', salt = '', rest = ''] = format.exec(hash) ?? []
  const slow = `$${prefix}$${cost}$${salt}${rest}`
  return isPhpassSettings(settings) && isBcrypt(slow) ? { digest: { name: 'phpass', parameters: [settings] }, slow } : null
}

// The exponent is the place of the first character in `./0-9A-Za-z`.
function isPhpassSettings(settings: string): boolean {
  const exponent = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'.indexOf(settings.charAt(0))
  return settings !== '' && exponent >= 7 && exponent <= maxPhpassExponent
}

function ofDiscourse({ hash, salt }: ImportedPassword): Recognized | null {
  const [, rounds = pbkdf2RoundsOfOld, digest] = /^(?:\$pbkdf2-sha256\$i=(\d{1,7}),l=32\$)?([0-9a-f]{64})$/.exec(hash) ?? []
  if (!digest || !salt || Number(rounds) < 1 || Number(rounds) > maxPbkdf2Rounds) return null
  return { digest: { name: 'pbkdf2-sha256', parameters: [String(rounds), salt] }, quick: digest }
}

function ofDigits(
  hash: string,
  length: 32 | 40 | 64,
  name: DigestName,
  parameters: readonly string[],
  family?: StoredHash['family'],
): Recognized | null {
  if (hash.length !== length || !/^[0-9a-fA-F]+$/.test(hash)) return null
  return { ...(family && { family }), digest: { name, parameters }, quick: hash.toLowerCase() }
}
