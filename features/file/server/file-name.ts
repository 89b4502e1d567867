import { beginningOf } from '#base/characters.ts'

const longest = 100

/** A file's name as it may stand in a post and on a disk: the last part of a path, on one line, with nothing that turns text around. */
export function fileNameFrom(written: string): string {
  const last = written.normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const clean = last
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu, '')
    .replace(/[<>:"|?*]/g, '_')
    .replace(/\s+/gu, ' ')
    .replace(/^[\s.]+|[\s.]+$/g, '')
  const [, stem = clean, end = ''] = /^(.*?)(\.[a-z0-9]{1,8})?$/i.exec(clean) ?? []
  return `${beginningOf(stem, longest - end.length).trim() || 'file'}${end}`
}
