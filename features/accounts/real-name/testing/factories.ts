/** A valid number of a Chinese identity card, with this birthday. */
export function anIdNumber(birthday = '19900307', serial = 1): string {
  const first = `110101${birthday}${String(serial).padStart(3, '0')}`
  const sum = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2].reduce((so, weight, place) => so + weight * Number(first[place]), 0)
  return `${first}${'10X98765432'[sum % 11]}`
}
