import { createHash } from 'node:crypto'

/** What a post says, as far as it may have been said before. */
export type Saying = {
  text: string
  /** The pictures and files it shows. */
  fileIds: readonly string[]
  /** Where it is said: a short text is the same only there. */
  place: string
}

// People thank, agree and greet in the same few words all day.
const longEnough = 20

/** Equal for posts that say the same. What is long counts wherever it stands; what is short only in its place and with its pictures. */
export function hashOf({ text, fileIds, place }: Saying): Buffer {
  const folded = fold(text)
  const isLong = [...folded].length >= longEnough
  return createHash('sha256')
    .update(isLong ? folded : [place, folded, ...fileIds].join('\n'))
    .digest()
}

/** Case, width, spaces and what cannot be seen do not make a text another. */
export function fold(text: string): string {
  return seen(text.normalize('NFKD')).toUpperCase().toLowerCase().normalize('NFKD')
}

function seen(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu, '')
}
