import type { PictureKind } from '#file/limits.ts'

export type Kind = PictureKind

/** The format of a picture by its signature. Name and media type are ignored. */
export function kindOf(bytes: Buffer): Kind | null {
  const head = bytes.toString('latin1', 0, 32)
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (/^GIF8[79]a/.test(head)) return 'gif'
  if (/^RIFF.{4}WEBP/s.test(head)) return 'webp'
  return /^.{4}ftyp(avif|avis|(mif1|msf1).{4}(.{4})*?(avif|avis))/s.test(head) ? 'avif' : null
}
