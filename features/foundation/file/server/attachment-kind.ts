import { attachmentKinds, type AttachmentKind } from '#base/attachment-kinds.ts'

/** The extension of a file name, if it is a known one. */
export function attachmentKindOf(name: string): AttachmentKind | null {
  const end = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase()
  return attachmentKinds.find((kind) => kind === end) ?? null
}

/** Whether a file has the signature of its kind, so that a program named as a PDF is refused. */
export function isOfKind(head: Buffer, kind: AttachmentKind): boolean {
  return beginnings[kind](head)
}

const starts =
  (...signs: string[]) =>
  (head: Buffer) =>
    signs.some((sign) => head.toString('latin1', 0, sign.length) === sign)
const zipped = starts('PK\x03\x04', 'PK\x05\x06')
const old = starts('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')
const film = (head: Buffer) => head.toString('latin1', 4, 8) === 'ftyp'
// The media type is the first entry, uncompressed.
const open = (head: Buffer) => zipped(head) && head.toString('latin1', 30, 50).startsWith('mimetypeapplication/')

const beginnings: Record<AttachmentKind, (head: Buffer) => boolean> = {
  pdf: (head) => head.subarray(0, 1024).includes('%PDF-'),
  txt: isText,
  md: isText,
  csv: isText,
  docx: zipped,
  xlsx: zipped,
  pptx: zipped,
  doc: old,
  xls: old,
  ppt: old,
  odt: open,
  ods: open,
  odp: open,
  epub: open,
  zip: zipped,
  '7z': starts('7z\xbc\xaf\x27\x1c'),
  rar: starts('Rar!\x1a\x07'),
  gz: starts('\x1f\x8b'),
  mp3: (head) => starts('ID3')(head) || (head[0] === 0xff && ((head[1] ?? 0) & 0xe0) === 0xe0),
  flac: starts('fLaC'),
  wav: (head) => starts('RIFF')(head) && head.toString('latin1', 8, 12) === 'WAVE',
  m4a: film,
  mp4: film,
  mkv: starts('\x1a\x45\xdf\xa3'),
}

// Text may have any encoding, so only NULs without a UTF-16 byte order mark are refused.
function isText(head: Buffer): boolean {
  return !head.includes(0) || starts('\xff\xfe', '\xfe\xff')(head)
}
