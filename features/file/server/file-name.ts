import { beginningOf, charactersIn } from '#base/characters.ts'

const longest = 100
// Most disks keep names of 255.
const mostBytes = 240

/** A file's name as it may stand in a post and on a disk: the last part of a path, on one line, with nothing that turns text around. */
export function fileNameFrom(written: string): string {
  const last = written.normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const clean = last
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu, '')
    .replace(/[<>:"|?*]/g, '_')
    .replace(/\s+/gu, ' ')
    .replace(/^[\s.]+|[\s.]+$/g, '')
  const [, stem = clean, end = ''] = /^(.*?)(\.[a-z0-9]{1,8})?$/i.exec(clean) ?? []
  const kept = withinBytes(beginningOf(stem, longest - end.length), mostBytes - end.length)
  return `${kept.trim() || 'file'}${end}`
}

function withinBytes(text: string, most: number): string {
  let [bytes, kept] = [0, '']
  for (const character of charactersIn(text)) {
    bytes += Buffer.byteLength(character)
    if (bytes > most) break
    kept += character
  }
  return kept
}
