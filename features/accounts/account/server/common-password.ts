import { normalizeSecret } from '#base/secret-input.ts'

/** True for the passwords that guessers try first, with usual substitutions undone; the account name is one of them. */
export async function isCommon(password: string, account: string): Promise<boolean> {
  const plain = normalizeSecret(password).trim().toLowerCase()
  if (plain.includes(account.toLowerCase()) && password.length < account.length + 4) return true
  if (new Set(plain).size <= 2 || /^(.{1,3})\1+$/.test(plain)) return true
  if (isSequence(plain)) return true
  const known = await (loading ??= load())
  return variantsOf(plain).some((text) => known.has(text))
}

let loading: Promise<ReadonlySet<string>> | null = null

// The list is large and needed only where a password is set, so it is loaded lazily.
async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const theirs = dictionary['passwords-common'].filter((one) => one.length >= minWordLength)
  return new Set([...theirs.map((one) => one.toLowerCase()), ...localPasswords])
}

// Shorter words are part of many good passwords.
const minWordLength = 4

/**
 * A password, and its variants without the usual additions to a refused word: digits or signs around it, lookalike characters, repetition.
 */
function variantsOf(plain: string): string[] {
  const bare = [
    plain,
    plain.replace(/[^a-z]{1,6}$/, ''),
    plain.replace(/^[^a-z]{1,6}/, ''),
    plain.replace(/^[^a-z]{1,4}|[^a-z]{1,4}$/g, ''),
  ]
  const once = bare.map((text) => /^(.{1,40}?)\1+$/.exec(text)?.[1] ?? text)
  const all = [...bare, ...once]
  const read = all.flatMap((text) => [undoLookalikes(text, 'l'), undoLookalikes(text, 'i')])
  return [...new Set([...all, ...read])].filter((text) => text.length >= minWordLength)
}

const lookalikes: Readonly<Record<string, string>> = { '@': 'a', '4': 'a', '0': 'o', '3': 'e', $: 's', '5': 's', '7': 't', '8': 'b' }

function undoLookalikes(text: string, one: 'l' | 'i'): string {
  return text.replace(/[@403$578]/g, (sign) => lookalikes[sign] ?? sign).replace(/[1!|]/g, one)
}

// 1234567, abcdefg, 7654321, and rows of the keyboard.
function isSequence(text: string): boolean {
  const rows = [
    '01234567890',
    'abcdefghijklmnopqrstuvwxyz',
    'qwertyuiop',
    'asdfghjkl',
    'zxcvbnm',
    '1qaz2wsx3edc4rfv',
    'qazwsxedcrfv',
    '1q2w3e4r5t6y7u8i',
  ]
  return rows.some((row) => row.includes(text) || [...row].reverse().join('').includes(text))
}

// Common choices here that are missing from the lists of other languages.
const localPasswords =
  `administrator changeme default qwer1234 qweasd asdf1234 asdfasdf zxcv1234 abcd1234 a123456 a1234567 a12345678 aa123456 aaa111
  1qazxsw2 123qweasd 11223344 258369 5201314 520520 1314520 1314521 woaini woaini520 woaini1314 woaini123 wodemima mima1234 nihao123
  zhangsan lisi1234 beijing shanghai guangzhou shenzhen zhongguo china123 taobao weixin qq123456 wang1234 li123456 zhang123 12344321
  1111aaaa 19491001 20080808 teahouse chaguan`.split(/\s+/)
