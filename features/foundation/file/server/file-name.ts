import { firstCharacters, charactersIn } from '#base/characters.ts'

const longest = 100
// Most file systems limit names to 255 bytes.
const mostBytes = 240

/** A file name that is safe in posts and on disks: the last part of a path, on one line, without bidirectional controls. */
export function fileNameFrom(written: string): string {
  const last = written.normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const clean = last
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu, '')
    .replace(/[<>:"|?*]/g, '_')
    .replace(/\s+/gu, ' ')
    .replace(/^[\s.]+|[\s.]+$/g, '')
  const [, stem = clean, end = ''] = /^(.*?)(\.[a-z0-9]{1,8})?$/i.exec(clean) ?? []
  const shortened = withinBytes(firstCharacters(stem, longest - end.length), mostBytes - end.length)
  return `${shortened.trim() || 'file'}${end}`
}

function withinBytes(text: string, most: number): string {
  let [bytes, result] = [0, '']
  for (const character of charactersIn(text)) {
    bytes += Buffer.byteLength(character)
    if (bytes > most) break
    result += character
  }
  return result
}
