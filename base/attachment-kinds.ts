/** The file extensions an attachment may have; a setting selects those that this site allows. */
export const attachmentKinds = [
  ...(['pdf', 'txt', 'md', 'csv', 'docx', 'xlsx', 'pptx', 'doc', 'xls', 'ppt', 'odt', 'ods', 'odp', 'epub'] as const),
  ...(['zip', '7z', 'rar', 'gz', 'mp3', 'flac', 'wav', 'm4a', 'mp4', 'mkv'] as const),
]
export type AttachmentKind = (typeof attachmentKinds)[number]
