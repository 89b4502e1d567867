import { z } from 'zod'

const invisible = /(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/gu
const digit = /\p{Nd}/u

// Cyrillic and Greek letters, each mapped to the Latin letter that looks the same.
const lookalikes = new Map(
  [
    ['АаВвЕеКкМмНнОоРрСсТтУуХхІіЈјЅѕ', 'AaBbEeKkMmHhOoPpCcTtYyXxIiJjSs'],
    ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧον', 'ABEZHIKMNOPTYXov'],
  ].flatMap(([from = '', to = '']) => [...from].map((one, at) => [one, to[at] ?? one] as const)),
)

/**
 * The canonical form of a secret, equal for all keyboards, input methods and phones that write the same text: NFKC, as NIST SP 800-63B
 * advises, with every blank as a space, digits of any script as 0 to 9, one form each for typographic quotes, dashes, tildes and middle
 * dots, Persian yeh and kaf as the Arabic ones, and without invisible characters. All typed secrets are compared and measured in this form:
 * passwords, those of hidden parts, and answers to hint questions.
 */
export function normalizeSecret(text: string): string {
  return text
    .replaceAll(invisible, '')
    .normalize('NFKC')
    .replaceAll(/\p{Zs}/gu, ' ')
    .replaceAll(/[〜∼]/g, '~')
    .replaceAll(/[\p{Pd}−]/gu, '-')
    .replaceAll(/[‧∙⋅・]/g, '·')
    .replaceAll(/[‘’‚‛ʼ′]/g, "'")
    .replaceAll(/[“”„‟]/g, '"')
    .replaceAll(/[یک]/g, (one) => (one === 'ی' ? 'ي' : 'ك'))
    .replaceAll(/\P{ASCII}/gu, digitOf)
}

/** A code issued by us, of Latin letters and digits, which may be typed in groups and on a keyboard of another script. */
export function normalizeCode(text: string): string {
  return normalizeSecret(text)
    .replaceAll(/\s+/g, '')
    .replaceAll(/\P{ASCII}/gu, (one) => lookalikes.get(one) ?? one)
}

/** An account name, which has only Latin letters. */
export function normalizeAccountName(text: string): string {
  return normalizeSecret(text).trim()
}

// A letter with its marks may be typed as several characters.
const maxTypedLength = 1024

/** An existing secret, as typed. */
export const existingSecret = z.string().min(1).max(maxTypedLength)

/** A new secret, whose length counts the same however it is typed. */
export function newSecret({ min = 0, max }: { min?: number; max: number }) {
  return z
    .string()
    .overwrite((text) => (text.length > maxTypedLength ? text : normalizeSecret(text)))
    .min(min)
    .max(max)
}

/** A new password that was typed unseen, typed once more; one that its writer sees is typed once. */
export const passwordAgain = newSecret({ max: 256 }).optional()

// Reported together with the other errors of the form, not after them.
export const passwordsDiffer = { path: ['passwordAgain'], params: { code: 'validation.passwordsDiffer' }, when: () => true }

export function passwordsMatch(form: { password: string; passwordAgain?: string | undefined }): boolean {
  return form.passwordAgain === undefined || form.password === form.passwordAgain
}

/** A field for a code. */
export const codeField = z.string().overwrite((text) => (text.length > maxTypedLength ? text : normalizeCode(text)))

/** A field for the name of an existing account. */
export const accountField = z.string().overwrite((text) => (text.length > maxTypedLength ? text : normalizeAccountName(text)))

// The digits of each script are contiguous, from 0 to 9.
/** A digit of any script as 0 to 9; another character as it is. */
export function digitOf(one: string): string {
  if (!digit.test(one)) return one
  const at = one.codePointAt(0) ?? 0
  let first = at
  while (digit.test(String.fromCodePoint(first - 1))) first--
  return String((at - first) % 10)
}
