import { createHash } from 'node:crypto'

/** The content of a post for the duplicate check. */
export type ComparedText = {
  text: string
  /** The ids of its pictures and files. */
  fileIds: readonly string[]
  /** The scope in which short texts are compared. */
  place: string
}

// Short texts such as thanks are legitimately repeated.
const minLongLength = 20

/** The fingerprint for the duplicate check. Long texts are compared everywhere; short ones only in their scope and with their files. */
export function fingerprintOf({ text, fileIds, place }: ComparedText): Buffer {
  const folded = fold(text)
  const isLong = [...folded].length >= minLongLength
  return createHash('sha256')
    .update(isLong ? folded : [place, folded, ...fileIds].join('\n'))
    .digest()
}

/** Ignores case, width, white space and invisible characters. */
export function fold(text: string): string {
  return visible(text.normalize('NFKD')).toUpperCase().toLowerCase().normalize('NFKD')
}

function visible(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu, '')
}
