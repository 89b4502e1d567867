const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
const checkCharacters = '10X98765432'

// The first two digits of all provinces that issued identity cards.
const provinces = new Set(
  '11 12 13 14 15 21 22 23 31 32 33 34 35 36 37 41 42 43 44 45 46 50 51 52 53 54 61 62 63 64 65 71 81 82 83 91'.split(' '),
)

/** The birthday in an identity number of GB 11643, as 2001-02-28; null where the number is invalid. */
export function birthdayIn(number: string): string | null {
  if (!/^\d{17}[\dX]$/.test(number) || !provinces.has(number.slice(0, 2))) return null
  const sum = weights.reduce((so, weight, place) => so + weight * Number(number[place]), 0)
  if (checkCharacters[sum % 11] !== number[17]) return null
  const birthday = `${number.slice(6, 10)}-${number.slice(10, 12)}-${number.slice(12, 14)}`
  return isDay(birthday) ? birthday : null
}

/** Whether the day exists: 2023-02-29 does not. */
export function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}
