import { createHash } from 'node:crypto'

/** The content of a post for the duplicate check. */
export type Saying = {
  text: string
  /** The ids of its pictures and files. */
  fileIds: readonly string[]
  /** The scope in which short texts are compared. */
  place: string
}

// Short texts such as thanks are legitimately repeated.
const longEnough = 20

/** The fingerprint for the duplicate check. Long texts are compared everywhere; short ones only in their scope and with their files. */
export function hashOf({ text, fileIds, place }: Saying): Buffer {
  const folded = fold(text)
  const isLong = [...folded].length >= longEnough
  return createHash('sha256')
    .update(isLong ? folded : [place, folded, ...fileIds].join('\n'))
    .digest()
}

/** Ignores case, width, white space and invisible characters. */
export function fold(text: string): string {
  return seen(text.normalize('NFKD')).toUpperCase().toLowerCase().normalize('NFKD')
}

function seen(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu, '')
}
