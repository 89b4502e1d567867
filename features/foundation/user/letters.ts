export const colours = 8

/** The letter of a member without a picture: the first Han character of the name, else its first Latin letter. */
export function lettersOf(name: string): string {
  const han = /\p{Script=Han}/u.exec(name)?.[0]
  if (han) return han
  const latin = /\p{Script=Latin}/u.exec(name)?.[0]
  if (latin) return latin.toUpperCase()
  return [...name.trim()][0]?.toUpperCase() ?? '·'
}

/** The same member has the same colour everywhere. */
export function colourOf(id: string): number {
  let hash = 7
  for (const sign of id) hash = (hash * 31 + (sign.codePointAt(0) ?? 0)) >>> 0
  return (hash ^ (hash >>> 3)) % colours
}
