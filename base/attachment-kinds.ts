/** What an attachment may be, by the end of its name; a setting names those that this site takes. */
export const attachmentKinds = [
  ...(['pdf', 'txt', 'md', 'csv', 'docx', 'xlsx', 'pptx', 'doc', 'xls', 'ppt', 'odt', 'ods', 'odp', 'epub'] as const),
  ...(['zip', '7z', 'rar', 'gz', 'mp3', 'flac', 'wav', 'm4a', 'mp4', 'mkv'] as const),
]
export type AttachmentKind = (typeof attachmentKinds)[number]
