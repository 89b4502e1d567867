/** Random digits for things that need only differ, such as a form's number. Predictable, so never for secrets. */
export function randomDigits(length: number): string {
  return Array.from({ length }, () => Math.floor(Math.random() * 10)).join('')
}
