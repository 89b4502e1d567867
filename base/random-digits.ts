/** So many random digits, for things that need only differ, such as a form's number. Never for secrets: whoever wants to can guess them. */
export function randomDigits(length: number): string {
  return Array.from({ length }, () => Math.floor(Math.random() * 10)).join('')
}
