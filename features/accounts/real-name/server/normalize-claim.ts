import type { ParsedInput } from '#base/contract.ts'
import { WrongBirthday, WrongIdNumber, WrongName, type checkRealName } from '#real-name/contract.ts'
import { isPlausibleBirthday } from '#real-name/server/age.ts'
import { birthdayIn, isDay } from '#real-name/server/chinese-id.ts'
import type { Claim } from '#real-name/server/providers/provider.ts'

/** The claim, each part in its canonical form. Refuses impossible claims before the provider is asked. */
export function normalizeClaim({ document, ...typed }: ParsedInput<typeof checkRealName>, today: string): Claim {
  const name = typed.name
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
    .replace(/[•・‧∙]/g, '·')
  const number = typed.number.normalize('NFKC').replace(/\s+/g, '').toUpperCase()
  const isChinese = document === 'chineseId'
  if (!(isChinese ? /^\p{Script=Han}[\p{Script=Han}·]{1,29}$/u : /^\p{L}[\p{L}\p{M} .,'’·-]{1,99}$/u).test(name)) throw WrongName()
  const birthday = isChinese ? birthdayIn(number) : (typed.birthday ?? '')
  if (birthday === null || !(isChinese || /^[A-Z0-9][A-Z0-9-]{3,39}$/.test(number))) throw WrongIdNumber()
  if (!isDay(birthday) || !isPlausibleBirthday(birthday, today)) throw isChinese ? WrongIdNumber() : WrongBirthday()
  return { document, name, number, birthday }
}

/** A masked name for its owner: the first character. */
export function starredName(name: string): string {
  const [first = ''] = name
  return `${first}**`
}

export function starredNumber(number: string): string {
  return `${number.slice(0, 1)}${'*'.repeat(Math.max(number.length - 2, 3))}${number.slice(-1)}`
}
